"""Strategies for good and bad data; every test takes its tables from here."""

import gc
import random
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st

import likelier as lk
from likelier import Outcomes, metrics

# Deterministic, so that a failure is the same on every machine.
QUICK = settings(
    max_examples=20,
    deadline=None,
    derandomize=True,
    phases=(Phase.explicit, Phase.generate, Phase.shrink),
)
FEW = settings(QUICK, max_examples=8)
settings.register_profile("quick", QUICK)
settings.load_profile("quick")

# The third label is not plain text on purpose: labels are strings, byte for byte.
LABELS = ("a", "b", "NA", "007", "1e3")

# What must run in one process: one browser, one cluster. And files whose tests look at
# the same answers, which take their time.
TOGETHER = {
    "tests/browser/": "browser",
    "tests/study/test_executors.py": "engines",
    **{
        name: name
        for name in (
            "tests/laws/test_difference.py",
            "tests/methods/folds/test_hierarchical_folds.py",
            "tests/methods/folds/test_properties.py",
            "tests/methods/items/test_point_null.py",
            "tests/reference/test_wang_li.py",
            "tests/test_architecture.py",
            "tests/test_direction.py",
            "tests/test_fold_scores.py",
            "tests/test_groups.py",
            "tests/test_plan_search.py",
            "tests/test_rank.py",
        )
    },
}


def pytest_addoption(parser):
    parser.addoption("--shuffle", metavar="SEED", help="run tests in another order")


def pytest_collection_modifyitems(config, items):
    """Shuffle modules, and the tests of each, where the order should not matter."""
    seed = config.getoption("--shuffle")
    if seed is not None:
        rng = random.Random(seed)
        modules = {item.path: rng.random() for item in items}
        items.sort(key=lambda item: (modules[item.path], rng.random()))


