"""Blocked 3 x 2 cross-validation: coverage of F1, and the Bayes test of two learners.

Two normal classes as in Wang & Li (2019), section 2.4, and logistic regression. The
merit of a trained classifier is exact, since a linear score of normal features is
normal. The truth is the F1 of the mean recall and the mean false positive rate of
all classifiers of a simulation: the aim of counts added up over folds.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
import pytest
from scipy import special

from likelier import laws, metrics
from likelier.designs import BlockedMx2, effective_share
from likelier.methods.items.dirichlet import Paired
from likelier.methods.items.exact_laws import Independent
from likelier.streams import Streams

N, M, APART, MASS = 600, 3, 0.5, 0.95
SIMULATIONS, PAIRS, BATCH, DRAWS = 4_000, 2_000, 25, 4_000
SHARE, OLD_SHARE = effective_share(M), effective_share(M, rho1=1, rho2=1)
ERRORS, LEVEL = 3.0, 0.1


class Learner(NamedTuple):
    """Logistic regression on some features, observed with noise, and on idle ones."""

    features: tuple[int, ...] = (0, 1)
    noise: float = 0.0
    idle: int = 0

    def observe(self, x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Return the features (simulation, item, feature), with a constant first."""
        parts = [np.ones((*x.shape[:2], 1)), x[..., list(self.features)]]
        if self.noise:
            parts[1] = parts[1] + self.noise * rng.normal(size=parts[1].shape)
        if self.idle:
            parts.append(rng.normal(size=(*x.shape[:2], self.idle)))
        return np.concatenate(parts, axis=-1)

    def rates(self, coefficients: np.ndarray) -> np.ndarray:
        """Return the exact recall and false positive rate of trained classifiers."""
        kept = len(self.features)
        slopes = coefficients[..., 1:]
        spread = np.repeat([np.hypot(1, self.noise), 1.0], [kept, self.idle])
        width = np.sqrt(((slopes * spread) ** 2).sum(axis=-1))
        shift = APART * slopes[..., :kept].sum(axis=-1)
        middle = coefficients[..., 0]
        return special.ndtr([(middle + shift) / width, middle / width])


def f1_of(rates: np.ndarray, positives: np.ndarray | float = 0.5) -> np.ndarray:
    """Compute F1 from recall and false positive rate, at a share of positives."""
    tp, fp = positives * rates[0], (1 - positives) * rates[1]
    return 2 * tp / (tp + fp + positives)


def fitted(x: np.ndarray, y: np.ndarray, train: np.ndarray) -> np.ndarray:
    """Fit logistic regressions (simulation, fold, feature) by Newton's method.

    Folds are masks (simulation, fold, item); all of them share the products of
    features.
    """
    sims, items, width = x.shape
    across = np.swapaxes(x, 1, 2)
    products = (x[..., :, np.newaxis] * x[..., np.newaxis, :]).reshape(sims, items, -1)
    coefficients = np.zeros((*train.shape[:2], width))
    for _ in range(7):
        p = special.expit(coefficients @ across)
        slope = (train * (y[:, np.newaxis] - p)) @ x
        bend = ((train * p * (1 - p)) @ products).reshape(*coefficients.shape, width)
        coefficients = (
            coefficients + np.linalg.solve(bend, slope[..., np.newaxis])[..., 0]
        )
    return coefficients


class Sample(NamedTuple):
    """Classes, features and training halves of some simulations."""

    y: np.ndarray
    x: np.ndarray
    train: np.ndarray


def sampled(rng: np.random.Generator, *, drawn: bool, stratify: bool) -> Sample:
    """Draw data sets and deal their blocks.

    `drawn`: each item's class is drawn, so that the share of positives varies from
    data set to data set; else just half of the items are positive in all of them.
    """
    y = rng.random((BATCH, N)) < 0.5
    if not drawn:
        y = np.tile(np.arange(N) % 2 == 1, (BATCH, 1))
    x = rng.normal(size=(BATCH, N, 2)) + APART * y[..., np.newaxis]
    train = np.zeros((BATCH, 2 * M, N), dtype=bool)
    for one, classes in zip(train, y, strict=True):
        design = BlockedMx2(M, stratify=stratify, seed=rng)
        for fold, (half, _) in zip(one, design.split(N, classes), strict=True):
            fold[half] = True
    return Sample(y, x, train)


