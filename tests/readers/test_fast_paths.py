"""What the engine does in one pass is as strict as looking at each row."""

import json
import random

import pyarrow as pa
import pytest
from pyarrow import parquet as parquet_file

from likelier.data.constructors import from_labels
from likelier.errors import InputError
from likelier.readers import json_table, read_files
from likelier.readers.long_table import read_long

pytestmark = pytest.mark.usefixtures("one_database")

N = 2_500
DRAW = random.Random(0)
GOLD = [DRAW.choice("xyz") for _ in range(N)]
FIRST = [DRAW.choice([g, "x"]) for g in GOLD]
SECOND = [DRAW.choice([g, "y"]) for g in GOLD]
EXPECTED = from_labels(GOLD, FIRST, SECOND, systems=["a", "b"]).digest
IDS = [f"q{i}" for i in range(N)]


def csv(rows):
    return "".join(",".join(row) + "\n" for row in [("id", "label"), *rows])


def jsonl(rows):
    return "".join(json.dumps({"id": i, "label": x}) + "\n" for i, x in rows)


def parquet(path, rows):
    columns = zip(*rows, strict=True)
    names = ["id", "label"]
    parquet_file.write_table(pa.table([pa.array(c) for c in columns], names), path)


@pytest.fixture(params=["csv", "jsonl", "parquet"])
def write(request, tmp_path):
    """Write the rows (id, label) of a file; an empty id is a missing one."""

    def write(name, rows):
        path = tmp_path / f"{name}.txt"
        if request.param == "parquet":
            parquet(path, [(i or None, x) for i, x in rows])
        elif request.param == "csv":
            path.write_text(csv(rows))
        else:
            path.write_text(jsonl((i or None, x) for i, x in rows))
        return path

    return write


def pairs(labels, *, ids=IDS, seed=None):
    rows = list(zip(ids, labels, strict=True))
    return rows if seed is None else random.Random(seed).sample(rows, len(rows))


def test_files_in_any_order_are_joined(write):
    files = [
        write("gold", pairs(GOLD, seed=1)),
        write("a", pairs(FIRST)),
        write("b", pairs(SECOND, seed=2)),
    ]
    assert read_files(files, id="id").digest == EXPECTED


FEW = ["m1", "m2", "m3", "m4"]


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (["m1", "m1", "m3", "m4"], "each id once; twice: 'm1'"),
        (["m1", "m2", "m3", "m3"], "each id once; twice: 'm3'"),
        (["m1", "m2", "m3", ""], "an id for every item; 1 missing"),
        (["m1", "m2", "m3", "m5"], "must have the ids of"),
        (["m1", "m2", "m3"], "must have the ids of"),
        (["m1", "m2", "m3", "m4", "m5"], "must have the ids of"),
        (["m1", "m1", "m2", "m3", "m4"], "each id once; twice: 'm1'"),
    ],
)
def test_ids_that_do_not_match_one_to_one_are_refused(write, place, ids, message):
    files = []
    for i, name in enumerate("gab"):
        own = ids if i == place else FEW
        files.append(write(name, pairs("xyxyx"[: len(own)], ids=own)))
    with pytest.raises(InputError, match=message):
        read_files(files, id="id")


def test_double_ids_may_not_hide_behind_lost_ones(write):
    """As many rows come out of a join of ids as there are items, yet not one each."""
    files = [
        write("gold", pairs("xyx", ids=["1", "2", "3"])),
        write("a", pairs("xyx", ids=["1", "1", "2"])),
        write("b", pairs("xyx", ids=["1", "2", "3"])),
    ]
    with pytest.raises(InputError, match="each id once; twice: '1'"):
        read_files(files, id="id")


@pytest.mark.parametrize("row", [1, 1_500, N - 1])
def test_a_double_id_is_found_wherever_it_is(write, row):
    ids = [*IDS[:row], IDS[0], *IDS[row + 1 :]]
    files = [write("gold", pairs(GOLD)), write("a", pairs(FIRST, ids=ids))]
    with pytest.raises(InputError, match="each id once; twice: 'q0'"):
        read_files(files, id="id")


# --- JSONL ----------------------------------------------------------------------------


@pytest.fixture
def rows():
    """Objects of one line each."""
    names = ("id", "gold", "a", "b")
    every = zip(IDS, GOLD, FIRST, SECOND, strict=True)
    return [dict(zip(names, row, strict=True)) for row in every]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "w.jsonl"


@pytest.fixture
def by_engine(monkeypatch):
    """Let nothing be read line by line."""

    def refused(*_, **__):
        raise AssertionError

    monkeypatch.setattr(json_table.JsonTable, "_cells", refused)


