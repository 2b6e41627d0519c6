"""Questions about ranked metrics: every method takes them, and bad data are refused."""

from dataclasses import replace

import numpy as np
import pytest

import likelier as lk
from likelier import metrics
from likelier.errors import InputError, LikelierError
from likelier.methods.items.dirichlet import _model
from likelier.methods.items.dirichlet_cells import Prior
from likelier.methods.items.swap_process import SwapProcess
from likelier.streams import Streams

NAMES = ("roc_auc", "average_precision")
FAST = {"seed": 0, "draws": 2000}


def items(n=120, ahead=0.6, share=0.3, seed=1):
    rng = np.random.default_rng(seed)
    gold = (rng.random(n) < share).astype(int)
    hard = rng.normal(size=n)
    first, second = (hard + rng.normal(s * gold, 0.5) for s in (1.0, 1.0 + ahead))
    return gold, first, second


@pytest.mark.parametrize("name", NAMES)
def test_exchanged_systems_give_the_exchanged_answer(name):
    for n in (40, 400):
        gold, first, second = items(n)
        one = lk.compare(gold, first, second, metric=name, **FAST)
        other = lk.compare(gold, second, first, metric=name, **FAST)

        values = one.posterior.difference.values
        np.testing.assert_allclose(values, -other.posterior.difference.values)


def test_scales_of_scores_do_not_matter():
    gold, first, second = items()
    one = lk.compare(gold, first, second, metric="roc_auc", **FAST)
    other = lk.compare(gold, first, np.exp(3 * second) + 5, metric="roc_auc", **FAST)

    assert one.hdi == other.hdi


@pytest.mark.parametrize("name", NAMES)
def test_the_same_scores_twice_are_as_likely_better_as_worse(name):
    gold, first, _ = items()
    result = lk.compare(gold, first, first, metric=name, **FAST)

    assert result.probability.better == result.probability.worse
    assert 0 < result.hdi.high < 0.2


def test_units_listed_and_drawn_are_one_posterior():
    gold, first, second = items(150)
    table = lk.Outcomes.from_ranked(gold, first, second).binary("1")
    metric, streams = metrics.named("roc_auc"), Streams.of(0, draws=20_000)
    listed = _model(table, metric, Prior())
    drawn = SwapProcess.of_metric(table, metric, strength=1.0)
    assert not isinstance(listed, SwapProcess)
    gaps = [
        metric.differences(model.draw(metric, streams, purpose=0))
        for model in (listed, drawn)
    ]

    means, errors = ([f(gap) for gap in gaps] for f in (np.mean, np.std))
    assert means[0] == pytest.approx(means[1], abs=5 * errors[0] / 20_000**0.5)
    assert errors[0] == pytest.approx(errors[1], rel=0.03)


def test_negatives_are_not_imagined_where_positives_are_few():
    gold, first, second = items(300, share=0.03)
    table = lk.Outcomes.from_ranked(gold, first, second).binary("1")
    process = SwapProcess.of_metric(table, metrics.named("roc_auc"), strength=1.0)

    assert set(process.imagined.strata.tolist()) == {1}


def test_ranks_are_on_one_scale_whatever_the_ties():
    gold = [0, 0, 0, 1, 1, 1, 0, 1]
    fine, coarse = [1, 2, 3, 4, 5, 6, 7, 8], [0, 0, 0, 0, 1, 1, 1, 1]
    table = lk.Outcomes.from_ranked(gold, fine, coarse).binary("1")
    exchanged = replace(table, rows=table.swapped().rows)
    metric = metrics.named("roc_auc")

    # Ties in the middle of each half: a rank there lies between those of the other.
    np.testing.assert_allclose(
        metric.values(exchanged), metric.values(table)[::-1], atol=1e-12
    )
    half = table.counts / 2
    both = lk.Outcomes.from_ranked(
        gold * 2, [*fine, *[2.5] * 4, *[6.5] * 4], [*fine, *[2.5] * 4, *[6.5] * 4]
    )
    from likelier.methods.items.randomization import _with_swapped

    mixed = metric.values(_with_swapped(table), np.append(half, half))
    assert mixed[0] == pytest.approx(metric.observed(both.binary("1"))[0])
    assert mixed[0] == pytest.approx(mixed[1])


@pytest.mark.parametrize("name", NAMES)
def test_every_question_takes_ranked_metrics(name):
    gold, first, second = items()
    about = {"metric": name, "seed": 0}
    assert lk.compare(gold, first, second, draws=2000, **about).verdict.name == "better"
    for method in ("randomization", "bootstrap"):
        test = lk.null_test(gold, first, second, method=method, draws=999, **about)
        assert test.p_value < 0.05
    unpaired = lk.compare(gold, first, second, method="unpaired", draws=2000, **about)
    paired = lk.compare(gold, first, second, draws=2000, **about)
    assert unpaired.hdi.width > paired.hdi.width
    alone = lk.estimate(gold, first, draws=2000, **about)
    assert alone.interval.low < alone.value < alone.interval.high
    order = lk.rank(gold, first, second, -first, draws=1000, **about)
    assert order.ranks.expected[1] < order.ranks.expected[0] < order.ranks.expected[2]
    doubled = [np.repeat(column, 2) for column in (gold, first, second)]
    clusters = np.repeat(np.arange(len(gold)), 2)
    clustered = lk.compare(*doubled, cluster=clusters, draws=2000, **about)
    assert clustered.hdi.width == pytest.approx(paired.hdi.width, rel=0.15)
    assert lk.sensitivity(gold, first, second, draws=1000, **about).findings is not None


