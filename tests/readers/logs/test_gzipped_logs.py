"""A log within gzip is the log, whatever the tool; so is one of an array of records."""

import gzip
import json
from shutil import copytree

import numpy as np
import pytest
from tests.readers.logs.reading import DATA

import likelier as lk
from likelier.errors import InputError
from likelier.readers.file import find_file
from likelier.readers.logs.find_logs import log_format

FOLDERS = sorted(path.name for path in DATA.iterdir())


def facts(log):
    """Return all that a log says of its rows."""
    scores = {name: np.nan_to_num(v, nan=-9).tolist() for name, v in log.scores.items()}
    labels = {name: [list(column) for column in v] for name, v in log.labels.items()}
    rows = [list(log.items), log.repeats and list(log.repeats), dict(log.errors)]
    about = [log.format, log.version, log.system, log.task, log.filter, log.run]
    further = [log.unusable, log.conditions, log.fields, log.notes, log.headline]
    return [*about, *rows, scores, labels, dict(log.hashes), *further]


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_tool(folder, tmp_path):
    copied = tmp_path / folder
    copytree(DATA / folder, copied)
    paths = [path for path in copied.rglob("*.json*") if path.is_file()]
    read = 0
    for path in paths:
        form = log_format(find_file(path))
        if form is None:
            continue
        plain = [facts(log) for log in form.read(find_file(path))]
        packed = path.with_name(f"{path.name}.gz")
        packed.write_bytes(gzip.compress(path.read_bytes()))
        path.unlink()
        file = find_file(packed)
        assert log_format(file) is form
        assert [facts(log) for log in form.read(file)] == plain
        packed.write_bytes(packed.read_bytes()[:-20])
        with pytest.raises(InputError, match=rf"{path.name}\.gz must be a whole gzip"):
            list(form.read(find_file(packed)))
        read += 1
    assert read or folder == "lighteval"


def test_a_folder_of_gzipped_samples(tmp_path):
    source = DATA / "lm_eval" / "base"
    copytree(source, tmp_path / "runs")
    for path in (tmp_path / "runs").rglob("samples_*.jsonl"):
        path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes()))
        path.unlink()
    runs = [tmp_path / "runs" / name for name in ("toy-a", "toy-b")]
    got = lk.read(*runs, task="toy_mc")
    expected = lk.read(source / "toy-a", source / "toy-b", task="toy_mc")
    pairs = [lk.compare(items, metric="acc", seed=1) for items in (got, expected)]
    assert pairs[0].sentence() == pairs[1].sentence()


# --- tables --------------------------------------------------------------------------

CELLS = [
    *[("x", 1, "a", 1), ("x", 1, "b", 0), ("y", 1, "a", 0.5)],
    *[("y", 1, "b", 0.25), ("x", 2, "a", 0), ("x", 2, "b", 1)],
]
ROWS = [
    {"id": {"task": task, "doc": doc}, "m": model, "out": {"score": score}}
    for task, doc, model, score in CELLS
]
FORMS = {
    "t.jsonl": "".join(json.dumps(row) + "\n" for row in ROWS),
    "t.json": json.dumps(ROWS, indent=1),
    "document.json": json.dumps({"meta": {"n": 6}, "rows": ROWS}),
    "table.json": json.dumps(
        {"columns": [*ROWS[0]], "data": [[*row.values()] for row in ROWS]}
    ),
}


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", FORMS)
def test_dotted_fields_and_composite_ids_in_every_form(tmp_path, name, packed):
    path = tmp_path / (f"{name}.gz" if packed else name)
    data = FORMS[name].encode()
    path.write_bytes(gzip.compress(data) if packed else data)
    items = lk.read(path, system="m", id=["id.task", "id.doc"], score="out.score")
    logs = {log.system: log for log in items.logs}
    assert logs["a"].items == ["x/1", "y/1", "x/2"]
    assert logs["b"].scores["out.score"].tolist() == [0, 0.25, 1]
    assert logs["a"].task == path.name.split(".")[0]
