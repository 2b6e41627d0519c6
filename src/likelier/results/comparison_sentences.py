"""Sentences of the methods paragraph of a comparison."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from likelier.citations import Sentence
from likelier.formatting import join_words
from likelier.results import sentences

if TYPE_CHECKING:
    from likelier.results.comparison import Comparison


def comparison_sentences(result: "Comparison") -> list[Sentence]:
    """Return who was compared on what, how, and what stands beside."""
    settings = result.settings
    over = None
    if settings.folds is not None and settings.folds.repetitions is not None:
        over = f"by {settings.folds.repetitions} x 2 cross-validation"
        if settings.method not in ("independent", "monte-carlo"):
            over = f"{sentences.size(settings.data)} {over}"
    return [
        sentences.compared(settings, over=over),
        *method_sentences(result),
        *_quadrature(result),
        *_companions(result),
    ]


def method_sentences(
    result: "Comparison", *, positive: str | None = None
) -> list[Sentence]:
    """Return all sentences but those on who was compared on what.

    Parameters
    ----------
    result
        The comparison.
    positive
        Positive class to name, in place of the comparison's own.
    """
    settings = result.settings
    model = sentences.posterior_model(settings, positive=positive)
    if settings.data.data_sets is not None:
        model += _regions(result)
    equal_tailed = settings.interval == "equal-tailed"
    return [
        sentences.DIRECTION,
        *model,
        *sentences.fold_weight(settings.folds),
        sentences.intervals(result.mass, equal_tailed=equal_tailed),
        sentences.rope(result.rope),
        *_decision(result),
        *sentences.factor(result.factor),
        *([] if result.data_sets is not None else [draws_sentence(result)]),
    ]


def draws_sentence(result: "Comparison") -> Sentence:
    """Return how many draws the numbers rest on."""
    independent = result.posterior.difference.n_independent
    return sentences.draws(result.settings, independent)


def _quadrature(result: "Comparison") -> Iterator[Sentence]:
    if result.data_sets is not None:
        yield sentences.quadrature(result.data_sets.population.error)


def _regions(result: "Comparison") -> Iterator[Sentence]:
    """Define probabilities and interval over many data sets."""
    if result.posterior.regions is not None:
        yield Sentence(
            "The probabilities of worse, equivalent and better are those of that "
            f"region holding more of {result.foreseen} than the others do; the "
            f"interval of the difference is that of {result.centre}"
        )


def _decision(result: "Comparison") -> Iterator[Sentence]:
    test = result.hypotheses
    if test is not None:
        margin = f" by more than {test.margin:g}" if test.margin else ""
        yield Sentence(
            f"The hypothesis H0, that the candidate is not better{margin}, is accepted "
            "where it is at least as probable as H1, that it is",
            ("wang2019",),
        )
    if not result.tested:
        yield sentences.rule(result.settings)


def _companions(result: "Comparison") -> Iterator[Sentence]:
    names = [test.name for test in result.fold_tests if test.reason is None]
    if names:
        every = sentences.COMPANION_CITES
        cites = (key for name in names for key in every.get(name, ()))
        tests = "test is" if len(names) == 1 else "tests are"
        text = f"Beside it the {join_words(names)} {tests} given"
        yield Sentence(text, tuple(dict.fromkeys(cites)))
