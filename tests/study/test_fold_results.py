"""Stored folds put together again: metrics of folds, what is missing, what is odd."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from seqeval.metrics import f1_score as chunk_f1
from sklearn import metrics as measures
from tests.study.plainly import (
    TWO,
    Commonest,
    Fewest,
    accuracy,
    loop,
    points,
    ran,
    sentences,
)

from likelier import designs
from likelier.errors import InputError, LikelierError
from likelier.study import ObjectSystem, Store, Study, StudyData, read_study, run
from likelier.study.fold_results import FoldResults
from likelier.study.records import Record
from likelier.study.schedule import FoldKey

FEW = {"draws": 1000}
MX2 = designs.BlockedMx2(2, seed=1)
FOLDS = designs.k_fold(3, seed=1)


def store_of(tmp_path, data, systems, design, name="s.db", **settings):
    study = Study(data=data, systems=systems, design=design, seed=5, **settings)
    return ran(study, tmp_path / name)


def collected(path):
    with Store(path, readonly=True) as kept:
        return FoldResults.of(kept)


def changed(path, statement, *values):
    """Change a store behind its back."""
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(statement, values)
    connection.close()


def codes(report):
    return [finding.code for finding in report.findings]


# --- metrics of folds ---------------------------------------------------------

LABELS = {
    "accuracy": measures.accuracy_score,
    "mcc": measures.matthews_corrcoef,
    "kappa": measures.cohen_kappa_score,
    "macro_f1": lambda g, s: measures.f1_score(g, s, average="macro"),
    "weighted_recall": lambda g, s: measures.recall_score(g, s, average="weighted"),
    "f1": lambda g, s: measures.f1_score(g, s, pos_label="b", average="binary"),
}


@pytest.mark.parametrize("design", [MX2, FOLDS], ids=["mx2", "k-fold"])
def test_metrics_of_each_fold(tmp_path, design):
    data = points(60, classes="ab")
    path = store_of(
        tmp_path, data, TWO, design, metrics=list(LABELS), positive="b", rope=0.1
    )
    rows = {
        (row.system, row.repetition, row.fold): row.values
        for row in read_study(path, **FEW).folds
    }
    per_run = 2 if design is MX2 else 3
    for name, system in TWO.items():
        folds = loop(*data, system, list(design.split(60, data[1])))
        for index, (_, _, gold, predicted) in enumerate(folds):
            values = rows[name, index // per_run + 1, index % per_run + 1]
            wanted = {
                metric: score(gold, predicted) for metric, score in LABELS.items()
            }
            assert values == pytest.approx(wanted, rel=1e-12)
    assert len(rows) == 2 * design.get_n_splits()


def test_rows_stand_in_the_order_of_the_plan(tmp_path):
    path = store_of(tmp_path, points(), TWO, MX2)
    results = collected(path)
    keys = [planned.key for planned in results.schedule.folds]
    assert [FoldKey(*_key(row)) for row in results.rows(["accuracy"])] == keys
    assert results.numbers("data") == [(1, 1), (1, 2), (2, 1), (2, 2)]
    assert results.complete("data", list(TWO))


def _key(row):
    return row.dataset, row.system, row.repetition, row.fold


def test_chunks_of_each_fold(tmp_path):
    data = sentences(45)
    systems = {"a": Commonest(), "b": Commonest(before=True)}
    study = StudyData(*data, "chunks", scheme="iob2")
    path = store_of(tmp_path, study, systems, FOLDS, metrics="f1")
    for name, system in systems.items():
        folds = loop(*data, system, list(FOLDS.split(45)))
        rows = [row for row in read_study(path).folds if row.system == name]
        values = [row.values["f1"] for row in rows]
        wanted = [chunk_f1(gold, predicted) for *_, gold, predicted in folds]
        assert values == pytest.approx(wanted, rel=1e-12)


# --- classes that folds lack --------------------------------------------------


def rare(n=45):
    """Class c has one item: two of three folds lack it."""
    rows, labels = points(n, classes="ab")
    return rows, ["c", *labels[1:]]


def test_a_class_that_folds_lack(tmp_path):
    data = rare()
    path = store_of(
        tmp_path, data, TWO, FOLDS, metrics=["f1", "macro_f1"], positive="c"
    )
    report = read_study(path)
    by_hand = {
        name: [
            measures.f1_score(
                gold,
                list(map(str, predicted)),
                labels=["c"],
                average="macro",
                zero_division=0,
            )
            for *_, gold, predicted in loop(
                *data, system, list(FOLDS.split(45, data[1]))
            )
        ]
        for name, system in TWO.items()
    }
    for name, values in by_hand.items():
        rows = [row.values["f1"] for row in report.folds if row.system == name]
        assert rows == pytest.approx(values, abs=1e-12)
    assert len(report.results) == 2


@pytest.mark.parametrize("design", [MX2, FOLDS], ids=["mx2", "k-fold"])
def test_a_type_of_chunks_that_folds_lack(tmp_path, design):
    inputs, gold = sentences(45)
    inputs, gold = [["acme", "sees"], *inputs], [["B-ORG", "O"], *gold]
    data = StudyData(inputs, gold, "chunks", scheme="iob2")
    systems = {"a": Commonest(), "b": ObjectSystem(Commonest(), scheme="iobes")}
    path = store_of(tmp_path, data, systems, design, metrics="f1", positive="ORG")
    report = read_study(path, **FEW)
    # Nobody can know the one item: it is missed where it is tested.
    assert {row.values["f1"] for row in report.folds} == {0.0}
    assert report.results[0].difference == 0
    with pytest.raises(LikelierError, match="positive must be one of LOC, ORG, PER"):
        read_study(path, positive="B-ORG")


@pytest.mark.parametrize("design", [MX2, FOLDS], ids=["mx2", "k-fold"])
def test_a_label_of_sets_that_folds_lack(tmp_path, design):
    gold = [{"c"}, *([{"a"}, {"a", "b"}] * 12)]
    data = StudyData(["some"] * 25, gold, "sets")
    systems = {"many": Fewest(0.01), "few": Fewest(0.6)}
    path = store_of(tmp_path, data, systems, design, metrics="f1", positive="c")
    report = read_study(path, **FEW)
    assert len(report.results) == 1
    with pytest.raises(LikelierError, match="positive must be one of a, b, c"):
        read_study(path, positive="d")


def test_a_positive_that_no_item_has(tmp_path):
    path = store_of(tmp_path, points(), TWO, MX2)
    with pytest.raises(LikelierError, match="positive must be one of ham, spam"):
        read_study(path, metrics=["f1"], positive="spm")


# --- tokens that training had -------------------------------------------------


def seen_in(folds):
    """Sentences of the same words, and one with another, which one fold tests."""
    inputs = [["a", "b"] for _ in range(30)]
    gold = [["X", "Y"] if i % 3 else ["X", "X"] for i in range(30)]
    for i in folds:
        inputs[i] = ["a", f"new {i}"]
    return StudyData(inputs, gold, "tags")


TAGGERS = {"a": Commonest(default="X"), "b": Commonest(default="Y")}


def test_a_fold_without_unseen_tokens(tmp_path):
    path = store_of(tmp_path, seen_in([4]), TAGGERS, FOLDS)
    report = read_study(path)
    values = [row.values["oov_accuracy"] for row in report.folds]
    assert values.count(None) == 4
    assert [answer.settings.metric for answer in report.results] == [
        "token_accuracy",
        "sentence_accuracy",
    ]
    assert "LIK142" in codes(report)
    (remark,) = (f for f in report.findings if f.code == "LIK142")
    assert "on 4 folds, such as" in remark.message
    assert "FoldRow(" not in remark.message
    values = [fold["values"]["oov_accuracy"] for fold in report.to_dict()["folds"]]
    assert values.count(None) == 4


def test_a_fold_of_mx2_without_unseen_tokens(tmp_path):
    """All folds together have some: that is enough for m x 2."""
    path = store_of(tmp_path, seen_in([4]), TAGGERS, MX2)
    report = read_study(path, **FEW)
    assert report.answer("oov_accuracy").settings.data.items == 2


def test_no_unseen_tokens_at_all(tmp_path):
    path = store_of(tmp_path, seen_in([]), TAGGERS, MX2)
    report = read_study(path, **FEW)
    answered = [answer.settings.metric for answer in report.results]
    assert answered == ["token_accuracy", "sentence_accuracy"]
    assert "LIK142" in codes(report)


# --- what is missing ----------------------------------------------------------


@pytest.fixture
def mx2(tmp_path):
    return store_of(tmp_path, points(), TWO, MX2)


def test_no_answer_without_all_folds(mx2):
    whole = read_study(mx2, **FEW)
    assert whole.finished
    changed(
        mx2,
        "DELETE FROM results WHERE system = 'bayes' AND repetition = 2 AND fold = 1",
    )
    report = read_study(mx2, **FEW)
    assert report.results == ()
    assert not report.finished
    assert len(report.folds) == 7
    assert report.sentence() == "study: 7 of 8 folds finished"
    stump, bayes = report.tallies
    assert (stump.finished, bayes.finished, bayes.planned) == (4, 3, 4)
    left = [r for r in whole.folds if r.system == "bayes"]
    left = [r.values["accuracy"] for r in left if (r.repetition, r.fold) != (2, 1)]
    assert bayes.means["accuracy"] == pytest.approx(np.mean(left), rel=1e-12)
    assert report.settings.data.digest != whole.settings.data.digest


def test_finished_systems_are_compared_when_named(tmp_path):
    systems = {**TWO, "late": Fewest(0.5)}  # it cannot give labels: it fails
    path = store_of(tmp_path, points(), systems, MX2)
    report = read_study(path, **FEW)
    assert report.results == ()
    assert len(report.failures) == 4
    report = read_study(path, systems=list(TWO), draws=1000)
    assert report.finished
    assert len(report.results) == 1
    assert report.failures == ()


def test_one_system(tmp_path):
    path = store_of(tmp_path, points(), {"stump": TWO["stump"]}, FOLDS)
    report = read_study(path)
    assert report.finished
    assert report.results == ()
    assert len(report.folds) == 3
    assert report.sentence() == "study: 3 of 3 folds finished"


class Moody:
    """Fails on the folds whose training items it does not like."""

    def __init__(self, bad):
        self.bad = bad

    def fit(self, inputs, gold):
        if inputs[0, 0] in self.bad:
            message = "not today"
            raise RuntimeError(message)

    def predict(self, inputs):
        return ["ham"] * len(inputs)


def test_failed_folds(tmp_path):
    rows, labels = points()
    train, _ = next(iter(FOLDS.split(60, labels)))
    bad = [float(rows[train[0], 0])]
    systems = {"stump": TWO["stump"], "moody": Moody(bad)}
    path = store_of(tmp_path, (rows, labels), systems, FOLDS)
    report = read_study(path)
    firsts = [t[0] for t, _ in FOLDS.split(60, labels)]
    failed = [i + 1 for i, first in enumerate(firsts) if rows[first, 0] in bad]
    assert [failure.fold for failure in report.failures] == failed
    assert {failure.system for failure in report.failures} == {"moody"}
    failure = report.failures[0]
    assert failure.error == "RuntimeError: not today"
    assert "raise RuntimeError(message)" in failure.details
    count = len(failed)
    assert report.progress() == f"{6 - count} of 6 folds finished, {count} failed"
    assert report.results == ()
    assert [tally.failed for tally in report.tallies] == [0, count]


class Late:
    """Fails as long as a file is missing."""

    def __init__(self, path):
        self.path = path

    def fit(self, inputs, gold):
        if not Path(self.path).exists():
            message = "too early"
            raise ValueError(message)

    def predict(self, inputs):
        return ["ham"] * len(inputs)


def test_a_failed_fold_that_was_run_again(tmp_path):
    late = Late(str(tmp_path / "ready"))
    systems = {"a": TWO["stump"], "b": late}
    study = Study(data=points(), systems=systems, design=FOLDS, seed=1)
    first = run(study, tmp_path / "s.db", engine="threads", workers=1)
    assert len(first.failures) == 3
    (tmp_path / "ready").touch()
    again = run(study, tmp_path / "s.db", engine="threads", workers=1)
    assert again.failures == ()
    assert again.finished
    assert len(again.results) == 1


# --- what is odd --------------------------------------------------------------


def test_damaged_folds_are_left_out(mx2):
    changed(
        mx2, "UPDATE results SET record = x'00' WHERE system = 'stump' AND fold = 1"
    )
    report = read_study(mx2)
    assert report.results == ()
    assert len(report.folds) == 6
    (remark,) = report.remarks
    assert (remark.code, remark.severity) == ("LIK140", "warning")
    assert remark.message.startswith("2 stored folds without a matching checksum")
    assert codes(report) == ["LIK140"]


def test_folds_of_different_versions(mx2):
    with Store(mx2) as kept:
        plan = kept.schedule()
        key = plan.folds[0].key
        result = kept.results(plan.folds)[0][key]
        kept.save(replace(result, versions={**result.versions, "python": "3.0.0"}))
    report = read_study(mx2, **FEW)
    (remark,) = report.remarks
    assert remark.code == "LIK141"
    assert "python (3.0.0, " in remark.message
    assert len(report.results) == 1


def test_versions_alike_leave_no_finding(mx2):
    assert read_study(mx2, **FEW).remarks == ()


def test_systems_with_other_gold_labels_are_refused(mx2):
    results = collected(mx2)
    key = FoldKey("data", "bayes", 1, 1)
    record = results.records[key]
    turned = replace(record, gold=record.gold[::-1])
    other = replace(results, records={**results.records, key: turned})
    with pytest.raises(InputError, match="must have the same gold labels"):
        other.outcomes("data", "accuracy", systems=list(TWO))


def test_the_hash_is_that_of_what_systems_said(tmp_path):
    one, same, other = (
        collected(store_of(tmp_path, data, TWO, MX2, name=f"{i}.db"))
        for i, data in enumerate((points(), points(), points(seed=1)))
    )
    assert one.digest == same.digest
    assert one.digest != other.digest
    key = FoldKey("data", "bayes", 1, 1)
    record = one.records[key]
    predicted = record.predicted.copy()
    predicted[0] = 1 - predicted[0]
    result = replace(
        one.results[key], record=replace(record, predicted=predicted).to_bytes()
    )
    turned = replace(one, results={**one.results, key: result})
    assert turned.digest != one.digest


def test_outcomes_of_some_folds(mx2):
    results = collected(mx2)
    data = points()
    (_, _, gold, predicted), *_ = loop(
        *data, TWO["bayes"], list(MX2.split(60, data[1]))
    )
    table = results.outcomes("data", "accuracy", systems=["bayes"], numbers=[(1, 1)])
    assert table.n_items == len(gold)
    key = FoldKey("data", "bayes", 1, 1)
    assert results.value(key, "accuracy") == accuracy(gold, predicted)


def test_records_are_read(mx2):
    results = collected(mx2)
    assert results.records is results.records
    assert all(isinstance(record, Record) for record in results.records.values())
