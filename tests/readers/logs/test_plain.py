"""What is said of logs that tools wrote, against plain loops over their records."""

import json
import math
from collections import Counter

import numpy as np
import pytest
from tests.readers.logs import plain
from tests.readers.logs.reading import DATA

import likelier as lk

CASES = [
    *((path,) for path in sorted(DATA.glob("inspect/*"))),
    *((path,) for path in sorted(DATA.glob("promptfoo/*"))),
    *((path,) for path in sorted(DATA.glob("lm_eval*/*"))),
    ("evalplus/toy_temp_0.8_eval_results.json", "evalplus/toy-b_eval_results.json"),
    ("inspect/epochs-a.eval", "inspect/epochs-b.eval"),
    ("helm/toy-a", "helm/toy-b"),
    ("evalplus/toy_old",),
    ("deepeval/test_run_20261118_113000.json", "deepeval/run-b"),
    ("openai_evals",),
    ("every_eval_ever",),
    ("swe_bench",),
    *((path,) for path in sorted(DATA.glob("swe_bench/*"))),
    ("lighteval",),
]
LENIENT = {"runs": "all", "on_missing": "drop", "allow_different": True}
# Zeros stand for values that the converter did not have.
_NOT_MEANS = {"toy_ppl": ("score",)}
# What there is beside the scores of every format that has some.
_DERIVED = ("is_correct",)


def name_of(case):
    return ",".join(str(DATA.joinpath(p).relative_to(DATA)) for p in case)


def number(value):
    """A value of one answer: None where it is none, NaN or no number."""
    known = isinstance(value, int | float) and not math.isnan(value)
    return float(value) if known else None


def by_system(rows, *, task):
    """Rows of a task and filter by system, in the order in which systems come."""
    own = [row for row in rows if (row.task, row.filter) == task]
    return {
        s: [r for r in own if r.system == s]
        for s in dict.fromkeys(r.system for r in own)
    }


def most_repeats(rows):
    return max(Counter((row.run, row.item) for row in rows).values())


def failed(row):
    """Whether an answer failed, or has no value at all."""
    return row.failed or all(v is None or v != v for v in row.values.values())


@pytest.fixture(params=CASES, ids=name_of, scope="module")
def case(request):
    paths = [DATA / path for path in request.param]
    return paths, [row for path in paths for row in plain.rows_of(path)]


def test_the_doctor_is_right(case):
    paths, rows = case
    diagnosis = lk.doctor(*paths)
    assert diagnosis.systems == tuple(dict.fromkeys(row.system for row in rows))
    facts = {(task.task, task.filter): task for task in diagnosis.tasks}
    assert facts.keys() == {(row.task, row.filter) for row in rows}
    for key, task in facts.items():
        systems = by_system(rows, task=key)
        sets = {s: {row.item for row in own} for s, own in systems.items()}
        assert task.items == {s: len(items) for s, items in sets.items()}
        assert task.shared == len(set.intersection(*sets.values()))
        assert task.repeats == {s: most_repeats(own) for s, own in systems.items()}
        assert task.runs == {s: len({r.run for r in own}) for s, own in systems.items()}
        assert task.errors == {s: sum(map(failed, own)) for s, own in systems.items()}
        names = {n for own in systems.values() for row in own for n in row.values}
        named = {*task.metrics, *task.unusable}
        assert {n for n in named if not n.endswith(_DERIVED)} == names


def test_directions_are_those_of_the_results():
    """Of log-likelihoods more is better, of the perplexity less."""
    folder = DATA / "lm_eval" / "base"
    [path] = folder.glob("toy-a/results_*.json")
    better = json.loads(path.read_text())["higher_is_better"]
    words = {True: "higher", False: "lower"}
    for task in lk.doctor(folder).tasks:
        expected = {name: words[better[task.task][name]] for name in task.metrics}
        if "perplexity" in expected:
            expected["perplexity"] = "lower"
        assert task.metrics == expected


def item_means(rows, metric):
    """The mean over repeats of each item that has a value."""
    values = {}
    for row in rows:
        value = None if row.failed else number(row.values.get(metric))
        if value is not None:
            values.setdefault(row.item, []).append(value)
    return {item: np.mean(of) for item, of in values.items()}


def test_answers_are_those_of_plain_loops(case):
    paths, rows = case
    questions = dict.fromkeys(
        (row.task, row.filter, metric) for row in rows for metric in row.values
    )
    for task, name, metric in questions:
        systems = by_system(rows, task=(task, name))
        means = [item_means(of, metric) for of in systems.values()]
        shared = set.intersection(*(set(of) for of in means))
        if shared and metric not in _NOT_MEANS.get(task, ()):
            settings = {"task": task, "filter": name, "systems": list(systems)}
            items = lk.read(*paths, **settings, **LENIENT)
            chosen, table = items.table(metric)
            expected = [np.mean([of[i] for i in shared]) for of in means]
            if metric == "perplexity":
                expected = [math.exp(-mean) for mean in expected]
            assert chosen.observed(table) == pytest.approx(expected)
            assert table.n_items == len(shared)
