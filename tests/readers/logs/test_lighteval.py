"""Made by hand from the layouts that lighteval writes, before 2025 and since."""

import json
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet
from tests.readers.logs.mutations import mutants
from tests.readers.logs.reading import DATA, attempt, check, read

from likelier.errors import InputError
from likelier.readers.file import find_file
from likelier.readers.logs.lighteval import FORMAT

pytestmark = pytest.mark.usefixtures("one_database")

NEW = json.loads((DATA / "lighteval" / "details.json").read_text())["rows"]
OLD = json.loads((DATA / "lighteval" / "old_details.json").read_text())["rows"]
RESULTS = (DATA / "lighteval" / "results.json").read_bytes()
# What pyarrow raises for rows that Parquet cannot hold.
UNFIT = (ValueError, TypeError, AttributeError, ArithmeticError, LookupError)
UNFIT += (NotImplementedError, pa.ArrowException)
DATE = "2026-11-18T11-30-00.000000"


def written(rows, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    parquet.write_table(pa.Table.from_pylist(rows), path)
    return path


def details(folder, rows=NEW):
    path = folder / "details" / "acme" / "toy" / DATE
    return written(rows, path / f"details_sums|0_{DATE}.parquet")


def add_results(folder):
    path = folder / "results" / "acme" / "toy" / f"results_{DATE}.json"
    path.parent.mkdir(parents=True)
    path.write_bytes(RESULTS)
    return path


def test_values_of_items(tmp_path):
    [log] = read(FORMAT, details(tmp_path))
    check(log)
    assert log.items == [row["doc"]["id"] for row in NEW]
    for metric in ("acc", "f1"):
        expected = [row["metric"][metric] for row in NEW]
        assert log.scores[metric].tolist() == expected
    assert log.unusable == {"bleu": "its values are not single numbers but dict"}
    assert log.look_up("doc.query", [2]) == ["2+2?"]
    assert log.locate(2).endswith(": row 3")


def test_facts_of_the_path(tmp_path):
    [log] = read(FORMAT, details(tmp_path))
    assert (log.system, log.task, log.run) == ("acme/toy", "sums|0", DATE)
    assert log.conditions == {"few-shot examples": "0"}


def test_facts_of_the_results(tmp_path):
    add_results(tmp_path)
    [log] = read(FORMAT, details(tmp_path))
    assert log.system == "acme/toy"
    assert log.higher_is_better == {"acc": True, "f1": True}
    assert log.conditions == {
        "few-shot examples": "0",
        "task version": "1",
        "few-shot seeds": "1",
        "generation settings": '{"temperature": 0}',
    }


def test_names_of_the_documentation(tmp_path):
    rows = [{f"__{key}__": value for key, value in row.items()} for row in NEW]
    [log] = read(FORMAT, written(rows, tmp_path / "details_x.parquet"))
    check(log)
    assert log.scores["acc"].tolist() == [row["metric"]["acc"] for row in NEW]
    assert log.text == "__doc__.query"


def test_layout_before_2025(tmp_path):
    name = "details_leaderboard|sums|5_2023-09-03T10-57-04.203304.parquet"
    [log] = read(FORMAT, written(OLD, tmp_path / "toy" / name))
    check(log)
    assert log.scores["acc"].tolist() == [row["metrics"]["acc"] for row in OLD]
    assert log.look_up("example", [1, 0]) == [OLD[1]["example"], OLD[0]["example"]]
    assert len(set(log.items)) == len(OLD)
    assert (log.system, log.task) == ("toy", "leaderboard|sums|5")


def test_further_fields_of_items(tmp_path):
    rows = [
        r | {"doc": r["doc"] | {"specific": {"p q": i // 3}}} for i, r in enumerate(NEW)
    ]
    [log] = read(FORMAT, details(tmp_path, rows))
    check(log)
    assert log.fields == ("doc.query", "doc.id", "doc.task_name", "doc.specific.p q")
    assert log.look_up("doc.specific.p q", [0, 9, 4]) == [0, 3, 1]
    assert log.look_up("doc.other", [0, 9]) == [None, None]


def test_rows_of_one_item_are_repeats(tmp_path):
    [log] = read(FORMAT, details(tmp_path, [*NEW, *NEW[:3]]))
    assert log.repeats == [1] * 10 + [2] * 3


def test_objects_written_as_text(tmp_path):
    rows = [{key: str(value) for key, value in row.items()} for row in NEW]
    [log] = read(FORMAT, details(tmp_path, rows))
    check(log)
    assert log.scores["acc"].tolist() == [row["metric"]["acc"] for row in NEW]
    rows[3]["metric"] = "{'acc': np.float64(1.0)"
    with pytest.raises(InputError, match="row 4: metrics must be an object"):
        read(FORMAT, details(tmp_path, rows))


def test_values_that_are_not_there_are_missing(tmp_path):
    rows = [row | {"metric": None} if i == 2 else row for i, row in enumerate(NEW)]
    [log] = read(FORMAT, details(tmp_path, rows))
    assert list(log.errors) == [2]
    assert np.isnan(log.scores["acc"][2])


def test_other_tables_are_not_details(tmp_path):
    path = written([{"doc": "a", "metric": 1}], tmp_path / "t.parquet")
    assert not FORMAT.sniff(find_file(path))
    path.write_bytes(path.read_bytes()[:-9])
    assert not FORMAT.sniff(find_file(path))


def test_damaged_details_are_read_or_refused(tmp_path):
    counts = survive_rows(tmp_path, NEW, n=70, seed=9)
    counts += survive_rows(tmp_path, OLD, n=40, seed=10)
    assert counts["read"] > 30


def survive_rows(folder, rows, *, n, seed):
    """Damage the rows, then write those that Parquet can hold."""
    counts = Counter()
    for mutant in mutants(json.dumps(rows).encode(), n, seed):
        try:
            path = details(folder, json.loads(mutant))
        except UNFIT:
            counts["no Parquet"] += 1
            continue
        counts[attempt(FORMAT, path)] += 1
    return counts


def test_damaged_files_are_read_or_refused(tmp_path):
    path = details(tmp_path)
    raw, rng = path.read_bytes(), np.random.default_rng(11)
    counts = Counter()
    for _ in range(50):
        changed = bytearray(raw)
        for at in rng.integers(4, len(raw), 1):
            changed[at] = rng.integers(256)
        path.write_bytes(changed)
        counts[attempt(FORMAT, path)] += 1
    assert counts["refused"] > 0 < counts["read"]


def test_damaged_results_are_read_or_refused(tmp_path):
    path, results = details(tmp_path), add_results(tmp_path)
    kinds = set()
    for mutant in mutants(RESULTS, 30, 12):
        results.write_bytes(mutant)
        kinds.add(attempt(FORMAT, path, named="results_"))
    assert kinds == {"read", "refused"}
