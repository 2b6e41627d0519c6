"""Explanations of findings, and the page of the docs that repeats them."""

import re
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from likelier.explanations import EXPLAINED

PAGE = Path(__file__).parents[1] / "docs" / "findings.md"
ROW = re.compile(r"\| (LIK\d{3}) \| (.*) \| (.*) \|")


def rows():
    text = PAGE.read_text(encoding="utf-8").splitlines()
    return [line for line in text if line.startswith("| LIK")]


def test_codes_are_in_order():
    assert list(EXPLAINED) == sorted(EXPLAINED)


def test_the_page_shows_just_these_texts():
    texts = [ROW.fullmatch(row).groups() for row in rows()]
    assert texts == [
        (code, text.meaning, text.advice) for code, text in EXPLAINED.items()
    ]


@pytest.mark.parametrize("code", EXPLAINED)
def test_texts_are_plain_sentences(code):
    for text in (EXPLAINED[code].meaning, EXPLAINED[code].advice):
        assert text[0].isupper() or text[0] == "`"
        assert text.endswith((".", "?"))
        assert text.count("`") % 2 == 0
        bare = re.sub(r"`[^`]*`", "code", text)
        assert not re.search(r"[*_\[\]<>|#]|  |\n", bare)


def test_explanations_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        EXPLAINED["LIK101"].advice = "none"
