"""What a study should find, by plain loops that use none of its code."""

import copy
import random
from collections import Counter, defaultdict
from math import isclose
from re import sub

import numpy as np
from sklearn.base import clone
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from likelier.study.runner import run_folds

CLASSIFIERS = {
    "stump": DecisionTreeClassifier(max_depth=1, random_state=0),
    "bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(max_depth=4, random_state=0),
    "near": KNeighborsClassifier(3),
}
TWO = {name: CLASSIFIERS[name] for name in ("stump", "bayes")}


def ran(study, path):
    """Run a study in this process, and give its store."""
    run_folds(study, path, engine="threads", workers=1)
    return path


def points(n=60, *, classes=("ham", "spam"), seed=0, spread=1.0):
    """Numbers in four columns, and classes that these tell, more or less."""
    rng = np.random.default_rng(seed)
    codes = np.arange(n) % len(classes)
    rng.shuffle(codes)
    rows = rng.normal(0, spread, (n, 4))
    rows[:, 0] += codes
    rows[:, 1] += 0.5 * codes
    return rows, [classes[code] for code in codes]


def sentences(n=40, *, seed=0):
    """Tokens with tags of chunks; some tokens are rare, some have two tags."""
    rng = random.Random(seed)
    words = {"PER": ["ann", "bob", "li"], "LOC": ["rome", "york", "li"]}
    inputs, gold = [], []
    for _ in range(n):
        tokens, tags = [], []
        for _ in range(rng.randint(2, 5)):
            kind = rng.choice(["O", "O", "PER", "LOC"])
            if kind == "O":
                tokens.append(rng.choice(["sees", "in", f"w{rng.randint(0, 60)}"]))
                tags.append("O")
                continue
            length = rng.choice([1, 1, 2])
            tokens += [rng.choice(words[kind]) for _ in range(length)]
            tags += [f"B-{kind}", *[f"I-{kind}"] * (length - 1)]
        inputs.append(tokens)
        gold.append(tags)
    return inputs, gold


class Commonest:
    """Gives each token its commonest tag, with or without the token before."""

    def __init__(self, *, before=False, default="O"):
        self.before = before
        self.default = default

    def fit(self, inputs, gold):
        counts = defaultdict(Counter)
        for tokens, tags in zip(inputs, gold, strict=True):
            for key, tag in zip(self._keys(tokens), tags, strict=True):
                counts[key][tag] += 1
        self.tags_of_tokens = {
            k: min(c, key=lambda t: (-c[t], t)) for k, c in counts.items()
        }
        return self

    def predict(self, inputs):
        return [[self._tag(key) for key in self._keys(tokens)] for tokens in inputs]

    def _tag(self, key):
        return self.tags_of_tokens.get(key, self.default)

    def _keys(self, tokens):
        if not self.before:
            return list(tokens)
        return list(zip(["", *tokens[:-1]], tokens, strict=True))


class Fewest:
    """Gives every item the labels that at least so many training items have."""

    def __init__(self, share):
        self.share = share

    def fit(self, inputs, gold):
        counts = Counter(label for labels in gold for label in labels)
        least = self.share * len(gold)
        self.labels = {label for label, count in counts.items() if count >= least}

    def predict(self, inputs):
        return [self.labels if text != "none" else set() for text in inputs]


class Shifted:
    """Says the mean of the training items, and some more."""

    def __init__(self, shift, *, slope=0.0):
        self.shift = shift
        self.slope = slope

    def fit(self, inputs, gold):
        self.mean = sum(gold) / len(gold)

    def predict(self, inputs):
        return [self.mean + self.shift + self.slope * value for value in inputs]


def away(right, predicted):
    """How far a prediction is off."""
    return abs(right - predicted)


def entries(column, positions):
    """Return the entries of a list or of an array at some positions."""
    if isinstance(column, np.ndarray):
        return column[positions]
    return [column[i] for i in positions]


def loop(inputs, gold, system, splits, *, translate=None):
    """Train and test by hand; give gold and predictions of each fold."""
    folds = []
    for train, test in splits:
        fresh = (
            clone(system) if hasattr(system, "get_params") else copy.deepcopy(system)
        )
        labels = entries(gold, train)
        fresh.fit(
            entries(inputs, train), labels if translate is None else translate(labels)
        )
        predicted = fresh.predict(entries(inputs, test))
        folds.append((train, test, entries(gold, test), list(predicted)))
    return folds


def joined(folds):
    """Put the gold labels, and the predictions, of all folds together."""
    return (
        [label for _, _, gold, _ in folds for label in gold],
        [label for _, _, _, predicted in folds for label in predicted],
    )


def accuracy(gold, predicted):
    return sum(a == b for a, b in zip(gold, predicted, strict=True)) / len(gold)


def assert_same(result, expected, where="answer", *, tolerance=1e-12):
    """Compare two documents, every number to a tolerance.

    The hash of scores may differ where their last digits do.
    """
    if where.endswith(".recipe"):
        result, expected = (
            sub("sha [0-9a-f]+", "sha", line) for line in (result, expected)
        )
    if isinstance(expected, dict):
        assert set(result) == set(expected), where
        for key, part in expected.items():
            assert_same(result[key], part, f"{where}.{key}", tolerance=tolerance)
    elif isinstance(expected, list | tuple):
        assert len(result) == len(expected), where
        for i, (one, other) in enumerate(zip(result, expected, strict=True)):
            assert_same(one, other, f"{where}[{i}]", tolerance=tolerance)
    elif isinstance(expected, float):
        close = isclose(result, expected, rel_tol=tolerance, abs_tol=tolerance)
        assert close, f"{where}: {result!r}, not {expected!r}"
    else:
        assert result == expected, f"{where}: {result!r}, not {expected!r}"
