"""The sliders show what the library says when it is asked afresh."""

import json
import re
from dataclasses import dataclass
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
    """A question that can be asked with any rope and mass, as a list of comparisons."""

    ask: Any
    rope: Any
    mass: float = 0.95
    stops: int = 8
    # Whether the last digit may differ by one: a lattice is refined around the rope.
    rough: bool = False

    def asked(self):
        return self.ask(rope=self.rope, mass=self.mass)


def scored(scores, **fixed):
    return lambda **asked: [lk.compare_folds(scores(), **fixed, **asked)]


def by_rule(rule):
    return lambda **asked: [compared(rule=rule, **asked)]


def beside_a_rope(**asked):
    """Draws, and hypotheses beside a rule that looks at the rope."""
    return [bayes_tested(rule="hdi-rope", **asked)]


def accuracy(**asked):
    clusters = {"metric": "accuracy", "cluster": "cluster"}
    return [compared(**clusters, **asked)]


def metrics_and_systems(**asked):
    return [
        compared(metric=metric, systems=["baseline", candidate], **asked)
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
    "clusters": Case(accuracy, 0.01),
    "several": Case(metrics_and_systems, 0.01),
    "exact, bayes-test": Case(lambda **asked: [bayes_tested(**asked)], None, stops=5),
    "exact, bayes-test by a margin": Case(
        lambda **asked: [bayes_tested(margin=0.01, **asked)], 0.01, stops=5
    ),
    "exact, hdi-rope": Case(beside_a_rope, 0.01, stops=5),
    "exact, regions": Case(
        lambda **asked: [bayes_tested(rule="regions", **asked)], 0.01
    ),
    "correlated t": Case(scored(kinds.one_set), 0.005),
    "correlated t, lopsided": Case(scored(kinds.one_set, rule="zhang"), (-0.01, 0.002)),
    "signed rank": Case(scored(kinds.one_each, seed=0, draws=4000), 0.005),
    "signed rank, no rope": Case(scored(kinds.one_each, seed=0, draws=4000), None),
    "sign": Case(scored(kinds.one_each, seed=0, draws=4000, method="sign"), 0.005),
    "hierarchical": Case(scored(kinds.many_folds), 0.005, stops=4, rough=True),
}


def expected(result):
    """Say what a card shows of a comparison."""
    show, p = result.decimals, result.probability
    shares = zip(("worse", "equivalent", "better"), p_of(p), strict=True)
    low, high = (formatting.number(end, show, signed=True) for end in result.hdi)
    told = {
        "verdict": result.verdict.name,
        "symbol": result.verdict.symbol,
        "headline": result.headline(),
        "low": low,
        "high": high,
        **{name: p.shown(share) for name, share in shares},
    }
    if result.rope is None:
        told["equivalent"] = None
    return told


def p_of(p):
    return p.worse, p.equivalent, p.better


# What cards show; None for what is hidden.
_SHOWN = """(names) => [...document.querySelectorAll("article.comparison")].map(
  (card) => Object.fromEntries(names.map((name) => {
    const node = card.querySelector(`[data-live="${name}"]`);
    return [name, node && node.checkVisibility() ? node.textContent : null];
  })))"""
_SET = """([id, value]) => {
  const input = document.getElementById(id);
  input.value = value;
  input.dispatchEvent(new Event("input", {bubbles: true}));
}"""


def shown(page, *names):
    return page.evaluate(_SHOWN, list(names or LIVE))


def move(page, rope, mass):
    page.evaluate(_SET, ["rope", rope])
    page.evaluate(_SET, ["mass", mass])


def embedded(page):
    return json.loads(page.text_content("#likelier-data"))


def sample(data, count):
    """Choose some stops: both ends, what was asked, and others between."""
    ropes, masses = len(data["ropes"]), len(data["masses"])
    rope, mass = data["asked"]
    ends = [(0, 0), (ropes - 1, masses - 1), (0, mass), (ropes - 1, 0)]
    inner = [(rope, 0), (1, masses - 2), (rope * 2 % ropes, mass)]
    more = [((7 * i) % ropes, (5 * i) % masses) for i in range(1, count)]
    return list(dict.fromkeys([*ends, *inner, *more]))[:count]


def blurred(told, wanted):
    """Give what is told, with numbers as wanted where one unit of a digit is off."""
    parts, known = (re.split(r"([-+]?[\d.]+)", str(text)) for text in (told, wanted))
    if parts[::2] != known[::2] or not all(map(close, parts[1::2], known[1::2])):
        return told
    return wanted


def close(told, wanted):
    unit = 10.0 ** -len(wanted.partition(".")[2])
    return told == wanted or abs(float(told) - float(wanted)) < 1.5 * unit


@pytest.mark.parametrize("name", CASES)
def test_every_stop_is_what_the_library_says(open_page, name):
    case = CASES[name]
    asked = case.asked()
    page = open_page(kinds.together(asked).report().html)
    data = embedded(page)
    assert shown(page) == [expected(result) for result in asked]
    verdicts = set()
    for rope, mass in sample(data, case.stops):
        move(page, rope, mass)
        ends = data["ropes"][rope]
        fresh = case.ask(rope=ends, mass=data["masses"][mass])
        wanted, told = [expected(result) for result in fresh], shown(page)
        if case.rough:
            told = [{k: blurred(v, wanted[0][k]) for k, v in told[0].items()}]
        assert told == wanted, (rope, mass)
        looked = [result.outlook_line() for result in fresh]
        assert [told["outlook"] for told in shown(page, "outlook")] == looked
        told = page.text_content("#rope-value")
        assert told == ("no rope" if ends is None else str(Rope.of(ends)))
        assert page.text_content("#mass-value") == f"{100 * data['masses'][mass]:g} %"
        verdicts |= {result.verdict.name for result in fresh}
    assert len(verdicts) > 1 or "test" in name, "the stops say all the same"
    page.click("#reset")
    assert shown(page) == [expected(result) for result in asked]


def test_ropes_and_masses_asked_for_are_stops(open_page):
    page = open_page(kinds.together(CASES["hdi-rope, odd mass"].asked()).report().html)
    data = embedded(page)
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
        (told,) = shown(page)
        known = data["comparisons"][0]
        assert told["symbol"] == known["symbols"][rope][mass]
        assert [told["low"], told["high"]] == known["ends"][mass]
        assert told["better"] == known["shown"][rope][2]


def bars(page):
    """Give the parts of the bar and of the posterior's areas, as shares."""
    return page.evaluate("""() => {
      const size = (part) => part.getBoundingClientRect().width;
      const shares = (parts, whole) => parts.map((p) => size(p) / size(whole));
      const bar = document.querySelector("article svg.bar");
      const wanted = ["worse", "equivalent", "better"];
      return shares(wanted.map((name) => bar.querySelector(`.${name}`)), bar);
    }""")


def test_the_drawing_moves_with_the_sliders(open_page):
    page = open_page(kinds.page("comparison"))
    data = embedded(page)
    for rope, mass in sample(data, 6):
        move(page, rope, mass)
        wanted = data["comparisons"][0]["shares"][rope]
        assert bars(page) == pytest.approx(wanted, abs=0.01)
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
        cards = shown(page)
        assert len(cards) == len(data["comparisons"])
        for told, known in zip(cards, data["comparisons"], strict=True):
            assert told["symbol"] == known["symbols"][rope][mass]
            assert told["verdict"] == data["names"][told["symbol"]]
            assert told["headline"] == known["headlines"][told["symbol"]]
