"""Sliders show what the library computes afresh for their rope and mass."""

import json
import re
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from tests.browser import kinds
from tests.browser.kinds import bayes_tested, compared

import likelier as lk


@dataclass(frozen=True)
class Case:
    """Comparison that can be made with any rope and mass."""

    compare: Any
    rope: Any
    mass: float = 0.95
    stops: int = 4
    # Whether the last digit may differ by one: a lattice is refined around the rope.
    rough: bool = False

    def initial(self):
        return self.compare(rope=self.rope, mass=self.mass)


def scored(scores, **fixed):
    return lambda **settings: lk.compare_folds(scores(), **fixed, **settings)


def by_rule(rule, **fixed):
    return lambda **settings: compared(rule=rule, **fixed, **settings)


def by_counts(**fixed):
    return lambda **settings: bayes_tested(**fixed, **settings)


drawn = {"seed": 0, "draws": kinds.DRAWS}
clusters = by_rule("hdi-rope", metric="accuracy", cluster="cluster")
CASES = {
    "hdi-rope": Case(by_rule("hdi-rope"), 0.01),
    "hdi-rope, no rope": Case(by_rule("hdi-rope"), None),
    "hdi-rope, lopsided": Case(by_rule("hdi-rope"), (-0.02, 0.005)),
    "hdi-rope, one-sided": Case(by_rule("hdi-rope"), (0.0, 0.02)),
    "hdi-rope, odd mass": Case(by_rule("hdi-rope"), 0.0123, 0.8765),
    "zhang": Case(by_rule("zhang"), 0.01),
    "bayes-test": Case(by_rule("bayes-test"), 0.01),
    "regions": Case(by_rule("regions"), 0.01),
    "region-mass": Case(by_rule("region-mass"), (-0.01, 0.02)),
    "blocked": Case(lambda **settings: compared(draws=999, **settings), 0.01),
    "clusters": Case(clusters, 0.01),
    "exact, bayes-test": Case(by_counts(), None),
    "exact, bayes-test by a margin": Case(by_counts(margin=0.01), 0.01),
    "exact, hdi-rope": Case(by_counts(rule="hdi-rope"), 0.01),
    "exact, regions": Case(by_counts(rule="regions"), 0.01),
    "correlated t": Case(scored(kinds.one_set), 0.005),
    "correlated t, lopsided": Case(scored(kinds.one_set, rule="zhang"), (-0.01, 0.002)),
    "signed rank": Case(scored(kinds.one_each, **drawn), 0.005),
    "signed rank, no rope": Case(scored(kinds.one_each, **drawn), None),
    "sign": Case(scored(kinds.one_each, method="sign", **drawn), 0.005),
    "hierarchical": Case(scored(kinds.many_folds), 0.005, stops=3, rough=True),
}


def expected(result):
    """Return the texts that a page shows at the rope and mass of a comparison."""
    p, mass = result.probability, f"{100 * result.mass:g} %"
    rope = "no rope" if result.rope is None else str(result.rope)
    names = ("worse", "equivalent", "better")
    shares = {name: p.text(getattr(p, name)) for name in names}
    low, high = result.end_texts()
    listed = [
        f"{name} {text}"
        for name, text in shares.items()
        if name != "equivalent" or result.rope is not None
    ]
    of_rope = rope if result.rope is None else f"a rope of {rope}"
    line = f"With {of_rope} and a {mass} interval: {result.headline()}"
    ahead = result.outlook_line()
    decide = f" To decide it, {ahead}." if ahead else ""
    return {
        "line": f"{line}; {', '.join(listed)}.{decide}",
        "low": low,
        "high": high,
        "rope": rope,
        "mass": mass,
        "rope said": f"{rope}: {result.verdict.name}",
        "mass said": f"{mass}: {result.verdict.name}",
        "shares": shares,
    }


