"""Edges of rope and mass are where fresh questions change their answer."""

import re

import numpy as np
import pytest
from tests.results import every_kind

import likelier as lk
from likelier import Outcomes
from likelier.decision import NAMES
from likelier.interval import Rope
from likelier.results.stability import stays
from likelier.results.what_if import Stops, WhatIf

FEW = {"draws": 1000, "seed": 0}
EDGE = re.compile(
    r"(up|down) to an? (rope|interval) of ([^()]+?)(?: %)? "
    rf"\(then ({'|'.join(NAMES.values())})\)"
)
NARROWER = re.compile(r"with any narrower rope \(without one: (.+?)\)")


def counted(both, first, second, none):
    """Make items that so many systems got right."""
    columns = [["y"] * 4 + ["n"], ["y", "y", "n", "n", "n"], ["y", "n", "y", "n", "n"]]
    return Outcomes.from_patterns(
        columns, [both, first, second, none, 50], systems="ab"
    )


def random_items(seed):
    rng = np.random.default_rng(seed)
    both, none = rng.integers(20, 400, 2)
    first, second = rng.integers(0, 60, 2)
    return counted(both, first, second, none)


class Question:
    """Comparison that can be made again with another rope or mass."""

    def __init__(self, table, **settings):
        self.table = table
        self.settings = {"metric": "accuracy", **FEW} | settings
        self.result = self.again()

    def again(self, **settings):
        return lk.compare(self.table, **(self.settings | settings))

    def verdict(self, **settings):
        return self.again(**settings).verdict.name

    def what_if(self):
        return WhatIf(self.result, Stops.of(self.result))


def read_rope(text):
    if text.startswith("±"):
        return Rope.of(float(text[1:]))
    return Rope(*map(float, text.split(" to ")))


def moved(kind, value, share):
    """Move a rope by a share of itself; a mass by a tenth of that share."""
    if kind == "rope":
        return Rope(value.low * (1 + share), value.high * (1 + share))
    return min(value + share / 10, 0.9999)


def edges(settings):
    """Return direction, kind and value of each edge, and the verdict beyond."""
    result = []
    line = stays(settings.what_if())
    assert len(EDGE.findall(line)) + len(NARROWER.findall(line)) == line.count("(")
    for side, name, text, beyond in EDGE.findall(line):
        kind = name.replace("interval", "mass")
        value = read_rope(text) if kind == "rope" else float(text) / 100
        result.append((side, kind, value, beyond))
    return result


def just_beyond(settings, side, kind, value):
    """Return the first other verdict within a digit of an edge.

    By these rules ties are undecided, within the width of one draw: passed over.
    """
    same = {settings.result.verdict.name}
    if settings.result.rule in ("regions", "region-mass"):
        same.add("undecided")
    for share in np.linspace(0, 0.011, 12)[1:]:
        further = moved(kind, value, share if side == "up" else -share)
        result = settings.verdict(**{kind: further})
        if result not in same:
            return result
    return None


def check_edges(settings):
    """Check each edge, and just beyond it; edges are written to three digits."""
    text = edges(settings)
    for side, kind, value, beyond in text:
        at_edge = settings.verdict(**{kind: value})
        assert at_edge == settings.result.verdict.name, (side, kind, value)
        assert just_beyond(settings, side, kind, value) == beyond, (side, kind, value)
    return text


ROPED = [(seed, rope) for seed in range(12) for rope in (0.01, 0.05)]


@pytest.mark.parametrize(("seed", "rope"), ROPED)
def test_edges_are_where_the_verdict_changes(seed, rope):
    check_edges(Question(random_items(seed), rope=rope))


@pytest.mark.parametrize("rule", ["zhang", "regions", "region-mass", "bayes-test"])
@pytest.mark.parametrize("seed", [20, 22, 23])
def test_edges_of_other_rules(seed, rule):
    check_edges(Question(random_items(seed), rope=0.02, rule=rule, draws=4000))


@pytest.mark.parametrize("seed", range(30, 36))
def test_edges_of_lopsided_ropes(seed):
    check_edges(Question(random_items(seed), rope=(-0.01, 0.03), mass=0.9))


@pytest.mark.parametrize("seed", range(40, 46))
def test_edges_without_a_rope(seed):
    for side, kind, *_ in check_edges(Question(random_items(seed), rope=None)):
        assert (kind, side) != ("rope", "down")


def test_every_kind_of_edge_occurs_above():
    text = set()
    for seed, rope in ROPED:
        result = Question(random_items(seed), rope=rope)
        text |= {(side, kind) for side, kind, *_ in edges(result)}
    assert len(text) == 4


def test_a_verdict_that_lives_between_two_stops_is_named():
    """With very many items the interval is narrower than a step of the slider."""
    settings = Question(counted(900_000, 1_000, 100_000, 1_000), rope=0.01)
    low, high = settings.result.hdi
    first, second = settings.what_if().stops.ropes[1:3]
    assert high - low < second.high - first.high
    ropes = [edge for edge in edges(settings) if edge[1] == "rope"]
    assert [(side, beyond) for side, _, _, beyond in ropes] == [("up", "leans better")]
    assert low * 0.99 < ropes[0][2].high <= low


def test_systems_that_do_not_vary_are_equivalent_with_any_rope():
    table = Outcomes.from_scores([0.5] * 20, [0.5] * 20)
    bare = {"metric": "mean", "prior": "bootstrap"}
    settings = Question(table, rope=0.02, **bare)
    line = stays(settings.what_if())
    assert NARROWER.search(line)[1] == settings.verdict(rope=None) == "undecided"
    for rope in (1e-9, 0.001, 0.02, 5.0):
        for mass in (0.5, 0.95, 0.999):
            assert settings.verdict(rope=rope, mass=mass) == "equivalent"
    without = Question(table, rope=None, **bare)
    (edge,) = edges(without)
    assert edge == ("up", "rope", Rope(0.0, 0.0), "equivalent")


@pytest.mark.parametrize("seed", range(50, 54))
def test_no_line_means_no_change_at_any_stop(seed):
    settings = Question(random_items(seed), rope=0.01)
    text = {(side, kind) for side, kind, *_ in edges(settings)}
    stops, verdict = settings.what_if().stops, settings.result.verdict.name
    for kind, all_stops, here in (
        ("rope", stops.ropes, stops.rope),
        ("mass", stops.masses, stops.mass),
    ):
        for side, part in (
            ("down", all_stops[:here]),
            ("up", all_stops[here + 1 :]),
        ):
            changed = any(settings.verdict(**{kind: stop}) != verdict for stop in part)
            assert changed == ((side, kind) in text)


def test_a_bayes_test_tells_the_margin_at_which_it_turns():
    result = every_kind.by_folds(margin=0.01)
    line = stays(WhatIf(result, Stops.of(result)))
    turn = float(re.search(r"the difference, ([+-][\d.e-]+)\.$", line)[1])
    sides = [
        every_kind.by_folds(margin=turn * share).hypotheses.decision
        for share in (0.99, 1.01)
    ]
    assert sides == ["H1", "H0"]
