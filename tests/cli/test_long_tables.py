"""Tables with a row per system and item, or a column of tasks, against plain means."""

import json
import random
import shlex
from itertools import product

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import f1_score
from tests.cli.conftest import FEW, table

import likelier as lk
from likelier.results.parts import Matrices

HEADER = ("model", "task", "item", "seed", "epoch", "correct", "gold", "pred")
PARTS = ("--system", "model", "--id", "item")
ALL = (*PARTS, "--score", "correct", "--run", "seed", "--repeat", "epoch")


def rows():
    rng = random.Random(7)
    right = {"base": 0.5, "new": 0.8, "third": 0.6}
    made = []
    for (model, share), task, i in product(right.items(), ("t1", "t2"), range(40)):
        for seed, epoch in product((1, 2), (1, 2)):
            correct = int(rng.random() < share)
            gold = "xy"[i % 2]
            pred = gold if correct else "yx"[i % 2]
            made.append((model, task, f"{task}-{i}", seed, epoch, correct, gold, pred))
    rng.shuffle(made)
    return made


ROWS = rows()
FRAME = pd.DataFrame(ROWS, columns=HEADER)


@pytest.fixture
def long(tmp_path, monkeypatch):
    (tmp_path / "long.csv").write_text(table(ROWS, HEADER))
    monkeypatch.chdir(tmp_path)
    return "long.csv"


def answer(ended):
    assert ended.code == 0, ended
    return json.loads(ended.out)


def mean(**wanted):
    kept = FRAME
    for name, value in wanted.items():
        kept = kept[kept[name] == value]
    return kept.correct.mean()


def test_repeats_and_runs_are_summed_within_items(long, call):
    words = ("compare", long, *ALL, "--systems", "base,new", *FEW, "--json", "-")
    document = answer(call(*words))
    values = [one["value"] for one in document["estimates"]]
    assert values == pytest.approx([mean(model="base"), mean(model="new")])
    assert document["items"] == 80
    assert [f["code"] for f in document["findings"]] == ["LIK153"]
    same = lk.compare(
        FRAME,
        system="model",
        id="item",
        score="correct",
        run="seed",
        repeat="epoch",
        systems=["base", "new"],
        draws=1000,
        seed=0,
    )
    assert same.probability.better == document["probability"]["better"]


def test_tasks_stand_side_by_side(long, call):
    words = ("compare", long, *ALL, "--group", "task", "--systems", "base,new")
    document = answer(call(*words, *FEW, "--json", "-"))
    same = lk.compare_groups(
        FRAME,
        system="model",
        id="item",
        score="correct",
        run="seed",
        repeat="epoch",
        group="task",
        systems=["base", "new"],
        draws=1000,
        seed=0,
    )
    assert {row.name for row in same.rows} == {"t1", "t2"}
    for row in same.rows:
        first, second = row.comparison.settings.data.observed
        assert first == pytest.approx(mean(model="base", task=row.name))
        assert second == pytest.approx(mean(model="new", task=row.name))
    shown = {row.name: row.comparison.probability.better for row in same.rows}
    groups = document["groups"]
    assert {g["group"]: g["probability"]["better"] for g in groups} == shown
    alone = answer(call(*words, "--task", "t2", *FEW, "--json", "-"))
    assert alone["items"] == 40


def test_labels_have_any_metric_of_labels(long, call):
    words = (*PARTS, "--label", "pred", "--run", "seed", "--repeat", "epoch")
    words = ("compare", long, *words, "--systems", "base,new", *FEW, "--json", "-")
    of_labels = answer(call(*words))
    assert of_labels["metric"] == "accuracy"
    values = [one["value"] for one in of_labels["estimates"]]
    assert values == pytest.approx([mean(model="base"), mean(model="new")])
    assert answer(call(*words, "--metric", "macro_f1"))["units"] == 80


def test_accuracies_of_tasks_have_a_mean(long, call):
    words = (*PARTS, "--label", "pred", "--run", "seed", "--repeat", "epoch")
    words = ("compare", long, *words, "--group", "task", "--systems", "base,new")
    document = answer(call(*words, *FEW, "--json", "-"))
    first, pooled = document["averages"]
    for average in (first, pooled):
        values = [one["value"] for one in average["estimates"]]
        assert values == pytest.approx([mean(model="base"), mean(model="new")])
    of_scores = answer(
        call("compare", long, *ALL, *words[-4:], *FEW, "--json", "-"),
    )
    both = [d["averages"][0]["probability"] for d in (document, of_scores)]
    assert both[0] == both[1]


