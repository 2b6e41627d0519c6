"""compare --sensitivity."""

import json
import re

import numpy as np
import pytest
from tests.cli.conftest import FEW, table
from tests.cli.hostile import HOSTILE, PLAIN, assert_lines, together
from tests.cli.test_hostile_names import hostile_table


@pytest.fixture
def varied(spam):
    return lambda *words: spam("--sensitivity", *words)


def test_a_row_for_each_prior(varied):
    ended = varied("--rope", "0.01", "--factor", "rope")

    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith(
        "b is better than a on F1 (spam); the verdict is better"
    )
    assert "the factor under the prior uniform goes from" in ended.out
    for strength in ("0.1", "0.2", "0.5", "1", "2", "5", "10"):
        assert re.search(rf"^{strength} +\+0\.", ended.out, re.M), strength


def test_without_a_factor_nothing_is_said_of_one(varied):
    out = varied("--rope", "0.01").out
    rows = json.loads(varied("--rope", "0.01", "--json", "-").out)["priors"]

    assert "the factor under the prior uniform goes from" not in out
    assert [row["bayes_factor"] for row in rows] == [None] * 7


def test_the_json_has_its_keys(varied, spam):
    result = json.loads(varied("--rope", "0.01", "--json", "-").out)
    alone = json.loads(spam("--rope", "0.01", "--json", "-").out)

    assert list(result) == [
        *["schema", "kind", "systems", "metric", "positive", "higher_is_better"],
        *["items", "units", "patterns", "rope", "priors", "usual", "method"],
        *["recipe", "findings"],
    ]
    assert result["kind"] == "sensitivity"
    usual = next(row for row in result["priors"] if row["strength"] == 1)
    for key in ("difference", "probability", "bayes_factor", "verdict"):
        assert usual[key] == alone[key]
    means = [row["difference"]["mean"] for row in result["priors"]]
    assert means == sorted(means, reverse=True)  # the prior pulls towards no difference


def test_each_strength_is_that_of_the_option(varied, spam):
    result = json.loads(varied("--json", "-").out)["priors"]
    for row in result:
        alone = spam("--strength", row["strength"], "--json", "-")
        assert row["difference"] == json.loads(alone.out)["difference"]


@pytest.mark.parametrize(
    "words",
    [
        ("--method", "unpaired"),
        ("--prior", "objective"),
        ("--metric", "recall", "--factor", "point"),
        ("--metric", "f1", "--factor", "kde"),
        ("--metric", "f1,recall"),
        ("--systems", "a,b,c"),
        ("--markdown",),
        ("--latex",),
    ],
)
def test_settings(varied, words):
    ended = varied("--rope", "0.01", *words)

    assert (ended.code, ended.err) == (0, "")
    assert ended.out.isascii() or "±" in ended.out or "≫" in ended.out


def test_one_class_of_very_many(folder, call):
    """The metric sees eight cells, however many classes there are."""
    names = [f"c{i}" for i in range(20)]
    rng = np.random.default_rng(0)
    gold = rng.integers(20, size=400)
    predictions = [np.where(rng.random(400) < p, gold, 0) for p in (0.6, 0.9)]
    rows = [
        [names[code] for code in row] for row in zip(gold, *predictions, strict=True)
    ]
    (folder / "k.csv").write_text(table(rows, ("gold", "a", "b")))
    words = ("compare", "k.csv", "--metric", "f1", "--positive", "c3", "--sensitivity")

    assert call(*words, *FEW, "--rope", "0.05", "--factor", "rope").code == 0


def test_clusters_of_items(folder, varied):
    ended = varied("--cluster", "doc", "--rope", "0.05")

    assert (ended.code, ended.err) == (0, "")
    assert "the verdict is better under every prior" in ended.out


def test_one_class_of_sets(folder, call):
    words = ("compare", "m.csv", "--separator", ";", "--metric", "f1", "--sensitivity")

    assert call(*words, "--positive", "x", *FEW, "--rope", "0.05").code == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--each-class",), "Only one of"),
        (("--strength", "2"), "--strength must come with one prior"),
        (("--method", "mcnemar"), "mcnemar belongs to null_test"),
        (("--method", "independent"), "paired or unpaired"),
        (("--method", "hierarchical"), "hierarchical"),
        (("--prior", "bootstrap"), "bootstrap"),
        (("--cluster", "doc", "--prior", "bootstrap"), "bootstrap"),
        (("--cluster", "doc", "--factor", "rope", "--rope", "0.1"), "proper prior"),
        (("--factor", "point"), "f1"),
        (("--positive", "eggs"), "positive must be one of"),
        (("--fail-unless", "P(beter) > 0.9"), "condition must"),
    ],
)
def test_what_is_refused(refused, words, message):
    base = ["compare", "p.csv", "--systems", "a,b", "--metric", "f1"]
    base += ["--positive", "spam", "--sensitivity", *FEW]

    assert message.lower() in refused(*base, *words).lower()


@pytest.mark.parametrize(
    ("condition", "code"), [("P(better) > 0.9", 0), ("P(better) < 0.9", 1)]
)
def test_conditions_hold_under_every_prior(varied, condition, code):
    assert varied("--fail-unless", condition).code == code


@pytest.mark.parametrize(
    "factor", [(), ("--factor", "rope")], ids=["differences", "factors"]
)
def test_outputs(varied, folder, factor):
    words = ("--json", "o.json", "--html", "o.html", "--plot", "o.svg", *factor)
    ended = varied("--rope", "0.01", *words)

    assert (ended.code, ended.err) == (0, "")
    assert json.loads((folder / "o.json").read_text())["kind"] == "sensitivity"
    assert "<svg" in (folder / "o.svg").read_text()
    assert "0.5" in (folder / "o.html").read_text()


def test_hostile_names(folder, call):
    forms = ((), ("--markdown",), ("--latex",))
    words = hostile_table(folder, *PLAIN[:2])
    lengths = [
        len(call(*words, "--sensitivity", *form).out.splitlines()) for form in forms
    ]
    # Several in a name; others begin the second pair.
    some = [" ¦ ".join(HOSTILE[i:10:4]) for i in range(4)]
    for names in together(some, 2):
        words = hostile_table(folder, *names)
        for form, length in zip(forms, lengths, strict=True):
            ended = call(*words, "--sensitivity", *form)
            assert (ended.code, ended.err) == (0, "")
            assert_lines(ended.out, length)
