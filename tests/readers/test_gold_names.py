"""Files and columns in the wrong order: a system that is called gold."""

import pytest

import likelier as lk
from likelier import readers
from likelier.errors import InputError

TAGS = "Ada B-X\nruns O\n\nEve B-X\nsits O\n"


def written(folder, names, text):
    paths = [folder / name for name in names]
    for path in paths:
        path.write_text(text)
    return paths


@pytest.mark.parametrize("name", ["gold", "Gold", "y_true", "REF", "ground truth"])
def test_gold_must_be_the_first_file(tmp_path, name):
    names = ["a.csv", "b.csv", f"{name}.csv"]
    paths = written(tmp_path, names, "id,label\n1,x\n2,y\n")
    with pytest.raises(InputError, match=name) as error:
        readers.read_files(paths, id="id")
    assert "first" in error.value.hint
    assert readers.read_files(paths[::-1], id="id").systems == ("b", "a")


@pytest.mark.parametrize("read", ["chunks", "tags", "segmented"])
def test_gold_must_be_the_first_of_all_kinds_of_files(tmp_path, read):
    paths = written(tmp_path, ["a.txt", "gold.txt"], TAGS)
    call = {
        "chunks": lambda files: readers.read_conll(files, scheme="iob2"),
        "tags": readers.read_tagged,
        "segmented": readers.read_segmented,
    }[read]
    with pytest.raises(InputError, match="'gold' as a system and 'a' as gold"):
        call(paths)
    assert call(paths[::-1]).systems == ("a",)


def test_a_column_of_gold_is_no_system(tmp_path):
    (path,) = written(tmp_path, ["t.csv"], "y,a,gold\nx,x,x\nz,x,z\n")
    with pytest.raises(InputError, match="gold") as error:
        readers.read_files(path, gold="y")
    assert "--gold gold" in error.value.hint
    table = readers.read_files(path, systems=["y", "a"])
    assert table.systems == ("y", "a")


def test_a_reference_system_may_stand_beside_gold(tmp_path):
    (path,) = written(tmp_path, ["t.csv"], "gold,reference,new\nx,x,x\nz,x,z\n")
    assert readers.read_files(path).systems == ("reference", "new")


def test_scores_have_no_gold(tmp_path):
    (path,) = written(tmp_path, ["t.csv"], "a,gold\n1,2\n2,3\n")
    table = readers.read_files(path, systems=["a", "gold"], kind="scores")
    assert table.systems == ("a", "gold")
    assert lk.compare(table, metric="mean", draws=1000, seed=0).settings.systems
