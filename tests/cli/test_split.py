"""Splits on the command line: assignments that other tools can read."""

import csv
import io
import json
import re
from collections import Counter, defaultdict
from itertools import combinations

import pytest
from tests.cli.conftest import table

from likelier.readers.tables import read_columns

OPTIONS = [
    *["--design", "--m", "--k", "--repeats", "--stratify", "--groups", "--id"],
    *["--seed", "--out", "--help"],
]
SPLIT = ("split", "items.csv", "--id", "id", "--seed", "0")
DESIGNS = {
    "mx2": (3, 2),
    "kfold": (1, 5),
    "repeated": (2, 5),
    "5x2": (5, 2),
    "train-dev-test": (1, 1),
}
SMALL = ("--k", "5", "--repeats", "2")
# Labels and ids are strings, byte for byte.
ODD_IDS = ["007", "NA", "1e3", "null", 'a"b', "a,b", "a\nb", " x ", "e\u0301", "=1+1"]


@pytest.fixture
def listed(folder):
    """40 items, every fourth of class b, in ten documents."""
    rows = [[f"{i:03d}", "ab"[i % 4 == 0], f"d{i // 4}"] for i in range(40)]
    (folder / "items.csv").write_text(table(rows, ("id", "label", "doc")))
    return folder


@pytest.fixture
def split(listed, call):
    """Run a split, and read its output."""

    def split(*words):
        ended = call(*SPLIT, *words)
        assert ended.code == 0, ended.err
        return list(csv.DictReader(io.StringIO(ended.out)))

    return split


def folds(rows):
    """Repetition to fold to ids."""
    by_fold = defaultdict(lambda: defaultdict(set))
    for row in rows:
        by_fold[row["repetition"]][row["fold"]].add(row["id"])
    return by_fold


IDS = {f"{i:03d}" for i in range(40)}


def test_csv_goes_to_the_terminal_and_nothing_else(listed, call):
    ended = call(*SPLIT, "--stratify", "label")
    assert ended.code == 0
    head, *lines = ended.out.splitlines()
    assert head == "id,repetition,fold"
    assert len(lines) == 120
    assert all(re.fullmatch(r"\d{3},[123],[12]", line) for line in lines)
    assert ended.out.endswith("\n")
    assert ended.err.startswith("3x2 blocked stratified seed 0: 4 blocks of 10 to 10")


@pytest.mark.parametrize("design", DESIGNS)
def test_every_design_tests_every_item_once_per_repetition(split, design):
    rows = split("--design", design, *SMALL)
    repetitions, parts = DESIGNS[design]
    by_repetition = folds(rows)
    assert len(by_repetition) == repetitions
    for of_one in by_repetition.values():
        assert len(of_one) == parts
        assert set().union(*of_one.values()) == IDS
        assert sum(len(items) for items in of_one.values()) == 40
        sizes = [len(items) for items in of_one.values()]
        assert max(sizes) - min(sizes) <= 1
    assert ("role" in rows[0]) == (design == "train-dev-test")


def test_roles_of_a_single_split(split):
    roles = Counter(row["role"] for row in split("--design", "train-dev-test"))
    assert roles == {"train": 32, "dev": 4, "test": 4}


