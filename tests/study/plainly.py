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

from likelier.study import run

CLASSIFIERS = {
    "stump": DecisionTreeClassifier(max_depth=1, random_state=0),
    "bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(max_depth=4, random_state=0),
    "near": KNeighborsClassifier(3),
}
TWO = {name: CLASSIFIERS[name] for name in ("stump", "bayes")}


def ran(study, path):
    """Run a study in this process, and give its store."""
    run(study, path, engine="threads", workers=1)
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
    told = {"PER": ["ann", "bob", "li"], "LOC": ["rome", "york", "li"]}
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
            tokens += [rng.choice(told[kind]) for _ in range(length)]
            tags += [f"B-{kind}", *[f"I-{kind}"] * (length - 1)]
        inputs.append(tokens)
        gold.append(tags)
    return inputs, gold


class Commonest:
    """Gives each token its commonest tag, given the token before or not."""

    def __init__(self, *, before=False, default="O"):
        self.before = before
        self.default = default

    def fit(self, inputs, gold):
        counts = defaultdict(Counter)
        for tokens, tags in zip(inputs, gold, strict=True):
            for key, tag in zip(self._keys(tokens), tags, strict=True):
                counts[key][tag] += 1
        self.known = {k: min(c, key=lambda t: (-c[t], t)) for k, c in counts.items()}
        return self

    def predict(self, inputs):
        return [[self._tag(key) for key in self._keys(tokens)] for tokens in inputs]

    def _tag(self, key):
        return self.known.get(key, self.default)

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


def away(right, said):
    """How far a prediction is off."""
    return abs(right - said)


def taken(column, places):
    """Take the entries of a list or of an array at some places."""
    if isinstance(column, np.ndarray):
        return column[places]
    return [column[i] for i in places]


def loop(inputs, gold, system, splits, *, translate=None):
    """Train and test by hand; give gold and predictions of each fold."""
    folds = []
    for train, test in splits:
        way = clone(system) if hasattr(system, "get_params") else copy.deepcopy(system)
        told = taken(gold, train)
        way.fit(taken(inputs, train), told if translate is None else translate(told))
        said = way.predict(taken(inputs, test))
        folds.append((train, test, taken(gold, test), list(said)))
    return folds


def joined(folds):
    """Put the gold labels, and the predictions, of all folds together."""
    return (
        [label for _, _, gold, _ in folds for label in gold],
        [label for _, _, _, said in folds for label in said],
    )


def accuracy(gold, said):
    return sum(a == b for a, b in zip(gold, said, strict=True)) / len(gold)


def assert_same(found, wanted, where="answer", *, tolerance=1e-12):
    """Compare two documents, every number to a tolerance.

    The hash of scores may differ where their last digits do.
    """
    if where.endswith(".recipe"):
        found, wanted = (sub("sha [0-9a-f]+", "sha", line) for line in (found, wanted))
    if isinstance(wanted, dict):
        assert set(found) == set(wanted), where
        for key, part in wanted.items():
            assert_same(found[key], part, f"{where}.{key}", tolerance=tolerance)
    elif isinstance(wanted, list | tuple):
        assert len(found) == len(wanted), where
        for i, (one, other) in enumerate(zip(found, wanted, strict=True)):
            assert_same(one, other, f"{where}[{i}]", tolerance=tolerance)
    elif isinstance(wanted, float):
        close = isclose(found, wanted, rel_tol=tolerance, abs_tol=tolerance)
        assert close, f"{where}: {found!r}, not {wanted!r}"
    else:
        assert found == wanted, f"{where}: {found!r}, not {wanted!r}"
