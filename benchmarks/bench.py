"""Every benchmark that has a bar, one after the other, whatever the others say.

Run as ``python benchmarks/bench.py``; exits 1 if a bar is missed, after all lines were
printed. Each is a file of its own with lines of one shape, `Line` of ``speed.py``.
"""

import subprocess
import sys
import time
from pathlib import Path

# Files beside this one, with the words that keep all of them under five minutes.
SCRIPTS = (
    ("speed.py",),
    ("reading.py",),
    ("chunks.py", "--sentences", "200000"),
    ("texts.py",),
    ("bayes_test.py",),
    ("folds.py",),
    ("study.py", "--rounds", "2", "--repetitions", "5"),
    ("report.py",),
    ("logs.py", "--rows", "1000000", "--repetitions", "3"),
)


def main() -> int:
    """Run all, print which missed a bar, and return whether one did."""
    folder, start, missed = Path(__file__).parent, time.monotonic(), []
    for name, *words in SCRIPTS:
        print(name, flush=True)
        command = [sys.executable, str(folder / name), *words]
        if subprocess.run(command, check=False).returncode:
            missed.append(name)
    seconds = time.monotonic() - start
    print(f"{seconds:.0f} s; bars missed: {', '.join(missed) or 'none'}")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
