"""One result, or several, of every kind that has a report."""

from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd
from tests.results.every_kind import studied

import likelier as lk
from likelier.readers.frames import read_frame
from likelier.results.plan_report import PlanReport
from likelier.results.result_list import ResultList
from likelier.results.study_folds import FailedFold, FoldRow

DRAWS = 1_000
# Pages of several comparisons name fewer items each.
FEW_ITEMS = 100


@dataclass(frozen=True)
class Names:
    """The texts from data that a page shows; harmless ones here."""

    systems: tuple = ("baseline", "new", "other")
    labels: tuple = ("spam", "ham", "news")
    datasets: tuple = ("mail", "wiki", "web", "talk", "book", "chat")


PLAIN = Names()


def frame(names=PLAIN, *, right=(0.80, 0.84, 0.82), classes=2, items=400, seed=3):
    """Return predictions with ids, gold labels, and a cluster for every five items."""
    rng = np.random.default_rng(seed)
    labels = np.array(names.labels[:classes], dtype=object)
    gold = rng.integers(classes, size=items)
    columns = {
        system: labels[np.where(rng.random(items) < share, gold, (gold + 1) % classes)]
        for system, share in zip(names.systems, right, strict=True)
    }
    ids = [f"item {i:04}" for i in range(items)]
    clusters = [f"document {i // 5}" for i in range(items)]
    return pd.DataFrame(
        {"id": ids, "gold": labels[gold], "cluster": clusters, **columns}
    )


@cache
def table(systems, items, cluster=None):
    """Read some systems of the frame, once for all comparisons."""
    return read_frame(
        frame(items=items), gold="gold", systems=systems, id="id", cluster=cluster
    )


def compared(items=400, *, systems=PLAIN.systems[:2], cluster=None, **settings):
    """Compare the first two systems of the frame."""
    settings = {"metric": "f1", "draws": DRAWS, "seed": 0} | settings
    if settings["metric"] == "f1":
        settings |= {"positive": "spam"}
    return lk.compare(table(tuple(systems), items, cluster), **settings)


COUNTS = {
    "tp": [[80, 84], [78, 83], [81, 82], [79, 85], [80, 81], [77, 84]],
    "fp": [[20, 17], [22, 16], [19, 18], [21, 18], [22, 17], [20, 19]],
    "fn": [[20, 16], [22, 17], [19, 18], [21, 15], [20, 19], [23, 16]],
}


def bayes_tested(**settings):
    """Test counts of folds by Bayes' rule."""
    table = lk.Outcomes.from_statistics(COUNTS, systems=PLAIN.systems[:2])
    return lk.compare_folds(table, **{"metric": "f1", "repetitions": 3} | settings)


def fold_scores(datasets, folds, systems=2, seed=1):
    """Return scores of some systems, on some data sets with some folds each."""
    rng = np.random.default_rng(seed)
    level = 0.8 + 0.05 * rng.standard_normal((datasets, 1, 1))
    ahead = 0.012 * np.arange(systems)
    noise = 0.01 * rng.standard_normal((datasets, folds, systems))
    scores = np.round(level + ahead + noise, 4)
    return lk.Scores.from_arrays(
        *(scores[..., system] for system in range(systems)),
        systems=PLAIN.systems[:systems],
        datasets=[f"{PLAIN.datasets[i % 6]} {i}" for i in range(datasets)],
    )


@cache
def one_set():
    return fold_scores(1, 10)


@cache
def one_each():
    return fold_scores(12, 1)


@cache
def many_folds(systems=2):
    return fold_scores(4, 5, systems)


def several():
    """Compare two candidates on two metrics."""
    return [
        compared(
            FEW_ITEMS,
            metric=metric,
            systems=[PLAIN.systems[0], candidate],
            rope=0.01,
        )
        for metric in ("f1", "accuracy")
        for candidate in PLAIN.systems[1:]
    ]


def null_tests():
    return [
        lk.null_test(
            frame(),
            gold="gold",
            systems=list(PLAIN.systems[:2]),
            id="id",
            metric="accuracy",
            method=method,
            draws=500,
            seed=0,
        )
        for method in ("randomization", "mcnemar", "bootstrap")
    ]


