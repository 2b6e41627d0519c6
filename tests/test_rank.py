"""rank(): all pairs, the order, the ranks and the p-values of many systems."""

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
ONE = drawn(folds=5, systems="abcd")
SCORED = drawn(sets=6, folds=1, systems="abcd", gain=0.01)
FOLDED = drawn(sets=2, folds=3, systems="abc")
LABELS = random_labels(1, n=150, right=(0.5, 0.75, 0.6))


@cache
def folded():
    """A ranking by the hierarchical model, which takes its time."""
    return lk.rank(FOLDED, rope=0.01, **FEW)


@cache
def one():
    """A ranking on one data set."""
    return lk.rank(ONE, rope=0.01, **FEW)


def rank_rows(ranking):
    return {row["system"]: row for row in ranking.to_dict(details=False)["ranks"]}


# --- pairs of scores -----------------------------------------------------------


@pytest.mark.parametrize("rope", [None, 0.01, (-0.01, 0.02)])
@pytest.mark.parametrize(
    ("table", "method"),
    [(ONE, None), (SCORED, None), (SCORED, "sign")],
    ids=["one", "signed-rank", "sign"],
)
def test_pairs_are_those_of_compare_folds(table, method, rope):
    settings = {"rope": rope, "method": method, "draws": 1000, "seed": 0}
    document = lk.rank(table, **settings).to_dict()
    pairs = [
        lk.compare_folds(table, systems=list(pair), **settings)
        for pair in combinations(table.systems, 2)
    ]
    assert document["kind"] == "ranking"
    assert document["systems"] == list(table.systems)
    assert document["comparisons"] == [pair.to_dict() for pair in pairs]
    probabilities = {pair.settings.systems: pair.probability for pair in pairs}
    assert document["order"] == Order.of(table.systems, probabilities).to_dict()


def test_pairs_of_the_hierarchical_model():
    alone = lk.compare_folds(FOLDED, systems=["b", "c"], rope=0.01)
    assert folded().between("b", "c").to_dict() == alone.to_dict()
    assert folded().order.chain == "a < b < c"
    (line,) = [line for line in folded().lines() if "quadrature" in line]
    assert "about" in line


def test_two_systems_are_a_pair():
    ranking = lk.rank(ONE, systems=["a", "b"], rope=0.01)
    alone = lk.compare_folds(ONE, systems=["a", "b"], rope=0.01)
    assert [c.to_dict() for c in ranking.comparisons] == [alone.to_dict()]


def test_systems_select_and_order():
    ranking = lk.rank(ONE, systems=["d", "b", "a"], rope=0.01, **FEW)
    assert ranking.systems == ("d", "b", "a")
    pairs = [c.settings.systems for c in ranking.comparisons]
    assert pairs == [("d", "b"), ("d", "a"), ("b", "a")]
    assert list(rank_rows(ranking)) == ["d", "b", "a"]
    assert ranking.sentence().startswith("score: a < b < d; the best is d (")


def test_threshold():
    close = drawn(folds=4, systems="abc", gain=0.004, noise=0.02)
    assert lk.rank(close, rope=0.01).order.undecided == ()
    ranking = lk.rank(close, rope=0.01, threshold=0.99)
    assert len(ranking.order.undecided) == 3
    assert "(no chain)" in ranking.sentence()


def test_findings_are_listed_once():
    assert [finding.code for finding in folded().findings] == ["LIK131"]


# --- ranks and tests of scores -------------------------------------------------


def test_one_data_set():
    table = drawn(folds=5, systems="abc")
    ranking = lk.rank(table, rope=0.01, **FEW)
    ranks = rank_rows(ranking)
    assert [ranks[name]["value"] for name in "abc"] == table.observed.tolist()
    assert sum(row["best"] for row in ranks.values()) == pytest.approx(1)
    assert ranks["c"]["expected_rank"] < ranks["b"]["expected_rank"]
    assert ranks["c"]["best"] > 0.95
    assert ranking.places == (2, 1, 0)
    assert (ranking.friedman, ranking.nemenyi, ranking.tests) == (None, None, ())


