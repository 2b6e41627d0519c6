"""Tables that can be sorted, and rows that open."""

import json

import pytest
from tests.browser import kinds, seen

_HEADS = """() => [...document.querySelectorAll("table.sortable thead th")].map(
  (head) => [head.dataset.key ?? null, head.getAttribute("aria-sort")])"""
_KEYS = """() => [...document.querySelectorAll("table.sortable > tbody")].map(
  (body) => body.dataset.keys)"""
_CHILDREN = """() => [...document.querySelector("table.sortable").children].map(
  (child) => child.localName)"""
FORESTS = ["classes", "several"]


def keys(page, column):
    """Return the values of a column, from the first row to the last."""
    return [json.loads(text)[column] for text in page.evaluate(_KEYS)]


def sorted_by(page):
    return {key: order for key, order in page.evaluate(_HEADS) if order}


def check_sorted(page, column, *, down):
    values = keys(page, int(column))
    assert values == sorted(values, reverse=down)
    assert sorted_by(page) == {column: "descending" if down else "ascending"}
    parts = page.evaluate(_CHILDREN)
    assert parts == sorted(parts, key=["thead", "tbody", "tfoot"].index)


@pytest.mark.parametrize("kind", FORESTS)
def test_every_column_sorts_up_and_down(open_page, kind):
    page = open_page(kinds.page(kind))
    columns = [key for key, _ in page.evaluate(_HEADS) if key is not None]
    assert len(columns) >= 5
    before = sorted(page.evaluate(_KEYS))
    for column in columns:
        button = page.locator(f"table.sortable th[data-key='{column}'] button")
        up = sorted_by(page).get(column) != "ascending"
        button.click()
        check_sorted(page, column, down=not up)
        button.press("Enter")
        check_sorted(page, column, down=up)
    assert sorted(page.evaluate(_KEYS)) == before


def test_the_worst_class_comes_first(open_page):
    page = open_page(kinds.page("classes"))
    ((column, order),) = sorted_by(page).items()
    assert order == "ascending"
    check_sorted(page, column, down=False)


@pytest.mark.parametrize("kind", FORESTS)
def test_phones_sort_by_a_list(open_page, kind):
    page = open_page(kinds.page(kind), width=390)
    chooser = page.locator("select.only-narrow")
    assert chooser.is_visible()
    options = chooser.locator("option").all()
    for option in options[1:3]:
        column = option.get_attribute("value")
        chooser.select_option(column)
        check_sorted(page, column, down=False)
    page.set_viewport_size({"width": 1200, "height": 900})
    assert not chooser.is_visible()


@pytest.mark.parametrize("javascript", [True, False])
@pytest.mark.parametrize("width", [390, 1200])
def test_rows_open_their_cards(open_page, width, javascript):
    page = open_page(kinds.page("classes"), width=width, javascript=javascript)
    rows = page.locator("table.forest > tbody:has(details)").all()
    assert len(rows) >= 3
    for row in rows[:2]:
        card = row.locator("tr.card")
        assert not card.is_visible()
        row.locator("summary").click()
        assert card.is_visible()
        assert card.locator("svg.posterior").is_visible()
        assert seen.overlaps(page) == []
        assert seen.width(page) <= width
    rows[0].locator("summary").press("Enter")
    assert not rows[0].locator("tr.card").is_visible()
    assert rows[1].locator("tr.card").is_visible()


def test_without_scripts_nothing_can_be_sorted(open_page):
    page = open_page(kinds.page("classes"), javascript=False)
    assert page.locator("thead button").count() == 0
    assert page.locator("select").count() == page.locator(".tools select").count()


@pytest.mark.parametrize("kind", ["ranked items", "several", "study"])
def test_folded_parts_open_by_keyboard(open_page, kind):
    page = open_page(kinds.page(kind))
    for fold in page.locator("details.fold").all():
        inside = fold.locator(":scope > :not(summary)").first
        assert not inside.is_visible()
        fold.locator("summary").first.press("Enter")
        assert inside.is_visible()


_TALLY = """() => [...document.querySelectorAll(".tally a")].map((link) => [
  link.title.split(":")[0],
  document.querySelector(link.hash + " th[scope=row]").textContent.trim()])"""


def test_squares_of_a_tally_lead_to_their_rows(open_page):
    page = open_page(kinds.page("classes"))
    assert len(page.evaluate(_TALLY)) == 3
    for name, row in page.evaluate(_TALLY):
        assert name == row
    page.locator(".tally a").last.click()
    assert page.locator("tbody:target").count() == 1


_SCALES = """() => [...document.querySelectorAll("table.forest")].map((table) =>
  ["thead", "tbody"].map((part) => {
    const box = table.querySelector(`${part} .plot > svg`).getBoundingClientRect();
    return [Math.round(box.left), Math.round(box.width)];
  }))"""


@pytest.mark.parametrize("width", [390, 1200])
@pytest.mark.parametrize("kind", ["classes", "hierarchical"])
def test_ticks_stand_over_what_they_measure(open_page, kind, width):
    scales = open_page(kinds.page(kind), width=width).evaluate(_SCALES)
    assert scales
    for ticks, rows in scales:
        assert ticks == rows
