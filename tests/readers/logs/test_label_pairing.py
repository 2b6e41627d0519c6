"""Labels of logs: items weigh alike whatever number of answers they have."""

import random
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest
from tests.readers.logs.made import write_log

import likelier as lk

FEW = {"draws": 500, "seed": 0}
LABELS = "xyz"
COLUMNS = {"system": "model", "id": "id", "gold": "gold", "label": "said"}
COLUMNS |= {"run": "seed", "repeat": "epoch"}


def answers(numbers, *, seed=0, wrong=0.4):
    """Make rows (system, item, run, repeat, gold, label, passage) of 24 items.

    Parameters
    ----------
    numbers
        How many answers a system gives to an item in each of its runs.
    """
    rng = random.Random(seed)
    rows = []
    for item in range(24):
        gold = LABELS[item % 3]
        for system, of_runs in numbers(item).items():
            for run, count in enumerate(of_runs):
                for epoch in range(count):
                    said = rng.choice(LABELS) if rng.random() < wrong else gold
                    row = (system, f"q{item}", run, epoch, gold, said, item // 4)
                    rows.append(row)
    return rows


NUMBERS = {
    "3-and-5": lambda item: {"a": [3], "b": [5]},
    "by-item": lambda item: {"a": [1 + item % 3], "b": [2]},
    "runs": lambda item: {"a": [1, 1, 1], "b": [1, 1]},
    "runs-of-repeats": lambda item: {"a": [1 + item % 2, 3], "b": [2, 2, 1]},
    "three": lambda item: {"a": [2], "b": [3], "c": [1 + item % 4]},
    "equal": lambda item: {"a": [2, 2], "b": [2, 2]},
    "single": lambda item: {"a": [1], "b": [1]},
}


def frame(rows):
    names = ("model", "id", "seed", "epoch", "gold", "said", "passage")
    return pa.table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))


def shares(rows):
    """Return what each row counts: items alike, then runs, then answers."""
    return [
        Fraction(1, len({o[2] for o in rows if o[:2] == r[:2]}))
        / sum(o[:3] == r[:3] for o in rows)
        for r in rows
    ]


def plain(rows, metric):
    """Compute accuracy or macro F1 of each system, one row after the other."""
    weights, values = shares(rows), []
    for system in dict.fromkeys(row[0] for row in rows):
        own = [
            (*row[4:6], w)
            for row, w in zip(rows, weights, strict=True)
            if row[0] == system
        ]
        if metric == "accuracy":
            value = sum(w for gold, said, w in own if gold == said) / 24
        else:
            f1 = []
            for label in LABELS:
                tp = sum(w for gold, said, w in own if gold == said == label)
                either = sum(w * ((g == label) + (s == label)) for g, s, w in own)
                f1.append(2 * tp / either)
            value = sum(f1) / len(f1)
        values.append(float(value))
    return values


@pytest.mark.parametrize("metric", ["accuracy", "macro_f1"])
@pytest.mark.parametrize("name", NUMBERS)
def test_values_are_those_of_items_that_weigh_alike(name, metric):
    rows = answers(NUMBERS[name])
    known, table = lk.read(frame(rows), **COLUMNS).table(metric)
    assert known.observed(table) == pytest.approx(plain(rows, metric))
    assert table.n_units == table.n_items == 24
    known, table = lk.read(frame(rows), **COLUMNS, cluster="passage").table(metric)
    assert known.observed(table) == pytest.approx(plain(rows, metric))
    assert (table.n_units, table.n_items) == (6, 24)