def test_texts():
    assert one().sentence().startswith("score: a < b < c < d; the best is d (")
    assert repr(one()) == f"<Ranking {one().sentence()}>"
    assert one().between("c", "a").settings.systems == ("a", "c")
    assert "1 data set, 5 folds, rope ±0.01" in one().lines()
    assert "<strong>d</strong>" in one()._repr_html_()
    with pytest.raises(LikelierError, match="system must be one of"):
        one().between("a", "x")


def test_json():
    document = json.loads(json.dumps(one().to_dict(), allow_nan=False))
    assert document["kind"] == "ranking"
    assert document["systems"] == list("abcd")
    assert document["friedman"] is None
    assert document["order"]["chain"] == "a < b < c < d"
    assert document["order"]["below"] == [["a", "b"], ["b", "c"], ["c", "d"]]
    assert [c["kind"] for c in document["comparisons"]] == ["comparison"] * 6
    assert {c["method"]["name"] for c in document["comparisons"]} == {"correlated-t"}


def test_frames_of_a_ranking():
    frame = one().frame("pandas")
    assert set(frame["systems"]) == {"a | b | c | d"}
    values = dict(zip(frame["name"], frame["value"], strict=True))
    better = one().comparisons[1].probability.better
    assert values["comparisons.1.probability.better"] == better
    assert np.isfinite(frame["value"]).all()


def test_frame_and_texts_of_many_data_sets():
    ranking = lk.rank(SCORED, rope=0.01, **FEW)
    frame = ranking.frame("polars")
    values = dict(zip(frame["name"], frame["value"], strict=True))
    assert values["ranks.a.best"] == ranking.ranks.best[0]
    assert values["friedman.p_value"] == ranking.friedman.p_value
    assert "Friedman chi-square" in " ".join(ranking.lines())
    assert "the best on these data sets is " in ranking.sentence()
    assert "<p>" in ranking._repr_html_()


def test_probabilities_of_ranks_sum_to_one():
    table = np.array([row["probability"] for row in rank_rows(folded()).values()])
    assert table.sum(axis=0) == pytest.approx(1)
    assert table.sum(axis=1) == pytest.approx(1)


def test_friedman_and_nemenyi_are_those_of_the_tests():
    ranking = lk.rank(SCORED, alpha=0.1, **FEW)
    test = methods.friedman(SCORED.means)
    after = methods.nemenyi(test, alpha=0.1)
    assert ranking.to_dict()["friedman"] == {
        "statistic": test.statistic,
        "p_value": test.p_value,
        "f_statistic": test.f_statistic,
        "f_p_value": test.f_p_value,
        "critical_difference": after.critical_difference,
        "alpha": 0.1,
        "groups": [["abcd"[i] for i in group] for group in after.groups],
    }
    ranks = [row["average_rank"] for row in rank_rows(ranking).values()]
    assert ranks == test.average_ranks.tolist()


def test_wilcoxon_is_adjusted_for_all_pairs():
    tests = lk.rank(SCORED, **FEW).to_dict()["tests"]
    pairs = list(combinations("abcd", 2))
    assert [tuple(row["systems"]) for row in tests] == pairs
    means = SCORED.means
    p = [
        methods.wilcoxon(means[:, "abcd".index(b)] - means[:, "abcd".index(a)]).p_value
        for a, b in pairs
    ]
    assert [row["p_value"] for row in tests] == p
    assert [row["holm"] for row in tests] == methods.holm(p).tolist()
    adjusted = methods.benjamini_hochberg(p).tolist()
    assert [row["benjamini_hochberg"] for row in tests] == adjusted
    assert {row["first_better_on"] for row in tests} == {None}


