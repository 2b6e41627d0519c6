"""First answers that people see: none is surer than its data."""

import numpy as np
import pytest
from scipy import stats

import likelier as lk
from likelier import LikelierError, Outcomes
from likelier.report.gate import judge

FAST = {"draws": 2000, "seed": 0}


def scores_of(wins, losses, n):
    """Return 0/1 scores: so many right for the second only, for the first only."""
    ties = n - wins - losses
    first = [0.0] * wins + [1.0] * losses + [1.0] * ties
    second = [1.0] * wins + [0.0] * losses + [1.0] * ties
    return first, second


def test_one_score_of_fifty_that_differs_decides_nothing():
    first = [0.5] * 50
    second = [0.6, *first[1:]]
    result = lk.compare(first, second, metric="mean", **FAST)
    assert result.verdict.name == "undecided"
    assert 0.5 < result.probability.better < 0.9
    assert judge("verdict == 'better'", result).code == 3
    assert judge("P(better) > 0.95", result).code == 3


@pytest.mark.parametrize(("n", "right"), [(30, 0.95), (30, 0.8), (100, 0.95)])
def test_equal_systems_seldom_have_a_winner(n, right):
    """Added up over all tables that two independent systems make; nominally .05."""
    share, alarms = right * (1 - right), 0.0
    for losses in range(n):
        for wins in range(losses + 1, n - losses):
            only = stats.binom.pmf(losses, n, share)
            chance = only * stats.binom.pmf(wins, n - losses, share / (1 - share))
            if chance < 1e-5 or wins < 4:
                continue
            data = scores_of(wins, losses, n)
            # By draws the table of a winner is found within one or two items.
            if stats.beta.cdf(0.5, wins + 1, losses + 1) > 0.04:
                continue
            result = lk.compare(*data, metric="mean", draws=4000, seed=0)
            alarms += 2 * chance * (result.verdict.name == "better")
    assert alarms <= 0.055


@pytest.mark.parametrize("classes", [2, 15, 20])
def test_the_number_of_classes_does_not_make_an_answer_sure(classes):
    gold = [f"{i % classes:02}" for i in range(60)]
    first = ["01", *gold[1:]]
    result = lk.compare(gold, first, gold, metric="accuracy", **FAST)
    assert result.probability.better == pytest.approx(0.75, abs=0.03)


def test_values_lie_in_their_intervals_with_ten_classes():
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 10, 899).astype(str)
    wrong = np.arange(899) < 11
    second = np.where(wrong, ((gold.astype(int) + 1) % 10).astype(str), gold)
    first = np.where(rng.random(899) < 0.95, gold, "0")
    for prior in (None, "objective", "uniform"):
        result = lk.compare(gold, first, second, metric="macro_f1", prior=prior, **FAST)
        for _, value, (low, high) in result.per_system:
            assert low <= value <= high
            assert high - low < 0.05
    codes = [finding.code for finding in result.findings]
    assert {"LIK116", "LIK118"} <= {*codes}  # uniform outweighs and moves
    assert result.verdict.reason == "the prior outweighs the data"


def test_ten_positives_that_are_all_right():
    gold = ["yes"] * 10 + ["no"] * 1990
    first = [*gold[:8], "no", "no", *gold[10:]]
    settings = {"metric": "f1", "positive": "yes", **FAST}
    result = lk.compare(gold, gold, first, **settings)
    estimate = lk.estimate(gold, gold, **settings)
    assert tuple(result.system_intervals[0]) == tuple(estimate.interval)
    assert estimate.interval.low > 0.75
    assert estimate.interval.high == pytest.approx(1)


def test_a_large_difference_is_not_shrunk():
    rng = np.random.default_rng(1)
    gold = rng.choice(["a", "b"], 200)
    first = np.where(rng.random(200) < 0.65, gold, np.where(gold == "a", "b", "a"))
    second = np.where(rng.random(200) < 0.92, gold, np.where(gold == "a", "b", "a"))
    result = lk.compare(gold, first, second, metric="accuracy", **FAST)
    mean = result.posterior.difference.mean()
    assert mean == pytest.approx(result.difference, rel=0.02)


