"""The guiding pages: nothing is left out of them, and what they promise exists."""

import re
from functools import partial

import numpy as np
import pytest
from tests.pages import ROOT, check_parses
from tests.readers.logs.made import write_log

import likelier as lk
from likelier.decision import NAMES, RULES

DOCS = ROOT / "docs"
WORDS = [
    "item",
    "system",
    "statistic",
    "pattern",
    "count",
    "outcomes",
    "unit",
    "group",
    "settings",
    "metric",
    "law",
    "method",
    "difference",
    "rope",
    "verdict",
    "finding",
    "recipe",
    "scores",
    "design",
    "study",
    "baseline",
    "candidate",
]
# Made by the build, so it need not lie there.
GENERATED = {"cli/index"}


def text_of(name):
    return (DOCS / name).read_text(encoding="utf-8")


def entries():
    """Return the glossary as word -> explanation."""
    parts = re.split(r"^## (.*)\n", text_of("glossary.md"), flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], (part.strip() for part in parts[1::2]), strict=True))


def listed_in(page):
    """Return what the toctrees of a page list."""
    trees = re.findall(r"```\{toctree\}\n(.*?)```", page, flags=re.DOTALL)
    lines = [line.strip() for tree in trees for line in tree.splitlines()]
    return [line for line in lines if line and not line.startswith(":")]


def calls():
    """Return the rows of the table: what one has, the command, the call in Python."""
    pattern = r"^\| (.*) \| `(likelier .*)` \| `(lk\..*)` \|$"
    return re.findall(pattern, text_of("choosing.md"), flags=re.MULTILINE)


@pytest.mark.parametrize("word", WORDS)
def test_every_word_of_the_design_is_in_the_glossary(word):
    assert word in entries()


def test_the_glossary_is_in_order_and_explains_every_word_briefly():
    explanations = entries()
    words = list(explanations)
    assert words == sorted(words, key=str.casefold)
    assert len(words) == len(set(map(str.casefold, words)))
    brief = {word: text for word, text in explanations.items() if word != "verdict"}
    sizes = {word: len(text.split()) for word, text in brief.items()}
    assert {word: n for word, n in sizes.items() if not 8 <= n <= 60} == {}


def test_the_glossary_has_the_symbols_of_the_verdicts():
    rows = re.findall(r"^\| (\S) \| ([^|]*) \|", entries()["verdict"], re.MULTILINE)
    assert dict(rows) == NAMES


@pytest.mark.parametrize("page", ["glossary.md", "choosing.md"])
def test_every_rule_of_verdicts_is_named(page):
    assert [rule for rule in RULES if f"`{rule}`" not in text_of(page)] == []


def test_every_how_to_is_in_its_index_once():
    pages = {path.stem for path in (DOCS / "how-to").glob("*.md")} - {"index"}
    listed = listed_in(text_of("how-to/index.md"))
    assert sorted(listed) == sorted(pages)


@pytest.mark.parametrize(
    "path", sorted((DOCS / "how-to").glob("*.md")), ids=lambda path: path.stem
)
def test_a_how_to_runs_something_and_leads_on(path):
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# ")
    if path.stem != "index":
        assert re.search(r"^```(python|console)$", text, flags=re.MULTILINE)
        assert re.search(r"\]\([\w./-]+\.md\)", text)


def test_the_front_page_lists_every_page_once():
    listed = listed_in(text_of("index.md"))
    assert len(listed) == len(set(listed))
    pages = {path.stem for path in DOCS.glob("*.md")} - {"index"}
    folders = {f"{path.parent.name}/index" for path in DOCS.glob("*/index.md")}
    assert pages | folders | GENERATED == set(listed)


def test_the_table_leads_to_every_method_page():
    pages = {path.name for path in (DOCS / "methods").glob("*.md")} - {"index.md"}
    rows = "\n".join(what for what, _, _ in calls())
    linked = re.findall(r"\(methods/([\w-]+\.md)\)", rows)
    assert pages
    assert sorted(linked) == sorted(pages)


def test_the_advice_begins_with_the_doctor_and_fits_on_a_screen():
    text = text_of("choosing.md")
    assert text.index("likelier doctor ") < text.index("| what you have |")
    assert 15 < len(calls()) <= 25


@pytest.fixture(scope="module")
def names():
    """Return what the calls of the table speak of."""
    rng = np.random.default_rng(0)
    gold = ["spam", "ham"] * 60
    first, second = (list(rng.choice(["spam", "ham"], 120)) for _ in range(2))
    a, b = rng.random((2, 5))
    counts = {"tp": [[140, 210]], "fp": [[30, 30]], "fn": [[42, 45]]}
    return {
        "lk": lk,
        "gold": gold,
        "first": first,
        "second": second,
        "third": gold,
        "document": [number // 4 for number in range(120)],
        "scores_a": list(rng.random(120)),
        "scores_b": list(rng.random(120)),
        "a": a,
        "b": b,
        "rows_a": rng.random((3, 5)),
        "rows_b": rng.random((3, 5)),
        "rows_c": rng.random((3, 5)),
        "names": list("vwxyz"),
        "counted": lk.Outcomes.from_statistics(counts),
    }


@pytest.mark.parametrize("row", calls(), ids=lambda row: row[1].partition(" ")[2])
def test_the_calls_of_the_table_can_be_made(row, names, monkeypatch, tmp_path):
    # Few simulated experiments: it is the call that counts here.
    monkeypatch.setitem(vars(lk), "plan", partial(lk.plan, replications=20, draws=100))
    for system in ("a", "b"):
        write_log(tmp_path / "runs" / system, {str(i): i % 3 for i in range(30)})
    monkeypatch.chdir(tmp_path)
    _, command, call = row
    assert eval(call, names) is not None
    check_parses(command)
