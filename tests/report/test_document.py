"""JSON is finite, and files are written whole or not at all."""

import json
import os
import stat
from pathlib import Path

import pytest

from likelier.errors import InputError
from likelier.report.document import as_json, check_writable, write_whole


@pytest.fixture
def umask():
    before = os.umask(0o022)

    def set_to(mask):
        os.umask(mask)

    yield set_to
    os.umask(before)


def test_content_is_written_and_nothing_else(tmp_path):
    path = tmp_path / "out.bin"
    write_whole(path, b"\x00\xffwhole\r\n")
    assert path.read_bytes() == b"\x00\xffwhole\r\n"
    assert [p.name for p in tmp_path.iterdir()] == ["out.bin"]


def test_old_file_is_replaced(tmp_path):
    path = tmp_path / "out"
    path.write_bytes(b"a much longer old content")
    write_whole(path, b"new")
    assert path.read_bytes() == b"new"


def test_empty_content_makes_an_empty_file(tmp_path):
    write_whole(tmp_path / "out", b"")
    assert (tmp_path / "out").read_bytes() == b""


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002, 0o000])
def test_permissions_follow_the_umask(tmp_path, umask, mask):
    umask(mask)
    write_whole(tmp_path / "out", b"x")
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o666 & ~mask
    assert os.umask(mask) == mask  # and the umask is as it was


STEPS = {
    "replace": (Path, "replace"),
    "chmod": (Path, "chmod"),
    "fsync": (os, "fsync"),
}


@pytest.mark.parametrize("error", [OSError(28, "No space left"), KeyboardInterrupt()])
@pytest.mark.parametrize("step", STEPS)
def test_a_stop_in_between_leaves_the_old_file(tmp_path, monkeypatch, step, error):
    path = tmp_path / "out"
    path.write_bytes(b"old")

    def stop(*_, **__):
        raise error

    monkeypatch.setattr(*STEPS[step], stop)
    with pytest.raises((InputError, KeyboardInterrupt)) as caught:
        write_whole(path, b"new")
    if isinstance(error, OSError):
        assert str(caught.value) == f"{path} must be writable; No space left."
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_a_stop_in_between_leaves_no_new_file(tmp_path, monkeypatch):
    def stop(*_):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(Path, "replace", stop)
    with pytest.raises(InputError, match="Input/output error"):
        write_whole(tmp_path / "out", b"new")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["", "no/out", "file/out"])
def test_paths_that_cannot_be_written_are_refused(tmp_path, name):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(InputError, match="must be"):
        check_writable(tmp_path / name)
    with pytest.raises(InputError, match="must be"):
        write_whole(tmp_path / name, b"x")
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_devices_and_pipes_are_not_replaced_by_files(tmp_path):
    # As root, --json /dev/null would replace the device by a file.
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(InputError, match="pipe"):
        write_whole(pipe, b"x")
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_links_lead_to_the_file_that_is_written(tmp_path):
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_bytes(b"old")
    link.symlink_to(real)
    write_whole(link, b"new")
    assert link.is_symlink()
    assert real.read_bytes() == b"new"


def test_any_name_that_the_folder_allows_can_be_written(tmp_path):
    path = tmp_path / ("n" * 255)
    write_whole(path, b"x")
    assert path.read_bytes() == b"x"


def test_json_ends_in_a_line_and_may_be_ascii():
    document = {"x": ["≫"]}
    assert as_json(document) == '{\n  "x": [\n    "≫"\n  ]\n}\n'
    assert "\\u226b" in as_json(document, ascii_only=True)


@pytest.mark.parametrize(
    "text", ["\x9b31m", "\u202ertl", "\u2066", "\x85", "\U000e0001"]
)
def test_json_escapes_what_commands_a_terminal(text):
    document = {"x": [f"a{text}\n≫", 1], text: None}
    written = as_json(document)
    assert json.loads(written) == document
    assert all(line.isprintable() for line in written.split("\n"))
    assert "≫" in written


def test_json_refuses_numbers_that_are_not_finite():
    with pytest.raises(ValueError, match="not JSON compliant"):
        as_json({"x": float("nan")})
