"""Words of all plots: what is subtracted from what, so that positive is better."""

from functools import cache

import numpy as np
import pytest
from tests.plots.conftest import assert_literal, assert_tidy, axes

import likelier as lk
from likelier.metrics import Metric
from likelier.plots import style
from likelier.results.result_list import ResultList

SYSTEMS = ("old", "new")
LOSS = Metric(
    "my_loss",
    ("correct", "items"),
    lambda correct, items: 1 - correct / items,
    higher_is_better=False,
    linear=True,
)
GAIN = Metric("my_gain", ("correct", "items"), lambda correct, items: correct / items)
MISSES = Metric(
    "my_misses", ("tp", "fn"), lambda tp, fn: fn / (tp + fn), higher_is_better=False
)
WORDS = {
    True: "difference in my gain, new minus old",
    False: "difference in my loss (less is better), old minus new",
}


def labels(right=(0.6, 0.8), n=400):
    """Make labels with a share of right ones for each system: the second is better."""
    rng = np.random.default_rng(0)
    gold = rng.choice(["a", "b", "c"], n)
    wrong = {"a": "b", "b": "c", "c": "a"}
    turned = np.array([wrong[label] for label in gold])
    systems = [np.where(rng.random(n) < share, gold, turned) for share in right]
    return [column.tolist() for column in (gold, *systems)]


@cache
def compared(*, higher, rope=0.02, **settings):
    return lk.compare(
        *labels(),
        metric=GAIN if higher else LOSS,
        systems=list(SYSTEMS),
        rope=rope,
        factor="rope",
        draws=2000,
        seed=0,
        **settings,
    )


@cache
def fold_scores(*, higher, count=2, sets=5, folds=6):
    """Make scores of folds; each system is better than the one before."""
    rng = np.random.default_rng(0)
    base = rng.normal(0.5, 0.02, (sets, folds))
    step = 0.1 if higher else -0.1
    arrays = [base + step * i + rng.normal(0, 0.01, base.shape) for i in range(count)]
    return lk.Scores.from_arrays(
        *arrays,
        systems=[*SYSTEMS, *map(str, range(2, count))],
        metric="my_score",
        higher_is_better=higher,
    )


@cache
def folds_compared(*, higher):
    result = lk.compare_folds(fold_scores(higher=higher), rope=0.01)
    assert result.settings.method == "hierarchical"
    assert result.hdi.low > 0
    return result


@cache
def ranked(*, higher, **shape):
    scores = fold_scores(higher=higher, count=3, **shape)
    return lk.rank(scores, rope=0.01, draws=1000, seed=0)


FOLD_WORDS = {
    True: "difference in my score, new minus old",
    False: "difference in my score (less is better), old minus new",
}


@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize("kind", ["posterior", "factor"])
def test_a_metric_of_ones_own_says_what_is_subtracted(kind, higher):
    result = compared(higher=higher)
    assert result.hdi.low > 0  # the second is better in either direction
    assert result.settings.higher_is_better is higher
    ax = result.plot(kind, ax=axes())
    assert ax.get_xlabel() == WORDS[higher]
    assert_tidy(ax)


@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize("kind", ["posterior", "data-sets"])
def test_scores_of_folds_say_what_is_subtracted(kind, higher):
    label = folds_compared(higher=higher).plot(kind, ax=axes()).get_xlabel()
    assert label.startswith(FOLD_WORDS[higher])


@pytest.mark.parametrize("higher", [True, False])
def test_folds_of_one_data_set_say_what_is_subtracted(higher):
    rng = np.random.default_rng(1)
    first, second = rng.normal(0.5, 0.01, (2, 10))
    table = lk.Scores.from_arrays(
        first, second, systems=list(SYSTEMS), metric="my_score", higher_is_better=higher
    )
    ax = lk.compare_folds(table, rope=0.01).plot(ax=axes())
    assert ax.get_xlabel() == FOLD_WORDS[higher]


@pytest.mark.parametrize("higher", [True, False])
def test_corners_of_the_triangle_are_of_the_better_system(higher):
    ax = folds_compared(higher=higher).plot("simplex", ax=axes())
    bold = [t.get_text() for t in ax.texts if t.get_fontweight() == "bold"]
    assert len(bold) == 1
    assert bold[0].startswith("new better")
    assert ("(less is better)" in ax.get_title()) is not higher