@pytest.mark.parametrize("m", [1, 2, 3, 7])
def test_any_two_halves_share_a_quarter(split, m):
    repetitions = folds(split("--m", str(m)))
    assert len(repetitions) == m
    halves = [half for of_one in repetitions.values() for half in of_one.values()]
    if m <= 3:  # 40 is divisible by the number of blocks
        for (i, one), (j, other) in combinations(enumerate(halves), 2):
            assert len(one & other) == (0 if i // 2 == j // 2 else 10)


def test_stratified(split):
    rows = split("--stratify", "label")
    for of_one in folds(rows).values():
        for items in of_one.values():
            # Ten items of class b, two or three in each of four blocks.
            assert 4 <= sum(int(item) % 4 == 0 for item in items) <= 6


@pytest.mark.parametrize("design", DESIGNS)
def test_groups_stay_together(split, design):
    rows = split("--design", design, *SMALL, "--groups", "doc")
    parts = defaultdict(set)
    for row in rows:
        key = (int(row["id"]) // 4, row["repetition"])
        parts[key].add((row["fold"], row.get("role")))
    assert all(len(part) == 1 for part in parts.values())


def test_stratified_groups(listed, call):
    ended = call(*SPLIT, "--groups", "doc", "--stratify", "label")
    assert ended.code == 0
    assert ended.err.startswith("3x2 blocked stratified grouped seed 0: ")


def test_unstratified_blocks_leave_a_finding(listed, call):
    assert "LIK121 " in call(*SPLIT).err
    assert "LIK121" not in call(*SPLIT, "--stratify", "label").err


def test_rare_classes_leave_a_finding(listed, call):
    rows = [[str(i), "r" if i < 2 else "c"] for i in range(40)]
    (listed / "rare.csv").write_text(table(rows, ("id", "label")))
    words = ("--design", "kfold", "--k", "5", "--stratify", "label", "--seed", "0")
    ended = call("split", "rare.csv", *words)
    assert ended.code == 0
    assert "LIK120 " in ended.err
    assert "'r'" in ended.err


def test_without_an_id_items_are_counted_from_0(listed, call):
    ended = call("split", "items.csv", "--m", "1", "--seed", "0")
    rows = list(csv.DictReader(io.StringIO(ended.out)))
    assert list(rows[0]) == ["row", "repetition", "fold"]
    assert [row["row"] for row in rows] == [str(i) for i in range(40)]


# --- seeds -------------------------------------------------------------------


@pytest.mark.parametrize("design", DESIGNS)
def test_same_seed_same_bytes(listed, call, design):
    words = (*SPLIT, "--design", design, *SMALL)
    first = call(*words)
    assert call(*words) == first
    assert "seed 0" in first.err
    assert call(*words[:4], "--seed", "1", *words[6:]).out != first.out


def test_seed_0_is_a_seed(listed, call):
    assert "seed 0" in call("split", "items.csv", "--seed", "0").err
    free = call("split", "items.csv")
    seed = re.search(r"seed (\d+)", free.err)[1]
    assert call("split", "items.csv", "--seed", seed).out == free.out
    assert call("split", "items.csv").out != free.out


# --- files -------------------------------------------------------------------


@pytest.mark.parametrize("design", DESIGNS)
def test_files(listed, call, split, design):
    words = ("--design", design, *SMALL)
    printed = split(*words)
    for name in ("o.csv", "o.jsonl"):
        ended = call(*SPLIT, *words, "--out", name)
        assert (ended.code, ended.out) == (0, "")
    text = (listed / "o.csv").read_text()
    assert list(csv.DictReader(io.StringIO(text))) == printed
    lines = [json.loads(x) for x in (listed / "o.jsonl").read_text().splitlines()]
    assert [{k: str(v) for k, v in line.items()} for line in lines] == printed
    assert isinstance(lines[0]["fold"], int)


@pytest.mark.parametrize("name", ["o.csv", "o.jsonl"])
@pytest.mark.parametrize("more", [[], ["a\rb"]], ids=["plain", "carriage-return"])
def test_ids_are_kept_byte_for_byte(listed, call, name, more):
    ids = [*ODD_IDS, *more, "ü", "x" * 300]
    text = "".join(json.dumps({"id": i, "y": "a"}) + "\n" for i in ids)
    (listed / "odd.jsonl").write_text(text)
    words = ("--id", "id", "--m", "1", "--seed", "0", "--out", name)
    assert call("split", "odd.jsonl", *words).code == 0
    columns, _ = read_columns(listed / name, ["id"])
    assert columns["id"] == ids


def hash_of(row):
    """Return a number of the item, so that each has one gold label."""
    return sum(row["id"].encode()) % 3


def test_assignments_name_the_folds_of_predictions(listed, call, split):
    # The whole circle: split, train elsewhere, and test the counts.
    rows = split("--stratify", "label")
    lines = [
        [row["id"], row["repetition"], row["fold"], *("aba" if hash_of(row) else "bba")]
        for row in rows
    ]
    header = ("id", "repetition", "fold", "gold", "first", "second")
    (listed / "predictions.csv").write_text(table(lines, header))
    words = ("--metric", "accuracy", "--draws", "200", "--seed", "0")
    ended = call("folds", "predictions.csv", *words)
    assert ended.code == 0
    assert "3x2 folds" in ended.out


@pytest.mark.parametrize("form", ["tsv", "jsonl"])
def test_other_formats_split_alike(listed, call, form):
    with (listed / "items.csv").open() as file:
        rows = list(csv.DictReader(file))
    if form == "tsv":
        text = table([row.values() for row in rows], rows[0], mark="\t")
    else:
        text = "".join(json.dumps(row) + "\n" for row in rows)
    (listed / "items.dat").write_text(text)
    words = ("--id", "id", "--stratify", "label", "--seed", "0")
    assert call("split", "items.dat", *words) == call("split", "items.csv", *words)


# --- what is refused ---------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--m", "0"), "m must be a whole number of at least 1; got 0."),
        (("--m", "-3"), "m must be a whole number of at least 1; got -3."),
        (("--m", "64"), "64x2 needs at least 128 items; got 40."),
        (("--design", "kfold", "--k", "1"), "k must be a whole number of at least 2"),
        (
            ("--design", "kfold", "--k", "41"),
            "41 folds need at least 41 items; got 40.",
        ),
        (("--design", "repeated", "--repeats", "0"), "repeats must be"),
        (("--design", "mx3"), "design must be one of 5x2, kfold, mx2"),
        (("--stratify", "nope"), "items.csv must have the column 'nope'"),
        (("--groups", "nope"), "items.csv must have the column 'nope'"),
        (("--id", "nope"), "items.csv must have the column 'nope'"),
        (("--seed", "-1"), "seed must be a whole number of at least 0"),
        (("--out", "nowhere/o.csv"), "must be in a folder that exists"),
        (("--out", "."), "must be a file to write"),
        (("--groups", "label"), "3x2 needs at least 4 groups; got 2."),
    ],
)
def test_settings(listed, refused, words, message):
    assert message in refused(*SPLIT, *words)


