"""Equality with scikit-learn to 1e-12, on random and on degenerate tables."""

import numpy as np
import pytest
import sklearn
import sklearn.metrics as sk
from hypothesis import given
from tests.conftest import (
    FEW,
    LABELS,
    QUICK,
    LabelTable,
    label_tables,
    random_labels,
    set_tables,
)

from likelier import Outcomes, metrics

EXACT = {"rtol": 0, "atol": 1e-12}
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


# scikit-learn warns of 0/0.
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(autouse=True, scope="module")
def unchecked():
    """Spare scikit-learn the checks of its arguments, a third of the time."""
    with sklearn.config_context(skip_parameter_validation=True):
        yield


def rates(gold, predicted, **settings):
    """Return precision, recall, F-measures and Jaccard, each computed by sklearn."""
    gold, predicted = np.asarray(gold), np.asarray(predicted)
    settings = {"zero_division": 0, **settings}
    values = {"jaccard": sk.jaccard_score(gold, predicted, **settings)}
    for beta in (0.5, 1, 2):
        p, r, f, _ = sk.precision_recall_fscore_support(
            gold, predicted, beta=beta, **settings
        )
        values |= {"precision": p, "recall": r, f"f{beta:g}": f}
    return values


def averages(gold, predicted, *kinds):
    return {
        f"{kind}_{name}": value
        for kind in kinds
        for name, value in rates(gold, predicted, average=kind).items()
    }


def check(outcomes, expected):
    """Compare our values with those of scikit-learn, a dictionary per system."""
    for name in expected[0]:
        # scikit-learn's kappa is nan for 0/0; ours is 0.
        values = np.nan_to_num([system[name] for system in expected])
        np.testing.assert_allclose(
            metrics.named(name).observed(outcomes), values, err_msg=name, **EXACT
        )


def check_table(table):
    expected = [
        {name: score(table.gold, p) for name, score in WHOLE.items()}
        | averages(table.gold, p, "micro", "macro", "weighted")
        for p in table.predictions
    ]
    check(table.outcomes(), expected)


def flipped(table, positive):
    """The labels as 1 and 0: sklearn's precision of 0 is our npv of 1."""
    columns = [[int(x == positive) for x in column] for column in table.columns]
    return LabelTable(columns[0], columns[1:])


def binary_values(gold, predicted):
    positive = rates(gold, predicted, average="binary", pos_label=1)
    npv, specificity, *_ = sk.precision_recall_fscore_support(
        gold, predicted, average="binary", pos_label=0, zero_division=0
    )
    return positive | {
        "specificity": specificity,
        "npv": npv,
        "informedness": positive["recall"] + specificity - 1,
        "markedness": positive["precision"] + npv - 1,
        "balanced_accuracy": sk.balanced_accuracy_score(gold, predicted),
        "mcc": sk.matthews_corrcoef(gold, predicted),
        "kappa": sk.cohen_kappa_score(gold, predicted),
    }


def check_binary(table):
    for positive in {label for column in table.columns for label in column}:
        two = flipped(table, positive)
        expected = [binary_values(two.gold, p) for p in two.predictions]
        check(table.outcomes().binary(positive), expected)


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


@FEW
@given(table=label_tables(classes=(1, 3), items=(1, 15)))
def test_any_class_against_the_rest(table):
    check_binary(table)


@by_table
def test_f1_of_macro_is_the_harmonic_mean_of_the_averages(table):
    values = metrics.f1_of_macro.observed(table.outcomes())
    for predicted, value in zip(table.predictions, values, strict=True):
        macro = rates(table.gold, predicted, average="macro")
        p, r = macro["precision"], macro["recall"]
        assert value == pytest.approx(2 * p * r / (p + r) if p + r else 0, abs=1e-12)


def indicators(table, classes):
    return [
        np.array([[label in labels for label in classes] for labels in column], int)
        for column in table.columns
    ]


@FEW
@given(table=set_tables(classes=(2, 4)))
def test_label_sets(table):
    """Indicator matrices, sets with their classes, and sets without."""
    gold, *predictions = matrices = indicators(table, LABELS[:4])
    expected = [
        {"accuracy": sk.accuracy_score(gold, p)}
        | averages(gold, p, "micro", "macro", "weighted", "samples")
        for p in predictions
    ]

    check(Outcomes.from_sets(*matrices), expected)
    check(Outcomes.from_sets(*table.columns, classes=LABELS[:4]), expected)
    # Without classes, a mean over classes leaves those out that a system lacks.
    without_macro = [
        {name: value for name, value in system.items() if "macro" not in name}
        for system in expected
    ]
    check(Outcomes.from_sets(*table.columns), without_macro)


@QUICK
@given(table=set_tables(classes=(2, 3)))
def test_one_class_of_label_sets(table):
    gold, *predictions = (matrix[:, 0] for matrix in indicators(table, LABELS[:4]))
    expected = [rates(gold, p, average="binary", pos_label=1) for p in predictions]

    check(Outcomes.from_sets(*table.columns).binary(LABELS[0]), expected)


def test_classes_that_never_occur_count_if_they_are_listed():
    labels = ["a", "b", "c"]
    outcomes = Outcomes.from_labels("ab", "ab", "ba", classes=labels)
    expected = [
        rates(list("ab"), list(predicted), labels=labels, average="macro")
        for predicted in ("ab", "ba")
    ]

    check(outcomes, [{"macro_f1": system["f1"]} for system in expected])
    assert metrics.macro_f1.observed(outcomes)[0] == pytest.approx(2 / 3)
