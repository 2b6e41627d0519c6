"""Read the pages of the documentation, and run what they show, in order.

A ``python`` block is executed; its lines ``# …`` are what it prints. In a ``console``
block, ``$ …`` is a command and what follows is its output; ``[exit 1]`` at the end is
its exit code. ``...`` stands for any text within a line, and alone for any lines.
"""

import os
import re
import shlex
import subprocess
import sys
import textwrap
from contextlib import chdir, redirect_stderr, redirect_stdout
from functools import cache
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory
from typing import NamedTuple
from unittest import mock

import typer.main

from likelier.cli import app, main

ROOT = Path(__file__).parents[1]
# Typer would build all commands at every call.
BUILT = typer.main.get_command(app)
COMMANDS = BUILT.commands
ALLOWED = {"likelier", "python", "cat", "head", "ls", "echo"}
SECONDS = 120

_FENCE = re.compile(
    r"^ *(?P<ticks>`{3,})(?P<language>[^\n`]*)\n(?P<body>.*?)^ *(?P=ticks)$",
    flags=re.DOTALL | re.MULTILINE,
)
_EXIT = re.compile(r"\[exit (\d+)\]")
_HERE = re.compile(r"<<\s*'?(\w+)'?")


class Block(NamedTuple):
    """A fenced block of a page."""

    language: str
    body: str
    line: int


class Step(NamedTuple):
    """A command of a console block, and what it is said to print."""

    command: str
    said: list
    code: int


def page_paths():
    """Give every page a person wrote; pages that are generated stand elsewhere."""
    made = (ROOT / "docs" / "_build", ROOT / "docs" / "cli")
    found = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    found += (ROOT / "examples").rglob("README.md")
    return sorted(p for p in found if not any(p.is_relative_to(m) for m in made))


def blocks(text, *languages):
    """Give the fenced blocks of a page, all or those of some languages."""
    found = []
    for match in _FENCE.finditer(text):
        language = match["language"].strip()
        line = text[: match.start()].count("\n") + 1
        if not languages or language in languages:
            found.append(Block(language, textwrap.dedent(match["body"]), line))
    return found


def steps(block):
    """Give the commands of a console block with what they are said to print."""
    lines = block.body.splitlines()
    assert lines, f"line {block.line}: an empty console block"
    assert lines[0].startswith("$ "), f"line {block.line}: a command comes first"
    found = []
    while lines:
        command = _command(lines)
        said = []
        while lines and not lines[0].startswith("$ "):
            said.append(lines.pop(0))
        while said and not said[-1].strip():
            said.pop()
        code = _EXIT.fullmatch(said[-1]) if said else None
        if code:
            said.pop()
        found.append(Step(command, said, int(code[1]) if code else 0))
    return found


def _command(lines):
    """Take one command off the lines: continued ones and here-documents whole."""
    parts = [lines.pop(0)[2:]]
    while parts[-1].endswith("\\"):
        parts.append(lines.pop(0))
    here = _HERE.search("\n".join(parts))
    while here and parts[-1].strip() != here[1]:
        parts.append(lines.pop(0))
    return "\n".join(parts)


def matches(said, printed):
    """Tell whether the printed lines are the said ones; ``...`` is anything."""
    patterns = [
        r"(?:.*\n)*?"
        if line.strip() == "..."
        else re.escape(line.rstrip()).replace(r"\.\.\.", ".*?") + r"[ ]*\n"
        for line in said
    ]
    return re.fullmatch("".join(patterns), "".join(f"{p}\n" for p in printed))


def check_printed(said, printed, where):
    """Fail with both texts if they differ."""
    while printed and not printed[-1].strip():
        printed = printed[:-1]
    message = "\n".join([where, "said:", *said, "printed:", *printed])
    assert matches(said, printed), message


def run_page(path, text, folder):
    """Run the python and console blocks of a page in a folder, top to bottom."""
    names = {}
    code = 0
    for block in blocks(text, "python", "console"):
        where = f"{path.relative_to(ROOT)}, line {block.line}"
        if block.language == "python":
            _run_python(block, names, where)
        else:
            for step in steps(block):
                printed, code = run_command(step.command, folder, code)
                check_printed(step.said, printed, f"{where}: {step.command}")
                assert code == step.code, f"{where}: {step.command}: exit {code}"