def test_rank_estimate_and_plan_take_them_too(long, call):
    ranking = answer(call("rank", long, *ALL, *FEW, "--json", "-"))
    assert ranking["best"]["system"] == "new"
    same = lk.rank(
        FRAME,
        system="model",
        id="item",
        score="correct",
        run="seed",
        repeat="epoch",
        draws=1000,
        seed=0,
    )
    assert same.to_dict()["ranks"] == ranking["ranks"]
    estimates = answer(call("estimate", long, *ALL, *FEW, "--json", "-"))
    values = [one["value"] for one in estimates["estimates"]]
    assert values == pytest.approx([mean(model=m) for m in FRAME.model.unique()])
    words = ("plan", long, *ALL, "--systems", "base,new", "--replications", "20")
    assert call(*words, "--sizes", "50", *FEW).code == 0


def f1(model, *, label="x", **wanted):
    kept = FRAME[FRAME.model == model]
    for name, value in wanted.items():
        kept = kept[kept[name] == value]
    return f1_score(kept.gold, kept.pred, pos_label=label)


def test_metrics_of_one_class_have_a_mean_over_tasks(long, call):
    of_class = ("--label", "pred", "--metric", "f1", "--positive", "x")
    words = (long, *PARTS, *of_class, "--repeat", "epoch", "--run", "seed")
    words = (*words, "--group", "task", *FEW, "--json", "-")
    of_tasks = {m: [f1(m, task=t) for t in ("t1", "t2")] for m in ("base", "new")}
    means = [np.mean(values) for values in of_tasks.values()]
    document = answer(call("compare", *words, "--systems", "base,new"))
    rows, averages = document["groups"], document["averages"]
    for row in rows:
        values = [one["value"] for one in row["estimates"]]
        expected = [f1(model, task=row["group"]) for model in of_tasks]
        assert values == pytest.approx(expected)
    pooled = [f1("base"), f1("new")]
    for average, expected in zip(averages, (means, pooled), strict=True):
        values = [one["value"] for one in average["estimates"]]
        assert values == pytest.approx(expected)
        assert average["positive"] == "x"
    ranking = answer(call("rank", *words, "--systems", "base,new"))
    ranked = {one["system"]: one["value"] for one in ranking["ranks"]}
    assert [ranked["base"], ranked["new"]] == pytest.approx(means)
    estimates = answer(call("estimate", *words, "--systems", "base,new"))
    values = [one["value"] for one in estimates["estimates"]]
    assert values == pytest.approx(means)


def test_the_positive_class_must_be_one_of_every_task(long, call):
    words = ("compare", long, *PARTS, "--label", "pred", "--metric", "f1")
    words = (*words, "--repeat", "epoch", "--run", "seed", "--group", "task")
    ended = call(*words, "--systems", "base,new", "--positive", "z")
    assert ended.code == 2
    assert "In t1" in ended.err or "In t2" in ended.err


def test_frames_with_tasks_have_means_of_metrics_of_one_class():
    columns = {"system": "model", "id": "item", "label": "pred", "gold": "gold"}
    columns |= {"run": "seed", "repeat": "epoch", "group": "task"}
    result = lk.compare_groups(
        FRAME,
        systems=["base", "new"],
        metric="f1",
        positive="y",
        seed=0,
        draws=2000,
        **columns,
    )
    first, second = result.averages[0].settings.data.observed
    for value, model in ((first, "base"), (second, "new")):
        tasks = [f1(model, label="y", task=t) for t in ("t1", "t2")]
        assert value == pytest.approx(np.mean(tasks))
    (matrices,) = (part for part in result.body() if isinstance(part, Matrices))
    assert sum(matrices.confusion.totals) == result.averages[1].settings.data.items
    with pytest.raises(lk.LikelierError, match="positive"):
        lk.compare_groups(["a", "b"] * 9, ["a"] * 18, ["b"] * 18, positive="a")