def test_a_pilot_is_planned_from():
    gold, first, second = items(80)
    pilot = lk.Assumed.pilot(lk.Outcomes.from_ranked(gold, first, second), certain=True)
    planned = lk.plan(pilot, metric="roc_auc", replications=40, draws=200, seed=0)
    chances = planned.chances([40, 320])

    assert chances.chance("better", 320) > chances.chance("better", 40)


def test_macro_averages_take_a_score_of_each_class():
    rng = np.random.default_rng(3)
    gold = rng.integers(0, 3, 90)
    first, second = (rng.normal(size=(90, 3)) + s * np.eye(3)[gold] for s in (1, 2))
    result = lk.compare(gold, first, second, metric="macro_roc_auc", **FAST)

    assert result.verdict.name == "better"
    with pytest.raises(LikelierError, match="score of every class"):
        lk.compare(gold, first[:, 0], second[:, 0], metric="macro_roc_auc", **FAST)


def test_delong_is_among_the_other_tests():
    gold, first, second = items(60)
    auc, ap = (lk.compare(gold, first, second, metric=m, **FAST) for m in NAMES)

    assert auc.items.companions[1].name == "DeLong"
    assert auc.items.companions[1].p_value < 1
    assert "ROC AUC" in ap.items.companions[1].reason


@pytest.mark.parametrize(
    ("gold", "first", "message"),
    [
        ([1, 1, 1], [0.1, 0.2, 0.3], "two classes"),
        ([0, 1, 1], [0.1, float("nan"), 0.3], "item 1 is nan"),
        ([0, 1, 1], [0.1, float("inf"), 0.3], "item 1 is inf"),
        ([0, 1, 1], ["no", "yes", "no"], "must be numbers"),
        ([0, 1, None], [0.1, 0.2, 0.3], "missing at item 2"),
        ([0, 1], [0.1, 0.2, 0.3], "same number of items"),
    ],
)
def test_bad_data_are_refused(gold, first, message):
    with pytest.raises(InputError, match=message):
        lk.compare(gold, first, [1.0, 2.0, 3.0], metric="roc_auc", **FAST)


def test_the_positive_class_must_be_known():
    gold, first, second = items(30)
    words = np.where(gold, "spam", "ham")
    with pytest.raises(LikelierError, match="positive class"):
        lk.compare(words, first, second, metric="roc_auc", **FAST)

    spam = lk.compare(words, first, second, metric="roc_auc", positive="spam", **FAST)
    ham = lk.compare(words, first, second, metric="roc_auc", positive="ham", **FAST)
    assert spam.difference == pytest.approx(-ham.difference)


def codes(result):
    return {finding.code for finding in result.findings}


def test_scores_that_rank_nothing_are_remarked():
    gold, first, second = items(60)
    constant = lk.compare(gold, np.ones(60), second, metric="roc_auc", **FAST)
    labels = lk.compare(gold, first > 0, second, metric="roc_auc", **FAST)

    assert constant.settings.data.observed[0] == 0.5
    assert "LIK135" in codes(constant) & codes(labels)
    assert "LIK135" not in codes(
        lk.compare(gold, first, second, metric=NAMES[0], **FAST)
    )


def test_few_positives_and_few_negatives_are_remarked():
    _, first, second = items(60)
    for few in (0, 1):
        gold = np.where(np.arange(60) < 3, few, 1 - few)
        result = lk.compare(gold, first, second, metric="roc_auc", rope=0.4, **FAST)
        assert "LIK117" in codes(result)
        assert result.verdict.name != "equivalent"


def test_a_table_of_scores_is_read(tmp_path):
    gold, first, second = items(50)
    path = tmp_path / "t.csv"
    rows = zip(np.where(gold, "spam", "ham"), first, second, strict=True)
    path.write_text("y,a,b\n" + "".join(f"{g},{x},{y}\n" for g, x, y in rows))
    table = lk.readers.read_files([path], gold="y", systems=["a", "b"], kind="ranks")

    result = lk.compare(table, metric="roc_auc", positive="spam", **FAST)
    assert result.hdi == lk.compare(gold, first, second, metric="roc_auc", **FAST).hdi


@pytest.mark.parametrize("second", [[0.2, 0.9], [0.9, 0.2]])
def test_one_pair_of_items_gives_no_verdict(second):
    result = lk.compare(
        [0, 1], [0.1, 0.3], second, metric="roc_auc", draws=1000, seed=0
    )
    found = [one for one in result.findings if one.code == "LIK117"]
    assert [one.severity for one in found] == ["block"]
    assert {"better", "worse", "equivalent"} <= {*found[0].blocks}
