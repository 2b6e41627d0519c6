"""Tables that MLflow 3.17 and Weights & Biases 0.31 wrote, read as any JSON table."""

import gzip
import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import likelier as lk
from likelier.errors import InputError
from likelier.readers import describe, read_files, read_frame

pytestmark = pytest.mark.usefixtures("one_database")

DATA = Path(__file__).parent / "data" / "tables"
MLFLOW = DATA / "mlflow_predictions.json"
WANDB = DATA / "predictions_0_bf4431f68f59e17323ba.table.json"
LONG = DATA / "long_1_1eace9aed83ad3917020.table.json"
RESULTS = [DATA / f"mlflow_eval_results_{name}.json" for name in ("small", "large")]


def columns(path):
    """Return the columns by a plain reading."""
    table = json.loads(path.read_text())
    cells = zip(*table["data"], strict=True)
    return dict(zip(table["columns"], map(list, cells), strict=True))


def mean(values):
    return float(np.mean(values))


def observed(data, metric=None):
    """Return the value of each system."""
    return [value for _, value, _ in lk.compare(data, metric=metric).per_system]


@pytest.mark.parametrize("path", [MLFLOW, WANDB])
def test_predictions_are_a_wide_table(path):
    plain = columns(path)
    right = [g == p for g, p in zip(plain["gold"], plain["small"], strict=True)]
    got = read_files(path, systems=["small", "large"], id="id")
    assert got.n_items == len(plain["gold"])
    assert observed(got, "accuracy")[0] == pytest.approx(mean(right))
    about = describe(path)
    assert (about.format, about.text, about.gold) == ("json", "question", "gold")


def test_scores_of_a_wide_table():
    plain = columns(MLFLOW)
    systems = ["small_score", "large_score"]
    got = read_files(MLFLOW, kind="scores", systems=systems, id="id")
    expected = [mean(plain[name]) for name in systems]
    assert observed(got, "mean") == pytest.approx(expected)


def test_scorers_of_two_evaluations_are_joined_on_a_field_of_the_request():
    """Truth values, and a judge's yes and no, are scores of 1 and 0."""
    for metric, true in (("exact/value", True), ("judge/value", "yes")):
        got = read_files(RESULTS, kind="scores", id="request.question", label=metric)
        expected = [mean([v == true for v in columns(p)[metric]]) for p in RESULTS]
        assert observed(got, "mean") == pytest.approx(expected)


def test_rows_of_systems_items_and_repeats():
    items = lk.read(LONG, system="model", id="item", score="score", repeat="epoch")
    plain = columns(LONG)
    scores = {}
    for model, item, score in zip(
        plain["model"], plain["item"], plain["score"], strict=True
    ):
        scores.setdefault(model, {}).setdefault(item, []).append(score)
    # One of the two repeats of an item has no value: the other is its mean.
    expected = [
        mean([mean([s for s in own if s is not None]) for own in items_of.values()])
        for items_of in scores.values()
    ]
    assert observed(items) == pytest.approx(expected)


def test_truth_values_of_a_long_table():
    path = DATA / "mlflow_long.json"
    items = lk.read(path, system="model", id="item", score=["correct", "f1"])
    plain = columns(path)
    for metric in ("correct", "f1"):
        pairs = list(zip(plain["model"], plain[metric], strict=True))
        expected = [mean([v for m, v in pairs if m == n]) for n in ("small", "large")]
        assert observed(items, metric) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (lambda t: t["columns"].__setitem__(1, "id"), "different column names; 'id'"),
        (lambda t: t["data"][7].pop(), "record 8: .* 5 values.* got 4"),
        (lambda t: t["data"][3].append(1), "record 4: .* got 6"),
        (lambda t: t["data"].__setitem__(5, {"id": 5}), "record 6: .* no list"),
        (lambda t: t["columns"].append("x"), "record 1: .* 6 values"),
        (lambda t: t["data"].clear(), "at least one item"),
    ],
)
def test_damaged_tables_are_refused_by_file_and_record(tmp_path, change, match):
    table = json.loads(WANDB.read_text())
    change(table)
    path = tmp_path / "t.table.json.gz"
    path.write_bytes(gzip.compress(json.dumps(table).encode()))
    with pytest.raises(InputError, match=match) as error:
        read_files(path, systems=["small", "large"])
    assert "t.table.json.gz" in error.value.message


def test_truth_values_are_scores_in_files_and_frames(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b\ntrue,false\nfalse,false\n")
    expected = read_files(path, kind="scores").digest
    frame = pa.table({"a": [True, False], "b": [False, False]})
    got = read_frame(frame, gold=None, systems=["a", "b"], kind="scores")
    assert got.digest == expected
    path.write_text("a,b\n1,0\n0,0\n")
    assert read_files(path, kind="scores").digest == expected
    path.write_text("a,b\ntrue,0\n1,0\n")
    with pytest.raises(InputError, match=r"'a' .*finite number .*t\.csv:2"):
        read_files(path, kind="scores")


def test_the_doctor_joins_tables_of_one_system_each():
    """By what is the same in both, here within an object; answers are no scores."""
    diagnosis = lk.doctor(*RESULTS)
    assert diagnosis.table.id == "request.question"
    assert diagnosis.table.gold is None
    assert len(diagnosis.systems) == len(RESULTS)
    scores = [advice.answers.removeprefix("mean ") for advice in diagnosis.commands]
    assert {"exact/value", "judge/value"} <= {*scores}
    assert "response" not in scores


@pytest.mark.parametrize("same", [True, False])
def test_tables_are_joined_by_what_most_of_them_share(tmp_path, same):
    """New ids in every run are no ids, and a column that all share is no score."""
    paths = [tmp_path / f"{name}.csv" for name in "ab"]
    for k, path in enumerate(paths):
        rows = [f"{k}-{i},q{i},{i},{(i + k) % 2}" for i in range(12)]
        path.write_text(
            "trace,name,row,right\n" + "\n".join(rows if same else []) + "\n"
        )
    if not same:
        with pytest.raises(InputError):
            lk.doctor(*paths)
        return
    diagnosis = lk.doctor(*paths)
    assert (diagnosis.table.id, diagnosis.table.items) == ("name", 12)
    assert [advice.answers for advice in diagnosis.commands] == ["mean right"]


def test_files_with_gold_labels_stay_labels(tmp_path):
    (tmp_path / "gold.csv").write_text("id,gold\n1,0\n2,1\n3,1\n")
    (tmp_path / "a.csv").write_text("id,pred\n1,0\n2,1\n3,0\n")
    paths = [tmp_path / "gold.csv", tmp_path / "a.csv"]
    assert lk.doctor(*paths).table.gold == "gold"
