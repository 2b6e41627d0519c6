"""The result of a study: tables, words, JSON."""

import json
import math
from dataclasses import FrozenInstanceError, replace

import pytest
from tests.conftest import random_labels
from tests.results.every_kind import studied

import likelier
from likelier import Scores, compare, rank
from likelier.errors import LikelierError
from likelier.findings import Finding
from likelier.results.study_folds import FailedFold, FoldRow
from likelier.results.study_report import StudyReport

TABLE = random_labels(1, n=60, classes=2)
ANSWERS = tuple(
    compare(
        *TABLE.columns,
        systems=["a", name],
        metric=metric,
        positive="b" if metric == "f1" else None,
        rope=0.02,
        draws=1000,
        seed=0,
    )
    for metric in ("accuracy", "f1")
    for name in ("b", "c")
)
SCORES = Scores.from_arrays(
    [0.1, 0.2, 0.1], [0.3, 0.5, 0.3], [0.6, 0.6, 0.7], systems=["a", "b", "c"]
)


def row(dataset, system, fold, value, seconds=1.0):
    values = {"accuracy": value, "f1": value / 2}
    return FoldRow(dataset, system, 1, fold, values, seconds, seconds / 10)


FOLDS = (
    row("d", "a", 1, 0.5),
    row("d", "b", 1, 0.6, 2.0),
    row("d", "a", 2, 0.7, 3.0),
    row("e", "a", 1, 0.9),
)
FAILED = FailedFold("d", "b", 1, 2, "ValueError: no", "Traceback …\nValueError: no")
MADE = {
    "name": "mine",
    "systems": ("a", "b"),
    "datasets": ("d", "e"),
    "metrics": ("accuracy", "f1"),
    "design": "2-fold stratified seed 0",
    "seed": 7,
    "planned": 2,
    "folds": FOLDS,
    "failures": (FAILED,),
    "versions": {},
}
EMPTY = studied(**MADE)
FULL = studied(*ANSWERS, **MADE | {"systems": ("a", "b", "c"), "failures": ()})


def test_it_is_public():
    assert likelier.StudyReport is StudyReport
    with pytest.raises(FrozenInstanceError):
        EMPTY.name = "yours"


# --- how far it is ------------------------------------------------------------


def test_progress():
    assert EMPTY.total == 8
    assert not EMPTY.finished
    assert EMPTY.progress() == "4 of 8 folds finished, 1 failed"
    assert EMPTY.sentence() == "mine: 4 of 8 folds finished, 1 failed"
    assert repr(EMPTY) == "<StudyReport mine: 4 of 8 folds finished, 1 failed>"
    done = replace(EMPTY, systems=("a",), datasets=("d",), planned=4, failures=())
    assert done.finished
    assert done.progress() == "4 of 4 folds finished"


def test_tallies():
    text = {(t.dataset, t.system): t for t in EMPTY.tallies}
    assert list(text) == [("d", "a"), ("d", "b"), ("e", "a"), ("e", "b")]
    first = text["d", "a"]
    assert (first.planned, first.finished, first.failed) == (2, 2, 0)
    assert first.means == pytest.approx({"accuracy": 0.6, "f1": 0.3}, rel=1e-12)
    assert (first.fit_seconds, first.predict_seconds) == pytest.approx((2.0, 0.2))
    second = text["d", "b"]
    assert (second.finished, second.failed) == (1, 1)
    nothing = text["e", "b"]
    assert (nothing.finished, nothing.failed) == (0, 0)
    assert math.isnan(nothing.means["accuracy"])
    assert math.isnan(nothing.fit_seconds)


def test_tallies_leave_out_what_is_not_defined():
    odd = replace(FOLDS[2], values={"accuracy": 1.0, "f1": None})
    rows = (row("d", "a", 1, 0.5), odd)
    (first, *_) = replace(EMPTY, folds=rows).tallies
    assert first.means == pytest.approx({"accuracy": 0.75, "f1": 0.25}, rel=1e-12)


