"""Confusion matrices and counts by type, against scikit-learn and plain loops."""

import json
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import confusion_matrix, multilabel_confusion_matrix
from tests.conftest import QUICK, label_tables, set_tables

import likelier as lk
from likelier import Outcomes, metrics
from likelier.readers import read_tagged
from likelier.results.companions import ComparedItems
from likelier.results.confusion import (
    LARGEST,
    MOST_CLASSES,
    ConfusionCell,
    TypeTally,
    confusion_of,
)


def counts(confusion, name):
    return [[getattr(cell, name) for cell in row] for row in confusion.rows]


@pytest.mark.filterwarnings("ignore:A single label was found")
@QUICK
@given(label_tables(systems=3, items=(1, 60)), st.booleans(), st.permutations(range(3)))
def test_matrices_are_those_of_scikit_learn(table, clustered, order):
    groups = [i % 4 for i in range(len(table.gold))] if clustered else None
    i, j, _ = order
    outcomes = Outcomes.from_labels(*table.columns, cluster=groups).keep(i, j)
    confusion = confusion_of(outcomes)
    both = table.predictions[i], table.predictions[j]
    labels = sorted({*table.gold, *both[0], *both[1]})
    assert list(confusion.classes) == labels
    first, second = (confusion_matrix(table.gold, p, labels=labels) for p in both)
    assert np.array_equal(counts(confusion, "first"), first)
    assert np.array_equal(counts(confusion, "second"), second)
    assert np.array_equal(counts(confusion, "difference"), second - first)
    assert np.array_equal(counts(confusion, "right"), np.eye(len(labels)) > 0)
    assert np.array_equal(confusion.totals, first.sum(axis=1))
    assert confusion.systems == outcomes.systems
    for row in confusion.rows:
        for cell in row:
            gain = cell.difference if cell.right else -cell.difference
            assert cell.improved == (None if gain == 0 else gain > 0)


@QUICK
@given(label_tables(items=(1, 60), classes=(2, 5)), st.booleans())
def test_one_class_against_the_rest(table, clustered):
    groups = [i % 4 for i in range(len(table.gold))] if clustered else None
    outcomes = Outcomes.from_labels(*table.columns, cluster=groups)
    name = table.gold[-1]
    confusion = confusion_of(outcomes.binary(name))
    others = sorted({label for column in table.columns for label in column} - {name})
    rest = others[0] if len(others) == 1 else f"not {name}"
    assert confusion.classes == (name, rest)
    flags = [[label == name for label in column] for column in table.columns]
    for key, column in zip(("first", "second"), flags[1:], strict=True):
        expected = confusion_matrix(flags[0], column, labels=[True, False])
        assert np.array_equal(counts(confusion, key), expected)
    (kind,) = confusion.types
    tp, fn, fp, _ = confusion_matrix(flags[0], flags[1], labels=[True, False]).ravel()
    assert (kind.name, kind.first) == (name, (tp, fp, fn))


@QUICK
@given(set_tables(items=(1, 30)))
def test_sets_have_counts_by_type(table):
    outcomes = Outcomes.from_sets(*table.columns)
    confusion = confusion_of(outcomes)
    assert confusion.classes == confusion.rows == confusion.largest == ()
    names = outcomes.classes
    flags = [[[n in some for n in names] for some in c] for c in table.columns]
    expected = {}
    for k, column in enumerate(flags[1:]):
        gold, predicted = (np.array(part, dtype=int) for part in (flags[0], column))
        if len(names) == 1:
            pairs = list(zip(gold[:, 0], predicted[:, 0], strict=True))
            tallies = [[pairs.count((1, 1)), pairs.count((0, 1)), pairs.count((1, 0))]]
        else:
            cells = multilabel_confusion_matrix(gold, predicted)
            tallies = [[c[1, 1], c[0, 1], c[1, 0]] for c in cells]
        for name, some in zip(names, tallies, strict=True):
            expected[name, k] = tuple(some)
    got = {
        (one.name, k): tally
        for one in confusion.types
        for k, tally in enumerate((one.first, one.second))
    }
    # Classes of which nothing is counted are left out.
    assert got.items() <= expected.items()
    assert not any(any(expected[key]) for key in expected.keys() - got.keys())


