"""Inputs that are large or without end: an answer, or a refusal before it gets late."""

import json
import os
import time

import pytest
from tests.cli.conftest import SPAM

from likelier import streams
from likelier.readers import columns, file
from likelier.readers.logs import log_choice

LONG = ("--system", "m", "--id", "i", "--score", "s", "--draws", "1000", "--seed", "0")
ACCURACY = ("--gold", "gold", "--metric", "accuracy", "--draws", "1000", "--seed", "0")


def wide(folder, n):
    """Write a table of `n` systems, the last of which never has a gold label."""
    rows = [["gold", *(f"s{i}" for i in range(n))]]
    rows += [[g, *[g] * (n - 1), "0"] for g in "xy"]
    (folder / "t.csv").write_text("".join(f"{','.join(row)}\n" for row in rows))


def long(folder, systems, tasks=1):
    rows = [
        f"m{m},{i},{(m + i) % 2},t{t}\n"
        for m in range(systems)
        for t in range(tasks)
        for i in range(3)
    ]
    (folder / "l.csv").write_text("m,i,s,task\n" + "".join(rows))


def test_the_doctor_looks_at_a_thousand_columns_at_once(folder, call):
    wide(folder, 1000)
    start = time.process_time()
    answer = json.loads(call("doctor", "t.csv", "--json", "-").out)
    # Column by column it took ten times as long.
    assert time.process_time() - start < 30
    assert answer["systems"] == [f"s{i}" for i in range(999)]


@pytest.mark.parametrize("command", ["doctor", "compare", "estimate", "rank"])
def test_too_many_systems_of_a_table(folder, refused, monkeypatch, command):
    monkeypatch.setattr(columns, "_MOST_SYSTEMS", 5)
    wide(folder, 6)
    words = () if command == "doctor" else ACCURACY
    message = refused(command, "t.csv", *words)
    assert "There must be at most 5 systems; got 6." in message


@pytest.mark.parametrize("command", ["compare", "estimate", "rank"])
def test_too_many_systems_of_a_long_table(folder, refused, monkeypatch, command):
    monkeypatch.setattr(columns, "_MOST_SYSTEMS", 5)
    long(folder, 6)
    message = refused(command, "l.csv", *LONG)
    assert "There must be at most 5 systems; got 6." in message


def test_too_many_tasks(folder, refused, monkeypatch):
    monkeypatch.setattr(log_choice, "_MOST_TASKS", 5)
    long(folder, 2, tasks=6)
    message = refused("compare", "l.csv", *LONG, "--group", "task")
    assert "There must be at most 5 tasks; got 6." in message


def test_too_many_comparisons(folder, refused, monkeypatch):
    monkeypatch.setattr(streams, "_MOST_RESULTS", 5)
    long(folder, 4)
    message = refused("rank", "l.csv", *LONG)
    assert "There must be at most 5 comparisons at once; got 6." in message
    long(folder, 2, tasks=6)
    message = refused("compare", "l.csv", *LONG, "--group", "task")
    assert "There must be at most 5 comparisons at once; got 6." in message


@pytest.mark.parametrize("line", [1, 2])
def test_a_line_of_json_without_end(folder, refused, line):
    rows = ['{"gold": 1, "a": 1, "b": 1}\n'] * 2
    rows[line - 1] = f'{{"gold": 1, "a": 1, "b": "{"1" * 40_000_000}"}}\n'
    (folder / "t.jsonl").write_text("".join(rows))
    message = refused("compare", "t.jsonl", "--systems", "a,b", *ACCURACY)
    assert f"t.jsonl:{line} must have no line of more than 32,000,000 bytes." in message


@pytest.mark.parametrize(
    "words",
    [
        ("plan", "--metric", "accuracy", "--assume"),
        ("study", "run"),
        ("doctor",),
        ("compare", "--metric", "accuracy"),
        ("estimate", "--metric", "accuracy"),
        ("folds",),
        ("study", "show"),
        ("chunks", "--segmented", "p.csv"),
        ("text", "--metric", "bleu", "p.csv"),
    ],
    ids=" ".join,
)
def test_pipes_and_devices_are_no_inputs(folder, refused, words):
    os.mkfifo(folder / "pipe")
    for name in ("pipe", "/dev/zero"):
        message = refused(*words, name)
        assert f"{name} must be " in message
        assert "it is a pipe or device." in message


def test_settings_have_a_bound(folder, refused, monkeypatch):
    monkeypatch.setattr(file, "_LONGEST_ROW", 1_000)
    (folder / "c.json").write_text(f'{{"cells": [{" " * 1_000}]}}')
    message = refused("plan", "--metric", "accuracy", "--assume", "c.json")
    assert "c.json must have at most 1,000 bytes." in message


def test_what_does_not_fit_into_memory(folder, refused, monkeypatch):
    def full(*_, **__):
        message = "Unable to allocate 7 TiB"
        raise MemoryError(message)

    monkeypatch.setattr("likelier.compare", full)
    message = refused(*SPAM)
    assert "There must be more memory: Unable to allocate 7 TiB." in message
