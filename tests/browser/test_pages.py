"""Every kind of report, as people see it: on screens, phones and paper."""

import re

import pytest
from tests.browser import kinds, seen

SCHEMES = ("light", "dark")
# The least contrast of text, by the guidelines for accessible pages.
READABLE = 4.5
every_kind = pytest.mark.parametrize("kind", kinds.KINDS)
# What only a slider can bring to light.
UNSHOWN = ".shares [hidden], .outlook[hidden]"
# What needs a script to work, and is of no use without one; or is one click away.
CONTROLS = f"#controls, .find, button, details, {UNSHOWN}"
# What nobody can use on paper.
OFF_PAPER = f"#controls, .find, button, .skip, {UNSHOWN}"


@every_kind
def test_texts_fit_at_every_width(open_page, kind):
    page = open_page(kinds.page(kind))
    for wide in (1200, 800, 360):
        page.set_viewport_size({"width": wide, "height": 900})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            assert seen.overlaps(page) == [], (wide, scheme)
            assert seen.width(page) <= wide, scheme


@every_kind
def test_nobody_is_shut_out(open_page, kind):
    page = open_page(kinds.page(kind), scheme="light")
    assert seen.shut_out(page) == []
    assert min(seen.contrasts(page), default=21) >= READABLE
    page.emulate_media(color_scheme="dark")
    # Only colours are not the same in the dark.
    assert seen.shut_out(page, only=["color-contrast"]) == []
    assert min(seen.contrasts(page), default=21) >= READABLE


@every_kind
def test_all_is_told_without_scripts(open_page, kind):
    page = open_page(kinds.page(kind), javascript=False)
    assert seen.hidden(page, allowed=CONTROLS) == []
    assert not page.is_visible("#theme")
    assert page.locator("main h1").count() == 1
    headings = page.locator("main section > h2")
    assert headings.count() >= 2
    assert all(headings.nth(i).is_visible() for i in range(headings.count()))


@every_kind
def test_all_is_printed_in_light_colours(open_page, kind):
    page = open_page(kinds.page(kind), scheme="dark", width=720)
    assert seen.luminance(page, "body", "backgroundColor") < 0.3
    page.emulate_media(media="print", color_scheme="dark")
    assert seen.luminance(page, "body", "backgroundColor") > 0.9
    assert seen.luminance(page, "h1", "color") < 0.3
    pages = re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))
    assert pages
    assert seen.hidden(page, allowed=OFF_PAPER) == []
    assert seen.overlaps(page) == []
    for box in page.locator(".wide, .tall").all():
        assert box.evaluate("e => getComputedStyle(e).overflowY") == "visible"


def test_a_theme_can_be_chosen(open_page):
    page = open_page(kinds.page("estimates"), scheme="light")
    dark = lambda: seen.luminance(page, "body", "backgroundColor") < 0.3  # noqa: E731
    assert not dark()
    page.click("#theme")
    assert dark()
    assert page.inner_text("#theme") == "Light"
    page.emulate_media(color_scheme="dark")
    page.click("#theme")
    assert not dark()
    page.emulate_media(media="print")
    assert not dark()