def _run_python(block, names, where):
    caught = StringIO()
    # Empty lines put the block where it stands in the page, for tracebacks.
    source = "\n" * block.line + block.body
    with redirect_stdout(caught):
        exec(compile(source, where, "exec"), names)
    said = re.findall(r"^# (.*)$", block.body, flags=re.MULTILINE)
    if said:
        check_printed(said, caught.getvalue().splitlines(), where)


def run_command(command, folder, last=0):
    """Run a command: what it printed on both streams, and its exit code."""
    words, plain = _words(command)
    assert words, "an empty command"
    assert set(words) <= ALLOWED, f"not allowed here: {command}"
    if command == "likelier demo":
        demo, printed = _demo()
        copytree(Path(demo.name) / "demo", Path(folder) / "demo")
        return printed, 0
    if plain and words == ["likelier"]:
        return run_likelier(shlex.split(command.replace("\\\n", " "))[1:])
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["sh", "-c", f"(exit {last})\n{command}"],
        cwd=folder,
        env={**os.environ, "PATH": path, "PYTHONWARNINGS": "error"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=SECONDS,
        check=False,
    )
    return done.stdout.decode().splitlines(), done.returncode


@cache
def _demo():
    """Run the demo once, for all the pages that begin with it."""
    folder = TemporaryDirectory()
    with chdir(folder.name):
        printed, code = run_likelier(["demo"])
    assert code == 0
    return folder, printed


def _words(command):
    """Give the programs that a command starts, and whether it needs no shell."""
    first = command.split("\n", 1)[0] if _HERE.search(command) else command
    bare = _masked(first.replace("\\\n", " "))
    words = []
    for part in re.split(r"[|;&()\n]+", bare):
        named = [w for w in part.split() if not re.match(r"\w+=", w)]
        words += named[:1]
    return words, not re.search(r"[|;&()<>$*`\n]|^\w+=", bare)


def _masked(command):
    """Blank out what is quoted, so that the rest can be searched."""
    return re.sub(r"'[^']*'|\"[^\"]*\"", lambda m: "q" * len(m[0]), command)


def run_likelier(arguments):
    """Run the command line in this process, as ``likelier`` does."""
    stream = TextIOWrapper(BytesIO(), encoding="utf-8", write_through=True)
    before, code = sys.argv, 0
    sys.argv = ["likelier", *arguments]
    try:
        with (
            mock.patch("typer.main.get_command", return_value=BUILT),
            redirect_stdout(stream),
            redirect_stderr(stream),
        ):
            main()
    except SystemExit as stop:
        code = stop.code or 0
    finally:
        sys.argv = before
    return stream.buffer.getvalue().decode().splitlines(), code


def likelier_lines(text):
    """Give the lines of a block that call likelier, continued ones joined."""
    joined = re.sub(r"\\\n\s*", " ", text)
    pattern = r"^(?:\$ |[\s-]*run: *|\s*)(likelier +\S.*)$"
    return re.findall(pattern, joined, flags=re.MULTILINE)


def check_parses(line, *, whole=True):
    """Fail unless the command and its options exist and take what is given.

    Words after a gap of three spaces, or after ``#``, explain the line. Where it is not
    ``whole``, as in the middle of a sentence, what must be given may be left out.
    """
    name, rest = re.fullmatch(r"likelier +(\S+) *(.*)", line).groups()
    if name == "--version":
        return
    end = re.search(r" {3,}| [|>&;#]", _masked(rest) + "   ").start()
    arguments = shlex.split(rest[:end])
    if "--help" in arguments:
        return
    command = COMMANDS[name]
    while hasattr(command, "commands"):
        name = arguments.pop(0)
        command = command.commands[name]
    try:
        command.make_context(name, arguments)
    except Exception as error:
        # The class is not public in every version of typer.
        if whole or type(error).__name__ != "MissingParameter":
            raise