def test_newton_finds_what_scikit_learn_finds():
    linear_model = pytest.importorskip("sklearn.linear_model")
    rng = np.random.default_rng(0)
    sample = sampled(rng, drawn=True, stratify=True)
    x = Learner(idle=3).observe(sample.x, rng)
    ours = fitted(x, sample.y, sample.train)
    for fold, half in enumerate(sample.train[0]):
        model = linear_model.LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000)
        model.fit(x[0, half, 1:], sample.y[0, half])
        theirs = np.concatenate([model.intercept_, model.coef_[0]])
        np.testing.assert_allclose(ours[0, fold], theirs, atol=1e-6)


class Folds(NamedTuple):
    """Sums of counts over the folds, and the truth, of each simulation."""

    tp: np.ndarray
    wrong: np.ndarray
    positives: np.ndarray
    rates: np.ndarray

    @property
    def truth(self) -> float:
        """The F1 of all classifiers together, where half of all items are positive."""
        return float(f1_of(self.rates.mean(axis=(1, 2))))

    def truth_at_own_share(self) -> np.ndarray:
        """Return the F1 of classifiers made and used at a data set's own share."""
        fit, own = np.polynomial.Polynomial.fit, self.positives
        smooth = [fit(own, rate, 3)(own) for rate in self.rates.mean(axis=2)]
        return f1_of(np.array(smooth), own)

    def intervals(self, share: float) -> np.ndarray:
        """Return the equal-tailed intervals of F1: (end, simulation)."""
        tails = np.array([[(1 - MASS) / 2], [(1 + MASS) / 2]])
        u = special.betaincinv(share * self.tp + 1, share * self.wrong + 2, tails)
        return 2 * u / (1 + u)