@pytest.mark.parametrize("higher", [True, False])
def test_estimates_of_a_difference_say_what_is_subtracted(higher):
    metric = GAIN if higher else LOSS
    settings = {"metric": metric, "systems": list(SYSTEMS), "draws": 1000, "seed": 0}
    result = lk.estimate(*labels(), **settings)
    assert result.value > 0
    assert result.plot(ax=axes()).get_xlabel() == WORDS[higher]


def test_classes_of_a_loss_say_what_is_subtracted():
    result = lk.compare_groups(
        *labels(),
        metric=MISSES,
        systems=list(SYSTEMS),
        averages=(),
        rope=0.02,
        draws=1000,
        seed=0,
    )
    ax = result.plot(ax=axes())
    label = ax.get_xlabel()
    assert label.startswith("difference in my misses (less is better), old minus new\n")
    assert all(row.comparison.hdi.high > 0 for row in result.rows)


@pytest.mark.parametrize(
    ("directions", "label"),
    [
        ((True, True), "difference in my gain, new minus old"),
        ((False, False), "difference in my loss (less is better), old minus new"),
        ((True, False), "difference"),
    ],
)
def test_several_comparisons_are_named_by_what_they_share(directions, label):
    results = [compared(higher=higher) for higher in directions]
    ax = ResultList(results).plot("intervals", ax=axes())
    first, _ = ax.get_xlabel().split("\n")
    assert first == label


@pytest.mark.parametrize("higher", [True, False])
def test_several_pairs_are_a_candidate_and_a_baseline(higher):
    pairs = ranked(higher=higher, sets=1).comparisons
    ax = ResultList(pairs).plot("intervals", ax=axes())
    label = "candidate minus baseline" if higher else "baseline minus candidate"
    assert f", {label}\n" in ax.get_xlabel()
    sides = [text.get_text() for text in ax.texts[-2:]]
    assert sides == ["← baseline better", "candidate better →"]
    assert all(result.hdi.low > 0 for result in pairs)


@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize("kind", ["ranks", "order", "critical"])
def test_the_best_of_many_systems_is_the_best_in_either_direction(kind, higher):
    ax = ranked(higher=higher, folds=1).plot(kind, ax=axes())
    assert ("(less is better)" in ax.get_title()) is not higher
    if kind == "ranks":
        assert ax.get_yticklabels()[0].get_text() == "2"
    elif kind == "order":
        heights = {text.get_text(): text.get_position()[1] for text in ax.texts}
        assert max(heights, key=heights.get) == "2"
    else:
        assert any(text.get_text() == " 2 (1.00)" for text in ax.texts)


@pytest.mark.parametrize("higher", [True, False])
def test_titles_and_panels_name_the_direction(higher):
    words = WORDS[higher].removeprefix("difference in ").partition(",")[0]
    sensitivity = lk.sensitivity(
        *labels(), metric=GAIN if higher else LOSS, rope=0.02, draws=1000, seed=0
    )
    assert f" on {words}: " in sensitivity.plot(ax=axes()).get_title()
    results = ResultList([compared(higher=higher), compared(higher=higher, rope=0.1)])
    figure = results.plot("densities")
    assert [ax.get_xlabel() for ax in figure.axes] == [words, words]


@pytest.mark.parametrize("metric", ["error_rate", "accuracy"])
def test_named_metrics_have_their_direction_once(metric):
    result = lk.compare(*labels(), metric=metric, systems=list(SYSTEMS), seed=0)
    assert result.settings.higher_is_better is (metric == "accuracy")
    label = result.plot(ax=axes()).get_xlabel()
    assert (
        label
        == {
            "accuracy": "difference in accuracy, new minus old",
            "error_rate": "difference in error rate (less is better), old minus new",
        }[metric]
    )


@pytest.mark.parametrize("name", ["$x$", "_a", "W" * 80])
def test_strange_names_of_metrics_are_shortened_and_literal(name):
    metric = Metric(name, ("correct", "items"), lambda correct, items: correct / items)
    systems = ["$b_1$", "_" + "c" * 80]
    result = lk.compare(*labels(), metric=metric, systems=systems, draws=1000, seed=0)
    ax = result.plot(ax=axes())
    assert_literal(ax.xaxis.label)
    assert len(ax.get_xlabel()) < 120


@pytest.mark.parametrize(
    ("count", "inches"), [(1, 2.0), (10, 2.0), (15, 1.5), (20, 1.0), (99, 1.0)]
)
def test_rows_are_closer_where_they_are_many(count, inches):
    assert style.pitch(count, few=10, many=20, roomy=2.0, dense=1.0) == inches
