"""Properties that every metric has, checked for all metrics on each table."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.conftest import (
    AVERAGED,
    LABEL_METRICS,
    OF_NUMBERS,
    ONE_CLASS,
    QUICK,
    RANKED,
    SCORES,
    WHOLE_TABLE,
    focus,
    label_tables,
    random_labels,
    score_columns,
    set_tables,
)

from likelier import Outcomes, metrics

SET_METRICS = (*ONE_CLASS, *AVERAGED, "accuracy", "error_rate")


def views(outcomes, names=LABEL_METRICS):
    """Return each metric with the outcomes as it sees them."""
    of_class = focus(outcomes, "f1") if "f1" in names else None
    for name in names:
        metric = metrics.named(name)
        yield metric, metric.view(of_class if metric.of_one_class else outcomes)


def values(outcomes, names=LABEL_METRICS):
    """Return the values of the metrics as one array (metric, system)."""
    return np.array([metric.values(view) for metric, view in views(outcomes, names)])


def check_bounds(metric, drawn):
    low, high = metric.bounds
    assert np.isfinite(drawn).all(), metric.name
    assert drawn.min() >= low, metric.name
    assert drawn.max() <= high, metric.name


def test_no_metric_is_left_out():
    names = {*LABEL_METRICS, *SCORES, *OF_NUMBERS, *RANKED}

    assert names == {*metrics.METRICS, "f0.5", "f2", "macro_f2"}
    groups = (LABEL_METRICS, SCORES, OF_NUMBERS, RANKED)
    assert len(names) == sum(map(len, groups))
    assert [metrics.named(name).name for name in names] == list(names)


@QUICK
@given(table=label_tables(), data=st.data())
def test_the_order_of_items_does_not_matter(table, data):
    order = data.draw(st.permutations(range(len(table.gold))))
    mixed = table.taken(order).outcomes()

    assert mixed.digest == table.outcomes().digest
    np.testing.assert_array_equal(values(mixed), values(table.outcomes()))


@QUICK
@given(table=label_tables())
def test_every_item_twice_leaves_a_metric_as_it_is(table):
    twice = table.taken([*range(len(table.gold))] * 2).outcomes()

    np.testing.assert_allclose(
        values(twice), values(table.outcomes()), rtol=0, atol=1e-14
    )


@QUICK
@given(columns=score_columns())
def test_every_score_twice_leaves_the_mean_as_it_is(columns):
    means = [np.mean(column) for column in columns]
    for repeats in (1, 2):
        table = Outcomes.from_scores(*(column * repeats for column in columns))
        np.testing.assert_allclose(
            values(table, SCORES), [means] * len(SCORES), rtol=1e-12, atol=1e-10
        )


@QUICK
@given(table=label_tables())
def test_swapping_systems_swaps_values_and_flips_the_difference(table):
    swapped = table._replace(predictions=table.predictions[::-1]).outcomes()
    here, there = values(table.outcomes()), values(swapped)

    np.testing.assert_allclose(here, there[:, ::-1], rtol=0, atol=1e-15)
    for name, value in zip(LABEL_METRICS, here, strict=True):
        metric = metrics.named(name)
        assert metric.differences(value) == -metric.differences(value[::-1]), name


@QUICK
@given(table=label_tables(), seed=st.integers(0, 99))
def test_values_lie_in_the_bounds(table, seed):
    rng = np.random.default_rng(seed)
    for metric, view in views(table.outcomes()):
        counts = rng.multinomial(50, view.counts / view.counts.sum(), size=50)
        weights = rng.standard_gamma(view.counts, size=(200, len(view.counts)))
        check_bounds(metric, metric.values(view, np.concatenate([counts, weights])))


RIGHT = random_labels(0, n=60).gold
DEGENERATE = {
    "constant and right": [RIGHT, ["a"] * 60, RIGHT],
    "always right": [RIGHT, RIGHT, RIGHT],
    "one gold class": [["a"] * 60, RIGHT, ["a"] * 60],
    "never right": [["a"] * 60, ["b"] * 60, ["b"] * 60],
}


@pytest.mark.parametrize("case", DEGENERATE)
def test_rounding_does_not_leave_the_bounds(case):
    for metric, view in views(Outcomes.from_labels(*DEGENERATE[case])):
        rng = np.random.default_rng(0)
        weights = rng.standard_gamma(view.counts, size=(2000, len(view.counts)))
        check_bounds(metric, metric.values(view, weights))


@QUICK
@given(table=set_tables())
def test_values_of_label_sets_lie_in_the_bounds(table):
    for metric, view in views(Outcomes.from_sets(*table.columns), SET_METRICS):
        check_bounds(metric, metric.values(view))


@QUICK
@given(table=label_tables(classes=(2, 4)))
def test_a_class_against_the_rest_is_a_table_of_two_classes(table):
    positive = table.gold[0]
    assume(len(set(table.gold)) > 1)
    two = [["y" if x == positive else "n" for x in c] for c in table.columns]
    names = ["balanced_accuracy", "mcc", "kappa"]

    np.testing.assert_allclose(
        values(table.outcomes().binary(positive), names),
        values(Outcomes.from_labels(*two), names),
        atol=1e-12,
    )


@QUICK
@given(table=label_tables(systems=1))
def test_one_system_has_the_value_it_has_beside_another(table):
    other = [table.gold[0]] * len(table.gold)
    both = table._replace(predictions=[*table.predictions, other])
    one = values(table.outcomes())

    assert one.shape == (len(LABEL_METRICS), 1)
    np.testing.assert_allclose(values(both.outcomes())[:, :1], one, rtol=0, atol=1e-14)


def test_a_system_that_is_always_right_is_no_worse_than_another():
    table = random_labels(0)
    perfect = table._replace(predictions=[table.predictions[0], table.gold])
    for metric, view in views(perfect.outcomes()):
        value = metric.values(view)
        best = metric.bounds[1] if metric.higher_is_better else metric.bounds[0]

        assert metric.differences(value) > 0, metric.name
        assert value[1] == pytest.approx(best, abs=1e-14), metric.name


def test_a_value_of_many_weights_is_that_of_each():
    scores = Outcomes.from_scores([0.5, 1, 1, 2], [1, 1.5, 0.25, 3])
    labels = random_labels(1, n=40).outcomes()
    for metric, view in (*views(labels), *views(scores, SCORES)):
        weights = np.random.default_rng(0).random((5, len(view.counts)))
        together = metric.values(view, weights)
        alone = np.array([metric.values(view, row) for row in weights])

        assert together.shape == (5, 2)
        np.testing.assert_allclose(
            together, alone, rtol=1e-12, atol=1e-14, err_msg=metric.name
        )


def test_metrics_of_the_whole_table_need_no_positive_class():
    assert [n for n in WHOLE_TABLE if metrics.named(n).of_one_class] == []


@pytest.mark.parametrize("name", ["mcc", "kappa"])
def test_metrics_of_one_label_per_item_refuse_label_sets(name):
    table = Outcomes.from_sets([{"a", "b"}, {"b"}], [{"a"}, set()], [{"b"}, {"a"}])

    with pytest.raises(ValueError, match="label"):
        metrics.named(name).observed(table)


def test_an_average_over_samples_of_one_class():
    table = Outcomes.from_sets([{"a"}, {"a"}, set()], [{"a"}, set(), {"a"}])
    items = [
        Outcomes.from_sets([gold], [predicted], classes=["a"])
        for gold, predicted in (({"a"}, {"a"}), ({"a"}, set()), (set(), {"a"}))
    ]
    for name in (n for n in AVERAGED if n.startswith("samples_")):
        per_item = metrics.named(f"micro_{name.removeprefix('samples_')}")
        alone = [per_item.observed(item)[0] for item in items]

        assert metrics.named(name).observed(table)[0] == pytest.approx(np.mean(alone))
