"""rank(): the order, the ranks and the p-values of many systems."""

import json
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from tests.conftest import random_labels
from tests.data.score_tables import HEADER, drawn, rows, scores_of

import likelier as lk
from likelier import LikelierError, Scores, methods, streams
from likelier.results.order import Order

FEW = {"draws": 1000, "seed": 0}
ONE = drawn(folds=5, systems="abc")
SCORED = drawn(sets=6, folds=1, systems="abcd", gain=0.01)
LABELS = random_labels(1, n=150, right=(0.5, 0.75, 0.6))


@cache
def folded():
    """A ranking by the hierarchical model, which takes its time."""
    return lk.rank(drawn(sets=2, folds=3, systems="abc"), rope=0.01, **FEW)


def ranks_told(ranking):
    return {row["system"]: row for row in ranking.to_dict()["ranks"]}


# --- scores --------------------------------------------------------------------


@pytest.mark.parametrize("table", [ONE, SCORED], ids=["one", "many"])
def test_pairs_are_those_of_compare_folds(table):
    found = lk.rank(table, rope=0.01, **FEW)
    pairs = [
        lk.compare_folds(table, systems=list(pair), rope=0.01, **FEW)
        for pair in combinations(table.systems, 2)
    ]
    told = found.to_dict()
    assert told["kind"] == "ranking"
    assert told["comparisons"] == [pair.to_dict() for pair in pairs]
    known = {pair.settings.systems: pair.probability for pair in pairs}
    assert told["order"] == Order.of(table.systems, known).to_dict()
    assert told["systems"] == list(table.systems)


def test_one_data_set():
    found = lk.rank(ONE, rope=0.01, **FEW)
    told = ranks_told(found)
    assert [told[name]["value"] for name in "abc"] == ONE.observed.tolist()
    assert sum(row["best"] for row in told.values()) == pytest.approx(1)
    assert told["c"]["expected_rank"] < told["b"]["expected_rank"]
    assert told["c"]["best"] > 0.95
    assert found.places == (2, 1, 0)
    assert (found.friedman, found.nemenyi, found.tests) == (None, None, ())
    assert found.to_dict()["friedman"] is None
    assert found.sentence().startswith("score: a < b < c; the best is c (")
    assert repr(found) == f"<Ranking {found.sentence()}>"


def test_probabilities_of_ranks_sum_to_one():
    table = np.array([row["probability"] for row in ranks_told(folded()).values()])
    assert table.sum(axis=0) == pytest.approx(1)
    assert table.sum(axis=1) == pytest.approx(1)


def test_friedman_and_nemenyi_are_those_of_the_tests():
    told = lk.rank(SCORED, alpha=0.1, **FEW).to_dict()["friedman"]
    test = methods.friedman(SCORED.means)
    after = methods.nemenyi(test, alpha=0.1)
    assert told == {
        "statistic": test.statistic,
        "p_value": test.p_value,
        "f_statistic": test.f_statistic,
        "f_p_value": test.f_p_value,
        "critical_difference": after.critical_difference,
        "alpha": 0.1,
        "groups": [["abcd"[i] for i in group] for group in after.groups],
    }
    ranks = [row["average_rank"] for row in ranks_told(lk.rank(SCORED, **FEW)).values()]
    assert ranks == test.average_ranks.tolist()


def test_wilcoxon_is_adjusted_for_all_pairs():
    told = lk.rank(SCORED, **FEW).to_dict()["tests"]
    pairs = list(combinations("abcd", 2))
    assert [tuple(row["systems"]) for row in told] == pairs
    means = SCORED.means
    p = [
        methods.wilcoxon(means[:, "abcd".index(b)] - means[:, "abcd".index(a)]).p_value
        for a, b in pairs
    ]
    assert [row["p_value"] for row in told] == p
    assert [row["holm"] for row in told] == methods.holm(p).tolist()
    adjusted = methods.benjamini_hochberg(p).tolist()
    assert [row["benjamini_hochberg"] for row in told] == adjusted
    assert {row["first_better_on"] for row in told} == {None}


def one_sided(table):
    """For each data set the p-value of the second being better, and of the first."""
    sides = []
    for dataset, gap in zip(table.datasets, table.differences(), strict=True):
        found = methods.resampled_t(gap, test_per_train=dataset.test_per_train)
        half = found.p_value / 2
        sides.append((half, 1 - half) if found.statistic > 0 else (1 - half, half))
    return np.array(sides).T


