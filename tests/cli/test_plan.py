"""likelier plan: what n items would show, from cells, accuracies or a pilot."""

import json
import re

import pytest
from tests.cli.conftest import items, table
from tests.cli.hostile import HOSTILE, PLAIN, assert_lines, tags_of_page

FEW = ("--replications", "40", "--draws", "40", "--seed", "0", "--sizes", "50,200")
QUICK = ("--replications", "12", "--draws", "20", "--seed", "0", "--sizes", "50")
ASSUMED = ("--accuracies", "0.7,0.85", "--agreement", "0.8")
PLAN = ("plan", *ASSUMED, *FEW)
CELLS = [
    {"gold": "y", "old": "y", "new": "y", "share": 0.5},
    {"gold": "y", "old": "n", "new": "y", "share": 0.2},
    {"gold": "n", "old": "n", "new": "n", "share": 0.25},
    {"gold": "n", "old": "n", "new": "y", "share": 0.05},
]


@pytest.fixture
def cells(folder):
    (folder / "cells.json").write_text(json.dumps({"cells": CELLS}))
    return ("plan", "--assume", "cells.json", "--metric", "f1", "--positive", "y", *FEW)


@pytest.fixture
def pilot(folder):
    return ("plan", "p.csv", "--systems", "a,b", "--metric", "accuracy", *FEW)


def document(call, *words):
    ended = call(*words, "--json", "-")
    assert (ended.code, ended.err) == (0, "")
    return json.loads(ended.out)


# --- what it tells ----------------------------------------------------------------


def test_the_answer_comes_first(folder, call):
    ended = call(*PLAN)

    assert (ended.code, ended.err) == (0, "")
    assert re.match(r"about [\d,]+ items \(± \d+\) give the verdict better", ended.out)
    assert re.search(r"^items +better", ended.out, re.M)
    assert re.search(r"^200 ", ended.out, re.M)
    assert "200 items would show a true difference of +0." in ended.out
    assert "recipe: likelier" in ended.out


def test_the_json_has_its_keys(folder, call):
    result = document(call, *PLAN, "--rope", "0.02")

    assert result["kind"] == "plan"
    assert result["metric"] == "accuracy"
    assert result["rope"] == [-0.02, 0.02]
    assert result["assumed"]["difference"] == pytest.approx(0.15)
    assert [row["size"] for row in result["chances"]] == [50, 200]
    assert result["needed"]["goal"] == "better"
    assert result["smallest"][0]["size"] == 200
    assert result["missing"] == []
    for row in result["chances"]:
        assert sum(row["chance"].values()) == pytest.approx(1)


def test_cells_are_named_by_their_systems(cells, call):
    result = document(call, *cells)

    assert result["systems"] == ["old", "new"]
    assert result["positive"] == "y"
    expected = 2 * 0.7 / (0.7 + 0.75) - 2 * 0.5 / (0.7 + 0.5)
    assert result["assumed"]["difference"] == pytest.approx(expected)


def test_a_bare_list_of_cells_will_do(cells, folder, call):
    expected = document(call, *cells)
    (folder / "cells.json").write_text(json.dumps(CELLS))

    assert document(call, *cells) == expected


def test_a_pilot_as_evidence_and_as_truth(pilot, call):
    evidence, truth = document(call, *pilot), document(call, *pilot, "--as-truth")

    assert evidence["assumed"]["source"] == "pilot of 120 items as evidence"
    assert truth["assumed"]["source"] == "pilot of 120 items taken as the truth"
    assert evidence["assumed"]["difference"] == truth["assumed"]["difference"]
    assert evidence["chances"] != truth["chances"]


def test_a_pilot_of_several_files(folder, call, pilot):
    files = ("gold.jsonl", "a.jsonl", "b.jsonl", "--id", "id", "--label", "label")
    result = document(call, "plan", *files, "--metric", "accuracy", *FEW)

    assert result["chances"] == document(call, *pilot)["chances"]


