"""Hostile names and labels from files, through every kind of output."""

import json
import os
import subprocess
import sys

import pytest
from tests.cli.conftest import FEW, items
from tests.cli.hostile import (
    HOSTILE,
    PICTURED,
    PLAIN,
    assert_lines,
    tags_of_page,
    together,
)


def hostile_table(folder, first, second):
    """Write a table in which two systems and two labels have hostile names."""
    label = {"spam": f"label {first}", "ham": f"label {second}"}
    lines = [
        {"gold": label[gold], first: label[a], second: label[b]}
        for _, gold, a, b, *_ in items()
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "h.jsonl").write_text(text)
    words = ("compare", "h.jsonl", "--metric", "f1", "--positive", label["spam"])
    return (*words, "--rope", "0.01", *FEW)


@pytest.mark.parametrize("names", together(HOSTILE, 2), ids=ascii)
def test_terminal_and_json(folder, call, names):
    words = hostile_table(folder, *names)
    ended = call(*words, "--json", "o.json")
    assert (ended.code, ended.err) == (0, "")
    assert_lines(ended.out, 5)
    result = json.loads((folder / "o.json").read_text(encoding="utf-8"))
    assert result["systems"] == names
    assert result["positive"] == f"label {names[0]}"
    assert [estimate["system"] for estimate in result["estimates"]] == names
    ended = call(*words, "--metric", "f1,recall")
    assert (ended.code, ended.err) == (0, "")
    assert_lines(ended.out, 5)


def test_markdown_and_latex_keep_their_lines(folder, call):
    plain = call(*hostile_table(folder, *PLAIN[:2]), "--latex").out
    for names in together(HOSTILE, 2):
        words = hostile_table(folder, *names)
        assert_lines(call(*words, "--markdown").out, 9)
        assert_lines(call(*words, "--latex").out, len(plain.splitlines()))


def test_page_and_plot(folder, call):
    pages = []
    for names in (PLAIN[:2], *together(PICTURED, 2)):
        words = hostile_table(folder, *names)
        ended = call(*words, "--html", "o.html", "--plot", "o.svg")
        assert (ended.code, ended.err) == (0, "")
        pages.append(tags_of_page(folder / "o.html"))
        assert "<svg" in (folder / "o.svg").read_text(encoding="utf-8")
        assert pages[-1] == pages[0]


def test_terminal_of_a_real_process(folder):
    name = "\x1b[31mred\u202e\nline"
    lines = [{"gold": g, name: a, "b": a} for _, g, a, *_ in items(40)]
    (folder / "h.jsonl").write_text("".join(json.dumps(x) + "\n" for x in lines))
    code = "import sys; from likelier.cli import main; sys.exit(main())"
    words = ("compare", "h.jsonl", "--metric", "accuracy", *FEW)
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        capture_output=True,
        encoding="utf-8",
        check=False,
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    # Identical systems: the finding names them too, and more items would not help.
    assert "LIK106" in done.stdout
    assert_lines(done.stdout, 6)
