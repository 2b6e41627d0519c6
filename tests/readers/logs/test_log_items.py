"""Choosing, pairing and counting the items of logs."""

import json

import numpy as np
import pandas as pd
import pytest
from tests.readers.logs.made import write_log

import likelier as lk
from likelier.readers.logs.log_pairing import pair_scores

FIRST = {str(i): float(i % 3 > 0) for i in range(60)}
SECOND = {str(i): float(i % 5 > 0) for i in range(60)}
FEW = {"draws": 1000, "seed": 0}


@pytest.fixture
def two(tmp_path):
    write_log(tmp_path / "a", FIRST)
    write_log(tmp_path / "b", SECOND)
    return tmp_path / "a", tmp_path / "b"


def values(items, metric=None):
    """The observed metric of each system, and the number of items."""
    chosen, table = items.table(metric)
    return chosen.observed(table).tolist(), table.n_items


def test_logs_in_which_all_answers_failed_say_why(tmp_path):
    log = {
        "version": 2,
        "status": "error",
        "eval": {"task": "t", "model": "m", "dataset": {"name": "d"}},
        "samples": [
            {"id": i, "epoch": 1, "scores": {}, "error": {"message": "out of memory"}}
            for i in range(3)
        ],
    }
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log))
    reason = r"3 answers failed, and no other is there\. .* out of memory"
    for metric in (None, "match"):
        with pytest.raises(lk.LikelierError, match=reason):
            lk.read(path).table(metric)
    assert "out of memory" in lk.doctor(path).refused[0]


def test_two_folders_are_compared_without_a_word(two):
    result = lk.compare(lk.read(*two), **FEW)
    plain = lk.compare(
        *(list(of.values()) for of in (FIRST, SECOND)), metric="mean", **FEW
    )
    assert result.settings.systems == ("a", "b")
    assert result.settings.metric == "acc"
    assert result.posterior.difference.mean() == plain.posterior.difference.mean()
    assert result.settings.data.source == "lm-evaluation-harness t"


def test_items_are_paired_by_id_not_by_order(two):
    expected = values(lk.read(*two))
    write_log(two[1], dict(reversed(SECOND.items())))
    chosen, table = lk.read(*two).table()
    assert (chosen.observed(table).tolist(), table.n_items) == expected
    gains = chosen.gains(chosen.view(table))
    both = [(FIRST[i], SECOND[i]) for i in FIRST]
    assert (gains * table.counts).sum() == sum(b - a for a, b in both)
    assert table.n_patterns == len({*both})


def test_missing_items(two):
    write_log(two[1], {i: v for i, v in SECOND.items() if i not in ("3", "59")})
    with pytest.raises(lk.LikelierError, match=r"2 of b \(3, 59\)"):
        lk.read(*two).table()
    kept = [i for i in FIRST if i not in ("3", "59")]
    (first, second), n = values(lk.read(*two, on_missing="drop"))
    assert n == 58
    assert first == pytest.approx(np.mean([FIRST[i] for i in kept]))
    assert second == pytest.approx(np.mean([SECOND[i] for i in kept]))
    (first, second), n = values(lk.read(*two, on_missing="wrong"))
    assert n == 60
    assert first == pytest.approx(np.mean([*FIRST.values()]))
    assert second == pytest.approx(sum(SECOND[i] for i in kept) / 60)
    codes = [f.code for f in lk.read(*two, on_missing="drop").table()[1].findings]
    assert codes == ["LIK150"]


def test_answers_without_a_value_are_dropped_in_pairs(two):
    write_log(two[0], FIRST | {"7": None})
    (first, _), n = values(lk.read(*two))
    kept = [v for i, v in FIRST.items() if i != "7"]
    assert (n, first) == (59, pytest.approx(np.mean(kept)))
    findings = lk.read(*two).table()[1].findings
    assert [f.code for f in findings] == ["LIK151"]
    assert "1 of a (7)" in findings[0].message
    with pytest.raises(lk.LikelierError, match="answered all items"):
        lk.read(*two, on_error="fail").table()
    (first, _), n = values(lk.read(*two, on_error="wrong"))
    assert (n, first) == (60, pytest.approx(sum(kept) / 60))


