"""Labels and ids are strings, byte for byte, in every format."""

import csv
import json
import random

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from likelier.readers import read_files, read_frame

pytestmark = pytest.mark.usefixtures("one_database")

WORDS = """
NA N/A n/a na NaN nan NAN -nan None none NONE null NULL Null nil \\N #N/A #NA <NA>
NaT 1.#IND missing undefined true True TRUE false False yes no on off T F t f y n
0 -0 +0 00 007 7 07 7.0 7. .7 1e3 1E3 1000 1000.0 1_000 0x10 0b1 0o7 1e400 1e-400
-1e400 inf Inf -inf Infinity +Infinity 9007199254740993 9007199254740992
18446744073709551616 170141183460469231731687303715884105728 0.1 0.10
0.1000000000000000055511151231257827 1/2 50% $5 €5 12:30 2020-01-01 2020-01-01T00:00:00
01/02/03 P1D [] {} () [1] {a} {"a":1} <b> &amp; \\n \\t \\r \\\\ \\0 \\x00 %s %d {0}
$HOME `ls` ; -- /* */ # // =1+1 @x -x +x ' '' '; ; | || & && ! ? * ** ~ ^ _ __ % \\
a A ä Ä a\u0308 ß SS ss ﬁ fi ı i İ I K K Å Å Ω Ω e\u0301 é ё е ０ ７ ٣ ½ ² Ⅷ
日本語 한국어 العربية עברית हिन्दी ไทย 𝔸 😀 👩‍👩‍👧 🏳️‍🌈 \u200b \u200bx x\u200b \ufeff
\ufeffx x\ufeff \u00ad \u2060 \u202ea \u061c \ufffd \uffff \ue000
\U0010ffff \u0378 b b' u' r'
gold a b id label c0 c1 n f0 wide count(*) NULL::int select SELECT DROP
B-PER I-PER O S-LOC B_PER PRP$ -LRB- '' `` . : , ,, a,b "x" "" "a""b" " 'q' „q“ «q»
"""
SPACED = [
    " ", "  ", " a", "a ", " a ", "a b", "a  b", "\u00a0", "a\u00a0", "\u3000",
    "\u2003x",
    "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x1f", "\x7f", "\x80", "\x85", "a\x85b",
    "\u2028", "\u2029", "a\u2028b", "\x01", "\x1b[31m", "a\x00", "\x00", "\x00a",
    "a\x00b",
    "x" * 1000, "ü" * 5000, " " * 100, "1" * 400,
]  # fmt: skip
BROKEN = ["\t", "a\tb", "\n", "a\nb", "\r", "a\r", "\r\n", "a\r\nb", "\n\n", "a\n"]
LABELS = list(dict.fromkeys([*WORDS.split(), *SPACED]))
ALL = [*LABELS, *BROKEN]


def write_csv(path, names, rows):
    with path.open("w", encoding="utf-8", newline="") as handle:
        csv.writer(handle).writerows([names, *rows])


def write_quoted_csv(path, names, rows):
    with path.open("w", encoding="utf-8", newline="") as handle:
        writer = csv.writer(handle, quoting=csv.QUOTE_ALL, lineterminator="\n")
        writer.writerows([names, *rows])


def write_tsv(path, names, rows):
    text = "".join("\t".join(row) + "\n" for row in [names, *rows])
    path.write_bytes(text.encode())


def write_jsonl(path, names, rows):
    lines = (json.dumps(dict(zip(names, row, strict=True))) for row in rows)
    path.write_text("".join(line + "\n" for line in lines))


def write_raw_jsonl(path, names, rows):
    lines = (
        json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False)
        for row in rows
    )
    path.write_bytes("".join(line + "\n" for line in lines).encode())


def write_parquet(path, names, rows):
    columns = [pa.array(column) for column in zip(*rows, strict=True)]
    pq.write_table(pa.table(columns, names=names), path)


WRITERS = {
    "csv": (write_csv, ALL),
    "quoted-csv": (write_quoted_csv, ALL),
    "tsv": (write_tsv, LABELS),
    "jsonl": (write_jsonl, [*ALL, ""]),
    "raw-jsonl": (write_raw_jsonl, [*ALL, ""]),
    "parquet": (write_parquet, [*ALL, ""]),
}


@pytest.fixture(params=WRITERS)
def writer(request):
    return WRITERS[request.param]


def test_there_are_enough():
    assert len(LABELS) >= 200


def test_no_label_is_lost(tmp_path, writer):
    write, labels = writer
    path = tmp_path / "t"
    write(path, ["gold", "a"], [(label, label) for label in labels])
    got = read_files(path)
    assert set(got.classes) == set(labels)
    assert got.n_items == got.n_patterns == len(labels)


def test_no_id_is_lost(tmp_path, writer):
    write, labels = writer
    shuffled = random.Random(0).sample(labels, len(labels))
    write(tmp_path / "g", ["id", "gold"], [(label, label) for label in labels])
    write(tmp_path / "a", ["id", "label"], [(label, label) for label in shuffled])
    got = read_files([tmp_path / "g", tmp_path / "a"], id="id")
    assert set(got.classes) == set(labels)
    assert float(got.sums()["correct"].sum()) == len(labels)


def test_clusters_are_exact(tmp_path, writer):
    write, labels = writer
    path = tmp_path / "t"
    write(path, ["gold", "a", "doc"], [("x", "x", label) for label in labels])
    assert read_files(path, cluster="doc").n_units == len(labels)


@pytest.mark.parametrize("make", [pl.DataFrame, pl.LazyFrame, pa.table])
def test_no_label_is_lost_in_frames(make):
    got = read_frame(make({"gold": ALL, "a": ALL}), gold="gold", systems=["a"])
    assert set(got.classes) == set(ALL)


def test_json_values_keep_their_text(tmp_path):
    values = ["7", "-7", "1.5", "1.50", "1e3", "9007199254740993", "true", "false"]
    values += ["123456789012345678901234567890", "0.1000000000000000055511"]
    path = tmp_path / "t.jsonl"
    path.write_text("".join(f'{{"gold": {v}, "a": "{v}"}}\n' for v in values))
    got = read_files(path)
    assert set(got.classes) == set(values)
    assert float(got.sums()["correct"].sum()) == len(values)


cells = st.text(
    st.characters(codec="utf-8", exclude_characters="\n\r"), min_size=1, max_size=6
)


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.lists(st.tuples(cells, cells), min_size=1, max_size=20))
def test_any_text_in_csv(tmp_path, rows):
    path = tmp_path / "t"
    write_csv(path, ["gold", "a"], rows)
    got = read_files(path)
    assert set(got.classes) == {cell for row in rows for cell in row}
    assert got.n_items == len(rows)


def test_a_million_like_ids(tmp_path):
    """Ids that floats or integers would merge stay apart (here 20,000 of them)."""
    ids = [f"{n}" for n in range(2**53, 2**53 + 5000)]
    ids += [f"0{i}" for i in ids[:5000]] + [f"{i}.0" for i in range(5000)]
    ids += [f"{i}e3" for i in range(5000)]
    write_csv(tmp_path / "g", ["id", "gold"], [(i, i[-1]) for i in ids])
    write_jsonl(tmp_path / "a", ["id", "gold"], [(i, i[-1]) for i in reversed(ids)])
    got = read_files([tmp_path / "g", tmp_path / "a"], id="id")
    assert float(got.sums()["correct"].sum()) == len(ids)
