"""Markdown and step summaries, as GitHub renders them."""

import re
from itertools import pairwise

import pytest
from markdown_it import MarkdownIt
from tests.report.conftest import HOSTILE, compared, p_valued, results, scored
from tests.results.every_kind import KINDS, result

from likelier.errors import InputError
from likelier.formatting import plain
from likelier.report.gate import GateResult, judge
from likelier.report.markdown import (
    Line,
    append,
    escape,
    fit,
    markdown,
    step_summary,
)
from likelier.results.result_list import ResultList

GFM = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
COMMENT = "<!-- -->"
MORE = [
    "_lead", "trail_", "__both__", "a_b_c", "a _b_ c", "*a", "a*", "***", "___", "---",
    "===", "+ item", "1. item", "1) item", "12345678901. x", "> quote", ">> quote",
    "    code", "\tcode", "```", "```python", "~~~", "`", "``a`b``", "~x~", "~~x~~",
    "[x]: /u", "[^1]", "[x]", "[ ] task", "![alt](x)", "<a", "<a@b.de>", "<div>",
    "</details>", "<br/>", "<?php", "<!DOCTYPE", "<http://x.de>", "< b", "a<b", "a<1",
    "&amp;", "&copy;", "&#x41;", "&x", "&;", "\\*", "\\\\|", "\\`a`", "|---|",
    "| a | b |", "||", "a\\|b\\", "#1", "#12 and #x", "@me", "@me/team", "me@x.de",
    "http://x.de",
    "https://x.de/a_b", "www.x.de", "ftp://x", "$a$", "$$a$$", "a  ", "a\\",
    "{x}", "^x^", "==x==", "::x::", ":+1:", "![", "](", "](x)", "*_*", "_*_",
    "-", "+", "=", "#", ">",
]  # fmt: skip
ALL = [*HOSTILE, *MORE]


def tokens(page):
    """Return all tokens of a page with those inside lines, but for comments."""
    every = []
    for token in GFM.parse(page):
        every.append(token)
        every += [child for child in token.children or () if child.content != COMMENT]
    return every


def tree(every):
    """Return the elements of a page in their order; text may come in several pieces."""
    elements = [(token.type, token.tag, dict(token.attrs)) for token in every]
    return [element for element in elements if element[0] != "text"]


def read(token):
    """Return the text that a person reads of a line."""
    visible = ("text", "text_special", "softbreak")
    return "".join(c.content for c in token.children if c.type in visible)


def cells(every):
    """Return the text that a person reads of the cells of all tables."""
    cell = ("th_open", "td_open")
    return [read(after) for one, after in pairwise(every) if one.type in cell]


def test_there_are_enough_hostile_texts():
    assert len(set(ALL)) >= 100


def test_hostile_names_leave_the_elements_as_they_are_and_read_as_they_are():
    harmless = [tree(tokens(markdown(group))) for group in results("plain")]
    for text in ALL:
        every = [tokens(markdown(group)) for group in results(text)]
        assert [tree(one) for one in every] == harmless, ascii(text)
        for group, page in zip(results(text), every, strict=True):
            expected = [
                cell.strip()
                for table in group.tables()
                for row in ([column.name for column in table.columns], *table.rows)
                for cell in row
            ]
            assert cells(page) == expected
            lines = [read(token) for token in page if token.type == "inline"]
            sentences = [one.sentence().strip() for one in group.members() or (group,)]
            assert [line.strip() for line in lines[: len(sentences)]] == sentences


def test_nobody_is_mentioned_and_nothing_is_linked():
    for text in ALL:
        page = re.sub("`[^`]*`", "", markdown(results(text)[0]))
        assert not re.search(r"@\w|#\d|(?<!\\)://|www\.", page), ascii(text)


def test_ordinary_text_is_left_alone():
    ordinary = (
        "F1 (spam): 0.869 against 0.839, +0.030, 95 % HDI +0.015 to +0.045; macro_f1, "
        "worse <0.1 %, better >99.9 %, 1 : 14, a & b, 3 x 2, {a}, x! #tag, a - b"
    )
    assert escape(ordinary) == ordinary


