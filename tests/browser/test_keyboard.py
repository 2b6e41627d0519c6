"""Everything that can be used can be reached by keyboard, and one sees where one is."""

import pytest
from tests.browser import kinds

_FOCUSABLE = """() => [...document.querySelectorAll(
  "a[href], button, input, summary, [tabindex='0']")]
  .filter((e) => e.checkVisibility()).map((e) => e.dataset.stop = e.dataset.stop ||
    String(document.querySelectorAll("[data-stop]").length))"""
_FOCUSED = """() => {
  const e = document.activeElement;
  const style = getComputedStyle(e);
  return {
    stop: e.dataset.stop || "", name: e.tagName.toLowerCase(),
    outline: style.outlineStyle === "none" ? 0 : parseFloat(style.outlineWidth),
    seen: (({top, bottom, left}) => bottom > 0 && top < innerHeight && left >= 0)(
      e.getBoundingClientRect()),
  };
}"""


@pytest.mark.parametrize("kind", ["comparison", "several", "null tests", "ranking"])
def test_tab_reaches_every_control_in_order(open_page, kind):
    page = open_page(kinds.page(kind))
    stops = page.evaluate(_FOCUSABLE)
    assert len(stops) == len(set(stops)) > 4
    reached = []
    for _ in stops:
        page.keyboard.press("Tab")
        at = page.evaluate(_FOCUSED)
        assert at["outline"] >= 1, at
        assert at["seen"], at
        reached.append(at["stop"])
    assert reached == stops


def test_the_first_stop_leads_to_the_answer(open_page):
    page = open_page(kinds.page("comparison"))
    page.keyboard.press("Tab")
    link = page.locator(":focus")
    box = link.bounding_box()
    assert box["x"] >= 0
    assert box["y"] >= 0
    target = link.get_attribute("href")
    assert page.locator(f"{target} h1").count() == 1
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("() => !!document.activeElement.closest('main')")


def test_buttons_copy_or_select_what_they_name(open_page):
    page = open_page(kinds.page("comparison"))
    button = page.locator("button.copy").first
    text = button.evaluate("e => e.previousElementSibling.textContent.trim()")
    button.focus()
    page.keyboard.press("Enter")
    page.wait_for_function("() => /Copied|Selected/.test(document.body.innerText)")
    chosen = page.evaluate("() => String(getSelection())").strip()
    if "Selected" in button.inner_text():
        assert chosen == text