def one_sided(table):
    """Return the p-values of the second, and of the first, being better."""
    p_values = []
    for dataset, gap in zip(table.datasets, table.differences(), strict=True):
        test = methods.resampled_t(gap, test_per_train=dataset.test_per_train)
        half = test.p_value / 2
        p_values.append((half, 1 - half) if test.statistic > 0 else (1 - half, half))
    return np.array(p_values).T


def test_data_sets_are_counted_by_k_hat():
    for row in folded().to_dict(details=False)["tests"]:
        second, first = one_sided(FOLDED.keep(*row["systems"]))
        assert row["second_better_on"] == methods.k_hat(second).k_hat
        assert row["first_better_on"] == methods.k_hat(first).k_hat
    clear = drawn(sets=3, folds=6, gain=0.1)
    for systems, counts in ((["a", "b"], (0, 3)), (["b", "a"], (3, 0))):
        ranking = lk.rank(clear, systems=systems, method="signed-rank", **FEW)
        (row,) = ranking.to_dict()["tests"]
        assert (row["first_better_on"], row["second_better_on"]) == counts


def test_folds_that_never_vary_are_not_counted():
    constant = Scores.from_arrays([[0.8] * 4] * 3, [[0.9] * 4] * 3)
    (row,) = lk.rank(constant, method="signed-rank", **FEW).to_dict()["tests"]
    assert (row["first_better_on"], row["second_better_on"]) == (0, 0)


def test_lower_is_better():
    table = rows(sets=6, folds=1, systems="abc", gain=0.05)
    ranking = lk.rank(scores_of(table, higher_is_better=False), rope=0.01, **FEW)
    start = "score (less is better): c < b < a; the best"
    assert ranking.sentence().startswith(start)
    assert ranking.places == (0, 1, 2)
    assert ranking.friedman.average_ranks.tolist() == [1, 2, 3]
    negated = scores_of([[*row[:4], -row[4]] for row in table])
    other = lk.rank(negated, rope=0.01, **FEW)
    assert rank_rows(ranking)["a"]["best"] == rank_rows(other)["a"]["best"]


def test_lower_is_better_on_one_data_set():
    values = ONE.datasets[0].values.T
    losses = Scores.from_arrays(*values, systems="abcd", higher_is_better=False)
    start = "score (less is better): d < c < b < a; the best is a ("
    assert lk.rank(losses, rope=0.01).sentence().startswith(start)


def test_frames_are_scores():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(rows(folds=5, systems="abcd"), columns=HEADER)
    assert lk.rank(frame, rope=0.01, **FEW).to_dict() == one().to_dict()


@pytest.mark.parametrize("table", [ONE, SCORED], ids=["one", "many"])
def test_same_seed_same_bytes(table):
    first, second, third = (
        json.dumps(lk.rank(table, rope=0.01, draws=1000, seed=seed).to_dict())
        for seed in (5, 5, 6)
    )
    assert first == second
    assert first != third


def test_no_infinities_in_the_json():
    # Two folds: no standard deviation. Full agreement: an infinite F statistic.
    agreed = Scores.from_arrays(
        [0.1, 0.2, 0.3], [0.4, 0.5, 0.6], [0.7, 0.8, 0.9], datasets=list("xyz")
    )
    for table in (drawn(folds=2, systems="abc"), agreed):
        ranking = lk.rank(table, rope=0.01, **FEW)
        assert json.dumps(ranking.to_dict(), allow_nan=False)
    assert ranking.to_dict()["friedman"]["f_statistic"] is None


# --- identical systems ---------------------------------------------------------


def test_identical_systems_on_many_data_sets():
    row = [0.8, 0.7, 0.9]
    table = Scores.from_arrays(row, row, row, datasets=list("xyz"))
    ranking = lk.rank(table, **FEW)
    document = ranking.to_dict()
    assert document["friedman"]["p_value"] == 1
    assert {test["p_value"] for test in document["tests"]} == {1.0}
    assert [r["best"] for r in document["ranks"]] == pytest.approx([1 / 3] * 3)
    assert len(ranking.order.undecided) == 3