def estimates():
    table = frame()
    return [
        lk.estimate(table, gold="gold", systems=[s], id="id", metric=m, positive="spam")
        for s in PLAIN.systems
        for m in ("f1", "precision", "recall")
    ]


def classes():
    return lk.compare_groups(
        frame(classes=3, items=FEW_ITEMS),
        gold="gold",
        systems=list(PLAIN.systems[:2]),
        id="id",
        rope=0.01,
        draws=DRAWS,
        seed=0,
    )


def sensitivity():
    return lk.sensitivity(
        frame(),
        gold="gold",
        systems=list(PLAIN.systems[:2]),
        id="id",
        metric="f1",
        positive="spam",
        rope=0.01,
        draws=DRAWS,
        seed=0,
    )


def plan():
    assumed = lk.Assumed.accuracies(0.80, 0.85, agreement=0.9)
    settings = {"metric": "accuracy", "rope": 0.01, "replications": 40, "draws": 500}
    chances = lk.plan(assumed, seed=0, **settings).chances([200, 400, 800])
    missing = ("the number of items was not searched for",)
    return PlanReport(chances.settings, chances.findings, chances, None, (), missing)


def one_data_set():
    return lk.rank(fold_scores(1, 10, 3), rope=0.005, draws=DRAWS, seed=0)


def ranking():
    return lk.rank(fold_scores(12, 1, 3), rope=0.005, draws=DRAWS, seed=0)


def ranked_items():
    settings = {"metric": "accuracy", "rope": 0.01, "draws": DRAWS, "seed": 0}
    columns = {"gold": "gold", "systems": list(PLAIN.systems), "id": "id"}
    return lk.rank(frame(items=FEW_ITEMS), **columns, **settings)


def study(*, answers=(), names=PLAIN, failed=3):
    """Report a study of two systems, some of whose folds failed."""
    first, second, *_ = names.systems
    rows = [
        FoldRow(dataset, system, 1, fold, {"accuracy": 0.5 + fold / 10}, 1.0, 0.1)
        for dataset in names.datasets[:2]
        for system in (first, second)
        for fold in (1, 2)
    ]
    failures = tuple(
        FailedFold(names.datasets[0], second, 2, fold, f"ValueError: no luck {fold}")
        for fold in range(1, failed + 1)
    )
    return studied(
        *answers,
        systems=(first, second),
        datasets=names.datasets[:2],
        metrics=("accuracy",),
        planned=4 if failed else 2,
        folds=tuple(rows),
        failures=failures,
    )


KINDS = {
    "comparison": lambda: [compared(rope=0.01)],
    "factor": lambda: [compared(rope=0.05, factor="rope")],
    "blocked": lambda: [compared(rope=0.01, draws=999)],
    "no rope": lambda: [compared()],
    "clusters": lambda: [compared(metric="accuracy", cluster="cluster", rope=0.02)],
    "bayes test": lambda: [bayes_tested()],
    "several": several,
    "null tests": null_tests,
    "estimates": estimates,
    "classes": lambda: [classes()],
    "sensitivity": lambda: [sensitivity()],
    "plan": lambda: [plan()],
    "correlated t": lambda: [lk.compare_folds(one_set(), rope=0.005)],
    "signed rank": lambda: [
        lk.compare_folds(one_each(), rope=0.005, draws=DRAWS, seed=0)
    ],
    "hierarchical": lambda: [lk.compare_folds(many_folds(), rope=0.005)],
    "one data set": lambda: [one_data_set()],
    "ranking": lambda: [ranking()],
    "ranked items": lambda: [ranked_items()],
    "failed study": lambda: [study()],
    "study": lambda: [study(answers=results("several").results, failed=0)],
}


def together(several):
    """Put several results into one; one stays as it is."""
    return several[0] if len(several) == 1 else ResultList(several)


@cache
def results(kind):
    """Return the results of a kind as one, computed once."""
    return together(KINDS[kind]())


@cache
def page(kind):
    """Return the page of a kind, made once."""
    return results(kind).report().html
