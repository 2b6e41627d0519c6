"""doctor(): facts against plain counts, and commands that work when pasted."""

import json
import shlex
from collections import Counter
from pathlib import Path

import pytest
from tests.readers.logs.made import write_log

import likelier as lk

DATA = Path(__file__).parents[1] / "readers" / "logs" / "data"
CASES = sorted(path for path in (DATA / "lm_eval").iterdir() if path.is_dir())


def plain_facts(folders):
    """Items, metrics and means, straight from the lines of lm-evaluation-harness."""
    items, means = Counter(), {}
    for folder in folders:
        for path in sorted(folder.glob("samples_*.jsonl")):
            task = path.name.removeprefix("samples_").rsplit("_", 1)[0]
            rows = [json.loads(line) for line in path.read_text().splitlines()]
            for row in rows:
                items[folder.name, task, row["filter"], row["doc_id"]] += 1
                for metric in row["metrics"]:
                    key = folder.name, task, row["filter"], metric
                    means.setdefault(key, []).append(row[metric])
    return items, means


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_facts_are_those_of_the_lines(case):
    folders = sorted(case.iterdir())
    items, means = plain_facts(folders)
    diagnosis = lk.doctor(*folders)
    assert diagnosis.systems == tuple(folder.name for folder in folders)
    keys = {(task, name) for _, task, name, _ in items}
    assert {(t.task, t.filter) for t in diagnosis.tasks} == keys
    for task in diagnosis.tasks:
        own = {
            folder.name: {
                k[3] for k in items if k[:3] == (folder.name, task.task, task.filter)
            }
            for folder in folders
        }
        assert task.items == {system: len(ids) for system, ids in own.items()}
        assert task.shared == len(set.intersection(*own.values()))
        metrics = {k[3] for k in means if k[1:3] == (task.task, task.filter)}
        assert {*task.metrics, *task.unusable} == metrics
    texts = [text for task in diagnosis.tasks for text in task.differs.values()]
    reason = {"fewshot": "few-shot examples", "changed_doc": "item differs"}
    assert diagnosis.differs == (case.name in reason)
    assert not texts or any(text.startswith(reason[case.name]) for text in texts)


