"""Run commands on damaged inputs of every format; `make fuzz SECONDS=600`.

An input must give an answer or a message with exit code 2: never a traceback, an end by
a signal, a command to a terminal or a runner, more than 1.5 GB, or more than a minute.
What does not is kept in `build/fuzz`, with the words of the command.
"""

import argparse
import contextlib
import io
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.fuzz.damage import damaged
from tests.fuzz.seeds import Seed, seeds

FOUND = Path("build/fuzz").absolute()
_MEMORY, _MOST_SECONDS, _AT_ONCE = 6 << 30, 60, 50
_ANSWERED = {0: "answered", 1: "answered", 2: "refused", 3: "answered", 4: "answered"}


def main() -> int:
    """Fuzz all formats for some seconds; return how many kinds of failure there are."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--only", default="")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cuts", action="store_true", help="every truncation instead")
    options = parser.parse_args()
    chosen = {n: s for n, s in seeds().items() if options.only in n}
    failures = 0
    for name, seed in chosen.items():
        end = time.monotonic() + options.seconds / len(chosen)
        counts = (
            _cuts(seed, end) if options.cuts else _campaign(seed, end, options.seed)
        )
        bad = sum(
            n for kind, n in counts.items() if kind not in ("answered", "refused")
        )
        failures += bad
        shown = ", ".join(f"{kind} {n}" for kind, n in sorted(counts.items()))
        print(f"{name:24} {counts.total():7} tried: {shown}", flush=True)
    return failures


def _campaign(seed: Seed, end: float, start: int) -> Counter[str]:
    """Damage a seed until the time is over, some copies in each child."""
    counts: Counter[str] = Counter()
    number = start
    while time.monotonic() < end:
        rngs = [random.Random(f"{number}/{i}") for i in range(_AT_ONCE)]
        inputs = [_copy(seed, rng) for rng in rngs]
        counts += _in_child(seed, inputs, end)
        number += 1
    return counts


def _cuts(seed: Seed, end: float) -> Counter[str]:
    """Cut the first damaged file at every byte."""
    name = seed.damaged[0]
    raw = seed.files[name]
    counts: Counter[str] = Counter()
    for start in range(0, len(raw), _AT_ONCE):
        if time.monotonic() > end:
            break
        cuts = range(start, min(start + _AT_ONCE, len(raw)))
        inputs = [seed.files | {name: raw[:cut]} for cut in cuts]
        counts += _in_child(seed, inputs, end + _MOST_SECONDS)
    return counts


def _copy(seed: Seed, rng: random.Random) -> dict[str, bytes]:
    name = rng.choice(seed.damaged)
    return seed.files | {name: damaged(seed.files[name], rng)}


def _in_child(seed: Seed, inputs: list[dict[str, bytes]], end: float) -> Counter[str]:
    """Try inputs in a child: one that dies takes only the input it was at."""
    counts: Counter[str] = Counter()
    index = 0
    while index < len(inputs) and time.monotonic() < end:
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            _child(seed, inputs[index:], writing)
        os.close(writing)
        with os.fdopen(reading) as lines:
            outcomes = lines.read().splitlines()
        _, status = os.waitpid(child, 0)
        for outcome in outcomes:
            counts[outcome] += 1
            if outcome not in ("answered", "refused"):
                _keep(inputs[index], outcome)
            index += 1
        if status and index < len(inputs):
            kind = f"died of {status}"
            counts[kind] += 1
            _keep(inputs[index], kind)
            index += 1
    return counts


def _child(seed: Seed, inputs: list[dict[str, bytes]], writing: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    folder = Path(tempfile.mkdtemp(prefix="fuzz"))
    code = 1
    try:
        os.chdir(folder)
        for files in inputs:
            signal.alarm(_MOST_SECONDS)
            outcome = _outcome(seed, files, folder)
            os.write(writing, f"{outcome}\n".encode())
        code = 0
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(code)


def _outcome(seed: Seed, files: dict[str, bytes], folder: Path) -> str:
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    kinds = [_called(words) for words in seed.commands]
    worst = [kind for kind in kinds if kind not in ("answered", "refused")]
    if not worst and any(
        (folder / name).read_bytes() != c for name, c in files.items()
    ):
        worst = ["input changed"]
    return worst[0] if worst else min(kinds)


def _called(words: tuple[str, ...]) -> str:
    from likelier.cli import main as command

    sys.argv = ["likelier", *words]
    raw = {name: io.BytesIO() for name in ("stdout", "stderr")}
    code: object = 0
    with contextlib.ExitStack() as stack:
        for name, buffer in raw.items():
            stream = io.TextIOWrapper(buffer, "utf-8", "backslashreplace")
            redirect = getattr(contextlib, f"redirect_{name}")
            stack.enter_context(redirect(stream))
        try:
            command()
        except SystemExit as ended:
            code = ended.code
        except BaseException as error:  # Nothing may come out of a command.
            return f"raised {type(error).__name__}"
        sys.stdout.flush()
        sys.stderr.flush()
        text = b"".join(buffer.getvalue() for buffer in raw.values()).decode()
    if "Traceback" in text or code == 70:
        return f"traceback {text.strip().rpartition(chr(10))[2][:80]}"
    if any(
        line.lstrip().startswith("::") or "##[" in line for line in text.split("\n")
    ):
        return "command to a runner"
    if any(c < " " and c not in "\n\t" for c in text):
        return "control character"
    return _ANSWERED.get(int(str(code)), f"exit code {code}")


def _keep(files: dict[str, bytes], kind: str) -> None:
    name = "".join(c if c.isalnum() else "_" for c in kind)[:60]
    folder = FOUND / name
    if folder.exists():
        return
    folder.mkdir(parents=True)
    for file, content in files.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_bytes(content)


if __name__ == "__main__":
    sys.exit(min(main(), 1))
