"""The Bayes test of m x 2 folds: evidence, hypotheses, margins, and pairs."""

import math
import random
from dataclasses import replace

import numpy as np
import pytest

import likelier as lk
from likelier import Outcomes, methods
from likelier._folds import fold_weight
from likelier.decision import TESTED, Hypotheses
from likelier.designs import effective_share
from likelier.designs.effective import RHO1, RHO2
from likelier.distribution import Draws
from likelier.errors import LikelierError, SettingError
from likelier.findings import Finding
from likelier.methods.items.dirichlet import Paired
from likelier.readers.fold_counts import read_counts, read_fold_predictions
from likelier.settings import FoldWeight

FOLDS = {
    "tp": [[80, 84], [78, 83]],
    "fp": [[20, 17], [22, 16]],
    "fn": [[20, 16], [22, 17]],
}
TABLE = Outcomes.from_statistics(FOLDS, systems=["a", "b"])


def result_of(table=TABLE, **settings):
    settings = {"metric": "f1", "repetitions": 1} | settings
    return lk.compare_folds(table, **settings)


def labels(n=600, seed=0, same=0.85):
    """Gold and two systems; the second mostly agrees with the first."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(2, size=n)
    first = np.where(rng.random(n) < 0.75, gold, 1 - gold)
    second = np.where(rng.random(n) < same, first, gold)
    return [["ny"[value] for value in column] for column in (gold, first, second)]


# --- evidence ----------------------------------------------------------------


def test_a_hold_out_counts_in_full():
    weight = fold_weight(None, rho1=RHO1, rho2=RHO2)
    assert weight == FoldWeight(1.0)
    assert str(weight) == "hold-out share 1"
    result = result_of(repetitions=None)
    whole = lk.compare(TABLE, metric="f1", method="independent")
    assert result.posterior == whole.posterior
    assert "| hold-out share 1 |" in result.recipe
    assert "share" not in whole.recipe


@pytest.mark.parametrize("m", [1, 2, 3, 7])
def test_folds_count_by_their_share(m):
    share = effective_share(m)
    weight = fold_weight(m, rho1=RHO1, rho2=RHO2)
    assert weight.share == share
    text = f"{m}x2 folds rho1 0-0.5 rho2 0.25-0.5 share {share:.8g}"
    assert str(weight) == text
    result = result_of(repetitions=m)
    assert f"| {text} |" in result.recipe
    scaled = lk.compare(TABLE.scaled(share), metric="f1", method="independent")
    assert result.posterior == scaled.posterior


@pytest.mark.parametrize(("rho1", "rho2"), [(0.3, 0.4), (1, 1), (0, 0), (0.5, 0.25)])
def test_fixed_correlations(rho1, rho2):
    weight = fold_weight(3, rho1=rho1, rho2=rho2)
    assert weight.share == pytest.approx(1 / (1 + rho1 + 4 * rho2))
    assert str(weight).startswith(f"3x2 folds rho1 {rho1:g} rho2 {rho2:g} share ")


def test_correlations_may_be_a_list():
    assert (
        result_of(rho1=[0.0, 0.5], rho2=[0.25, 0.5]).posterior == result_of().posterior
    )


def test_less_evidence_is_less_sure():
    widths = [
        result_of(repetitions=3, rho1=rho, rho2=rho).system_intervals[0].width
        for rho in (0.0, 0.3, 1.0)
    ]
    assert widths == sorted(widths)
    assert widths[0] < widths[-1]


@pytest.mark.parametrize("m", [0, -1, 1.5, True])
def test_repetitions_are_a_whole_number(m):
    with pytest.raises(SettingError, match="whole number of at least 1"):
        result_of(repetitions=m)


@pytest.mark.parametrize("name", ["rho1", "rho2"])
@pytest.mark.parametrize("rho", [-0.1, 1.1, (0.5, 0.25), (0, 2), "x", float("nan")])
def test_correlations_lie_between_0_and_1(name, rho):
    with pytest.raises(SettingError, match=f"{name} must be a number or"):
        result_of(**{name: rho})


def test_repetitions_come_from_the_table(tmp_path):
    path = tmp_path / "counts.csv"
    lines = ["system,repetition,fold,tp,fp,fn"]
    for i in range(6):
        lines += [f"{s},{i // 2},{i % 2},{60 + j},10,40" for j, s in enumerate("ab")]
    path.write_text("\n".join(lines) + "\n")
    reading = read_counts(path)
    assert reading.repetitions == 3
    result = result_of(reading.outcomes, repetitions=reading.repetitions)
    assert f"3x2 folds rho1 0-0.5 rho2 0.25-0.5 share {effective_share(3):.8g}" in str(
        result.recipe
    )
    assert result.settings.data.size.startswith("6 folds")
    # The reader's remark, and nothing else: the counts have 100 and 101 items.
    assert result.findings == reading.outcomes.findings
    assert [finding.code for finding in result.findings] == ["LIK123"]


# --- hypotheses --------------------------------------------------------------


def test_hypotheses_are_the_sides_of_the_margin():
    result = result_of(margin=0.02)
    difference = result.posterior.difference
    assert result.hypotheses.h0 == difference.share_below(0.02)
    assert result.hypotheses.h1 == difference.share_above(0.02)
    assert result.hypotheses.margin == 0.02
    assert result.hypotheses.h0 + result.hypotheses.h1 == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("margin", [-0.2, -0.05, 0.0, 0.03, 0.04, 0.05, 0.2])
def test_verdict_is_the_decision(margin):
    result = result_of(margin=margin)
    hypotheses = result.hypotheses
    assert hypotheses.decision == ("H1" if hypotheses.h1 > 0.5 else "H0")
    expected = {"H1": ("≳", TESTED[0]), "H0": ("≲", TESTED[1])}[hypotheses.decision]
    assert (result.verdict.symbol, result.verdict.name) == expected
    assert result.verdict.rule == result.rule == "bayes-test"
    document = result.to_dict()
    assert document["hypotheses"] == {
        "h0": hypotheses.h0,
        "h1": hypotheses.h1,
        "decision": hypotheses.decision,
        "margin": margin,
    }
    assert document["verdict"]["symbol"] == expected[0]


def test_margins_order_the_hypotheses():
    chances = [
        result_of(margin=x).hypotheses.h1 for x in (-0.05, 0, 0.01, 0.05, 0.5, 2)
    ]
    assert chances == sorted(chances, reverse=True)
    assert chances[-1] == 0


def test_a_tie_accepts_h0():
    assert Hypotheses(0.5, 0.5).decision == "H0"
    assert Hypotheses(0.5, 0.5).verdict(0.95).name == TESTED[1]


def test_draws_at_the_margin_belong_to_h0():
    hypotheses = Hypotheses.of(Draws(np.array([-0.1, 0.0, 0.0, 0.1, 0.2])), 0.0)
    assert (hypotheses.h0, hypotheses.h1) == (pytest.approx(0.6), pytest.approx(0.4))


def test_texts_state_the_hypotheses():
    result = result_of()
    assert result.headline().startswith("b is more probably better than a")
    worse = result_of(TABLE.swapped()).headline()
    assert worse.startswith("b is more probably not better than a")
    line = result.hypotheses_line()
    assert line.startswith("P(H0, not better) 0.09")
    assert line.endswith("accept H1")
    assert "accept H1" in result._repr_html_()


@pytest.mark.parametrize("margin", [0.03, 0.1])
def test_texts_state_the_margin(margin):
    # b is better with 90 %; that it is not by 0.1 must not read as 'not better'.
    result = result_of(margin=margin)
    assert f"by more than {margin:g}" in result.hypotheses_line()
    assert f"by more than {margin:g}" in result.headline()
    assert f"by more than {margin:g}" in result.sentence()


def test_the_recipe_has_margin_and_interval():
    assert "margin 0.03" in result_of(margin=0.03).recipe
    assert "equal-tailed" in result_of(interval="equal-tailed").recipe


def test_other_rules_may_be_named():
    result = result_of(rule="hdi-rope", rope=0.01)
    assert result.verdict.rule == "hdi-rope"
    assert result.hypotheses is not None


def test_a_comparison_has_no_hypotheses():
    result = lk.compare(TABLE, metric="f1", method="independent", rule="bayes-test")
    assert result.hypotheses is result.hypotheses_line() is None
    assert "hypotheses" not in result.to_dict()
    assert result.verdict.name == TESTED[0]


@pytest.mark.parametrize("margin", [float("nan"), float("inf"), -float("inf")])
def test_a_margin_is_finite(margin):
    with pytest.raises(SettingError, match="margin must be a finite number"):
        result_of(margin=margin)


@pytest.mark.parametrize("metric", ["precision", "recall", "f1", "f2", "jaccard"])
def test_exchanged_systems_exchange_the_hypotheses(metric):
    ours, theirs = result_of(metric=metric), result_of(TABLE.swapped(), metric=metric)
    assert ours.hypotheses.h0 == theirs.hypotheses.h1
    assert ours.hypotheses.h1 == theirs.hypotheses.h0


@pytest.mark.parametrize("metric", ["precision", "recall", "f1"])
def test_equal_counts_leave_it_open(metric):
    same = Outcomes.from_statistics({k: [[x[0][0]] * 2] for k, x in FOLDS.items()})
    result = result_of(same, metric=metric, repetitions=None)
    assert result.hypotheses.h0 == result.hypotheses.h1 == 0.5
    assert result.hypotheses.decision == "H0"
    assert result.verdict.name == TESTED[1]


# --- intervals ---------------------------------------------------------------


@pytest.mark.parametrize("kind", ["hdi", "equal-tailed"])
def test_kinds_of_intervals(kind):
    result = result_of(interval=kind, mass=0.9)
    for law, interval in zip(
        result.posterior.systems, result.system_intervals, strict=True
    ):
        expected = law.hdi(0.9) if kind == "hdi" else law.interval(0.9)
        assert interval == expected
        assert interval.kind == kind
    assert result.hdi.kind == "hdi"
    for estimate in result.to_dict()["estimates"]:
        assert estimate["interval"]["kind"] == kind


@pytest.mark.parametrize("kind", ["confidence", "HDI", "x"])
def test_unknown_kinds_of_intervals_are_refused(kind):
    with pytest.raises(SettingError, match="interval must be"):
        result_of(interval=kind)


# --- pairs -------------------------------------------------------------------


def fold_file(tmp_path, seed=0, **settings):
    """Predictions of 3 x 2 folds as a file; every item is tested three times."""
    gold, first, second = labels(seed=seed, **settings)
    rng = random.Random(seed)
    lines = ["id,repetition,fold,gold,a,b"]
    for repetition in (1, 2, 3):
        for i, row in enumerate(zip(gold, first, second, strict=True)):
            fold = (i >> repetition) % 2 + 1
            lines.append(f"i{i},{repetition},{fold},{','.join(row)}")
    head, *rest = lines
    rng.shuffle(rest)
    path = tmp_path / "folds.csv"
    path.write_text("\n".join([head, *rest]) + "\n")
    return path


def test_paired_test_scales_the_joint_counts(tmp_path):
    reading = read_fold_predictions(fold_file(tmp_path))
    settings = {"positive": "y", "metric": "f1", "seed": 0, "draws": 4000}
    result = lk.compare_folds(
        reading.outcomes, method="paired", repetitions=reading.repetitions, **settings
    )
    share = effective_share(3)
    scaled = lk.compare(reading.outcomes.scaled(share), **settings)
    ours, theirs = (r.posterior.difference.values for r in (result, scaled))
    assert np.array_equal(ours, theirs)
    assert result.hdi == scaled.hdi
    assert result.probability == scaled.probability
    assert result.settings.data.items == 1800
    assert result.difference == pytest.approx(scaled.difference)
    assert "paired prior=" in result.recipe
    assert f"3x2 folds rho1 0-0.5 rho2 0.25-0.5 share {share:.8g}" in result.recipe


@pytest.mark.parametrize("metric", ["f1", "accuracy", "recall"])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_pairs_are_surer_than_independent_systems(tmp_path, metric, seed):
    reading = read_fold_predictions(fold_file(tmp_path, seed))
    settings = {"positive": "y", "metric": metric, "repetitions": 3, "seed": 0}
    paired, alone = (
        lk.compare_folds(reading.outcomes, method=method, draws=4000, **settings)
        for method in ("paired", "independent")
    )
    assert paired.hypotheses.decision == alone.hypotheses.decision == "H1"
    assert paired.hypotheses.h1 > alone.hypotheses.h1
    assert paired.hdi.width < 0.7 * alone.posterior.difference.interval(0.95).width
    assert paired.difference == alone.difference


@pytest.mark.parametrize("method", ["paired", "independent", "monte-carlo"])
@pytest.mark.parametrize("metric", ["f1", "accuracy"])
def test_identical_systems_leave_it_open(method, metric):
    gold, first, _ = labels(200)
    result = lk.compare_folds(
        *(gold, first, first),
        metric=metric,
        positive="y",
        repetitions=3,
        method=method,
        draws=4000,
        seed=0,
    )
    assert result.hypotheses.h0 == pytest.approx(0.5, abs=1e-12)
    assert result.hypotheses.h1 == pytest.approx(0.5, abs=1e-12)
    assert "LIK106" in [finding.code for finding in result.findings]


def test_arrays_of_predictions():
    gold, first, second = labels(200)
    settings = {"metric": "f1", "positive": "y", "repetitions": 3}
    settings |= {"systems": ["old", "new"], "draws": 500}
    result = lk.compare_folds(gold, first, second, method="independent", **settings)
    assert result.settings.systems == ("old", "new")
    assert result.posterior.difference.n_draws == 0
    # Both systems saw the same items.
    usual = lk.compare_folds(gold, first, second, **settings)
    assert usual.settings.method == "paired"
    assert usual.posterior.difference.n_draws == 500


def test_the_method_is_chosen_by_the_data(tmp_path):
    assert result_of().settings.method == "independent"
    reading = read_fold_predictions(fold_file(tmp_path))
    few = {"positive": "y", "repetitions": 3, "draws": 50}
    assert result_of(reading.outcomes, **few).settings.method == "paired"


def test_counts_of_folds_are_no_pairs():
    # Six folds are not six items: their spread is not that of the systems' errors.
    rows = np.array([[60 + i, 62 + i] for i in range(6)], dtype=float)
    table = Outcomes.from_statistics({"tp": rows, "fp": 100 - rows, "fn": 100 - rows})
    table = replace(table, unit="folds")
    for method in ("paired", "unpaired"):
        with pytest.raises(LikelierError, match="independent"):
            result_of(table, repetitions=3, method=method, seed=0, draws=500)


@pytest.mark.parametrize("method", ["bootstrap", "mcnemar", "randomization"])
def test_p_values_belong_elsewhere(method):
    with pytest.raises(SettingError, match=r"(?s)method must be.*null_test"):
        result_of(method=method)


@pytest.mark.parametrize("method", ["correlated-t", "hierarchical", "sign"])
def test_methods_of_scores_take_no_counts(method):
    with pytest.raises(SettingError, match=r"(?s)method must be.*takes scores"):
        result_of(method=method)


def test_monte_carlo_claims_no_more_than_its_draws_show():
    better = Outcomes.from_statistics(
        {"tp": [[100, 300]], "fp": [[300, 100]], "fn": [[9, 9]]}
    )
    drawn = result_of(
        better, repetitions=None, metric="precision", method="monte-carlo", draws=500
    )
    exact = result_of(better, repetitions=None, metric="precision")
    assert 0 < exact.hypotheses.h0 < 1e-30
    # No draw is below 0, which is no proof of impossibility.
    assert drawn.hypotheses.h0 == 0
    assert " 0 " not in f" {drawn.hypotheses_line()} "


def test_monte_carlo_agrees_within_its_error():
    for seed in range(3):
        drawn = result_of(method="monte-carlo", draws=20_000, seed=seed).hypotheses
        exact = result_of().hypotheses
        error = math.sqrt(exact.h0 * exact.h1 / 20_000)
        assert abs(drawn.h0 - exact.h0) < 4 * error


def test_findings_of_a_reader_are_passed_on():
    remark = Finding("LIK122", "the folds differ.")
    assert remark in result_of(replace(TABLE, findings=(remark,))).findings


def test_two_systems_only():
    three = Outcomes.from_statistics({k: [[*x[0], 1]] for k, x in FOLDS.items()})
    with pytest.raises(SettingError, match="two systems"):
        result_of(three)


WRONG_KINDS = {
    "items for scores": (lk.Scores.from_arrays([0.8, 0.9], [0.7, 0.9]), Paired(), None),
    "scores for items": (["a", "b"] * 9, methods.CorrelatedT(), "accuracy"),
    "sets for items": (["a", "b"] * 9, methods.HierarchicalFolds(), "accuracy"),
}


@pytest.mark.parametrize("kind", WRONG_KINDS)
def test_a_method_of_the_other_kind_of_data_is_refused(kind):
    data, method, metric = WRONG_KINDS[kind]
    columns = () if metric is None else (data, data)
    with pytest.raises(SettingError, match="method must be one"):
        lk.compare_folds(data, *columns, metric=metric, method=method)
