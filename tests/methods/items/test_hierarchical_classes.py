"""The hierarchical model against its two ends, quadrature and hand-made data."""

import numpy as np
import pytest
from scipy import special, stats

from likelier import LikelierError, Outcomes, metrics
from likelier.distribution import Draws
from likelier.methods.items import pooling as pooling_module
from likelier.methods.items.dirichlet import Paired
from likelier.methods.items.hierarchical_classes import HierarchicalClasses
from likelier.streams import Streams

# Cells in the order gold, first, second.
CELLS = [(g, a, b) for g in "ny" for a in "ny" for b in "ny"]
DRAWS = 20_000
MIXED = np.array(
    [
        [50, 7, 3, 6, 4, 9, 2, 30],
        [80, 2, 4, 1, 1, 3, 0, 6],
        [40, 0, 0, 9, 12, 1, 5, 2],
        [61, 3, 3, 2, 0, 0, 0, 0],
    ]
)
SMALL = np.array([[3, 1, 0, 0, 0, 2, 1, 4], [5, 0, 1, 1, 1, 0, 0, 3]])


def table_of(counts):
    columns, empty = list(zip(*CELLS, strict=True)), np.sum(counts) == 0
    table = Outcomes.from_patterns(
        columns,
        np.ones(8) if empty else counts,
        systems=["x", "y"],
        classes=["n", "y"],
    )
    return table.binary("y").scaled(0.0 if empty else 1.0)


def tables_of(counts):
    return [table_of(row) for row in counts]


def drawn(counts, metric=metrics.f1, *, draws=DRAWS, seed=0, **settings):
    streams = Streams.of(seed, draws=draws)
    return HierarchicalClasses(**settings).draw_classes(
        tables_of(counts), metric, streams
    )


def poolings(counts, *, draws=DRAWS, seed=0, **settings):
    streams = Streams.of(seed, draws=draws)
    return HierarchicalClasses(**settings).pooling(tables_of(counts), streams)


def assert_same_law(values, others):
    """Two samples of one law: the same means, spreads and ranks but for chance."""
    error = np.sqrt(values.var() / len(values) + others.var() / len(others))
    assert abs(values.mean() - others.mean()) < 4.5 * error
    assert abs(values.std() / others.std() - 1) < 0.05
    assert stats.ks_2samp(values, others).pvalue > 1e-4


def width_of(values):
    low, high = Draws(values).hdi(0.95)
    return high - low


def grid(points):
    """Gauss-Legendre points of 4 / (4 + concentration) and of the broken stick."""
    nodes, weights = np.polynomial.legendre.leggauss(points)
    nodes, weights = (nodes + 1) / 2, weights / 2
    share, *sticks = (a.ravel() for a in np.meshgrid(*[nodes] * 4, indexing="ij"))
    mass = np.prod([a.ravel() for a in np.meshgrid(*[weights] * 4)], axis=0)
    left = np.cumprod([np.ones_like(share)] + [1 - stick for stick in sticks], axis=0)
    centre = left * [*sticks, np.ones_like(share)]
    # A uniform stick is not a uniform centre.
    return 4 * (1 - share) / share, centre.T, mass * left[1] * left[2]


def by_quadrature(counts, points=24):
    """Means of the shared parameters and of the classes' cells, by brute force."""
    concentration, centre, mass = grid(points)
    shapes = concentration[:, np.newaxis] * centre
    weight = np.log(mass)
    for row in counts:
        weight += stats.dirichlet_multinomial.logpmf(row, shapes, row.sum())
    weight = special.softmax(weight)
    after = shapes[:, np.newaxis] + counts
    cells = after / after.sum(-1, keepdims=True)
    share = 4 / (4 + concentration)
    return {
        "share": (weight @ share, weight @ share**2),
        "centre": (weight @ centre, weight @ centre**2),
        "cells": (
            np.tensordot(weight, cells, 1),
            np.tensordot(weight, cells**2, 1),
        ),
    }


