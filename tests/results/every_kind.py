"""One small result of every kind and method, made once."""

from functools import cache

from tests.conftest import random_labels
from tests.data.score_tables import drawn

import likelier as lk
from likelier import Assumed, Outcomes
from likelier._rank import ranking_of
from likelier.findings import Finding
from likelier.methods.items.bootstrap import Bootstrap
from likelier.methods.items.dirichlet import Paired, Unpaired
from likelier.methods.items.hierarchical_classes import HierarchicalClasses
from likelier.methods.items.randomization import Randomization
from likelier.results import what_if
from likelier.results.study_folds import FailedFold, FoldRow
from likelier.results.study_report import StudyReport
from likelier.settings import DataSummary, Settings

TABLE = random_labels(1, n=60, classes=2)
MANY = random_labels(2, n=90, classes=4)
FEW = {"draws": 1000, "seed": 0}
ONE = drawn(folds=10)
HALVES = drawn(runs=5, folds=2)
SETS = drawn(sets=3, folds=5)
MEANS = drawn(sets=8, folds=1)
THREE = drawn(sets=3, folds=3, systems="abc")
RANKED = {"rope": 0.01, "method": "signed-rank", **FEW}
COUNTS = {
    "tp": [[80, 84], [78, 83], [79, 85], [81, 82], [80, 80], [77, 84]],
    "fp": [[20, 17], [22, 16], [21, 18], [19, 17], [20, 19], [18, 18]],
    "fn": [[20, 16], [22, 17], [21, 15], [19, 18], [20, 20], [23, 16]],
}


def compared(**settings):
    """Compare two systems on 60 items of two classes."""
    options = {"metric": "f1", "positive": "b", "rope": 0.02, **FEW} | settings
    return lk.compare(*TABLE.columns, **options)


def many(**settings):
    """Compare two systems on 90 items of four classes."""
    options = {"metric": "macro_f1", "rope": 0.02, **FEW} | settings
    return lk.compare(*MANY.columns, **options)


def nulled(method, **settings):
    """Test two systems on 60 items."""
    options = {"metric": "accuracy", "method": method, **FEW} | settings
    return lk.null_test(*TABLE.columns, **options)


# Gold labels and two columns of scores that rank them.
SCORED = ([0, 1] * 9, [*range(18)], [*range(18, 0, -1)])


def ranked(method):
    """Test two systems by how they rank 18 items."""
    options = {"metric": "roc_auc", "positive": 1, "method": method, **FEW}
    return lk.null_test(*SCORED, **options)


def estimated(**settings):
    """Estimate one system on 60 items."""
    options = {"metric": "f1", "positive": "b", **FEW} | settings
    return lk.estimate(TABLE.gold, TABLE.predictions[0], **options)


def by_folds(**settings):
    """Test by the counts of 3 x 2 folds."""
    options = {"metric": "f1", "repetitions": 3} | settings
    return lk.compare_folds(Outcomes.from_statistics(COUNTS), **options)


def planned():
    """Plan with everything that a plan can tell."""
    assumed = Assumed.accuracies(0.80, 0.85, agreement=0.9)
    settings = {"metric": "accuracy", "rope": 0.01, "replications": 60, **FEW}
    return lk.plan(assumed, **settings).report([200, 2000])


def undrawn():
    """Rank by comparisons of all pairs alone, as a study of items does."""
    ranking = result("ranking-items")
    return ranking_of(ranking.comparisons, ranking.settings.data, threshold=0.5)


