"""Tables of scores: one row per data set, run, fold and system."""

import csv
import io

import numpy as np

from likelier import Scores

HEADER = ("dataset", "run", "fold", "system", "score")


def rows(*, sets=1, runs=1, folds=5, systems="ab", gain=0.03, noise=0.01, seed=1):
    """Rows of HEADER; each system is better than the one before by `gain`."""
    rng = np.random.default_rng(seed)
    table = []
    for dataset, run, fold in np.ndindex(sets, runs, folds):
        base = rng.normal(0.8, 0.02)
        for step, system in enumerate(systems):
            score = round(base + step * gain + rng.normal(0, noise), 4)
            table.append([f"d{dataset}", run + 1, fold + 1, system, score])
    return table


def scores_of(table, **settings):
    """Put rows of HEADER together."""
    dataset, run, fold, system, score = zip(*table, strict=True)
    return Scores.from_rows(dataset, system, score, run=run, fold=fold, **settings)


def drawn(**settings):
    """Scores of `rows`."""
    return scores_of(rows(**settings))


def delimited(table, header=HEADER, mark=","):
    """The rows as a text with one line each."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n", delimiter=mark)
    writer.writerows([header, *table])
    return text.getvalue()