def test_data_sets_shown_are_counted_by_k_hat():
    table = drawn(sets=2, folds=3, systems="abc")
    for row in folded().to_dict()["tests"]:
        second, first = one_sided(table.keep(*row["systems"]))
        assert row["second_better_on"] == methods.k_hat(second).k_hat
        assert row["first_better_on"] == methods.k_hat(first).k_hat
    clear = drawn(sets=3, folds=6, gain=0.1)
    (row,) = lk.rank(clear, method="signed-rank", **FEW).to_dict()["tests"]
    assert (row["first_better_on"], row["second_better_on"]) == (0, 3)
    (row,) = lk.rank(clear, systems=["b", "a"], method="signed-rank", **FEW).to_dict()[
        "tests"
    ]
    assert (row["first_better_on"], row["second_better_on"]) == (3, 0)


def test_lower_is_better():
    table = rows(sets=6, folds=1, systems="abc", gain=0.05)
    losses = scores_of(table, higher_is_better=False)
    found = lk.rank(losses, rope=0.01, **FEW)
    assert found.sentence().startswith("score (less is better): c < b < a; the best")
    assert found.places == (0, 1, 2)
    assert found.friedman.average_ranks.tolist() == [1, 2, 3]
    gains = scores_of([[*row[:4], -row[4]] for row in table])
    other = lk.rank(gains, rope=0.01, **FEW)
    assert ranks_told(found)["a"]["best"] == ranks_told(other)["a"]["best"]


def test_systems_select_and_order():
    found = lk.rank(ONE, systems=["c", "a"], **FEW)
    assert found.systems == ("c", "a")
    assert [row["system"] for row in found.to_dict()["ranks"]] == ["c", "a"]


def test_frames_are_scores():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(rows(folds=5, systems="abc"), columns=HEADER)
    assert lk.rank(frame, **FEW).to_dict() == lk.rank(ONE, **FEW).to_dict()


@pytest.mark.parametrize("table", [ONE, SCORED], ids=["one", "many"])
def test_same_seed_same_bytes(table):
    one, other, third = (
        json.dumps(lk.rank(table, rope=0.01, draws=400, seed=seed).to_dict())
        for seed in (5, 5, 6)
    )
    assert one == other
    assert one != third


def test_the_recipe_tells_the_seed():
    first = lk.rank(ONE, rope=0.01, draws=400)
    told = first.recipe.partition("ranks from 400 draws seed ")[2].partition(" | ")[0]
    assert int(told) == first.to_dict()["seed"]
    again = lk.rank(ONE, rope=0.01, draws=400, seed=int(told))
    assert again.to_dict() == first.to_dict()


def test_the_recipe_tells_the_draws_of_ranks_and_of_pairs(monkeypatch):
    # A table of all systems is wider than that of two, and gets fewer draws.
    monkeypatch.setattr(streams, "_MOST_NUMBERS", 200_000)
    table = random_labels(3, n=200, classes=2, right=(0.6,) * 6)
    found = lk.rank(*table.columns, metric="accuracy", seed=0)
    pairs = found.comparisons[0].settings.draws
    assert found.ranks.draws < pairs
    assert f"| draws {pairs} seed 0 |" in found.recipe
    assert f"ranks from {found.ranks.draws} draws seed 0" in found.recipe
    assert found.to_dict()["method"]["draws"] == pairs


def test_the_recipe_tells_the_level_of_the_tests():
    recipes = [
        lk.rank(drawn(sets=3, folds=3, systems="abc"), alpha=alpha, **FEW).recipe
        for alpha in (0.05, 0.2)
    ]
    assert "alpha 0.05" in recipes[0]
    assert "alpha 0.2" in recipes[1]


def test_no_infinities_in_the_json():
    # Two folds: no standard deviation. Full agreement: an infinite F statistic.
    agreed = Scores.from_arrays(
        [0.1, 0.2, 0.3], [0.4, 0.5, 0.6], [0.7, 0.8, 0.9], datasets=list("xyz")
    )
    for table in (drawn(folds=2, systems="abc"), agreed):
        assert json.dumps(lk.rank(table, **FEW).to_dict(), allow_nan=False)
    assert lk.rank(agreed, **FEW).to_dict()["friedman"]["f_statistic"] is None


def test_identical_systems():
    row = [0.8, 0.7, 0.9]
    table = Scores.from_arrays(row, row, row, datasets=list("xyz"))
    found = lk.rank(table, **FEW)
    told = found.to_dict()
    assert told["friedman"]["p_value"] == 1
    assert {test["p_value"] for test in told["tests"]} == {1.0}
    assert [r["best"] for r in told["ranks"]] == pytest.approx([1 / 3] * 3)
    assert len(found.order.undecided) == 3


