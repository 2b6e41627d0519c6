"""Labels and scores of three groups of other sizes, and their tables."""

import numpy as np

from likelier import Outcomes

_RNG = np.random.default_rng(5)
SIZES = {"x": 40, "y": 90, "z": 200}


def _labels(n):
    gold = _RNG.integers(0, 3, n)
    systems = [
        np.where(_RNG.random(n) < right, gold, _RNG.integers(0, 3, n))
        for right in (0.5, 0.6)
    ]
    return [column.astype(str) for column in (gold, *systems)]


LABELS = {group: _labels(n) for group, n in SIZES.items()}
SCORES = {group: _RNG.normal(3, 2, (2, n)) for group, n in SIZES.items()}


def of_labels(times=1):
    return {
        group: Outcomes.from_labels(
            *(np.tile(column, times) for column in columns), systems=["a", "b"]
        )
        for group, columns in LABELS.items()
    }


def of_scores():
    return {
        group: Outcomes.from_scores(*columns, systems=["a", "b"])
        for group, columns in SCORES.items()
    }
