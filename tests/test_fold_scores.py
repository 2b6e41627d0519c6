"""compare_folds(): the method by the shape of the data, and its answers."""

import json
import random
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from tests.conftest import QUICK, bad_masses, bad_ropes
from tests.data.score_tables import drawn, rows, scores_of

from likelier import LikelierError, Outcomes, Scores, compare_folds
from likelier.errors import NotDefinedError, SettingError
from likelier.methods.folds.fold_tests import five_by_two_f, five_by_two_t, wilcoxon
from likelier.methods.folds.hierarchical_folds import HierarchicalFolds

ONE = drawn(runs=2, folds=5)
SCORED = drawn(sets=8, folds=1)
FOLDED = drawn(sets=2, folds=4)
FEW = {"draws": 2000, "seed": 0}


@cache
def folded():
    """The answer of the hierarchical model, which takes its time."""
    return compare_folds(FOLDED, rope=0.01, **FEW)


def parts(result):
    p = result.probability
    return [p.worse, p.equivalent, p.better]


def companions(result):
    return {c["name"]: c for c in result.to_dict().get("companions", [])}


# --- the method fits the data -------------------------------------------------


@pytest.mark.parametrize(
    ("table", "name", "why"),
    [
        (ONE, "correlated-t", "there is one data set with 10 folds"),
        (SCORED, "signed-rank", "there are 8 data sets with one score each"),
        (FOLDED, "hierarchical", "there are 2 data sets with 4 folds each"),
        (drawn(sets=3, folds=2), "signed-rank", "d0 has only 2 of the 3 folds"),
    ],
    ids=["one", "scored", "folded", "two-folds"],
)
def test_method_by_the_shape_of_the_data(table, name, why):
    result = folded() if table is FOLDED else compare_folds(table, rope=0.01, **FEW)
    method = result.to_dict(details=False)["method"]
    assert method["name"] == name
    assert why in method["reason"]
    assert f"method: {method['reason']}" in result.fold_lines()


def test_one_data_set_of_two_folds_decides_the_method():
    table = scores_of(
        rows(folds=4) + [["e", *row[1:]] for row in rows(folds=2, seed=2)]
    )
    result = compare_folds(table, **FEW)
    assert result.settings.reason == (
        "signed-rank on means, since e has only 2 of the 3 folds that the hierarchical "
        "model needs"
    )


def test_few_data_sets_are_a_problem_for_ranks_and_a_remark_on_a_population():
    (problem,) = compare_folds(drawn(sets=3, folds=1), **FEW).findings
    assert (problem.code, problem.severity) == ("LIK131", "warning")
    assert "too few for signs or ranks" in problem.message
    (remark,) = folded().findings
    assert (remark.code, remark.severity) == ("LIK131", "note")
    assert "say little of how data sets differ" in remark.message


@pytest.mark.parametrize("name", ["sign", "signed-rank"])
def test_method_by_name(name):
    result = compare_folds(FOLDED, method=name, **FEW)
    assert result.to_dict()["method"]["name"] == name
    assert "as asked for" in result.settings.reason


