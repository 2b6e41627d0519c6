"""The helpers of this folder see what they are there to see."""

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
        ("<script>console.log('here')</script>", "console"),
        ("<script>throw new Error('here')</script>", "errors"),
        ("<script>setTimeout(() => { here() })</script>", "errors"),
        ("<script>alert('here')</script>", "dialogs"),
        ("<img src=here.png alt=''>", "requests"),
        ("<img src=http://127.0.0.1:9/here alt=''>", "requests"),
        ("<style>p { background: url(here.png) }</style>", "requests"),
        ("<link rel=stylesheet href=here.css>", "requests"),
        ("<iframe src=here.html></iframe>", "requests"),
        (
            "<script>fetch('http://127.0.0.1:9/here').catch(() => 0)</script>",
            "requests",
        ),
        ("<script>new WebSocket('ws://127.0.0.1:9/here')</script>", "requests"),
        (
            "<script>navigator.sendBeacon('http://127.0.0.1:9/here')</script>",
            "requests",
        ),
    ],
)
def test_events_of_a_page_are_seen(opener, body, kind):
    opener(page_with(body))
    (events,) = opener.close()
    assert "here" in str(events[kind])


def test_a_page_can_be_opened_without_scripts(opener):
    page = opener(page_with("<script>alert(1)</script>"), javascript=False)
    assert page.evaluate("() => document.querySelector('p').textContent") == "Hello"
    assert opener.close() == []


STACKED = """<style>div {{ position: relative; height: 50px }}
span {{ position: absolute; left: 0 }}
span + span {{ left: {left}px; top: {top}px }}</style>
<div><span>one word</span><span>another word</span></div>"""


def test_texts_that_lie_on_each_other_are_seen(opener):
    page = opener(QUIET)
    for left, top, met in [(10, 5, True), (300, 5, False), (10, 30, False)]:
        page.set_content(page_with(STACKED.format(left=left, top=top)))
        assert seen.overlaps(page) == ([["one word", "another word"]] if met else [])


def test_texts_of_drawings_are_seen_too(opener):
    drawn = "<svg width=200 height=40><text y=20>one</text><text y=22>two</text></svg>"
    assert seen.overlaps(opener(page_with(drawn))) == [["one", "two"]]


HIDING = ("display: none", "visibility: hidden", "opacity: 0")


def test_hidden_texts_are_seen(opener):
    page = opener(QUIET)
    for style in (*HIDING, "content-visibility: hidden"):
        page.set_content(page_with(f"<div style='{style}'><b>gone</b></div>"))
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


def test_violations_are_seen(opener):
    assert seen.violations(opener(QUIET)) == []
    page = opener(page_with("<img src='data:,'><button></button>"))
    rules = [rule for rule, *_ in seen.violations(page)]
    assert sorted(rules) == ["button-name", "image-alt"]


def test_contrasts_of_texts_and_drawings_are_seen(opener):
    drawn = "<svg><text fill='#777'>a</text><text fill='black'>b</text></svg>"
    faint = "<span style='color: #777'>c</span><i style='display: none'>d</i>"
    style = "<style>body { background: white }</style>"
    page = opener(page_with(f"{style}<div>{drawn}{faint}</div>"))
    assert seen.contrasts(page) == pytest.approx([4.48, 21, 4.48, 21], abs=0.01)
