"""Tables 2-5 of Wang & Li (2019), doi:10.18653/v1/P19-1405, from the folds' counts.

The paper draws its probabilities, so they are off by up to .002; here they are compared
with sums in 20 digits that know nothing of the library. Its numbers are P(H0) as in
equation 31: Algorithm 1 prints the opposite sign.
"""

import json
import math
from functools import cache
from pathlib import Path

import mpmath as mp
import numpy as np
import pytest

import likelier as lk
from likelier.decision import TESTED

TASKS = json.loads(Path(__file__).with_name("wang_li_2019.json").read_text())["tasks"]
METRICS = ("precision", "recall", "f1")
CASES = [(task, index) for task in TASKS for index in range(3)]
# Cut instead of rounded in the paper: (task, metric, system, end).
TRUNCATED = {("CWS", "recall", 0, 1): 95.1180, ("NER", "precision", 1, 0): 90.7096}

by_case = pytest.mark.parametrize(
    ("task", "index"), CASES, ids=lambda x: METRICS[x] if isinstance(x, int) else x
)


def table_of(task):
    """Folds as outcomes: (fold, system)."""
    systems = [TASKS[task][which] for which in ("first", "second")]
    rows = np.array([system["rows"] for system in systems], dtype=float)
    gold, predicted, right = rows.transpose(2, 1, 0)
    counts = {"tp": right, "fp": predicted - right, "fn": gold - right}
    return lk.Outcomes.from_statistics(counts, systems=[s["name"] for s in systems])


@cache
def result_of(task, index, **settings):
    settings = {"repetitions": 3, "interval": "equal-tailed"} | settings
    return lk.compare_folds(table_of(task), metric=METRICS[index], **settings)


@cache
def share(rho1=None, rho2=None):
    """c_3 as the paper defines it, a mean over a rectangle; or at two numbers."""
    if rho1 is not None:
        return 1 / (1 + mp.mpf(rho1) + 4 * mp.mpf(rho2))
    half, quarter = mp.mpf(1) / 2, mp.mpf(1) / 4
    mean = mp.quad(
        lambda x: mp.quad(lambda y: 1 / (1 + x + 4 * y), [quarter, half]), [0, half]
    )
    return mean / (half * quarter)


def parameters(task, which, index, weight):
    """The Beta law of P, of R, or of tp / (tp + fp + fn), which orders as F1 does."""
    rows = TASKS[task][which]["rows"]
    gold, predicted, right = (sum(column) for column in zip(*rows, strict=True))
    tp, fp, fn = (weight * n for n in (right, predicted - right, gold - right))
    wrong = (fp + 1, fn + 1, fp + fn + 2)[index]
    return tp + 1, wrong


def density(a, b):
    scale = mp.loggamma(a + b) - mp.loggamma(a) - mp.loggamma(b)

    def value(x):
        if not 0 < x < 1:
            return mp.mpf(0)
        return mp.exp(scale + (a - 1) * mp.log(x) + (b - 1) * mp.log1p(-x))

    return value


def stretch(a, b):
    """Ends of all of a Beta law but 1e-20 or so, and its standard deviation."""
    mean = a / (a + b)
    sd = mp.sqrt(mean * (1 - mean) / (a + b + 1))
    return mean - 10 * sd, mean + 10 * sd, sd


def not_greater(second, first, margin=0, cells=3, order=8):
    """P(B <= A + margin): the density of A times the cumulated one of B.

    The outer sum is trapezoidal, which for such densities is exact to far more digits
    than are needed; inside a cell B is integrated by Gauss and Legendre.
    """
    of_first, of_second = density(*first), density(*second)
    ours, theirs = stretch(*first), stretch(*second)
    low = min(ours[0], theirs[0] - margin)
    high = max(ours[1], theirs[1] - margin)
    n = int(mp.ceil((high - low) / (min(ours[2], theirs[2]) / cells)))
    step = (high - low) / n
    nodes, weights = (map(mp.mpf, x) for x in np.polynomial.legendre.leggauss(order))
    pairs = list(zip(nodes, weights, strict=True))
    below = total = mp.mpf(0)
    for k in range(n):
        middle = low + (k + mp.mpf(1) / 2) * step
        inside = (w * of_second(middle + x * step / 2 + margin) for x, w in pairs)
        below += step / 2 * mp.fsum(inside)
        total += step * of_first(low + (k + 1) * step) * below
    return total


@pytest.fixture(autouse=True)
def _digits():
    with mp.workdps(20):
        yield


def test_the_sum_is_the_integral_of_density_times_incomplete_beta():
    first, second = (mp.mpf(71), mp.mpf(30)), (mp.mpf(83), mp.mpf(26))
    of_first = density(*first)
    whole = mp.quad(
        lambda x: of_first(x) * mp.betainc(*second, 0, x, regularized=True),
        [mp.mpf(k) / 10 for k in range(11)],
    )
    assert abs(not_greater(second, first) - whole) < 1e-13


