"""Sliders show what the library computes afresh for their rope and mass."""

import json
import re
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
from tests.browser import kinds
from tests.browser.kinds import bayes_tested, compared

import likelier as lk
from likelier import formatting
from likelier.interval import Rope

LIVE = ("verdict", "symbol", "headline", "worse", "equivalent", "better", "low", "high")


@dataclass(frozen=True)
class Case:
    """Comparisons that can be made with any rope and mass."""

    compare: Any
    rope: Any
    mass: float = 0.95
    stops: int = 4
    # Whether the last digit may differ by one: a lattice is refined around the rope.
    rough: bool = False

    def initial(self):
        return self.compare(rope=self.rope, mass=self.mass)


def scored(scores, **fixed):
    return lambda **settings: [lk.compare_folds(scores(), **fixed, **settings)]


def by_rule(rule):
    return lambda **settings: [compared(rule=rule, **settings)]


def beside_a_rope(**settings):
    """Test hypotheses beside a rule that reads the rope."""
    return [bayes_tested(rule="hdi-rope", **settings)]


def accuracy(**settings):
    clusters = {"metric": "accuracy", "cluster": "cluster"}
    return [compared(**clusters, **settings)]


def metrics_and_systems(**settings):
    return [
        compared(
            kinds.FEW_ITEMS,
            metric=metric,
            systems=["baseline", candidate],
            **settings,
        )
        for metric in ("f1", "accuracy")
        for candidate in ("new", "other")
    ]


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
    "blocked": Case(lambda **settings: [compared(draws=999, **settings)], 0.01),
    "clusters": Case(accuracy, 0.01),
    "several": Case(metrics_and_systems, 0.01),
    "exact, bayes-test": Case(lambda **settings: [bayes_tested(**settings)], None),
    "exact, bayes-test by a margin": Case(
        lambda **settings: [bayes_tested(margin=0.01, **settings)], 0.01
    ),
    "exact, hdi-rope": Case(beside_a_rope, 0.01),
    "exact, regions": Case(
        lambda **settings: [bayes_tested(rule="regions", **settings)], 0.01
    ),
    "correlated t": Case(scored(kinds.one_set), 0.005),
    "correlated t, lopsided": Case(scored(kinds.one_set, rule="zhang"), (-0.01, 0.002)),
    "signed rank": Case(scored(kinds.one_each, seed=0, draws=kinds.DRAWS), 0.005),
    "signed rank, no rope": Case(
        scored(kinds.one_each, seed=0, draws=kinds.DRAWS), None
    ),
    "sign": Case(
        scored(kinds.one_each, seed=0, draws=kinds.DRAWS, method="sign"), 0.005
    ),
    "hierarchical": Case(scored(kinds.many_folds), 0.005, stops=3, rough=True),
}


def expected(result):
    """Return the texts on the card of a comparison."""
    show, p = result.decimals, result.probability
    shares = zip(("worse", "equivalent", "better"), p_of(p), strict=True)
    low, high = (formatting.number(end, show, signed=True) for end in result.hdi)
    texts = {
        "verdict": result.verdict.name,
        "symbol": result.verdict.symbol,
        "headline": result.headline(),
        "low": low,
        "high": high,
        **{name: p.text(share) for name, share in shares},
    }
    if result.rope is None:
        texts["equivalent"] = None
    return texts


def p_of(p):
    return p.worse, p.equivalent, p.better


# Texts on cards; None for those that are hidden.
_TEXTS = """(names) => [...document.querySelectorAll("article.comparison")].map(
  (card) => Object.fromEntries(names.map((name) => {
    const node = card.querySelector(`[data-live="${name}"]`);
    return [name, node && node.checkVisibility() ? node.textContent : null];
  })))"""
_SET = """([id, value]) => {
  const input = document.getElementById(id);
  input.value = value;
  input.dispatchEvent(new Event("input", {bubbles: true}));
}"""


def actual(page, *names):
    return page.evaluate(_TEXTS, list(names or LIVE))


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
    parts, others = (re.split(r"([-+]?[\d.]+)", str(t)) for t in (text, expected))
    if parts[::2] != others[::2] or not all(map(close, parts[1::2], others[1::2])):
        return text
    return expected


def close(text, expected):
    unit = 10.0 ** -len(expected.partition(".")[2])
    return text == expected or abs(float(text) - float(expected)) < 1.5 * unit