def test_words_and_probabilities_of_a_small_difference_agree():
    first, second = scores_of(6, 2, 400)
    result = lk.compare(first, second, metric="mean", rope=0.025, **FAST)
    assert result.probability.most == "equivalent"
    assert result.verdict.name in ("equivalent", "leans equivalent")
    assert result.factor is None
    assert "evidence" not in " ".join(result.lines())


@pytest.mark.parametrize("condition", ["P(better) > 0.9", "verdict == 'better'"])
def test_one_draw_passes_no_gate(condition):
    first, second = scores_of(40, 2, 100)
    result = lk.compare(first, second, metric="mean", draws=1, seed=0)
    assert result.probability.better == 1
    assert judge(condition, result).code == 3
    more = lk.compare(first, second, metric="mean", **FAST)
    assert judge(condition, more).code == 0


@pytest.mark.parametrize("metric", ["accuracy", "macro_f1", "mcc", "f1"])
@pytest.mark.parametrize("method", ["paired", "unpaired"])
def test_exchanging_the_systems_exchanges_the_answer(metric, method):
    rng = np.random.default_rng(2)
    gold = rng.choice(["0", "1"], 70)
    first, second = (np.where(rng.random(70) < p, gold, "1") for p in (0.6, 0.7))
    settings = {"metric": metric, "method": method, "rope": 0.02, **FAST}
    there = lk.compare(gold, first, second, **settings)
    back = lk.compare(gold, second, first, **settings)
    close = {"abs": 0.0 if method == "paired" else 0.05}
    assert there.probability.better == pytest.approx(back.probability.worse, **close)
    assert there.hdi.low == pytest.approx(-back.hdi.high, **close)


def test_identical_systems_need_three_over_rope_items_to_be_equivalent():
    for n, expected in ((200, "equivalent"), (100, "undecided")):
        table = Outcomes.from_scores(*scores_of(0, 0, n))
        result = lk.compare(table, metric="mean", rope=3 / 150, draws=20_000, seed=0)
        assert result.verdict.name == expected


SAME = ["a"] * 40 + ["b"] * 20
TWO = ["a", "b"] * 30


def test_a_label_in_another_case_is_refused_in_a_few_rows_too():
    system = ["A", *TWO[1:]]
    with pytest.raises(LikelierError, match="only in case: 'A', 'a'"):
        lk.compare(TWO, SAME, system, metric="accuracy")
    other = ["c", *TWO[1:]]
    assert lk.compare(TWO, SAME, other, metric="accuracy", draws=1000, seed=0)


def test_of_equal_systems_none_is_ahead():
    result = lk.rank(TWO, SAME, SAME, ["a"] * 60, metric="accuracy", seed=0)
    first, second, _ = result.ranks.best
    assert first == pytest.approx(second, abs=0.02)
    worse = ["b", "a"] * 30
    assert (
        "none is ahead"
        in lk.rank(TWO, SAME, SAME, worse, metric="accuracy", seed=0).sentence()
    )


def test_systems_that_never_differ_have_no_outlook():
    result = lk.compare(TWO, SAME, SAME, metric="accuracy", rope=0.01, seed=0)
    assert result.verdict.open
    assert result.outlook is None


@pytest.mark.parametrize(("n", "strength"), [(15, 1), (60, 10)])
def test_what_pulls_the_difference_is_named(n, strength):
    gold, first = TWO[:n], SAME[:n]
    result = lk.compare(
        gold, first, gold[::-1], metric="accuracy", strength=strength, seed=0
    )
    (finding,) = [f for f in result.findings if f.code == "LIK113"]
    assert ("strength" in finding.message) == (strength > 1)


def test_a_single_draw_gives_no_percentage():
    result = lk.compare(TWO, SAME, TWO[::-1], metric="accuracy", draws=1, seed=0)
    assert "%" not in result.probabilities_line()


def test_a_bayes_test_is_never_asked_for_better():
    result = lk.compare(
        TWO, SAME, TWO[::-1], metric="accuracy", rule="bayes-test", draws=1000, seed=0
    )
    with pytest.raises(LikelierError, match="Bayes test") as error:
        judge("verdict == 'better' or P(better) > 0.9", result)
    assert "hdi-rope" in error.value.hint
    assert judge("verdict != 'more probably better'", result).code in (0, 1, 3)
