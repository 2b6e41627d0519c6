"""compare --each-class and chunks --each-class."""

import json
import re

import numpy as np
import pytest
from tests.cli.conftest import FEW, table
from tests.cli.hostile import HOSTILE, PLAIN, assert_lines, tags_of_page, together

import likelier as lk

EACH = ("compare", "c.csv", "--metric", "f1", "--each-class", *FEW)


def three_classes(names=("x", "y", "z"), n=90):
    rng = np.random.default_rng(0)
    gold = rng.integers(3, size=n)
    predictions = [
        np.where(rng.random(n) < p, gold, rng.integers(3, size=n)) for p in (0.5, 1)
    ]
    return [
        [names[code] for code in row] for row in zip(gold, *predictions, strict=True)
    ]


@pytest.fixture
def classes(folder):
    (folder / "c.csv").write_text(table(three_classes(), ("gold", "a", "b")))
    return EACH


def test_a_row_for_each_class_and_average(classes, call):
    ended = call(*classes, "--rope", "0.05")

    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("b against a on F1 of 3 classes: better in 3")
    for start in ("x ", "y ", "z ", "micro F1 ", "macro F1 ", "weighted F1 "):
        assert re.search(rf"^{start}.*≫ better", ended.out, re.M), start
    assert "sign test (accuracy)" in ended.out
    assert "over the classes: s-test p = 0.250" in ended.out
    assert "each class" in ended.out


def test_the_json_is_that_of_the_library(classes, call):
    result = json.loads(call(*classes, "--rope", "0.05", "--json", "-").out)
    columns = list(zip(*three_classes(), strict=True))
    expected = lk.compare_groups(
        *columns, systems=["a", "b"], rope=0.05, draws=1000, seed=0
    )

    assert result["kind"] == "groups"
    assert result["groups"] == json.loads(json.dumps(expected.to_dict()["groups"]))
    assert result["averages"] == expected.to_dict()["averages"]


def test_several_systems_and_metrics(folder, call):
    words = ("compare", "p.csv", "--systems", "a,b,c", "--metric", "f1,recall")
    result = json.loads(call(*words, "--each-class", *FEW, "--json", "-").out)

    assert len(result["group_comparisons"]) == 4
    assert {one["kind"] for one in result["group_comparisons"]} == {"groups"}
    ended = call(*words, "--each-class", *FEW)
    assert (ended.code, ended.err) == (0, "")


@pytest.mark.parametrize(
    "words",
    [
        ("--method", "unpaired"),
        ("--method", "hierarchical", "--rope", "0.05"),
        ("--prior", "objective", "--strength", "2"),
        ("--rule", "zhang", "--rope", "0.05"),
        ("--factor", "kde"),
    ],
)
def test_settings(classes, call, words):
    ended = call(*classes, *words)

    assert (ended.code, ended.err) == (0, "")


def test_sets_and_clusters(folder, call):
    words = ("--metric", "f1", "--each-class", *FEW)
    sets = call("compare", "m.csv", "--separator", ";", *words)
    assert (sets.code, sets.err) == (0, "")
    many = call("compare", "p.csv", "--systems", "a,b", "--cluster", "doc", *words)
    assert (many.code, many.err) == (0, "")
    assert "35 clusters" in many.out


def test_chunks(folder, call):
    text = "A B-P B-P O\nb I-P I-P O\nc B-L O B-L\n\n" * 20
    (folder / "t.conll").write_text(text)
    words = ("chunks", "t.conll", "--systems", "a,b", "--scheme", "iob2", *FEW)
    result = json.loads(call(*words, "--each-class", "--json", "-").out)

    assert [row["group"] for row in result["groups"]] == ["L", "P"]
    assert [row["verdict"]["name"] for row in result["groups"]] == ["better", "worse"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--positive", "x"), "--positive must come with one class"),
        (("--sensitivity",), "Only one of"),
        (("--metric", "accuracy"), "single class"),
        (("--metric", "macro_f1"), "single class"),
        (("--method", "mcnemar"), "mcnemar belongs to null_test"),
        (("--method", "hier"), "method must be one of"),
        (("--method", "hierarchical", "--factor", "point"), "point null"),
        (("--method", "hierarchical", "--prior", "nonsense"), "prior"),
        (("--method", "hierarchical", "--rule", "x"), "rule must be one of"),
        (("--systems", "a"), "two systems"),
        (("--rope", "1"), "narrower"),
        (("--fail-unless", "P(beter) > 0.9"), "condition must"),
        (("--fail-unless", "P(equivalent) > 0.9"), "rope"),
    ],
)
def test_what_is_refused(classes, refused, words, message):
    assert message in refused(*classes, *words)