def by_points(pooling, counts):
    concentration = np.exp(pooling.log_concentration)
    after = (concentration[:, np.newaxis] * pooling.centre)[:, np.newaxis] + counts
    values = {
        "share": 4 / (4 + concentration),
        "centre": pooling.centre,
        "cells": after / after.sum(-1, keepdims=True),
    }
    return {
        key: [np.tensordot(pooling.weights, v**power, 1) for power in (1, 2)]
        for key, v in values.items()
    }


@pytest.mark.parametrize("side", [0, 1])
def test_shared_parameters_agree_with_quadrature(side):
    counts = SMALL.reshape(-1, 2, 4)[:, side]
    expected = by_quadrature(counts)
    pooling = poolings(SMALL)[side]
    came = by_points(pooling, counts)

    effective = pooling.effective * len(pooling.weights)
    for key, (mean, square) in expected.items():
        error = np.sqrt((square - mean**2) / effective)
        assert np.all(np.abs(came[key][0] - mean) < 4.5 * error), key
        assert np.all(np.abs(came[key][1] - square) < 9 * error), key


def test_quadrature_has_converged():
    counts = SMALL.reshape(-1, 2, 4)[:, 1]
    coarse, fine = by_quadrature(counts, 16), by_quadrature(counts, 24)

    for key in fine:
        np.testing.assert_allclose(coarse[key][0], fine[key][0], atol=1e-4)


def test_without_items_the_prior_comes_back():
    for pooling in poolings(np.zeros((3, 8), dtype=int)):
        share = 4 / (4 + np.exp(pooling.log_concentration))
        centre, weights = pooling.centre, pooling.weights

        assert weights @ share == pytest.approx(1 / 2, abs=0.01)
        assert weights @ share**2 == pytest.approx(1 / 3, abs=0.01)
        assert weights @ centre == pytest.approx(np.full(4, 1 / 4), abs=0.01)
        assert weights @ centre**2 == pytest.approx(np.full(4, 1 / 10), abs=0.01)
        assert pooling.concentration() == pytest.approx(4, rel=0.1)


@pytest.mark.parametrize("metric", [metrics.f1, metrics.recall, metrics.accuracy])
def test_fixed_at_the_uniform_prior_no_class_learns(metric):
    values = drawn(MIXED, metric, concentration=4, centre="uniform")

    for row, mine in zip(MIXED, np.moveaxis(values, 1, 0), strict=True):
        streams = Streams.of(1, draws=DRAWS)
        alone = Paired("uniform").posterior(table_of(row), metric, streams)
        for system, other in zip(mine.T, alone.systems, strict=True):
            assert_same_law(system, other.values)
        assert_same_law(metric.differences(mine), alone.difference.values)


def test_a_very_large_concentration_makes_the_classes_one():
    values = drawn(MIXED, metrics.recall, concentration=1e12)
    shapes = 1 + MIXED.sum(axis=0)[4:]
    cells = np.random.default_rng(0).dirichlet(shapes, DRAWS)

    assert np.ptp(values, axis=1).max() < 1e-4
    assert_same_law(values[:, 0, 0], cells[:, 2] + cells[:, 3])
    assert_same_law(values[:, 0, 1], cells[:, 1] + cells[:, 3])


def test_a_fixed_concentration_is_kept():
    for pooling in poolings(MIXED, concentration=7.5):
        assert np.allclose(np.exp(pooling.log_concentration), 7.5)
        assert pooling.centre[:, 0].std() > 0.01


def test_a_fixed_centre_is_kept_and_the_concentration_learned():
    counts = MIXED.reshape(-1, 2, 4)[:, 1]
    x = np.linspace(-15, 15, 20_001)
    shapes = np.exp(x)[:, np.newaxis] * np.full(4, 1 / 4)
    weight = x - 2 * np.logaddexp(x, np.log(4))
    for row in counts:
        weight = weight + stats.dirichlet_multinomial.logpmf(row, shapes, row.sum())
    weight = special.softmax(weight)
    pooling = poolings(MIXED, centre="uniform")[1]

    assert np.all(pooling.centre == 1 / 4)
    mean = pooling.weights @ pooling.log_concentration
    assert mean == pytest.approx(weight @ x, abs=0.03)
    assert pooling.effective > 0.95


