"""What peers answer on the same small data, and how long they take; as Markdown.

Started by ``peers.py`` in an environment that has likelier and the peers.
"""

import contextlib
import io
import itertools
import math
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

import autorank
import baycomp
import confidenceinterval
import deepsig
import evalstats
import mlxtend.evaluate as mlxtend
import numpy as np
import pandas as pd
import prob_conf_mat
import scipy.stats
from errorbars.compare import mcnemar_exact, paired_compare
from sacrebleu.metrics import BLEU, CHRF
from sacrebleu.significance import PairedTest
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar
from truescore import compare as truescore

import likelier as lk
from likelier import methods
from likelier.streams import Streams

Array = np.ndarray
ROPE = 0.01
ROUNDS = 5
TRIALS = 1000
# What scipy and likelier both draw, so that the time is for the same work.
DRAWS = 9_999


def main() -> None:
    """Print every table."""
    warnings.filterwarnings("ignore")
    names = "likelier baycomp autorank deepsig scipy statsmodels mlxtend sacrebleu"
    names += " prob_conf_mat errorbars evalstats truescore"
    told = [f"{n} {version(n)}" for n in names.split()]
    print(f"{datetime.now(UTC):%Y-%m-%d}, Python {sys.version.split()[0]}")
    print(", ".join([*told, f"confidenceinterval {version('confidenceinterval')}"]))
    table("Identical systems", ("call", "answer"), identical())
    table("Answers that are known", ("case", "call", "answer", "exact"), known())
    table("False alarms at 5 %", ("call", "share"), alarms())
    heading = ("task", "likelier", "beside it", "seconds of each", "ratio")
    table("Time", heading, times())


def table(
    title: str, heading: tuple[str, ...], rows: Iterator[tuple[str, ...]]
) -> None:
    """Print one table as it comes."""
    print(f"\n### {title}\n\n| {' | '.join(heading)} |")
    print(f"| {' | '.join('---' for _ in heading)} |")
    for row in rows:
        print(f"| {' | '.join(row)} |", flush=True)


def silence() -> contextlib.redirect_stdout[io.StringIO]:
    """Keep what a call prints from the tables."""
    return contextlib.redirect_stdout(io.StringIO())


def answer(call: Callable[[], Any]) -> Any:
    """Give the answer of a call, without what it prints, or its error in words."""
    try:
        with silence():
            return call()
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def formatted(answer: Any) -> str:
    """Write an answer with few digits."""
    if isinstance(answer, str):
        return answer
    if isinstance(answer, tuple):
        return ", ".join(formatted(part) for part in answer)
    return f"{float(answer):.3g}"


def three(result: Any) -> tuple[float, float, float]:
    """Give the probabilities of a comparison: worse, equivalent, better."""
    p = result.probability
    return p.worse, p.equivalent, p.better


def p_of(scores: tuple[Any, Any], method: Any, **settings: Any) -> float:
    """Give likelier's p-value for scores of the same items."""
    outcomes = lk.Outcomes.from_scores(*scores)
    return lk.null_test(
        outcomes, metric=lk.metrics.mean, method=method, seed=0, **settings
    ).p_value


def scipy_flips(first: Any, second: Any, **settings: Any) -> float:
    """Give scipy's p-value by swapping the systems of each item."""
    return scipy.stats.permutation_test(
        (np.asarray(second), np.asarray(first)),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        permutation_type="samples",
        vectorized=True,
        rng=np.random.default_rng(0),
        **settings,
    ).pvalue