def test_chunks_have_counts_by_type():
    gold = [["B-PER", "O"], ["O", "B-LOC"], ["B-PER", "B-LOC"]]
    first = [["O", "O"], ["O", "B-LOC"], ["B-PER", "O"]]
    second = [["B-PER", "O"], ["B-LOC", "O"], ["O", "B-LOC"]]
    table = Outcomes.from_chunks(gold, first, second, scheme="iob2")
    confusion = ComparedItems(table, metrics.f1, 0).confusion
    loc, per = confusion.types
    assert (loc.name, loc.first, loc.second) == ("LOC", (1, 0, 1), (1, 1, 1))
    assert (per.name, per.first, per.second) == ("PER", (1, 0, 1), (1, 0, 1))
    assert confusion.to_dict() == {
        "types": [
            {
                "type": "LOC",
                "first": {"tp": 1, "fp": 0, "fn": 1},
                "second": {"tp": 1, "fp": 1, "fn": 1},
            },
            {
                "type": "PER",
                "first": {"tp": 1, "fp": 0, "fn": 1},
                "second": {"tp": 1, "fp": 0, "fn": 1},
            },
        ]
    }
    (one,) = confusion_of(table.binary("LOC")).types
    assert one == loc


def test_tags_have_both(tmp_path):
    path = tmp_path / "t.tsv"
    path.write_text("Ada\tN\tN\tV\nruns\tV\tN\tV\n\nShe\tP\tP\tP\n")
    table = read_tagged(path, gold=1, systems={"a": 2, "b": 3})
    assert table.labels is None
    confusion = confusion_of(table)
    assert confusion.classes == ("N", "P", "V")
    assert counts(confusion, "first") == [[1, 0, 0], [0, 1, 0], [1, 0, 0]]
    assert counts(confusion, "second") == [[0, 0, 1], [0, 1, 0], [0, 0, 1]]
    assert confusion.unit == "tokens"
    assert [one.name for one in confusion.types] == ["N", "P", "V"]
    whole = confusion_of(
        read_tagged(path, gold=1, systems={"a": 2, "b": 3}, metric="sentence_accuracy")
    )
    assert whole.classes == ("right", "wrong")
    assert counts(whole, "second") == [[1, 1], [0, 0]]


def test_many_classes_have_the_largest_changes():
    rng = np.random.default_rng(0)
    columns = rng.integers(0, 30, size=(3, 4000)).astype(str).tolist()
    confusion = confusion_of(Outcomes.from_labels(*columns))
    assert confusion.classes == confusion.rows == confusion.totals == ()
    gold, first, second = columns
    before, after = (Counter(zip(gold, c, strict=True)) for c in (first, second))
    keys = {*before, *after}
    gaps = sorted((abs(after[key] - before[key]) for key in keys), reverse=True)
    largest = confusion.largest
    assert [abs(cell.difference) for cell in largest] == gaps[:LARGEST]
    for cell in largest:
        key = (cell.gold, cell.predicted)
        assert (cell.first, cell.second) == (before[key], after[key])
        assert cell.right == (cell.gold == cell.predicted)
    assert list(confusion.to_dict()) == ["largest"]
    assert len(confusion.types) == 30


@pytest.mark.parametrize("n", [MOST_CLASSES, MOST_CLASSES + 1])
def test_up_to_twelve_classes(n):
    labels = [f"{i:02d}" for i in range(n)]
    table = Outcomes.from_labels(labels, labels, labels[::-1], classes=[*labels, "z"])
    confusion = confusion_of(table)
    assert len(confusion.rows) == (n if n <= MOST_CLASSES else 0)
    assert len(confusion.largest) == LARGEST


def test_degenerate_tables():
    one = confusion_of(Outcomes.from_labels("aa", "aa", "aa"))
    assert one.rows == ((ConfusionCell("a", "a", 2, 2, right=True),),)
    assert one.largest == ()
    assert confusion_of(Outcomes.from_scores([1.0, 2.0], [2.0, 1.0])) is None
    numbers = {"tp": [[1, 2]], "fp": [[0, 0]], "fn": [[0, 1]]}
    counted = confusion_of(Outcomes.from_statistics(numbers))
    assert counted.rows == ()
    assert counted.types[0].second == TypeTally(2, 0, 1)
    parts = Outcomes.from_patterns(
        [["a", "b"], ["a", "a"], ["b", "b"]], [1.5, 2], systems=["x", "y"]
    )
    assert counts(confusion_of(parts), "first") == [[1.5, 0], [2, 0]]
    many = Outcomes.from_sets(*[[{f"{i}" for i in range(20)}]] * 3)
    assert len(confusion_of(many).types) == 20
    assert confusion_of(many).to_dict() is None


def test_in_the_json():
    result = lk.compare("aabc", "abbb", "aaca", metric="accuracy", seed=0)
    document = result.to_dict()["confusion"]
    assert json.loads(json.dumps(document)) == {
        "classes": ["a", "b", "c"],
        "first": [[1, 1, 0], [0, 1, 0], [0, 1, 0]],
        "second": [[2, 0, 0], [0, 0, 1], [1, 0, 0]],
    }
    assert "confusion" not in result.to_dict(details=False)
    scores = lk.compare([1.0, 2.0, 4.0], [2.0, 1.5, 3.0], metric="mean", seed=0)
    assert scores.to_dict()["confusion"] is None
    assert result.items.confusion is result.items.confusion
