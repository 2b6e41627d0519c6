"""A file is recognised by the reader of its tool, and by no other."""

import importlib
import json

import pytest
from tests.readers.logs.reading import DATA

from likelier.readers.file import find_file
from likelier.readers.logs.json_keys import key_paths

NAMES = [
    "deepeval",
    "evalplus",
    "every_eval_ever",
    "lighteval",
    "lm_eval",
    "openai_evals",
    "swe_bench",
]
FORMATS = {
    name: importlib.import_module(f"likelier.readers.logs.{name}").FORMAT
    for name in NAMES
}
PATHS = sorted(
    path
    for name in NAMES
    for path in (DATA / name).rglob("*.json*")
    # Those of lighteval are rows of a table; those beside samples describe the run.
    if name != "lighteval"
    and (name, path.suffix) != ("every_eval_ever", ".json")
    and not path.name.startswith("results_")
)


def sniffed(path):
    return [n for n, f in FORMATS.items() if f.sniff(find_file(path))]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name)
def test_each_log_has_one_reader(path):
    assert sniffed(path) == [path.relative_to(DATA).parts[0]]


@pytest.mark.parametrize("path", [p for p in PATHS if p.suffix == ".json"])
def test_spaces_and_order_of_keys_do_not_matter(path, tmp_path):
    content = json.loads(path.read_text())
    name = [path.relative_to(DATA).parts[0]]
    turned = turn(content)
    for settings in ({"indent": 4}, {"separators": (",", ":")}, {"sort_keys": True}):
        other = tmp_path / "other.json"
        other.write_text(json.dumps(turned, **settings))
        assert sniffed(other) == name


def turn(value):
    """Return a value with the keys of all objects in reverse."""
    if isinstance(value, dict):
        return {key: turn(value[key]) for key in reversed(value)}
    return [turn(part) for part in value] if isinstance(value, list) else value


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "[]",
        '{"eval": {"a": 1}}',
        '{"testCases": []}',
        '{"spec": 1, "eval_name": "x", "run_id": "y"}',
        '{"text": "{\\"resolved_ids\\": [], \\"submitted_ids\\": []}"}',
        '{"doc_id": 1, "resolved_ids": []}',
        "id,score\n1,2\n",
        "{ resolved_ids submitted_ids",
    ],
)
def test_other_files_have_none(text, tmp_path):
    path = tmp_path / "a.json"
    path.write_text(text)
    assert sniffed(path) == []


def test_keys_within_texts_are_no_keys():
    assert key_paths(b'{"a": "\\"b\\": {\\"c\\": 1}", "d": [[{"e": 1}]], "f') == {
        "a",
        "d",
        "d.e",
    }
    assert key_paths(b'{"a": "cut \\"b\\": ') == {"a"}