@pytest.mark.parametrize("special", list("\\`*[<~$"))
def test_what_would_be_taken_for_something_else_is_marked(special):
    assert escape(f"a{special}b") == f"a\\{special}b"


@pytest.mark.parametrize("name", KINDS)
def test_the_answer_comes_first_then_findings_tables_recipes(name):
    page = markdown(result(name))
    kinds = [token.type for token in GFM.parse(page) if token.level == 0]
    order = [kind for kind in kinds if kind.endswith("_open")]
    first, last = (
        order.index("table_open"),
        len(order) - order[::-1].index("table_open"),
    )
    before = order[:first]
    if result(name).findings:
        assert before[-2:] == ["paragraph_open", "bullet_list_open"]
        before = before[:-2]
    assert set(before) == {"paragraph_open"}
    assert set(order[first:last]) == {"table_open"}
    assert order[last:] == ["paragraph_open", "bullet_list_open"]
    assert page.endswith("\n")
    assert not page.endswith("\n\n")
    assert "<" not in re.sub(r"<(?=[\d ])", "", page).replace("| < |", "")


@pytest.mark.parametrize("name", KINDS)
def test_findings_stand_before_tables_and_recipes(name):
    page, findings = markdown(result(name)), result(name).findings
    assert page.count("\n- LIK") == len(findings)
    assert f"- {escape(result(name).recipe)}\n" in page
    if findings:
        assert page.rindex("\n- LIK") < page.index("\n| ") < page.index("\n- likelier")


def test_recipes_that_repeat_are_written_once():
    one, other = scored("a"), compared("a", "b")
    assert markdown(ResultList([one, one])).count("- likelier ") == 1
    assert markdown(ResultList([one, one])).count("| a |") == 2
    assert "Recipe:" in markdown(other)
    both = ResultList([p_valued("a", "b"), p_valued("a", "b", method="bootstrap")])
    assert markdown(both).count("- likelier ") == 2
    assert "Recipes:" in markdown(both)


def test_names_with_bars_keep_their_columns():
    page = markdown(scored("a|b\\|c\\"))
    assert cells(tokens(page))[5] == plain("a|b\\|c\\")


# --- the summary of a step ---------------------------------------------------------


def texts(lines):
    return [line.text for line in lines]


def test_a_summary_without_a_condition_is_the_markdown_below_a_heading():
    one, other = compared("a", "b"), scored("a")
    (head, empty, *rest) = texts(step_summary(other, None))
    assert head == f"### {escape(other.sentence())}"
    assert empty == ""
    assert rest == markdown(other).splitlines()[2:], "the answer is written once"
    head, _, *rest = texts(step_summary(ResultList([one, one]), None))
    assert head == f"### 2 results: 2 {one.verdict}"
    assert rest == markdown(ResultList([one, one])).splitlines()


def test_a_summary_of_a_blocked_answer_says_why_directly_below_its_heading():
    blocked = compared("a", "b", draws=999, mass=0.5)
    lines = texts(step_summary(blocked, judge("P(better) > 0", blocked)))
    head, condition, title, finding, *_ = [line for line in lines if line]
    assert head.startswith("### ? undecided, too few draws: no verdict on b against a")
    assert condition.startswith("**? No answer")
    assert title == "Findings:"
    assert finding.startswith("- LIK112 block: ")


@pytest.mark.parametrize("name", KINDS)
def test_rows_are_the_rows_of_all_tables(name):
    rows = [line.text for line in step_summary(result(name), None) if line.is_row]
    assert len(rows) == sum(len(table.rows) for table in result(name).tables())
    assert all(row.startswith("| ") and row.endswith(" |") for row in rows)


def test_long_lists_are_cut():
    judgement = GateResult(
        "p > 1", (1,) * 25, ("b is better",) * 25, (", p is 1",) * 25
    )
    lines = texts(step_summary(compared("a", "b"), judgement))
    assert lines.count("- no, p is 1 (b is better)") == 20
    assert lines.count("- and 5 more") == 1