@cache
def initial(name):
    """Return the comparisons of a case, and their page."""
    if name == "hierarchical":  # the same as the page of this kind, which takes longest
        return [kinds.results(name)], kinds.page(name)
    if name == "several":
        return kinds.results(name).results, kinds.page(name)
    results = CASES[name].initial()
    return results, kinds.together(results).report().html


@pytest.mark.parametrize("name", CASES)
def test_every_stop_is_what_the_library_says(open_page, name):
    case = CASES[name]
    results, html = initial(name)
    at_first = [expected(result) for result in results]
    page = open_page(html)
    data = embedded(page)
    assert actual(page) == at_first
    verdicts = set()
    for rope, mass in sample(data, case.stops):
        move(page, rope, mass)
        ends = data["ropes"][rope]
        fresh = case.compare(rope=ends, mass=data["masses"][mass])
        texts, cards = [expected(result) for result in fresh], actual(page)
        if case.rough:
            cards = [{k: blurred(v, texts[0][k]) for k, v in cards[0].items()}]
        assert cards == texts, (rope, mass)
        outlooks = [result.outlook_line() for result in fresh]
        assert [card["outlook"] for card in actual(page, "outlook")] == outlooks
        rope_name = "no rope" if ends is None else str(Rope.of(ends))
        assert page.text_content("#rope-value") == rope_name
        assert page.text_content("#mass-value") == f"{100 * data['masses'][mass]:g} %"
        verdicts |= {result.verdict.name for result in fresh}
    if name == "blocked":
        assert verdicts == {"undecided"}
    else:
        assert len(verdicts) > 1 or "test" in name, "the stops say all the same"
    page.click("#reset")
    assert actual(page) == at_first


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
        assert page.text_content(f"#{slider}-value") == stops[stop]
        assert page.get_attribute(f"#{slider}", "aria-valuetext") == stops[stop]
        rope, mass = (int(page.input_value(f"#{name}")) for name in ("rope", "mass"))
        (card,) = actual(page)
        entry = data["comparisons"][0]
        assert card["symbol"] == entry["symbols"][rope][mass]
        assert [card["low"], card["high"]] == entry["ends"][mass]
        assert card["better"] == entry["shown"][rope][2]


def bars(page):
    """Return the parts of the bar as shares."""
    return page.evaluate("""() => {
      const size = (part) => part.getBoundingClientRect().width;
      const shares = (parts, whole) => parts.map((p) => size(p) / size(whole));
      const bar = document.querySelector("article svg.bar");
      const names = ["worse", "equivalent", "better"];
      return shares(names.map((name) => bar.querySelector(`.${name}`)), bar);
    }""")


def test_the_drawing_moves_with_the_sliders(open_page):
    page = open_page(kinds.page("comparison"))
    data = embedded(page)
    for rope, mass in sample(data, 4):
        move(page, rope, mass)
        shares = data["comparisons"][0]["shares"][rope]
        assert bars(page) == pytest.approx(shares, abs=0.01)
        svg = page.locator("article svg.posterior")
        low, high = (float(svg.get_attribute(f"data-{end}")) for end in ("low", "high"))
        line = svg.locator(".hdi").bounding_box()
        whole = svg.bounding_box()
        start = low + (high - low) * (line["x"] - whole["x"]) / whole["width"]
        end = start + (high - low) * line["width"] / whole["width"]
        hdi = [
            min(max(end_, low), high) for end_ in data["comparisons"][0]["hdis"][mass]
        ]
        assert [start, end] == pytest.approx(hdi, abs=0.03 * (high - low))


@pytest.mark.parametrize("kind", ["classes", "ranked items", "one data set", "study"])
def test_every_card_of_a_page_moves(open_page, kind):
    page = open_page(kinds.page(kind))
    data = embedded(page)
    for rope, mass in sample(data, 4):
        move(page, rope, mass)
        cards = actual(page)
        assert len(cards) == len(data["comparisons"])
        for card, entry in zip(cards, data["comparisons"], strict=True):
            assert card["symbol"] == entry["symbols"][rope][mass]
            assert card["verdict"] == data["names"][card["symbol"]]
            unblocked = entry["unblocked"][rope][mass]
            assert card["headline"] == entry["headlines"][unblocked]
