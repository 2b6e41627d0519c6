"""rank(): all pairs are the answers on two systems, and make an order."""

import json
from functools import cache

import numpy as np
import pytest
from tests.data.score_tables import drawn

from likelier import LikelierError, Scores, compare_folds, rank

ONE = drawn(folds=5, systems="abcd")
SCORED = drawn(sets=6, folds=1, systems="abc")
FOLDED = drawn(sets=2, folds=3, systems="abc")


@cache
def folded():
    """All pairs of the hierarchical model, which takes its time."""
    return rank(FOLDED, rope=0.01)


@pytest.mark.parametrize("rope", [None, 0.01, (-0.01, 0.02)])
@pytest.mark.parametrize(
    ("table", "method"),
    [(ONE, None), (SCORED, None), (SCORED, "sign")],
    ids=["one", "signed-rank", "sign"],
)
def test_pairs_are_the_answers_on_two_systems(table, method, rope):
    settings = {"rope": rope, "method": method, "draws": 500, "seed": 0}
    found = rank(table, **settings)
    names = [comparison.settings.systems for comparison in found.comparisons]
    assert names == [
        (a, b) for i, a in enumerate(table.systems) for b in table.systems[i + 1 :]
    ]
    for comparison in found.comparisons:
        pair = list(comparison.settings.systems)
        alone = compare_folds(table, systems=pair, **settings)
        assert comparison.to_dict() == alone.to_dict()


def test_pairs_of_the_hierarchical_model():
    found = folded()
    alone = compare_folds(FOLDED, systems=["b", "c"], rope=0.01)
    assert found.between("b", "c").to_dict() == alone.to_dict()
    assert found.order.chain == "a < b < c"
    (line,) = [line for line in found.lines() if "quadrature" in line]
    assert "about" in line


def test_order_and_texts():
    found = rank(ONE, rope=0.01, seed=0)
    assert found.sentence().startswith("score: a < b < c < d; the best is d (")
    assert repr(found) == f"<Ranking {found.sentence()}>"
    assert found.between("c", "a").settings.systems == ("a", "c")
    size = "1 data set, 5 folds, rope ±0.01; verdicts by the rule hdi-rope"
    assert size in found.lines()
    assert "a &lt; b" in found._repr_html_()
    with pytest.raises(LikelierError, match="system must be one of"):
        found.between("a", "x")


def test_systems_select_and_order():
    found = rank(ONE, systems=["d", "b", "a"], rope=0.01)
    assert found.systems == ("d", "b", "a")
    assert [c.settings.systems for c in found.comparisons] == [
        ("d", "b"),
        ("d", "a"),
        ("b", "a"),
    ]
    assert found.sentence().startswith("score: a < b < d; the best is d (")


def test_lower_is_better_turns_the_order():
    values = ONE.datasets[0].values.T
    losses = Scores.from_arrays(*values, systems="abcd", higher_is_better=False)
    wanted = "score (less is better): d < c < b < a; the best is a ("
    assert rank(losses, rope=0.01).sentence().startswith(wanted)


def test_threshold():
    close = drawn(folds=4, systems="abc", gain=0.004, noise=0.02)
    assert rank(close, rope=0.01).order.undecided == ()
    found = rank(close, rope=0.01, threshold=0.99)
    assert len(found.order.undecided) == 3
    assert "(no chain)" in found.sentence()


@pytest.mark.parametrize("threshold", [-0.1, 1.5, float("nan")])
def test_bad_thresholds(threshold):
    with pytest.raises(LikelierError, match="threshold must lie between 0 and 1"):
        rank(ONE, threshold=threshold)


@pytest.mark.parametrize(
    ("systems", "message"),
    [
        (["a"], "two systems"),
        ([], "two systems"),
        (["a", "x"], "system must be one of a, b, c, d; got 'x'"),
        (["a", "a"], "systems must be different"),
    ],
)
def test_bad_systems(systems, message):
    with pytest.raises(LikelierError, match=message):
        rank(ONE, systems=systems)


def test_json():
    found = rank(ONE, rope=0.01)
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert told["kind"] == "ranking"
    assert told["systems"] == list("abcd")
    assert told["order"]["chain"] == "a < b < c < d"
    assert told["order"]["below"] == [["a", "b"], ["b", "c"], ["c", "d"]]
    assert [c["kind"] for c in told["comparisons"]] == ["comparison"] * 6
    assert {c["method"]["name"] for c in told["comparisons"]} == {"correlated-t"}


def test_two_folds_have_no_infinities():
    found = rank(drawn(folds=2, systems="abc"), rope=0.01)
    assert json.dumps(found.to_dict(), allow_nan=False)


def test_frame():
    found = rank(ONE, rope=0.01)
    frame = found.frame("pandas")
    assert set(frame["systems"]) == {"a | b | c | d"}
    table = dict(zip(frame["name"], frame["value"], strict=True))
    better = found.comparisons[1].probability.better
    assert table["comparisons.1.probability.better"] == better
    assert np.isfinite(frame["value"]).all()


def test_identical_systems_are_in_no_order():
    row = ONE.datasets[0].values[:, 0]
    found = rank(Scores.from_arrays(row, row, row))
    assert len(found.order.undecided) == 3
    assert [f.code for f in found.findings].count("LIK106") == 3
    alike = rank(Scores.from_arrays(row, row, row), rope=0.05)
    assert alike.sentence() == "score: first ≈ second ≈ third; none is ahead"


def test_identical_systems_of_the_hierarchical_model_are_in_no_order():
    rows = [[0.81, 0.72, 0.93, 0.84], [0.71, 0.62, 0.53, 0.64]]
    found = rank(Scores.from_arrays(rows, rows))
    assert found.order.undecided == (("first", "second"),)


def test_findings_are_told_once():
    assert [finding.code for finding in folded().findings] == ["LIK131"]


def test_two_systems_are_a_pair():
    found = rank(ONE, systems=["a", "b"], rope=0.01)
    alone = compare_folds(ONE, systems=["a", "b"], rope=0.01)
    assert [c.to_dict() for c in found.comparisons] == [alone.to_dict()]


def test_recipe_knows_the_whole_table():
    values = ONE.datasets[0].values.T
    other = Scores.from_arrays(*values[:3], values[3] + 0.01, systems="abcd")
    same = Scores.from_arrays(*values, systems="abcd")
    one, two = (rank(t, rope=0.01, seed=0).recipe for t in (same, other))
    assert one != two