def pytest_collection_finish():
    """Leave the tests themselves out of later collections of garbage; have fewer."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Keep some files together; marks of xdist 3.8 do nothing under pytest 9.2."""
    from xdist.scheduler import LoadScopeScheduling

    class Grouped(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            found = (name for path, name in TOGETHER.items() if nodeid.startswith(path))
            # Else the cases of one test: handing them out one by one takes its time.
            return next(found, nodeid.partition("[")[0])

    return Grouped(config, log) if config.getvalue("dist") == "loadgroup" else None


class LabelTable(NamedTuple):
    """Gold labels and one column of labels per system, item by item."""

    gold: list
    predictions: list

    @property
    def columns(self):
        return [self.gold, *self.predictions]

    def outcomes(self, **settings_):
        return Outcomes.from_labels(*self.columns, **settings_)

    def taken(self, index):
        columns = [[column[i] for i in index] for column in self.columns]
        return LabelTable(columns[0], columns[1:])


@st.composite
def label_tables(draw, *, classes=(1, 4), items=(1, 30), systems=2):
    """Tables of k classes, n items, s systems; classes may be missing anywhere."""
    k = draw(st.integers(*classes))
    row = st.tuples(*[st.sampled_from(LABELS[:k])] * (1 + systems))
    n = draw(st.integers(*items))
    rows = draw(st.lists(row, min_size=n, max_size=n))
    columns = [list(column) for column in zip(*rows, strict=True)]
    return LabelTable(columns[0], columns[1:])


@st.composite
def set_tables(draw, *, classes=(1, 4), items=(1, 20), systems=2):
    """Label sets, empty ones too, but at least one label in all."""
    k = draw(st.integers(*classes))
    labels = st.frozensets(st.sampled_from(LABELS[:k]))
    row = st.tuples(*[labels] * (1 + systems))
    n = draw(st.integers(*items))
    rows = draw(st.lists(row, min_size=n, max_size=n))
    columns = [list(column) for column in zip(*rows, strict=True)]
    columns[0][0] = columns[0][0] | {LABELS[0]}
    return LabelTable(columns[0], columns[1:])


@st.composite
def score_columns(draw, *, items=(1, 20), systems=2):
    """Scores with ties and repetitions, and some with many decimals."""
    some = st.sampled_from([0.0, 0.1, 0.2, 0.3, 1.0, -1.5])
    any_ = st.floats(-1e3, 1e3, allow_subnormal=False)
    row = st.tuples(*[some | any_] * systems)
    n = draw(st.integers(*items))
    rows = draw(st.lists(row, min_size=n, max_size=n))
    return [list(column) for column in zip(*rows, strict=True)]


def pattern_counts(*, patterns=8, most=200):
    """Counts of patterns, not all 0."""
    counts = st.lists(st.integers(0, most), min_size=patterns, max_size=patterns)
    return counts.filter(any)


def bad_scores():
    """Numbers that are no scores."""
    return st.sampled_from([float("nan"), float("inf"), float("-inf")])


def bad_masses():
    """Numbers that are no mass of an interval."""
    outside = st.floats(max_value=0) | st.floats(min_value=1)
    return outside | st.just(float("nan"))


def bad_ropes():
    """Values that are no region around 0."""
    number = st.floats(1e-6, 10)
    nan, inf = float("nan"), float("inf")
    return (
        number.map(lambda x: -x)
        | number.map(lambda x: (x, -x))
        | number.map(lambda x: (x, 2 * x))
        | number.map(lambda x: (-2 * x, -x))
        | number.map(lambda x: (-x, 0.0, x))
        | st.sampled_from([nan, inf, (nan, 0.1), (-0.1, nan), (-inf, 0.1), (0.1,), ()])
    )


# Every metric, by what it needs; tests/common checks that none is left out.
RATES = (
    "precision",
    "recall",
    "specificity",
    "npv",
    "f1",
    "jaccard",
    "informedness",
    "markedness",
)
ONE_CLASS = (*RATES, "f0.5", "f2")
PER_CLASS = (*RATES, "balanced_accuracy", "mcc", "kappa")
AVERAGES = ("micro", "macro", "weighted", "samples")
AVERAGED = (*(f"{a}_{name}" for name in PER_CLASS for a in AVERAGES), "macro_f2")
# Metrics of one label per item; mcc and kappa have no meaning for sets of labels.
WHOLE_TABLE = (
    "accuracy",
    "error_rate",
    "token_accuracy",
    "sentence_accuracy",
    "oov_accuracy",
    "balanced_accuracy",
    "mcc",
    "kappa",
    "f1_of_macro",
)
SCORES = ("mean", "mean_loss")
# Of numbers, probabilities, texts and parses beside gold, and of log-probabilities.
NUMBERS = ("mae", "mse", "rmse", "r2", "pearson")
PROBABILITIES = ("log_loss", "brier", "ece")
TEXTS = ("bleu", "chrf", "chrf++", "ter", "wer", "cer", "exact_match", "token_f1")
PARSES = (
    *("upos", "xpos", "ufeats", "alltags", "lemmas"),
    *("uas", "las", "clas", "mlas", "blex"),
)
OF_NUMBERS = (*NUMBERS, *PROBABILITIES, *TEXTS, *PARSES, "perplexity")
RANKED = (
    *("roc_auc", "macro_roc_auc"),
    *("average_precision", "macro_average_precision"),
)
LABEL_METRICS = (*ONE_CLASS, *WHOLE_TABLE, *AVERAGED)


def focus(table, name):
    """Take one class as positive where a metric speaks of one class."""
    if not metrics.named(name).of_one_class:
        return table
    return table.binary("a" if "a" in table.classes else table.classes[0])


def random_labels(seed, *, n=200, classes=3, right=(0.6, 0.7)):
    """A plain table of two systems with given shares of right labels."""
    rng = np.random.default_rng(seed)
    names = np.array(LABELS[:classes])
    gold = rng.integers(classes, size=n)
    said = [
        np.where(rng.random(n) < share, gold, rng.integers(classes, size=n))
        for share in right
    ]
    return LabelTable(names[gold].tolist(), [names[s].tolist() for s in said])


# Settings that keep simulated experiments short.
SHORT = {"replications": 300, "draws": 400, "seed": 0}

# Shares of two systems that a plan assumes: binary, not balanced, the second ahead.
EIGHT = {
    ("y", "y", "y"): 0.20,
    ("y", "y", "n"): 0.04,
    ("y", "n", "y"): 0.10,
    ("y", "n", "n"): 0.06,
    ("n", "y", "y"): 0.06,
    ("n", "y", "n"): 0.07,
    ("n", "n", "y"): 0.05,
    ("n", "n", "n"): 0.42,
}
THREE = {
    ("a", "a", "a"): 0.25,
    ("a", "b", "a"): 0.08,
    ("a", "c", "c"): 0.05,
    ("b", "b", "b"): 0.22,
    ("b", "b", "c"): 0.04,
    ("b", "a", "b"): 0.08,
    ("c", "c", "c"): 0.18,
    ("c", "a", "b"): 0.04,
    ("c", "c", "a"): 0.06,
}


@pytest.fixture(scope="session")
def apart():
    """Two systems, the second five points ahead."""
    return lk.Assumed.accuracies(0.80, 0.85, agreement=0.9)


@pytest.fixture(scope="session")
def eight():
    return lk.Assumed.cells(EIGHT)


@pytest.fixture(scope="session")
def three():
    return lk.Assumed.cells(THREE)
