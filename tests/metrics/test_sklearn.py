"""Equality with scikit-learn to 1e-12, on random and on degenerate tables."""

import warnings
from functools import partial

import numpy as np
import pytest
import sklearn.metrics as sk
from hypothesis import given
from tests.conftest import (
    LABELS,
    QUICK,
    LabelTable,
    label_tables,
    random_labels,
    set_tables,
)

from likelier import Outcomes, metrics

EXACT = {"rtol": 0, "atol": 1e-12}
SCORES = {
    "precision": sk.precision_score,
    "recall": sk.recall_score,
    "f1": sk.f1_score,
    "f0.5": partial(sk.fbeta_score, beta=0.5),
    "f2": partial(sk.fbeta_score, beta=2),
    "jaccard": sk.jaccard_score,
}
WHOLE = {
    "accuracy": sk.accuracy_score,
    "error_rate": sk.zero_one_loss,
    "balanced_accuracy": sk.balanced_accuracy_score,
    "mcc": sk.matthews_corrcoef,
    "kappa": sk.cohen_kappa_score,
}

DEGENERATE = {
    "one class": LabelTable(["a"] * 3, [["a"] * 3, ["a"] * 3]),
    "one gold class": LabelTable(["a"] * 4, [["a", "b", "b", "a"], ["b"] * 4]),
    "never predicted": LabelTable(list("aabbcc"), [list("aabbaa"), ["b"] * 6]),
    "never gold": LabelTable(list("aabb"), [list("xxbb"), list("axyb")]),
    "nothing right": LabelTable(list("ab"), [list("ba"), list("cc")]),
    "one item wrong": LabelTable(["a"], [["b"], ["a"]]),
}
TABLES = DEGENERATE | {f"random {s}": random_labels(s, classes=2 + s) for s in range(3)}
by_table = pytest.mark.parametrize("table", TABLES.values(), ids=TABLES.keys())


def sklearn(score, gold, said, **settings):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        value = score(gold, said, **settings)
    return np.nan_to_num(value)  # sklearn's kappa is nan for 0/0; ours is 0


def check(name, ours, table, score, **settings):
    got = metrics.named(name).observed(ours)
    wanted = [sklearn(score, table.gold, p, **settings) for p in table.predictions]
    np.testing.assert_allclose(got, wanted, err_msg=name, **EXACT)


def check_table(table):
    ours = table.outcomes()
    for name, score in WHOLE.items():
        check(name, ours, table, score)
    for rate, score in SCORES.items():
        for average in ("micro", "macro", "weighted"):
            settings = {"average": average, "zero_division": 0}
            check(f"{average}_{rate}", ours, table, score, **settings)


def flipped(table, positive):
    """The labels as 1 and 0: sklearn's precision of 0 is our npv of 1."""
    columns = [[int(x == positive) for x in column] for column in table.columns]
    return LabelTable(columns[0], columns[1:])


def check_binary(table):
    for positive in {label for column in table.columns for label in column}:
        ours, two = table.outcomes().binary(positive), flipped(table, positive)
        for name, score in SCORES.items():
            check(name, ours, two, score, pos_label=1, zero_division=0)
        other = {"pos_label": 0, "zero_division": 0}
        check("specificity", ours, two, sk.recall_score, **other)
        check("npv", ours, two, sk.precision_score, **other)
        check("mcc", ours, two, sk.matthews_corrcoef)
        check("kappa", ours, two, sk.cohen_kappa_score)


@by_table
def test_label_tables(table):
    check_table(table)


@by_table
def test_one_class_against_the_rest(table):
    check_binary(table)


@QUICK
@given(table=label_tables(classes=(1, 5)))
def test_any_label_table(table):
    check_table(table)


@QUICK
@given(table=label_tables(classes=(1, 3), items=(1, 15)))
def test_any_class_against_the_rest(table):
    check_binary(table)


@by_table
def test_informedness_and_markedness_by_their_definitions(table):
    for positive in set(table.gold):
        ours, two = table.outcomes().binary(positive), flipped(table, positive)
        zero = {"zero_division": 0}
        for name, score in (
            ("informedness", sk.recall_score),
            ("markedness", sk.precision_score),
        ):
            wanted = [
                sklearn(score, two.gold, p, pos_label=1, **zero)
                + sklearn(score, two.gold, p, pos_label=0, **zero)
                - 1
                for p in two.predictions
            ]
            got = metrics.named(name).observed(ours)
            np.testing.assert_allclose(got, wanted, **EXACT)


@by_table
def test_f1_of_macro_is_the_harmonic_mean_of_the_averages(table):
    zero = {"average": "macro", "zero_division": 0}
    for said, got in zip(
        table.predictions,
        metrics.f1_of_macro.observed(table.outcomes()),
        strict=True,
    ):
        p = sklearn(sk.precision_score, table.gold, said, **zero)
        r = sklearn(sk.recall_score, table.gold, said, **zero)
        wanted = 2 * p * r / (p + r) if p + r else 0
        assert got == pytest.approx(wanted, abs=1e-12)


def indicators(table, classes):
    return [
        np.array([[label in labels for label in classes] for labels in column], int)
        for column in table.columns
    ]


def check_sets(ours, matrices):
    gold, *said = matrices
    table = LabelTable(gold, said)
    check("accuracy", ours, table, sk.accuracy_score)
    for rate, score in SCORES.items():
        for average in ("micro", "macro", "weighted", "samples"):
            settings = {"average": average, "zero_division": 0}
            name = f"{average}_{rate}"
            if average == "macro" and not ours.all_classes:
                continue
            check(name, ours, table, score, **settings)


@QUICK
@given(table=set_tables(classes=(2, 4)))
def test_indicator_matrices(table):
    matrices = indicators(table, LABELS[:4])

    check_sets(Outcomes.from_sets(*matrices), matrices)


@QUICK
@given(table=set_tables(classes=(2, 4)))
def test_label_sets_with_their_classes(table):
    ours = Outcomes.from_sets(*table.columns, classes=LABELS[:4])

    check_sets(ours, indicators(table, LABELS[:4]))


@QUICK
@given(table=set_tables(classes=(2, 4)))
def test_label_sets_without_classes(table):
    check_sets(Outcomes.from_sets(*table.columns), indicators(table, LABELS[:4]))


@QUICK
@given(table=set_tables(classes=(2, 3)))
def test_one_class_of_label_sets(table):
    ours = Outcomes.from_sets(*table.columns).binary(LABELS[0])
    gold, *said = (matrix[:, 0] for matrix in indicators(table, LABELS[:4]))
    for name, score in SCORES.items():
        check(name, ours, LabelTable(gold, said), score, zero_division=0)


def test_classes_that_never_occur_count_if_they_are_told():
    labels = ["a", "b", "c"]
    ours = Outcomes.from_labels("ab", "ab", "ba", classes=labels)
    score = partial(sk.f1_score, labels=labels, average="macro", zero_division=0)

    check("macro_f1", ours, LabelTable(list("ab"), [list("ab"), list("ba")]), score)
    assert metrics.macro_f1.observed(ours)[0] == pytest.approx(2 / 3)
