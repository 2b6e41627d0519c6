"""The model against an independent dense grid, quantity by quantity."""

import numpy as np
import pytest
from tests.methods.folds.dense import Dense
from tests.methods.folds.fold_tables import ROPE, drawn, population, table_of

from likelier import Scores
from likelier.errors import NotDefinedError, SettingError
from likelier.interval import Rope
from likelier.methods.folds.hierarchical_folds import HierarchicalFolds
from likelier.streams import Streams

SHARES = np.array([0.05, 0.25, 0.5, 0.75, 0.95])
TABLES = {
    "2 x 5": (drawn(0, sets=2, folds=5), False),
    "3 x 10, one apart": ([*drawn(2, sets=2), drawn(2, sets=1)[0] + 0.15], False),
    "3, 5 and 10 folds, sigma_i by numbers": (
        [drawn(seed, sets=1, folds=n)[0] for seed, n in ((3, 3), (4, 5), (5, 10))],
        True,
    ),
}


@pytest.fixture(scope="module", params=TABLES)
def both(request):
    folds, numeric = TABLES[request.param]
    dense = Dense(folds, [1 / len(row) for row in folds], numeric)
    return population(folds), dense


def test_probabilities(both):
    found, dense = both
    assert found.shares(*ROPE) == pytest.approx(dense.shares(*ROPE), abs=6e-4)


@pytest.mark.parametrize("rope", [(-0.005, 0.03), (0.0, 0.0)])
def test_probabilities_for_another_rope(both, rope):
    """The points are made for one rope, and are good for others."""
    found, dense = both
    assert found.shares(*rope) == pytest.approx(dense.shares(*rope), abs=3e-3)


def test_masses_of_the_next_data_set(both):
    found, dense = both
    assert found.predictive() == pytest.approx(dense.predictive(*ROPE), abs=2e-4)
    mean = found.masses(*ROPE).mean(axis=0)
    assert mean == pytest.approx(found.predictive(), abs=3e-3)


def test_centre_of_the_population(both):
    found, dense = both
    masses, points = dense.masses.sum(axis=(0, 1)), dense.axes[2]
    mean = masses @ points
    sd = np.sqrt(masses @ (points - mean) ** 2)
    assert found.delta0.mean() == pytest.approx(mean, abs=1e-3 * sd)
    assert found.delta0.std() == pytest.approx(sd, rel=1e-3)
    expected = dense.quantile(2, SHARES)
    assert found.delta0.quantile(SHARES) == pytest.approx(expected, abs=3e-3 * sd)


def test_spread_and_tails_of_the_population(both):
    found, dense = both
    for law, axis in ((found.sigma0, 1), (found.nu, 0)):
        expected = dense.quantile(axis, SHARES)
        assert law.quantile(SHARES) == pytest.approx(expected, rel=0.04)


def test_each_data_set_after_shrinkage(both):
    found, dense = both
    for i, (_, centre, scale) in enumerate(dense.laws[:2]):
        edges = centre + scale * np.sinh(np.linspace(-5, 5, 301))
        masses = dense.shrunken(i, edges)
        middle = 0.5 * (edges[1:] + edges[:-1])
        law = found.shrunken[i]
        low, high = _shortest(edges, masses, 0.9)
        width = high - low
        mean = masses @ middle / masses.sum()
        assert law.mean() == pytest.approx(mean, abs=0.01 * width)
        assert tuple(law.hdi(0.9)) == pytest.approx((low, high), abs=0.025 * width)


def _shortest(edges, masses, mass):
    risen = np.concatenate([[0], np.cumsum(masses)]) / masses.sum()
    starts = np.linspace(0, 1 - mass, 1001)
    low, high = (np.interp(s, risen, edges) for s in (starts, starts + mass))
    best = np.argmin(high - low)
    return low[best], high[best]


def test_each_data_set_alone(both):
    found, dense = both
    for law, (df, centre, scale) in zip(found.alone, dense.laws, strict=True):
        assert (law.df, law.location, law.scale) == pytest.approx((df, centre, scale))


def test_the_next_data_set(both):
    found, dense = both
    width = found.next.hdi(0.5).width
    for x in (-0.02, 0.0, 0.01, 0.05):
        expected = dense.predictive(x, x)
        assert found.next.share_below(x) == pytest.approx(expected[0], abs=4e-3)
        assert found.next.share_above(x) == pytest.approx(expected[2], abs=4e-3)
    assert found.next.hdi(0.9).width > width


def test_even_points_stand_for_the_posterior(both):
    found, dense = both
    delta0, sigma0, nu = found.even
    masses, points = dense.masses.sum(axis=(0, 1)), dense.axes[2]
    assert delta0.mean() == pytest.approx(masses @ points, abs=0.02 * delta0.std())
    assert np.median(sigma0) == pytest.approx(dense.quantile(1, 0.5), rel=0.05)
    assert np.median(nu) == pytest.approx(dense.quantile(0, 0.5), rel=0.4)


def test_the_posterior_speaks_of_delta0_and_of_the_next_data_set():
    table = table_of(drawn(0, sets=2, folds=5))
    posterior = HierarchicalFolds().posterior(table, Streams.of(0), Rope(*ROPE))
    assert posterior.systems == ()
    assert posterior.regions.n_independent == 0
    assert sum(posterior.regions.shares(*ROPE)) == pytest.approx(1)
    told = HierarchicalFolds(1e-3).parameters(table)
    assert told == {"test_share": pytest.approx(0.2), "tolerance": 0.001}


def test_one_data_set_or_two_folds_are_refused():
    with pytest.raises(SettingError, match="at least two data sets"):
        population(drawn(0, sets=1))
    with pytest.raises(NotDefinedError, match="at least 3 folds"):
        population([[0.1, 0.2], [0.1, 0.3, 0.2]])


def test_less_is_better_turns_the_answer_round():
    folds = drawn(7, sets=3)
    first = [np.full(10, 0.8) for _ in folds]
    second = [0.8 + row for row in folds]
    turned = Scores.from_arrays(first, second, higher_is_better=False)
    found = HierarchicalFolds().population(turned, *ROPE).shares(*ROPE)
    expected = population(folds).shares(*ROPE)
    assert found == pytest.approx(expected[::-1], abs=1e-9)
