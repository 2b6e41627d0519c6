"""The law of Bayes factors: wrong evidence of k to one comes at most once in k.

Parameters are drawn from the prior where the null holds, data from the parameters;
then a factor against the null of at least k has a probability of at most 1/k, and its
mean is 1, whatever the metric and however many items there are.
"""

import numpy as np
import pytest

from likelier import metrics
from likelier.methods.items.dirichlet import Paired
from likelier.methods.items.gain_density import GainParameters, density_at_zero
from likelier.streams import Streams

ROPE, DRAWS, TABLES = 0.05, 2_000, 5_000


def prior_cells(rng, n):
    """Draw the shares of the eight cells (draw, cell) from the uniform prior."""
    gold = rng.dirichlet([1, 1], size=n)
    return (gold[:, :, np.newaxis] * rng.dirichlet(np.ones(4), size=(n, 2))).reshape(
        n, 8
    )


@pytest.mark.parametrize("metric", ["f1", "accuracy", "mcc"])
@pytest.mark.parametrize("items", [10, 100])
@pytest.mark.parametrize("null", ["rope", "other"])
def test_the_rope(metric, items, null, table_of, show):
    chosen, rng = metrics.named(metric), np.random.default_rng(items)
    start = table_of(np.ones(8))

    def inside(values):
        return np.abs(chosen.differences(values)) <= ROPE

    cells = prior_cells(rng, 400_000)
    within = inside(chosen.values(start, cells))
    prior = within.mean()
    truth = cells[within if null == "rope" else ~within][:TABLES]
    data = rng.multinomial(items, truth / truth.sum(axis=1, keepdims=True))
    distinct, back = np.unique(data, axis=0, return_inverse=True)
    blocks = np.array_split(distinct.astype(float), len(distinct) // 200 + 1)
    drawn = (Paired().draw_tables(start, chosen, b, rng, draws=DRAWS) for b in blocks)
    share = np.concatenate([inside(v).mean(axis=1) for v in drawn])[back.ravel()]
    # Half a draw more or less: what so few draws do not resolve is no evidence.
    share = np.clip(share, 0.5 / DRAWS, 1 - 0.5 / DRAWS)
    for_rope = share / (1 - share) * (1 - prior) / prior
    wrong = 1 / for_rope if null == "rope" else for_rope
    rows = [(k, float(np.mean(wrong >= k)), 1 / k) for k in (3, 10, 30)]
    error = wrong.std() / np.sqrt(len(wrong))
    mean = float(wrong.mean())
    show(f"{metric}, {items} items, {null}: mean {mean:.3f} ± {error:.3f}", rows)

    assert all(share <= most for _, share, most in rows)
    assert mean == pytest.approx(1, abs=max(5 * error, 0.03))


def equal_accuracies(rng, n):
    """Draw the eight cells from the prior where both accuracies are the same.

    They lie within .002 of it, which so few items cannot tell from 0.
    """
    accepted = []
    while sum(map(len, accepted)) < n:
        cells = prior_cells(rng, 1_000_000)
        gain = cells @ np.array([0, -1, 1, 0, 0, 1, -1, 0])
        accepted.append(cells[np.abs(gain) < 2e-3])
    return np.concatenate(accepted)[:n]


@pytest.mark.parametrize("items", [10, 40])
def test_the_point_null_of_accuracy(items, show):
    rng = np.random.default_rng(items)
    truth = equal_accuracies(rng, 2000)
    data = rng.multinomial(items, truth / truth.sum(axis=1, keepdims=True))
    streams = Streams.of(0, draws=8000)

    def density(counts):
        n, p = counts.reshape(2, 4)
        lost, won = [n[1] + 1.0, p[2] + 1.0], [n[2] + 1.0, p[1] + 1.0]
        tied = [n[0] + n[3] + 2.0, p[0] + p[3] + 2.0]
        shares = [n.sum() + 1.0, p.sum() + 1.0]
        arrays = map(np.array, (lost, won, tied, shares))
        gains = GainParameters(*arrays, np.zeros(2, dtype=np.int64))
        return density_at_zero(gains, streams, purpose=5).log

    distinct, back = np.unique(data, axis=0, return_inverse=True)
    against = density(np.zeros(8)) - np.array([density(row) for row in distinct])
    against = np.exp(against[back.ravel()])
    rows = [(k, float(np.mean(against >= k)), 1 / k) for k in (3, 10, 30)]
    error = against.std() / np.sqrt(len(against))
    mean = float(against.mean())
    show(f"accuracy, {items} items: mean {mean:.3f} ± {error:.3f}", rows)

    assert all(share <= most for _, share, most in rows)
    assert mean == pytest.approx(1, abs=max(6 * error, 0.1))
