"""Properties that every metric has."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.conftest import (
    AVERAGED,
    FEW,
    LABEL_METRICS,
    ONE_CLASS,
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


def values(table, name):
    return metrics.named(name).observed(focus(table, name))


def test_no_metric_is_left_out():
    listed = {*LABEL_METRICS, *SCORES}

    assert listed == {*metrics.METRICS, "f0.5", "f2", "macro_f2"}
    assert len(listed) == len(LABEL_METRICS) + len(SCORES)


@pytest.mark.parametrize("name", [*LABEL_METRICS, *SCORES])
def test_a_metric_is_found_by_the_name_it_has(name):
    assert metrics.named(name).name == name


@FEW
@given(table=label_tables(), data=st.data())
@pytest.mark.parametrize("name", LABEL_METRICS)
def test_the_order_of_items_does_not_matter(name, table, data):
    order = data.draw(st.permutations(range(len(table.gold))))
    mixed = table.taken(order).outcomes()

    assert mixed.digest == table.outcomes().digest
    np.testing.assert_array_equal(values(mixed, name), values(table.outcomes(), name))


@FEW
@given(table=label_tables())
@pytest.mark.parametrize("name", LABEL_METRICS)
def test_every_item_twice_leaves_a_metric_as_it_is(name, table):
    twice = table.taken([*range(len(table.gold))] * 2).outcomes()

    np.testing.assert_allclose(
        values(twice, name), values(table.outcomes(), name), rtol=0, atol=1e-14
    )


@FEW
@given(columns=score_columns())
@pytest.mark.parametrize("name", SCORES)
def test_every_score_twice_leaves_the_mean_as_it_is(name, columns):
    once = metrics.named(name).observed(Outcomes.from_scores(*columns))
    twice = metrics.named(name).observed(
        Outcomes.from_scores(*(column * 2 for column in columns))
    )

    np.testing.assert_allclose(twice, once, rtol=1e-12, atol=1e-10)
    np.testing.assert_allclose(
        once, [np.mean(column) for column in columns], rtol=1e-12, atol=1e-10
    )


@FEW
@given(table=label_tables())
@pytest.mark.parametrize("name", LABEL_METRICS)
def test_swapping_systems_swaps_values_and_flips_the_difference(name, table):
    metric = metrics.named(name)
    swapped = table._replace(predictions=table.predictions[::-1]).outcomes()
    here, there = values(table.outcomes(), name), values(swapped, name)

    np.testing.assert_allclose(here, there[::-1], rtol=0, atol=1e-15)
    assert metric.differences(here) == -metric.differences(here[::-1])


@FEW
@given(table=label_tables(), seed=st.integers(0, 99))
@pytest.mark.parametrize("name", LABEL_METRICS)
def test_values_lie_in_the_bounds(name, table, seed):
    metric = metrics.named(name)
    view = metric.view(focus(table.outcomes(), name))
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(50, view.counts / view.counts.sum(), size=50)
    weights = rng.standard_gamma(view.counts, size=(200, len(view.counts)))
    drawn = np.concatenate([metric.values(view, w) for w in (counts, weights)])
    low, high = metric.bounds

    assert np.isfinite(drawn).all()
    assert drawn.min() >= low
    assert drawn.max() <= high


RIGHT = random_labels(0, n=60).gold
DEGENERATE = {
    "constant and right": [RIGHT, ["a"] * 60, RIGHT],
    "always right": [RIGHT, RIGHT, RIGHT],
    "one gold class": [["a"] * 60, RIGHT, ["a"] * 60],
    "never right": [["a"] * 60, ["b"] * 60, ["b"] * 60],
}


@pytest.mark.parametrize("case", DEGENERATE)
@pytest.mark.parametrize("name", LABEL_METRICS)
def test_rounding_does_not_leave_the_bounds(name, case):
    metric = metrics.named(name)
    view = metric.view(focus(Outcomes.from_labels(*DEGENERATE[case]), name))
    rng = np.random.default_rng(0)
    weights = rng.standard_gamma(view.counts, size=(2000, len(view.counts)))
    drawn = metric.values(view, weights)

    assert np.isfinite(drawn).all()
    assert drawn.min() >= metric.bounds[0]
    assert drawn.max() <= metric.bounds[1]


@FEW
@given(table=set_tables())
@pytest.mark.parametrize("name", SET_METRICS)
def test_values_of_label_sets_lie_in_the_bounds(name, table):
    metric = metrics.named(name)
    got = values(Outcomes.from_sets(*table.columns), name)

    assert np.isfinite(got).all()
    assert (metric.bounds[0] <= got).all()
    assert (got <= metric.bounds[1]).all()


@FEW
@given(table=label_tables(classes=(2, 4)))
@pytest.mark.parametrize("name", ["balanced_accuracy", "mcc", "kappa"])
def test_a_class_against_the_rest_is_a_table_of_two_classes(name, table):
    positive = table.gold[0]
    assume(len(set(table.gold)) > 1)
    two = [["y" if x == positive else "n" for x in c] for c in table.columns]

    np.testing.assert_allclose(
        metrics.named(name).observed(table.outcomes().binary(positive)),
        metrics.named(name).observed(Outcomes.from_labels(*two)),
        atol=1e-12,
    )


@FEW
@given(table=label_tables(systems=1))
@pytest.mark.parametrize("name", LABEL_METRICS)
def test_one_system_has_the_value_it_has_beside_another(name, table):
    other = [table.gold[0]] * len(table.gold)
    both = table._replace(predictions=[*table.predictions, other])
    one = values(table.outcomes(), name)

    assert one.shape == (1,)
    assert values(both.outcomes(), name)[0] == pytest.approx(one[0], abs=1e-14)


@pytest.mark.parametrize("name", LABEL_METRICS)
def test_a_system_that_is_always_right_is_no_worse_than_another(name):
    metric = metrics.named(name)
    table = random_labels(0)
    perfect = table._replace(predictions=[table.predictions[0], table.gold])

    assert metric.differences(values(perfect.outcomes(), name)) > 0
    best = metric.bounds[1] if metric.higher_is_better else metric.bounds[0]
    assert values(perfect.outcomes(), name)[1] == pytest.approx(best, abs=1e-14)


@pytest.mark.parametrize("name", [*LABEL_METRICS, *SCORES])
def test_a_value_of_many_weights_is_that_of_each(name):
    if name in SCORES:
        table = Outcomes.from_scores([0.5, 1, 1, 2], [1, 1.5, 0.25, 3])
    else:
        table = focus(random_labels(1, n=40).outcomes(), name)
    metric = metrics.named(name)
    view = metric.view(table)
    weights = np.random.default_rng(0).random((5, len(view.counts)))

    together = metric.values(view, weights)

    assert together.shape == (5, 2)
    apart = np.array([metric.values(view, row) for row in weights])
    np.testing.assert_allclose(together, apart, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("name", WHOLE_TABLE)
def test_metrics_of_the_whole_table_need_no_positive_class(name):
    assert not metrics.named(name).of_one_class


@pytest.mark.parametrize("name", ["mcc", "kappa"])
def test_metrics_of_one_label_per_item_refuse_label_sets(name):
    table = Outcomes.from_sets([{"a", "b"}, {"b"}], [{"a"}, set()], [{"b"}, {"a"}])

    with pytest.raises(ValueError, match="label"):
        metrics.named(name).observed(table)


@pytest.mark.parametrize("name", [n for n in AVERAGED if n.startswith("samples_")])
def test_an_average_over_samples_of_one_class(name):
    table = Outcomes.from_sets([{"a"}, {"a"}, set()], [{"a"}, set(), {"a"}])

    per_item = metrics.named(f"micro_{name.removeprefix('samples_')}")
    apart = [
        per_item.observed(Outcomes.from_sets([g], [p], classes=["a"]))[0]
        for g, p in (({"a"}, {"a"}), ({"a"}, set()), (set(), {"a"}))
    ]
    assert metrics.named(name).observed(table)[0] == pytest.approx(np.mean(apart))
