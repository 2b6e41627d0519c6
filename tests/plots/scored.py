"""Scores to draw: systems that get better by a step, on data sets that differ."""

from dataclasses import replace
from functools import cache
from itertools import cycle, islice
from types import SimpleNamespace

import numpy as np

import likelier as lk
from likelier.interval import Rope

# Names that could be read as mathematics, run out of the picture, or turn it round.
STRANGE = ("$x_1$", "_a", "W" * 80, "אבג", "a\nb", "漢字" * 20)


def names_of(count):
    return tuple(f"system {index}" for index in range(count))


@cache
def scores(*, count=2, sets=5, folds=1, gap=0.01, names=None, datasets=None):
    rng = np.random.default_rng(count + 10 * sets)
    base = 0.8 + rng.normal(0, 0.02, (sets, folds))
    arrays = [
        base + gap * index + rng.normal(0, 0.01, (sets, folds))
        for index in range(count)
    ]
    return lk.Scores.from_arrays(
        *arrays,
        systems=list(names or names_of(count)),
        datasets=list(datasets or (f"set {index}" for index in range(sets))),
    )


@cache
def same_scores(*, count=2, sets=5, folds=1):
    rng = np.random.default_rng(0)
    one = 0.8 + rng.normal(0, 0.02, (sets, folds))
    return lk.Scores.from_arrays(
        *[one] * count, systems=list(names_of(count)), datasets=None
    )


@cache
def compared(*, method="hierarchical", rope=0.01, mass=0.95, **data):
    """Compare two systems; the hierarchical model is solved at one rope for all."""
    if method == "hierarchical" and rope != 0.01:
        region = None if rope is None else Rope.of(rope)
        solved = compared(mass=mass, **data)
        return replace(solved, settings=replace(solved.settings, rope=region))
    folds = {"hierarchical": 6, "correlated-t": 6}.get(method, 1)
    table = scores(folds=folds, **data)
    return lk.compare_folds(
        table, rope=rope, method=method, mass=mass, draws=2000, seed=0
    )


@cache
def repeated(sets, *, rope=0.01, names=None, datasets=None):
    """Repeat five data sets of the hierarchical model until there are so many."""
    solved = compared(rope=rope)
    model = solved.data_sets
    rows = tuple(
        replace(row, name=name)
        for row, name in zip(
            islice(cycle(model.rows), sets),
            datasets or [f"set {index}" for index in range(sets)],
            strict=True,
        )
    )
    systems = names or solved.settings.systems
    settings = replace(
        solved.settings, data=replace(solved.settings.data, systems=systems)
    )
    model = SimpleNamespace(population=model.population, mass=model.mass, rows=rows)
    return replace(solved, settings=settings, data_sets=model)


@cache
def ranked(*, rope=0.01, threshold=0.0, **data):
    return lk.rank(scores(**data), rope=rope, threshold=threshold, draws=1000, seed=0)
