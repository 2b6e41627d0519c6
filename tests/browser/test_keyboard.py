"""Everything that can be used can be reached by keyboard, and one sees where one is."""

import pytest
from tests.browser import kinds

_FOCUSABLE = """() => [...document.querySelectorAll(
  "a[href], button, input, select, summary, [tabindex='0']")]
  .filter((e) => e.checkVisibility() && (e.type !== "radio" || e.checked))
  .map((e) => e.dataset.stop = e.dataset.stop ||
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


@pytest.mark.parametrize("allowed", [True, False])
def test_buttons_copy_or_select_what_they_name(open_page, allowed):
    page = open_page(kinds.page("comparison"))
    page.evaluate(_CLIPBOARD, allowed)
    for fold in page.locator("details.fold").all():
        fold.evaluate("e => { e.open = true; }")
    buttons = page.locator("button.copy").all()
    assert len(buttons) >= 3
    for button in buttons:
        text = button.evaluate("e => e.previousElementSibling.textContent")
        name = button.inner_text()
        button.focus()
        page.keyboard.press("Enter")
        button.evaluate(_CHANGED, name)
        if allowed:
            assert page.evaluate("() => window.copied") == text
            assert button.inner_text() == "Copied"
        else:
            chosen = page.evaluate("() => String(getSelection())")
            assert chosen.split() == text.split()
            assert button.inner_text().startswith("Selected")


# A page from a file may not write to the clipboard; one from a server may.
_CLIPBOARD = """(allowed) => Object.defineProperty(navigator, "clipboard", {value: {
  writeText: async (text) => {
    if (!allowed) throw new Error("no");
    window.copied = text;
  }}})"""
_CHANGED = """(button, name) => new Promise((done) => {
  const look = () => button.textContent === name ? setTimeout(look, 5) : done();
  look();
})"""