@pytest.mark.parametrize("name", ["3-and-5", "by-item", "runs-of-repeats"])
def test_each_item_adds_what_its_answers_add_on_average(name):
    rows = answers(NUMBERS[name])
    weights = shares(rows)
    _, table = lk.read(frame(rows), **COLUMNS).table("accuracy")
    sums = table.per_pattern("correct") / table.sizes[:, np.newaxis]
    counted = [tuple(row) for row in np.repeat(sums, table.counts.astype(int), axis=0)]
    right = {}
    for row, weight in zip(rows, weights, strict=True):
        key = row[1], row[0]
        right[key] = right.get(key, 0) + weight * (row[4] == row[5])
    each = [tuple(float(right[f"q{i}", s]) for s in "ab") for i in range(24)]
    assert sorted(counted) == [pytest.approx(one) for one in sorted(each)]


def test_items_of_all_tasks_weigh_alike():
    rows = {task: answers(NUMBERS[task], seed=i) for i, task in enumerate(NUMBERS)}
    del rows["three"]
    data = [
        frame(of).append_column("task", pa.array([task] * len(of)))
        for task, of in rows.items()
    ]
    items = lk.read(pa.concat_tables(data), **COLUMNS, group="task")
    result = lk.compare_groups(items, metric="accuracy", by="task", **FEW)
    each = np.array([plain(of, "accuracy") for of in rows.values()])
    whole = result.averages[1]
    assert [row.support for row in result.rows] == [24] * len(rows)
    assert whole.settings.data.amount == f"{24 * len(rows)} items"
    assert whole.difference == pytest.approx(float((each[:, 1] - each[:, 0]).mean()))


def test_a_class_of_items_with_several_answers_is_no_count_of_items():
    rows = answers(NUMBERS["by-item"])
    table = lk.read(frame(rows), **COLUMNS).table("accuracy")[1]
    weights = shares(rows)
    said = sum(w for row, w in zip(rows, weights, strict=True) if row[5] == "x")
    sums = table.binary("x").sums()
    assert float((sums["tp"] + sums["fp"]).sum()) == pytest.approx(float(said))
    estimate = lk.estimate(table.named("a"), metric="precision", positive="x", **FEW)
    assert estimate.settings.method != "exact-law"
    for method, reason in (("p-test", "one answer each"), ("mcnemar", "right or wro")):
        with pytest.raises(lk.LikelierError, match=reason):
            lk.null_test(table, metric="accuracy", method=method)


def test_accuracy_is_the_mean_of_scores():
    rows = answers(NUMBERS["runs-of-repeats"])
    data = frame(rows)
    right = [float(row[4] == row[5]) for row in rows]
    data = data.append_column("right", pa.array(right))
    of_labels = lk.compare(lk.read(data, **COLUMNS), metric="accuracy", **FEW)
    parts = {k: v for k, v in COLUMNS.items() if k not in ("gold", "label")}
    of_scores = lk.compare(lk.read(data, **parts, score="right"), **FEW)
    assert of_labels.difference == pytest.approx(of_scores.difference)
    assert [*of_labels.hdi] == pytest.approx([*of_scores.hdi], abs=0.01)


def test_answers_given_twice_change_nothing():
    rows = answers(NUMBERS["by-item"])
    twice = [
        *rows,
        *((*row[:3], row[3] + 9, *row[4:]) for row in rows if row[0] == "a"),
    ]
    one, other = (
        lk.compare(lk.read(frame(own), **COLUMNS), metric="macro_f1", **FEW)
        for own in (rows, twice)
    )
    assert one.difference == pytest.approx(other.difference)
    means = [r.posterior.difference.mean() for r in (one, other)]
    assert means[0] == pytest.approx(means[1], rel=1e-6)