_TEXTS = """() => {
  const text = (selector) => document.querySelector(selector).textContent;
  const said = (id) => document.getElementById(id).getAttribute("aria-valuetext");
  const shares = document.querySelectorAll("#density [data-share]");
  const names = ["worse", "equivalent", "better"];
  return {
    line: text("[data-live=line]"), low: text("#density .low"),
    high: text("#density .high"), rope: text("#rope-value"), mass: text("#mass-value"),
    "rope said": said("rope"), "mass said": said("mass"),
    shares: Object.fromEntries([...shares].map((e, i) => [names[i], e.textContent])),
  };
}"""
_SET = """([id, value]) => {
  const input = document.getElementById(id);
  input.value = value;
  input.dispatchEvent(new Event("input", {bubbles: true}));
}"""


def actual(page):
    return page.evaluate(_TEXTS)


def move(page, rope, mass):
    page.evaluate(_SET, ["rope", rope])
    page.evaluate(_SET, ["mass", mass])


def embedded(page):
    return json.loads(page.text_content("#likelier-data"))


def sample(data, count):
    """Choose some stops: both ends of both sliders, and one between."""
    ropes, masses = len(data["ropes"]), len(data["masses"])
    rope, mass = data["asked"]
    ends = [(0, 0), (ropes - 1, masses - 1), (ropes - 1, 0)]
    return [*ends, (rope * 2 % ropes or 1, mass)][:count]


def blurred(text, expected):
    """Return the expected text where numbers differ by one unit of a digit at most."""
    parts, others = (re.split(r"([-+]?[\d.]+\d)", str(t)) for t in (text, expected))
    if parts[::2] != others[::2] or not all(map(close, parts[1::2], others[1::2])):
        return text
    return expected


def close(text, expected):
    unit = 10.0 ** -len(expected.partition(".")[2])
    return text == expected or abs(float(text) - float(expected)) < 1.5 * unit


@cache
def initial(name):
    """Return the comparison of a case, and its page."""
    if name == "hierarchical":  # the same as the page of this kind, which takes longest
        return kinds.results(name), kinds.page(name)
    result = CASES[name].initial()
    return result, result.report().html


def check(page, fresh, *, rough):
    """Check all texts of the page against a comparison that was made afresh."""
    texts, shown = expected(fresh), actual(page)
    # Where areas below the density are not the probabilities, none are written there.
    written = fresh.posterior.regions is None and fresh.verdict.reason is None
    assert bool(shown["shares"]) == written
    if not written:
        del texts["shares"], shown["shares"]
    elif fresh.rope is None:
        del texts["shares"]["equivalent"], shown["shares"]["equivalent"]
    if rough:
        shown = {key: blurred(text, texts[key]) for key, text in shown.items()}
    assert shown == texts


@pytest.mark.parametrize("name", CASES)
def test_every_stop_is_what_the_library_says(open_page, name):
    case = CASES[name]
    result, html = initial(name)
    page = open_page(html)
    data, at_first = embedded(page), actual(page)
    check_drawing(page, data, *data["asked"])
    assert not page.is_visible("#reset")
    verdicts = {result.verdict.name}
    for rope, mass in sample(data, case.stops):
        move(page, rope, mass)
        fresh = case.compare(rope=data["ropes"][rope], mass=data["masses"][mass])
        check(page, fresh, rough=case.rough)
        check_strips(page, data, rope, mass)
        check_drawing(page, data, rope, mass)
        verdicts.add(fresh.verdict.name)
    if name == "blocked":
        assert verdicts == {"undecided"}
    else:
        assert len(verdicts) > 1 or "test" in name, "the stops say all the same"
    page.click("#reset")
    assert actual(page) == at_first
    check_drawing(page, data, *data["asked"])
    assert not page.is_visible("#reset")


_STRIPS = """(id) => [...document.querySelectorAll(`#${id}-track rect`)].map((rect) => [
  rect.getAttribute("class").split(" ").find((name) => name !== "seg"),
  parseFloat(rect.getAttribute("x")), parseFloat(rect.getAttribute("width"))])"""


