"""Language of conditions: what can be read, and messages with columns."""

import re
import textwrap
from pathlib import Path

import pytest

from likelier.errors import SettingError
from likelier.report import condition as language
from likelier.report.condition import CHANCES, SHORT, parse

MESSAGES = [
    ("P(better) >= 0.9 and", "a name or a number is missing", 21, None),
    ("P(better)", "< <= > >= == or != is missing and there is nothing", 10, None),
    ("P(better) 0.9", "is missing and there is '0.9'", 11, None),
    ("(p > 1", "')' is missing and there is nothing", 7, "bracket of column 1"),
    ("p > 1 p", "'and' or 'or' is missing and there is 'p'", 7, None),
    ("0.1 < p < 0.9", "only two things can be compared", 9, "0.1 < p and p < 0.9"),
    ("p = 0.9", "got '='", 3, "Write =="),
    ("p => 0.9", "got '='", 3, "Write >="),
    ("p <> 0.9", "got '<'", 3, "Write !="),
    ("p > 1 && p < 2", "got '&'", 7, "Write and"),
    ("p > 1 || p < 2", "got '|'", 7, "Write or"),
    ("!p > 1", "got '!'", 1, "Write not"),
    ("p ≥ 1", "got '≥' (GREATER-THAN OR EQUAL TO)", 3, "Write >="),
    ("Р(better) > 1", "CYRILLIC CAPITAL LETTER ER", 1, None),
    ("p\u00a0> 1", "NO-BREAK SPACE", 2, None),
    ("p > 0,9", "got ','", 6, "with a point"),
    ("p > 0x1", "'0x1' is no number", 5, "1e-3"),
    ("P(beter) > 1", "'P(beter)' is unknown", 1, "Did you mean P(better)?"),
    ("P(x) > 1", "'P(x)' is unknown", 1, "P(H1)"),
    ("1 > 0.9", "two numbers say nothing", 1, None),
    ("metric == 'f1'", "only the verdict", 11, "verdict == 'better'"),
    ("'f1' == metric", "only the verdict", 1, "verdict == 'better'"),
    ("verdict >= 'better'", "by == and != only", 1, "verdict == 'better'"),
    ("verdict == 'beter'", "\"'beter'\" is no verdict", 12, "'leans better'"),
    ("p > 1 or verdict != 2", "'2' is no verdict", 21, "'worse'"),
    ("verdict == 'better", 'got "\'"', 12, "Close the quotation mark"),
]


@pytest.mark.parametrize(("condition", "wrong", "column", "hint"), MESSAGES)
def test_messages_say_what_is_wrong_and_where(condition, wrong, column, hint):
    with pytest.raises(SettingError) as caught:
        parse(condition)
    error = caught.value
    assert error.message.startswith("A condition must read like 'P(better) > 0.9'; ")
    assert wrong in error.message
    assert error.message.endswith(f" at column {column}.")
    assert (hint is None) == (error.hint is None)
    assert hint is None or hint in error.hint


# --- the page ----------------------------------------------------------------------

PAGE = Path(__file__).parents[2].joinpath("docs", "gates.md").read_text("utf-8")


def test_the_page_has_the_grammar():
    grammar = re.search(r"```text\n(condition +:=.*?)```", PAGE, re.DOTALL)[1]
    assert textwrap.indent(grammar, "    ").strip() in language.__doc__


def test_the_page_has_every_short_name():
    names = [*(f"P({word})" for word in CHANCES), *SHORT]
    assert [name for name in names if f"`{name}`" not in PAGE] == []


def test_conditions_of_the_page_can_be_read():
    rows = re.findall(r"^\| `(.*?)` \| .* \|$", PAGE, re.MULTILINE)
    conditions = [row for row in rows if re.search("[<>=]", row)]
    assert len(conditions) >= 12
    for condition in conditions:
        parse(condition)


@pytest.mark.parametrize("wrong", ["P(worse) < 5", "95 < P(better)", "p > -0.1"])
def test_what_is_no_probability_is_refused(wrong):
    with pytest.raises(SettingError, match="is a probability") as error:
        parse(wrong)
    assert "%" in error.value.hint