@pytest.mark.parametrize(
    "words",
    [
        ("s.csv", "--metric", "mean", "--systems", "a,b"),
        ("m.csv", "--metric", "macro_f1", "--separator", ";"),
        ("m.csv", "--metric", "f1", "--positive", "x", "--separator", ";"),
        ("p.csv", "--metric", "accuracy", "--systems", "a,b", "--cluster", "doc"),
    ],
)
def test_pilots_of_all_kinds(folder, call, words):
    result = document(call, "plan", *words, *FEW)

    assert result["kind"] == "plan"
    clustered = "--cluster" in words
    assert result["unit"] == ("clusters" if clustered else "items")
    assert ("35 clusters" in result["assumed"]["source"]) == clustered


def test_the_same_seed_gives_the_same_bytes(folder, call):
    assert call(*PLAN, "--json", "-") == call(*PLAN, "--json", "-")


@pytest.mark.parametrize(
    "words",
    [
        ("--goal", "worse"),
        ("--rope", "0.2"),
        ("--goal", "equivalent", "--rope", "0.01"),
    ],
)
def test_goals_out_of_reach_are_named(folder, call, words):
    ended = call(*PLAN, *words)
    assert (ended.code, ended.err) == (0, "")
    assert "No number of items" in ended.out
    result = document(call, *PLAN, *words)
    assert result["needed"] is None
    assert result["missing"][0].startswith("No number of items")


@pytest.mark.parametrize("rule", ["hdi-rope", "zhang", "regions", "bayes-test"])
@pytest.mark.parametrize("options", [(), ("--method", "unpaired", "--items", "other")])
def test_rules_and_methods(folder, call, rule, options):
    words = ("plan", *ASSUMED, *QUICK, "--rope", "0.05", "--rule", rule)
    result = document(call, *words, *options)

    assert result["rule"] == rule
    assert result["assumed"]["items"] == ("other" if options else "same")


# --- outputs ----------------------------------------------------------------------


def test_outputs(folder, call):
    ended = call(*PLAN, "--json", "o.json", "--html", "o.html", "--plot", "o.svg")

    assert (ended.code, ended.err) == (0, "")
    assert json.loads((folder / "o.json").read_text())["kind"] == "plan"
    assert "<svg" in (folder / "o.svg").read_text()
    assert "about" in (folder / "o.html").read_text()
    plan = ("plan", *ASSUMED, *QUICK)
    markdown = call(*plan, "--markdown").out
    assert re.search(r"^\| items \| better \|", markdown, re.M)
    latex = call(*plan, "--latex").out
    assert latex.startswith("% about ")
    assert "\n% likelier " in latex
    assert re.search(r"\\begin\{tabular\}\{@\{\}r{2,3}@\{\}\}", latex)


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ("needed.items < 5000", 0),
        ("needed.items < 5", 1),
        ("needed.items < 5000 and needed.chance >= 0.8", 0),
        ("assumed.difference > 0.1", 0),
    ],
)
def test_conditions(folder, call, condition, code):
    assert call(*PLAN, "--fail-unless", condition).code == code


def test_a_condition_on_items_that_no_number_meets_does_not_hold(folder, call):
    words = (*PLAN, "--goal", "worse", "--fail-unless", "needed.items < 5000")
    assert call(*words).code == 1


@pytest.mark.parametrize("condition", ["P(better) > 0.9", "needed > 1", "chances > 1"])
def test_conditions_on_what_a_plan_does_not_have(folder, refused, condition):
    message = refused(*PLAN, "--fail-unless", condition)

    assert "condition must" in message
    assert "Names are ." not in message


# --- bad words --------------------------------------------------------------------