def test_wide_tables_may_have_tasks(tmp_path, call):
    wide = FRAME.pivot_table("correct", ["task", "item"], "model").reset_index()
    wide.to_csv(tmp_path / "wide.csv", index=False)
    words = ("--systems", "base,new", "--id", "item", "--group", "task")
    words = ("compare", tmp_path / "wide.csv", *words, *FEW, "--json", "-")
    document = answer(call(*words, "--metric", "mean"))
    assert document == answer(call(*words))
    assert [group["group"] for group in document["groups"]] == ["t1", "t2"]


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("--score", "correct"), "score must come with system"),
        ((*PARTS, "--score", "correct"), "must have each item once"),
        (("--system", "model", "--score", "correct"), "id must name"),
        ((*ALL, "--gold", "gold"), "--gold must come with labels"),
        ((*ALL, "--filter", "x"), "--filter must come with logs"),
        ((*ALL, "--sets"), "--sets must come with"),
        ((*ALL, "--systems", "base,nwe"), "system must be one of"),
        ((*ALL, "--metric", "f1"), "metric must be one of correct"),
        ((*PARTS, "--score", "pred"), "must have finite numbers"),
        ((*PARTS, "--score", "correct", "--run", "sed"), "'sed'"),
    ],
)
def test_what_is_refused(words, text, long, call):
    ended = call("compare", long, *words)
    assert ended.code == 2
    assert text in ended.err


def test_the_doctor_knows_columns_by_their_usual_names(long, call):
    diagnosis = lk.doctor(long)
    assert {*diagnosis.systems} == {"base", "new", "third"}
    assert {t.task: t.shared for t in diagnosis.tasks} == {"t1": 40, "t2": 40}
    assert {n for t in diagnosis.tasks for n in t.runs.values()} == {2}
    assert {n for t in diagnosis.tasks for n in t.repeats.values()} == {2}
    for advice in diagnosis.commands:
        assert call(*shlex.split(advice.command)[1:], *FEW).code == 0
    asked = {a.answers.split()[0] for a in diagnosis.commands}
    assert asked == {"correct", "accuracy", "F1"}


def test_a_table_that_only_looks_long_is_no_riddle(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("model,id,score\na,1,0.5\na,1,0.25\nb,1,1\n")
    diagnosis = lk.doctor(path)
    (reason,) = diagnosis.refused
    assert "must have each item once" in reason
    # Ids and scores are no systems, and nobody is told to compare them.
    assert diagnosis.commands == diagnosis.systems == ()


def test_fields_within_objects_have_usual_names_too(tmp_path, call):
    rows = [
        {"model": m, "doc_id": i, "evaluation": {"score": i % size == 0, "note": "x"}}
        for m, size in (("a", 2), ("b", 3))
        for i in range(30)
    ]
    path = tmp_path / "t.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    diagnosis = lk.doctor(path)
    assert diagnosis.systems == ("a", "b")
    (advice,) = diagnosis.commands
    got = answer(call(*shlex.split(advice.command)[1:], *FEW, "--json", "-"))
    assert got["difference"]["value"] == pytest.approx(10 / 30 - 15 / 30)


def test_a_cell_without_a_value_is_missing_in_its_own_metric_only(tmp_path):
    rows = [
        {"model": m, "id": i, "f1": None if i < 3 else 1.0, "right": float(i > 2)}
        for m in "ab"
        for i in range(10)
    ]
    items = lk.read(pd.DataFrame(rows), system="model", id="id", score=["f1", "right"])
    for metric, count, value in (("right", 10, 0.7), ("f1", 7, 1.0)):
        data = lk.estimate(items, metric=metric, systems=["a"]).settings.data
        assert (data.items, *data.observed) == pytest.approx((count, value))


def test_scores_of_systems_side_by_side_over_data_sets(tmp_path, call):
    text = "dataset,a,b,c\n" + "".join(
        f"d{i},{0.5 + i / 50:.3f},{0.52 + i / 45:.3f},{0.4 + i / 40:.3f}\n"
        for i in range(8)
    )
    path = tmp_path / "wide.csv"
    path.write_text(text)
    rows = [line.split(",") for line in text.splitlines()[1:]]
    melted = "dataset,system,score\n" + "".join(
        f"{row[0]},{name},{row[i]}\n" for i, name in enumerate("abc", 1) for row in rows
    )
    (tmp_path / "long.csv").write_text(melted)
    words = ("--rope", "0.01", *FEW, "--json", "-")
    wide = answer(call("rank", path, *words))
    long = answer(call("rank", tmp_path / "long.csv", *words))
    assert wide == long
    same = lk.rank(pd.read_csv(path), rope=0.01, draws=1000, seed=0)
    assert same.recipe == long["recipe"]
    diagnosis = lk.doctor(path)
    assert diagnosis.systems == ("a", "b", "c")
    (advice,) = diagnosis.commands
    assert call(*shlex.split(advice.command)[1:], *FEW).code == 0
    path.write_text(text.replace("0.500,", "x,", 1))
    ended = call("rank", path)
    assert ended.code == 2
    assert "Column 'a' must have a finite number" in ended.err
