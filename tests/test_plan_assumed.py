"""Assumptions on two systems: shares, accuracies, a pilot."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import QUICK, random_labels

import likelier as lk
from likelier import Assumed, metrics

NAN, INF = float("nan"), float("inf")
SURE = {("a", "a", "a"): 1.0}


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ({}, "at least one"),
        ({("a", "a", "a"): 0.5}, "add up to 1; got 0.5"),
        ({("a", "a", "a"): 0.7, ("b", "b", "b"): 0.7}, "add up to 1; got 1.4"),
        ({("a", "a", "a"): 0.0}, "add up to 1; got 0"),
        ({("a", "a", "a"): 1.5, ("b", "b", "b"): -0.5}, "between 0 and 1; got 1.5"),
        ({("a", "a", "a"): -0.5, ("b", "b", "b"): 1.0}, "between 0 and 1; got -0.5"),
        ({("a", "a", "a"): NAN}, "between 0 and 1; got nan"),
        ({("a", "a", "a"): INF}, "between 0 and 1; got inf"),
        ({("a", "a", "a"): True}, "between 0 and 1; got True"),
        ({("a", "a", "a"): "1"}, "between 0 and 1; got '1'"),
        ({("a", "a", "a"): None}, "between 0 and 1; got None"),
        ({("a", "a"): 1.0}, "named by gold"),
        ({("a", "a", "a", "a"): 1.0}, "named by gold"),
        ({"aaa": 1.0}, "named by gold"),
        ({("a", "a", None): 1.0}, "label"),
        ({("a", "a", NAN): 1.0}, "label"),
        ({("a", "a", 1.5): 1.0}, "strings or whole numbers"),
    ],
)
def test_cells_that_cannot_be(cells, message):
    with pytest.raises(lk.LikelierError, match=re.escape(message)):
        Assumed.cells(cells)


@pytest.mark.parametrize("systems", [("a",), ("a", "a"), ("a", "b", "c"), ()])
def test_there_are_two_names_of_systems(systems):
    with pytest.raises(lk.LikelierError, match="systems must be 2 different names"):
        Assumed.cells(SURE, systems=systems)


def test_cells_keep_their_shares_and_names():
    cells = {("NA", "NA", "007"): 0.25, ("007", "1e3", "007"): 0.75}
    assumed = Assumed.cells(cells, systems=("old", "new"))

    assert assumed.certain
    assert assumed.outcomes.systems == ("old", "new")
    assert assumed.outcomes.classes == ("007", "1e3", "NA")
    assert sorted(assumed.outcomes.counts) == [0.25, 0.75]
    assert metrics.accuracy.observed(assumed.outcomes) == pytest.approx([0.25, 0.75])
    assert repr(assumed) == "<Assumed: 2 cells>"


def test_rounded_shares_are_mended():
    third = Assumed.cells({(x, x, x): 0.3333333 for x in "abc"})

    assert third.outcomes.counts.sum() == pytest.approx(1, abs=1e-15)


@QUICK
@given(parts=st.lists(st.floats(0, 1), min_size=4, max_size=4))
def test_accuracies_are_as_assumed(parts):
    parts = np.array(parts) + 1e-6
    both, first, second, neither = parts / parts.sum()
    accuracies, agreed = [both + first, both + second], both + neither
    made = Assumed.accuracies(*accuracies, agreement=agreed).outcomes

    assert made.counts.sum() == pytest.approx(1, abs=1e-12)
    assert metrics.accuracy.observed(made) == pytest.approx(accuracies, abs=1e-12)
    gold, one, other = made.labels.T
    alike = made.counts[(gold == one) == (gold == other)].sum()
    assert alike == pytest.approx(agreed, abs=1e-12)
    assert made.counts[gold == 0].sum() == pytest.approx(0.5, abs=1e-12)


@pytest.mark.parametrize(
    ("first", "second", "agreement"),
    [(0, 1, 0), (1, 0, 0), (1, 1, 1), (0, 0, 1), (0.85, 0.87, 0.98), (0.3, 0.2, 0.9)],
)
def test_accuracies_at_the_edge_are_possible(first, second, agreement):
    made = Assumed.accuracies(first, second, agreement=agreement)

    assert metrics.accuracy.observed(made.outcomes) == pytest.approx([first, second])
    assert (made.outcomes.counts >= 0).all()


@pytest.mark.parametrize(
    ("first", "second", "agreement", "least", "most"),
    [
        (0.8, 0.9, 0.95, "0.7", "0.9"),
        (0.8, 0.9, 0.6, "0.7", "0.9"),
        (0.2, 0.1, 0.65, "0.7", "0.9"),
        (1, 0, 0.5, "0", "0"),
        (1, 1, 0.99, "1", "1"),
    ],
)
def test_agreement_out_of_reach_names_the_range(first, second, agreement, least, most):
    with pytest.raises(lk.LikelierError, match=f"between {least} and {most}; got"):
        Assumed.accuracies(first, second, agreement=agreement)


@pytest.mark.parametrize("bad", [-0.01, 1.01, NAN, INF, True, "0.5", None])
@pytest.mark.parametrize("name", ["first", "second", "agreement"])
def test_what_is_no_share_is_refused_by_its_name(name, bad):
    shares = {"first": 0.5, "second": 0.5, "agreement": 0.5} | {name: bad}

    with pytest.raises(lk.LikelierError, match=rf"{name}.* between 0 and 1; got"):
        Assumed.accuracies(**shares)


def test_a_pilot_has_two_systems():
    labels = random_labels(0)
    for systems in (labels.predictions[:1], [*labels.predictions, labels.gold]):
        table = lk.Outcomes.from_labels(labels.gold, *systems)
        with pytest.raises(lk.LikelierError, match=f"two systems; got {len(systems)}"):
            Assumed.pilot(table)


def test_a_pilot_has_items_not_folds():
    cells = {name: np.full((6, 2), 20) for name in ("tp", "fp", "fn")}
    table = replace(lk.Outcomes.from_statistics(cells), unit="folds")

    with pytest.raises(lk.LikelierError, match="counts of folds"):
        Assumed.pilot(table)


def test_a_pilot_says_how_it_is_taken():
    table = random_labels(0).outcomes()

    assert repr(Assumed.pilot(table)) == "<Assumed: pilot of 200 items as evidence>"
    assert repr(Assumed.pilot(table, certain=True)).endswith("taken as the truth>")


def test_clusters_of_a_pilot_are_not_called_items():
    one = random_labels(0)
    table = lk.Outcomes.from_labels(*one.columns, cluster=np.arange(200) // 5)

    assert "40 clusters" in repr(Assumed.pilot(table))