def test_with_many_items_the_classes_stay_apart():
    values = drawn(MIXED * 1000)
    alone = drawn(MIXED * 1000, concentration=4, centre="uniform", seed=1)
    spread = alone.std(axis=0)

    # A class without positives has nothing but what the others say.
    counted = MIXED[:, 4:].sum(axis=1) > 0
    shift = np.abs(values.mean(axis=0) - alone.mean(axis=0)) / spread
    assert shift[counted].max() < 0.1
    assert np.abs(values.std(axis=0) / spread - 1)[counted].max() < 0.05


def borrowed_shares(counts):
    """Share of each class's positive side that comes from the centre, not its items."""
    pooling, items = poolings(counts)[1], np.asarray(counts)[:, 4:].sum(axis=1)
    concentration = np.exp(pooling.log_concentration)
    return (concentration / (concentration + items[:, np.newaxis])) @ pooling.weights


def test_few_items_of_classes_alike_learn_from_each_other():
    rng = np.random.default_rng(3)
    truth = np.array([0.05, 0.1, 0.15, 0.7])
    counts = np.zeros((15, 8), dtype=int)
    counts[:, 4:] = rng.multinomial(12, truth, size=15)
    counts[:, 0] = 50
    pooled = drawn(counts, metrics.recall)
    alone = drawn(counts, metrics.recall, concentration=4, centre="uniform")

    widths = [
        np.array([width_of(column) for column in values[..., 0].T])
        for values in (pooled, alone)
    ]
    assert (widths[0] < widths[1]).all()
    means, own = pooled[..., 0].mean(0), alone[..., 0].mean(0)
    assert means.std() < 0.6 * own.std()
    assert np.abs(means - 0.85).mean() < np.abs(own - 0.85).mean()
    assert borrowed_shares(counts).min() > 0.5


def test_a_class_without_items_of_a_side_takes_the_others():
    borrowed = borrowed_shares(MIXED)

    assert borrowed[3] == pytest.approx(1)
    assert (borrowed[:3] < 1).all()


NASTY = {
    "nothing": np.zeros((3, 8)),
    "one class": MIXED[:1],
    "two classes": MIXED[:2],
    "hundred classes": np.random.default_rng(0).poisson(3, size=(100, 8)),
    "identical classes": np.tile(MIXED[0], (30, 1)),
    "many items": MIXED * 10**9,
    "very many identical": np.tile(MIXED[0] * 10**9, (5, 1)),
    "all right": np.tile([90, 0, 0, 0, 0, 0, 0, 10], (4, 1)),
    "all right, many": np.tile([10**9, 0, 0, 0, 0, 0, 0, 10**9], (2, 1)),
    "one all wrong": np.vstack([MIXED, [0, 0, 0, 100, 100, 0, 0, 0]]),
    "no positives": MIXED * np.repeat([1, 0], 4),
    "one is lone": np.vstack([MIXED[0] * 10**9, [0, 0, 0, 0, 0, 1, 0, 0]]),
    "opposite": [[0, 0, 0, 50, 50, 0, 0, 0], [50, 0, 0, 0, 0, 0, 0, 50]],
}


@pytest.mark.parametrize("name", NASTY)
@pytest.mark.parametrize("fixed", [{}, {"concentration": 0.001}, {"centre": "uniform"}])
def test_nasty_counts_are_met(name, fixed):
    counts = np.asarray(NASTY[name], dtype=int)
    values = drawn(counts, draws=2_000, **fixed)

    assert values.shape == (2_000, len(counts), 2)
    assert ((values >= 0) & (values <= 1)).all()
    sides = poolings(counts, draws=2_000, **fixed)
    assert min(side.effective for side in sides) > 0.4


