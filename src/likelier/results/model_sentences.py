"""Sentences that describe a method: its model and prior, or its test, and citations."""

from dataclasses import replace
from typing import TYPE_CHECKING

from likelier.citations import Sentence
from likelier.formatting import plain

if TYPE_CHECKING:
    from likelier.settings import Settings


def posterior_model(
    settings: "Settings", *, positive: str | None = None
) -> list[Sentence]:
    """Describe the method that gave a posterior.

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


COMPANION_CITES = {
    "corrected resampled t": ("nadeau2003",),
    "5x2cv t": ("dietterich1998",),
    "5x2cv F": ("alpaydin1999",),
    "Wilcoxon": ("demsar2006",),
    "Bayesian sign": ("benavoli2017",),
}