def test_wrong_has_a_meaning_for_scores_from_0_to_1_only(two):
    write_log(two[0], {i: 10 * v for i, v in FIRST.items() if i != "4"})
    with pytest.raises(lk.LikelierError, match="from 0 to 1"):
        lk.read(*two, on_missing="wrong").table()


@pytest.mark.parametrize("key", ["doc_hash", "prompt_hash"])
def test_other_items_under_the_same_id_are_refused(two, key):
    write_log(two[1], SECOND, **{key: lambda i: "x" if i in ("4", "9") else f"h{i}"})
    write_log(two[0], FIRST, **{key: lambda i: f"h{i}"})
    with pytest.raises(lk.LikelierError, match=r"differs for 2 of 60 items") as caught:
        lk.read(*two).table()
    assert "samples_t.jsonl:5" in str(caught.value)
    findings = lk.read(*two, allow_different=True).table()[1].findings
    assert [f.code for f in findings] == ["LIK152"]


def test_one_id_for_two_items_of_a_log_is_refused(tmp_path):
    for name, hashes in ("a", "xy"), ("b", "zz"):
        record = {"schema_version": "0.3.0", "evaluation_id": "e", "model_id": name}
        record |= {"evaluation_name": "t", "sample_id": "1", "evaluation": {"score": 1}}
        lines = [json.dumps(record | {"sample_hash": of}) for of in hashes]
        (tmp_path / f"{name}_samples.jsonl").write_text("\n".join(lines))
    (path, _) = paths = sorted(tmp_path.iterdir())
    with pytest.raises(
        lk.LikelierError, match=r"a_samples.jsonl:1 and .*a_samples.jsonl:2"
    ):
        lk.read(path).table("score")
    assert values(lk.read(*paths, allow_different=True), "score")[1] == 1


def test_other_conditions_are_refused(two):
    for folder, shots in zip(two, (0, 5), strict=True):
        write_log(folder, FIRST, results={"model_name": "m", "n-shot": {"t": shots}})
    with pytest.raises(lk.LikelierError, match="few-shot examples: 0 in a and 5 in b"):
        lk.read(*two).table()


def test_equal_names_of_models_become_those_of_folders_or_files(tmp_path):
    model = {"model_name": "the/model"}
    for name in ("x/logs", "y/logs"):
        write_log(tmp_path / name, FIRST, results=model)
    folders = [tmp_path / "x/logs", tmp_path / "y/logs"]
    assert lk.read(*folders).systems == ("x/logs", "y/logs")
    assert lk.read(folders[0]).systems == ("the/model",)
    # Files of one folder with other tasks are one system.
    files = [write_log(folders[0], FIRST, task=t) for t in ("t", "u")]
    assert lk.read(*files).systems == ("the/model",)
    more = [write_log(folders[1], FIRST, task=t) for t in ("t", "u")]
    assert lk.read(*files, *more).systems == ("x/logs", "y/logs")
    twice = [write_log(folders[0], FIRST, date=d) for d in DATES]
    assert len({*lk.read(*twice).systems}) == 2


DATES = ("2026-11-17T10-00-00.1", "2026-11-18T10-00-00.2")


def test_runs_of_one_task(tmp_path, two):
    for date, shift in zip(DATES, (0, 1), strict=True):
        ones = {i: float((int(i) + shift) % 2) for i in FIRST}
        write_log(tmp_path / "c", ones, date=date)
    paths = tmp_path / "c", two[1]
    with pytest.raises(lk.LikelierError, match=f"{DATES[0]}.*{DATES[1]}"):
        lk.read(*paths).table()
    _, latest = lk.read(*paths, runs="latest").table()
    _, named = lk.read(*paths, runs=DATES[1]).table()
    assert latest.digest == named.digest
    assert values(lk.read(*paths, runs="latest"))[0][0] == 0.5
    _, table = lk.read(*paths, runs="all").table()
    assert {*table.cube()[:, 0].ravel()} == {0.5}
    assert [f.code for f in table.findings] == ["LIK153"]
    assert table.n_units == 60