@cache
def folds(*, drawn: bool, stratify: bool) -> Folds:
    """Simulate the cross-validation of one learner."""
    rng, learner, rows = np.random.default_rng(0), Learner(), []
    for _ in range(SIMULATIONS // BATCH):
        y, x, train = sampled(rng, drawn=drawn, stratify=stratify)
        observed = learner.observe(x, rng)
        coefficients = fitted(observed, y, train)
        predicted = coefficients @ np.swapaxes(observed, 1, 2) > 0
        gold = y[:, np.newaxis]
        tp = (predicted & gold & ~train).sum(axis=(1, 2))
        wrong = ((predicted != gold) & ~train).sum(axis=(1, 2))
        rates = np.swapaxes(learner.rates(coefficients), 0, 1)
        rows.append((tp, wrong, y.mean(axis=1), rates))
    tp, wrong, positives, rates = map(np.concatenate, zip(*rows, strict=True))
    return Folds(tp, wrong, positives, np.swapaxes(rates, 0, 1))


def error_of(share: float, n: int) -> float:
    """Return the standard error of a share of n."""
    return float(np.sqrt(share * (1 - share) / n))


def coverage(intervals: np.ndarray, truth: np.ndarray | float) -> float:
    """Return how often the intervals cover the truth."""
    low, high = intervals
    return float(((low <= truth) & (truth <= high)).mean())


def test_the_intervals_are_those_of_the_law():
    some = folds(drawn=False, stratify=True)
    ends = some.intervals(SHARE)
    for i in range(20):
        law = laws.f1(SHARE * some.tp[i], SHARE * some.wrong[i], 0)
        np.testing.assert_allclose(law.interval(MASS).low, ends[0, i], rtol=1e-9)
        np.testing.assert_allclose(law.interval(MASS).high, ends[1, i], rtol=1e-9)


CLASSES = {True: "drawn", False: "half"}
BLOCKS = {True: "stratified", False: "random"}


@pytest.mark.parametrize("stratify", BLOCKS, ids=BLOCKS.get)
def test_coverage_where_half_of_the_items_are_positive(stratify, show):
    """As in section 2.4: the paper has .945 and .0854, and .996 and .117 for 2015."""
    some = folds(drawn=False, stratify=stratify)
    new, old = some.intervals(SHARE), some.intervals(OLD_SHARE)
    shares = [coverage(ends, some.truth) for ends in (new, old)]
    lengths = [float((ends[1] - ends[0]).mean()) for ends in (new, old)]
    head = ("blocks", "variant", "coverage", "error", "length", "true F1")
    rows = [
        (BLOCKS[stratify], name, share, error_of(share, SIMULATIONS), length, truth)
        for name, share, length, truth in zip(
            ("c_3", "2015"), shares, lengths, [some.truth] * 2, strict=True
        )
    ]
    show(f"F1, 300 of {N} positive, {SIMULATIONS:,} simulations", [head, *rows])
    error = error_of(MASS, SIMULATIONS)
    assert MASS - ERRORS * error <= shares[0] <= 0.98
    assert abs(lengths[0] - 0.0853) <= 0.0005
    assert shares[1] >= 0.99
    # The length goes with the root of the share, so that of 2015 is 1.49 times ours.
    assert abs(lengths[1] / lengths[0] - np.sqrt(SHARE / OLD_SHARE)) <= 0.01


@pytest.mark.parametrize("stratify", BLOCKS, ids=BLOCKS.get)
def test_coverage_where_classes_are_drawn(stratify, show):
    """The share of positives then varies, which folds of one data set cannot show."""
    some = folds(drawn=True, stratify=stratify)
    ends = some.intervals(SHARE)
    truths = {"population": some.truth, "own share": some.truth_at_own_share()}
    head = ("blocks", "truth", "coverage", "error", "length", "2015")
    rows = []
    for name, truth in truths.items():
        share, old = coverage(ends, truth), coverage(some.intervals(OLD_SHARE), truth)
        length = float((ends[1] - ends[0]).mean())
        error = error_of(share, SIMULATIONS)
        rows.append((BLOCKS[stratify], name, share, error, length, old))
    show(f"F1, classes drawn, {SIMULATIONS:,} simulations", [head, *rows])
    assert 0.78 <= rows[0][2] <= 0.85
    assert rows[1][2] >= MASS - ERRORS * error_of(MASS, SIMULATIONS)


@pytest.mark.parametrize("drawn", CLASSES, ids=CLASSES.get)
def test_stratified_blocks_change_the_coverage_little(drawn, show):
    shares = []
    for stratify in BLOCKS:
        some = folds(drawn=drawn, stratify=stratify)
        shares.append(coverage(some.intervals(SHARE), some.truth))
    error = float(np.hypot(*(error_of(share, SIMULATIONS) for share in shares)))
    rows = [("classes", *BLOCKS.values(), "error"), (CLASSES[drawn], *shares, error)]
    show("coverage by blocks", rows)
    assert abs(shares[1] - shares[0]) <= 0.01 + ERRORS * error


class Pair(NamedTuple):
    """Two learners, and the data sets they meet."""

    first: Learner
    second: Learner
    drawn: bool = True
    stratify: bool = True


NOISY = Learner(noise=0.5)
IDLE = Learner(noise=0.5, idle=15)
# Both learners of a pair are equally good, by symmetry.
NULLS = {
    "noisy copies": Pair(NOISY, NOISY),
    "noisy copies, half positive": Pair(NOISY, NOISY, drawn=False),
    "noisy copies, random blocks": Pair(NOISY, NOISY, stratify=False),
    "one feature each": Pair(Learner((0,)), Learner((1,))),
    "15 idle features each": Pair(IDLE, IDLE),
}
BETTER = {
    "noise 1 against 0.5": Pair(Learner(noise=1.0), NOISY),
    "noise 1 against 0.5, half positive": Pair(Learner(noise=1.0), NOISY, drawn=False),
    "with 15 idle features, and without": Pair(IDLE, NOISY),
}


class Answers(NamedTuple):
    """P(H1) of each simulation, and whether intervals covered the true difference."""

    h1: np.ndarray
    equal: np.ndarray
    hdi: np.ndarray

    def row(self, name: str) -> tuple[object, ...]:
        """Return the figures of a table."""
        sure = (float((self.h1 > 0.95).mean()), float((self.h1 < 0.05).mean()))
        intervals = (float(self.equal.mean()), float(self.hdi.mean()))
        return name, *sure, sum(sure), error_of(sum(sure), PAIRS), *intervals


HEAD = ("method", "P > .95", "P < .05", "both", "error", "equal-tailed", "hdi")


def joint_counts(pair: Pair) -> tuple[np.ndarray, float]:
    """Count the cells (gold, first, second) over all folds; return the true difference.

    Every item of every test fold counts, so that the counts sum up to 3 N.
    """
    rng, counts, rates = np.random.default_rng(1), [], []
    for _ in range(PAIRS // BATCH):
        y, x, train = sampled(rng, drawn=pair.drawn, stratify=pair.stratify)
        cell = np.broadcast_to(4 * y[:, np.newaxis], train.shape).astype(np.int64)
        merits = []
        for weight, learner in ((2, pair.first), (1, pair.second)):
            observed = learner.observe(x, rng)
            coefficients = fitted(observed, y, train)
            cell = cell + weight * (coefficients @ np.swapaxes(observed, 1, 2) > 0)
            merits.append(learner.rates(coefficients).mean(axis=(1, 2)))
        rates.append(merits)
        tested = [one[~half] for one, half in zip(cell, train, strict=True)]
        counts += [np.bincount(one, minlength=8) for one in tested]
    first, second = map(f1_of, np.mean(rates, axis=0))
    return np.array(counts), float(second - first)


def answers_of(counts: np.ndarray, truth: float, table_of) -> dict[str, Answers]:
    """Run the paired and the independent Bayes test of F1 in every simulation."""
    rng, rows = np.random.default_rng(2), {"paired": [], "independent": []}
    tail = (1 - MASS) / 2
    for row in counts:
        table = table_of(row).scaled(SHARE)
        streams = Streams.of(rng, draws=DRAWS)
        paired = Paired().posterior(table, metrics.f1, streams).difference
        apart = Independent().posterior(table, metrics.f1, streams).difference
        for name, law in (("paired", paired), ("independent", apart)):
            equal = tail <= law.share_above(truth) <= 1 - tail
            # The exact law is as good as symmetric here, and its HDI takes long.
            hdi = law.hdi(MASS) if name == "paired" else None
            inside = equal if hdi is None else hdi.low <= truth <= hdi.high
            rows[name].append((law.share_above(0.0), equal, inside))
    return {name: Answers(*np.array(row).T) for name, row in rows.items()}


@pytest.mark.parametrize("name", NULLS)
def test_bayes_test_of_equally_good_learners(name, table_of, show):
    """Of P(H1), a tenth may lie below .05 or above .95 if it is calibrated."""
    counts, _ = joint_counts(NULLS[name])
    answers = answers_of(counts, 0.0, table_of)
    rows = [one.row(method) for method, one in answers.items()]
    show(f"{name}, {PAIRS:,} simulations", [HEAD, *rows])
    paired, apart = rows
    assert apart[3] <= paired[3] <= LEVEL + ERRORS * error_of(LEVEL, PAIRS)
    assert paired[-1] >= MASS - ERRORS * error_of(MASS, PAIRS)


@pytest.mark.parametrize("name", BETTER)
def test_power_of_the_bayes_test(name, table_of, show):
    counts, truth = joint_counts(BETTER[name])
    answers = answers_of(counts, truth, table_of)
    rows = [one.row(method) for method, one in answers.items()]
    title = f"{name}: F1 better by {truth:.4f}, {PAIRS:,} simulations"
    show(title, [HEAD, *rows])
    paired, apart = rows
    assert paired[1] >= apart[1] + 0.1
    # A varying share of positives moves the two learners' F1 unequally: .937 at least.
    assert paired[-1] >= 0.92
