"""How fast logs and long tables are read beside DuckDB and msgspec, and in what memory.

Run as ``python benchmarks/logs.py``; exits 1 if a bar is missed. The two others read
the same fields of the same lines, and do no more; ours ends in items that can be
compared. Each line takes turns, and least processor times count. Inspect logs are read
in a process of their own, beside one that reads their bytes.
"""

import argparse
import json
import random
import struct
import sys
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import msgspec
import pyarrow as pa
from chunks import spent
from speed import Line, fastest, formatted, output, show

import likelier as lk

BAR = 1.5
ANSWER = "what is it? " * 10
# What both sides need is loaded before the clock starts.
PROBE = """
import json, sys, time
{before}
start = time.process_time()
{work}
seconds = time.process_time() - start
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(json.dumps([seconds, 1024 * int(peak.split()[1])]))
"""
OURS = (
    "import likelier as lk; from likelier.readers.logs.find_logs import log_formats; "
    "lk.read, list(log_formats())",
    "lk.read(sys.argv[1])",
)
BARE = (
    "",
    "sum(map(len, iter(lambda f=open(sys.argv[1], 'rb'): f.read(1 << 20), b'')))",
)


class Sample(msgspec.Struct):
    """Fields of a sample of lm-evaluation-harness."""

    doc_id: int
    filter: str
    metrics: list[str]
    doc_hash: str
    prompt_hash: str
    acc: float


class Row(msgspec.Struct):
    """Fields of a row of a long table."""

    model: str
    item: str
    score: float


def samples(rows: int) -> Iterator[dict[str, Any]]:
    """Make samples of about a kilobyte each, as lm-evaluation-harness writes them."""
    draw = random.Random(0).random
    for i in range(rows):
        question = f"Question {i}: {ANSWER}"
        digest = sha256(question.encode()).hexdigest()
        arguments = {"arg_0": question, "arg_1": " yes"}
        yield {
            "doc_id": i,
            "doc": {"question": question, "choices": ["yes", "no"]},
            "target": "1",
            "arguments": {"gen_args_0": arguments, "gen_args_1": arguments},
            "resps": [[["-0.79", "False"]], [["-0.08", "False"]]],
            "filtered_resps": [["-0.79", "False"], ["-0.08", "False"]],
            "filter": "none",
            "metrics": ["acc"],
            "doc_hash": digest,
            "prompt_hash": digest[::-1],
            "target_hash": digest,
            "acc": float(draw() < 0.6),
        }


def long_rows(rows: int) -> Iterator[dict[str, Any]]:
    """Make rows of two systems with a score each."""
    draw = random.Random(0).random
    for i in range(rows):
        score = round(draw(), 3)
        yield {
            "model": ("small", "large")[i % 2],
            "item": f"q{i // 2}",
            "prompt": ANSWER,
            "score": score,
        }


def by_duckdb(path: Path, kind: type[msgspec.Struct]) -> Any:
    """Read the fields of a record by DuckDB."""
    kinds = {int: "BIGINT", str: "VARCHAR", float: "DOUBLE", list[str]: "VARCHAR[]"}
    columns = ", ".join(
        f"{name}: '{kinds[type_]}'" for name, type_ in kind.__annotations__.items()
    )
    sql = (
        f"SELECT * FROM read_json('{path}', format = 'newline_delimited', "
        f"columns = {{{columns}}})"
    )
    return duckdb.connect().sql(sql).to_arrow_table()


def by_msgspec(path: Path, kind: type[msgspec.Struct]) -> list[Any]:
    """Read the fields of a record by msgspec."""
    decoder = msgspec.json.Decoder(kind)
    with path.open("rb") as lines:
        return [decoder.decode(line) for line in lines]


def reading(options: argparse.Namespace) -> Iterator[Line]:
    """Measure the reading of JSON lines."""
    few = options.rows // 5
    cases: list[tuple[str, Any, type[msgspec.Struct], Callable[[Path], object]]] = [
        (f"{few:,} lm_eval samples", samples(few), Sample, lk.read),
        (
            f"{options.rows:,} rows of a long table",
            long_rows(options.rows),
            Row,
            lambda path: lk.read(path, system="model", id="item", score="score"),
        ),
    ]
    for what, records, kind, read in cases:
        with TemporaryDirectory() as folder:
            path = Path(folder, "samples_toy_2026-01-01T00-00-00.jsonl")
            with path.open("w") as file:
                file.writelines(f"{json.dumps(record)}\n" for record in records)
            mine, duck, spec = fastest(
                spent(lambda path=path, read=read: read(path)),
                spent(lambda path=path, kind=kind: by_duckdb(path, kind)),
                spent(lambda path=path, kind=kind: by_msgspec(path, kind)),
                repetitions=options.repetitions,
            )
        yield Line(
            what,
            formatted(mine),
            f"DuckDB {formatted(duck)}, msgspec {formatted(spec)}",
            f"{mine / duck:.2f}, {mine / spec:.2f}",
            f"{BAR} of one",
            mine <= BAR * max(duck, spec),
        )


