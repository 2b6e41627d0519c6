"""ROC AUC of very many items as a weighted sum, beside weights that are drawn."""

import numpy as np
import pytest
from scipy import stats

from likelier import Outcomes, metrics
from likelier.methods.items.delong import difference_variance
from likelier.methods.items.normal_auc import NormalAuc
from likelier.methods.items.swap_process import SwapProcess
from likelier.streams import Streams

AUC = metrics.named("roc_auc")


def ranked(n=4000, share=0.5, ahead=0.05, seed=0, **settings):
    rng = np.random.default_rng(seed)
    gold = (rng.random(n) < share).astype(int)
    hard = rng.normal(size=n)
    first, second = (hard + rng.normal(s * gold, 0.5) for s in (1.0, 1 + ahead))
    return Outcomes.from_ranked(gold, first, second, **settings).binary("1")


def law_of(table, metric=AUC):
    process = SwapProcess.of_metric(table, metric, strength=1.0)
    return NormalAuc.of(*process._listed(), metric)


def test_the_posterior_is_that_of_drawn_weights():
    process = SwapProcess.of_metric(ranked(), AUC, strength=1.0)
    normal = process.draw(AUC, Streams.of(0), purpose=0)
    drawn = process._draw_one_by_one(AUC, Streams.of(0, draws=3000), purpose=0)
    for of in (lambda x: x[:, 0], lambda x: x[:, 1] - x[:, 0]):
        one, other = of(normal), of(drawn)
        assert one.mean() == pytest.approx(other.mean(), abs=0.06 * other.std())
        assert one.std() == pytest.approx(other.std(), rel=0.05)
        assert stats.ks_2samp(one, other).pvalue > 1e-3


def test_the_spread_is_nearly_that_of_delong():
    table = ranked(20_000, share=0.3)
    drawn = SwapProcess.of_metric(table, AUC, strength=1.0).draw(
        AUC, Streams.of(0), purpose=0
    )
    error = np.sqrt(difference_variance(table, AUC))
    assert (drawn[:, 1] - drawn[:, 0]).std() == pytest.approx(error, rel=0.02)


def test_elsewhere_weights_are_drawn():
    assert law_of(ranked()) is not None
    assert law_of(ranked(), metrics.named("average_precision")) is None
    assert law_of(ranked(share=0.1)) is None
    clusters = np.arange(4000) // 2
    assert law_of(ranked(cluster=clusters)) is None
    rng = np.random.default_rng(0)
    gold, scores = np.arange(3000) % 2, rng.random(3000)
    hardly = scores + np.where(np.arange(3000) < 9, 0.3, 0)
    # Systems that differ on nine items: their difference is far from normal.
    assert law_of(Outcomes.from_ranked(gold, scores, hardly).binary("1")) is None
