"""Sums as jointly normal: their moments, and their law beside that of the weights."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import integrate, stats

import likelier as lk
from likelier import Outcomes, metrics
from likelier.methods.items.normal_sums import (
    TOLERANCE,
    NormalSums,
    may_be_normal,
)
from likelier.methods.items.swap_process import SwapProcess
from likelier.metrics import Metric
from likelier.streams import Streams

N = 4000
RATIO = Metric("edits a word", ("edits", "words"), lambda e, w: e / w)


def spoken(kind="binomial", n=N, seed=0):
    """Edits and words of two systems; edits may have heavy tails."""
    rng = np.random.default_rng(seed)
    words = rng.integers(4, 30, n)
    draw = {
        "binomial": lambda p: rng.binomial(words, p),
        "heavy": lambda p: p * words * rng.pareto(3.5, n),
        "rare": lambda p: (rng.random(n) < p / 40) * words,
    }[kind]
    return Outcomes.from_statistics(
        *({"edits": draw(p), "words": words} for p in (0.3, 0.2))
    )


def law_of(table, metric=RATIO, shapes=None):
    shapes = 0.999 * table.counts if shapes is None else shapes
    return NormalSums.of(table, shapes, table, metric)


def test_means_covariances_and_third_moments_are_exact():
    table = spoken()
    rng = np.random.default_rng(2)
    shapes = rng.choice([0.5, 0.999, 3.0], len(table.counts))
    rows = np.column_stack([table.rows.toarray(), table.sizes])
    drawn = law_of(table, shapes=shapes).sums(np.random.default_rng(1), 200_000)

    # Weights are independent Gammas: their cumulants are a, a and 2 a.
    assert drawn.mean(axis=0) == pytest.approx(shapes @ rows, rel=1e-3)
    covariance = (rows * shapes[:, np.newaxis]).T @ rows
    np.testing.assert_allclose(np.cov(drawn.T), covariance, rtol=0.02)
    away = rows - shapes @ rows / shapes.sum()
    shares = drawn / drawn[:, -1:]
    for first, second in ((0, 0), (0, 2), (2, 2)):
        gap = away[:, first] + 2 * away[:, second]
        skew = 2 * shapes @ gap**3 / (shapes @ gap**2) ** 1.5
        seen = stats.skew(shares[:, first] + 2 * shares[:, second])
        assert seen == pytest.approx(skew, abs=0.03)


def below(log_function):
    """P(X < 0) from the logarithm of the characteristic function of X."""

    def part(u):
        value = log_function(u)
        return np.exp(value.real) * np.sin(value.imag) / u

    area = integrate.quad(part, 0, np.inf, limit=500, epsabs=1e-7)[0]
    return 0.5 - area / np.pi


def of_weights(shapes, gaps):
    """P(sum of Gamma weights times gaps < 0)."""
    scaled = gaps / np.sqrt(shapes @ gaps**2)
    return below(lambda u: -(shapes * np.log1p(-1j * u * scaled)).sum())


def of_normals(law, column, point):
    """P(a sum's share < point) as the law draws it: a form of normal numbers."""
    r = len(law.linear)
    form = np.zeros((r, r))
    form[np.triu_indices(r)] = law.quadratic @ column
    values, vectors = np.linalg.eigh((form + form.T) / 2)
    linear = vectors.T @ law.linear @ column
    rest = law.mean @ column - point
    scale = np.sqrt((linear**2).sum() + 2 * (values**2).sum())
    values, linear, rest = values / scale, linear / scale, rest / scale

    def log_function(u):
        inner = 1 - 2j * u * values
        return 1j * u * rest - 0.5 * (np.log(inner) + (u * linear) ** 2 / inner).sum()

    return below(log_function)


@pytest.mark.parametrize("kind", ["binomial", "heavy", "rare"])
def test_the_law_is_that_of_the_weights(kind, monkeypatch):
    """Both by inversion of characteristic functions, without draws."""
    from likelier.methods.items import normal_sums

    table = spoken(kind)
    shapes = 0.999 * table.counts
    rows = np.column_stack([table.rows.toarray(), table.sizes])
    # The linear part of the difference, as a combination of the sums.
    observed = (table.counts @ rows)[:-1].reshape(2, 2)
    column = np.concatenate(
        [sign * np.array([1 / w, -e / w**2])
         for sign, (e, w) in zip((-1, 1), observed, strict=True)]
        + [[0.0]]
    )  # fmt: skip
    gaps = rows @ column
    accepted = law_of(table) is not None
    monkeypatch.setattr(normal_sums, "TOLERANCE", 1.0)
    monkeypatch.setattr(normal_sums, "_TOLERANCE_OF_SUMS", 1.0)
    law = law_of(table)
    if law is None:
        assert kind == "rare"
        return
    mean = shapes @ gaps / shapes.sum()
    spread = np.sqrt(shapes @ (gaps - mean) ** 2) / shapes.sum()
    points = mean + spread * np.array([-2, -1.3, -0.7, 0, 0.5, 1, 2.2])
    off = max(
        abs(of_weights(shapes, gaps - x) - of_normals(law, column, x)) for x in points
    )
    assert accepted == (kind == "binomial")
    assert off < TOLERANCE if accepted else off < 0.02


def test_what_is_not_nearly_normal_is_drawn_as_it_is():
    assert law_of(spoken()) is not None
    assert law_of(spoken("rare")) is None
    assert law_of(spoken("heavy")) is None
    assert not may_be_normal(spoken(n=300))
    same = Outcomes.from_statistics(*[{"edits": np.arange(N), "words": np.ones(N)}] * 2)
    assert SwapProcess.of_metric(same, RATIO, strength=1.0).generic


@pytest.mark.parametrize("systems", [2, 3])
def test_both_ways_are_one_posterior(systems, monkeypatch):
    from likelier.methods.items import condensed_units, normal_sums

    # Few units stand for those of two systems, else.
    monkeypatch.setattr(condensed_units, "_FEW", 0)
    rng = np.random.default_rng(4)
    words = rng.integers(4, 30, N)
    table = Outcomes.from_statistics(
        *({"edits": rng.binomial(words, 0.2 + i / 99), "words": words}
          for i in range(systems))
    )  # fmt: skip
    process = SwapProcess.of_metric(table, RATIO, strength=1.0)
    streams = Streams.of(0, draws=12_000)
    normal = process.draw(RATIO, streams, purpose=0)
    monkeypatch.setattr(normal_sums, "_LEAST_UNITS", 10**9)
    drawn = process.draw(RATIO, streams, purpose=0)
    assert not np.array_equal(normal, drawn)
    for of in (lambda x: x[:, 0], lambda x: x[:, -1] - x[:, 0]):
        one, other = of(normal), of(drawn)
        assert one.mean() == pytest.approx(other.mean(), abs=0.05 * other.std())
        assert one.std() == pytest.approx(other.std(), rel=0.03)
        assert stats.ks_2samp(one, other).pvalue > 1e-3


def test_the_answer_is_the_same_for_any_order_and_any_number_of_workers():
    table = spoken()
    rows = table.rows.toarray().reshape(-1, 2, 2)
    order = np.random.default_rng(3).permutation(len(rows))
    mixed = [{"edits": rows[order, i, 0], "words": rows[order, i, 1]} for i in range(2)]
    settings = {"metric": RATIO, "draws": 20_000, "seed": 0}
    counts = table.counts[order]
    one = lk.compare(table, **settings)
    other = lk.compare(Outcomes.from_statistics(*mixed, counts=counts), **settings)
    turned = lk.compare(
        Outcomes.from_statistics(*mixed[::-1], counts=counts), **settings
    )
    assert one.hdi == other.hdi
    assert [*one.hdi] == pytest.approx([-end for end in turned.hdi][::-1])
    process = SwapProcess.of_metric(table, RATIO, strength=1.0)
    threads = replace(Streams.of(0, draws=20_000), workers=4)
    alone = replace(threads, workers=1)
    values = (process.draw(RATIO, streams, purpose=0) for streams in (threads, alone))
    np.testing.assert_array_equal(*values)


def test_shares_stay_on_their_scale():
    rng = np.random.default_rng(0)
    table = Outcomes.from_scores(rng.random(N), rng.random(N))
    law = NormalSums.of(table, table.counts * 0.999, table, metrics.mean)
    drawn = law.sums(np.random.default_rng(0), 1000)
    assert (np.abs(drawn[:, :-1] / drawn[:, -1:] - 0.5) < 0.1).all()