BAD = {
    "one-score": (drawn(folds=1), {}, "says nothing of how it would vary"),
    "hierarchical-one": (ONE, {"method": "hierarchical"}, "at least two data sets"),
    "sign-one": (
        ONE,
        {"method": "sign"},
        "sign must have at least two data sets; got 1",
    ),
    "rank-one": (
        ONE,
        {"method": "signed-rank"},
        "signed-rank must have at least two data sets",
    ),
    "t-many": (FOLDED, {"method": "correlated-t"}, "must have one data set; got 2"),
    "t-one-fold": (drawn(folds=1), {"method": "correlated-t"}, "at least 2 folds"),
    "two-folds": (
        drawn(sets=3, folds=2),
        {"method": "hierarchical"},
        "at least 3 folds for this method; 'd0' has 2",
    ),
    "method": (ONE, {"method": "paired"}, "method must be one of correlated-t, "),
    "near": (ONE, {"method": "correlated_t"}, "Did you mean correlated-t?"),
    "rule": (ONE, {"rule": "nope"}, "rule must be one of bayes-test, hdi-rope, "),
    "three": (drawn(systems="abc"), {}, "two systems to compare; got 3: a, b, c"),
    "unknown": (ONE, {"systems": ["a", "x"]}, "system must be one of a, b; got 'x'"),
    "same": (ONE, {"systems": ["a", "a"]}, "systems must be different; got a, a"),
    "one": (ONE, {"systems": ["a"]}, "There must be two systems"),
    "draws": (SCORED, {"draws": 0}, "draws must be a whole number of at least 1"),
    "seed": (SCORED, {"seed": -1}, "seed must be a whole number of at least 0"),
    "data": ([1, 2], {}, "data must be Scores, or a data frame"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_refused(name):
    data, settings, message = BAD[name]
    with pytest.raises(LikelierError) as caught:
        compare_folds(data, **settings)
    assert message in str(caught.value)


NEEDLESS = {
    "repetitions": 3,
    "margin": 0.01,
    "positive": "y",
    "cluster": [1, 2],
    "id": "id",
    "rho1": 0.3,
    "rho2": 0.3,
    "interval": "equal-tailed",
}


@pytest.mark.parametrize("name", NEEDLESS)
def test_what_only_counts_have_is_refused(name):
    with pytest.raises(SettingError, match=f"{name} must come with counts or"):
        compare_folds(ONE, **{name: NEEDLESS[name]})


def test_scores_know_their_metric_and_counts_do_not():
    with pytest.raises(SettingError, match="Scores know their metric"):
        compare_folds(ONE, metric="f1")
    counts = Outcomes.from_statistics({"tp": [[1, 2]], "fp": [[0, 1]], "fn": [[1, 1]]})
    for data in ([counts], ["aab", "abb", "aaa"]):
        with pytest.raises(SettingError, match="must come with a metric"):
            compare_folds(*data)


def test_hints_do_not_lead_in_a_circle():
    with pytest.raises(NotDefinedError) as caught:
        compare_folds(drawn(folds=1), method="correlated-t")
    assert "signed-rank" not in (caught.value.hint or "")


@given(bad_ropes())
@QUICK
def test_bad_ropes(rope):
    with pytest.raises(SettingError, match="rope must"):
        compare_folds(ONE, rope=rope)


@given(bad_masses())
@QUICK
def test_bad_masses(mass):
    with pytest.raises(SettingError, match="mass must lie strictly between 0 and 1"):
        compare_folds(ONE, mass=mass)


# --- one data set ---------------------------------------------------------------


@given(
    st.integers(3, 12),
    st.integers(0, 10_000),
    st.sampled_from([None, 0.01, (-0.02, 0.005)]),
)
@QUICK
def test_correlated_t_is_a_student_law(folds, seed, rope):
    table = drawn(folds=folds, seed=seed)
    gap = table.differences()[0]
    scale = gap.std(ddof=1) * np.sqrt(1 / folds + 1 / (folds - 1))
    law = stats.t(folds - 1, gap.mean(), scale)
    low, high = {None: (0, 0), 0.01: (-0.01, 0.01)}.get(rope, rope)
    result = compare_folds(table, rope=rope)
    expected = [law.cdf(low), law.cdf(high) - law.cdf(low), law.sf(high)]
    assert parts(result) == pytest.approx(expected, abs=1e-12)
    assert tuple(result.hdi) == pytest.approx(law.interval(0.95), rel=1e-9)
    assert companions(result)["corrected resampled t"]["p_value"] == pytest.approx(
        2 * law.cdf(-abs(gap.mean()) + gap.mean()), rel=1e-9
    )


def test_share_tested_widens_the_answer():
    narrow = compare_folds(scores_of(rows(), test_share=0.1))
    wide = compare_folds(scores_of(rows(), test_share=0.5))
    ratio = wide.posterior.difference.std() / narrow.posterior.difference.std()
    assert ratio == pytest.approx(np.sqrt((1 / 5 + 1) / (1 / 5 + 1 / 9)))


def test_five_by_two_comes_with_its_tests():
    tests = companions(compare_folds(drawn(runs=5, folds=2)))
    gaps = drawn(runs=5, folds=2).differences()[0].reshape(5, 2)
    assert list(tests) == ["corrected resampled t", "5x2cv t", "5x2cv F"]
    assert tests["5x2cv t"]["p_value"] == five_by_two_t(gaps).p_value
    assert tests["5x2cv F"]["p_value"] == five_by_two_f(gaps).p_value
    assert "5x2cv t" not in companions(compare_folds(drawn(runs=1, folds=10)))


@pytest.mark.parametrize("seed", range(4))
def test_five_by_two_pairs_the_folds_of_a_run_in_any_order_of_rows(seed):
    table = rows(runs=5, folds=2)
    expected = companions(compare_folds(scores_of(table)))
    first, *rest = table
    random.Random(seed).shuffle(rest)
    tests = companions(compare_folds(scores_of([first, *rest])))
    for name in ("5x2cv t", "5x2cv F"):
        assert tests[name]["p_value"] == pytest.approx(expected[name]["p_value"])


def test_two_folds():
    # One degree of freedom: the Student law has no standard deviation.
    result = compare_folds(Scores.from_arrays([0.1, 0.2], [0.2, 0.25]), rope=0.01)
    document = result.to_dict()
    assert document["difference"]["sd"] is None
    assert json.dumps(document, allow_nan=False)
    assert result.verdict.name == "undecided"
    assert "+0.0750" in result.sentence()


def test_folds_that_all_differ_by_the_same_amount():
    result = compare_folds(Scores.from_arrays([0.80] * 5, [0.85] * 5), rope=0.01)
    assert [f.code for f in result.findings] == ["LIK130"]
    assert "'data'" in result.findings[0].message
    (test,) = companions(result).values()
    assert test["p_value"] is None
    assert "All 5 folds differ by the same 0.05: they vary by 0." in test["reason"]
    assert result.verdict.name == "better"
    assert json.dumps(result.to_dict(), allow_nan=False)


@pytest.mark.parametrize(
    ("first", "step"),
    [([0.1, 0.2, 0.3, 0.7], 0.1), ([0.81, 0.72, 0.93, 0.84], 0.03)],
)
def test_rounding_makes_no_folds_vary(first, step):
    # 0.2 - 0.1 and 0.3 - 0.2 differ in the last digit only.
    second = [round(score + step, 2) for score in first]
    result = compare_folds(Scores.from_arrays(first, second), rope=0.01)
    assert [f.code for f in result.findings] == ["LIK130"]
    assert result.posterior.difference.std() > 1e-3


# --- identical systems ------------------------------------------------------------


@pytest.mark.parametrize(
    "table",
    [
        [0.8, 0.7, 0.9, 0.85],
        [0.8] * 4,
        [[0.8], [0.7], [0.9]],
        [[0.81, 0.72, 0.93, 0.84], [0.71, 0.62, 0.53, 0.64]],
    ],
    ids=["folds", "constant", "scored", "hierarchical"],
)
def test_identical_systems(table):
    result = compare_folds(Scores.from_arrays(table, table), **FEW)
    assert parts(result) == pytest.approx([0.5, 0.0, 0.5], abs=1e-12)
    assert result.verdict.name == "undecided"
    assert "LIK106" in [f.code for f in result.findings]
    assert result.findings[0].severity == "warning"
    for companion in companions(result).values():
        assert companion["p_value"] in (None, 1.0)
    assert any(c["p_value"] == 1.0 for c in companions(result).values())


@pytest.mark.parametrize(
    "table", [ONE.datasets[0].values[:, 0], [[0.8], [0.7], [0.9]]], ids=["one", "many"]
)
def test_identical_systems_are_equivalent_with_a_rope(table):
    result = compare_folds(Scores.from_arrays(table, table), rope=0.02, **FEW)
    assert result.verdict.name == "equivalent"
    assert result.difference == 0


# --- many data sets ---------------------------------------------------------------


def test_one_score_each():
    result = compare_folds(SCORED, rope=0.01, **FEW)
    gaps = np.array([gap[0] for gap in SCORED.differences()])
    tests = companions(result)
    assert tests["Wilcoxon"]["p_value"] == wilcoxon(gaps).p_value
    assert sum(tests["Bayesian sign"]["probability"].values()) == pytest.approx(1)
    assert result.to_dict()["method"]["draws"] == 2000
    assert "draws 2000 seed 0" in str(result.recipe)


@pytest.mark.parametrize("method", ["sign", "signed-rank"])
def test_same_seed_same_answer(method):
    one, other = (
        compare_folds(SCORED, rope=0.01, method=method, draws=500, seed=seed).to_dict()
        for seed in (1, 1)
    )
    assert one == other
    third = compare_folds(SCORED, rope=0.01, method=method, draws=500, seed=2).to_dict()
    assert third["difference"]["mean"] != one["difference"]["mean"]


def test_hierarchical_draws_nothing():
    document = folded().to_dict()
    other = compare_folds(FOLDED, rope=0.01).to_dict()
    assert json.dumps(document) == json.dumps(other)
    assert "draws" not in document["method"]
    assert "seed" not in document["recipe"]
    assert list(companions(folded())) == ["Wilcoxon"]


def test_hierarchical_lists_its_data_sets_and_the_next_one():
    table = scores_of(
        rows(folds=6) + [["e", *row[1:]] for row in rows(folds=3, seed=2)]
    )
    document = compare_folds(table, rope=0.01).to_dict()
    assert [row["name"] for row in document["data_sets"]] == ["d0", "e"]
    assert [row["folds"] for row in document["data_sets"]] == [6, 3]
    for row, gap in zip(document["data_sets"], table.differences(), strict=True):
        assert row["value"] == pytest.approx(gap.mean())
        assert row["alone"]["low"] < row["value"] < row["alone"]["high"]
        assert row["interval"]["low"] < row["median"] < row["interval"]["high"]
    next_one = document["predictive"]
    shares = [next_one[key] for key in ("worse", "equivalent", "better")]
    assert sum(shares) == pytest.approx(1, abs=1e-6)
    assert sum(document["probability"].values()) == pytest.approx(1, abs=1e-6)
    assert {"delta0", "sigma0", "nu"} == set(document["population"])
    assert document["quadrature"]["error"] <= 1e-4
    assert "LIK131" in [f["code"] for f in document["findings"]]
    assert json.dumps(document, allow_nan=False)


# --- properties --------------------------------------------------------------------


@given(st.integers(0, 1000), st.sampled_from([None, 0.01, (-0.01, 0.03)]))
@QUICK
def test_swapped_systems_mirror_the_answer(seed, rope):
    table = drawn(folds=6, seed=seed, gain=0.01)
    turned = rope if not isinstance(rope, tuple) else (-rope[1], -rope[0])
    one = compare_folds(table, rope=rope)
    other = compare_folds(table, systems=["b", "a"], rope=turned)
    assert parts(one) == pytest.approx(parts(other)[::-1], abs=1e-14)
    assert one.difference == -other.difference
    assert tuple(one.hdi) == pytest.approx((-other.hdi.high, -other.hdi.low))
    mirrored = {"better": "worse", "leans better": "leans worse"}
    mirrored |= {name: mirrored_name for mirrored_name, name in mirrored.items()}
    assert other.verdict.name == mirrored.get(one.verdict.name, one.verdict.name)


@pytest.mark.parametrize("table", [SCORED, FOLDED], ids=["scored", "folded"])
def test_swapped_systems_mirror_the_answer_over_data_sets(table):
    one = folded() if table is FOLDED else compare_folds(table, rope=0.01, **FEW)
    other = compare_folds(table, systems=["b", "a"], rope=0.01, **FEW)
    assert parts(one) == pytest.approx(parts(other)[::-1], abs=1e-4)


@pytest.mark.parametrize("settings", [{"folds": 6}, {"sets": 6, "folds": 1}])
def test_lower_is_better_is_higher_on_negated_scores(settings):
    table = rows(**settings)
    lower = scores_of(table, higher_is_better=False)
    higher = scores_of([[*row[:4], -row[4]] for row in table])
    one, other = (compare_folds(t, rope=0.01, **FEW) for t in (lower, higher))
    assert parts(one) == parts(other)
    assert one.difference == other.difference < 0
    assert one.hdi == other.hdi
    assert one.verdict.name == "worse"
    assert one.settings.data.observed == tuple(
        -value for value in other.settings.data.observed
    )
    assert "lower is better" in one.recipe
    assert "lower is better" not in other.recipe


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "settings", [{"runs": 2, "folds": 4}, {"sets": 6, "folds": 1}], ids=["one", "many"]
)
def test_order_of_rows_is_irrelevant(settings, seed):
    # The digest may change: it knows the order of data sets.
    table = rows(**settings)
    first, *rest = table
    random.Random(seed).shuffle(rest)
    wide = {"draws": 20_000, "seed": 0}
    one = compare_folds(scores_of(table), rope=0.03, **wide)
    other = compare_folds(scores_of([first, *rest]), rope=0.03, **wide)
    exact = settings.get("sets") is None
    assert parts(one) == pytest.approx(parts(other), abs=1e-12 if exact else 0.02)
    assert one.difference == pytest.approx(other.difference)
    assert one.verdict == other.verdict
    for name, companion in companions(one).items():
        assert companions(other)[name]["p_value"] == pytest.approx(companion["p_value"])


def test_order_of_data_sets_is_irrelevant_to_the_hierarchical_model():
    table = rows(sets=2, folds=4)
    settings = {"rope": 0.01, "method": HierarchicalFolds(tolerance=1e-2)}
    one = compare_folds(scores_of(table), **settings)
    turned = [row for name in ("d1", "d0") for row in table if row[0] == name]
    other = compare_folds(scores_of(turned), **settings)
    assert parts(one) == pytest.approx(parts(other), abs=1e-4)


@pytest.mark.parametrize(
    ("rope", "name"),
    [
        (1e6, "equivalent"),
        (0, "better"),
        ((-0.5, 0), "better"),
        ((0, 0.5), "equivalent"),
    ],
)
def test_ropes_of_all_sizes(rope, name):
    result = compare_folds(ONE, rope=rope)
    assert result.verdict.name == name
    ends = [-rope, rope] if not isinstance(rope, tuple) else list(rope)
    assert result.to_dict()["rope"] == ends


def test_huge_rope_over_data_sets():
    result = compare_folds(FOLDED, rope=1e6)
    assert result.verdict.name == "equivalent"
    assert result.probability.equivalent == pytest.approx(1)


@pytest.mark.parametrize("rule", ["region-mass", "regions", "hdi-rope", "zhang"])
def test_rules(rule):
    result = compare_folds(ONE, rope=0.001, rule=rule)
    assert result.verdict.rule == rule
    assert result.verdict.name == "better"
    assert f"rule {rule}" in str(result.recipe)


# --- texts, JSON and frames ---------------------------------------------------------


def test_json():
    document = compare_folds(ONE, rope=0.01).to_dict()
    assert document["kind"] == "comparison"
    assert document["systems"] == ["a", "b"]
    assert (document["metric"], document["datasets"], document["items"]) == (
        "score",
        1,
        10,
    )
    assert document["rope"] == [-0.01, 0.01]
    assert document["bayes_factor"] is None
    assert document["outlook"] is None
    assert [e["value"] for e in document["estimates"]] == ONE.observed.tolist()
    assert sum(document["probability"].values()) == pytest.approx(1)
    gap = document["difference"]
    assert gap["interval"]["low"] < gap["value"] < gap["interval"]["high"]
    assert json.dumps(document, allow_nan=False)


def test_texts_and_frames():
    result = compare_folds(ONE, rope=0.01)
    assert repr(result) == f"<Comparison ≫ {result.sentence()}>"
    assert result.sentence().startswith("b is better than a on score: ")
    assert "1 data set, 10 folds" in result.settings.data.size
    frame = result.frame("polars")
    table = dict(zip(frame["name"], frame["value"], strict=True))
    assert table["probability.better"] == result.probability.better
    assert table["estimates.a.value"] == ONE.observed[0]
    assert "b is <strong>better</strong> than a" in result._repr_html_()


def test_frames_are_scores():
    pandas = pytest.importorskip("pandas")
    header = ("dataset", "run", "fold", "system", "score")
    frame = pandas.DataFrame(rows(runs=2, folds=5), columns=header)
    assert compare_folds(frame).to_dict() == compare_folds(ONE).to_dict()


@pytest.mark.parametrize("method", ["sign", "signed-rank"])
def test_differences_on_the_edge_of_the_rope_stay_there(method):
    """0.81 - 0.80 is more than 0.01 by rounding only."""
    first = np.array([0.80, 0.90, 0.70, 0.50, 0.33, 0.28, 0.57, 0.61, 0.44, 0.92])
    table = Scores.from_arrays(
        first, np.round(first + 0.01, 2), datasets=list("abcdefghij")
    )
    result = compare_folds(table, rope=0.01, method=method, seed=0, draws=400)
    assert result.probability.equivalent == 1


def test_five_runs_of_two_holdouts_are_not_5x2():
    rng = np.random.default_rng(0)
    first, second = rng.normal(0.8, 0.01, (2, 10))
    halves = Scores.from_arrays(first, second, runs=5)
    names = [c.name for c in compare_folds(halves).companions]
    assert names == ["corrected resampled t", "5x2cv t", "5x2cv F"]
    fifths = Scores.from_arrays(first, second, runs=5, test_share=0.2)
    assert [c.name for c in compare_folds(fifths).companions] == names[:1]