def identical() -> Iterator[tuple[str, ...]]:
    """Ask about two systems that always say the same."""
    rng = np.random.default_rng(0)
    right = (rng.random(200) < 0.8).astype(int)
    gold = np.ones(200, int)
    scores = rng.normal(0.8, 0.02, 20)
    same = np.array([[right.sum(), 0], [0, 200 - right.sum()]])
    frame = pd.DataFrame({"a": scores, "b": scores})
    on_scores = lk.Scores.from_arrays(
        scores, scores, datasets=[f"d{i}" for i in range(20)]
    )
    calls: dict[str, Callable[[], Any]] = {
        "likelier `compare`, 200 items, rope ±0.01 (worse, equivalent, better)": (
            lambda: three(
                lk.compare(gold, right, right, metric="accuracy", rope=ROPE, seed=0)
            )
        ),
        **{
            f"likelier `null_test`, {name} (p)": (
                lambda name=name: p_of((right, right), name)
            )
            for name in ("mcnemar", "randomization", "bootstrap")
        },
        "statsmodels `mcnemar(exact=True)` (p)": (
            lambda: statsmodels_mcnemar(same, exact=True).pvalue
        ),
        "statsmodels `mcnemar(exact=False)` (p)": (
            lambda: statsmodels_mcnemar(same, exact=False).pvalue
        ),
        "errorbars `paired_compare` (p)": lambda: paired_compare(right, right).p_value,
        "truescore `mcnemar`, its default (p)": (
            lambda: truescore.mcnemar(right, right).p_value
        ),
        "evalstats `compare` (p)": lambda: evalstats_p(right, right),
        "mlxtend `mcnemar(exact=True)` (p)": (
            lambda: mlxtend.mcnemar(same, exact=True)[1]
        ),
        "mlxtend `mcnemar()`, its default (p)": lambda: mlxtend.mcnemar(same)[1],
        "scipy `permutation_test` of pairs (p)": lambda: scipy_flips(scores, scores),
        "scipy `ttest_rel` (p)": lambda: scipy.stats.ttest_rel(scores, scores).pvalue,
        "scipy `wilcoxon` (p)": lambda: scipy.stats.wilcoxon(scores, scores).pvalue,
        "sacreBLEU, approximate randomization (p)": lambda: sacrebleu_p("ar"),
        "sacreBLEU, paired bootstrap (p)": lambda: sacrebleu_p("bs"),
        "deepsig `permutation_test` (p)": (
            lambda: deepsig.permutation_test(scores, scores, seed=0)
        ),
        "deepsig `bootstrap_test` (p)": (
            lambda: deepsig.bootstrap_test(scores, scores, seed=0)
        ),
        "deepsig `aso` (eps_min; below 0.5 would be dominance)": (
            lambda: deepsig.aso(scores, scores, seed=0, show_progress=False)
        ),
        "autorank, two columns (p)": (
            lambda: autorank.autorank(frame, verbose=False).pvalue
        ),
        "likelier `compare_folds`, 20 data sets, rope ±0.01": (
            lambda: three(lk.compare_folds(on_scores, rope=ROPE, seed=0))
        ),
        "baycomp `two_on_multiple`, rope 0.01 (left, rope, right)": (
            lambda: baycomp.two_on_multiple(scores, scores, rope=ROPE)
        ),
        "likelier `compare_folds`, no rope": (
            lambda: three(lk.compare_folds(on_scores, seed=0))
        ),
        "baycomp `two_on_multiple`, no rope": (
            lambda: baycomp.two_on_multiple(scores, scores)
        ),
        "prob_conf_mat, accuracy, ±0.01 (below, within, above)": (
            lambda: from_matrices([[120, 20], [30, 130]], [[120, 20], [30, 130]])
        ),
    }
    for name, call in calls.items():
        yield name, formatted(answer(call))


def sacrebleu_p(test: str) -> float:
    """Give sacreBLEU's p-value for a translation beside itself."""
    said = ["the cat sat on a mat", *["a dog barks loud", "birds fly low"] * 20]
    meant = ["the cat sat on the mat", *["a dog barks", "birds fly high"] * 20]
    found = PairedTest(
        [("first", said), ("second", list(said))],
        {"chrF": CHRF(references=[meant])},
        references=None,
        test_type=test,
        n_samples=1000,
    )()[1]
    return found["chrF2"][1].p_value


