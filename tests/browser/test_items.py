"""The items that changed can be filtered, searched and downloaded."""

import csv
import io

import pandas as pd
import pytest
from tests.browser import kinds

import likelier as lk

_ROWS = """() => [...document.querySelectorAll("table.items tbody tr")]
  .filter((row) => row.checkVisibility()).map((row) => row.textContent.toLowerCase())"""
_EVERY = """() => [...document.querySelectorAll("table.items tbody tr")]
  .map((row) => [row.textContent.toLowerCase(), row.dataset])"""
MOST, MORE = 10, 20


def rows(page):
    """Return the texts of the rows that are shown."""
    return page.evaluate(_ROWS)


def every(page):
    """Return the texts of all rows, with their direction, label and group."""
    return [(text, dict(data)) for text, data in page.evaluate(_EVERY)]


def matching(page, words="", **wanted):
    parts = words.lower().split()
    return [
        text
        for text, data in every(page)
        if all(part in text for part in parts)
        and all(data.get(name) == value for name, value in wanted.items())
    ]


def check(page, expected):
    assert rows(page) == expected[:MOST]
    shown = f"{min(len(expected), MOST)} of {len(expected)} "
    assert page.text_content(".status").startswith(shown)
    assert page.is_visible(".more button") == (len(expected) > MOST)


@pytest.fixture
def page(open_page):
    return open_page(kinds.page("clusters"))


def test_ten_rows_are_shown_then_more(page):
    texts = matching(page)
    assert len(texts) > MOST + MORE
    check(page, texts)
    page.click(".more button")
    assert rows(page) == texts[: MOST + MORE]
    while page.is_visible(".more button"):
        page.click(".more button")
    assert rows(page) == texts


def test_rows_without_the_words_are_left_out(page):
    for words in ("item 0", "spam", "SPAM", "HaM", "spam ham", "no such thing"):
        page.fill("input[name=find]", words)
        check(page, matching(page, words))
    page.press("input[name=find]", "Escape")
    assert page.input_value("input[name=find]") == ""
    check(page, matching(page))
    page.fill("input[name=find]", "   ")
    check(page, matching(page))


def test_a_search_is_no_pattern(page):
    for text in ("(", "[a-z", "\\\\", ".*", "<b>", "$&"):
        page.fill("input[name=find]", text)
        assert rows(page) == [], text


def test_kinds_of_change_labels_and_groups_are_filters(page):
    for direction in ("fixed", "broken"):
        page.check(f"input[value={direction}]", force=True)
        found = matching(page, direction=direction)
        assert found
        check(page, found)
    page.select_option("select[name=label]", "spam")
    check(page, matching(page, direction="broken", label="spam"))
    group = page.locator("select[name=group] option").nth(1).get_attribute("value")
    page.select_option("select[name=label]", "")
    page.select_option("select[name=group]", group)
    check(page, matching(page, direction="broken", group=group))


def test_all_rows_can_be_downloaded(opener):
    page = opener(kinds.page("clusters"))
    page.fill("input[name=find]", "no such thing")
    with page.expect_download() as started:
        page.click("button.csv")
    assert started.value.suggested_filename.endswith(".csv")
    text = started.value.path().read_bytes().decode()
    head, *lines = csv.reader(io.StringIO(text, newline=""))
    assert len(lines) == len(every(page))
    for line, (row, data) in zip(lines, every(page), strict=True):
        assert len(line) == len(head)
        named = dict(zip(head, line, strict=True))
        assert named["change"] == data["direction"]
        assert named["gold"] == data["label"]
        assert named["item"] in row


def test_without_scripts_all_rows_are_there(open_page):
    page = open_page(kinds.page("clusters"), javascript=False)
    assert rows(page) == [text for text, _ in every(page)]
    assert not page.is_visible("input[name=find]")


FORMULAS = ("=1+1", "+1", "-1", "@sum", '"quoted"', "a,b", "=a,'b'", "plain")


def test_no_cell_of_a_download_is_a_formula(opener):
    count = len(FORMULAS)
    rows = {"gold": ["a", "b"] * count, "one": ["a"] * 2 * count}
    rows |= {"two": ["b", "b"] * count, "id": [*FORMULAS, *range(count)]}
    names = {"gold": "gold", "systems": ["one", "two"], "id": "id"}
    frame = pd.DataFrame(rows, dtype=object).astype(str)
    page = opener(
        lk.compare(frame, metric="accuracy", draws=1000, seed=0, **names).report().html
    )
    with page.expect_download() as started:
        page.click("button.csv")
    text = started.value.path().read_bytes().decode()
    head, *lines = csv.reader(io.StringIO(text, newline=""))
    cells = [line[head.index("item")] for line in lines]
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in cells)
    assert set(FORMULAS) <= {cell.removeprefix("'") for cell in cells}
