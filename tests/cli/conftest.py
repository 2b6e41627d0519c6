"""Files as users have them, and the command line called in this process."""

import csv
import io
import json
import random
import sys
from functools import cache
from typing import NamedTuple

import pytest
import typer.main
from tests.databases import shared_database
from typer.main import get_command

from likelier.cli import app, main
from likelier.readers import engine

# Typer builds all commands at every call, which takes longer than most answers.
built_once = cache(get_command)


@pytest.fixture(scope="session")
def database():
    with shared_database() as opened:
        yield opened


class Ended(NamedTuple):
    code: int
    out: str
    err: str


def commands(command=None, words=()):
    """Every command by its name, those of a group as `study run`."""
    command = built_once(app) if command is None else command
    if not hasattr(command, "commands"):
        return {" ".join(words): command}
    inner = command.commands.items()
    return dict(
        pair for name, part in inner for pair in commands(part, (*words, name)).items()
    )


def items(n=120, *, right=(0.7, 0.9, 0.75), seed=3):
    """Rows of id, gold, three systems, document."""
    rng = random.Random(seed)
    other = {"spam": "ham", "ham": "spam"}
    rows = []
    for i in range(n):
        gold = rng.choice(["spam", "ham"])
        predictions = [gold if rng.random() < share else other[gold] for share in right]
        rows.append([f"m{i}", gold, *predictions, f"d{i % 35}"])
    return rows


def table(rows, header=("id", "gold", "a", "b", "c", "doc"), *, mark=","):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n", delimiter=mark)
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working folder with predictions as a table and as files of systems."""
    rows = items()
    (tmp_path / "p.csv").write_text(table(rows))
    (tmp_path / "p.tsv").write_text(table(rows, mark="\t"))
    for column, name in ((1, "gold"), (2, "a"), (3, "b"), (4, "c")):
        lines = [json.dumps({"id": row[0], "label": row[column]}) for row in rows]
        random.Random(column).shuffle(lines)
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines) + "\n")
    rng = random.Random(5)
    scores = [[round(rng.random(), 2), round(rng.random() + 0.2, 2)] for _ in range(60)]
    (tmp_path / "s.csv").write_text(table(scores, ("a", "b")))
    sets = [
        [";".join(sorted(rng.sample(["x", "y", "z"], rng.randrange(4)))) for _ in "gab"]
        for _ in range(60)
    ]
    (tmp_path / "m.csv").write_text(table(sets, ("gold", "a", "b")))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def call(monkeypatch, capsys, database):
    """Run the command line as the console script does."""
    monkeypatch.setattr(engine, "_connect", lambda files: database.cursor())

    def call(*words):
        monkeypatch.setattr(sys, "argv", ["likelier", *map(str, words)])
        monkeypatch.setattr(typer.main, "get_command", built_once)
        capsys.readouterr()
        code = 0
        try:
            main()
        except SystemExit as stop:
            code = stop.code or 0
        out, err = capsys.readouterr()
        return Ended(code, out, err)

    return call


FEW = ("--draws", "1000", "--seed", "0")
COMPARE = ("compare", "p.csv", "--systems", "a,b", "--metric", "f1", *FEW)
SPAM = (*COMPARE, "--positive", "spam")


@pytest.fixture
def spam(folder, call):
    """Compare on F1 of spam, with further words."""
    return lambda *words: call(*SPAM, *words)


@pytest.fixture
def refused(folder, call):
    """Run what must be refused: exit 2, one paragraph, no traceback, no new file."""

    def refused(*words):
        before = {p: p.read_bytes() if p.is_file() else None for p in folder.rglob("*")}
        ended = call(*words)
        assert ended.code == 2, ended
        assert ended.out == ""
        assert ended.err.startswith("likelier: ")
        assert ended.err.endswith("\n")
        assert "Traceback" not in ended.err
        message, _, hint = ended.err.rstrip("\n").partition("\n\nHint: ")
        assert "\n" not in message + hint
        after = {p: p.read_bytes() if p.is_file() else None for p in folder.rglob("*")}
        assert after == before
        return ended.err

    return refused
