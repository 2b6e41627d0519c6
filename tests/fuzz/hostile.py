"""Tables that are sound, with ids, labels and names that break what is careless."""

import csv
import io
import json
import random
from collections.abc import Callable, Iterator

import pyarrow as pa
from pyarrow import parquet
from tests.fuzz import plain_tables
from tests.fuzz.inputs import Input, Inputs, Question
from tests.fuzz.plain_tables import Facts, Rows

TEXTS = (
    *("\x1b[31mred", "\u202ertl", "a\u2066b", "\u200f", "nul\x00", "\x85", "\u2028"),
    *("::error::x", " ::warning::y", "##[error]y", "##vso[task]z", "##teamcity[a]"),
    *("a\nb", "a\r\nb", "\n::error::z", "a\tb", "a,b", "a;b", 'say "it"', '"', "it's"),
    *("nan", "NaN", "null", "None", "", " ", "true", "False", "N/A", "-", "\ufeff"),
    *("1e400", " 80 ", "٨٠", "80", "80.0", "8_0", "-0", "+3", "01", "1", "1.0", "0x1"),
    *("é", "e\u0301", "ﬁ", "fi", "İ", "ß", "SS", "😀", "\U000e0001", "\u00a0x"),
    *("<script>alert(1)</script>", "{{7*7}}", "%s%n", "=1+1", "|", "\\", "$x$", "[b]x"),
    *("../x", "C:\\x", "x" * 5_000, "x " * 2_000, "'; DROP TABLE t; --", "#", "{}"),
)
_LONE = "\ud800"
_ROWS = 12
_FEW = ("--draws", "1000", "--seed", "0")


def _csv(rows: Rows) -> bytes:
    text = io.StringIO(newline="")
    table = csv.writer(text, lineterminator="\n")
    table.writerow(rows[0])
    table.writerows(row.values() for row in rows)
    return text.getvalue().encode()


def _json_lines(rows: Rows) -> bytes:
    return "".join(f"{json.dumps(row)}\n" for row in rows).encode()


def _json(rows: Rows) -> bytes:
    return json.dumps(rows).encode()


def _parquet(rows: Rows) -> bytes:
    buffer = io.BytesIO()
    parquet.write_table(pa.Table.from_pylist(rows), buffer)
    return buffer.getvalue()


_FORMATS: dict[str, tuple[Callable[[Rows], bytes], Callable[[bytes], Rows]]] = {
    "csv": (_csv, lambda raw: plain_tables.separated(raw, ",")),
    "jsonl": (_json_lines, plain_tables.json_lines),
    "json": (_json, plain_tables.json_rows),
    "parquet": (_parquet, plain_tables.parquet_rows),
}


def hostile_inputs() -> dict[str, Inputs]:
    """Return the inputs of each format of tables, without end."""
    return {f"hostile {name}": _of_format(name) for name in _FORMATS}


def _of_format(ending: str) -> Inputs:
    write, read = _FORMATS[ending]
    name = f"t.{ending}"

    def inputs(rng: random.Random) -> Iterator[Input]:
        while True:
            texts = rng.sample(TEXTS, rng.choice([1, 2, 5]))
            if "json" in ending and rng.random() < 0.02:
                texts.append(_LONE)
            make, words, count = rng.choice(_TABLES)
            rows = make(rng, texts)
            plain = plain_tables.of_rows(read, count)
            question = Question((words[0], name, *words[1:], *_FEW), plain)
            files = {name: write(rows)}
            yield Input(files, name, question, question.with_output(rng))

    return inputs


def _ids(rng: random.Random, texts: list[str]) -> list[str]:
    ids = [*texts, *(f"m{i}" for i in range(_ROWS))]
    return rng.sample(ids, _ROWS)


def _labelled(rng: random.Random, texts: list[str]) -> Rows:
    """Return rows of labels; one is no number, so that each stands for itself."""
    labels = ["spam", *texts]
    rows = []
    for text in _ids(rng, texts):
        gold, a, b = (rng.choice(labels) for _ in "gab")
        answers = (rng.choice([gold, answer]) for answer in (a, b))
        rows.append(
            dict(zip(("id", "gold", "a", "b"), (text, gold, *answers), strict=True))
        )
    rows[0] |= {"gold": "spam", "a": "spam", "b": "spam"}
    return rows


def _scored(rng: random.Random, texts: list[str]) -> Rows:
    """Return a row of each system and item, in groups."""
    systems = rng.sample(["base", *texts], min(2, 1 + len(texts)))
    groups = [rng.choice(texts), "group"]
    return [
        {
            "model": s,
            "item": i,
            "score": rng.randrange(4) / 4,
            "task": rng.choice(groups),
        }
        for i in _ids(rng, texts)
        for s in systems
    ]


def _accuracies(rows: Rows) -> Facts:
    ids = plain_tables.column(rows, "id")
    plain_tables.refuse_if(len(set(ids)) < len(ids), "ids stand twice")
    gold = [plain_tables.label(cell) for cell in plain_tables.column(rows, "gold")]
    values: Facts = {"items": len(rows)}
    for system in "ab":
        cells = plain_tables.column(rows, system)
        pairs = zip(gold, map(plain_tables.label, cells), strict=True)
        values[f"accuracy {system}"] = sum(g == c for g, c in pairs) / len(rows)
    return values


_LABELS = ("--systems", "a,b", "--metric", "accuracy", "--id", "id")
_SCORES = ("--system", "model", "--id", "item", "--score", "score")
_TABLES = (
    (_labelled, ("compare", *_LABELS), _accuracies),
    (_labelled, ("rank", *_LABELS), _accuracies),
    (_scored, ("compare", *_SCORES), plain_tables.scores_of_systems),
    (_scored, ("estimate", *_SCORES), plain_tables.scores_of_systems),
)
