"""Run commands on damaged inputs of every format; `make fuzz SECONDS=600`.

An input must give an answer, that of a plain reader where there is one, or a message
with exit code 2 that names a file: never a traceback, an end by a signal, a command to
a terminal or a runner, more than 1 GB, or more than 20 seconds of a processor. What
does not is kept in `build/fuzz`, with the words of the command.
"""

import argparse
import json
import os
import random
import re
import resource
import shlex
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

from tests.fuzz.calls import call, one_database
from tests.fuzz.command_words import command_lines
from tests.fuzz.hostile import hostile_inputs
from tests.fuzz.inputs import Input, Inputs, cut_copies, damaged_copies
from tests.fuzz.outcome import FINE, PlainError, Unclear, differs, facts, outcome
from tests.fuzz.parquet_types import changed_types
from tests.fuzz.seeds import seeds

FOUND = Path("build/fuzz").absolute()
_ADDRESSES, _MOST_MEMORY = 6 << 30, 1 << 30
_MOST_SECONDS, _AT_ONCE, _KEPT = 20, 300, 3


def main() -> int:
    """Fuzz all formats; return how many failures there are."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=300, help="for all formats")
    parser.add_argument("--inputs", type=int, default=10**9, help="at most, per format")
    parser.add_argument("--only", default="", help="pattern of kinds")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cuts", action="store_true", help="every truncation instead")
    parser.add_argument("--counts", type=Path, help="JSON to add the counts to")
    options = parser.parse_args()
    every = _campaigns(cuts=options.cuts)
    chosen = {n: make for n, make in every.items() if re.search(options.only, n)}
    failures = 0
    for name, make in chosen.items():
        end = time.monotonic() + options.seconds / len(chosen)
        inputs = make(random.Random(options.seed))
        counts: Counter[str] = Counter()
        while time.monotonic() < end and counts.total() < options.inputs:
            some = [one for _, one in zip(range(_AT_ONCE), inputs, strict=False)]
            if not some:
                break
            counts += _in_child(name, some, end)
        failures += sum(n for kind, n in counts.items() if kind not in FINE)
        shown = ", ".join(f"{kind} {n}" for kind, n in sorted(counts.items()))
        print(f"{name:24} {counts.total():7} tried: {shown}", flush=True)
        if options.counts:
            _add(options.counts, name, counts)
    return failures


def _campaigns(*, cuts: bool) -> dict[str, Inputs]:
    """Return what yields the inputs of each kind."""
    files = seeds()
    if cuts:
        return {f"cut {name}": cut_copies(seed) for name, seed in files.items()}
    tables = {n: s for n, s in files.items() if n in ("csv", "jsonl", "joined", "long")}
    return {
        **{name: damaged_copies(seed) for name, seed in files.items()},
        **hostile_inputs(),
        "parquet types": changed_types(files["parquet"]),
        "commands": command_lines(tables),
    }


def _add(path: Path, name: str, counts: Counter[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    known = json.loads(path.read_text()) if path.exists() else {}
    known[name] = dict(Counter(known.get(name, {})) + counts)
    path.write_text(json.dumps(known, indent=1) + "\n")


def _in_child(name: str, inputs: list[Input], end: float) -> Counter[str]:
    """Try inputs in a child: one that dies takes only the input it was at."""
    counts: Counter[str] = Counter()
    index = 0
    while index < len(inputs) and time.monotonic() < end:
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            _child(inputs[index:], writing, end)
        os.close(writing)
        with os.fdopen(reading) as lines:
            outcomes = [json.loads(line) for line in lines]
        _, status = os.waitpid(child, 0)
        if status and index + len(outcomes) < len(inputs):
            outcomes.append([f"died of {status}", ""])
        for kind, detail in outcomes:
            counts[kind] += 1
            if kind not in FINE:
                _keep(name, inputs[index], kind, detail)
            index += 1
    return counts


def _child(inputs: list[Input], writing: int, end: float) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_ADDRESSES, _ADDRESSES))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    folder = Path(tempfile.mkdtemp(prefix="fuzz"))
    code = 1
    try:
        os.chdir(folder)
        with one_database():
            for one in inputs:
                signal.setitimer(signal.ITIMER_PROF, _MOST_SECONDS)
                signal.alarm(10 * _MOST_SECONDS)
                found = [*_tried(one, folder)]
                large = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
                if large > _MOST_MEMORY:
                    found = ["too much memory", f"{large >> 20} MB"]
                os.write(writing, f"{json.dumps(found)}\n".encode())
                if large > _MOST_MEMORY or time.monotonic() > end:
                    break
        code = 0
    except BaseException:
        # An error of the fuzzer itself; those of commands are outcomes.
        os.write(2, traceback.format_exc().encode())
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(code)


def _tried(one: Input, folder: Path) -> tuple[str, str]:
    """Name what became of an input, with details."""
    _write(one.files, folder)
    answer = call(one.words, parse=one.parse)
    parts = {part for name in one.files for part in (name, Path(name).stem)}
    kind = outcome(answer, () if one.parse or "." in one.words else parts)
    if kind == "refused" and one.sound:
        kind = "sound input refused"
    if kind not in FINE:
        return kind, answer.text[-3_000:] + repr(answer.error)
    for name in one.inputs:
        if (folder / name).read_bytes() != one.files[name]:
            return "input changed", name
    if (
        kind != "answered"
        or one.parse
        or one.question.plain is None
        or not answer.document
    ):
        return kind, ""
    return _compared(answer.document, one)


def _compared(document: Any, one: Input) -> tuple[str, str]:
    """Compare an answer with that of a plain reader."""
    try:
        plain = one.question.plain(one.files, one.damaged)
    except Unclear:
        return "answered", ""
    except PlainError as error:
        return "answered what a plain reader refuses", f"{error}"
    except AssertionError as error:
        return "silent change", f"{error}"
    difference = differs(facts(document), plain) if plain else None
    return ("silent change", difference) if difference else ("checked", "")


def _write(files: dict[str, bytes], folder: Path) -> None:
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def _keep(name: str, one: Input, kind: str, detail: str) -> None:
    """Keep the first few inputs of a kind of failure."""
    title = "".join(c if c.isalnum() else "_" for c in f"{name} {kind}")[:90]
    for number in range(_KEPT):
        folder = FOUND / f"{title}_{number}"
        if not folder.exists():
            _write(one.files, _made(folder))
            words = shlex.join(["likelier", *one.words])
            text = f"{words}\n{one.damaged}\n{detail}\n"
            (folder / "FAILURE").write_text(text, errors="backslashreplace")
            return


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder


if __name__ == "__main__":
    sys.exit(min(main(), 1))
