"""What an answer rests on: differing items and other tests, against plain loops."""

import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from tests.conftest import QUICK, label_tables

import likelier as lk
from likelier import Outcomes, metrics
from likelier.decision import ThreeProbabilities
from likelier.methods.items.bootstrap import Bootstrap
from likelier.results.companions import Companion, ComparedItems


def sides(gold, first, second):
    """Count who is right where two systems differ."""
    counts = Counter()
    for g, a, b in zip(gold, first, second, strict=True):
        if a != b:
            counts["first" if a == g else "second" if b == g else "neither"] += 1
    return counts


def checked(result, counts):
    assert result.first_right == counts["first"]
    assert result.second_right == counts["second"]
    assert result.neither == counts["neither"]
    assert result.items == sum(counts.values())
    by_row = Counter()
    for row in result.rows:
        by_row[row.right] += row.count
    if not result.left_out[0]:
        assert by_row == counts


@QUICK
@given(label_tables(items=(1, 60)))
def test_who_is_right_where_systems_differ(table):
    result = ComparedItems(table.outcomes(), metrics.accuracy, 0).differing()
    checked(result, +sides(table.gold, *table.predictions))
    assert result.unseen == 0
    assert result.total == len(table.gold)
    counts = [row.count for row in result.rows]
    assert counts == sorted(counts, reverse=True)


@QUICK
@given(label_tables(items=(1, 60), classes=(2, 4)))
def test_one_class_against_the_rest(table):
    name = table.gold[0]
    one = table.outcomes().binary(name)
    result = ComparedItems(one, metrics.f1, 0).differing()
    flags = [[label == name for label in column] for column in table.columns]
    checked(result, +sides(*flags))
    differ = sum(a != b for a, b in zip(*table.predictions, strict=True))
    assert result.items + result.unseen == differ
    assert all(name in (row.first, row.second) for row in result.rows)


LOSS = replace(metrics.mean, name="loss", higher_is_better=False)


@pytest.mark.parametrize("metric", [metrics.mean, LOSS], ids=["mean", "loss"])
def test_the_better_score(metric):
    first, second = np.random.default_rng(0).integers(0, 9, size=(2, 300)) / 2
    result = ComparedItems(Outcomes.from_scores(first, second), metric, 0).differing(
        most=7
    )
    better = second > first if metric.higher_is_better else second < first
    assert result.second_right == better.sum()
    assert result.items == (first != second).sum()
    assert result.neither == 0
    assert result.scores
    assert not result.gold
    gaps = [abs(float(row.first) - float(row.second)) for row in result.rows]
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[0] == np.abs(first - second).max()
    assert len(result.rows) == 7
    listed = sum(row.count for row in result.rows)
    assert listed + result.left_out[1] == result.items


def test_clusters_and_more_than_two_systems():
    rng = np.random.default_rng(1)
    gold, *predictions = rng.integers(0, 3, size=(4, 400))
    table = Outcomes.from_labels(gold, *predictions, cluster=rng.integers(0, 50, 400))
    result = lk.compare(
        table, systems=["third", "first"], metric="accuracy", seed=0
    ).items.differing()
    assert result.systems == ("third", "first")
    checked(result, sides(gold, predictions[2], predictions[0]))


def test_scores_are_listed_by_the_size_of_their_difference():
    table = Outcomes.from_scores([1.0, 1.0, 9.0, 1.0], [2.0, 1.5, 1.0, 1.0])
    rows = ComparedItems(table, metrics.mean, 0).differing().rows
    assert [(row.first, row.right) for row in rows] == [
        ("9", "first"),
        ("1", "second"),
        ("1", "second"),
    ]
    assert [row.second for row in rows[1:]] == ["2", "1.5"]


def test_they_have_a_sentence():
    result = lk.compare("aabc", "abbb", "aaca", metric="accuracy", seed=0)
    changes = result.items.differing()
    assert changes.sentence() == (
        "second and first differ on 3 of 4 items: second alone is right on 1, first "
        "on 1, neither on 1."
    )
    rows = {(row.gold, row.first, row.second): row for row in changes.rows}
    assert rows["c", "b", "a"].right == "neither"
    assert rows["a", "b", "a"].ids == ("item 1",)
    assert not rows["a", "b", "a"].more
    assert (
        ComparedItems(
            Outcomes.from_labels("a" * 30, "a" * 30, "b" * 30), metrics.accuracy, 0
        )
        .differing()
        .rows[0]
        .more
    )


def test_identical_systems():
    result = lk.compare("aabb", "abab", "abab", metric="accuracy", seed=0)
    changes = result.items.differing()
    assert changes.rows == ()
    assert changes.sentence() == "second and first do the same on all 4 items."
    for metric in ("accuracy", "macro_f1", "mcc"):
        items = lk.compare("aabb", "abab", "abab", metric=metric, seed=0).items
        assert [test.p_value or 1.0 for test in items.companions] == [1.0] * 3


def table_of(n=300):
    rng = np.random.default_rng(7)
    gold = rng.integers(0, 2, n)
    first, second = (np.where(rng.random(n) < p, gold, 1 - gold) for p in (0.8, 0.87))
    return Outcomes.from_labels(gold, first, second)