def evalstats_table(first: Any, second: Any) -> Any:
    """Give evalstats's data for two systems' scores of the same items."""
    count = len(first)
    frame = pd.DataFrame(
        {
            "model": ["first"] * count + ["second"] * count,
            "item": [*range(count)] * 2,
            "score": [*first, *second],
        }
    )
    return evalstats.load_from(frame)


def evalstats_p(first: Any, second: Any) -> float:
    """Give evalstats's p-value for two systems' scores of the same items."""
    found = evalstats.compare(evalstats_table(first, second), factors="model")
    return float(found.pairwise.get("first", "second").p_value)


def from_matrices(first: Any, second: Any) -> tuple[float, ...]:
    """Give prob_conf_mat's probabilities of the difference, from two matrices."""
    study = prob_conf_mat.Study(seed=0, num_samples=50_000, ci_probability=0.95)
    for name, matrix in (("first/x", first), ("second/x", second)):
        study.add_experiment(
            name,
            confusion_matrix=matrix,
            prevalence_prior="ones",
            confusion_prior="ones",
        )
    study.add_metric("acc")
    drawn = [
        study.get_metric_samples(
            metric="acc", experiment_name=name, sampling_method="posterior"
        ).values.ravel()
        for name in ("first/x", "second/x")
    ]
    difference = drawn[1] - drawn[0]
    within = float(np.mean(np.abs(difference) <= ROPE))
    return (
        float(np.mean(difference < -ROPE)),
        within,
        float(np.mean(difference > ROPE)),
    )


def known() -> Iterator[tuple[str, ...]]:
    """Ask what can be known exactly."""
    yield from known_mcnemar()
    yield from known_flips()
    yield from known_pairing()
    yield from known_tail()
    yield from known_interval()


def known_mcnemar() -> Iterator[tuple[str, ...]]:
    """Ask for the exact test of a few items that differ."""
    for b, c in ((5, 15), (3, 3)):
        tail = sum(math.comb(b + c, i) for i in range(b + 1)) / 2 ** (b + c)
        truth = formatted(min(1.0, 2 * tail))
        case = f"McNemar, {b} against {c}"
        first = [1] * b + [0] * c + [1] * 100
        second = [0] * b + [1] * c + [1] * 100
        cells = np.array([[100, b], [c, 0]])
        answers = {
            "likelier `mcnemar`": p_of((first, second), "mcnemar"),
            "statsmodels, its default": statsmodels_mcnemar(cells).pvalue,
            "mlxtend, `exact=True`": mlxtend.mcnemar(cells, exact=True)[1],
            "mlxtend, its default": mlxtend.mcnemar(cells)[1],
            "scipy `binomtest`": scipy.stats.binomtest(b, b + c).pvalue,
            "errorbars `mcnemar_exact`": mcnemar_exact(first, second).p_value,
            "truescore `mcnemar(midp=False)`": (
                truescore.mcnemar(first, second, midp=False).p_value
            ),
            "evalstats `compare`, mid-p": evalstats_p(first, second),
        }
        for name, answer in answers.items():
            yield case, name, formatted(answer), truth


def known_flips() -> Iterator[tuple[str, ...]]:
    """Ask for the test over all swaps of ten items, with ties among the sums."""
    first = np.array([3, 1, 4, 1, 5, 9, 2, 6, 5, 3])
    second = np.array([4, 3, 4, 3, 6, 8, 5, 7, 7, 4])
    difference = second - first
    sums = [
        sum(s * d for s, d in zip(signs, difference, strict=True))
        for signs in itertools.product((-1, 1), repeat=10)
    ]
    above = sum(s >= difference.sum() for s in sums) / len(sums)
    truth = f"{formatted(2 * above)}, one-sided {formatted(above)}"
    pair = first.astype(float), second.astype(float)
    answers = {
        "likelier `randomization`": lambda: p_of(pair, "randomization"),
        "scipy `permutation_test`": lambda: scipy_flips(*pair, n_resamples=np.inf),
        "mlxtend `permutation_test`, paired, exact": lambda: mlxtend.permutation_test(
            pair[1], pair[0], method="exact", paired=True
        ),
        "deepsig `permutation_test` (one-sided, 1,000 draws)": (
            lambda: deepsig.permutation_test(pair[1], pair[0], seed=0)
        ),
    }
    for name, call in answers.items():
        yield "all 1,024 swaps of 10 items", name, formatted(answer(call)), truth


