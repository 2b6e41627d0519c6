"""Small sound inputs of every format, each with the commands that read it."""

import gzip
import io
import json
import random
import shlex
import tempfile
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pyarrow as pa
from pyarrow import parquet
from tests.fuzz import plain_tables, plain_tokens
from tests.fuzz.inputs import Question, Seed
from tests.fuzz.plain_logs import checked_log
from tests.fuzz.plain_tables import Facts, Files, Rows, of_rows
from tests.readers.logs.reading import DATA

import likelier as lk
from likelier.readers.file import find_file
from likelier.readers.logs.archive import open_archive

ROOT = Path(__file__).parents[2]
RUNS = ROOT / "docs" / "runs"
FEW = ("--draws", "1000", "--seed", "0")


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


def _workbook() -> bytes:
    """Return a workbook, as far as readers look: the names of its parts."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as parts:
        for name in ("[Content_Types].xml", "xl/workbook.xml", "xl/worksheets/s.xml"):
            parts.writestr(zipfile.ZipInfo(name), f"<{name}/>")
    return buffer.getvalue()


_foreign = (Question(("doctor", "t.xlsx")), Question(("compare", "t.xlsx", *FEW)))


def _table(name: str, content: bytes, read: Callable[[bytes], Rows]) -> Seed:
    labels = ("--systems", "a,b", "--metric", "f1", "--positive", "spam")
    numbers = ("--systems", "s", "--metric", "mean")
    return Seed(
        {name: content},
        (name,),
        (
            Question(("doctor", name)),
            Question(
                ("compare", name, *labels, "--id", "id", *FEW),
                of_rows(read, plain_tables.f1_of_spam),
            ),
            Question(
                ("estimate", name, *numbers, *FEW),
                of_rows(read, plain_tables.mean_of_s),
            ),
        ),
    )


def _of_files(count: Callable[[Files], Facts]) -> Callable[[Files, str], Facts]:
    return lambda files, damaged: count(files)


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
    long_words = ("compare", "l.csv", "--system", "model", "--id", "item", *FEW)
    long_words += ("--score", "score")
    two = {
        f"{name}.csv": _separated([{"id": r["id"], "label": r[key]} for r in rows], ",")
        for name, key in (("gold", "gold"), ("a", "a"), ("b", "b"))
    }
    joined = ("compare", *two, "--id", "id", "--metric", "accuracy", *FEW)
    document = json.dumps({"rows": rows}).encode()
    commas, tabs = (partial(plain_tables.separated, mark=mark) for mark in ",\t")
    return {
        "csv": _table("t.csv", columns, commas),
        "tsv": _table("t.tsv", _separated(rows, "\t"), tabs),
        "jsonl": _table("t.jsonl", _json_lines(rows), plain_tables.json_lines),
        "json": _table("t.json", document, plain_tables.json_rows),
        "parquet": _table("t.parquet", _parquet(rows), plain_tables.parquet_rows),
        "xlsx": Seed({"t.xlsx": _workbook()}, ("t.xlsx",), _foreign, readable=False),
        "gzip": _table("t.csv.gz", gzip.compress(columns), commas),
        "joined": Seed(
            two,
            tuple(two),
            (Question(joined, _of_files(plain_tables.joined)),),
        ),
        "long": Seed(
            {"l.csv": _separated(long, ",")},
            ("l.csv",),
            (
                Question(("doctor", "l.csv")),
                Question(long_words, of_rows(commas, plain_tables.scores_of_systems)),
            ),
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
    both, f1 = ("g", "a"), ("--metric", "f1", *FEW)
    # The first three queries.
    starts = (b"301 ", b"302 ", b"303 ")
    trec = {
        name: b"".join(
            line
            for line in (RUNS / "trec" / name).read_bytes().splitlines(keepends=True)
            if line.startswith(starts)
        )
        for name in ("qrels.txt", "bm25.run", "dense.run")
    }
    return {
        "conll": Seed(
            {"g": conll, "a": conll.replace(b"B-LOC", b"B-ORG", 2), "b": conll},
            both,
            (
                Question(
                    ("chunks", "g", "a", "b", "--scheme", "iob2", *f1),
                    _of_files(plain_tokens.named_chunks),
                ),
            ),
        ),
        "conllu": Seed(
            {"g": conllu, "a": conllu.replace(b"DET", b"PRON", 2), "b": conllu},
            both,
            (
                Question(
                    ("tags", "g", "a", "b", "--metric", "token", *FEW),
                    _of_files(partial(plain_tokens.tokens_and_heads, heads=False)),
                ),
                Question(
                    ("tags", "g", "a", "b", "--metric", "las,mlas", *FEW),
                    _of_files(partial(plain_tokens.tokens_and_heads, heads=True)),
                ),
            ),
        ),
        "segmented": Seed(
            {"g": text, "a": text.replace(b"b c", b"bc", 3), "b": text},
            both,
            (
                Question(
                    ("chunks", "g", "a", "b", "--segmented", *f1),
                    _of_files(plain_tokens.words),
                ),
            ),
        ),
        "texts": Seed(
            {"g": text, "a": text.replace(b"cat", b"dog", 3), "b": text},
            both,
            (
                Question(
                    ("text", "g", "a", "b", "--metric", "bleu,wer", *FEW),
                    _of_files(plain_tokens.word_errors),
                ),
            ),
        ),
        "trec": Seed(
            trec,
            tuple(trec),
            (
                Question(("doctor", *trec)),
                Question(
                    ("compare", *trec, "--on-missing", "drop", *FEW),
                    _of_files(plain_tokens.gains_of_runs),
                ),
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
    assumed += ("--sizes", "50", "--replications", "6")
    study = (
        'name = "x"\nmetrics = ["accuracy"]\n[design]\nname = "mx2"\nm = 2\n'
        '[data.d]\nreader = "table"\npath = "t.csv"\ninput = "s"\n'
        '[systems.one]\npredict = ["./none", "{test}", "{predictions}"]\n'
    )
    return {
        "counts": Seed(
            {"c.csv": _separated(counts, ",")},
            ("c.csv",),
            (
                Question(
                    ("folds", "c.csv", "--metric", "f1", *FEW),
                    _of_files(plain_tables.fold_counts),
                ),
            ),
        ),
        "scores": Seed(
            {"s.csv": _separated(scores, ",")},
            ("s.csv",),
            (
                Question(
                    ("folds", "s.csv", "--rope", "0.01", *FEW),
                    _of_files(plain_tables.fold_scores),
                ),
            ),
        ),
        "assumed": Seed(
            {"p.json": json.dumps({"cells": cells}).encode()},
            ("p.json",),
            (Question(("plan", *assumed)),),
        ),
        "study": Seed(
            {"study.toml": study.encode(), "t.csv": _separated(_rows(), ",")},
            ("study.toml",),
            (Question(("study", "run", "study.toml", "--engine", "threads")),),
        ),
    }


# Folders of small logs by tool, and a part of the names of files that are enough.
_LOGS = {
    "deepeval": (RUNS / "deepeval", ""),
    "evalplus": (RUNS / "evalplus", ""),
    "every_eval_ever": (DATA / "every_eval_ever" / "toy_last", ""),
    "helm": (RUNS / "helm", ""),
    "inspect": (DATA / "inspect", "epochs"),
    "inspect json": (DATA / "inspect", "json-a"),
    "lighteval": (RUNS / "lighteval", ""),
    "lm_eval": (DATA / "lm_eval" / "missing", ""),
    "lm_eval old": (DATA / "lm_eval_old" / "old_0.4.4", ""),
    "openai_evals": (DATA / "openai_evals", "toy-b"),
    "promptfoo": (DATA / "promptfoo", "repeat3"),
    "promptfoo lines": (DATA / "promptfoo", "in_progress"),
    "swe_bench": (DATA / "swe_bench", "toy-b"),
}


def _logs() -> dict[str, Seed]:
    """Take small real logs of each tool, with a command that the doctor advises."""
    return {f"log {name}": _log(name, *files) for name, files in _LOGS.items()}


def _log(name: str, folder: Path, part: str) -> Seed:
    files = {
        str(path.relative_to(folder)): _small(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and part in path.name
    }
    with tempfile.TemporaryDirectory() as copy:
        for file, content in files.items():
            (Path(copy) / file).parent.mkdir(parents=True, exist_ok=True)
            (Path(copy) / file).write_bytes(content)
        advice = [one for one in lk.doctor(copy).commands if one.command]
        words = shlex.split(advice[0].command.replace(copy, "."))[1:]
    question = Question((*words, *FEW), checked_log(name.split()[0]))
    return Seed(files, tuple(files), (Question(("doctor", ".")), question))


def _small(path: Path) -> bytes:
    """Return the bytes of a log; of an archive a copy without the samples themselves.

    Readers look at their summaries, and the standard library cannot unpack Zstandard.
    """
    if path.suffix != ".eval":
        return path.read_bytes()
    buffer = io.BytesIO()
    with (
        open_archive(find_file(path)) as archive,
        zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as copy,
    ):
        for name in archive.names:
            if name in ("header.json", "summaries.json"):
                copy.writestr(zipfile.ZipInfo(name), archive.read(name))
    return buffer.getvalue()