@pytest.mark.parametrize("scale", [1, 10**4, 10**9])
def test_systems_alike_have_symmetric_posteriors(scale):
    counts = MIXED * scale
    mirrored = counts[:, [0, 2, 1, 3, 4, 6, 5, 7]]
    values = drawn(counts + mirrored, metrics.recall).mean(axis=1)

    assert_same_law(values[:, 0], values[:, 1])


def test_a_concentration_near_0_puts_each_class_into_one_cell():
    counts = np.zeros((2, 8), dtype=int)
    values = drawn(counts, metrics.recall, concentration=1e-9, centre="uniform")

    assert np.isin(np.round(values, 6), [0, 1]).all()
    assert values.mean(axis=0) == pytest.approx(np.full((2, 2), 0.5), abs=0.02)


def test_before_any_item_nothing_is_known_of_the_counts():
    streams = Streams.of(0, draws=DRAWS)
    method, metric = HierarchicalClasses(), metrics.recall
    values = method.draw_classes(tables_of(MIXED), metric, streams, prior=True)
    others = method.draw_classes(tables_of(0 * MIXED), metric, streams)

    assert values.shape == (DRAWS, 4, 2)
    assert_same_law(values[:, 0, 0], others[:, 1, 1])
    assert values.mean() == pytest.approx(0.5, abs=0.02)
    assert np.corrcoef(values[:, 0, 0], values[:, 1, 0])[0, 1] > 0.2


def test_no_byte_depends_on_the_workers():
    method, tables = HierarchicalClasses(), tables_of(MIXED)
    alone, *shared = (
        method.draw_classes(
            tables, metrics.f1, Streams.of(7, draws=30_000, workers=workers)
        ).tobytes()
        for workers in (1, 2, 5)
    )

    assert shared == [alone, alone]
    assert alone != drawn(MIXED, draws=30_000, seed=8).tobytes()


def test_poor_points_are_refused(monkeypatch):
    monkeypatch.setattr(pooling_module, "_LEAST_EFFECTIVE", 0.999)
    with pytest.raises(LikelierError, match="effective size of at least"):
        drawn(MIXED, draws=100)


def test_fractions_of_items_count():
    tables = [table.scaled(0.37) for table in tables_of(MIXED)]
    whole = drawn(MIXED, draws=4_000)
    parts = HierarchicalClasses().draw_classes(
        tables, metrics.f1, Streams.of(0, draws=4_000)
    )

    assert (parts.std(axis=0) > whole.std(axis=0)).all()


@pytest.mark.parametrize(
    "settings",
    [{}, {"concentration": 4}, {"concentration": 0.5, "centre": "uniform"}],
    ids=["learned", "concentration", "both"],
)
def test_the_parameters_tell_what_was_fixed(settings):
    assert HierarchicalClasses(**settings).parameters() == settings


@pytest.mark.parametrize("number", [0, -1, np.inf, np.nan])
def test_concentration_must_be_a_number_above_0(number):
    with pytest.raises(LikelierError, match="above 0; got"):
        HierarchicalClasses(concentration=number)


def test_an_unknown_centre_is_refused():
    with pytest.raises(LikelierError, match="centre must be one of uniform; got 'mid'"):
        HierarchicalClasses(centre="mid")


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ([], "at least one class; got none"),
        ([Outcomes.from_labels("ab", "ab").binary("a")], "two systems; got 1"),
        ([Outcomes.from_labels("ab", "ab", "aa")], "got 2 classes"),
        ([Outcomes.from_scores([1.0, 2], [2.0, 1])], "got clusters, scores or counts"),
    ],
)
def test_other_tables_are_refused(tables, message):
    with pytest.raises(LikelierError, match=message):
        HierarchicalClasses().draw_classes(tables, metrics.f1, Streams.of(0, draws=10))
