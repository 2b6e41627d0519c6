"""LaTeX to paste: tables that compile, whatever systems and labels are called."""

import re

import pytest
from tests.report.conftest import HOSTILE, compared, p_valued, results, scored
from tests.results.every_kind import KINDS, result

from likelier.citations import as_bibtex
from likelier.report.latex import _tabular, escape, latex
from likelier.results.parts import Table, columns
from likelier.results.result_list import ResultList

by_kind = pytest.mark.parametrize("name", KINDS)
BEGIN = re.compile(r"\\begin\{tabular\}\{@\{\}([lr]+)@\{\}\}")
# All that may stand in a cell with a meaning of its own.
COMMANDS = re.compile(
    r"\\text\w+\{\}|\\[&%$#_{}]|\$(?:-|\\(?:gg|ll|approx|leq|gtrsim|lesssim|pm|infty|times|cdot))\$"
    r"|\\shortstack\[[lr]\]\{[^{}]*\}"
)


def parts(text):
    """Split LaTeX into the comments above, the tables, and the comments below."""
    lines = text.split("\n")[:-1]
    ends = [i for i, line in enumerate(lines) if not line.startswith("%")]
    return lines[: ends[0]], lines[ends[0] : ends[-1] + 1], lines[ends[-1] + 1 :]


def cells_of(row):
    """Split a row into cells where LaTeX does."""
    assert row.endswith(r" \\")
    return re.split(r"(?<!\\)&", row.removesuffix(r" \\"))


def rows(lines):
    """Yield the rows of all tables, headings too, with the count of their columns."""
    width = 0
    for line in lines:
        begin = BEGIN.fullmatch(line)
        if begin:
            width = len(begin[1])
        elif line.endswith(r"\\"):
            yield width, line


def assert_tables(lines):
    """Check that tables balance and that everything in cells is escaped."""
    text = "\n".join(lines)
    for rule in (r"\begin{tabular}", r"\toprule", r"\midrule", r"\bottomrule"):
        assert text.count(rule) == text.count(r"\end{tabular}") > 0
    assert text.count("{") - text.count(r"\{") == text.count("}") - text.count(r"\}")
    for width, row in rows(lines):
        cells = cells_of(row)
        assert len(cells) == width, row
        assert not re.match(r"[\[*]", row)
        for cell in cells:
            assert not re.search(r"[\\{}%&#_$~^\"<>|`]", COMMANDS.sub("", cell)), cell


@by_kind
def test_tables_are_whole(name):
    above, inside, below = parts(latex(result(name)))
    assert_tables(inside)
    assert all(line.startswith("% ") for line in above)
    assert all(line.startswith("%") for line in below)
    assert above[-1] == r"% needs \usepackage{booktabs}"
    assert inside.count(r"\toprule") == len(result(name).tables())


@by_kind
def test_no_line_ends_in_blanks_and_no_address_stands_in_it(name):
    text = latex(result(name))
    assert all(line == line.rstrip() for line in text.split("\n"))
    assert text.endswith("\n")
    assert "http" not in text


@by_kind
def test_sentence_and_recipe_stand_above(name):
    above, _, _ = parts(latex(result(name)))
    assert above[0] == f"% {result(name).sentence()}"
    assert f"% {result(name).recipe}" in above
    for finding in result(name).findings:
        assert f"% {finding}" in above


@by_kind
def test_methods_and_references_stand_below_ready_to_be_uncommented(name):
    _, _, below = parts(latex(result(name)))
    cut = below.index("% References (BibTeX):")
    assert below[0] == "%"
    assert below[1] == "% Methods:"
    words = " ".join(line.removeprefix("% ") for line in below[2 : cut - 1])
    cited = set(re.findall(r"~\\citep\{(.*?)\}", words))
    plain_words = re.sub(r"~\\citep\{.*?\}", "", words)
    sentences = [escape(f"{one.text}.") for one in result(name).sentences()]
    assert plain_words.startswith(" ".join(dict.fromkeys(sentences)))
    entries = re.findall(r"^@\w+\{(\w+),", result(name).bibtex(), flags=re.MULTILINE)
    assert {key for keys in cited for key in keys.split(",")} == set(entries)
    entries = "\n".join(line[2:] for line in below[cut + 1 :]) + "\n"
    assert entries == result(name).bibtex()


def test_hostile_names_leave_the_tables_as_they_are():
    harmless = [parts(latex(one))[1] for one in results("plain")]
    for text in HOSTILE:
        for hostile, expected in zip(results(text), harmless, strict=True):
            above, inside, below = parts(latex(hostile))
            assert_tables(inside)
            assert len(inside) == len(expected)
            assert [w for w, _ in rows(inside)] == [w for w, _ in rows(expected)]
            for line in (*above, *below):
                assert line.startswith("%"), ascii(text)
                assert line.isprintable(), ascii(text)


