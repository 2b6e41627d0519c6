"""What a page looks up at a stop is what a fresh options with that stop answers."""

import json
from dataclasses import replace

import numpy as np
import pytest
from tests.conftest import random_labels
from tests.results import every_kind
from tests.results.every_kind import HALVES, MEANS, ONE, SETS, compared

import likelier as lk
from likelier.decision import EQUIVALENT, EVERY, NAMES, RULES
from likelier.findings import Finding
from likelier.results.what_if import Stops, WhatIf

FEW = {"draws": 1000, "seed": 0}
OPEN_TABLE = random_labels(7, n=70, classes=2, right=(0.6, 0.63))


def opened(**settings):
    """Compare two systems that hardly differ."""
    options = {"metric": "accuracy", "rope": 0.03, **FEW} | settings
    return lk.compare(*OPEN_TABLE.columns, **options)


def scores(table, **fixed):
    def ask(**settings):
        return lk.compare_folds(table, **({"rope": 0.01} | fixed | settings))

    return ask


def paired_test(**settings):
    options = {"metric": "accuracy", "method": "paired", "repetitions": 3, **FEW}
    return lk.compare_folds(*OPEN_TABLE.columns, **(options | settings))


QUESTIONS = {
    "compare": opened,
    "compare-f1": compared,
    "compare-lopsided": lambda **new: opened(**({"rope": (-0.01, 0.06)} | new)),
    "compare-no-rope": lambda **new: opened(**({"rope": None} | new)),
    "bayes-test": paired_test,
    "bayes-test-margin": lambda **new: paired_test(margin=0.02, **new),
    "correlated-t": scores(ONE),
    "correlated-t-5x2": scores(HALVES),
    "signed-rank": scores(MEANS, **FEW),
    "sign": scores(MEANS, method="sign", **FEW),
}
CASES = [(name, rule) for name in QUESTIONS for rule in RULES]


def positions(stops, *, few=2):
    """Some positions of both sliders: the answer's own, the ends, and others."""
    rng = np.random.default_rng(0)
    ropes, masses = len(stops.ropes), len(stops.masses)
    drawn = [tuple(rng.integers((ropes, masses)).tolist()) for _ in range(few)]
    settings = (stops.rope, stops.mass)
    return [settings, (0, 0), (ropes - 1, masses - 1), (0, masses - 1), *drawn]


def check(looked_up, fresh, rope, mass):
    p = fresh.probability
    symbol = looked_up["symbols"][rope][mass]
    assert symbol == fresh.verdict.symbol
    assert NAMES[symbol] == fresh.verdict.name
    unblocked = looked_up["unblocked"][rope][mass]
    assert unblocked == fresh.unblocked_verdict.symbol
    assert looked_up["headlines"][unblocked] == fresh.headline()
    shares = [p.worse, p.equivalent, p.better]
    assert looked_up["shares"][rope] == pytest.approx(shares, rel=1e-9, abs=1e-12)
    assert looked_up["shown"][rope] == [p.text(share) for share in shares]
    assert looked_up["hdis"][mass] == pytest.approx(list(fresh.hdi), rel=1e-9)
    ends = list(fresh.end_texts())
    assert looked_up["ends"][mass] == ends
    assert f"{ends[0]} to {ends[1]}" in fresh.sentence()
    if looked_up["outlooks"] is None:
        assert fresh.outlook_line() is None
    else:
        assert looked_up["outlooks"][rope][mass] == fresh.outlook_line()


@pytest.mark.parametrize(("name", "rule"), CASES)
def test_a_stop_shows_what_a_fresh_question_answers(name, rule):
    result = QUESTIONS[name](rule=rule)
    stops = Stops.of(result)
    looked_up = WhatIf(result, stops).embedded()
    for rope, mass in positions(stops):
        fresh = QUESTIONS[name](
            rule=rule, rope=stops.ropes[rope], mass=stops.masses[mass]
        )
        check(looked_up, fresh, rope, mass)


def folded(**settings):
    return every_kind.by_folds(rule="hdi-rope", **settings)


def test_exact_laws_give_the_same_at_stops():
    result = folded(rope=0.01)
    stops = Stops.of(result)
    looked_up = WhatIf(result, stops).embedded()
    for index, mass in positions(stops, few=0)[1:]:
        fresh = folded(rope=stops.ropes[index], mass=stops.masses[mass])
        check(looked_up, fresh, index, mass)