BAD = [
    ((), "exactly one of"),
    (("--metric", "accuracy"), "exactly one of"),
    (("cells.json", "--metric", "f1"), "--assume cells.json"),
    (("p.csv", *ASSUMED), "exactly one of"),
    (("p.csv", "--assume", "cells.json", "--metric", "f1"), "exactly one of"),
    (("--accuracies", "0.8,0.9"), "agreement"),
    (("--accuracies", "0.8", "--agreement", "0.9"), "two numbers"),
    (("--accuracies", "0.8,0.9,1", "--agreement", "0.9"), "two numbers"),
    (("--accuracies", "a,b", "--agreement", "0.9"), "two numbers"),
    (("--accuracies", "nan,0.9", "--agreement", "0.9"), "between 0 and 1"),
    (("--accuracies", "0.8,0.9", "--agreement", "0.95"), "between 0.7 and 0.9"),
    (("p.csv", "--metric", "f1", "--agreement", "0.9"), "agreement must come"),
    (("p.csv", "--systems", "a,b"), "metric must name"),
    (
        ("p.csv", "--systems", "a,b", "--metric", "f1,accuracy"),
        "a single one here; got 2",
    ),
    (("p.csv", "--systems", "a", "--metric", "accuracy"), "two systems"),
    (("none.csv", "--metric", "accuracy"), "none.csv"),
    ((*ASSUMED, "--sizes", "10,x"), "sizes must be whole"),
    ((*ASSUMED, "--sizes", ""), "sizes must be whole"),
    ((*ASSUMED, "--sizes", "0"), "sizes must be whole"),
    ((*ASSUMED, "--sizes", "-5"), "sizes must be whole"),
    ((*ASSUMED, "--sizes", "1.5"), "sizes must be whole"),
    ((*ASSUMED, "--sizes", "9" * 40), "sizes must be whole"),
    ((*ASSUMED, "--chance", "0"), "chance must"),
    ((*ASSUMED, "--chance", "1"), "chance must"),
    ((*ASSUMED, "--chance", "nan"), "chance must"),
    ((*ASSUMED, "--goal", "bettr"), "goal must be one of"),
    ((*ASSUMED, "--goal", "equivalent"), "rope"),
    ((*ASSUMED, "--method", "mcnemar"), "null_test"),
    ((*ASSUMED, "--method", "hierarchical"), "hierarchical"),
    ((*ASSUMED, "--items", "others"), "items must be one of"),
    ((*ASSUMED, "--items", "other"), "same items"),
    ((*ASSUMED, "--rule", "x"), "rule must be one of"),
    ((*ASSUMED, "--rope", "x"), "rope must be"),
    ((*ASSUMED, "--rope", "1"), "narrower"),
    ((*ASSUMED, "--mass", "1"), "mass must"),
    ((*ASSUMED, "--metric", "f1"), "must be accuracy"),
    ((*ASSUMED, "--metric", "mean"), "statistics"),
    ((*ASSUMED, "--replications", "0"), "replications must"),
    ((*ASSUMED, "--draws", "0"), "draws must"),
    ((*ASSUMED, "--seed", "-1"), "seed must"),
    ((*ASSUMED, "--as-truth"), "--as-truth must come with a pilot"),
    ((*ASSUMED, "--systems", "a,b"), "--systems must come with a pilot"),
    ((*ASSUMED, "--cluster", "doc"), "--cluster must come with a pilot"),
    (("--assume", "x.json", "--metric", "f1", "--sets"), "--sets must come with"),
    ((*ASSUMED, "--plot", "o.txt"), "plot must end"),
]


@pytest.mark.parametrize(("words", "message"), BAD, ids=lambda x: " ".join(x)[-40:])
def test_bad_words(refused, words, message):
    quick = ["--replications", "30", "--draws", "20", "--sizes", "20"]
    pairs = zip(quick[::2], quick[1::2], strict=True)
    added = [w for pair in pairs if pair[0] not in words for w in pair]

    assert message in refused("plan", *words, *added)


def cell(**changes):
    return {"gold": "a", "x": "a", "y": "a", "share": 1.0} | changes


FILES = {
    "empty": ("", "must hold JSON"),
    "no JSON": ("cells: 1", "must hold JSON"),
    "half": ('{"cells": [', "must hold JSON"),
    "deep": ("[" * 100_000, "must hold JSON"),
    "bytes": (b"\xff\xfe\x00", "must hold JSON"),
    "number": ("7", "list of cells"),
    "null": ("null", "list of cells"),
    "empty list": ("[]", "list of cells"),
    "empty cells": ('{"cells": []}', "list of cells"),
    "cells no list": ('{"cells": {"a": 1}}', "list of cells"),
    "other key": ('{"shares": []}', "list of cells"),
    "row no object": ("[1]", "gold, two systems and share"),
    "one system": ([{"gold": "a", "x": "a", "share": 1}], "two systems"),
    "three systems": ([cell(z="a")], "two systems"),
    "other keys later": ([cell(share=0.5), {"gold": "a"}], "cell 2 does not"),
    "no gold": ([{"x": "a", "y": "a", "share": 1}], "cell 1 does not"),
    "no share": ([{"gold": "a", "x": "a", "y": "a"}], "cell 1 does not"),
    "double cell": ([cell(share=0.5), cell(share=0.5)], "cell 2 comes again"),
    "double key": (
        '[{"gold": "a", "gold": "b", "x": "a", "y": "a", "share": 1}]',
        "gold",
    ),
    "number as label": ([cell(gold=1)], "labels as text; cell 1"),
    "null as label": ([cell(x=None)], "labels as text; cell 1"),
    "share as text": ([cell(share="1")], "between 0 and 1"),
    "share as truth": ([cell(share=True)], "between 0 and 1"),
    "share missing": ([cell(share=None)], "between 0 and 1"),
    "not a number": (
        '[{"gold": "a", "x": "a", "y": "a", "share": NaN}]',
        "",
    ),
    "too large": ('[{"gold": "a", "x": "a", "y": "a", "share": 1e400}]', ""),
    "negative": ([cell(share=-1)], "between 0 and 1"),
    "sum": ([cell(share=0.4)], "add up to 1; got 0.4"),
}


