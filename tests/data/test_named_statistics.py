"""Outcomes of named statistics, and metrics of one's own on them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from tests.conftest import QUICK

import likelier as lk
from likelier import Outcomes
from likelier.errors import InputError, NotDefinedError, SettingError
from likelier.metrics import Metric

WER = Metric(
    "wer",
    ("edits", "words"),
    lambda edits, words: edits / words,
    higher_is_better=False,
    bounds=(0.0, np.inf),
)
ACCURACY = Metric("my accuracy", ("right", "items"), lambda right, n: right / n)
FEW = {"draws": 2000, "seed": 0}


def spoken(n=60, *, systems=2, seed=0):
    """Edits of systems, each better than the one before, and words."""
    rng = np.random.default_rng(seed)
    words = rng.integers(4, 25, n)
    edits = [rng.binomial(words, 0.3 / (1 + i)) for i in range(systems)]
    return [{"edits": one, "words": words} for one in edits]


NUMBERS = hnp.arrays(
    np.float64, st.tuples(st.integers(1, 8), st.just(2)), elements=st.floats(-9, 9)
)


@QUICK
@given(part=NUMBERS, seed=st.integers(0, 99))
def test_any_function_of_sums_of_any_numbers(part, seed):
    """Negative and fractional numbers, weighed in any way."""
    whole = np.abs(part) + 1
    table = Outcomes.from_statistics({"part": part, "whole": whole})
    metric = Metric("m", ("part", "whole", "items"), lambda p, w, n: p / w + n)
    weights = np.random.default_rng(seed).random(len(table.counts))
    rows = table.cube()[:, :, 0]
    sums = np.tensordot(weights, rows, axes=1)

    np.testing.assert_allclose(
        metric.observed(table), part.sum(0) / whole.sum(0) + len(part), rtol=1e-12
    )
    np.testing.assert_allclose(
        metric.values(metric.view(table), weights),
        sums[:, 0] / sums[:, 1] + weights.sum(),
        rtol=1e-12,
    )


def test_one_mapping_per_system_or_one_for_all():
    first, second = spoken()
    both = {name: np.stack([first[name], second[name]], axis=1) for name in first}

    apart = Outcomes.from_statistics(first, second)
    assert apart.digest == Outcomes.from_statistics(both).digest
    assert apart.n_items == 60


def test_a_metric_of_ones_own_is_the_same_as_a_builtin_one():
    """Its default prior, its bootstrap and its swaps are those of accuracy."""
    rng = np.random.default_rng(1)
    right = rng.random((90, 2)) < (0.6, 0.75)
    own = Outcomes.from_statistics({"right": right}, systems=["a", "b"])
    scores = Outcomes.from_scores(*right.T.astype(float), systems=["a", "b"])

    for question in (lk.compare, lk.null_test):
        mine = question(own, metric=ACCURACY, **FEW)
        theirs = question(scores, metric="mean", **FEW)
        assert mine.difference == pytest.approx(theirs.difference)
    posterior, other = (
        lk.compare(table, metric=metric, **FEW).posterior.difference
        for table, metric in ((own, ACCURACY), (scores, "mean"))
    )
    assert posterior.mean() == pytest.approx(other.mean(), abs=2e-3)
    assert posterior.std() == pytest.approx(other.std(), rel=0.05)


@pytest.mark.parametrize("method", ["paired", "unpaired"])
def test_less_is_better_and_exchanging_systems_turns_the_answer_round(method):
    first, second = spoken()
    here, there = (
        lk.compare(Outcomes.from_statistics(*pair), metric=WER, method=method, **FEW)
        for pair in ((first, second), (second, first))
    )
    assert here.difference > 0
    assert here.verdict.name == "better"
    assert here.difference == -there.difference
    if method == "paired":
        assert [*here.hdi] == pytest.approx([-end for end in there.hdi][::-1])


@pytest.mark.parametrize("method", ["bootstrap", "randomization"])
def test_tests_of_a_metric_of_ones_own(method):
    table = Outcomes.from_statistics(*spoken())
    assert lk.null_test(table, metric=WER, method=method, **FEW).p_value < 0.01
    same = Outcomes.from_statistics(*spoken()[:1] * 2)
    assert lk.null_test(same, metric=WER, method=method, **FEW).p_value == 1


def test_clusters_are_drawn_whole():
    first, second = spoken(120)
    one, wide = (
        lk.compare(
            Outcomes.from_statistics(first, second, cluster=cluster), metric=WER, **FEW
        )
        for cluster in (None, np.argsort(np.argsort(first["edits"])) // 10)
    )
    assert wide.difference == pytest.approx(one.difference)
    assert wide.settings.data.units == 12
    assert wide.posterior.systems[0].std() > 1.5 * one.posterior.systems[0].std()


def test_many_systems_are_ranked_and_a_pilot_plans():
    table = Outcomes.from_statistics(*spoken(systems=3), systems=["a", "b", "c"])
    ranking = lk.rank(table, metric=WER, **FEW)
    assert "the best is c" in ranking.sentence()
    plan = lk.plan(
        lk.Assumed.pilot(table.named("a", "b")), metric=WER, replications=40, seed=0
    )
    assert plan.chances([200]).chance("better", 200) > 0.9


def test_systems_that_never_differ_are_within_what_one_unit_may_change():
    """No edits in 400 words: three more of them is the most to be expected."""
    nothing = {"edits": np.zeros(40), "words": np.full(40, 10)}
    table = Outcomes.from_statistics(nothing, nothing)
    result = lk.compare(table, metric=WER, seed=0)
    assert result.hdi.high == pytest.approx(3 / 400, rel=0.1)
    assert result.hdi.low == pytest.approx(-result.hdi.high)


def test_the_best_and_the_worst_unit_seen_stand_for_one_that_differs():
    words = np.full(30, 10)
    same = {"edits": np.arange(30) % 5, "words": words}
    table = Outcomes.from_statistics(same, same)
    result = lk.compare(table, metric=WER, seed=0)
    assert result.hdi.high == pytest.approx(4 * 3 / 300, rel=0.25)


def test_where_all_units_are_alike_each_statistic_goes_to_its_better_end():
    """Fewer edits and more words are better: 0 in 20 beside 6 in 0."""
    same = {"edits": np.full(30, 3), "words": np.full(30, 10)}
    result = lk.compare(Outcomes.from_statistics(same, same), metric=WER, seed=0)
    assert 0.02 < result.hdi.high < 0.2


def test_no_exact_law_is_taken_for_numbers_that_are_no_counts():
    halves = Outcomes.from_statistics({"correct": [[0.5], [2.0], [0.5]]})
    assert lk.estimate(halves, metric="accuracy", **FEW).settings.method == "paired"
    mine = Metric("m", ("edits", "words"), lk.metrics.formulas.precision)
    single = Outcomes.from_statistics(spoken()[0])
    assert lk.estimate(single, metric=mine, **FEW).settings.method == "paired"


def test_people_see_the_answers_and_whom_an_item_favours():
    first, second = spoken(4)
    table = Outcomes.from_statistics(
        first | {"edits": [2, 0, 1, 1]},
        second | {"edits": [1, 3, 1, 1]},
        answers=[["u", "v", "w", "x"], ["U", "V", "w", "X"]],
        texts=["one", "two", "three", "four"],
    )
    changes = lk.compare(table, metric=WER, **FEW).items.changes
    rows = {row.first: (row.second, row.right) for row in changes.rows}
    assert rows == {
        "u": ("U", "second"),
        "v": ("V", "first"),
        "x": ("X", "neither"),
    }
    assert changes.rows[0].first == "v"
    assert changes.rows[0].texts[0].text == "two"


@pytest.mark.parametrize(
    ("statistics", "what"),
    [
        ([], "mapping per system"),
        ([{"a": [1]}, {"b": [1]}], "same statistics"),
        ([{"a": [1, np.nan]}], "nan at item 1"),
        ([{"a": ["x"]}], "must hold numbers"),
        ([{"a": [1, 2]}, {"a": [1]}], "one shape|same number"),
        ([{"tp": [[-1.0]]}], "from 0 to 1e12"),
        ([{"a": [1], "b": [1, 2]}], "one shape"),
        ([{"a": [[[[1]]]]}], "shape"),
        ([{"a": np.zeros((0, 2))}], "at least one item"),
    ],
)
def test_bad_statistics_are_refused(statistics, what):
    with pytest.raises(InputError, match=what):
        Outcomes.from_statistics(*statistics)


def test_bad_metrics_are_refused():
    with pytest.raises(SettingError, match="tuple of names"):
        Metric("m", "edits", abs)
    with pytest.raises(SettingError, match="lower first"):
        Metric("m", ("edits",), abs, bounds=(1, 0))
    table = Outcomes.from_statistics(*spoken())
    with pytest.raises(NotDefinedError, match="edits, words, items"):
        lk.compare(table, metric="f1")
    with pytest.raises(NotDefinedError, match="finite"):
        lk.compare(table, metric=Metric("m", ("edits",), lambda e: e / (e - e)))