def test_clusters_of_single_answers_are_those_of_labels(tmp_path):
    gold = [i % 2 for i in range(30)]
    said = [[(i * k) % 5 % 2 for i in range(30)] for k in (1, 2)]
    for name, of in zip("ab", said, strict=True):
        rows = {i: {"f1": [gold[i], of[i]]} for i in range(30)}
        write_log(tmp_path / name, rows, doc=lambda item: {"page": item // 3})
    items = lk.read(tmp_path / "a", tmp_path / "b", cluster="doc.page")
    result = lk.compare(items, metric="f1", **FEW)
    page = [i // 3 for i in range(30)]
    same = lk.compare(gold, *said, metric="f1", cluster=page, **FEW)
    assert result.settings.data.units == 10
    assert result.difference == same.difference
    assert result.posterior.difference.mean() == same.posterior.difference.mean()
    with pytest.raises(lk.LikelierError, match=r"'doc.x'.* has none"):
        lk.read(tmp_path / "a", cluster="doc.x").table("f1")


def test_items_that_differ_have_their_names():
    rows = answers(NUMBERS["single"])
    _, table = lk.read(frame(rows), **COLUMNS).table("accuracy")
    names = {name for of in table.items.ids for name in of}
    said = {row[:2]: row[5] for row in rows}
    assert names == {
        f"q{i}" for i in range(24) if said["a", f"q{i}"] != said["b", f"q{i}"]
    }


@pytest.mark.parametrize("name", ["by-item", "equal"])
def test_items_that_differ_in_some_answers_count_for_these(name):
    rows = answers(NUMBERS[name])
    _, table = lk.read(frame(rows), **COLUMNS).table("accuracy")
    first, second = (24 * value for value in plain(rows, "accuracy"))
    changes = lk.compare(table, metric="accuracy", **FEW).items.changes
    assert changes.total == 24
    assert changes.second_right - changes.first_right == pytest.approx(second - first)


def test_missing_and_failed_answers_to_items_with_several():
    rows = [
        ("a", "q1", 0, 0, "x", "x", 0),
        ("a", "q1", 0, 1, "x", None, 0),
        ("a", "q2", 0, 0, "y", "x", 0),
        ("b", "q1", 0, 0, "x", "x", 0),
        ("b", "q1", 0, 1, "x", "y", 0),
        ("b", "q1", 0, 2, "x", "y", 0),
    ]
    data = frame(rows)

    def values(**rules):
        metric, table = lk.read(data, **COLUMNS, **rules).table("accuracy")
        return [*metric.observed(table)], table

    with pytest.raises(lk.LikelierError, match=r"not in all logs: 1 of b \(q2\)"):
        values()
    got, table = values(on_missing="drop")
    assert got == pytest.approx([1, 1 / 3])
    assert [f.code for f in table.findings][:2] == ["LIK150", "LIK151"]
    got, _ = values(on_missing="drop", on_error="wrong")
    assert got == pytest.approx([1 / 2, 1 / 3])
    got, _ = values(on_missing="wrong", on_error="wrong")
    assert got == pytest.approx([1 / 4, 1 / 6])
    with pytest.raises(lk.LikelierError, match=r"failed .* 1 of a \(q1\)"):
        values(on_missing="drop", on_error="fail")


def test_gold_labels_of_answers_side_by_side_must_be_equal():
    shuffled = [
        (system, "q1", 0, epoch, "xy"[epoch], "x", 0)
        for system in "ab"
        for epoch in range(2)
    ]
    _, table = lk.read(frame(shuffled), **COLUMNS).table("accuracy")
    assert table.n_units == 1
    # A third answer of one system: which gold labels belong together is not known.
    more = [*shuffled, ("b", "q1", 0, 2, "x", "x", 0)]
    with pytest.raises(lk.LikelierError, match=r"row 3: the gold label of 'q1'"):
        lk.read(frame(more), **COLUMNS).table("accuracy")


@pytest.mark.parametrize("below", [60, 760])  # theirs is 2e21, and no float any more
def test_numbers_of_answers_without_a_common_multiple_are_refused(below):
    primes = [p for p in range(2, below) if all(p % k for k in range(2, p))]
    rows = [
        (system, f"q{p}", 0, epoch, "x", "x", 0)
        for p in primes
        for system, answers in (("a", p), ("b", 1))
        for epoch in range(answers)
    ]
    with pytest.raises(lk.LikelierError, match="common multiple"):
        lk.read(frame(rows), **COLUMNS).table("accuracy")
