"""Ranked metrics: equal to scikit-learn for any weights, also where scores tie."""

import numpy as np
import pytest
import sklearn.metrics as sk
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.conftest import QUICK

from likelier import Outcomes, metrics
from likelier.metrics.positive import select_positive

EXACT = {"rtol": 0, "atol": 1e-12}
PEERS = {"roc_auc": sk.roc_auc_score, "average_precision": sk.average_precision_score}


@st.composite
def ranked_items(draw, systems=2):
    n = draw(st.integers(2, 30))
    gold = draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    assume(0 < sum(gold) < n)
    # Few distinct scores make ties; the others hardly any.
    score = st.one_of(st.integers(0, 3), st.floats(-5, 5, allow_subnormal=False))
    columns = [draw(st.lists(score, min_size=n, max_size=n)) for _ in range(systems)]
    return gold, columns


def of_positive(gold, *scores, **settings):
    table = Outcomes.from_ranked(gold, *scores, **settings)
    return select_positive(table, metrics.named("roc_auc"))[0]


@pytest.mark.parametrize("name", PEERS)
@QUICK
@given(items=ranked_items(), data=st.data())
def test_equal_to_scikit_learn_for_any_weights(name, items, data):
    gold, columns = items
    view = of_positive(gold, *columns, cluster=range(len(gold)))
    metric = metrics.named(name)
    weights = np.array(
        data.draw(st.lists(st.floats(0, 9), min_size=len(gold), max_size=len(gold)))
    )
    of_side = [weights[np.array(gold) == side].sum() for side in (0, 1)]
    assume(min(of_side) > 1e-3)
    want = [PEERS[name](gold, column, sample_weight=weights) for column in columns]
    units = Outcomes.from_ranked(gold, *columns, counts=weights)

    np.testing.assert_allclose(metric.values(units.binary("1")), want, **EXACT)
    np.testing.assert_allclose(
        metric.observed(view), [PEERS[name](gold, c) for c in columns], **EXACT
    )


@pytest.mark.parametrize("name", PEERS)
@QUICK
@given(items=ranked_items(), seed=st.integers(0, 99))
def test_draws_of_patterns_are_weights_of_items(name, items, seed):
    gold, columns = items
    view, metric = of_positive(gold, *columns), metrics.named(name)
    drawn = np.random.default_rng(seed).exponential(size=(3, len(view.counts)))
    values = metric.values(view, drawn)

    for row, value in zip(drawn, values, strict=True):
        np.testing.assert_allclose(metric.values(view, row), value, **EXACT)


@pytest.mark.parametrize("name", PEERS)
@QUICK
@given(items=ranked_items())
def test_influence_is_the_slope_of_the_metric(name, items):
    gold, columns = items
    view, metric = of_positive(gold, *columns), metrics.named(name)
    step = 1e-6 * np.eye(len(view.counts))
    rise = metric.values(view, view.counts + step) - metric.values(view)

    np.testing.assert_allclose(metric.influence(view), rise / 1e-6, atol=1e-4)


@QUICK
@given(items=ranked_items(systems=1), data=st.data())
def test_only_the_order_of_scores_counts(items, data):
    gold, (scores,) = items
    order = data.draw(st.permutations(range(len(gold))))
    scaled = 3 * np.array(scores, dtype=float) - 7
    # What is told apart as a number must be so after the change, too.
    assume(len(np.unique(scaled)) == len(set(scores)))
    mixed = of_positive([gold[i] for i in order], [scaled[i] for i in order])

    assert mixed.digest == of_positive(gold, scores).digest


@pytest.mark.parametrize("name", PEERS)
def test_macro_is_the_mean_over_classes(name):
    rng = np.random.default_rng(1)
    gold = rng.integers(0, 4, 80)
    scores = [rng.integers(0, 9, (80, 4)) + 3 * np.eye(4)[gold] for _ in range(2)]
    table = Outcomes.from_ranked(gold, *scores)
    want = [PEERS[name](np.eye(4)[gold], one, average="macro") for one in scores]

    metric = metrics.named(f"macro_{name}")
    np.testing.assert_allclose(metric.observed(table), want, **EXACT)
    one = [PEERS[name](gold == 2, one[:, 2]) for one in scores]
    np.testing.assert_allclose(
        metrics.named(name).observed(table.binary("2")), one, **EXACT
    )


def test_negatives_between_the_same_positives_are_one_pattern():
    scores = np.linspace(0, 1, 1000)
    gold = np.zeros(1000, dtype=int)
    gold[[300, 700]] = 1

    assert of_positive(gold, scores).n_patterns == 5


def test_clusters_weigh_all_their_items():
    gold, scores = [0, 1, 0, 1, 1, 0], [1, 4, 2, 2, 5, 4]
    view = of_positive(gold, scores, cluster=list("aabbcc"))
    weights = np.array([1.0, 3.0, 2.0])

    value = metrics.named("roc_auc").values(view, weights)
    each = np.repeat(weights, 2)
    assert view.n_units == 3
    np.testing.assert_allclose(
        value, [sk.roc_auc_score(gold, scores, sample_weight=each)], **EXACT
    )


def test_one_side_without_weight_is_nothing_of_nothing():
    view = of_positive([0, 1], [0.1, 0.2])

    for name in PEERS:
        assert metrics.named(name).values(view, np.array([1.0, 0.0]))[0] in (0.0, 1.0)
        assert metrics.named(name).values(view, np.zeros(2))[0] == 0