def test_the_population_of_data_sets_gives_the_same_at_stops():
    result = every_kind.result("hierarchical")
    stops = Stops.of(result)
    looked_up = WhatIf(result, stops).embedded()
    for index, mass in [(0, 0), (len(stops.ropes) // 2, 9)]:
        settings = {"rope": stops.ropes[index], "mass": stops.masses[mass]}
        fresh = lk.compare_folds(SETS, **settings)
        p = fresh.probability
        # A fresh model refines its grid around its own rope.
        shares = pytest.approx([p.worse, p.equivalent, p.better], abs=5e-4)
        assert looked_up["shares"][index] == shares
        assert looked_up["hdis"][mass] == pytest.approx(list(fresh.hdi), abs=2e-4)
        assert looked_up["symbols"][index][mass] == fresh.verdict.symbol


def test_verdicts_at_any_rope_and_any_mass():
    result = opened()
    table = WhatIf(result, Stops.of(result))
    for rope in (0.0, 0.001, 0.0777, (-0.02, 0.11), 0.4):
        fresh = opened(rope=rope)
        assert table.symbol_at_rope(fresh.rope) == fresh.verdict.symbol
    assert table.symbol_at_rope(None) == opened(rope=None).verdict.symbol
    for mass in (0.123, 0.5, 0.777, 0.95, 0.9999):
        assert table.symbol_at_mass(mass) == opened(mass=mass).verdict.symbol


def test_what_is_embedded_has_an_entry_for_every_stop():
    result = opened()
    stops = Stops.of(result)
    data = WhatIf(result, stops).embedded()
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    ropes, masses = len(stops.ropes), len(stops.masses)
    assert len(data["ropes"]) == len(data["rope_names"]) == ropes
    assert len(data["masses"]) == len(data["mass_names"]) == masses
    assert data["asked"] == [stops.rope, stops.mass]
    assert data["ropes"][stops.rope] == [-0.03, 0.03]
    assert len(data["shares"]) == len(data["shown"]) == len(data["symbols"]) == ropes
    assert len(data["hdis"]) == len(data["ends"]) == masses
    assert {len(column) for column in data["symbols"]} == {masses}
    assert {len(column) for column in data["unblocked"]} == {masses}
    assert set("".join(data["unblocked"])) == set(data["headlines"])
    for shares in data["shares"]:
        assert sum(shares) == pytest.approx(1)


def test_wider_ropes_hold_more_and_larger_masses_reach_further():
    result = opened()
    looked_up = WhatIf(result, Stops.of(result)).embedded()
    inside = [shares[1] for shares in looked_up["shares"]]
    widths = [high - low for low, high in looked_up["hdis"]]
    assert inside == sorted(inside)
    assert widths == sorted(widths)


@pytest.mark.parametrize("rule", ["hdi-rope", "regions", "bayes-test"])
def test_a_blocked_comparison_is_undecided_at_every_stop(rule):
    result = compared(rope=0.03, rule=rule, draws=999)
    stops = Stops.of(result)
    what_if = WhatIf(result, stops)
    table = what_if.embedded()
    assert table["symbols"] == ["?" * len(stops.masses)] * len(stops.ropes)
    assert set(table["headlines"].values()) == {result.headline()}
    assert result.headline().startswith("undecided, too few draws: ")
    assert table["outlooks"] is None
    assert what_if.symbol_at_rope(None) == what_if.symbol_at_mass(0.5) == "?"


def test_a_block_of_some_verdicts_leaves_the_others_where_they_are():
    result = compared(rope=0.03)
    others = tuple(name for name in EVERY if name not in EQUIVALENT)
    block = Finding("LIK114", "a tail", "block", "a long tail", blocks=others)
    blocked = replace(result, findings=(*result.findings, block))
    stops = Stops.of(result)
    free, rest = (WhatIf(one, stops).symbols for one in (result, blocked))
    kept = {symbol for row in rest for symbol in row}
    assert {"≈", "?"} <= kept <= {"≈", "~", "?"}
    for before, after in zip("".join(free), "".join(rest), strict=True):
        assert after == (before if before in "≈~" else "?")


@pytest.mark.parametrize("sign", [1, -1])
def test_a_long_tail_blocks_equivalence_at_every_rope(sign):
    gaps = [0.0] * 30 + [0.2] * 15 + [sign * 3.0]

    def ask(**settings):
        return lk.compare([0.0] * 46, gaps, metric="mean", **FEW, **settings)

    result = ask()
    assert result.verdict.reason is None
    stops = Stops.of(result)
    table = WhatIf(result, stops).embedded()
    assert set("".join(table["symbols"])) == set("".join(table["unblocked"])) - {*"≈~"}
    assert "≈" in "".join(table["unblocked"])
    for rope, mass in positions(stops):
        fresh = ask(rope=stops.ropes[rope], mass=stops.masses[mass])
        check(table, fresh, rope, mass)
