"""A file that is cut at any byte is refused, or read as the prefix it is."""

import json

import pytest

from likelier.data.constructors import from_labels
from likelier.errors import InputError
from likelier.readers import read_files

pytestmark = pytest.mark.usefixtures("one_database")

ROWS = [("y", "no"), ('a"b', "c,d"), ("é\n", "x")]


def quoted(cell):
    if any(mark in cell for mark in '",\n'):
        return '"' + cell.replace('"', '""') + '"'
    return cell


def csv_rows(end):
    rows = [("gold", "a"), *ROWS]
    return [(",".join(map(quoted, row)) + end).encode() for row in rows]


def tsv_rows(end):
    rows = [("gold", "a"), *((g.strip(), a) for g, a in ROWS)]
    return [("\t".join(row) + end).encode() for row in rows]


def jsonl_rows(end):
    return [(json.dumps({"gold": g, "a": a}) + end).encode() for g, a in ROWS]


def last_row(tail, form):
    """Read what is left of a row that was cut, where it is whole enough."""
    if form == "jsonl":
        return tuple(json.loads(tail).values())
    text = tail.decode()
    if form == "tsv":
        return tuple(text.split("\t"))
    cells, i = [], 0
    while True:
        if text[i : i + 1] == '"':
            end = i + 1
            while text[end] != '"' or text[end + 1 : end + 2] == '"':
                end += 2 if text[end] == '"' else 1
            cells.append(text[i + 1 : end].replace('""', '"'))
            i = end + 1
        else:
            end = text.find(",", i)
            end = len(text) if end < 0 else end
            cells.append(text[i:end])
            i = end
        if i >= len(text):
            return tuple(cells)
        i += 1


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl"])
def test_every_cut(tmp_path, form, end):
    parts = {"csv": csv_rows, "tsv": tsv_rows, "jsonl": jsonl_rows}[form](end)
    data = b"".join(parts)
    heads = 0 if form == "jsonl" else 1
    ends = [len(b"".join(parts[:k])) for k in range(len(parts) + 1)]
    path = tmp_path / "t"
    rows = ROWS if form != "tsv" else [(g.strip(), a) for g, a in ROWS]
    accepted = 0
    for cut in range(len(data)):
        path.write_bytes(data[:cut])
        try:
            got = read_files(path)
        except InputError:
            continue
        accepted += 1
        whole = max(k for k, at in enumerate(ends) if at <= cut)
        expected = list(rows[: whole - heads])
        tail = data[ends[whole] : cut]
        if tail:
            expected.append(last_row(tail, form))
            assert [finding.code for finding in got.findings] == ["LIK103"]
            assert got.findings[0].severity == "warning"
            assert "may be cut off in the last row" in got.findings[0].message
        else:
            assert got.findings == ()
        gold, first = zip(*expected, strict=True)
        assert got.digest == from_labels(gold, first, systems=["a"]).digest
    assert accepted >= len(ROWS) - 1


def test_the_whole_file_has_no_finding(tmp_path):
    path = tmp_path / "t"
    path.write_bytes(b"".join(csv_rows("\n")))
    assert read_files(path).findings == ()


def test_every_file_that_is_cut_has_a_finding(tmp_path):
    for name in "gab":
        (tmp_path / name).write_bytes(b"id,gold\n1,x\n2,y" + b"\n" * (name == "a"))
    got = read_files([tmp_path / name for name in "gab"], id="id")
    assert len(got.findings) == 2
    assert f"{tmp_path / 'g'} does not end" in got.findings[0].message