def test_items_that_one_run_lacks_are_missing(tmp_path, two):
    own = {i: float(int(i) % 2) for i in FIRST}
    half = {i: 1.0 for i in FIRST if int(i) < 45}
    for date, run in zip(DATES, (own, half), strict=True):
        write_log(tmp_path / "c", run, date=date)
    paths = tmp_path / "c", two[1]
    with pytest.raises(lk.LikelierError, match=r"15 of c \(45, 46, 47 …\)"):
        lk.read(*paths, runs="all").table()
    (first, second), n = values(lk.read(*paths, runs="all", on_missing="drop"))
    assert n == 45
    assert first == pytest.approx(np.mean([(own[i] + 1) / 2 for i in half]))
    assert second == pytest.approx(np.mean([SECOND[i] for i in half]))
    (first, second), n = values(lk.read(*paths, runs="all", on_missing="wrong"))
    assert n == 60
    assert first == pytest.approx(np.mean([(own[i] + half.get(i, 0)) / 2 for i in own]))
    assert second == pytest.approx(np.mean([*SECOND.values()]))


def test_runs_count_alike_whatever_number_of_repeats():
    table = [("a", "q", 1, 1, 1.0), ("a", "q", 2, 1, 0.0), ("a", "q", 2, 2, 0.0)]
    table += [("a", "r", 1, 1, 1.0), ("a", "r", 2, 1, 1.0)]
    table += [("b", item, 1, 1, 0.5) for item in "qr"]
    names = "system", "id", "run", "repeat", "score"
    frame = pd.DataFrame(table, columns=names)
    items = lk.read(frame, **{name: name for name in names}, runs="all")
    assert values(items) == ([pytest.approx((0.5 + 1) / 2), 0.5], 2)


def test_items_that_the_first_log_lacks_have_their_own_fields(two):
    shorter = dict(list(FIRST.items())[:-3])
    write_log(two[0], shorter)
    items = lk.read(*two, on_missing="wrong", cluster="doc.passage")
    _, table = items.table()
    assert table.n_units == 3
    paired = pair_scores(
        {s: [log for log in items.logs if log.system == s] for s in items.systems},
        "acc",
        "t",
        items.rules,
    )
    assert paired.look_up("doc.question", [0, 58]) == ["question 0", "question 58"]
    assert paired.look_up("doc.passage") == [f"p{int(i) % 3}" for i in paired.items]


@pytest.mark.parametrize("policy", ["on_missing", "on_error"])
def test_wrong_is_the_worst_value_also_where_less_is_better(two, policy):
    loss = {i: 1 - v for i, v in SECOND.items()}
    lost = {i: v for i, v in loss.items() if i not in ("3", "59")}
    nothing = {} if policy == "on_missing" else {"3": None, "59": None}
    write_log(two[0], {i: 1 - v for i, v in FIRST.items()})
    write_log(two[1], lost | nothing, metrics=["acc"])
    items = lk.read(*two, higher_is_better=False, **{policy: "wrong"})
    (first, second), n = values(items)
    assert n == 60
    assert first == pytest.approx(1 - np.mean([*FIRST.values()]))
    assert second == pytest.approx((sum(lost.values()) + 2) / 60)


def test_a_run_that_lacks_the_metric_is_not_passed_over(tmp_path, two):
    for date, value in zip(DATES, (1.0, "unknown"), strict=True):
        write_log(tmp_path / "c", FIRST | {"7": value}, date=date)
    paths = tmp_path / "c", two[1]
    for runs in ("latest", "all", DATES[1]):
        with pytest.raises(lk.LikelierError, match=f"{DATES[1]}.*several kinds"):
            lk.read(*paths, runs=runs).table("acc")
    assert values(lk.read(*paths, runs=DATES[0]), "acc")[1] == 60
    with pytest.raises(lk.LikelierError, match="run must be one of"):
        lk.read(*paths, runs="yesterday").table("acc")


