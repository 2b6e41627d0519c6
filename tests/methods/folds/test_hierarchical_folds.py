"""The model against an independent dense grid, quantity by quantity.

Answers of the grid are stored; `dense` makes them. One is computed here again on a
coarser grid, and by tests/slow/test_dense_grid.py on the same.
"""

import json
from functools import cache

import numpy as np
import pytest
from tests.methods.folds import dense as dense_grid
from tests.methods.folds.dense import FILE, POINTS, ROPES, SHARES, TABLES, Dense
from tests.methods.folds.fold_tables import ROPE, drawn, population, table_of

from likelier import Scores
from likelier.errors import NotDefinedError, SettingError
from likelier.interval import Rope
from likelier.methods.folds.hierarchical_folds import HierarchicalFolds
from likelier.streams import Streams

ANSWERS = json.loads(FILE.read_text(encoding="utf-8"))


@cache
def answer(name):
    """Return our answer for one of the tables."""
    return population(TABLES[name][0])


@pytest.fixture(params=TABLES)
def both(request):
    """Return our answer and that of the dense grid."""
    return answer(request.param), ANSWERS[request.param]


def assert_stored(name, **within):
    """Compute a table again: shares, masses and quantiles are the stored ones."""
    dense, stored = Dense.of(name), ANSWERS[name]
    for rope, shares in zip(ROPES, stored["shares"], strict=True):
        assert dense.shares(*rope) == pytest.approx(shares, **within)
    assert dense.predictive(*ROPE) == pytest.approx(stored["predictive"], **within)
    for axis, parameter in enumerate(("nu", "sigma0", "delta0")):
        quantiles = dense.quantile(axis, SHARES)
        assert quantiles == pytest.approx(stored["quantiles"][parameter], **within)


def test_the_stored_answers_are_those_of_the_grid(monkeypatch):
    """The cheapest of the tables is computed again, with fewer steps."""
    assert list(ANSWERS) == list(TABLES)
    for steps, number in {"N_DELTA": 100, "N_SIGMA": 30}.items():
        monkeypatch.setattr(dense_grid, steps, number)
    assert_stored("2 x 5", rel=0.015)


def test_probabilities(both):
    """The points are made for the first rope, and are good for others."""
    ours, dense = both
    for rope, shares in zip(ROPES, dense["shares"], strict=True):
        allowed = 6e-4 if rope == ROPE else 3e-3
        assert ours.shares(*rope) == pytest.approx(shares, abs=allowed)


def test_masses_of_the_next_data_set(both):
    ours, dense = both
    assert ours.predictive() == pytest.approx(dense["predictive"], abs=2e-4)
    mean = ours.masses(*ROPE).mean(axis=0)
    assert mean == pytest.approx(ours.predictive(), abs=3e-3)


def test_centre_of_the_population(both):
    ours, dense = both
    sd = dense["sd"]
    assert ours.delta0.mean() == pytest.approx(dense["mean"], abs=1e-3 * sd)
    assert ours.delta0.std() == pytest.approx(sd, rel=1e-3)
    quantiles = ours.delta0.quantile(np.array(SHARES))
    assert quantiles == pytest.approx(dense["quantiles"]["delta0"], abs=3e-3 * sd)


def test_spread_and_tails_of_the_population(both):
    ours, dense = both
    for name in ("sigma0", "nu"):
        quantiles = getattr(ours, name).quantile(np.array(SHARES))
        assert quantiles == pytest.approx(dense["quantiles"][name], rel=0.04)


def test_each_data_set_after_shrinkage(both):
    ours, dense = both
    for law, expected in zip(ours.shrunken, dense["shrunken"], strict=False):
        low, high = expected["interval"]
        width = high - low
        assert law.mean() == pytest.approx(expected["mean"], abs=0.01 * width)
        assert tuple(law.hdi(0.9)) == pytest.approx((low, high), abs=0.025 * width)


@pytest.mark.parametrize("name", TABLES)
def test_each_data_set_alone(name):
    laws = Dense.of(name).laws
    for law, (df, centre, scale) in zip(answer(name).alone, laws, strict=True):
        assert (law.df, law.location, law.scale) == pytest.approx((df, centre, scale))


def test_the_next_data_set(both):
    ours, dense = both
    for x, expected in zip(POINTS, dense["next"], strict=True):
        assert ours.next.share_below(x) == pytest.approx(expected[0], abs=4e-3)
        assert ours.next.share_above(x) == pytest.approx(expected[2], abs=4e-3)
    assert ours.next.hdi(0.9).width > ours.next.hdi(0.5).width


def test_even_points_stand_for_the_posterior(both):
    ours, dense = both
    delta0, sigma0, nu = ours.even
    medians = {name: row[2] for name, row in dense["quantiles"].items()}
    assert delta0.mean() == pytest.approx(dense["mean"], abs=0.02 * delta0.std())
    assert np.median(sigma0) == pytest.approx(medians["sigma0"], rel=0.05)
    assert np.median(nu) == pytest.approx(medians["nu"], rel=0.4)


def test_the_posterior_has_delta0_and_the_next_data_set():
    table = table_of(drawn(0, sets=2, folds=5))
    method = HierarchicalFolds(1e-3)
    posterior = method.posterior(table, Streams.of(0), Rope(*ROPE))
    assert posterior.systems == ()
    assert posterior.regions is posterior.population
    assert posterior.regions.n_independent == 0
    assert posterior.population.rope == ROPE
    assert sum(posterior.regions.shares(*ROPE)) == pytest.approx(1)
    parameters = {"test_share": pytest.approx(0.2), "tolerance": 0.001}
    assert method.parameters(table) == parameters


def test_one_data_set_or_two_folds_are_refused():
    with pytest.raises(SettingError, match="at least two data sets"):
        population(drawn(0, sets=1))
    with pytest.raises(NotDefinedError, match="at least 3 folds"):
        population([[0.1, 0.2], [0.1, 0.3, 0.2]])


def test_less_is_better_turns_the_answer_round():
    folds = drawn(7, sets=2)
    first = [np.full(10, 0.8) for _ in folds]
    second = [0.8 + row for row in folds]
    turned = Scores.from_arrays(first, second, higher_is_better=False)
    shares = HierarchicalFolds().population(turned, *ROPE).shares(*ROPE)
    expected = population(folds).shares(*ROPE)
    assert shares == pytest.approx(expected[::-1], abs=1e-9)