# --- Inspect -------------------------------------------------------------------------


def header(samples: int) -> dict[str, Any]:
    """Make the header of a log."""
    return {
        "version": 2,
        "status": "success",
        "eval": {
            "task": "toy",
            "model": "mockllm/model",
            "created": "2026-01-01",
            "dataset": {"name": "toy", "samples": samples},
            "config": {"epochs": 1},
        },
    }


def summary(i: int) -> dict[str, Any]:
    """Make the summary of a sample."""
    score = {"value": "CI"[i % 2], "answer": "6", "explanation": "6"}
    return {
        "id": f"q{i}",
        "epoch": 1,
        "input": f"{i} + 1?",
        "target": str(i + 1),
        "metadata": {"topic": "add", "doc": i % 7},
        "scores": {"match": score},
    }


def transcript(i: int, size: int) -> dict[str, Any]:
    """Make a sample with a long answer."""
    text = b64encode(random.Random(i % 50).randbytes(3 * size // 4)).decode()
    messages = [{"role": "user", "content": f"{i} + 1?"}]
    return summary(i) | {
        "messages": [*messages, {"role": "assistant", "content": text}]
    }


def write_eval(path: Path, samples: int, size: int) -> None:
    """Write an archive with Zstandard members, as Inspect does."""
    codec, entries = pa.Codec("zstd"), []
    with path.open("wb") as file:

        def add(name: str, value: Any) -> None:
            raw = json.dumps(value).encode()
            packed = codec.compress(raw, asbytes=True)
            about = (93, 0, 0, zlib.crc32(raw), len(packed), len(raw), len(name), 0)
            entries.append((about, file.tell(), name.encode()))
            file.write(struct.pack("<4sHHHHHIIIHH", b"PK\3\4", 20, 0, *about))
            file.write(name.encode() + packed)

        for i in range(samples):
            add(f"samples/q{i}_epoch_1.json", transcript(i, size))
        add("summaries.json", [summary(i) for i in range(samples)])
        add("header.json", header(samples))
        start = file.tell()
        for about, offset, name in entries:
            fields = (b"PK\1\2", 20, 20, 0, *about, 0, 0, 0, 0, offset)
            file.write(struct.pack("<4sHHHHHHIIIHHHHHII", *fields) + name)
        ends = (len(entries), len(entries), file.tell() - start, start, 0)
        file.write(struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, *ends))


def write_json(path: Path, samples: int, size: int) -> None:
    """Write the same log as one document of one line."""
    with path.open("w") as file:
        file.write(json.dumps(header(samples))[:-1] + ', "samples": [')
        for i in range(samples):
            file.write((", " if i else "") + json.dumps(transcript(i, size)))
        file.write("]}")


def inspect(options: argparse.Namespace) -> Iterator[Line]:
    """Measure the reading of scores from large logs of Inspect."""
    size = 1 << 16  # of a sample
    count = options.megabytes * 10**6 // size
    for name, write in (("log.eval", write_eval), ("log.json", write_json)):
        with TemporaryDirectory() as folder:
            path = Path(folder, name)
            write(path, count, size)
            bytes_ = path.stat().st_size
            seconds, peak = probed(*OURS, path)
            bare, _ = probed(*BARE, path)
        # Pages of a mapped file are no memory of ours: they are taken back at need.
        own = peak - (bytes_ if name.endswith("json") else 0)
        yield Line(
            f"Inspect {name[3:]}, {bytes_ / 1e6:,.0f} MB, {count:,} samples",
            f"{formatted(seconds)}, {own / 1e6:,.0f} MB",
            f"its bytes {formatted(bare)}",
            f"{seconds / bare:.1f}",
            "400 MB",
            own <= 4e8,
        )


def probed(before: str, work: str, path: Path) -> tuple[float, float]:
    """Run work in a process of its own; return its seconds and its peak of bytes."""
    code = PROBE.format(before=before, work=work)
    seconds, peak = json.loads(output(sys.executable, "-c", code, str(path)))
    return seconds, peak


PARTS = {"lines": reading, "inspect": inspect}


def main() -> int:
    """Measure, print the table, and return whether a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--only", default=",".join(PARTS), help="lines, inspect or both"
    )
    parser.add_argument("--rows", type=int, default=10**6)
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--repetitions", type=int, default=5)
    options = parser.parse_args()
    wanted = options.only.split(",")
    if unknown := set(wanted) - set(PARTS):
        parser.error(f"--only takes {', '.join(PARTS)}; got {', '.join(unknown)}")
    lines = [line for name in wanted for line in PARTS[name](options)]
    show(lines)
    return int(any(line.met is False for line in lines))


if __name__ == "__main__":
    sys.exit(main())