def test_frame_and_texts():
    found = lk.rank(SCORED, rope=0.01, **FEW)
    frame = found.frame("polars")
    table = dict(zip(frame["name"], frame["value"], strict=True))
    assert table["ranks.a.best"] == found.ranks.best[0]
    assert table["friedman.p_value"] == found.friedman.p_value
    assert "Friedman chi-square" in " ".join(found.lines())
    assert "the best on these data sets is " in found.sentence()
    assert "<p>" in found._repr_html_()


# --- items -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("metric", "positive"), [("accuracy", None), ("f1", "a"), ("error_rate", None)]
)
def test_items_agree_with_compare(metric, positive):
    settings = {"metric": metric, "positive": positive, "rope": 0.02, **FEW}
    found = lk.rank(*LABELS.columns, systems=["x", "y", "z"], **settings)
    assert found.systems == ("x", "y", "z")
    for comparison in found.comparisons:
        names = comparison.settings.systems
        said = [LABELS.predictions["xyz".index(name)] for name in names]
        alone = lk.compare(LABELS.gold, *said, systems=list(names), **settings)
        one, other = comparison.to_dict(), alone.to_dict()
        for key in ("difference", "probability", "verdict", "estimates"):
            assert one[key] == other[key]


def test_the_best_of_two_on_items():
    settings = {"metric": "accuracy", "draws": 20_000, "seed": 0}
    columns = LABELS.columns[0], LABELS.columns[1], LABELS.columns[3]
    found = lk.rank(*columns, **settings)
    better = found.comparisons[0].probability.better
    assert found.ranks.best[1] == pytest.approx(better, abs=0.02)


def test_less_is_better_on_items():
    settings = {"rope": 0.01, "systems": ["x", "y", "z"], **FEW}
    right = lk.rank(*LABELS.columns, metric="accuracy", **settings)
    wrong = lk.rank(*LABELS.columns, metric="error_rate", **settings)
    assert wrong.order.systems == right.order.systems
    assert wrong.ranks.best == pytest.approx(right.ranks.best)


def test_frames_of_items():
    pandas = pytest.importorskip("pandas")
    names = ["gold", "x", "y", "z"]
    frame = pandas.DataFrame(dict(zip(names, LABELS.columns, strict=True)))
    found = lk.rank(frame, gold="gold", systems=names[1:], metric="accuracy", **FEW)
    plain = lk.rank(*LABELS.columns, metric="accuracy", systems=names[1:], **FEW)
    assert found.to_dict() == plain.to_dict()


def test_same_seed_same_bytes_on_items():
    one, other, third = (
        json.dumps(
            lk.rank(*LABELS.columns, metric="accuracy", draws=400, seed=seed).to_dict()
        )
        for seed in (5, 5, 6)
    )
    assert one == other
    assert one != third


# --- what is refused --------------------------------------------------------------


BAD = {
    "one-system": ((ONE,), {"systems": ["a"]}, "at least two systems"),
    "no-system": ((ONE,), {"systems": []}, "at least two systems"),
    "unknown": ((ONE,), {"systems": ["a", "x"]}, "system must be one of a, b, c"),
    "alpha": ((ONE,), {"alpha": 1.5}, "alpha must lie strictly between 0 and 1"),
    "alpha-many": ((SCORED,), {"alpha": 0}, "alpha must"),
    "threshold": ((ONE,), {"threshold": 2}, "threshold must lie between 0 and 1"),
    "no-metric": ((*LABELS.columns,), {}, "Predictions must come with a metric"),
    "method": (
        (*LABELS.columns,),
        {"metric": "accuracy", "method": "sign"},
        "method must come with scores",
    ),
    "metric": ((*LABELS.columns,), {"metric": "nope"}, "metric must be one of"),
    "data": ((3,), {}, "data must be Scores, or a data frame"),
    "draws": ((ONE,), {"draws": 0}, "draws must be a whole number"),
    "one-prediction": (
        (LABELS.columns[:2]),
        {"metric": "accuracy"},
        "two systems",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_refused(name):
    data, settings, message = BAD[name]
    with pytest.raises(LikelierError, match=message):
        lk.rank(*data, **settings)


def test_systems_far_below_do_not_change_who_is_the_best():
    """The prior of all systems together weighs no more than that of two."""
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 2, 300)
    accuracies = (0.93, 0.90, 0.7, 0.75, 0.8, 0.72, 0.71, 0.7, 0.7, 0.7, 0.7, 0.7)
    said = [np.where(rng.random(300) < a, gold, 1 - gold) for a in accuracies]
    shares = []
    for count in (2, 4, 8, 12):
        names = [f"s{i}" for i in range(count)]
        found = lk.rank(
            gold, *said[:count], systems=names, metric="accuracy", seed=0, draws=4000
        )
        shares.append(found.ranks.best[0])
    assert np.ptp(shares) < 0.04