@pytest.mark.parametrize("name", ["accuracy", "f1", "macro_f1", "mcc"])
def test_companions_are_the_tests_themselves(name):
    result = lk.compare(table_of(), metric=name, positive=1, seed=5)
    swaps, coin, boot = result.items.companions
    ask = {"metric": name, "positive": 1, "seed": 5, "draws": 10_000}
    assert swaps.p_value == lk.null_test(table_of(), **ask).p_value
    method = Bootstrap(alternative="two-sided", ties=True)
    assert boot.p_value == lk.null_test(table_of(), method=method, **ask).p_value
    assert coin.name == "McNemar"
    if name == "accuracy":
        exact = lk.null_test(table_of(), metric=name, method="mcnemar").p_value
        assert coin.p_value == exact
    else:
        assert "sum over items" in coin.reason
    again = lk.compare(table_of(), metric=name, positive=1, seed=5).items.companions
    assert again == (swaps, coin, boot)
    other = lk.compare(table_of(), metric=name, positive=1, seed=6).items.companions
    assert other[2] != boot


def test_the_sign_test_where_items_are_not_right_or_wrong():
    rng = np.random.default_rng(3)
    scores = Outcomes.from_scores(*rng.normal(size=(2, 60)))
    _, coin, _ = ComparedItems(scores, metrics.mean, 0).companions
    assert coin.name == "sign test"
    assert coin.p_value == lk.null_test(scores, metric="mean", method="sign").p_value


def test_tests_that_have_no_answer_say_why():
    parts = ComparedItems(table_of().scaled(0.371), metrics.accuracy, 0).companions
    assert [test.p_value for test in parts] == [None] * 3
    assert all("whole" in test.reason for test in parts)
    many = Outcomes.from_scores(*np.random.default_rng(0).normal(size=(2, 10_500)))
    swaps, coin, boot = ComparedItems(many, metrics.mean, 0).companions
    assert "10,500 patterns" in swaps.reason
    assert "10,500 patterns" in boot.reason
    assert coin.p_value is not None


def test_only_comparisons_of_items_have_items():
    table = Outcomes.from_labels("abcabc", "abbabc", "aacacb")
    result = lk.compare(table, metric="accuracy", seed=3)
    assert result.items.table.digest == table.digest
    assert result.items.metric.name == "accuracy"
    assert result.items.seed == 3
    # The number of items is told, the items are not.
    assert result.to_dict()["items"] == 6
    assert "ComparedItems" not in repr(result)
    assert (
        lk.compare_folds(
            table, metric="accuracy", method="paired", repetitions=1, seed=0
        ).items
        is None
    )
    counts = {"tp": [[80, 84]], "fp": [[20, 17]], "fn": [[20, 16]]}
    counted = replace(Outcomes.from_statistics(counts), unit="folds")
    assert lk.compare_folds(counted, metric="f1", repetitions=None).items is None
    folds = lk.Scores.from_arrays([0.8, 0.7, 0.9], [0.9, 0.8, 0.85])
    assert lk.compare_folds(folds, rope=0.01).items is None
    classes = lk.compare_groups(table, metric="f1", seed=0)
    assert all(row.comparison.items is not None for row in classes.rows)
    without = replace(table, items=None)
    assert ComparedItems(without, metrics.accuracy, 0).differing() is None


# --- in words and in the JSON ----------------------------------------------------


@pytest.mark.parametrize(
    ("companion", "text"),
    [
        (Companion("t", p_value=0.0123), "t p = 0.012"),
        (Companion("t", p_value=1.0), "t p = 1.000"),
        (Companion("t", p_value=0.0), "t p = 0.0e+00"),
        (
            Companion("sign", probability=ThreeProbabilities(0.1, 0.2, 0.7, 0)),
            "sign 10.0 % / 20.0 % / 70.0 %",
        ),
        (Companion("t", reason="no folds"), "t not defined"),
    ],
)
def test_companions_in_words(companion, text):
    assert str(companion) == text
    assert json.dumps(companion.to_dict(), allow_nan=False)


def test_companions_in_the_json():
    document = Companion(
        "sign", probability=ThreeProbabilities(0.1, 0.2, 0.7, 9)
    ).to_dict()
    assert document == {
        "name": "sign",
        "p_value": None,
        "probability": {"worse": 0.1, "equivalent": 0.2, "better": 0.7},
        "reason": None,
    }


@pytest.mark.parametrize("metric", ["macro_f1", "macro_precision", "f1_of_macro"])
def test_all_tests_average_over_the_classes_of_the_items(metric):
    gold = ["a", "b"] * 30
    first = gold[:48] + ["b", "a"] * 6
    # Where the first is wrong the second is too, in words of its own.
    second = gold[:48] + [f"junk {i}" for i in range(12)]
    settings = {"metric": metric, "draws": 10_000, "seed": 0}
    result = lk.compare(gold, first, second, **settings)
    null = lk.null_test(gold, first, second, **settings)
    assert null.difference == null.null.statistic == result.difference > 0
    assert "LIK119" in [finding.code for finding in null.findings]
    settings["method"] = Bootstrap(alternative="two-sided", ties=True)
    bootstrap = lk.null_test(gold, first, second, **settings)
    randomized, _, resampled = result.companions
    assert randomized.p_value == null.p_value
    assert resampled.p_value == bootstrap.p_value
