"""Sentences that describe a method: its model and prior, or its test, and citations."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from likelier.citations import Sentence
from likelier.formatting import plain

if TYPE_CHECKING:
    from likelier.distribution import Null
    from likelier.settings import DataSummary, Settings

_SIDES = {
    "two-sided": "in either direction",
    "as-observed": "in the direction that the data showed",
    "greater": "in favour of the candidate",
    "less": "in favour of the baseline",
}


def item_model(settings: "Settings", *, positive: str | None = None) -> list[Sentence]:
    """Describe the posterior of a comparison of items, and its prior.

    Parameters
    ----------
    settings
        Those of the answer.
    positive
        Positive class to name, in place of the settings' own.
    """
    describe = _ITEM_MODELS.get(settings.method)
    if describe is None:
        method = plain(settings.method_text)
        return [Sentence(f"The posterior is that of the method {method}")]
    return describe(settings, positive or settings.positive)


def _independent(settings: "Settings", _: str | None) -> list[Sentence]:
    text = (
        "The score of each system has the posterior that follows from its own "
        "counts as cells of a Dirichlet distribution, with a prior of "
        f"{settings.parameters['prior']:g} on each, and the two systems are taken as "
        "independent"
    )
    return [Sentence(text, ("wang2019", "goutte2005"))]


def _paired(settings: "Settings", positive: str | None) -> list[Sentence]:
    both = len(settings.systems) > 1
    cells = _cells(settings, positive, both=both)
    text = f"The score has the posterior of a Dirichlet model of {cells}"
    if both:
        text = f"Both scores have a joint posterior, from a Dirichlet model of {cells}"
    return [Sentence(text, ("zhang2016",)), _prior(settings)]


def _unpaired(settings: "Settings", positive: str | None) -> list[Sentence]:
    text = (
        "Each score has a posterior of its own, from a Dirichlet model of "
        f"{_cells(settings, positive, both=False)}, as if the systems had been tested "
        "on different items"
    )
    return [Sentence(text, ("zhang2016",)), _prior(settings)]


def _cells(settings: "Settings", positive: str | None, *, both: bool) -> str:
    if settings.parameters["prior"] == "bootstrap":
        patterns = settings.data.patterns
        count = f"{patterns:,} " if both and patterns > 0 else ""
        return f"the {count}observed patterns of what {'both' if both else 'it'} did"
    predictions = "the two predictions" if both else "prediction"
    if positive is None:
        return f"all possible patterns of gold label and {predictions}"
    count = "8" if both else "4"
    return (
        f"the {count} patterns of gold label and {predictions}, each "
        f"{plain(positive)} or not"
    )


def _prior(settings: "Settings") -> Sentence:
    name = settings.parameters["prior"]
    if name == "bootstrap":
        text = (
            "The prior is 0 throughout (the Bayesian bootstrap), so that only observed "
            "patterns can occur"
        )
        return Sentence(text, ("rubin1981",))
    strength = settings.parameters["strength"]
    weighed = "" if strength == 1 else f", all weighed {strength:g} times"
    if name == "uniform":
        return Sentence(
            "The prior is uniform: 1 for every gold class, and 1 for every pattern "
            f"given the gold class{weighed}"
        )
    return Sentence(
        "The prior is objective: a total of 1 for every gold class, spread evenly over "
        f"its patterns{weighed}"
    )


def _hierarchical_classes(settings: "Settings", _: str | None) -> list[Sentence]:
    concentration = settings.parameters.get("concentration")
    weight = "is learned"
    if concentration is not None:
        weight = f"is fixed at {concentration:g}"
    centre = settings.parameters.get("centre") or "learned"
    text = (
        "Given the gold side, positive or negative, what the two systems say in a "
        "class has a Dirichlet prior that all classes share, whose concentration "
        f"{weight} and whose centre is {centre}"
    )
    return [Sentence(text, ("zhang2015",))]


_ITEM_MODELS: dict[str, Callable[["Settings", str | None], list[Sentence]]] = {
    "paired": _paired,
    "unpaired": _unpaired,
    "independent": _independent,
    "monte-carlo": _independent,
    "hierarchical": _hierarchical_classes,
}


def fold_model(settings: "Settings") -> Sentence:
    """Describe the posterior of a comparison of scores of folds."""
    if settings.method not in _FOLD_MODELS:
        method = plain(settings.method_text)
        return Sentence(f"The posterior is that of the method {method}")
    text, cites = _FOLD_MODELS[settings.method]
    data = settings.data
    several = data.data_sets is not None and data.items > data.data_sets
    means = "the mean difference of each data set" if several else "the differences"
    parameters = settings.parameters
    filled = text.format(
        freedom=int(data.items) - 1,
        share=_share(parameters.get("test_share", "unknown")),
        means=means,
        strength=f"{parameters.get('strength', 0):g}",
    )
    return Sentence(filled, cites)


def _share(share: object) -> str:
    if isinstance(share, tuple):
        return " to ".join(f"{end:.6g}" for end in share)
    return f"{share:.6g}" if isinstance(share, float) else str(share)


_FOLD_MODELS = {
    "correlated-t": (
        "The mean difference over folds has the posterior of the Bayesian "
        "correlated t-test: a Student law with {freedom} degrees "
        "of freedom under a flat prior, with the correlation of two folds taken as "
        "the share of the items that each tests, rho = {share}",
        ("corani2015", "nadeau2003"),
    ),
    "signed-rank": (
        "The Bayesian signed-rank test takes {means} as drawn from a Dirichlet "
        "process whose prior is one pseudo-observation of no difference, of weight "
        "{strength}",
        ("benavoli2014", "benavoli2017"),
    ),
    "sign": (
        "The Bayesian sign test counts in which region {means} lie, with one "
        "pseudo-observation of no difference, of weight {strength}",
        ("benavoli2017",),
    ),
    "hierarchical": (
        "In the hierarchical model the differences on the folds of a data set are "
        "jointly normal, with the share of the items that each fold tests as their "
        "correlation (rho = {share}), and the means of the data sets come from a "
        "Student population whose centre, spread and degrees of freedom are "
        "learned, under the priors of the published model",
        ("corani2017",),
    ),
}
COMPANION_CITES = {
    "corrected resampled t": ("nadeau2003",),
    "5x2cv t": ("dietterich1998",),
    "5x2cv F": ("alpaydin1999",),
    "Wilcoxon": ("demsar2006",),
    "Bayesian sign": ("benavoli2017",),
}


def estimate_model(settings: "Settings") -> list[Sentence]:
    """Describe what an estimate's distribution is."""
    if settings.method == "exact-law":
        text = (
            "Its posterior is the exact law that follows from the counts as cells of a "
            f"Dirichlet distribution, with a prior of {settings.parameters['prior']:g} "
            "on each"
        )
        return [Sentence(text, ("goutte2005",))]
    if settings.method == "bootstrap":
        text = (
            "How it would vary on other test sets is known from the bootstrap: "
            f"{_unit(settings.data)}s were drawn with replacement"
        )
        return [Sentence(text, ("efron1993",))]
    return item_model(settings)