def test_lines():
    first, why, second = EMPTY.lines()
    assert why == "no comparison: folds of a, b are missing"
    text = "mine: 2-fold stratified seed 0, 2 data sets, "
    assert first.startswith(f"{text}4 of 8 folds finished, 1 failed")
    assert second == "failed: b on d, repetition 1, fold 2: ValueError: no"


def test_only_the_first_failures_are_listed():
    report = replace(EMPTY, failures=(FAILED,) * 30)
    lines = [line for line in report.lines() if line.startswith("failed: ")]
    assert len(lines) == 10
    assert report.lines()[-1] == "and 20 more failures"
    assert len(report.to_dict()["failures"]) == 30


# --- answers ------------------------------------------------------------------


def test_answer():
    assert FULL.answer("accuracy") is ANSWERS[0]
    assert FULL.answer("accuracy", "c") is ANSWERS[1]
    assert FULL.answer("f1") is ANSWERS[2]
    assert FULL.answer("f1", "c") is ANSWERS[3]
    with pytest.raises(LikelierError, match="metric must be one of accuracy"):
        FULL.answer("accurac")


def test_answer_for_an_unknown_candidate_names_the_candidates():
    with pytest.raises(LikelierError, match="must be one of b, c; got 'd'"):
        FULL.answer("accuracy", "d")


def test_answer_of_pairs():
    pairs = rank(SCORES, rope=0.01)
    report = replace(FULL, results=(pairs,), metrics=("score",))
    assert report.answer("score") is pairs
    assert report.sentence() == pairs.sentence()


def test_sentence_is_that_of_the_answers():
    assert FULL.sentence() == "; ".join(answer.sentence() for answer in ANSWERS)
    assert repr(FULL) == f"<StudyReport {FULL.sentence()}>"


def test_findings_stand_once():
    remark = Finding("LIK141", "folds were run with different versions of x (1, 2).")
    report = studied(*ANSWERS, **MADE | {"remarks": (remark,)})
    result = report.findings
    assert result[0] == remark
    assert len(result) == len(set(result))
    every = {finding for answer in ANSWERS for finding in answer.findings}
    assert set(result) == {remark, *every}


def test_recipe():
    parts = FULL.recipe.split(" | ")
    assert parts[0].startswith("likelier ")
    assert parts[1:] == [
        "accuracy, f1",
        "2-fold stratified seed 0",
        "seed 7",
        "sha 0123456789ab",
        "study mine",
    ]


# --- JSON ---------------------------------------------------------------------

KEYS = [
    *["schema", "kind", "name", "systems", "datasets", "metrics", "metric", "design"],
    *["seed", "versions", "planned", "finished", "answers", "tallies", "folds"],
    *["failures", "method", "recipe", "findings"],
]


def test_documented_keys():
    text = FULL.to_dict()
    assert list(text) == KEYS
    assert (text["schema"], text["kind"], text["name"]) == (2, "study", "mine")
    assert (text["planned"], text["finished"]) == (12, 4)
    assert text["answers"] == [answer.to_dict() for answer in ANSWERS]
    assert text["folds"][1] == {
        "dataset": "d",
        "system": "b",
        "repetition": 1,
        "fold": 1,
        "values": {"accuracy": 0.6, "f1": 0.3},
    }
    assert text["recipe"] == FULL.recipe
    json.dumps(text, allow_nan=False)


def test_tallies_in_the_json():
    text = {(row["dataset"], row["system"]): row for row in EMPTY.to_dict()["tallies"]}
    assert list(text) == [("d", "a"), ("d", "b"), ("e", "a"), ("e", "b")]
    assert text["d", "a"]["finished"] == 2
    assert text["d", "b"]["failed"] == 1
    assert text["d", "a"]["means"] == pytest.approx({"accuracy": 0.6, "f1": 0.3})
    assert text["e", "b"]["means"] == {"accuracy": None, "f1": None}


