"""The same seed gives the same bytes, whatever the order of rows."""

import io
import json
import os
import random
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import SPAM, items, table

from likelier.cli import main
from likelier.report.document import as_json

FORMS = ("json", "html", "png", "svg", "pdf")


def written(call, folder, name, *words):
    """Write every kind of file and return their bytes."""
    paths = {form: folder / f"{name}.{form}" for form in FORMS}
    documents = ("--json", paths["json"], "--html", paths["html"])
    for form in FORMS[2:]:
        more = documents if form == "png" else ()
        ended = call(*words, *more, "--plot", paths[form])
        assert ended.code == 0, ended
    return {form: path.read_bytes() for form, path in paths.items()}


def test_same_seed_same_files(folder, call):
    first = written(call, folder, "one", *SPAM, "--rope", "0.01")
    second = written(call, folder, "two", *SPAM, "--rope", "0.01")
    assert [form for form in FORMS if first[form] != second[form]] == []
    files = ("--json", "o.json", "--html", "o.html", "--plot", "o.png")
    assert call(*SPAM, "--rope", "0.01", "--seed", "1", *files).code == 0
    for form in FORMS[:3]:
        assert (folder / f"o.{form}").read_bytes() != first[form]
    assert first["png"].startswith(b"\x89PNG\r\n")
    assert first["pdf"].startswith(b"%PDF")
    assert b"<svg" in first["svg"]
    assert first["html"].startswith(b"<!doctype html>")
    assert json.loads(first["json"])["kind"] == "comparison"


def test_suffix_in_capitals(folder, call):
    assert call(*SPAM, "--plot", "X.PNG").code == 0
    assert (folder / "X.PNG").read_bytes().startswith(b"\x89PNG")


def test_json_file_is_what_is_printed(folder, call):
    printed = call(*SPAM, "--json", "-").out
    ended = call(*SPAM, "--json", "out.json")
    assert (folder / "out.json").read_text(encoding="utf-8") == printed
    assert ended.out.startswith("≫ b is better than a")


@pytest.mark.parametrize("method", ["paired", "unpaired", "bootstrap", "randomization"])
def test_order_of_rows_does_not_matter(folder, call, method):
    words = (*SPAM, "--cluster", "doc", "--method", method, "--json", "-")
    expected = call(*words)
    assert expected.code == 0
    rows = items()
    for seed in range(2):
        random.Random(seed).shuffle(rows)
        (folder / "p.csv").write_text(table(rows))
        assert call(*words).out == expected.out


def test_order_of_columns_does_not_matter(folder, call):
    expected = call(*SPAM, "--json", "-").out
    rows = [[row[i] for i in (5, 3, 1, 0, 2)] for row in items()]
    (folder / "p.csv").write_text(table(rows, ("doc", "b", "gold", "id", "a")))
    assert call(*SPAM, "--json", "-").out == expected


def test_zero_is_a_seed(folder, call):
    words = [word for word in SPAM if word not in ("--seed", "0")]
    seeded = [call(*words, "--seed", "0", "--json", "-").out for _ in range(2)]
    assert seeded[0] == seeded[1]
    assert json.loads(seeded[0])["method"]["seed"] == 0
    free = [json.loads(call(*words, "--json", "-").out) for _ in range(2)]
    assert free[0]["method"]["seed"] != free[1]["method"]["seed"]
    assert free[0]["difference"]["mean"] != free[1]["difference"]["mean"]


@pytest.mark.parametrize("method", ["paired", "unpaired", "bootstrap", "randomization"])
def test_recipe_tells_the_seed_that_was_used(folder, call, method):
    words = [word for word in SPAM if word not in ("--seed", "0")]
    words = [*words, "--method", method, "--json", "-"]
    first = call(*words).out
    seed = re.search(r"draws 1000 seed (\d+)", json.loads(first)["recipe"])[1]
    assert call(*words, "--seed", seed).out == first


def test_metrics_together_or_alone_are_the_same(folder, call):
    both = json.loads(call(*SPAM, "--metric", "recall,f1", "--json", "-").out)
    alone = json.loads(call(*SPAM, "--json", "-").out)
    assert both["comparisons"][1] == alone


def test_no_network(folder, call, monkeypatch):
    def stop(*_, **__):
        pytest.fail("a socket was opened")

    for name in ("socket", "create_connection", "getaddrinfo"):
        monkeypatch.setattr(socket, name, stop)
    ended = call(*SPAM, "--rope", "0.01", "--html", "o.html", "--plot", "o.svg")
    assert ended.code == 0
    assert call("demo", "there").code == 0


SCRIPT = Path(sys.executable).with_name("likelier")


def script(*words, **variables):
    """Run the console script in a process of its own."""
    done = subprocess.run(
        [SCRIPT, *words],
        capture_output=True,
        env=os.environ | variables,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


def test_console_script_gives_the_same_bytes_in_other_processes(folder, call):
    words = (*SPAM, "--rope", "0.01", "--json", "-")
    here = call(*words).out
    assert script(*words, PYTHONHASHSEED="1").decode() == here
    # A terminal without Unicode gets the same JSON with escapes.
    escaped = as_json(json.loads(here), ascii_only=True)
    assert "\\u226b" in escaped
    there = script(*words, PYTHONHASHSEED="2", PYTHONIOENCODING="cp1252")
    assert there.decode("ascii") == escaped


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_terminals_without_unicode_get_an_answer(folder, monkeypatch, encoding):
    terminal = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr(sys, "argv", ["likelier", *SPAM, "--rope", "0.01"])
    monkeypatch.setattr(sys, "stdout", terminal)
    with pytest.raises(SystemExit) as stop:
        main()
    terminal.flush()
    assert not stop.value.code
    assert b"b is better than a on F1" in terminal.buffer.getvalue()