@pytest.mark.parametrize("name", ["[x]", "*x", "[", "**"])
def test_a_bracket_is_no_argument_of_the_line_before(name):
    _, inside, _ = parts(latex(scored(name)))
    assert inside[4].startswith(rf"\textnormal{{}}{name}")


def test_what_needs_a_package_or_an_encoding_is_not_used():
    assert escape('a"b`c') == "a''b'c"
    assert r"\textquotedbl" not in latex(scored('"'))


NUMBERS = ["0.839", "-0.012", "+0.030", "2,000", "99.6 %", "<0.1 %", ">99.9 %"]
OTHERS = ["9.8e-04", "-0.024 to +0.089", "1 : 14", "at most 1 : 90", "1 : ∞", "1.00 s"]


@pytest.mark.parametrize("cell", [*NUMBERS, *OTHERS, "-", ""])
def test_columns_of_numbers_are_set_to_the_right(cell):
    heads = columns("name", "number", text=["name"])
    lines = _tabular(Table("", heads, (("a", cell), ("b", "0.5"))))
    assert BEGIN.fullmatch(lines[0])[1] == "lr"


@pytest.mark.parametrize(
    "cell", ["a 0.839", "better", "4 of 4", "1.2.3", "0.5 to", "x", *NUMBERS]
)
def test_columns_of_words_are_set_to_the_left(cell):
    heads = columns("name", "words", text=["name", "words"])
    lines = _tabular(Table("", heads, (("a", cell), ("b", "0.5"))))
    assert BEGIN.fullmatch(lines[0])[1] == "ll"


# All that a column of numbers may hold: a number, an interval, odds, or nothing.
SIZE = r"[<>]?[+-]?\d[\d,]*(?:\.\d+)?(?:e[+-]\d+)?"
NUMERIC = re.compile(
    rf"[-–]?|{SIZE}(?: %| s)?|{SIZE} to {SIZE}|(?:at (?:most|least) )?"
    rf"(?:{SIZE}|∞) : (?:{SIZE}|∞)"
)


@by_kind
def test_columns_of_numbers_hold_numbers_and_others_words(name):
    for table in result(name).tables():
        for index, column in enumerate(table.columns):
            cells = [row[index] for row in table.rows]
            assert column.numeric == all(map(NUMERIC.fullmatch, cells)), column


def test_numbers_have_a_minus_and_names_a_hyphen():
    cells = (("a-1", "-0.012", "-0.02 to -0.01", "1e-05"), ("b", "0.5", "0 to 1", "-"))
    heads = columns("system", "x", "interval", "p", text=["system"])
    lines = _tabular(Table("", heads, cells))
    assert lines[4] == r"a-1 & $-$0.012 & $-$0.02 to $-$0.01 & 1e-05 \\"
    assert lines[5] == r"b & 0.5 & 0 to 1 & -- \\"


def test_columns_that_say_nothing_are_left_out():
    roped, free = compared("a", "b"), compared("a", "b", rope=None)
    assert "equivalent &" in latex(roped)
    assert "equivalent &" not in latex(free)
    assert "equivalent &" in latex(ResultList([roped, free]))


def test_wide_tables_are_set_smaller_and_their_headings_stacked():
    narrow, wide = latex(p_valued("a", "b")), latex(result("classes"))
    assert r"\scriptsize" in wide
    assert r"\shortstack[r]{sign test \\ (accuracy)}" in wide
    assert not re.search(r"\\(scriptsize|small|shortstack)", narrow)


def test_tables_stand_one_below_the_other():
    text = latex(result("ranking"))
    assert text.count(r"\par\medskip\noindent") == 1
    assert r"\noindent" not in latex(result("classes"))


def test_several_results_share_recipes_and_references():
    one = compared("a", "b")
    text = latex(ResultList([one, one]))
    above, inside, below = parts(text)
    assert sum(line.startswith("% likelier") for line in above) == 1
    assert len(list(rows(inside))) == 3
    assert text.count("@inproceedings{zhang2016") == 1
    assert below[-len(one.bibtex().splitlines()) :] == [
        f"% {line}".rstrip() for line in as_bibtex(one.sentences()).splitlines()
    ]


def test_letters_beyond_latin_say_what_they_need():
    assert "XeLaTeX" in latex(scored("評価"))
    assert "XeLaTeX" not in latex(scored("Müller ≈"))