def null_model(settings: "Settings", null: "Null") -> Sentence:
    """Describe the test that gave a p-value."""
    unit = _unit(settings.data)
    texts = {
        "randomization": f"The test is {_swaps(null)}: what the two systems did is "
        f"swapped by a fair coin, {unit} by {unit}, and a difference counts that is at "
        f"least as large as the observed one, {_SIDES[null.alternative]}",
        "bootstrap": f"The test is the paired bootstrap of {unit}s: "
        f"{_bootstrap(null, ties=bool(settings.parameters.get('ties')))}",
        "mcnemar": "The test is McNemar's exact conditional test, two-sided",
        "mcnemar-midp": "The test is McNemar's test with the mid-p value, two-sided",
        "sign": f"The test is the exact sign test over {unit}s, two-sided",
        "s-test": "The test is the s-test, a sign test on single decisions, two-sided: "
        "exact up to 12 decisions that differ, and by the normal approximation above",
        "p-test": "The test is the p-test of two proportions, two-sided, which takes "
        "the proportions as if from separate items",
    }
    text = texts.get(settings.method, f"The test is {plain(settings.method_text)}")
    return Sentence(text, _NULL_CITES.get(settings.method, ()))


_NULL_CITES = {
    "bootstrap": ("berg2012",),
    "randomization": ("noreen1989",),
    "mcnemar": ("mcnemar1947",),
    "mcnemar-midp": ("mcnemar1947", "fagerland2013"),
    "sign": ("demsar2006",),
    "s-test": ("yang1999",),
    "p-test": ("yang1999",),
}


def _unit(data: "DataSummary") -> str:
    return "cluster" if data.clustered else "item"


def _swaps(null: "Null") -> str:
    drawn = "b" in null.details
    return "approximate randomization" if drawn else "the exact randomization test"


def _bootstrap(null: "Null", *, ties: bool) -> str:
    least = "at least" if ties else "more than"
    beyond = f"that is {least} twice the observed one"
    if null.alternative == "two-sided":
        beyond = (
            f"that differs from the observed one by {least} the size of the observed "
            "one"
        )
    return (
        "test sets of the same size are drawn with replacement, and a drawn difference "
        f"counts {beyond}, {_SIDES[null.alternative]}"
    )
