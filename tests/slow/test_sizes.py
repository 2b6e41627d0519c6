"""Tables as wide and long as strangers make them: a minute or two, and at most 1 GB."""

import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

LIKELIER = Path(sys.executable).with_name("likelier")
LONG = ("--system", "model", "--id", "item", "--score", "score")
ACCURACY = ("--gold", "gold", "--metric", "accuracy")
NAMED = ("--systems", "s3,s7", *ACCURACY)
# Table, number of systems, words of the command, whether it answers.
CASES = [
    ("wide", 100_000, ("doctor",), False),
    ("wide", 100_000, ("compare", *NAMED), True),
    ("wide", 20_000, ("compare", *NAMED), True),
    ("wide", 20_000, ("rank", *ACCURACY), False),
    ("wide", 2_000, ("doctor",), True),
    ("wide", 2_000, ("estimate", *ACCURACY), True),
    ("wide", 100, ("rank", *ACCURACY), True),
    ("long", 100_000, ("doctor",), True),
    ("long", 100_000, ("compare", *LONG), False),
    ("long", 100_000, ("rank", *LONG), False),
    ("long", 100_000, ("estimate", *LONG), False),
    ("long", 2_000, ("compare", *LONG), True),
    ("tasks", 100_000, ("doctor",), True),
    ("tasks", 100_000, ("compare", *LONG, "--group", "task"), False),
]


def write(path, kind, n):
    rng = random.Random(0)
    if kind == "wide":
        rows = [["gold", *(f"s{i}" for i in range(n))]]
        rows += [["01"[r % 2], *rng.choices("01", k=n)] for r in range(20)]
    else:
        rows = [["model", "item", "score", "task"]]
        systems, tasks = (n, 1) if kind == "long" else (2, n)
        rows += [
            [f"m{m}", f"{i}", rng.choice("01"), f"t{t}"]
            for m in range(systems)
            for t in range(tasks)
            for i in range(3)
        ]
    path.write_text("".join(f"{','.join(row)}\n" for row in rows))


@pytest.mark.parametrize(("kind", "n", "words", "answers"), CASES)
def test_many_systems_and_tasks(tmp_path, kind, n, words, answers):
    write(tmp_path / "t.csv", kind, n)
    time = shutil.which("time") or pytest.skip("there is no program `time`")
    command, *options = words
    ended = subprocess.run(
        [time, "-f", "%M", LIKELIER, command, "t.csv", *options],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    *message, memory = ended.stderr.strip().split("\n")
    assert int(memory) < 1 << 20
    assert ended.returncode == (0 if answers else 2), message
    assert answers or "There must be at most" in message[0]
