"""Every kind of report, as people see it: on screens, phones and paper."""

import re

import pytest
from tests.browser import kinds, seen

# The least contrast of text, by the guidelines for accessible pages.
READABLE = 4.5
every_kind = pytest.mark.parametrize("kind", kinds.KINDS)
# Names of regions that are too narrow for them, but not after a slider was moved.
UNSHOWN = ".region, .word"
# Elements that need a script, or are one click away.
CONTROLS = f".knob, .tools, .only-narrow, button, details, .card, {UNSHOWN}"
# Elements that nobody can use on paper, and cards, of which there may be many.
OFF_PAPER = f".knob, .tools, select, nav, button, .skip, .status, .card, {UNSHOWN}"
WIDTHS = (360, 390, 768, 1024, 1440)
_HEADINGS = """() => [...document.querySelectorAll("main section h2")].map(
  (heading) => heading.checkVisibility())"""
_OPEN = """() => document.querySelectorAll("details").forEach(
  (fold) => { fold.open = true; })"""


@every_kind
def test_every_page_fits_shuts_nobody_out_and_can_be_printed(open_page, kind):
    page = open_page(kinds.page(kind), scheme="light")
    check_widths(page)
    check_access(page)
    check_print(page)


def check_widths(page):
    """Check all widths, in both themes, with everything open."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for wide in WIDTHS:
            page.set_viewport_size({"width": wide, "height": 900})
            assert seen.overlaps(page) == [], (wide, scheme)
            assert seen.width(page) <= wide, (wide, scheme)
        page.evaluate(_OPEN)


def check_access(page):
    assert seen.violations(page) == []
    # Only colours are not the same in the dark.
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert min(seen.contrasts(page)) >= READABLE, scheme


def check_print(page):
    """Check that all is printed, in light colours."""
    page.set_viewport_size({"width": 720, "height": 900})
    assert seen.luminance(page, "body", "backgroundColor") < 0.3
    page.emulate_media(media="print", color_scheme="dark")
    assert seen.luminance(page, "body", "backgroundColor") > 0.9
    assert seen.luminance(page, "h1", "color") < 0.3
    pages = re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))
    assert pages
    assert seen.hidden(page, allowed=OFF_PAPER) == []
    assert seen.overlaps(page) == []
    assert seen.width(page) <= 720


@every_kind
def test_all_is_visible_without_scripts(open_page, kind):
    page = open_page(kinds.page(kind), javascript=False)
    assert seen.hidden(page, allowed=CONTROLS) == []
    assert not page.is_visible("#theme")
    assert page.locator("main h1").count() == 1
    headings = page.evaluate(_HEADINGS)
    assert len(headings) >= 2
    assert seen.width(page) <= 1200
    assert all(headings)


@pytest.mark.parametrize("kind", ["comparison", "ranked items"])
def test_texts_can_be_read_where_elements_lie_on_each_other(open_page, kind):
    page = open_page(kinds.page(kind), scheme="light")
    assert seen.violations(page, contrast=True) == []


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
