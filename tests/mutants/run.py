"""Check that the tests notice bugs: plant each mutant of `*.toml` and run its tests.

    python tests/mutants/run.py [word ...]

A mutant replaces one text of one module, in a copy of the source, by another; its
tests, which are a part of `make test`, must fail. Words choose the mutants whose module
or reason contains one of them. The exit code is 1 if a mutant survives, or if its text
no longer occurs exactly once in its module.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PATIENCE = 900
FAILED = 1  # pytest's exit code where tests ran and some failed


def main(words: list[str]) -> int:
    """Run the chosen mutants on all cores; return the exit code."""
    mutants = [
        mutant
        for path in sorted(HERE.glob("*.toml"))
        for mutant in tomllib.loads(path.read_text(encoding="utf-8"))["mutant"]
        if not words or any(w in mutant["module"] + mutant["why"] for w in words)
    ]
    outcomes: Counter[str] = Counter()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for mutant, outcome in zip(mutants, pool.map(run, mutants), strict=True):
            outcomes[outcome] += 1
            line = f"{outcome:9} {mutant['module']}: {mutant['why']}\n"
            sys.stdout.write(line)
            sys.stdout.flush()
    sys.stdout.write(f"{outcomes['killed']} of {len(mutants)} killed\n")
    return int(outcomes["killed"] < len(mutants))


def run(mutant: dict[str, str | list[str]]) -> str:
    """Plant one mutant, run its tests, and return what came of it."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "src"
        shutil.copytree(ROOT / "src", source)
        module = source / "likelier" / str(mutant["module"])
        text = module.read_text(encoding="utf-8") if module.exists() else ""
        if text.count(str(mutant["old"])) != 1:
            return "STALE"
        module.write_text(text.replace(str(mutant["old"]), str(mutant["new"])))
        pytest = ("pytest", "-q", "-x", "-n", "0", "-p", "no:cacheprovider")
        done = subprocess.run(
            [sys.executable, "-m", *pytest, *mutant["tests"]],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(source)},
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
    return "killed" if done.returncode == FAILED else "SURVIVED"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
