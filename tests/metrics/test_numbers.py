"""Metrics of numbers and probabilities, equal to scikit-learn and scipy."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats
from sklearn import metrics as peers
from tests.conftest import QUICK

import likelier as lk
from likelier import Outcomes, metrics
from likelier.errors import InputError, LikelierError, NotDefinedError

FEW = {"draws": 2000, "seed": 0}
NUMBER = st.floats(-1e3, 1e3).map(lambda x: round(x, 3))
REGRESSION = {
    "mae": peers.mean_absolute_error,
    "mse": peers.mean_squared_error,
    "rmse": peers.root_mean_squared_error,
    "r2": peers.r2_score,
    "pearson": lambda gold, said: stats.pearsonr(gold, said).statistic,
}


def columns(elements, width, *, least=3):
    """Strategy for columns of equal length."""
    shape = st.tuples(st.just(width), st.integers(least, 12))
    return hnp.arrays(np.float64, shape, elements=elements)


@QUICK
@given(
    table=columns(NUMBER, 3), shift=st.sampled_from([0, 1e6]), seed=st.integers(0, 9)
)
def test_regression_is_that_of_scikit_learn_and_scipy(table, shift, seed):
    spread = table.std(axis=1).min()
    assume(spread > 0.1 * abs(table.mean(axis=1)).max())
    assume(spread > 0.1)
    table = table + shift
    gold, *predictions = table
    outcomes = Outcomes.from_numbers(*table)
    weights = np.random.default_rng(seed).integers(1, 5, len(gold))
    twice = Outcomes.from_numbers(*table, counts=weights)
    for name, peer in REGRESSION.items():
        tolerance = 1e-12 * max(abs(peer(gold, said)) for said in predictions)
        if shift:
            tolerance *= 1e3  # numbers have six digits less
        for counted, times in ((outcomes, 1), (twice, weights)):
            rows = np.repeat(table, times, axis=1)
            np.testing.assert_allclose(
                metrics.named(name).observed(counted),
                [peer(rows[0], said) for said in rows[1:]],
                rtol=1e-12,
                atol=max(tolerance, 1e-12),
                err_msg=name,
            )


CHANCE = st.floats(0, 1) | st.sampled_from([0.0, 0.1, 0.3, 0.7, 1.0])


def binned(gold, chances):
    """Compute the expected calibration error in ten parts, plainly."""
    part = [min(int(p * 10), 9) for p in chances]
    total = 0.0
    for one in set(part):
        rows = [i for i, x in enumerate(part) if x == one]
        total += abs(sum(gold[i] - chances[i] for i in rows))
    return total / len(gold)


@QUICK
@given(table=columns(CHANCE, 2), seed=st.integers(0, 99))
def test_probabilities_are_those_of_scikit_learn(table, seed):
    gold = np.random.default_rng(seed).integers(0, 2, table.shape[1])
    assume(len(set(gold)) == 2)
    outcomes = Outcomes.from_probabilities(gold, *table).binary("1")
    peer = {
        "log_loss": lambda p: peers.log_loss(gold, p),
        "brier": lambda p: peers.brier_score_loss(gold, p),
        "ece": lambda p: binned(gold, p),
    }
    for name, of in peer.items():
        np.testing.assert_allclose(
            metrics.named(name).observed(outcomes),
            [of(p) for p in table],
            rtol=1e-12,
            atol=1e-12,
            err_msg=name,
        )


def test_log_loss_of_many_classes_by_the_probability_of_the_gold_label():
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 4, 50)
    chances = rng.dirichlet(np.ones(4), (2, 50))
    own = chances[:, np.arange(50), gold]
    result = lk.compare(None, *own, metric="log_loss", **FEW)

    wanted = [peers.log_loss(gold, one) for one in chances]
    assert result.settings.data.observed == pytest.approx(wanted, rel=1e-12)
    with pytest.raises(NotDefinedError, match="brier"):
        lk.compare(None, *own, metric="brier", **FEW)


def test_perplexity_takes_log_probabilities_and_less_is_better():
    logs = np.log([[0.5, 0.25, 0.5], [0.5, 0.5, 0.5]])
    result = lk.compare(*logs, metric="perplexity", **FEW)
    assert result.settings.data.observed == pytest.approx((2 ** (4 / 3), 2.0))
    assert result.difference > 0
    row = result.items.changes.rows[0]
    assert row.right == "second"


@pytest.fixture
def numbers():
    rng = np.random.default_rng(2)
    gold = rng.normal(size=80)
    return gold, gold + rng.normal(0, 1, 80), gold + rng.normal(0, 0.4, 80)


@pytest.mark.parametrize("name", [*REGRESSION])
def test_the_better_regression_is_named(numbers, name):
    result = lk.compare(*numbers, metric=name, **FEW)
    assert result.verdict.name == "better"
    assert lk.null_test(*numbers, metric=name, **FEW).p_value < 0.01
    first = result.items.changes.rows[0]
    assert "for" in first.first
    assert lk.rank(*numbers, metric=name, **FEW).sentence()


def test_who_is_closer_is_better_on_an_item():
    gold = [0.0, 1.0, 2.0, 4.0]
    result = lk.compare(gold, [0.5, 1, 2, 4], [0, 1, 3, 4], metric="rmse", **FEW)
    rows = [(row.first, row.second, row.right) for row in result.items.changes.rows]
    assert rows == [("2 for 2", "3 for 2", "first"), ("0.5 for 0", "0 for 0", "second")]


def test_probabilities_of_a_named_class():
    rng = np.random.default_rng(1)
    gold = np.where(rng.random(90) < 0.4, "spam", "ham")
    truth = gold == "spam"
    first, second = (
        np.clip(truth * s + rng.random(90) * (1 - s), 0, 1) for s in (0.2, 0.6)
    )
    result = lk.compare(gold, first, second, metric="brier", positive="spam", **FEW)
    assert result.verdict.name == "better"
    assert "spam" in result.sentence()
    assert result.settings.data.observed == pytest.approx(
        [peers.brier_score_loss(truth, p) for p in (first, second)]
    )
    assert {row.right for row in result.items.changes.rows} <= {"first", "second"}
    with pytest.raises(LikelierError, match="positive class"):
        lk.compare(gold, first, second, metric="brier", **FEW)


@pytest.mark.parametrize(
    ("metric", "table", "message"),
    [
        ("r2", [[1, 1, 1], [1, 2, 3], [1, 2, 2]], "finite number"),
        ("pearson", [[1, 2, 3], [1, 2, 3], [2, 2, 2]], "pearson must be a finite"),
        ("rmse", [[1, 2], [1, np.nan], [1, 2]], "finite numbers"),
        ("rmse", [["x", "y"], [1, 2], [1, 2]], "must be numbers"),
        ("brier", [[1, 0], [0.5, 1.5], [0.5, 0.5]], "from 0 to 1"),
        ("log_loss", [[1, 0], [0.5, -0.1], [0.5, 0.5]], "from 0 to 1"),
        ("log_loss", [[1, 0], [0.5, 0.1], [0.5]], "same number"),
    ],
)
def test_bad_numbers_are_refused(metric, table, message):
    with pytest.raises(LikelierError, match=message):
        lk.compare(*table, metric=metric, **FEW)


def test_a_certain_error_and_a_single_class_are_remarked():
    gold = [1, 0] * 20
    first = [0.9, 0.2] * 19 + [0.0, 0.2]
    result = lk.compare(gold, first, [0.8, 0.3] * 20, metric="log_loss", **FEW)
    assert "LIK129" in {finding.code for finding in result.findings}
    single = lk.compare([0] * 40, first, [0.3] * 40, metric="brier", **FEW)
    assert "LIK110" in {finding.code for finding in single.findings}
    assert single.settings.data.observed[1] == pytest.approx(0.09)


@pytest.mark.parametrize("metric", ["log_loss", "brier", "ece"])
def test_of_one_class_the_positive_one_is_asked_for_or_known(metric):
    first, second = [0.9, 0.8] * 20, [0.6, 0.7] * 20
    with pytest.raises(LikelierError, match="which label is the positive class"):
        lk.compare(["ham"] * 40, first, second, metric=metric)
    result = lk.compare([1] * 40, first, second, metric=metric, **FEW)
    assert result.settings.data.observed[0] < result.settings.data.observed[1]


def test_gold_numbers_as_a_system_are_remarked(numbers):
    gold, first, _ = numbers
    result = lk.compare(gold, first, gold, metric="mae", **FEW)
    assert "LIK126" in {finding.code for finding in result.findings}


def test_frames_and_missing_numbers():
    pa = pytest.importorskip("pyarrow")
    frame = pa.table(
        {"y": [1.0, 2.0, 3.0], "a": [1.0, 2.5, 3.0], "b": [1.0, 2.0, None]}
    )
    result = lk.compare(
        frame.slice(0, 2), gold="y", systems=["a", "b"], metric="mae", **FEW
    )
    assert result.settings.data.observed == pytest.approx((0.25, 0.0))
    with pytest.raises(InputError, match="finite number"):
        lk.compare(frame, gold="y", systems=["a", "b"], metric="mae", **FEW)


def test_numbers_of_any_size():
    rng = np.random.default_rng(0)
    table = rng.normal(size=(3, 40))
    for metric in ("mae", "rmse", "pearson"):
        plain, tiny = (lk.compare(*(table * s), metric=metric, **FEW)
                       for s in (1, 2.0**-200))  # fmt: skip
        scale = 1 if metric == "pearson" else 2.0**-200
        assert [*tiny.hdi] == pytest.approx([e * scale for e in plain.hdi], rel=0.3)
    with pytest.raises(LikelierError, match="finite number"):
        lk.compare([-900.0] * 5, [-1000.0] * 5, metric="perplexity", **FEW)


@pytest.mark.parametrize("name", ["r2", "pearson", "rmse"])
def test_the_order_of_items_changes_no_digit(name):
    rng = np.random.default_rng(0)
    gold = 1e4 + rng.normal(size=500)
    table = np.stack([gold, *(gold + rng.normal(size=(2, 500)))])
    tables = (table, table[:, rng.permutation(500)])
    one, other = (
        lk.compare(Outcomes.from_numbers(*rows), metric=name, **FEW).posterior
        for rows in tables
    )
    np.testing.assert_array_equal(one.difference.values, other.difference.values)


def test_counts_are_repeated_items():
    rng = np.random.default_rng(1)
    table, counts = rng.normal(size=(3, 9)), rng.integers(1, 5, 9)
    whole = Outcomes.from_numbers(*np.repeat(table, counts, axis=1))
    short = Outcomes.from_numbers(*table, counts=counts)
    one, other = (metrics.r2.view(x).merged() for x in (whole, short))
    np.testing.assert_array_equal(one.rows.toarray(), other.rows.toarray())
    np.testing.assert_array_equal(one.counts, other.counts)


@pytest.mark.parametrize("n", [60, 700])
def test_a_correlation_knows_no_unit_of_predictions(n):
    rng = np.random.default_rng(2)
    gold = rng.normal(size=n)
    first, second = gold + rng.normal(0, 0.5, (2, n))
    settings = {"metric": "pearson", "seed": 0}
    same, other = (
        lk.compare(gold, first, table, draws=4000, **settings)
        for table in (second, 128 * second + 7)
    )
    assert [*same.hdi] == pytest.approx([*other.hdi], abs=1e-3)
    assert same.hdi.low < same.difference < same.hdi.high
    values = [
        lk.null_test(gold, first, table, draws=4000, **settings).p_value
        for table in (second, 100 * second + 7)
    ]
    assert values[0] == pytest.approx(values[1], abs=0.02)


def test_two_perfect_correlations_have_no_winner():
    gold = np.random.default_rng(3).normal(size=1200)
    answer = lk.compare(gold, 2 * gold, 3 * gold + 1, metric="pearson", **FEW)
    assert answer.verdict.name == "undecided"


@pytest.mark.parametrize("counts", [[0, 0, 0], [1, 2], [1, -1, 1], [1, np.nan, 1]])
def test_bad_counts_are_refused(counts):
    with pytest.raises(InputError):
        Outcomes.from_numbers([1, 2, 3], [1, 2, 4], [1, 2, 3], counts=counts)


def test_a_few_predictions_that_differ_do_not_win():
    gold = np.random.default_rng(4).normal(size=1200)
    first = gold + np.random.default_rng(5).normal(size=1200)
    second = first.copy()
    second[:2] = gold[:2]
    answer = lk.compare(gold, first, second, metric="pearson", **FEW)
    assert answer.verdict.name == "undecided"