def test_the_input_is_not_overwritten(listed, refused):
    assert "input" in refused(*SPLIT, "--out", "items.csv")


@pytest.mark.parametrize("design", ["mx2", "kfold", "5x2", "train-dev-test"])
def test_too_few_items(listed, refused, design):
    (listed / "few.csv").write_text("id\na\n")
    assert "1." in refused("split", "few.csv", "--design", design)


def test_double_ids_are_named(listed, refused):
    ids = [*"abcdefgh", "x7", "y8", "x7", "y8"]
    (listed / "twice.csv").write_text("id\n" + "\n".join(ids) + "\n")
    message = refused("split", "twice.csv", "--id", "id")
    assert "must have each id once" in message
    assert "'x7'" in message
    assert "'y8'" in message
    assert "'a'" not in message


@pytest.mark.parametrize("column", ["id", "label"])
def test_missing_cells_are_named_by_their_line(listed, refused, column):
    rows = [[f"i{i}", "ab"[i % 2]] for i in range(20)]
    rows[6][("id", "label").index(column)] = ""
    (listed / "gap.csv").write_text(table(rows, ("id", "label")))
    words = ("--id", "id", "--stratify", "label")
    assert f"gap.csv:8: column '{column}' must have" in refused(
        "split", "gap.csv", *words
    )


@pytest.mark.parametrize("content", ["", "id\n", "\n"])
def test_nothing_to_split(listed, refused, content):
    (listed / "none.csv").write_text(content)
    assert "none.csv" in refused("split", "none.csv")


def test_no_file(listed, refused):
    assert "itms.csv must be a file" in refused("split", "itms.csv")


def test_help_names_every_option(call):
    ended = call("split", "--help")
    assert (ended.code, ended.err) == (0, "")
    assert set(re.findall(r"^ {1,4}(--[a-z0-9-]+) ", ended.out, re.M)) == set(OPTIONS)
    for design in DESIGNS:
        assert design in ended.out