def test_the_latest_run_is_that_of_the_largest_number(tmp_path):
    for suite in ("v9", "v10"):
        run = tmp_path / "runs" / suite / "toy:model=m"
        run.mkdir(parents=True)
        name, mean = {"name": "exact_match", "split": "test"}, float(suite == "v10")
        stats = [{"name": name, "count": 1, "sum": mean, "mean": mean}]
        entry = {"instance_id": "i", "train_trial_index": 0, "stats": stats}
        (run / "per_instance_stats.json").write_text(json.dumps([entry]))
    items = lk.read(tmp_path, runs="latest")
    assert values(items) == ([1.0], 1)


def test_runs_of_one_system_must_be_of_one_experiment(tmp_path, two):
    for date, shots in zip(DATES, (0, 5), strict=True):
        results = {"model_name": "c", "n-shot": {"t": shots}}
        write_log(tmp_path / "c", FIRST, date=date, results=results)
    paths = tmp_path / "c", two[1]
    with pytest.raises(lk.LikelierError, match="examples: 0 in c and 5 in c"):
        lk.read(*paths, runs="all").table()
    lk.read(*paths, runs="latest").table()


def test_a_metric_must_be_chosen_among_several(two):
    for folder, one in zip(two, (FIRST, SECOND), strict=True):
        write_log(folder, {i: {"acc": v, "loss": 2 - v} for i, v in one.items()})
    with pytest.raises(lk.LikelierError, match="there are 'acc', 'loss'"):
        lk.read(*two).table()
    assert lk.compare(lk.read(*two), metric="acc", **FEW).settings.metric == "acc"
    with pytest.raises(lk.LikelierError, match="Did you mean loss"):
        lk.read(*two).table("los")


def test_the_direction_is_that_of_the_log(two):
    for folder, one in zip(two, (FIRST, SECOND), strict=True):
        rows = {i: {"wer": 1 - v} for i, v in one.items()}
        better = {"higher_is_better": {"t": {"wer": False}}}
        write_log(folder, rows, results=better | {"model_name": folder.name})
    result = lk.compare(lk.read(*two), **FEW)
    expected = np.mean([*SECOND.values()]) - np.mean([*FIRST.values()])
    assert result.difference == pytest.approx(expected)
    assert not result.settings.higher_is_better
    assert "LIK157" not in [f.code for f in result.findings]


def test_a_direction_that_is_not_in_the_log(two):
    for folder, one in zip(two, (FIRST, SECOND), strict=True):
        write_log(folder, {i: {"abs_error": 1 - v} for i, v in one.items()})
    more = lk.compare(lk.read(*two), **FEW)
    less = lk.compare(lk.read(*two, higher_is_better=False), **FEW)
    assert more.difference == -less.difference < 0
    assert [f.code for f in more.findings if f.code == "LIK157"] == ["LIK157"]
    assert "LIK157" not in [f.code for f in less.findings]
    better = {"higher_is_better": {"t": {"acc": True}}, "model_name": "m"}
    write_log(two[0], FIRST, results=better)
    write_log(two[1], SECOND)
    with pytest.raises(lk.LikelierError, match="one direction"):
        lk.read(*two, higher_is_better=False).table()


def test_filters(two):
    for folder in two:
        path = write_log(folder, FIRST, filter="strict")
        strict = path.read_text()
        write_log(folder, SECOND, filter="loose")
        path.write_text(strict + path.read_text())
    with pytest.raises(lk.LikelierError, match="'strict', 'loose'"):
        lk.read(*two).table()
    (first, second), _ = values(lk.read(*two, filter="loose"))
    assert first == second == pytest.approx(np.mean([*SECOND.values()]))
    with pytest.raises(lk.LikelierError, match="filter must be one of loose, strict"):
        lk.read(*two, filter="x").table()


