"""Files that are no tables are named, with a cure; semicolons are read."""

import gzip
import io
import json
import pickle
import sqlite3
import tarfile
import zipfile
import zlib
from itertools import product

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.orc
import pytest

from likelier.errors import InputError
from likelier.readers import describe, read_conll, read_files, read_segmented
from likelier.readers.long_table import read_long

pytestmark = pytest.mark.usefixtures("one_database")

TABLE = pa.table({"gold": ["x", "y"], "a": ["x", "x"]})


def zipped(*names):
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        for name in names:
            content = "application/vnd.oasis.opendocument.spreadsheet"
            archive.writestr(name, content if name == "mimetype" else "gold,a\nx,y\n")
    return sink.getvalue()


def written(write):
    sink = io.BytesIO()
    write(sink)
    return sink.getvalue()


def database(tmp_path):
    with sqlite3.connect(tmp_path / "d") as con:
        con.execute("CREATE TABLE t(gold, a)")
    con.close()
    return (tmp_path / "d").read_bytes()


def archive(sink):
    with tarfile.open(fileobj=sink, mode="w") as tar:
        tar.addfile(tarfile.TarInfo("t.csv"))


def stream(sink):
    with pa.ipc.new_stream(sink, TABLE.schema) as writer:
        writer.write_table(TABLE)


KINDS = {
    "xlsx": (zipped("[Content_Types].xml", "xl/workbook.xml"), "Excel"),
    "ods": (zipped("mimetype", "content.xml"), "ODS"),
    "npz": (written(lambda sink: np.savez(sink, a=[1])), "npz"),
    "zip": (zipped("t.csv"), "zip archive"),
    "empty-zip": (zipped(), "zip archive"),
    "docx": (zipped("[Content_Types].xml", "word/document.xml"), "zip archive"),
    "xls": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500), "xls"),
    "npy": (written(lambda sink: np.save(sink, [1])), "npy"),
    "pickle": (pickle.dumps({"gold": ["x"]}), "pickle"),
    "joblib": (zlib.compress(pickle.dumps([1])), "joblib"),
    "feather": (written(lambda s: pa.feather.write_feather(TABLE, s)), "Feather"),
    "feather-1": (b"FEA1\x00\x00\x00\x00" + bytes(40) + b"FEA1", "Feather"),
    "stream": (written(stream), "Arrow stream"),
    "orc": (written(lambda s: pa.orc.write_table(TABLE, s)), "ORC"),
    "hdf5": (b"\x89HDF\r\n\x1a\n" + bytes(9), "HDF5"),
    "pdf": (b"%PDF-1.7\n%\xe2\xe3\n", "PDF"),
    "png": (b"\x89PNG\r\n\x1a\n" + bytes(9), "image"),
    "jpeg": (b"\xff\xd8\xff\xe0" + bytes(9), "image"),
    "utf-16": ("gold,a\nx,y\n".encode("utf-16"), "UTF-16"),
    "utf-16-be": (b"\xfe\xff" + "gold,a\nx,y\n".encode("utf-16-be"), "UTF-16"),
    "html": (b"\n<!DOCTYPE html>\n<html><body>Sign in</body></html>", "web page"),
    "html-2": (b"<HTML lang='en'>\n<table><tr><td>gold</td></tr>", "web page"),
    "xml": (b"<?xml version='1.0'?>\n<a/>", "XML"),
    "lfs": (
        b"version https://git-lfs.github.com/spec/v1\noid sha256:12\nsize 4\n",
        "git lfs pull",
    ),
    "tar": (written(archive), "tar archive"),
    "xz": (b"\xfd7zXZ\0" + bytes(9), "not with gzip"),
}


def assert_named(read, path, word):
    with pytest.raises(InputError) as error:
        read(path)
    assert word in f"{error.value.message} {error.value.hint}"
    assert str(path) in error.value.message
    assert error.value.hint


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_named_by_all_readers(tmp_path, kind):
    data, word = KINDS[kind]
    plain, packed = tmp_path / "t.csv", tmp_path / "t.csv.gz"
    plain.write_bytes(data)
    packed.write_bytes(gzip.compress(data))

    def long(path):
        return read_long(path, system="s", id="i", score="x")

    for read, path in product((read_files, describe, long), (plain, packed)):
        assert_named(read, path, word)
    assert_named(lambda path: read_conll(path, scheme="iob2"), plain, word)
    assert_named(lambda path: read_segmented([path, path]), plain, word)


def test_databases_are_named(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(database(tmp_path))
    assert_named(read_files, path, "SQLite")


@pytest.mark.parametrize("word", ["ORC", "FEA1", "PK", "x^", "BZh", "Obj", "%", "GIF8"])
def test_tables_that_start_like_others_are_read(tmp_path, word):
    path = tmp_path / "t.csv"
    path.write_text(f"{word},gold,a\nü,x,y\nv,x,y\n")
    assert read_files(path, systems=["a"]).n_items == 2


# --- semicolons ---------------------------------------------------------------------


def write(tmp_path, text):
    path = tmp_path / "t.csv"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    "text",
    [
        "gold;a;b\nx;x;y\ny;x;y\n",
        'gold;"a";b\n"x";x;y\n\ny;"x";y\n',
        "gold;a;b\r\nx;x;y\r\ny;x;y\r\n",
    ],
)
def test_semicolons_are_read_where_there_is_no_other_reading(tmp_path, text):
    got = read_files(write(tmp_path, text))
    expected = read_files(write(tmp_path, "gold,a,b\nx,x,y\ny,x,y\n"))
    assert got.digest == expected.digest
    about = describe(write(tmp_path, text))
    assert (about.format, about.columns) == ("csv", ("gold", "a", "b"))


def test_semicolons_within_a_comma_table_are_text(tmp_path):
    got = read_files(write(tmp_path, "gold,a;b\nx;y,x\nx,x\n"))
    assert got.systems == ("a;b",)
    got = read_files(write(tmp_path, '"a;b"\n1\n2\n'), kind="scores")
    assert got.systems == ("a;b",)


def test_commas_within_a_semicolon_table_are_text(tmp_path):
    got = read_files(write(tmp_path, "gold;a\nx, y;x\nx;x, y\n"))
    assert got.classes == ("x", "x, y")


def test_ragged_semicolons_are_refused_by_line(tmp_path):
    with pytest.raises(InputError, match=r"t\.csv:3: a row must have 2 fields.* got 1"):
        read_files(write(tmp_path, "gold;a\nx;x\nx,x\n"))
    with pytest.raises(InputError, match=r"t\.csv:2: a quote must stand at the edge"):
        read_files(write(tmp_path, 'gold;a\nx,"x";y\n'))


def test_decimal_commas_are_refused_with_the_cure(tmp_path):
    path = write(tmp_path, "a;b\n1;0,5\n2;1\n")
    with pytest.raises(InputError, match=r"t\.csv:2") as error:
        read_files(path, kind="scores")
    assert "0.5, not 0,5" in error.value.hint
    path = write(tmp_path, "m;i;s\na;1;0,5\nb;1;1\n")
    with pytest.raises(InputError, match=r"t\.csv:2") as error:
        read_long(path, system="m", id="i", score="s")
    assert "0.5, not 0,5" in error.value.hint


def test_json_is_no_table_of_semicolons(tmp_path):
    path = write(tmp_path, json.dumps([{"gold": "x;y", "a": "z"}] * 2))
    assert describe(path).format == "json"