def test_identical_systems_are_in_no_order():
    row = ONE.datasets[0].values[:, 0]
    ranking = lk.rank(Scores.from_arrays(row, row, row))
    assert len(ranking.order.undecided) == 3
    assert [f.code for f in ranking.findings].count("LIK106") == 3
    alike = lk.rank(Scores.from_arrays(row, row, row), rope=0.05)
    assert alike.sentence() == "score: first ≈ second ≈ third; none is ahead"


def test_identical_systems_of_the_hierarchical_model_are_in_no_order():
    table = [[0.81, 0.72, 0.93, 0.84], [0.71, 0.62, 0.53, 0.64]]
    ranking = lk.rank(Scores.from_arrays(table, table))
    assert ranking.order.undecided == (("first", "second"),)


# --- the recipe ----------------------------------------------------------------


def test_the_recipe_has_the_seed():
    first = lk.rank(ONE, rope=0.01, draws=1000)
    seed = first.recipe.partition("ranks from 1000 draws seed ")[2].partition(" | ")[0]
    assert int(seed) == first.to_dict()["seed"]
    again = lk.rank(ONE, rope=0.01, draws=1000, seed=int(seed))
    assert again.to_dict() == first.to_dict()


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, "prior=swap strength=1"),
        ({"strength": 0.5}, "prior=swap strength=0.5"),
        # With 1 on every cell it would double with every system.
        ({"prior": "uniform"}, "prior=objective strength=9"),
        ({"prior": "bootstrap"}, "prior=bootstrap"),
    ],
)
def test_the_recipe_names_the_prior_of_the_ranks(settings, expected):
    table = random_labels(3, n=60, classes=3, right=(0.6,) * 3)
    result = lk.rank(*table.columns, metric="accuracy", draws=1000, seed=0, **settings)
    assert f"| ranks from 1000 draws seed 0 {expected} |" in result.recipe


def test_the_recipe_has_the_draws_of_ranks_and_of_pairs(monkeypatch):
    # A table of all systems is wider than that of two, and gets fewer draws.
    monkeypatch.setattr(streams, "_MOST_NUMBERS", 200_000)
    table = random_labels(3, n=200, classes=2, right=(0.6,) * 6)
    ranking = lk.rank(*table.columns, metric="accuracy", seed=0)
    pairs = ranking.comparisons[0].settings.draws
    assert ranking.ranks.draws < pairs
    assert f"| draws {pairs} seed 0 |" in ranking.recipe
    assert f"ranks from {ranking.ranks.draws} draws seed 0 prior=swap" in ranking.recipe
    assert ranking.to_dict()["method"]["draws"] == pairs


@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_the_recipe_has_the_level_of_the_tests(alpha):
    table = drawn(sets=3, folds=3, systems="abc")
    ranking = lk.rank(table, alpha=alpha, method="signed-rank", **FEW)
    assert f"alpha {alpha}" in ranking.recipe


def test_the_recipe_depends_on_the_whole_table():
    values = ONE.datasets[0].values.T
    other = Scores.from_arrays(*values[:3], values[3] + 0.01, systems="abcd")
    same = Scores.from_arrays(*values, systems="abcd")
    recipes = {lk.rank(t, rope=0.01, seed=0).recipe for t in (same, other)}
    assert len(recipes) == 2


# --- items ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("metric", "positive"), [("accuracy", None), ("f1", "a"), ("error_rate", None)]
)
def test_items_agree_with_compare(metric, positive):
    settings = {"metric": metric, "positive": positive, "rope": 0.02, **FEW}
    ranking = lk.rank(*LABELS.columns, systems=["x", "y", "z"], **settings)
    assert ranking.systems == ("x", "y", "z")
    for comparison in ranking.comparisons:
        names = comparison.settings.systems
        predictions = [LABELS.predictions["xyz".index(name)] for name in names]
        alone = lk.compare(LABELS.gold, *predictions, systems=list(names), **settings)
        pair, other = comparison.to_dict(), alone.to_dict()
        for key in ("difference", "probability", "verdict", "estimates"):
            assert pair[key] == other[key]


