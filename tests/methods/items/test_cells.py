"""Cells of the Dirichlet model: priors, their strength, many tables at once."""

from itertools import product

import numpy as np
import pytest
from scipy import stats
from tests.conftest import random_labels

import likelier as lk
from likelier import Outcomes, metrics
from likelier.errors import LikelierError, SettingError
from likelier.methods.items.dirichlet import Paired, Unpaired
from likelier.methods.items.dirichlet_cells import DirichletCells, Prior
from likelier.streams import Streams

DRAWS = 20_000
TABLES = np.array(
    [
        [60, 9, 4, 10, 12, 25, 8, 40],
        [0, 0, 0, 0, 0, 0, 0, 0],
        [3, 0, 1, 0, 0, 2, 0, 1],
        [5000, 30, 40, 200, 30, 20, 10, 900],
    ],
    dtype=float,
)


def eight(counts):
    cells = [list(column) for column in zip(*product("ny", repeat=3), strict=True)]
    return lk.Outcomes.from_patterns(cells, counts, systems=["a", "b"]).binary("y")


def same_distribution(first, second):
    return stats.ks_2samp(first, second, method="asymp").pvalue > 1e-4


@pytest.mark.parametrize("metric", ["f1", "accuracy", "mcc"])
@pytest.mark.parametrize("method", [Paired(), Unpaired(), Paired(prior="objective")])
def test_many_tables_have_the_posteriors_of_each(metric, method):
    chosen, rng = metrics.named(metric), np.random.default_rng(1)
    start = eight(np.ones(8))
    values = method.draw_tables(start, chosen, TABLES, rng, draws=DRAWS)

    assert values.shape == (len(TABLES), DRAWS, 2)
    for counts, drawn in zip(TABLES, values, strict=True):
        table = eight(counts) if counts.any() else start.scaled(0.0)
        alone = method.posterior(table, chosen, Streams.of(0, draws=DRAWS))
        for column, system in zip(drawn.T, alone.systems, strict=True):
            assert same_distribution(column, system.values)
        difference = chosen.differences(drawn)
        assert same_distribution(difference, alone.difference.values)


def test_tables_of_patterns_may_be_in_any_order():
    rng = np.random.default_rng(0)
    labels = random_labels(3, n=400, classes=3)
    table = labels.outcomes()
    counts = np.vstack([table.counts, 5 * table.counts[::-1]])
    values = Paired().draw_tables(table, metrics.macro_f1, counts, rng, draws=DRAWS)
    alone = Paired().posterior(table, metrics.macro_f1, Streams.of(0, draws=DRAWS))

    assert same_distribution(values[0, :, 0], alone.systems[0].values)
    assert not same_distribution(values[1, :, 0], alone.systems[0].values)


@pytest.mark.parametrize("strength", [0.5, 1.0, 2.0, 7.0])
@pytest.mark.parametrize("prior", [True, False])
def test_strength_scales_the_uniform_prior(strength, prior):
    counts, metric = TABLES[0], metrics.f1
    cells = DirichletCells.of(eight(counts), Prior("uniform", strength))
    streams = Streams.of(0, draws=DRAWS)
    drawn = cells.merged_for(metric).draw(metric, streams, purpose=0, prior=prior)

    # The same by hand: so much mass per cell and per gold class.
    rng = np.random.default_rng(5)
    observed = counts.reshape(2, 4) * (not prior)
    mu = rng.beta(*(observed.sum(axis=1)[::-1] + strength), size=DRAWS)
    negative, positive = (rng.dirichlet(row + strength, size=DRAWS) for row in observed)
    for values, cells in zip(drawn.T, ([2, 3], [1, 3]), strict=True):
        tp = mu * positive[:, cells].sum(axis=1)
        fp = (1 - mu) * negative[:, cells].sum(axis=1)
        assert same_distribution(values, 2 * tp / (tp + fp + mu))


@pytest.mark.parametrize("strength", [0.5, 1.0, 3.0])
def test_strength_scales_the_objective_prior(strength):
    table, metric = random_labels(0, n=60, classes=3).outcomes(), metrics.accuracy
    cells = DirichletCells.of(table, Prior("objective", strength)).merged_for(metric)
    drawn = cells.draw(metric, Streams.of(0, draws=DRAWS), purpose=0)

    right = table.per_pattern("correct").T @ table.counts
    # Of the nine cells of each of three classes the system has three right.
    for values, count in zip(drawn.T, right, strict=True):
        law = stats.beta(count + strength, 60 - count + 2 * strength)
        assert stats.kstest(values, law.cdf).pvalue > 1e-4


def test_tables_that_swapping_leaves_alone():
    cells = DirichletCells.of(eight(TABLES[0]), Prior("uniform")).merged_for(metrics.f1)
    tables = cells.tables(
        np.array([[9, 2, 2, 1, 4, 3, 3, 8], [9, 2, 3, 1, 4, 3, 3, 8], [0] * 8], float)
    )

    assert cells.exchangeable(tables).tolist() == [True, False, True]
    # A pattern whose mirror image is no cell at all has no partner.
    one_way = Outcomes.from_scores([0.0, 0.2], [0.1, 0.2])
    cells = DirichletCells.of(one_way, Prior("bootstrap")).merged_for(metrics.mean)
    tables = cells.tables(np.array([[1.0, 1.0], [0.0, 1.0]]))
    assert cells.exchangeable(tables).tolist() == [False, True]


@pytest.mark.parametrize("prior", ["uniform", "objective"])
def test_the_strength_is_a_parameter(prior):
    table = eight(TABLES[0])

    assert Paired(prior).parameters(table) == {"prior": prior, "strength": 1}
    parameters = Paired(prior, strength=2.5).parameters(table)
    assert parameters == {"prior": prior, "strength": 2.5}
    bare = Paired("bootstrap", strength=2).parameters(table)
    assert bare == {"prior": "bootstrap"}


BAD = [0, 0.0, -1.0, float("nan"), float("inf"), float("-inf")]


@pytest.mark.parametrize("strength", BAD)
@pytest.mark.parametrize("method", [Paired, Unpaired])
def test_bad_strengths_are_refused(strength, method):
    with pytest.raises(SettingError, match="strength"):
        lk.compare(
            eight(TABLES[0]),
            metric="f1",
            positive="y",
            method=method(strength=strength),
            seed=0,
        )


@pytest.mark.parametrize("strength", ["2", None, [1.0]])
def test_strengths_that_are_no_numbers_are_refused(strength):
    with pytest.raises(LikelierError, match="strength"):
        Prior("uniform", strength)


@pytest.mark.parametrize("strength", [0.01, 1e6])
def test_extreme_strengths_draw_numbers(strength):
    result = lk.compare(
        eight(TABLES[0]),
        metric="f1",
        positive="y",
        method=Paired(strength=strength),
        rope=0.01,
        seed=0,
    )

    assert np.isfinite(result.posterior.difference.values).all()
