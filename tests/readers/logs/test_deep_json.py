"""JSON nested thousands of times, anywhere in a log: refused, or passed over."""

import json
from shutil import copytree

import pytest
from tests.readers.logs.reading import DATA

import likelier as lk
from likelier.errors import InputError
from likelier.readers.logs.json_keys import key_paths

# Deeper than any engine follows.
DEPTH = 5_000
DEEP = {"lists": "[" * DEPTH + "]" * DEPTH}
DEEP["objects"] = '{"a":' * DEPTH + "1" + "}" * DEPTH
FOLDERS = sorted(path.name for path in DATA.iterdir() if path.name != "lighteval")


def keys(value, path=()):
    """Yield the ways to all values of objects; of a list, to those in its first."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield (*path, name)
            yield from keys(inner, (*path, name))
    elif isinstance(value, list) and value:
        yield from keys(value[0], (*path, 0))


def replaced(value, way):
    """Return a copy with one value replaced."""
    if not way:
        return "DEEP"
    copy = list(value) if isinstance(value, list) else dict(value)
    copy[way[0]] = replaced(value[way[0]], way[1:])
    return copy


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_tool(folder, tmp_path):
    paths = [p for p in sorted((DATA / folder).rglob("*.json*")) if p.is_file()]
    path = min(paths, key=lambda p: ("samples" not in p.name, p.stat().st_size))
    copytree(path.parent, tmp_path / "log")
    copied = tmp_path / "log" / path.name
    lines = path.read_text().splitlines() if path.suffix == ".jsonl" else []
    record = json.loads(lines[-1] if lines else path.read_text())
    ways, refused = list(keys(record)), 0
    for number, way in enumerate(ways[:: len(ways) // 12 + 1]):
        deep = list(DEEP.values())[number % 2]
        text = json.dumps(replaced(record, way)).replace('"DEEP"', deep)
        copied.write_text("\n".join([*lines[:-1], text]) + "\n")
        try:
            lk.read(copied)
        except InputError:
            refused += 1
    assert refused


@pytest.mark.parametrize("kind", DEEP)
def test_keys_are_those_that_are_not_deep(kind):
    text = f'{{"a": {{"b": 1}}, "c": {DEEP[kind]}, "d": 2}}'.encode()
    assert {"a", "a.b", "c", "d"} <= key_paths(text)