@by_case
def test_table_2_to_the_printed_digits(task, index):
    intervals = result_of(task, index).system_intervals
    for which, interval in enumerate(intervals):
        assert interval.kind == "equal-tailed"
        printed = TASKS[task][("first", "second")[which]]["intervals"][index]
        for end, (ours, theirs) in enumerate(zip(interval, printed, strict=True)):
            exact = TRUNCATED.get((task, METRICS[index], which, end))
            if exact is None:
                assert round(100 * ours, 2) == theirs
            else:
                assert round(100 * ours, 4) == exact
                assert math.floor(1e4 * ours) / 100 == theirs


@by_case
@pytest.mark.parametrize("rho", [None, (1, 1), (0.25, 0.3)], ids=str)
def test_h0_and_h1_against_20_digits(task, index, rho):
    settings = {} if rho is None else {"rho1": rho[0], "rho2": rho[1]}
    weight = share(*(rho or ()))
    first, second = (
        parameters(task, which, index, weight) for which in ("first", "second")
    )
    hypotheses = result_of(task, index, **settings).hypotheses
    h0, h1 = not_greater(second, first), not_greater(first, second)
    assert abs(h0 + h1 - 1) < 1e-12
    assert abs(hypotheses.h0 - h0) < 1e-9
    assert abs(hypotheses.h1 - h1) < 1e-9
    # Small ones to as many digits.
    assert abs(mp.mpf(hypotheses.h0) / h0 - 1) < 1e-8


@by_case
def test_tables_3_to_5(task, index):
    result, printed = result_of(task, index), TASKS[task]["h0"][index]
    if printed == 0.001:
        assert 1e-6 < result.hypotheses.h0 < 1e-4  # a floor of the paper
    else:
        assert result.hypotheses.h0 == pytest.approx(printed, abs=0.002)
    decision = TASKS[task]["decisions"][index]
    assert result.hypotheses.decision == decision
    assert result.verdict.name == TESTED[decision == "H0"]
    assert result.verdict.rule == "bayes-test"
    assert result.hypotheses.h0 == pytest.approx(result.probability.worse, abs=1e-12)


def test_nine_decisions():
    decisions = [result_of(task, index).hypotheses.decision for task, index in CASES]
    assert decisions == ["H1"] * 7 + ["H0"] * 2


def test_the_share_is_that_of_the_paper():
    weight = float(share())
    assert f"{weight:.4f}" == "0.3688"
    recipe = str(result_of("NER", 2).recipe)
    assert f"3x2 folds rho1 0-0.5 rho2 0.25-0.5 share {weight:.8g}" in recipe


@by_case
def test_the_variant_of_2015_is_the_mean_over_folds(task, index):
    result = result_of(task, index, rho1=1, rho2=1)
    table = table_of(task)
    mean = {
        name: values.reshape(1, 2) / 6
        for name, values in table.sums().items()
        if name in ("tp", "fp", "fn")
    }
    alone = lk.compare_folds(
        lk.Outcomes.from_statistics(mean),
        metric=METRICS[index],
        interval="equal-tailed",
    )
    assert result.hypotheses.h0 == pytest.approx(alone.hypotheses.h0, abs=1e-12)
    for wide, same, narrow in zip(
        result.system_intervals,
        alone.system_intervals,
        result_of(task, index).system_intervals,
        strict=True,
    ):
        assert tuple(wide) == pytest.approx(tuple(same), abs=1e-12)
        # The paper's point: the calibrated posterior is taller and thinner.
        assert wide.width / narrow.width == pytest.approx(
            math.sqrt(6 * float(share())), rel=0.01
        )
    assert "share 0.16666667" in str(result.recipe)


@by_case
@pytest.mark.parametrize("seed", [0, 1])
def test_the_draws_of_the_paper(task, index, seed):
    settings = {"method": "monte-carlo", "draws": 40_000, "seed": seed}
    drawn = result_of(task, index, **settings)
    h0 = result_of(task, index).hypotheses.h0
    assert drawn.posterior.difference.n_draws == 40_000
    error = math.sqrt(h0 * (1 - h0) / 40_000)
    assert abs(drawn.hypotheses.h0 - h0) < 4 * max(error, 1 / 40_000)
    assert drawn.hypotheses.h0 + drawn.hypotheses.h1 == pytest.approx(1, abs=1e-15)
    exact = result_of(task, index).posterior.difference
    assert abs(drawn.posterior.difference.mean() - exact.mean()) < 4 * exact.std() / 200
    assert drawn.posterior.difference.std() == pytest.approx(exact.std(), rel=0.02)


@by_case
@pytest.mark.parametrize("margin", [-0.005, 0.0005, 0.01])
def test_margins(task, index, margin):
    result, plain = result_of(task, index, margin=margin), result_of(task, index)
    tested = result.hypotheses
    assert tested.margin == margin
    assert tested.h0 + tested.h1 == pytest.approx(1, abs=1e-12)
    assert (tested.h1 < plain.hypotheses.h1) == (margin > 0)
    assert tested.h1 == result.posterior.difference.share_above(margin)
    if index < 2:  # of F1 only its order is that of a Beta
        weight = share()
        first, second = (
            parameters(task, which, index, weight) for which in ("first", "second")
        )
        cumulated = not_greater(second, first, margin)
        assert abs(tested.h0 - cumulated) < 1e-9
    assert result.probability == plain.probability