def studied(*answers, **settings):
    """Report a study of two systems on one data set."""
    folds = tuple(
        FoldRow("mail", system, 1 + i // 2, 1 + i % 2, {"f1": value}, 1.0, 0.1)
        for system, value in (("first", 0.5), ("second", 0.7))
        for i in range(6)
    )
    fields = {
        "name": "mine",
        "systems": ("first", "second"),
        "datasets": ("mail",),
        "metrics": ("f1",),
        "planned": 6,
        "folds": folds,
        "failures": (),
        "results": answers,
        "remarks": (),
        "versions": {"python": ("3.12.1",)},
    }
    fields |= {name: settings[name] for name in settings if name in fields}
    design = {
        "design": "blocked 3x2 stratified seed 0",
        "seed": 7,
        "digest": "0123456789abcdef",
    }
    design |= {name: settings[name] for name in settings if name not in fields}
    every = (finding for answer in answers for finding in answer.findings)
    return StudyReport(
        settings=study_settings(fields, **design),
        findings=tuple(dict.fromkeys((*fields["remarks"], *every))),
        **fields,
    )


def study_settings(fields, *, design, seed, digest):
    """Settings of a study, as reading its store makes them."""
    rows, sets = len(fields["folds"]), len(fields["datasets"])
    return Settings(
        metric=", ".join(fields["metrics"]),
        positive=None,
        method=design,
        parameters={},
        data=DataSummary(
            systems=fields["systems"],
            observed=(),
            items=rows,
            units=sets,
            patterns=rows,
            unit="folds",
            data_sets=sets,
            digest=digest,
        ),
        seed=seed,
        options={"study": fields["name"]},
    )


FAILED = FailedFold("mail", "second", 1, 2, "ValueError: no")
VERSIONS = Finding("LIK141", "folds were run with different versions of x (1, 2).")
POINT = {"metric": "accuracy", "positive": None, "rope": None, "factor": "point"}

KINDS = {
    "comparison": compared,
    "comparison-no-rope": lambda: compared(rope=None),
    "comparison-zhang": lambda: compared(rule="zhang"),
    "comparison-regions": lambda: compared(rule="regions", mass=0.9),
    "comparison-region-mass": lambda: compared(rule="region-mass"),
    "comparison-bayes-test": lambda: compared(rule="bayes-test"),
    "comparison-strength": lambda: compared(method=Paired(strength=2)),
    "comparison-prior-bootstrap": lambda: compared(method=Paired(prior="bootstrap")),
    "comparison-prior-uniform": lambda: compared(prior="uniform", strength=2),
    "comparison-clusters": lambda: compared(cluster=[i // 3 for i in range(60)]),
    "comparison-scores": lambda: lk.compare(
        Outcomes.from_scores([0.1, 0.5, 0.9] * 12, [0.2, 0.7, 0.9] * 12),
        metric="mean",
        rope=0.05,
        **FEW,
    ),
    "comparison-many-classes": many,
    "comparison-objective": lambda: many(prior="objective"),
    "comparison-prior-extremes": lambda: compared(method="unpaired"),
    "comparison-unpaired": lambda: compared(method=Unpaired(prior="objective")),
    "comparison-independent": lambda: compared(method="independent"),
    "comparison-monte-carlo": lambda: compared(method="monte-carlo"),
    "comparison-rope": lambda: compared(factor="rope"),
    "comparison-point": lambda: compared(**POINT),
    "comparison-kde": lambda: compared(factor="kde"),
    "bayes-test": by_folds,
    "bayes-test-margin": lambda: by_folds(
        margin=0.01, rope=0.02, interval="equal-tailed", rho1=1.0, rho2=1.0
    ),
    "bayes-test-hold-out": lambda: by_folds(repetitions=None, rule="hdi-rope"),
    "bayes-test-paired": lambda: lk.compare_folds(
        *TABLE.columns, metric="accuracy", repetitions=3, method="paired", **FEW
    ),
    "correlated-t": lambda: lk.compare_folds(ONE, rope=0.01),
    "correlated-t-5x2": lambda: lk.compare_folds(HALVES),
    "signed-rank": lambda: lk.compare_folds(MEANS, rope=0.01, **FEW),
    "sign-of-sets": lambda: lk.compare_folds(MEANS, method="sign", **FEW),
    "hierarchical": lambda: lk.compare_folds(SETS, rope=0.01),
    "randomization": lambda: nulled("randomization"),
    "randomization-drawn": lambda: nulled(Randomization(exact=False)),
    "bootstrap": lambda: nulled("bootstrap"),
    "bootstrap-two-sided": lambda: nulled(Bootstrap("two-sided", ties=True)),
    "bootstrap-greater": lambda: nulled(Bootstrap("greater")),
    "mcnemar": lambda: nulled("mcnemar"),
    "mcnemar-midp": lambda: nulled("mcnemar-midp"),
    "sign": lambda: nulled("sign"),
    "s-test": lambda: nulled("s-test"),
    "p-test": lambda: nulled("p-test"),
    "delong": lambda: ranked("delong"),
    "randomization-ranked": lambda: ranked("randomization"),
    "estimate": estimated,
    "estimate-equal-tailed": lambda: estimated(interval="equal-tailed"),
    "estimate-paired": lambda: estimated(method="paired"),
    "estimate-uniform": lambda: estimated(method=Paired(prior="uniform")),
    "estimate-bootstrap": lambda: estimated(method="bootstrap"),
    "estimate-difference": lambda: lk.estimate(
        *TABLE.columns, metric="accuracy", method="bootstrap", **FEW
    ),
    "classes": lambda: lk.compare_groups(*MANY.columns, rope=0.02, **FEW),
    "classes-hierarchical": lambda: lk.compare_groups(
        *MANY.columns, rope=0.02, method=HierarchicalClasses(concentration=4.0), **FEW
    ),
    "sensitivity": lambda: lk.sensitivity(
        *TABLE.columns, metric="f1", positive="b", rope=0.02, **FEW
    ),
    "sensitivity-factor": lambda: lk.sensitivity(
        *TABLE.columns, metric="f1", positive="b", rope=0.05, factor="rope", **FEW
    ),
    "plan": planned,
    "power": lambda: result("plan").chances,
    "needed": lambda: result("plan").needed,
    "smallest": lambda: result("plan").smallest[0],
    "pairs": lambda: lk.rank(THREE, rope=0.01, threshold=0.6, **FEW),
    "pairs-one-set": lambda: lk.rank(drawn(folds=5, systems="abc"), **FEW),
    "ranking": lambda: lk.rank(THREE, **RANKED),
    "ranking-items": lambda: lk.rank(
        *MANY.columns, MANY.predictions[0], metric="accuracy", rope=0.01, **FEW
    ),
    "ranking-without-draws": undrawn,
    "study": lambda: studied(by_folds(), by_folds(metric="recall")),
    "study-pairs": lambda: studied(lk.rank(THREE, **RANKED)),
    "study-unfinished": lambda: studied(
        planned=8, failures=(FAILED,), remarks=(VERSIONS,)
    ),
}


@cache
def result(name):
    """Return the result of one kind; every test shares it."""
    return KINDS[name]()


def have_few_stops(monkeypatch):
    """Let the sliders of a page have few stops: each costs an integral."""
    monkeypatch.setattr(what_if, "_STEPS", 4)
    monkeypatch.setattr(what_if, "_COARSE", (0.5,))
    monkeypatch.setattr(what_if, "_FINE", (0.9, 0.95, 0.99))