def dump(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.mark.usefixtures("by_engine")
def test_all_other_keys_are_systems(path, rows):
    dump(path, rows)
    assert read_files(path, id="id").digest == EXPECTED


@pytest.mark.usefixtures("by_engine")
def test_texts_stand_beside_their_items(path, rows):
    for i, row in enumerate(rows):
        row["question"] = f"what: is {i}?"
    dump(path, rows)
    got = read_files(path, id="id")
    assert got.digest == EXPECTED
    assert got.items.texts
    for name, text in got.items.texts.items():
        assert text.text == f"what: is {name[1:]}?"


@pytest.mark.usefixtures("by_engine")
def test_keys_in_another_order_are_no_further_keys(path, rows):
    rows[7] = dict(reversed(rows[7].items()))
    rows[8]["a"] = "x:y"
    dump(path, rows)
    assert read_files(path, id="id").n_items == N


@pytest.mark.parametrize("value", ["x", "x:y", None])
def test_further_keys_are_refused_by_line(path, rows, value):
    rows[1_200]["c"] = value
    dump(path, rows)
    with pytest.raises(InputError, match=r":1201: .*got 'c' too"):
        read_files(path, id="id")


def test_a_further_key_may_not_hide_behind_a_lost_one(path, rows):
    rows[5]["c"] = "x"
    del rows[6]["b"]
    dump(path, rows)
    with pytest.raises(InputError, match=r":6: .*got 'c' too"):
        read_files(path, id="id")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": "q1", "gold": "x", "gold": "y", "a": "x", "b": "x"}', "gold"),
        ('{"id": "q1", "gold": NaN, "a": "x", "b": "x"}', "NaN"),
        ("null", "one JSON object"),
        ('{"id": "q1", "gold": ["x"], "a": "x", "b": "x"}', "one label"),
    ],
)
@pytest.mark.parametrize("row", [1, 2_000])
def test_what_is_no_label_is_refused_by_line(path, rows, line, message, row):
    lines = [json.dumps(row) for row in rows]
    lines[row] = line
    path.write_text("\n".join([*lines, ""]))
    with pytest.raises(InputError, match=rf"w\.jsonl:{row + 1}\b.*{message}"):
        read_files(path, id="id")


def test_numbers_keep_their_writing(path, rows):
    rows[2_100] |= {"gold": "1.50", "a": "1.50", "b": "1.5"}
    text = "".join(json.dumps(row) + "\n" for row in rows)
    path.write_text(text.replace('"1.50"', "1.50").replace('"1.5"', "1.5"))
    assert {"1.50", "1.5"} <= {*read_files(path, id="id").classes}


SCORES = ["0.5", "1", "0", "-3", "0.10", "1e2", "12345678901234567890123", "-0.0"]
ODD = ['"0.5"', '"x"', '""', "true", "false", '"yes"', "null", "NaN", "1e999"]
ODD += ["Infinity", '"NaN"', '"inf"', '"1_0"', '" 1"', "[1]", '{"a": 1}', '"0x1"']
NAMED = ['"q{}"', '"{}"', "{}", '"-{}"', '"n{}"']
ODD_NAMES = [
    '"1.50"',
    "1.50",
    "2.0",
    "null",
    "true",
    '"nan"',
    '"["',
    "[1]",
    '"\\ud800"',
]


def written_rows(draw):
    """Write rows of a long table, some with values that are seldom there."""
    name, odd = draw.choice(NAMED), draw.choice([0, 0.01, 0.3, 1])
    few = draw.sample(ODD, 2)
    for i in range(12):
        item = name.format(i) if draw.random() > odd / 4 else draw.choice(ODD_NAMES)
        for model in "ab":
            score = draw.choice(few if draw.random() < odd else SCORES)
            yield f'{{"model": "{model}", "item": {item}, "score": {score}}}\n'


def outcome_of(path):
    """Return all values of a long table, or whether the error names it."""
    try:
        logs = read_long(path, system="model", id="item", score="score")
    except InputError as error:
        return path.name in str(error)
    scores = [str(log.scores["score"].tolist()) for log in logs]
    return [scores, *((log.system, log.items, log.errors) for log in logs)]


@pytest.mark.usefixtures("one_database")
def test_rows_are_those_that_are_read_line_by_line(path, monkeypatch):
    read = 0
    for seed in range(40):
        path.write_text("".join(written_rows(random.Random(seed))))
        by_engine = outcome_of(path)
        with monkeypatch.context() as slow:
            slow.setattr("likelier.readers.jsonl.text_fields", lambda *_, **__: None)
            assert by_engine == outcome_of(path) is not False, seed
        read += isinstance(by_engine, list)
    assert 5 < read < 35


@pytest.mark.usefixtures("by_engine")
def test_truths_and_numbers_within_quotes_are_read_by_the_engine(path):
    for written in ("0.5", '"0.5"', "true", '"yes"'):
        row = f'"model": "a", "score": {written}'
        path.write_text("".join(f'{{"item": "q{i}", {row}}}\n' for i in range(3)))
        assert isinstance(outcome_of(path), list)