def test_hierarchical_wants_classes(refused):
    words = ("compare", "p.csv", "--systems", "a,b", "--metric", "accuracy", *FEW)
    assert "to --each-class" in refused(*words, "--method", "hierarchical")


def test_one_class_is_refused(folder, refused):
    (folder / "c.csv").write_text(table([["x", "x", "x"]] * 9, ("gold", "a", "b")))
    assert "several classes" in refused(*EACH)


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ("P(better) > 0.9", 0),
        ("P(worse) > 0.9", 1),
        ("items >= 90 and difference.mean > 0", 0),
        ("items > 90", 1),
    ],
)
def test_conditions_hold_for_every_class(classes, call, condition, code):
    assert call(*classes, "--fail-unless", condition).code == code


def test_a_class_of_too_little_evidence(folder, call):
    rows = [*three_classes(), ["w", "w", "w"], ["w", "x", "w"]]
    (folder / "c.csv").write_text(table(rows, ("gold", "a", "b")))
    ended = call(*EACH, "--fail-unless", "P(better) > 0.99")

    assert ended.code == 3
    assert "(w)" in ended.err
    assert "(x)" not in ended.err


# --- outputs and hostile classes --------------------------------------------------


SOME = [*HOSTILE[:10], HOSTILE[12], "$x_1$", "=1+1", "a|b", "007", "NA", " "]


def hostile_file(folder, names):
    header = ("gold", f"s{names[0]}", f"s{names[1]}")
    rows = three_classes(names)
    lines = [dict(zip(header, row, strict=True)) for row in rows]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "h.jsonl").write_text(text)
    return ("compare", "h.jsonl", "--metric", "f1", "--each-class", *FEW)


def test_hostile_classes_in_text(folder, call):
    words = hostile_file(folder, PLAIN)
    forms = (("--rope", "0.05"), ("--markdown",))
    lengths = [len(call(*words, *form).out.splitlines()) for form in forms]
    # Several in a name, as each comparison takes its time.
    for names in together([" ¦ ".join(SOME[i::6]) for i in range(6)], 3):
        words = hostile_file(folder, names)
        files = (("--json", "o.json"), ())
        for form, length, file in zip(forms, lengths, files, strict=True):
            ended = call(*words, *form, *file)
            assert (ended.code, ended.err) == (0, "")
            assert_lines(ended.out, length)
        result = json.loads((folder / "o.json").read_text(encoding="utf-8"))
        assert {row["group"] for row in result["groups"]} == set(names)
        assert result["systems"] == [f"s{names[0]}", f"s{names[1]}"]
        latex = call(*words, "--latex").out
        rows = [line for line in latex.splitlines() if line.endswith(r" \\")]
        assert len(rows) == 1 + 3 + 3
        for row in rows:
            assert len(re.findall(r"(?<!\\)&", row)) == len(re.findall(" & ", rows[0]))


def test_hostile_classes_on_a_page_and_a_plot(folder, call):
    pages = []
    for names in (PLAIN, *together([*HOSTILE[1:4], "$x_1$ $\\frac{", "漢字"], 3)):
        words = hostile_file(folder, names)
        ended = call(*words, "--html", "o.html", "--plot", "o.svg")
        assert (ended.code, ended.err) == (0, "")
        pages.append(sorted(tags_of_page(folder / "o.html")))
        assert "<svg" in (folder / "o.svg").read_text(encoding="utf-8")
        assert pages[-1] == pages[0]