def test_failures_in_the_json():
    assert EMPTY.to_dict()["failures"] == [
        {
            "dataset": "d",
            "system": "b",
            "repetition": 1,
            "fold": 2,
            "error": "ValueError: no",
        }
    ]
    assert str(FAILED) == "b on d, repetition 1, fold 2: ValueError: no"
    assert "Traceback" not in repr(FAILED)


def test_timings_on_request():
    assert "fit_seconds" not in json.dumps(FULL.to_dict())
    text = FULL.to_dict(timings=True)
    assert list(text) == KEYS
    first = text["folds"][0]
    assert (first["fit_seconds"], first["predict_seconds"]) == (1.0, 0.1)
    seconds = {(t["dataset"], t["system"]): t["fit_seconds"] for t in text["tallies"]}
    assert seconds["d", "a"] == pytest.approx(2.0)
    assert seconds["e", "b"] is None


# --- tables and notebooks -----------------------------------------------------

COLUMNS = [
    *["dataset", "system", "run", "fold", "metric", "score"],
    *["fit_seconds", "predict_seconds"],
]


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_frame(backend):
    frame = EMPTY.frame(backend)
    assert type(frame).__module__.startswith(backend)
    columns = frame.column_names if backend == "pyarrow" else list(frame.columns)
    assert columns == COLUMNS
    column = frame["score"]
    values = column.to_pylist() if backend == "pyarrow" else list(column)
    assert values == [0.5, 0.25, 0.6, 0.3, 0.7, 0.35, 0.9, 0.45]


def test_frame_is_what_compare_folds_takes():
    rows = [row("d", s, f, 0.1 * f + 0.2 * (s == "b")) for f in (1, 2, 3) for s in "ab"]
    report = replace(EMPTY, datasets=("d",), folds=tuple(rows), metrics=("accuracy",))
    result = likelier.compare_folds(report.frame("pandas"), rope=0.01)
    assert result.difference == pytest.approx(0.2)


def test_a_frame_of_nothing():
    frame = replace(EMPTY, folds=()).frame("pandas")
    assert list(frame.columns) == COLUMNS
    assert len(frame) == 0


def test_losses_are_named_with_their_direction():
    rows = tuple(
        replace(one, values={"error_rate": one.values["accuracy"]}) for one in FOLDS
    )
    report = studied(**MADE | {"metrics": ("error_rate",), "folds": rows})
    (table,) = report.tables()
    loss = "error rate (less is better)"
    assert f"mean {loss}" in [column.name for column in table.columns]
    assert f"The systems were measured by {loss}." in report.paragraph()


def test_notebooks_get_escaped_text():
    bad = replace(EMPTY, name="<b>me</b>", failures=(replace(FAILED, error="<i>no"),))
    page = bad._repr_html_()
    assert "<b>" not in page
    assert "&lt;b&gt;me&lt;/b&gt;: 4 of 8 folds finished" in page
    assert page.startswith("<div>")
    whole = bad.report().html
    assert "<b>me" not in whole
    assert "&lt;i&gt;no" in whole
    assert "sha 0123456789ab" in whole


def test_control_characters_are_spelt_out():
    bad = studied(**MADE | {"name": "a\x1b[31m", "design": "x\ny"})
    bad = replace(bad, failures=(replace(FAILED, system="s\x07", error="e\x1b"),))
    text = [repr(bad), bad.sentence(), *bad.lines(), bad.recipe]
    assert all(line.isprintable() for line in text)


def test_plot():
    few = replace(FULL, results=ANSWERS[:3])
    assert len(few.plot().axes) == 3
    (together,) = FULL.plot().axes
    assert len(together.get_yticklabels()) == len(ANSWERS) == 4
    with pytest.raises(LikelierError, match="1 to 12 answers; got 0"):
        EMPTY.plot()