def test_a_full_disk_leaves_what_was_there(tmp_path):
    full = tmp_path / "full"
    full.symlink_to("/dev/full")
    with pytest.raises(InputError, match="must be writable; No space left"):
        append(full, [Line("### a")])


def sized(path):
    return path.stat().st_size


def made(rows, *, width=100):
    head = map(Line, ["### head", "", "| x |", "| --- |"])
    table = (Line(f"| {i:0{width}d} |", is_row=True) for i in range(rows))
    return [*head, *table, *map(Line, ["", "- recipe", "- LIK101 finding"])]


def test_rows_are_left_out_from_the_end(tmp_path):
    path = tmp_path / "s.md"
    lines = made(20_000)
    assert append(path, lines)
    assert sized(path) <= 1024 * 1024
    written = path.read_text().splitlines()
    rows = [line for line in written if line.startswith("| 0")]
    assert rows == texts(lines)[4 : 4 + len(rows)]
    assert written[-4:-2] == ["- recipe", "- LIK101 finding"]
    omitted = 20_000 - len(rows)
    note = f"{omitted:,} rows left out: the summary of a step has room for 1 MiB."
    assert written[-1] == note
    assert sized(path) > 1024 * 1024 - 500  # no more than needed


def test_what_fits_is_left_alone(tmp_path):
    exact = made(9_000)
    size = len("\n".join(texts(exact))) + 1
    exact[-1] = Line(exact[-1].text + "x" * (1024 * 1024 - size))
    assert append(tmp_path / "s.md", exact)
    assert sized(tmp_path / "s.md") == 1024 * 1024
    assert (tmp_path / "s.md").read_text().splitlines() == texts(exact)


def test_what_stands_there_already_counts(tmp_path):
    path = tmp_path / "s.md"
    path.write_bytes(b"x" * (1024 * 1024 - 1000))
    assert append(path, made(100))
    assert sized(path) <= 1024 * 1024
    assert "rows left out" in path.read_text()
    before = path.read_bytes() + b"x" * 900
    path.write_bytes(before)
    assert not append(path, made(100))
    assert path.read_bytes() == before


def test_other_lines_are_left_out_after_all_rows():
    lines = [*made(10), *(Line(f"- {i:0100d}") for i in range(20_000))]
    fitting = fit(lines, 1024 * 1024)
    assert fitting[:4] == ["### head", "", "| x |", "| --- |"]
    assert not any(line.startswith("| 0") for line in fitting)
    note = re.fullmatch(r"10 rows and ([\d,]+) other lines left out: .*", fitting[-1])
    assert len(fitting) - 2 == len(lines) - 10 - int(note[1].replace(",", ""))


def assert_harmless(text):
    assert text.isprintable(), ascii(text)
    # Outside of escapes nothing of HTML, links, code, tags or mentions is left.
    bare = re.sub(r"\\.|<!-- -->", "", text)
    assert not re.search(r"[`\[]|<[a-z/!]|@\w", bare, re.I), bare


def test_hostile_names_in_a_summary(tmp_path):
    starts = ("### ", "**✗ The", "- no, ", "- the evidence decides neither way, ")
    for index, text in enumerate(HOSTILE):
        path = tmp_path / f"{index}.md"
        one = compared(text, f"2{text}")
        condition, codes = f"estimates.'{text}' > 1", (1, 3, 0)
        judgement = GateResult(
            condition, codes, (one.sentence(),) * 3, (", p is 1",) * 3
        )
        for group in (one, *results(text)):
            summary = step_summary(group, judgement)
            lines = texts(summary)
            assert not any("\n" in line for line in lines)
            head = [lines[0], lines[2], lines[4], lines[5]]
            for line, start in zip(head, starts, strict=True):
                assert line.startswith(start)
                assert_harmless(line)
            assert append(path, summary)
        assert path.read_bytes().decode("utf-8")