def known_pairing() -> Iterator[tuple[str, ...]]:
    """Ask about a small difference that only pairs show."""
    rng = np.random.default_rng(1)
    hard = rng.normal(0, 1, 300)
    first = hard + rng.normal(0, 0.1, 300)
    second = hard + 0.05 + rng.normal(0, 0.1, 300)
    truth = scipy.stats.ttest_rel(second, first, alternative="greater").pvalue
    drawn = scipy.stats.bootstrap(
        (second, first),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        paired=True,
        vectorized=True,
        rng=np.random.default_rng(0),
    ).bootstrap_distribution
    answers = {
        "likelier `bootstrap` (10,000 draws)": p_of(
            (first, second), lk.methods.Bootstrap(alternative="greater"), draws=10_000
        ),
        "scipy `bootstrap(paired=True)`, share below 0": float(np.mean(drawn <= 0)),
        "deepsig `bootstrap_test` (1,000 draws)": deepsig.bootstrap_test(
            second, first, seed=0
        ),
    }
    for name, answer in answers.items():
        yield (
            "300 items, correlation 0.99",
            name,
            formatted(answer),
            f"paired t: {formatted(truth)}",
        )


def known_tail() -> Iterator[tuple[str, ...]]:
    """Ask for a probability far out in a tail of Student's t."""
    rng = np.random.default_rng(2)
    first = 0.80 + rng.normal(0, 0.001, 100)
    second = first + 0.02 + rng.normal(0, 0.001, 100)
    scores = lk.Scores.from_arrays(first, second, runs=10)
    difference = second - first
    scale = math.sqrt(difference.var(ddof=1) * (1 / 100 + 1 / 9))
    truth = formatted(scipy.stats.t.sf(difference.mean() / scale, 99))
    ours = lk.compare_folds(scores, method="correlated-t").probability.worse
    theirs = baycomp.two_on_single(second, first, runs=10)
    yield "correlated t, P(worse)", "likelier", formatted(ours), truth
    yield "correlated t, P(worse)", "baycomp", formatted(min(theirs)), truth


def known_interval() -> Iterator[tuple[str, ...]]:
    """Ask for an interval of macro F1, which lies between 0 and 1."""
    gold = [0] * 5 + [1] * 4 + [2] * 3
    said = [*gold[:-1], 0]
    ours = lk.estimate(gold, said, metric="macro_f1", seed=0)
    theirs = answer(lambda: confidenceinterval.f1_score(gold, said, average="macro"))
    low, high = theirs[1] if isinstance(theirs, tuple) else (math.nan, math.nan)
    case, bounds = "macro F1 of 12 items, 95 % interval", "within 0, 1"
    yield case, "likelier `estimate`", formatted(_ends(ours)), bounds
    yield case, "confidenceinterval `f1_score`, macro", formatted((low, high)), bounds


def _ends(estimate: Any) -> tuple[float, float]:
    return estimate.interval.low, estimate.interval.high


def alarms() -> Iterator[tuple[str, ...]]:
    """Count how often a test finds a difference where there is none."""
    rng = np.random.default_rng(3)
    tests: dict[str, Callable[[Array, Array], float]] = {
        "likelier `methods.wilcoxon`": lambda a, b: _p(methods.wilcoxon(b - a)),
        "scipy `wilcoxon`": lambda a, b: scipy.stats.wilcoxon(a, b).pvalue,
        "autorank, two columns, `force_mode='nonparametric'`": lambda a, b: (
            autorank.autorank(
                pd.DataFrame({"a": a, "b": b}),
                verbose=False,
                force_mode="nonparametric",
            ).pvalue
        ),
    }
    drawn = rng.laplace(0.8, 0.02, (TRIALS, 2, 20))
    for name, test in tests.items():
        with silence():
            count = sum(test(first, second) < 0.05 for first, second in drawn)
        error = 2 * math.sqrt(0.05 * 0.95 / TRIALS)
        yield name, f"{count / TRIALS:.3f} ± {error:.3f}"