def test_fields_for_clusters_are_those_that_some_items_share(tmp_path):
    docs = {
        "a": lambda i: {"same": 1, "own": i, "some": i // 2, "answer": i % 3, "x": [i]},
        "b": lambda i: {"same": 1, "own": i, "some": i // 2, "answer": i % 2, "x": [i]},
    }
    for name, doc in docs.items():
        write_log(tmp_path / name, dict.fromkeys(range(6), 1), doc=doc)
    assert lk.doctor(tmp_path / "a").fields == ("doc.some", "doc.answer")
    assert lk.doctor(tmp_path / "a", tmp_path / "b").fields == ("doc.some",)


def test_fields_for_clusters_of_real_logs():
    # Solutions, their status, and the answers of a model are no fields of items.
    for name in ("evalplus", "openai_evals", "lighteval"):
        assert lk.doctor(DATA / name).fields == ()
    assert lk.doctor(DATA / "swe_bench").fields == ("repo",)
    inspect = lk.doctor(*sorted((DATA / "inspect").glob("epochs-*")))
    assert inspect.fields == ("metadata.passage", "metadata.topic")


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_every_command_works_as_it_stands(case, call):
    folders = sorted(case.iterdir())
    _, means = plain_facts(folders)
    diagnosis = lk.doctor(*folders)
    # Nobody is advised to compare different items of the same id.
    assert bool(diagnosis.commands) == (case.name != "changed_doc")
    for advice in diagnosis.commands[:3]:
        words = shlex.split(advice.command)
        assert words[0] == "likelier"
        ended = call(*words[1:], "--draws", "1000", "--seed", "0", "--json", "-")
        assert ended.code == 0, ended.err
        answer = json.loads(ended.out)
        (metric,) = words[words.index("--metric") + 1 :][:1]
        if answer["kind"] == "comparison" and case.name in ("base", "groups"):
            expected = [v for k, v in means.items() if k[3] == metric]
            assert answer["items"] in [len(values) for values in expected]


def test_a_log_with_one_metric_needs_no_words(tmp_path):
    for name in ("a", "b"):
        write_log(tmp_path / name, {str(i): i % 2 for i in range(30)})
    (advice,) = lk.doctor(tmp_path / "a", tmp_path / "b").commands
    assert shlex.split(advice.command) == [
        *("likelier", "compare", str(tmp_path / "a"), str(tmp_path / "b"))
    ]


def test_what_cannot_be_asked_has_its_reason():
    folders = sorted((DATA / "lm_eval" / "base").iterdir())
    refused = lk.doctor(*folders).refused
    assert any(text.startswith("bleu of toy_gen: ") for text in refused)
    assert all(": " in text for text in refused)


def test_one_system_is_estimated_and_three_are_ranked(tmp_path):
    values = {str(i): i % 2 for i in range(30)}
    folders = [tmp_path / name for name in "abc"]
    for folder in folders:
        write_log(folder, values)
    assert lk.doctor(folders[0]).commands[0].command.startswith("likelier estimate ")
    assert lk.doctor(*folders).commands[0].command.startswith("likelier rank ")


TABLES = {
    "gold,a,b\nyes,yes,no\nno,no,no\n": ("compare", "accuracy", "f1"),
    "gold,a,b,c\nyes,yes,no,no\nno,no,no,yes\n": ("rank", "accuracy", "f1"),
    "gold,a,b\nx,x,y\ny,y,z\nz,x,z\n": ("compare", "accuracy", "macro_f1"),
    "id,a,b\nx,0.5,0.25\ny,1,0\n": ("compare", "mean"),
    "system,fold,score\na,1,0.5\nb,1,0.25\n": ("folds",),
    "system,repetition,fold,tp,fp,fn\na,1,1,5,1,2\nb,1,1,4,1,2\n": ("folds",),
}


@pytest.mark.parametrize("text", TABLES)
def test_tables_have_a_command(text, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(text)
    question, *metrics = TABLES[text]
    commands = [shlex.split(advice.command) for advice in lk.doctor(path).commands]
    for words in commands:
        assert words[:3] == ["likelier", question, str(path)]
    named = [w[w.index("--metric") + 1] for w in commands if "--metric" in w]
    assert named == metrics


CHUNKS = {
    "iob2": "B-A I-A O B-B",
    "iob1": "I-A I-A B-A O",
    "iobes": "B-A I-A E-A S-B",
    "bilou": "B-A L-A O U-B",
    "bmes": "B-A M-A E-A S-B",
}


@pytest.mark.parametrize("scheme", CHUNKS)
def test_the_command_for_chunks_has_the_scheme_of_the_tags(scheme, tmp_path, call):
    sentence = "\n".join(f"w {tag}" for tag in CHUNKS[scheme].split())
    paths = [str(tmp_path / f"{name}.conll") for name in ("gold", "a", "b")]
    for path in paths:
        Path(path).write_text(f"{sentence}\n\n" * 5)
    (advice,) = lk.doctor(*paths).commands
    words = shlex.split(advice.command)
    assert words == ["likelier", "chunks", *paths, "--scheme", scheme]
    assert call(*words[1:], "--draws", "500").code == 0


@pytest.mark.parametrize("systems", ["", " B-A"])
def test_tags_of_fewer_than_two_systems_have_no_command(systems, tmp_path):
    path = tmp_path / "gold.conll"
    path.write_text(f"w B-A{systems}\n\n" * 5)
    about = lk.doctor(path)
    assert not about.commands
    assert about.refused[0].startswith("chunks: two systems must")


def test_scores_of_folds_are_no_items(tmp_path):
    path = tmp_path / "scores.csv"
    rows = "".join(f"d,{i // 10},{i % 10},0.{i},0.{i + 1}\n" for i in range(10, 30))
    path.write_text(f"data,repetition,fold,a,b\n{rows}")
    about = lk.doctor(path)
    assert not about.commands
    assert "likelier folds must have the columns dataset, run" in about.refused[0]
    path.write_text(f"dataset,run,fold,a,b\n{rows}")
    assert lk.doctor(path).commands[0].command == f"likelier folds {path}"
    path.write_text("item,a,b\n" + "".join(f"{i},0.{i},0.2\n" for i in range(30)))
    assert lk.doctor(path).commands


def test_labels_have_no_direction_of_their_own(tmp_path):
    path = tmp_path / "answers.csv"
    rows = "".join(f"{m},{i},x,y,0.5\n" for m in "ab" for i in range(9))
    path.write_text(f"model,item,gold,answer,score\n{rows}")
    about = lk.doctor(path)
    assert "labels" in about.tasks[0].metrics
    assert about.undirected == ("score",)


def test_fields_of_objects_are_named(tmp_path):
    path = tmp_path / "a.jsonl"
    row = {"meta": {"id": 1}, "label": {"gold": "x", "a": "x"}}
    path.write_text(f"{json.dumps(row)}\n" * 2)
    about = lk.doctor(path)
    assert about.table.columns == ("meta.id", "label.gold", "label.a")
    assert about.refused[0].endswith("such as label.a")
    path.write_text(json.dumps({"id": {"0": 1, "1": 2}, "a": {"0": 1, "1": 0}}) + "\n")
    assert "one object per row" in lk.doctor(path).refused[0]


def test_the_diagnosis_is_json(tmp_path, call):
    folders = sorted((DATA / "lm_eval" / "missing").iterdir())
    ended = call("doctor", *map(str, folders), "--json", "-")
    assert json.loads(ended.out) == lk.doctor(*folders).to_dict()
    shown = call("doctor", *map(str, folders))
    assert shown.code == 0
    assert "to paste:" in shown.out
    target = tmp_path / "d.json"
    assert call("doctor", *map(str, folders), "--json", str(target)).code == 0
    assert json.loads(target.read_text())["systems"] == ["toy-a", "toy-b"]


def test_systems_that_share_no_task_are_asked_apart(tmp_path, call):
    for name, task in (("a", "t"), ("b", "t"), ("c", "u")):
        write_log(tmp_path / name, {str(i): float(i % 2) for i in range(6)}, task=task)
    paths = [tmp_path / name for name in "abc"]
    diagnosis = lk.doctor(*paths)
    assert diagnosis.refused == ()
    (first,) = diagnosis.commands
    assert "--systems a,b" in first.command
    for advice in diagnosis.commands:
        assert call(*shlex.split(advice.command)[1:], "--draws", "1000").code == 0


def test_lines_of_words_may_be_translations(tmp_path, call):
    paths = [tmp_path / name for name in ("ref.txt", "a.txt", "b.txt")]
    for path, text in zip(paths, ("one two", "one two", "one too"), strict=True):
        path.write_text(f"{text}\n" * 8)
    commands = [shlex.split(advice.command) for advice in lk.doctor(*paths).commands]
    assert [words[1] for words in commands] == ["text", "text"]
    for words in commands:
        assert call(*words[1:], "--draws", "1000", "--seed", "0").code == 0


def test_the_same_characters_with_other_blanks_are_segmented(tmp_path):
    paths = [tmp_path / name for name in ("gold.txt", "a.txt", "b.txt")]
    for path, text in zip(paths, ("ab c", "a bc", "ab c"), strict=True):
        path.write_text(f"{text}\n" * 8)
    (advice,) = lk.doctor(*paths).commands
    assert shlex.split(advice.command)[1] == "chunks"


def test_one_file_of_text_has_no_command(tmp_path):
    path = tmp_path / "notes.md"
    path.write_text("some words\nand more\n")
    diagnosis = lk.doctor(path)
    assert diagnosis.commands == ()
    assert "gold file must come first" in diagnosis.refused[0]


def test_empty_values_are_counted_by_metric(tmp_path):
    """Beside the answers that failed altogether, which every metric lacks."""
    rows = [
        {"model": m, "id": i, "f1": i / 9 if i > k else None, "em": float(i > 1)}
        for k, m in enumerate("ab")
        for i in range(9)
    ]
    rows[8]["f1"] = rows[8]["em"] = None
    path = tmp_path / "t.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    (task,) = lk.doctor(path).tasks
    assert task.errors == {"a": 1, "b": 0}
    assert task.empty == {"f1": {"a": 1, "b": 2}}


def test_logs_without_any_value_leave_nothing_to_ask(tmp_path):
    cases = [{"name": f"q{i}", "input": "?", "metricsData": []} for i in range(3)]
    path = tmp_path / "test_run_1.json"
    path.write_text(json.dumps({"testCases": cases, "metricsScores": []}))
    diagnosis = lk.doctor(path)
    assert not diagnosis.commands
    assert diagnosis.refused


def _numbers(gold, *rows):
    lines = [",".join(map(str, (g, *row))) for g, row in rows]
    return f"{gold},a,b\n" + "\n".join(lines) + "\n"


def _values(gold):
    return [
        (g(i), (i % 7 / 7 + 0.02, i % 5 / 5 + 0.02)) for i in range(30) for g in [gold]
    ]


SENTENCES = "".join(
    f"the {w} runs over the hill,the {w} runs over a hill,{'' if w == 'cat' else w}\n"
    for w in ("dog", "cat", "fox", "ant", "cow", "hen", "pig", "bee")
)
SPECIAL = {
    "probabilities": (
        _numbers("gold", *_values(lambda i: i % 2)),
        [("compare", "log_loss"), ("compare", "roc_auc")],
    ),
    "scores": (
        _numbers("gold", *((i % 2, (i - 9.5, 9.5 - i % 7)) for i in range(30))),
        [("compare", "roc_auc")],
    ),
    "regression": (
        _numbers("y", *_values(lambda i: i / 4)),
        [("compare", "rmse")],
    ),
    "usual name": (
        _numbers("y_true", *_values(lambda i: i)),
        [("compare", "rmse")],
    ),
    "labels": (
        _numbers("target", *((i % 2, (i % 3 % 2, i % 5 % 2)) for i in range(30))),
        [("compare", "accuracy"), ("compare", "f1")],
    ),
    "texts": (f"reference,a,b\n{SENTENCES}", [("text", "bleu,chrf")]),
    "two of x and y": ("x,y\n0.5,0.25\n1.5,0\n", [("compare", "mean")]),
}


@pytest.mark.parametrize("name", SPECIAL)
def test_columns_that_are_no_labels_have_their_metrics(name, tmp_path, call):
    text, expected = SPECIAL[name]
    path = tmp_path / "t.csv"
    path.write_text(text)
    commands = [shlex.split(advice.command) for advice in lk.doctor(path).commands]
    got = [(words[1], words[words.index("--metric") + 1]) for words in commands]
    assert got == expected
    for words in commands:
        ended = call(*words[1:], "--draws", "1000", "--seed", "0")
        assert ended.code == 0, ended.err


def test_features_are_no_probabilities_and_a_positive_class_is_asked_for(tmp_path):
    rows = [(i % 2, 20 + i, i % 7 / 7, i % 5 / 5) for i in range(30)]
    path = tmp_path / "t.csv"
    lines = "".join(f"{g},{age},{a},{b}\n" for g, age, a, b in rows)
    path.write_text(f"target,age,a,b\n{lines}")
    assert all("--systems a,b " in one.command for one in lk.doctor(path).commands)
    words = "".join(f"{'no' if g else 'yes'},{a},{b}\n" for g, _, a, b in rows)
    path.write_text(f"gold,a,b\n{words}")
    diagnosis = lk.doctor(path)
    assert diagnosis.commands == ()
    assert "positive" in diagnosis.refused[0]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("gold,a,b\nyes,yes,no\nno,,no\n", "label for every item"),
        ('gold,"a,1",b\nyes,yes,no\nno,no,no\n', "commas"),
    ],
)
def test_a_command_that_would_be_refused_is_not_given(text, reason, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(text)
    diagnosis = lk.doctor(path)
    assert diagnosis.commands == ()
    assert reason in diagnosis.refused[0]