def test_labels_are_labels(two):
    gold = {i: int(i) % 2 for i in FIRST}
    said = [{i: int(v) for i, v in one.items()} for one in (FIRST, SECOND)]
    for folder, of in zip(two, said, strict=True):
        write_log(folder, {i: {"f1": [gold[i], of[i]]} for i in FIRST})
    result = lk.compare(lk.read(*two), **FEW)
    plain = lk.compare(*(list(of.values()) for of in (gold, *said)), metric="f1", **FEW)
    assert result.settings.positive == "1"
    assert result.difference == plain.difference
    assert result.posterior.difference.mean() == plain.posterior.difference.mean()
    write_log(two[1], {i: {"f1": [1 - gold[i], 1]} for i in FIRST})
    with pytest.raises(lk.LikelierError, match="gold label of '0'"):
        lk.read(*two).table()


@pytest.mark.parametrize("metric", ["f1", "f1:pass@1", "f1:majority@1"])
def test_labels_and_numbers_of_one_name_are_not_compared(tmp_path, metric):
    for name, value in ("a", [1, 1]), ("b", 1.0):
        write_log(tmp_path / name, {str(i): {"f1": value} for i in range(4)})
    for paths in (("a", "b"), ("b", "a")):
        items = lk.read(*(tmp_path / name for name in paths))
        with pytest.raises(lk.LikelierError, match=r"must be (labels|numbers) here"):
            items.table(metric)


def test_an_empty_label_is_a_label(tmp_path):
    pairs = [("", ""), ("a", "a"), ("a", "")]
    for name in "ab":
        rows = {str(i): {"f1": pair} for i, pair in enumerate(pairs)}
        write_log(tmp_path / name, rows)
    table = lk.read(tmp_path / "a", tmp_path / "b")
    result = lk.compare(table, metric="accuracy", **FEW)
    assert result.settings.data.observed == pytest.approx([2 / 3, 2 / 3])


def test_texts_and_clusters_come_from_fields(two):
    _, table = lk.read(*two).table()
    texts = {item.text for item in table.items.texts.values()}
    assert texts <= {f"question {i}" for i in FIRST}
    assert texts
    _, clustered = lk.read(*two, cluster="doc.passage").table()
    assert (clustered.n_units, clustered.n_items) == (3, 60)
    with pytest.raises(lk.LikelierError, match=r"'doc.page'") as caught:
        lk.read(*two, cluster="doc.page").table()
    assert "doc.passage" in str(caught.value)


def test_a_cluster_is_of_the_item_and_not_of_its_answers(two):
    write_log(two[1], FIRST, arguments=lambda item: {"set": int(item) % 2})
    write_log(two[0], FIRST, arguments=lambda item: {"set": int(item) % 3})
    with pytest.raises(lk.LikelierError, match=r"jsonl:\d+: 'arguments.set' of '2'"):
        lk.read(*two, cluster="arguments.set").table()
    write_log(two[1], FIRST, arguments=lambda item: {"set": int(item) % 3})
    _, table = lk.read(*two, cluster="arguments.set").table()
    assert table.n_units == 3


def test_an_item_twice_is_refused(two):
    path = write_log(two[0], FIRST)
    path.write_text(path.read_text() + path.read_text().splitlines()[4] + "\n")
    with pytest.raises(lk.LikelierError, match=r"jsonl:5 and .*jsonl:61"):
        lk.read(*two).table()


# --- tasks -----------------------------------------------------------------------


@pytest.fixture
def tasks(tmp_path):
    rng = np.random.default_rng(1)
    sizes = {"t": 40, "u": 10, "v": 90}
    scores = {
        s: {
            t: {str(i): float(rng.random() < p) for i in range(n)}
            for t, n in sizes.items()
        }
        for s, p in (("a", 0.5), ("b", 0.7))
    }
    for system, of_tasks in scores.items():
        for task, of in of_tasks.items():
            write_log(tmp_path / system, of, task=task)
    return (tmp_path / "a", tmp_path / "b"), scores