def _p(answer: Any) -> float:
    return float(getattr(answer, "p_value", answer))


def times() -> Iterator[tuple[str, ...]]:
    """Time the same work side by side; the two take turns, the least counts."""
    rng = np.random.default_rng(4)
    gold = rng.integers(0, 2, 10_000)
    first, second = (
        np.where(rng.random(10_000) < p, gold, 1 - gold) for p in (0.85, 0.86)
    )
    right = [(x == gold).astype(float) for x in (first, second)]
    counted = lk.Outcomes.from_labels(gold, first, second)
    data_sets = rng.normal(0.8, 0.05, (30, 1)) + rng.normal(0, 0.01, (30, 5))
    many = pd.DataFrame(data_sets, columns=list("abcde"))
    names = [f"d{i}" for i in range(30)]
    two = lk.Scores.from_arrays(*data_sets.T[:2], datasets=names)
    five = lk.Scores.from_arrays(*data_sets.T, datasets=names, systems=list("abcde"))
    cells = np.array([[8000, 500], [600, 900]])
    flips = {"metric": lk.metrics.mean, "method": "randomization", "seed": 0}
    means = lk.Outcomes.from_scores(*right)
    real = [x + rng.random(10_000) for x in right]
    spread = lk.Outcomes.from_scores(*real)
    yield row(
        "F1 difference, 10,000 items, bootstrap of 9,999",
        (
            "`null_test`, items counted each time",
            lambda: lk.null_test(
                gold,
                first,
                second,
                metric="f1",
                positive=1,
                method="bootstrap",
                draws=DRAWS,
                seed=0,
            ),
        ),
        ("scipy `bootstrap`, percentile", lambda: scipy_f1(gold, first, second)),
    )
    yield row(
        "mean difference, 10,000 items, 9,999 swaps",
        ("`null_test`, exact", lambda: lk.null_test(means, **flips)),
        (
            "scipy `permutation_test`",
            lambda: scipy_flips(*right, n_resamples=DRAWS, batch=500),
        ),
    )
    yield row(
        "mean difference, 10,000 items, 1,000 swaps",
        ("`null_test`, exact", lambda: lk.null_test(means, **flips)),
        (
            "mlxtend `permutation_test`",
            lambda: mlxtend.permutation_test(
                *right, method="approximate", num_rounds=1000, paired=True, seed=0
            ),
        ),
    )
    yield row(
        "mean difference, 10,000 scores that all differ, 9,999 swaps",
        ("`null_test`", lambda: lk.null_test(spread, **flips, draws=DRAWS)),
        (
            "scipy `permutation_test`",
            lambda: scipy_flips(*real, n_resamples=DRAWS, batch=500),
        ),
    )
    yield row(
        "signed-rank posterior, 30 data sets, 50,000 draws",
        ("`compare_folds`", lambda: lk.compare_folds(two, rope=ROPE, seed=0)),
        (
            "baycomp `two_on_multiple`",
            lambda: baycomp.two_on_multiple(*data_sets.T[:2], rope=ROPE),
        ),
    )
    yield row(
        "five systems on 30 data sets",
        ("`rank`, posterior of ranks", lambda: lk.rank(five, rope=ROPE, seed=0)),
        ("autorank, frequentist", lambda: autorank.autorank(many, verbose=False)),
    )
    yield row(
        "McNemar from counts",
        (
            "`null_test`, items counted",
            lambda: lk.null_test(counted, metric="accuracy", method="mcnemar"),
        ),
        ("statsmodels `mcnemar`", lambda: statsmodels_mcnemar(cells, exact=True)),
    )
    yield row(
        "McNemar from counts, the test alone",
        (
            "`methods.McNemar().null`, without checks and recipe",
            lambda: methods.McNemar().null(counted, lk.metrics.accuracy, Streams(0)),
        ),
        ("statsmodels `mcnemar`", lambda: statsmodels_mcnemar(cells, exact=True)),
    )
    from_items = (
        "`null_test`, items counted each time",
        lambda: p_of(right, "mcnemar"),
    )
    for name, call in {
        "statsmodels `mcnemar`, items counted by numpy": lambda: statsmodels_mcnemar(
            np.histogram2d(*right, bins=2)[0], exact=True
        ),
        "errorbars `mcnemar_exact`": lambda: mcnemar_exact(*right),
        "truescore `mcnemar(midp=False)`": lambda: truescore.mcnemar(
            *right, midp=False
        ),
    }.items():
        yield row("McNemar from 10,000 items", from_items, (name, call))
    posterior = (
        "`compare`, posterior, items counted each time",
        lambda: lk.compare(
            lk.Outcomes.from_scores(*real), metric="mean", rope=ROPE, seed=0
        ),
    )
    loaded = evalstats_table(*real)
    for name, call in {
        "errorbars `paired_compare`, by t": lambda: paired_compare(*real),
        "truescore `paired_bootstrap`, 10,000 draws": lambda: (
            truescore.paired_bootstrap(*real)
        ),
        "evalstats `compare`": lambda: evalstats.compare(loaded, factors="model"),
    }.items():
        yield row(
            "mean difference and interval, 10,000 scores", posterior, (name, call)
        )
    meant = ["the cat sat on the mat", *["a dog barks", "birds fly high"] * 500]
    said = [
        [" ".join(rng.permutation(line.split())) for line in meant] for _ in range(2)
    ]
    yield row(
        "BLEU of 1,001 segments, paired bootstrap of 1,000",
        (
            "`null_test`, segments counted each time",
            lambda: lk.null_test(
                meant, *said, metric="bleu", method="bootstrap", draws=1000, seed=0
            ),
        ),
        (
            "sacreBLEU `PairedTest`",
            lambda: PairedTest(
                [("first", said[0]), ("second", said[1])],
                {"BLEU": BLEU(references=[meant])},
                references=None,
                test_type="bs",
                n_samples=1000,
            )(),
        ),
    )


