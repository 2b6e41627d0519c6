"""What is printed commands no runner of builds, and what cannot be printed is told."""

import io
import json
import os
import subprocess
import sys

import pytest
from tests.cli.conftest import FEW, items

from likelier.cli.safe_streams import guarded

SCRIPT = (sys.executable, "-c", "from likelier.cli import main; main()")
NAMES = ("::error::pwned", "  ::set-output name=x::y", "##[error]b", "##vso[task]c")
FORMS = ((), ("--markdown",), ("--latex",), ("--json", "-"))
COMMANDS = (
    ("--help",),
    ("--version",),
    ("doctor", "h.jsonl"),
    ("compare", "h.jsonl", "--metric", "accuracy", "--systems", "a,b", *FEW),
    ("split", "h.jsonl", "--design", "mx2", "--seed", "0"),
)


def commanding(text):
    """Lines that a runner would obey."""
    lines = text.splitlines()
    anywhere = ("##[", "##vso[", "##teamcity[")
    return [
        line
        for line in lines
        if line.lstrip().startswith("::") or any(mark in line for mark in anywhere)
    ]


def write_table(folder, *names):
    lines = [
        {"gold": g, **dict(zip(names, (a, b), strict=True))}
        for _, g, a, b, *_ in items()
    ]
    (folder / "h.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


@pytest.mark.parametrize("form", FORMS, ids="".join)
@pytest.mark.parametrize("names", [NAMES[:2], NAMES[2:]])
def test_names_that_are_commands(folder, call, names, form):
    write_table(folder, *names)
    words = ("h.jsonl", "--metric", "accuracy", "--systems", ",".join(names), *FEW)
    words = tuple(word.replace("  ::set", "::set") for word in words)
    for command in ("compare", "rank", "estimate"):
        ended = call(command, *words, *form)
        assert commanding(ended.out + ended.err) == [], command


def test_json_is_still_json(folder, call):
    write_table(folder, *NAMES[1:3])
    ended = call("compare", "h.jsonl", "--metric", "accuracy", *FEW, "--json", "-")
    assert json.loads(ended.out)["systems"] == list(NAMES[1:3])


def test_names_in_errors_and_files(folder, call):
    write_table(folder, *NAMES[2:])
    for words in (
        ("compare", "::error::x", "--metric", "accuracy"),
        ("compare", "h.jsonl", "--metric", "::error::x"),
        ("compare", "h.jsonl", "--metric", "accuracy", "--systems", "::error::x,y"),
        ("doctor", "h.jsonl"),
        ("::error::x",),
    ):
        ended = call(*words)
        assert commanding(ended.out + ended.err) == [], words


def test_lines_written_in_pieces(monkeypatch):
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="utf-8"))
    with guarded():
        for text in ("a ", "::b\n", " ", "::c\n", "d::e\n\n", "::f", ""):
            sys.stdout.write(text)
    sys.stdout.flush()
    text = raw.getvalue().decode()
    assert text == "a ::b\n \\u003a:c\nd::e\n\n\\u003a:f"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")  # noqa: PTH110
@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_no_room_for_what_is_printed(folder, words):
    write_table(folder, "a", "b")
    with open("/dev/full", "w") as full:  # noqa: PTH123
        done = subprocess.run(
            [*SCRIPT, *words],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    message = "likelier: what is printed must be writable; No space left on device.\n"
    assert done.stderr.endswith(message)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_nobody_reads(folder, words):
    write_table(folder, "a", "b")
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*SCRIPT, *words],
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writing)
    assert done.returncode == 141
    assert "Traceback" not in done.stderr


def test_streams_that_are_closed(folder):
    write_table(folder, "a", "b")
    compare = " ".join(["compare", "h.jsonl", "--metric", "accuracy", *FEW])
    calls = ((compare, ">&- 2>&-"), ("--version", ">&-"), ("--version", "2>&-"))
    for words, closed in calls:
        done = subprocess.run(
            ["sh", "-c", f"'{sys.executable}' -c '{SCRIPT[2]}' {words} {closed}"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