def test_every_task_their_mean_and_all_items(tasks):
    paths, scores = tasks
    items = lk.read(*paths)
    with pytest.raises(lk.LikelierError, match="task must be chosen"):
        lk.compare(items, **FEW)
    result = lk.compare_groups(items, **FEW)
    assert [row.name for row in result.rows] == ["t", "u", "v"]
    for row in result.rows:
        alone = lk.compare(lk.read(*paths, task=row.name), **FEW)
        assert row.comparison.hdi == alone.hdi
        assert row.support == len(scores["a"][row.name])
    means = {
        s: [np.mean([*of.values()]) for of in ts.values()] for s, ts in scores.items()
    }
    pooled = {
        s: np.mean([v for of in ts.values() for v in of.values()])
        for s, ts in scores.items()
    }
    over_tasks, over_items = (one.settings.data.observed for one in result.averages)
    assert over_tasks == pytest.approx([np.mean(means["a"]), np.mean(means["b"])])
    assert over_items == pytest.approx([pooled["a"], pooled["b"]])
    assert "tasks" in result.sentence()


def test_the_mean_over_tasks_has_the_spread_of_a_stratified_mean(tasks):
    paths, scores = tasks
    result = lk.compare_groups(lk.read(*paths), draws=20_000, seed=0)
    variances = []
    for task in scores["a"]:
        gaps = [scores["b"][task][i] - scores["a"][task][i] for i in scores["a"][task]]
        variances.append(np.var(gaps, ddof=1) / len(gaps))
    expected = np.sqrt(np.sum(variances)) / len(variances)
    spread = result.averages[0].posterior.difference.std()
    assert spread == pytest.approx(expected, rel=0.1)


def test_scores_on_any_scale_have_a_mean_over_tasks(tasks, tmp_path):
    (first, second), scores = tasks
    for path, system in ((first, "a"), (second, "b")):
        for task, of in scores[system].items():
            write_log(path, {i: 5 * v - 3 for i, v in of.items()}, task=task)
    result = lk.compare_groups(lk.read(first, second), draws=20_000, seed=0)
    means = [
        np.mean([np.mean([5 * v - 3 for v in of.values()]) for of in ts.values()])
        for ts in scores.values()
    ]
    average = result.averages[0]
    assert average.settings.data.observed == pytest.approx(means)
    assert average.hdi.low < average.difference < average.hdi.high


def test_tasks_of_one_log_only_are_named(tasks):
    (first, second), _ = tasks
    write_log(first, FIRST, task="alone")
    result = lk.compare_groups(lk.read(first, second), **FEW)
    assert [row.name for row in result.rows] == ["t", "u", "v"]
    assert any(f.code == "LIK154" and "alone" in f.message for f in result.findings)


def test_groups_of_the_tool_name_their_tasks(tasks):
    (first, second), scores = tasks
    group = {"group_subtasks": {"all": ["few", "v"], "few": ["t", "u"]}}
    for path, system in ((first, "a"), (second, "b")):
        write_log(path, scores[system]["t"], task="t", results=group)
    items = lk.read(first, second, task="few")
    assert [row.name for row in lk.compare_groups(items, **FEW).rows] == ["t", "u"]
    with pytest.raises(lk.LikelierError, match="task must be one of"):
        lk.read(first, second, task="x").table()


def test_many_systems_are_ranked_by_the_mean_over_tasks(tasks, tmp_path):
    (first, second), scores = tasks
    for task, of in scores["a"].items():
        write_log(tmp_path / "c", dict.fromkeys(of, 0.0), task=task)
    ranking = lk.rank(lk.read(first, second, tmp_path / "c"), **FEW)
    assert ranking.settings.systems == ("a", "b", "c")
    assert any(f.code == "LIK156" for f in ranking.findings)
    estimate = lk.estimate(lk.read(first), **FEW)
    means = [np.mean([*of.values()]) for of in scores["a"].values()]
    assert estimate.value == pytest.approx(np.mean(means))


def test_the_frame_has_every_value(two):
    frame = lk.read(*two).frame("pandas")
    assert len(frame) == 120
    for system, of in (("a", FIRST), ("b", SECOND)):
        own = frame[frame.system == system]
        assert dict(zip(own["item"], own["value"], strict=True)) == of


# --- paths -----------------------------------------------------------------------


def test_an_empty_file_is_named(two):
    (two[0] / "samples_other.jsonl").touch()
    (note,) = lk.doctor(*two).notes
    assert note == f"no logs, and not read: {two[0]}/samples_other.jsonl (empty)"


