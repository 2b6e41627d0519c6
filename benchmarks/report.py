"""How large the report of a comparison is, and how long it takes after it.

Run as ``python benchmarks/report.py``; exits 1 if a bar is missed. Each round is a
fresh process: a file of 1,000,000 items with ids is read and compared, then the page is
made and written, with all that has to be loaded for it. The comparison stands beside.
"""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import numpy as np

CLASSES = ("ham", "spam")
MOST_BYTES = 1_000_000
MOST_SECONDS = 1.0


def write_items(path: Path, items: int) -> None:
    """Write gold labels and two systems that err on the same items, with ids."""
    import pyarrow as pa
    from pyarrow import parquet

    rng = np.random.default_rng(20)
    gold, hard = rng.random(items) < 0.4, rng.random(items)
    wrong = [hard + rng.normal(0, 0.08, items) > limit for limit in (0.86, 0.865)]
    names = np.array(CLASSES)
    columns = {
        "id": [f"m{number:07}" for number in range(items)],
        "gold": names[gold.astype(int)],
        "a": names[(gold ^ wrong[0]).astype(int)],
        "b": names[(gold ^ wrong[1]).astype(int)],
    }
    parquet.write_table(pa.table(columns), path)


def one_round(path: Path) -> None:
    """Read, compare and report once, and print how long each took."""
    import likelier as lk
    from likelier.readers import read_files

    start = time.perf_counter()
    outcomes = read_files(path, systems=["a", "b"], id="id")
    asked = {"metric": "f1", "positive": "spam", "rope": 0.002, "seed": 0}
    result = lk.compare(outcomes, **asked)
    result.verdict  # noqa: B018 - what the terminal tells first
    compared = time.perf_counter()
    page = result.report().save(path.with_suffix(".html"))
    done = time.perf_counter()
    told = {"comparison": compared - start, "report": done - compared}
    print(json.dumps(told | {"bytes": page.stat().st_size}))


def main() -> int:
    """Measure in fresh processes and print the median of each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        one_round(options.one)
        return 0
    with TemporaryDirectory() as folder:
        path = Path(folder, "items.parquet")
        write_items(path, options.items)
        call = [sys.executable, __file__, "--one", str(path)]
        told = [
            json.loads(subprocess.check_output(call)) for _ in range(options.rounds)
        ]
    seconds = [one["report"] for one in told]
    size = told[0]["bytes"]
    beside = median(one["comparison"] for one in told)
    print(f"{options.items:,} items, median of {options.rounds} processes")
    print(f"reading and comparing {beside:.2f} s")
    print(f"report after it {median(seconds):.2f} s, {min(seconds):.2f} to ", end="")
    print(f"{max(seconds):.2f} s (bar {MOST_SECONDS:g} s)")
    print(f"{size:,} bytes (bar {MOST_BYTES:,})")
    return int(median(seconds) >= MOST_SECONDS or size >= MOST_BYTES)


if __name__ == "__main__":
    sys.exit(main())