def check_strips(page, data, rope, mass):
    """Check that each stop lies on a strip in the colour of its verdict."""
    columns = [row[mass] for row in data["symbols"]]
    for slider, symbols in (("rope", columns), ("mass", data["symbols"][rope])):
        strips = page.evaluate(_STRIPS, slider)
        assert sum(width for *_, width in strips) == pytest.approx(100, abs=0.1)
        for index, symbol in enumerate(symbols):
            at = 100 * index / (len(symbols) - 1)
            (look,) = {
                look for look, start, width in strips if start <= at <= start + width
            }
            assert look == data["names"][symbol].replace(" ", "-")


_DRAWING = """() => {
  const svg = document.querySelector("#density svg.posterior");
  const number = (node, name) => parseFloat(node.getAttribute(name));
  const one = (selector) => svg.querySelector(selector);
  const rope = one(".rope"), span = one(".span");
  return {
    window: [number(svg, "data-low"), number(svg, "data-high")],
    rope: [number(rope, "x"), number(rope, "x") + number(rope, "width")],
    span: [number(span, "x1"), number(span, "x2")],
    regions: ["worse", "equivalent", "better"].map((name) => {
      const rect = document.querySelector(`#density-${name} rect`);
      return [number(rect, "x"), number(rect, "x") + number(rect, "width")];
    }),
  };
}"""


def check_drawing(page, data, rope, mass):
    """Check that rope, interval and regions stand where the numbers are."""
    found = page.evaluate(_DRAWING)
    low, high = found["window"]

    def at(value):
        return min(max(100 * (value - low) / (high - low), 0), 100)

    ends = [at(end) for end in data["ropes"][rope] or (0, 0)]
    assert found["rope"] == pytest.approx(ends, abs=0.02)
    assert found["span"] == pytest.approx(
        [at(end) for end in data["hdis"][mass]], abs=0.02
    )
    edges = [0, *ends, 100]
    for region, pair in zip(found["regions"], pairwise(edges), strict=True):
        assert region == pytest.approx([10 * end for end in pair], abs=0.2)


def test_the_rope_and_mass_of_the_comparison_are_stops():
    _, html = initial("hdi-rope, odd mass")
    data = json.loads(re.search('id="likelier-data">(.*?)</script', html)[1])
    rope, mass = data["asked"]
    assert (data["ropes"][rope], data["masses"][mass]) == ([-0.0123, 0.0123], 0.8765)
    assert data["ropes"][0] is None
    widths = [high - low for low, high in data["ropes"][1:]]
    assert widths == sorted(widths)
    assert data["masses"] == sorted(data["masses"])


@pytest.mark.parametrize("slider", ["rope", "mass"])
def test_sliders_move_by_keyboard(open_page, slider):
    page = open_page(kinds.page("comparison"))
    data = embedded(page)
    stops = data[f"{slider}_names"]
    at = data["asked"][slider == "mass"]
    page.focus(f"#{slider}")
    keys = {
        "ArrowRight": at + 1,
        "ArrowLeft": at,
        "ArrowUp": at + 1,
        "ArrowDown": at,
        "Home": 0,
        "ArrowLeft ": 0,
        "End": len(stops) - 1,
        "ArrowRight ": len(stops) - 1,
    }
    for key, stop in keys.items():
        page.keyboard.press(key.strip())
        assert page.input_value(f"#{slider}") == str(stop)
        rope, mass = (int(page.input_value(f"#{name}")) for name in ("rope", "mass"))
        texts, name = actual(page), data["names"][data["symbols"][rope][mass]]
        assert texts[slider] == stops[stop]
        assert texts[f"{slider} said"] == f"{stops[stop]}: {name}"
        assert [texts["low"], texts["high"]] == data["ends"][mass]
        assert texts["shares"]["better"] == data["shown"][rope][2]
    page.focus("#reset")
    page.keyboard.press("Enter")
    assert page.input_value(f"#{slider}") == str(at)
    assert page.evaluate("() => document.activeElement.id") == "rope"


def test_the_answer_does_not_move_with_the_sliders(open_page):
    page = open_page(kinds.page("comparison"))
    before = page.inner_html(".answer")
    data = embedded(page)
    for rope, mass in sample(data, 4):
        move(page, rope, mass)
        assert page.inner_html(".answer") == before
