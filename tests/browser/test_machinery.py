"""The tests of this folder see what they are there to see."""

import pytest
from tests.browser import seen

QUIET = "<!doctype html><html lang=en><title>t</title><body><p>Hello</p></body></html>"


def page_with(body):
    return QUIET.replace("<p>", f"{body}<p>")


def test_nothing_happens_in_a_quiet_page(opener):
    assert opener(QUIET).inner_text("p") == "Hello"
    assert opener.close() == []


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("<script>console.log('told')</script>", "console"),
        ("<script>throw new Error('told')</script>", "errors"),
        ("<script>setTimeout(() => { told() })</script>", "errors"),
        ("<script>alert('told')</script>", "dialogs"),
        ("<img src=told.png alt=''>", "requests"),
        ("<img src=http://127.0.0.1:9/told alt=''>", "requests"),
        ("<style>p { background: url(told.png) }</style>", "requests"),
        ("<link rel=stylesheet href=told.css>", "requests"),
        ("<iframe src=told.html></iframe>", "requests"),
        (
            "<script>fetch('http://127.0.0.1:9/told').catch(() => 0)</script>",
            "requests",
        ),
        ("<script>new WebSocket('ws://127.0.0.1:9/told')</script>", "requests"),
        (
            "<script>navigator.sendBeacon('http://127.0.0.1:9/told')</script>",
            "requests",
        ),
    ],
)
def test_what_a_page_does_is_seen(opener, body, kind):
    opener(page_with(body))
    (happened,) = opener.close()
    assert "told" in str(happened[kind])


def test_a_page_can_be_opened_without_scripts(opener):
    page = opener(page_with("<script>alert(1)</script>"), javascript=False)
    assert page.evaluate("() => document.querySelector('p').textContent") == "Hello"
    assert opener.close() == []


STACKED = """<style>div {{ position: relative; height: 50px }}
span {{ position: absolute; left: 0 }}
span + span {{ left: {left}px; top: {top}px }}</style>
<div><span>one word</span><span>another word</span></div>"""


@pytest.mark.parametrize(
    ("left", "top", "met"), [(10, 5, True), (300, 5, False), (10, 30, False)]
)
def test_texts_that_lie_on_each_other_are_seen(opener, left, top, met):
    page = opener(page_with(STACKED.format(left=left, top=top)))
    assert seen.overlaps(page) == ([["one word", "another word"]] if met else [])


def test_texts_of_drawings_are_seen_too(opener):
    drawn = "<svg width=200 height=40><text y=20>one</text><text y=22>two</text></svg>"
    assert seen.overlaps(opener(page_with(drawn))) == [["one", "two"]]


@pytest.mark.parametrize(
    "style",
    ["display: none", "visibility: hidden", "opacity: 0", "content-visibility: hidden"],
)
def test_hidden_texts_are_seen(opener, style):
    page = opener(page_with(f"<div style='{style}'><b>gone</b></div>"))
    assert seen.hidden(page, allowed="button") == ["gone"]
    assert seen.hidden(page, allowed="div") == []


def test_a_page_that_is_too_wide_is_seen(opener):
    page = opener(page_with("<div style='width: 500px'>wide</div>"), width=360)
    assert seen.width(page) > 360
    page = opener(
        page_with("<div style='overflow: auto'><pre>" + "x" * 500 + "</pre></div>"),
        width=360,
    )
    assert seen.width(page) == 360


def test_what_shuts_people_out_is_seen(opener):
    assert seen.shut_out(opener(QUIET)) == []
    page = opener(page_with("<img src='data:,'><span style='color: #ddd'>faint</span>"))
    found = [rule for rule, *_ in seen.shut_out(page)]
    assert sorted(found) == ["color-contrast", "image-alt"]
    found = [rule for rule, *_ in seen.shut_out(page, only=["color-contrast"])]
    assert found == ["color-contrast"]


def test_contrasts_of_drawings_are_seen(opener):
    drawn = "<svg><text fill='#777'>a</text><text fill='black'>b</text></svg>"
    page = opener(page_with(f"<div style='background: white'>{drawn}</div>"))
    assert seen.contrasts(page) == pytest.approx([4.48, 21], abs=0.01)