def test_the_best_of_two_on_items():
    settings = {"metric": "accuracy", "draws": 20_000, "seed": 0}
    columns = LABELS.columns[0], LABELS.columns[1], LABELS.columns[3]
    ranking = lk.rank(*columns, **settings)
    better = ranking.comparisons[0].probability.better
    assert ranking.ranks.best[1] == pytest.approx(better, abs=0.02)


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
    ranking = lk.rank(frame, gold="gold", systems=names[1:], metric="accuracy", **FEW)
    plain = lk.rank(*LABELS.columns, metric="accuracy", systems=names[1:], **FEW)
    assert ranking.to_dict() == plain.to_dict()


def test_same_seed_same_bytes_on_items():
    first, second, third = (
        json.dumps(
            lk.rank(*LABELS.columns, metric="accuracy", draws=1000, seed=seed).to_dict()
        )
        for seed in (5, 5, 6)
    )
    assert first == second
    assert first != third


def test_systems_far_below_do_not_change_the_best():
    """The prior of all systems together weighs no more than that of two."""
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 2, 300)
    accuracies = (0.93, 0.90, 0.7, 0.75, 0.8, 0.72, 0.71, 0.7, 0.7, 0.7, 0.7, 0.7)
    predictions = [np.where(rng.random(300) < a, gold, 1 - gold) for a in accuracies]
    shares = []
    for count in (2, 4, 8, 12):
        names = [f"s{i}" for i in range(count)]
        settings = {"systems": names, "metric": "accuracy", "seed": 0, "draws": 4000}
        ranking = lk.rank(gold, *predictions[:count], **settings)
        shares.append(ranking.ranks.best[0])
    assert np.ptp(shares) < 0.04


# --- what is refused -----------------------------------------------------------


BAD = {
    "one-system": ((ONE,), {"systems": ["a"]}, "at least two systems"),
    "no-system": ((ONE,), {"systems": []}, "at least two systems"),
    "unknown": (
        (ONE,),
        {"systems": ["a", "x"]},
        "system must be one of a, b, c, d; got 'x'",
    ),
    "same": ((ONE,), {"systems": ["a", "a"]}, "systems must be different"),
    "alpha": ((ONE,), {"alpha": 1.5}, "alpha must lie strictly between 0 and 1"),
    "alpha-zero": ((ONE,), {"alpha": 0}, "alpha must lie strictly between 0 and 1"),
    "alpha-many": ((SCORED,), {"alpha": 0}, "alpha must"),
    "threshold": ((ONE,), {"threshold": 2}, "threshold must lie between 0 and 1"),
    "negative": ((ONE,), {"threshold": -0.1}, "threshold must lie between 0 and 1"),
    "nan": ((ONE,), {"threshold": float("nan")}, "threshold must lie between 0 and 1"),
    "no-metric": ((*LABELS.columns,), {}, "Predictions must come with a metric"),
    "method": (
        (*LABELS.columns,),
        {"metric": "accuracy", "method": "sign"},
        "method must come with scores",
    ),
    "other-kind": ((ONE,), {"method": methods.Paired()}, "one for scores of folds"),
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


def test_values_average_the_same_classes_as_the_differences():
    """The second says w once, which no item is."""
    columns = zip(*["xxx"] * 30, *["yyy"] * 30, *["zxz"] * 18, "xxw", strict=True)
    result = lk.rank(*map(list, columns), metric="macro_f1", draws=1000, seed=0)
    first, second = result.settings.data.observed
    (pair,) = result.comparisons
    assert second - first == pytest.approx(pair.difference)
    assert second > 0.98