def test_the_frame_of_logs_without_a_metric_is_empty(tmp_path):
    write_log(tmp_path / "a", dict.fromkeys("xy", "unknown"))
    frame = lk.read(tmp_path / "a").frame("pandas")
    assert len(frame) == 0
    assert {"system", "item", "value"} <= {*frame}


def test_patterns_and_folders(two):
    root = two[0].parent
    assert lk.read(root).systems == ("a", "b")
    assert lk.read(root / "*").systems == ("a", "b")
    assert lk.read(root / "*" / "*.jsonl").systems == ("a", "b")
    (root / "a" / "notes.txt").write_text("hello\n")
    assert [p.endswith("notes.txt") for p in lk.read(root).others] == [True]
    with pytest.raises(lk.LikelierError, match="matches none"):
        lk.read(root / "*.x")
    (root / "empty").mkdir()
    with pytest.raises(lk.LikelierError, match="has no files"):
        lk.read(root / "empty")


def test_bad_settings(two):
    for settings in ({"on_missing": "x"}, {"on_error": "x"}):
        with pytest.raises(lk.LikelierError, match="must be one of drop, fail, wrong"):
            lk.read(*two, **settings)
    with pytest.raises(lk.LikelierError, match="system must be one of a, b"):
        lk.read(*two, systems=["a", "c"]).table()
    with pytest.raises(lk.LikelierError, match="at least one log"):
        lk.read()
    with pytest.raises(lk.LikelierError, match="only data"):
        lk.compare(lk.read(*two), [1, 2], **FEW)
    swapped = lk.compare(lk.read(*two, systems=["b", "a"]), **FEW)
    assert swapped.settings.systems == ("b", "a")


def test_labels_of_several_tasks_count_the_items_of_all(tmp_path):
    folders = [tmp_path / name for name in "ab"]
    for k, folder in enumerate(folders):
        for task, n in (("t1", 12), ("t2", 20)):
            labels = {i: {"f1": [i % 2, (i + k) % 3 % 2]} for i in range(n)}
            write_log(folder, labels, task=task)
    result = lk.compare_groups(lk.read(*folders), metric="f1", by="task", **FEW)
    assert [row.support for row in result.rows] == [12, 20]
    assert result.settings.data.items == 32
    assert "2 tasks" in result.settings.data.source


def test_each_task_of_labels_has_its_bayes_factor(tmp_path):
    folders = [tmp_path / name for name in "ab"]
    for k, folder in enumerate(folders):
        for task, n in (("t1", 30), ("t2", 40)):
            labels = {i: {"f1": [i % 2, (i + k) % 3 % 2]} for i in range(n)}
            write_log(folder, labels, task=task)
    items = lk.read(*folders)
    asked = {"metric": "accuracy", "rope": 0.02, "factor": "rope", **FEW}
    result = lk.compare_groups(items, by="task", **asked)
    for row in result.rows:
        alone = lk.compare(lk.read(*folders, task=row.name), **asked)
        assert row.comparison.factor == alone.factor
    assert all(mean.factor is None for mean in result.averages)


def test_tasks_have_answers_where_their_mean_has_none(tmp_path):
    folders = [tmp_path / name for name in "ab"]
    for k, folder in enumerate(folders):
        for task, n in (("t1", 30), ("t2", 40)):
            labels = {i: {"f1": [i % 2, (i + k) % 3 % 2]} for i in range(n)}
            write_log(folder, labels, task=task)
    items, asked = lk.read(*folders), {"metric": "f1", "prior": "uniform", **FEW}
    result = lk.compare_groups(items, by="task", **asked)
    for row in result.rows:
        alone = lk.compare(lk.read(*folders, task=row.name), **asked)
        assert row.comparison.probability == alone.probability
    assert [mean.settings.metric for mean in result.averages] == ["f1_over_all_items"]
    assert "LIK160" in {finding.code for finding in result.findings}
    assert (
        len(lk.compare_groups(items, by="task", **asked | {"prior": None}).averages)
        == 2
    )
