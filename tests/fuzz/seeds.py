"""Small sound inputs of every format, each with the commands that read it."""

import contextlib
import gzip
import io
import json
import random
import shlex
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
from pyarrow import parquet

import likelier as lk
from likelier.errors import LikelierError

ROOT = Path(__file__).parents[2]
RUNS = ROOT / "docs" / "runs"
FEW = ("--draws", "1000", "--seed", "0")


class Seed(NamedTuple):
    """Files by name, those that are damaged, and the commands that read them."""

    files: dict[str, bytes]
    damaged: tuple[str, ...]
    commands: tuple[tuple[str, ...], ...]


def seeds() -> dict[str, Seed]:
    """Return a seed for each format."""
    return _tables() | _tokens() | _folds() | _logs()


def _rows(n: int = 24) -> list[dict[str, object]]:
    rng = random.Random(0)
    rows: list[dict[str, object]] = []
    for i in range(n):
        gold = rng.choice(["spam", "ham"])
        a, b = (gold if rng.random() < p else "spam" for p in (0.7, 0.9))
        rows.append({"id": f"m{i}", "gold": gold, "a": a, "b": b, "s": rng.random()})
    return rows


def _separated(rows: list[dict[str, object]], mark: str) -> bytes:
    lines = [mark.join(rows[0]), *(mark.join(map(str, r.values())) for r in rows)]
    return ("\n".join(lines) + "\n").encode()