def scipy_f1(gold: Array, first: Array, second: Array) -> Any:
    """Bootstrap the difference of F1 with scipy, vectorised, a batch at a time."""

    def difference(g: Array, a: Array, b: Array, axis: int) -> Array:
        tp = [(g * x).sum(axis=axis) for x in (a, b)]
        size = [g.sum(axis=axis) + x.sum(axis=axis) for x in (a, b)]
        return 2 * tp[1] / size[1] - 2 * tp[0] / size[0]

    return scipy.stats.bootstrap(
        (gold, first, second),
        difference,
        n_resamples=DRAWS,
        batch=500,
        paired=True,
        vectorized=True,
        method="percentile",
        rng=np.random.default_rng(0),
    )


Named = tuple[str, Callable[[], Any]]


def row(task: str, ours: Named, theirs: Named) -> tuple[str, ...]:
    """Time two calls in turn, after one call of each that is not counted.

    By processor time: a busy machine slows down neither.
    """
    least = [math.inf, math.inf]
    calls = (ours[1], theirs[1])
    for number in range(ROUNDS + 1):
        for i, call in enumerate(calls):
            with silence():
                start = time.process_time()
                call()
                spent = time.process_time() - start
            if number:
                least[i] = min(least[i], spent)
    ratio = least[1] / least[0]
    digits = 1 - math.floor(math.log10(max(ratio, 1 / ratio)))
    times = f"{round(max(ratio, 1 / ratio), digits):,g} times"
    told = f"{times} {'faster' if ratio >= 1 else 'slower'}"
    seconds = " and ".join(f"{x:.2g} s" for x in least)
    return task, ours[0], theirs[0], seconds, told


if __name__ == "__main__":
    main()
