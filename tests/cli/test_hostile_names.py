"""Hostile names and labels from files, through every kind of output."""

import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser

import pytest
from tests.cli.conftest import FEW, items

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "{{7*7}} {% raw %}",
    "\x1b[31mred\x1b]0;t\x07",
    "a\nb\r\nc\td",
    "nul\x00",
    "\u202ertl\u200b\ufeff",
    "a|b\\|c",
    "100 % & _ # ~ ^ {",
    "$x^2$ $\\frac{",
    "x" * 3000,
    "\U0001f600e\u0301",
    "[bold]rich[/bold] :smile:",
    "it's; DROP TABLE t; --",
    ' "quoted", blanks ',
]


@pytest.fixture(params=HOSTILE, ids=[ascii(name)[1:20] for name in HOSTILE])
def hostile(request, folder):
    """Write a table in which a system and a label have a hostile name."""
    return hostile_table(folder, request.param)


def hostile_table(folder, name):
    label = {"spam": f"label {name}", "ham": "ham"}
    lines = [
        {"gold": label[gold], name: label[a], "b": label[b]}
        for _, gold, a, b, *_ in items()
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "h.jsonl").write_text(text)
    words = ("compare", "h.jsonl", "--metric", "f1", "--positive", f"label {name}")
    return name, (*words, "--rope", "0.01", *FEW)


def assert_lines(text, n):
    lines = text.removesuffix("\n").split("\n")
    assert len(lines) == n
    for line in lines:
        assert line.isprintable(), ascii(line)


def test_terminal(hostile, call):
    _, words = hostile
    ended = call(*words)
    assert (ended.code, ended.err) == (0, "")
    assert_lines(ended.out, 4)
    ended = call(*words, "--metric", "f1,recall")
    assert (ended.code, ended.err) == (0, "")
    assert_lines(ended.out, 5)


def test_json_keeps_names_and_labels(hostile, call):
    name, words = hostile
    result = json.loads(call(*words, "--json", "-").out)
    assert result["systems"] == [name, "b"]
    assert result["positive"] == f"label {name}"
    assert result["estimates"][0]["system"] == name


def test_markdown_and_latex_keep_their_lines(hostile, call, folder):
    name, words = hostile
    assert_lines(call(*words, "--markdown").out, 9)
    _, plain = hostile_table(folder, "plain")
    length = len(call(*plain, "--latex").out.splitlines())
    _, words = hostile_table(folder, name)
    assert_lines(call(*words, "--latex").out, length)


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags = []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, tuple(name for name, _ in attrs)))


PICTURED = [
    '"><img src=x onerror=alert(1)>',
    "{{7*7}} {% raw %}",
    "$x^2$ $\\frac{",
    "\x1b[31mred\nline\x00",
    "x" * 200,
    "漢字",
]


def tags_of_page(path):
    """Give all tags of a page, with the names of their attributes."""
    parser = Tags()
    parser.feed(path.read_text(encoding="utf-8"))
    return parser.tags


@pytest.mark.parametrize("name", PICTURED, ids=lambda name: ascii(name)[1:20])
def test_page_and_plot(name, call, folder):
    pages = []
    for one in ("a", name):
        _, words = hostile_table(folder, one)
        ended = call(*words, "--html", "o.html", "--plot", "o.svg")
        assert (ended.code, ended.err) == (0, "")
        pages.append(tags_of_page(folder / "o.html"))
    assert pages[0] == pages[1]
    assert not re.search(r"https?:", (folder / "o.html").read_text(encoding="utf-8"))
    assert "<svg" in (folder / "o.svg").read_text(encoding="utf-8")


def test_terminal_of_a_real_process(folder):
    name = "\x1b[31mred\u202e\nline"
    lines = [{"gold": g, name: a, "b": a} for _, g, a, *_ in items(40)]
    (folder / "h.jsonl").write_text("".join(json.dumps(x) + "\n" for x in lines))
    code = "import sys; from likelier.cli import main; sys.exit(main())"
    words = ("compare", "h.jsonl", "--metric", "accuracy", *FEW)
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        capture_output=True,
        encoding="utf-8",
        check=False,
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    # Identical systems: the finding names them too, and more items would not help.
    assert "LIK106" in done.stdout
    assert_lines(done.stdout, 6)
