"""Markdown that GitHub shows as it is meant, whatever systems and labels are called."""

import re
from itertools import pairwise

import pytest
from markdown_it import MarkdownIt
from tests.report.conftest import HOSTILE, compared, p_valued, results, scored
from tests.results.every_kind import KINDS, result

from likelier.errors import plain
from likelier.report.markdown import escaped, markdown
from likelier.report.table import tables

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
by_text = pytest.mark.parametrize("text", ALL, ids=[ascii(t)[1:25] for t in ALL])
SHOWN = [name for name in KINDS if name not in ("power", "needed", "smallest")]


def tokens(text):
    """All tokens of a page with those inside lines, but for comments."""
    for token in GFM.parse(text):
        yield token
        for child in token.children or ():
            if child.content != COMMENT:
                yield child


def tree(text):
    """The elements of a page in their order; text may come in several pieces."""
    found = [(token.type, token.tag, dict(token.attrs)) for token in tokens(text)]
    return [token for token in found if token[0] != "text"]


def read(token):
    """What a person reads of a line."""
    shown = ("text", "text_special", "softbreak")
    return "".join(c.content for c in token.children if c.type in shown)


def cells(text):
    """What a person reads of the cells of all tables."""
    found = GFM.parse(text)
    cell = ("th_open", "td_open")
    return [read(after) for one, after in pairwise(found) if one.type in cell]


def test_there_are_enough_hostile_texts():
    assert len(set(ALL)) >= 100


@by_text
def test_hostile_names_leave_the_elements_as_they_are(text):
    for hostile, harmless in zip(results(text), results("plain"), strict=True):
        assert tree(markdown(hostile)) == tree(markdown(harmless))


@by_text
def test_every_cell_reads_as_it_is(text):
    for group in results(text):
        wanted = [
            cell.strip()
            for table in tables(group)
            for row in (table.columns, *table.rows)
            for cell in row
        ]
        assert cells(markdown(group)) == wanted


@by_text
def test_every_sentence_reads_as_it_is(text):
    for group in results(text):
        lines = [read(t) for t in GFM.parse(markdown(group)) if t.type == "inline"]
        assert [line.strip() for line in lines[: len(group)]] == [
            one.sentence().strip() for one in group
        ]


@by_text
def test_nobody_is_mentioned_and_nothing_is_linked(text):
    page = re.sub("`[^`]*`", "", markdown(results(text)[0]))
    assert not re.search(r"@\w|#\d|(?<!\\)://|www\.", page)


def test_ordinary_text_is_left_alone():
    ordinary = (
        "F1 (spam): 0.869 against 0.839, +0.030, 95 % HDI +0.015 to +0.045; macro_f1, "
        "worse <0.1 %, better >99.9 %, 1 : 14, a & b, 3 x 2, {a}, x! #tag, a - b"
    )
    assert escaped(ordinary) == ordinary


@pytest.mark.parametrize("special", list("\\`*[<~$"))
def test_what_would_be_taken_for_something_else_is_marked(special):
    assert escaped(f"a{special}b") == f"a\\{special}b"


@pytest.mark.parametrize("name", SHOWN)
def test_the_answer_comes_first_then_tables_findings_recipes(name):
    page = markdown([result(name)])
    kinds = [token.type for token in GFM.parse(page) if token.level == 0]
    order = [kind for kind in kinds if kind.endswith("_open")]
    first, last = (
        order.index("table_open"),
        len(order) - order[::-1].index("table_open"),
    )
    assert set(order[:first]) == {"paragraph_open"}
    assert set(order[first:last]) == {"table_open"}
    assert order[-2:] == ["paragraph_open", "bullet_list_open"]
    assert page.endswith("\n")
    assert not page.endswith("\n\n")
    assert "<" not in re.sub(r"<(?=[\d ])", "", page).replace("| < |", "")


@pytest.mark.parametrize("name", SHOWN)
def test_findings_stand_before_recipes(name):
    page, found = markdown([result(name)]), result(name)
    assert page.count("\n- LIK") == len(found.findings)
    assert f"- {escaped(str(found.recipe))}\n" in page
    if found.findings:
        assert page.index("\n- LIK") < page.index("\n- likelier")


def test_recipes_that_repeat_are_given_once():
    one, other = scored("a"), compared("a", "b")
    assert markdown([one, one]).count("- likelier ") == 1
    assert markdown([one, one]).count("| a |") == 2
    assert "Recipe:" in markdown([other])
    both = [p_valued("a", "b"), p_valued("a", "b", method="bootstrap")]
    assert markdown(both).count("- likelier ") == 2
    assert "Recipes:" in markdown(both)


def test_names_with_bars_keep_their_columns():
    page = markdown([scored("a|b\\|c\\")])
    assert cells(page)[5] == plain("a|b\\|c\\")
