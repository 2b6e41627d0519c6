"""Sentences that describe a method: its model and prior, or its test, and citations."""

from dataclasses import replace
from typing import TYPE_CHECKING

from likelier.citations import Sentence
from likelier.formatting import plain

if TYPE_CHECKING:
    from likelier.settings import Settings


def item_model(settings: "Settings", *, positive: str | None = None) -> list[Sentence]:
    """Describe the method of an answer about items.

    Parameters
    ----------
    settings
        Those of the answer.
    positive
        Positive class to name, in place of the settings' own.
    """
    if settings.describe is None:
        return [
            Sentence(
                f"The posterior is that of the method {plain(settings.method_text)}"
            )
        ]
    return settings.describe(replace(settings, positive=positive or settings.positive))


def null_model(settings: "Settings") -> list[Sentence]:
    """Describe the test that gave a p-value."""
    if settings.describe is None:
        return [Sentence(f"The test is {plain(settings.method_text)}")]
    return settings.describe(settings)


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
