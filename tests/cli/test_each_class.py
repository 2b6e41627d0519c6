"""compare --each-class and chunks --each-class."""

import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from tests.cli.conftest import FEW, table
from tests.cli.test_hostile_names import HOSTILE, assert_lines

import likelier as lk

EACH = ("compare", "c.csv", "--metric", "f1", "--each-class", *FEW)


def three_classes(names=("x", "y", "z"), n=90):
    rng = np.random.default_rng(0)
    gold = rng.integers(3, size=n)
    said = [
        np.where(rng.random(n) < p, gold, rng.integers(3, size=n)) for p in (0.5, 1)
    ]
    return [[names[code] for code in row] for row in zip(gold, *said, strict=True)]


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
    found = json.loads(call(*classes, "--rope", "0.05", "--json", "-").out)
    columns = list(zip(*three_classes(), strict=True))
    wanted = lk.compare_groups(
        *columns, systems=["a", "b"], rope=0.05, draws=500, seed=0
    )

    assert found["kind"] == "groups"
    assert found["groups"] == json.loads(json.dumps(wanted.to_dict()["groups"]))
    assert found["averages"] == wanted.to_dict()["averages"]


def test_several_systems_and_metrics(folder, call):
    words = ("compare", "p.csv", "--systems", "a,b,c", "--metric", "f1,recall")
    found = json.loads(call(*words, "--each-class", *FEW, "--json", "-").out)

    assert len(found["group_comparisons"]) == 4
    assert {one["kind"] for one in found["group_comparisons"]} == {"groups"}
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
    found = json.loads(call(*words, "--each-class", "--json", "-").out)

    assert [row["group"] for row in found["groups"]] == ["L", "P"]
    assert [row["verdict"]["name"] for row in found["groups"]] == ["better", "worse"]


@pytest.mark.parametrize(
    ("words", "said"),
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
def test_what_is_refused(classes, refused, words, said):
    assert said in refused(*classes, *words)


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


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags = []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, tuple(name for name, _ in attrs)))


SOME = [*HOSTILE[:10], HOSTILE[12], "$x_1$", "=1+1", "a|b", "007", "NA", " "]


def hostile_file(folder, name):
    rows = three_classes((name, "y", f"2{name}"))
    lines = [dict(zip(("gold", f"s{name}", "b"), row, strict=True)) for row in rows]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "h.jsonl").write_text(text)
    return ("compare", "h.jsonl", "--metric", "f1", "--each-class", *FEW)


@pytest.mark.parametrize("name", SOME, ids=lambda name: ascii(name)[1:20])
def test_hostile_classes_in_text(folder, call, name):
    for form in (("--rope", "0.05"), ("--markdown",)):
        ended = call(*hostile_file(folder, "plain"), *form)
        length = len(ended.out.splitlines())
        ended = call(*hostile_file(folder, name), *form)
        assert (ended.code, ended.err) == (0, "")
        assert_lines(ended.out, length)
    words = hostile_file(folder, name)
    latex = call(*words, "--latex").out
    rows = [line for line in latex.splitlines() if line.endswith(r" \\")]
    assert len(rows) == 1 + 3 + 3
    for row in rows:
        assert len(re.findall(r"(?<!\\)&", row)) == len(re.findall(" & ", rows[0]))
    result = json.loads(call(*words, "--json", "-").out)
    assert {row["group"] for row in result["groups"]} == {name, "y", f"2{name}"}
    assert result["systems"] == [f"s{name}", "b"]


@pytest.mark.parametrize("name", [*HOSTILE[1:4], "$x_1$ $\\frac{", "漢字"])
def test_hostile_classes_on_a_page_and_a_plot(folder, call, name):
    pages = []
    for one in ("plain", name):
        words = hostile_file(folder, one)
        ended = call(*words, "--html", "o.html", "--plot", "o.svg")
        assert (ended.code, ended.err) == (0, "")
        page = (folder / "o.html").read_text(encoding="utf-8")
        assert not re.search(r"https?:", page)
        parser = Tags()
        parser.feed(page)
        pages.append(sorted(parser.tags))
        assert "<svg" in (folder / "o.svg").read_text(encoding="utf-8")

    assert pages[0] == pages[1]
