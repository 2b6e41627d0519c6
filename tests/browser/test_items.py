"""The items on which systems differ can be searched, by mouse or keyboard."""

import pytest
from tests.browser import kinds

_ROWS = """() => [...document.querySelectorAll("#items tbody tr")]
  .filter((row) => row.checkVisibility()).map((row) => row.innerText.toLowerCase())"""


def rows(page):
    return page.evaluate(_ROWS)


@pytest.fixture
def page(open_page):
    return open_page(kinds.page("clusters"))


def test_rows_without_the_words_are_left_out(page):
    every = rows(page)
    for word in ("item 0", "spam", "SPAM", "HaM", "spam ham", "no such thing"):
        page.fill("#search", word)
        parts = word.lower().split()
        matching = [row for row in every if all(part in row for part in parts)]
        assert rows(page) == matching
        message = page.text_content("#found")
        assert message.startswith(f"{len(matching)} ")
        assert str(len(every)) in message


def test_an_item_is_found_by_its_id(page):
    every = rows(page)
    item = page.text_content("#items td.ids").split(", ")[0]
    page.fill("#search", item.upper())
    assert 0 < len(rows(page)) < len(every)
    assert all(item in row for row in rows(page))


def test_escape_and_clearing_bring_all_back(page):
    every = rows(page)
    assert every
    page.fill("#search", "no such thing")
    assert rows(page) == []
    page.press("#search", "Escape")
    assert rows(page) == every
    assert page.input_value("#search") == ""
    assert page.text_content("#found") == ""
    page.fill("#search", "no such thing")
    page.fill("#search", "")
    assert rows(page) == every
    page.fill("#search", "   ")
    assert rows(page) == every


def test_a_search_is_no_pattern(page):
    for text in ("(", "[a-z", "\\", ".*", "<b>", "$&"):
        page.fill("#search", text)
        assert rows(page) == [], text


def test_without_scripts_all_rows_are_there(open_page):
    page = open_page(kinds.page("clusters"), javascript=False)
    assert rows(page)
    assert not page.is_visible("#search")