def _json_lines(rows: list[dict[str, object]]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def _parquet(rows: list[dict[str, object]]) -> bytes:
    buffer = io.BytesIO()
    parquet.write_table(pa.Table.from_pylist(rows), buffer)
    return buffer.getvalue()


def _table(name: str, content: bytes) -> Seed:
    labels = ("--systems", "a,b", "--metric", "f1", "--positive", "spam")
    return Seed(
        {name: content},
        (name,),
        (
            ("doctor", name),
            ("compare", name, *labels, "--id", "id", *FEW),
            ("estimate", name, "--systems", "s", "--metric", "mean", *FEW),
        ),
    )


def _tables() -> dict[str, Seed]:
    rows = _rows()
    columns = _separated(rows, ",")
    long = [
        {
            "model": name,
            "item": row["id"],
            "seed": 1,
            "score": int(row[name] == row["gold"]),
        }
        for name in "ab"
        for row in rows
    ]
    long_words = ("--system", "model", "--id", "item", "--score", "score")
    two = {
        f"{name}.csv": _separated([{"id": r["id"], "label": r[key]} for r in rows], ",")
        for name, key in (("gold", "gold"), ("a", "a"), ("b", "b"))
    }
    joined = ("compare", "gold.csv", "a.csv", "b.csv", "--id", "id")
    return {
        "csv": _table("t.csv", columns),
        "tsv": _table("t.tsv", _separated(rows, "\t")),
        "jsonl": _table("t.jsonl", _json_lines(rows)),
        "json": _table("t.json", json.dumps({"rows": rows}).encode()),
        "parquet": _table("t.parquet", _parquet(rows)),
        "gzip": _table("t.csv.gz", gzip.compress(columns)),
        "joined": Seed(two, tuple(two), ((*joined, "--metric", "accuracy", *FEW),)),
        "long": Seed(
            {"l.csv": _separated(long, ",")},
            ("l.csv",),
            (("doctor", "l.csv"), ("compare", "l.csv", *long_words, *FEW)),
        ),
    }


def _tokens() -> dict[str, Seed]:
    conll = b"EU B-ORG\nrejects O\nPeter B-PER\nBlack I-PER\n\nBonn B-LOC\n. O\n\n" * 4
    words = (("1", "A", "a", "DET", "2", "det"), ("2", "b", "b", "NOUN", "0", "root"))
    lines = (
        "\t".join([i, form, lemma, tag, "_", "_", head, relation, "_", "_"])
        for i, form, lemma, tag, head, relation in words
    )
    conllu = ("# sent_id = s\n" + "\n".join(lines) + "\n\n").encode() * 6
    text = b"a b c d e\nthe cat sat\n" * 5
    both = ("g", "a")
    trec = {name: (RUNS / "trec" / name).read_bytes() for name in ("qrels.txt",)}
    for name in ("bm25.run", "dense.run"):
        trec[name] = b"".join((RUNS / "trec" / name).read_bytes().splitlines(True)[:60])
    return {
        "conll": Seed(
            {"g": conll, "a": conll.replace(b"B-LOC", b"B-ORG", 2), "b": conll},
            both,
            (("chunks", "g", "a", "b", "--scheme", "iob2", "--metric", "f1", *FEW),),
        ),
        "conllu": Seed(
            {"g": conllu, "a": conllu.replace(b"DET", b"PRON", 2), "b": conllu},
            both,
            (
                ("tags", "g", "a", "b", "--metric", "token", *FEW),
                ("tags", "g", "a", "b", "--metric", "las,mlas", *FEW),
            ),
        ),
        "segmented": Seed(
            {"g": text, "a": text.replace(b"b c", b"bc", 3), "b": text},
            both,
            (("chunks", "g", "a", "b", "--segmented", "--metric", "f1", *FEW),),
        ),
        "texts": Seed(
            {"g": text, "a": text.replace(b"cat", b"dog", 3), "b": text},
            both,
            (("text", "g", "a", "b", "--metric", "bleu,wer", *FEW),),
        ),
        "trec": Seed(
            trec,
            tuple(trec),
            (
                ("doctor", *trec),
                ("compare", *trec, "--on-missing", "drop", *FEW),
            ),
        ),
    }


def _folds() -> dict[str, Seed]:
    rng = random.Random(1)
    keys = [(s, r, f) for r in (1, 2) for f in (1, 2) for s in "ab"]
    counts: list[dict[str, object]] = [
        {"system": s, "repetition": r, "fold": f, "tp": 80 + f, "fp": 9 + r, "fn": 8}
        for s, r, f in keys
    ]
    scores: list[dict[str, object]] = [
        {
            "dataset": d,
            "system": s,
            "run": 1,
            "fold": f,
            "score": round(rng.random(), 3),
        }
        for d in "xyz"
        for s in "ab"
        for f in range(3)
    ]
    cells = [
        {"gold": g, "first": a, "second": b, "share": 0.125}
        for g in "xy"
        for a in "xy"
        for b in "xy"
    ]
    assumed = ("--assume", "p.json", "--metric", "accuracy", "--rope", "0.01", *FEW)
    study = (
        'name = "x"\nmetrics = ["accuracy"]\n[design]\nname = "mx2"\nm = 2\n'
        '[data.d]\nreader = "table"\npath = "t.csv"\ninput = "s"\n'
        '[systems.one]\npredict = ["./none", "{test}", "{predictions}"]\n'
    )
    return {
        "counts": Seed(
            {"c.csv": _separated(counts, ",")},
            ("c.csv",),
            (("folds", "c.csv", "--metric", "f1", *FEW),),
        ),
        "scores": Seed(
            {"s.csv": _separated(scores, ",")},
            ("s.csv",),
            (("folds", "s.csv", "--rope", "0.01", *FEW),),
        ),
        "assumed": Seed(
            {"p.json": json.dumps({"cells": cells}).encode()},
            ("p.json",),
            (("plan", *assumed),),
        ),
        "study": Seed(
            {"study.toml": study.encode(), "t.csv": _separated(_rows(), ",")},
            ("study.toml",),
            (("study", "run", "study.toml", "--engine", "threads"),),
        ),
    }


def _logs() -> dict[str, Seed]:
    """Take small real logs of each tool, with a command that the doctor advises."""
    found = {}
    for tool in sorted(path for path in RUNS.iterdir() if path.is_dir()):
        with contextlib.suppress(LikelierError):
            commands = [advice.command for advice in lk.doctor(tool).commands]
            if not commands:
                continue
            files = [path for path in sorted(tool.rglob("*")) if path.is_file()]
            content = {str(p.relative_to(tool)): p.read_bytes() for p in files}
            words = shlex.split(commands[0].replace(str(tool), "."))[1:]
            seed = Seed(content, tuple(content), (("doctor", "."), (*words, *FEW)))
            found[f"log {tool.name}"] = seed
    return found