@pytest.mark.parametrize("name", FILES)
def test_bad_files_of_cells(refused, folder, name):
    content, message = FILES[name]
    if isinstance(content, list):
        content = json.dumps(content)
    if isinstance(content, str):
        content = content.encode()
    (folder / "bad.json").write_bytes(content)

    words = ("plan", "--assume", "bad.json", "--metric", "accuracy", *FEW)
    text = refused(*words)
    assert message in text
    assert "bad.json" in text


@pytest.mark.parametrize("name", ["none.json", "."])
def test_files_of_cells_that_cannot_be_read(refused, name):
    message = refused("plan", "--assume", name, "--metric", "accuracy", *FEW)

    assert f"{name} must be a file; " in message


def test_the_input_is_not_overwritten(refused, cells):
    assert "input" in refused(*cells, "--json", "cells.json")


# --- hostile names ----------------------------------------------------------------

SOME = [*HOSTILE[:1], *HOSTILE[2:8], *HOSTILE[9:11], "$x_1$ =1+1 <b>&amp; 100 %"]
# Several in a name, as each plan takes its time; others begin the second pair.
PAIRS = [[" ¦ ".join(SOME[i::4]) for i in pair] for pair in ((0, 1), (2, 3))]


def hostile_cells(folder, first, second):
    label, other = f"label {first}", f"label {second}"
    rows = [
        {"gold": label, first: label, second: label, "share": 0.4},
        {"gold": label, first: other, second: label, "share": 0.2},
        {"gold": other, first: other, second: other, "share": 0.4},
    ]
    (folder / "h.json").write_text(json.dumps(rows))
    words = ("plan", "--assume", "h.json", "--metric", "f1", "--positive", label)
    return (*words, *QUICK)


def test_hostile_names_on_the_terminal_and_in_text(folder, call):
    forms = ((), ("--markdown",), ("--latex",))
    words = hostile_cells(folder, *PLAIN[:2])
    lengths = [len(call(*words, *form).out.splitlines()) for form in forms]
    for names in PAIRS:
        words = hostile_cells(folder, *names)
        for form, length in zip(forms, lengths, strict=True):
            ended = call(*words, *form, "--json", "o.json")
            assert (ended.code, ended.err) == (0, "")
            assert_lines(ended.out, length)
        result = json.loads((folder / "o.json").read_text(encoding="utf-8"))
        assert result["systems"] == names
        assert result["positive"] == f"label {names[0]}"


def test_hostile_names_on_a_page(folder, call):
    pages = []
    for names in (PLAIN[:2], ['"><img src=x onerror=alert(1)>', "$x_1$ $\\frac{"]):
        words = hostile_cells(folder, *names)
        ended = call(*words, "--html", "o.html", "--plot", "o.png")
        assert (ended.code, ended.err) == (0, "")
        pages.append(tags_of_page(folder / "o.html"))
    assert pages[0] == pages[1]


def test_hostile_pilot_columns(folder, call):
    name = "\x1b[31m$x_1$|\n"
    rows = [row[1:4] for row in items()]
    (folder / "h.csv").write_text(table(rows, ("gold", name, "b")))
    ended = call("plan", "h.csv", "--metric", "accuracy", *FEW)

    assert (ended.code, ended.err) == (0, "")
    assert all(line.isprintable() for line in ended.out.splitlines())
