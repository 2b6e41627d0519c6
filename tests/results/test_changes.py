"""Changed items one by one, and by label, against plain loops over all items."""

from collections import Counter
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given
from tests.conftest import QUICK, label_tables, set_tables

from likelier import Outcomes, metrics
from likelier.results.changed_items import changed_items
from likelier.results.label_changes import MOST_LABELS, LabelChanges

NEVER = 10**9


def changes_of(table, metric=metrics.accuracy, most=NEVER):
    return changed_items(table, metric, most)


def by_label(changes):
    return {c.label: (c.fixed, c.broken) for c in changes.by_label}


def direction(gold, first, second):
    return "fixed" if second == gold else "broken" if first == gold else "other"


@QUICK
@given(label_tables(items=(1, 40)))
def test_labels_one_by_one(table):
    rows = list(zip(*table.columns, strict=True))
    texts = [f"text {i}" for i in range(len(rows))]
    groups = [f"g{i % 3}" for i in range(len(rows))]
    clustered = Outcomes.from_labels(*table.columns, texts=texts, cluster=groups)
    changes = changes_of(clustered)
    listed = changes.listed(most=NEVER)
    expected = {
        f"item {i}": (direction(*row), *row, texts[i], groups[i], 2)
        for i, row in enumerate(rows)
        if row[1] != row[2]
    }
    got = {
        item.id: tuple(getattr(item, f.name) for f in fields(item))[1:]
        for item in listed.items
    }
    assert got.items() <= expected.items()
    assert len(got) + listed.left_out == len(expected) == changes.items
    counts = {label: [0, 0] for label in dict.fromkeys(table.gold)}
    for gold, first, second in rows:
        if first != second and gold in (first, second):
            counts[gold][gold != second] += 1
    assert by_label(changes) == {k: tuple(v) for k, v in counts.items() if any(v)}
    same = [(g, a) for g, a, b in rows if a == b]
    assert changes.unchanged == len(same)
    assert changes.unchanged_right == sum(g == a for g, a in same)
    assert changes.unchanged_wrong == sum(g != a for g, a in same)


@QUICK
@given(label_tables(items=(1, 40), classes=(2, 4)))
def test_one_class_against_the_rest(table):
    name = table.gold[0]
    changes = changes_of(table.outcomes().binary(name), metrics.f1)
    counts = {label: [0, 0] for label in table.gold}
    right = 0
    for gold, *both in zip(*table.columns, strict=True):
        first, second = ((label == name) == (gold == name) for label in both)
        right += first and second
        counts[gold][0] += second and not first
        counts[gold][1] += first and not second
    assert by_label(changes) == {k: tuple(v) for k, v in counts.items() if any(v)}
    # Labels that differ, both of them not the class, are right for the metric.
    assert changes.unchanged_right == right


@QUICK
@given(set_tables(items=(1, 30)))
def test_sets_by_every_label(table):
    outcomes = Outcomes.from_sets(*table.columns)
    counts = Counter()
    for gold, first, second in zip(*table.columns, strict=True):
        for label in {*gold, *first, *second}:
            wrong = [(label in some) != (label in gold) for some in (first, second)]
            if wrong[0] != wrong[1]:
                counts[label, "fixed" if wrong[0] else "broken"] += 1
    labels = {label for label, _ in counts}
    expected = {x: (counts[x, "fixed"], counts[x, "broken"]) for x in labels}
    changes = changes_of(outcomes)
    assert by_label(changes) == expected
    rows = list(zip(*(map(frozenset, column) for column in table.columns), strict=True))
    assert changes.unchanged_right == sum(g == a == b for g, a, b in rows)
    listed = Counter(item.direction for item in changes.listed(most=NEVER).items)
    assert listed == Counter(direction(*row) for row in rows if row[1] != row[2])
    for name in outcomes.classes[:1]:
        one = changes_of(outcomes.binary(name), metrics.f1)
        assert by_label(one) == {k: v for k, v in expected.items() if k == name}


def test_chunks_by_type():
    gold = [["B-PER", "O"], ["O", "B-LOC"], ["B-PER", "B-LOC"]]
    first = [["O", "O"], ["O", "B-LOC"], ["B-PER", "O"]]
    second = [["B-PER", "O"], ["B-LOC", "O"], ["O", "B-LOC"]]
    table = Outcomes.from_chunks(gold, first, second, scheme="iob2", cluster="ddd")
    changes = changes_of(table, metrics.f1)
    assert by_label(changes) == {"PER": (1, 1), "LOC": (1, 1)}
    assert (changes.unchanged, changes.unchanged_right) == (0, 0)
    directions = {i.id: (i.direction, i.group) for i in changes.listed().items}
    assert directions == {
        "sentence 0": ("fixed", "d"),
        "sentence 1": ("broken", "d"),
        "sentence 2": ("other", "d"),
    }


@pytest.mark.parametrize("higher", [True, False])
def test_scores_are_better_or_worse(higher):
    loss = replace(metrics.mean, name="m", higher_is_better=higher)
    table = Outcomes.from_scores([1.0, 2.0, 3.0], [2.0, 1.0, 3.0])
    changes = changes_of(table, loss)
    directions = {item.id: item.direction for item in changes.listed().items}
    up, down = ("fixed", "broken") if higher else ("broken", "fixed")
    assert directions == {"item 0": up, "item 1": down}
    assert changes.by_label == ()
    assert changes.unchanged == 1
    assert changes.unchanged_right is changes.unchanged_wrong is None


def test_rare_changes_are_seen():
    gold = ["a"] * 500 + ["b", "c"]
    second = ["a"] * 500 + ["b", "d"]
    table = Outcomes.from_labels(gold, ["d"] * 501 + ["a"], second)
    listed = changes_of(table).listed(most=5)
    assert [item.gold for item in listed.items] == ["a", "b", "c", "a", "a"]
    assert [item.direction for item in listed.items][:3] == ["fixed", "fixed", "other"]
    assert listed.left_out == 497
    # A row has at most 20 examples.
    assert len(changes_of(table).listed().items) == 22
    assert changes_of(table).listed(most=0).items == ()
    assert changes_of(table, most=1).listed().left_out == 482


def test_many_labels():
    labels = [f"l{i:02d}" for i in range(20) for _ in range(i + 1)]
    table = Outcomes.from_labels(labels, ["no"] * len(labels), labels)
    *first, rest = changes_of(table).by_label
    assert [c.label for c in first] == [
        f"l{i:02d}" for i in range(19, 19 - MOST_LABELS, -1)
    ]
    assert first[0] == LabelChanges("l19", 20, 0)
    assert rest == LabelChanges(None, sum(range(1, 9)), 0, labels=8)
    assert isinstance(rest.fixed, int)


def test_nothing_changes():
    changes = changes_of(Outcomes.from_labels("aab", "aba", "aba"))
    assert changes.by_label == changes.listed().items == ()
    assert changes.listed().left_out == 0
    assert (changes.unchanged_right, changes.unchanged_wrong) == (1, 2)


@pytest.mark.parametrize("n", [2, 3])
def test_no_statistics_change(n):
    counts = {"edits": [1, 0, 2], "words": [3, 4, 5]}
    table = Outcomes.from_statistics(*[counts] * n)
    rate = metrics.Metric(
        "rate",
        statistics=("edits", "words"),
        formula=lambda edits, words: edits / words,
    )
    changes = changes_of(table.only(0, 1), rate)
    assert (changes.items, changes.unchanged) == (0, 3)
    assert changes.by_label == changes.listed().items == ()


def test_counted_rows_without_names():
    table = Outcomes.from_patterns(
        [["a", "a"], ["a", "b"], ["b", "a"]], [2.5, 1], systems=["x", "y"]
    )
    changes = changes_of(table)
    assert changes.listed().items == ()
    assert changes.listed().left_out == 3.5
    assert by_label(changes) == {"a": (1, 2.5)}
    assert changes.unchanged_right == 0


def test_hostile_texts_are_spelt_out():
    texts = ["\x1b[31m::error::\u202e", "\ud800"]
    table = Outcomes.from_labels("ab", "ab", "ba", texts=texts, cluster=["\x07", "g"])
    items = {item.id: item for item in changes_of(table).listed().items}
    assert items["item 0"].text == "\\x1b[31m::error::\\u202e"
    assert items["item 0"].group == "\\x07"
    assert items["item 1"].text == "\\ud800"


def test_many_rows_are_fast():
    rng = np.random.default_rng(0)
    sets = [
        [{str(v) for v in row} for row in rng.integers(0, 12, size=(20_000, 3))]
        for _ in range(3)
    ]
    changes = changes_of(Outcomes.from_sets(*sets), most=200)
    assert len(changes.by_label) == 12
    assert len(changes.listed().items) == 200
