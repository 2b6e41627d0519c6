"""Constructors of outcomes from gold numbers, or gold labels, and predicted numbers."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likelier._typing import FloatArray
from likelier.data.constructors import checked_counts, system_names
from likelier.data.encoding import label_codes, score_columns
from likelier.data.item_examples import Ids, Texts
from likelier.data.named_statistics import MOST_LISTED, from_statistics
from likelier.data.outcomes import Outcomes
from likelier.errors import InputError
from likelier.findings import Finding

NUMBER_STATISTICS = (
    "absolute_error",
    "squared_error",
    "gold",
    "gold_squared",
    "prediction",
    "prediction_squared",
    "product",
)
# Equal parts of the probabilities, each with the sum of gold less probability.
BINS = 10
GAPS = tuple(f"gap_{i + 1}" for i in range(BINS))
PROBABILITY_STATISTICS = ("log_loss", "brier", *GAPS)
# A probability of 0 for what came true counts as this, as in scikit-learn.
LEAST_PROBABILITY = float(np.finfo(np.float64).eps)
_OPPOSITE = {"0": "1", "1": "0", "false": "true", "true": "false"}


def from_numbers(
    gold: ArrayLike,
    *predictions: ArrayLike,
    systems: Sequence[str] | None = None,
    counts: ArrayLike | None = None,
    cluster: ArrayLike | None = None,
    ids: Ids | None = None,
    texts: Sequence[Any] | Texts | None = None,
) -> Outcomes:
    """Count items with a gold number and one predicted number per system.

    Parameters
    ----------
    gold
        The gold number of each item.
    *predictions
        One sequence of numbers per system, the baseline first.
    systems, cluster
        As in `Outcomes.from_labels`.
    counts, ids, texts
        As in `Outcomes.from_patterns`.

    Examples
    --------
    >>> from likelier import metrics
    >>> metrics.rmse.observed(from_numbers([1, 2, 3], [1, 2, 4], [1, 2, 3]))
    array([0.57735027, 0.        ])
    """
    names = system_names(systems, len(predictions))
    table = score_columns([gold, *predictions], names=["gold", *names])
    weights = checked_counts(counts, len(table))
    true = table[:, :1] - _moments(table[:, 0], weights)[0]
    error = table[:, 1:] - table[:, :1]
    about: dict[str, Any] = {"systems": names, "counts": counts, "cluster": cluster}
    about |= {"ids": ids, "texts": texts}
    about["answers"] = _answers(table[:, 0].tolist(), table[:, 1:])
    outcomes = from_statistics(
        _layers(error, true, _standard(table[:, 1:], weights)), **about
    )
    if outcomes.items is None:
        return outcomes
    # Systems differ on the items for which they predict other numbers.
    shown = from_statistics(_layers(error, true, table[:, 1:]), **about)
    return replace(outcomes, items=shown.items)


def _layers(
    error: FloatArray, true: FloatArray, said: FloatArray
) -> dict[str, FloatArray]:
    """Return each statistic (item, system) of errors, gold and predictions."""
    same = np.broadcast_to(true, said.shape)
    layers = (
        *(np.abs(error), error**2),
        *(same, same**2, said, said**2, said * true),
    )
    return dict(zip(NUMBER_STATISTICS, layers, strict=True))


def _standard(said: FloatArray, weights: FloatArray) -> FloatArray:
    """Return predictions in standard units, in which systems can be exchanged.

    A correlation knows no unit: one system may say 0 to 1, and another 0 to 100. Where
    most predictions are those of the baseline, both have one unit.
    """
    mean, spread = np.array([_moments(column, weights) for column in said.T]).T
    one_unit = weights @ (said == said[:, :1]) >= weights.sum() / 2
    mean[one_unit], spread[one_unit] = mean[one_unit].mean(), spread[one_unit].mean()
    return np.asarray((said - mean) / np.where(spread > 0, spread, 1.0))


def _moments(column: FloatArray, weights: FloatArray) -> tuple[float, float]:
    """Return the mean and the standard deviation.

    Sums run over sorted numbers, so that the order of items changes no digit.
    """
    numbers, index = np.unique(column, return_inverse=True)
    share = np.bincount(index, weights=weights) / weights.sum()
    mean = share @ numbers
    mean += share @ (numbers - mean)  # of large numbers the first is rounded
    return float(mean), float(np.sqrt(share @ (numbers - mean) ** 2))


def from_probabilities(
    gold: ArrayLike | None,
    *probabilities: ArrayLike,
    systems: Sequence[str] | None = None,
    counts: ArrayLike | None = None,
    cluster: ArrayLike | None = None,
    ids: Ids | None = None,
    texts: Sequence[Any] | Texts | None = None,
) -> Outcomes:
    """Count items with a gold label, and a probability of one class per system.

    Which class it is a probability of, the question says: `positive`.

    Parameters
    ----------
    gold
        The gold label of each item. None where the probabilities are those that each
        system gave to the item's own gold label, of however many classes.
    *probabilities
        One sequence of numbers from 0 to 1 per system, the baseline first.
    systems, cluster
        As in `Outcomes.from_labels`.
    counts, ids, texts
        As in `Outcomes.from_patterns`.

    Examples
    --------
    >>> from likelier import metrics
    >>> table = from_probabilities([1, 0, 1], [0.9, 0.2, 0.6], [0.8, 0.5, 0.5])
    >>> metrics.brier.observed(table.binary("1"))
    array([0.07, 0.18])
    """
    names = system_names(systems, len(probabilities))
    chances = _probabilities(probabilities, names)
    about: dict[str, Any] = {"systems": names, "counts": counts, "cluster": cluster}
    about |= {"ids": ids, "texts": texts}
    if gold is None:
        loss = -np.log(np.clip(chances, LEAST_PROBABILITY, 1.0))
        answers = _answers(None, chances)
        return from_statistics({"log_loss": loss}, answers=answers, **about)
    labels, codes, _ = label_codes([gold], names=["gold"])
    if len(codes) != len(chances):
        message = f"gold must have {len(chances)} labels; got {len(codes)}."
        raise InputError(message)
    answers = _answers([labels[code] for code in codes[:, 0]], chances)
    findings: tuple[Finding, ...] = ()
    if len(labels) == 1:
        message = "every item has the same gold label: nothing tells the classes apart."
        findings = (Finding("LIK110", message, severity="warning"),)
        # The class of 0 and 1 that no item has may be the positive one.
        labels = (*labels, *filter(None, [_OPPOSITE.get(labels[0])]))
    layers = [_of_class(codes == code, chances) for code in range(len(labels))]
    cube = np.stack(layers, axis=2)
    outcomes = from_statistics(
        {name: cube[..., i] for i, name in enumerate(PROBABILITY_STATISTICS)},
        classes=labels,
        answers=answers,
        **about,
    )
    return replace(outcomes, findings=findings)


def _probabilities(columns: Sequence[ArrayLike], names: Sequence[str]) -> FloatArray:
    chances = score_columns(columns, names=names)
    bad = np.argwhere((chances < 0) | (chances > 1))
    if len(bad):
        item, system = bad[0].tolist()
        message = (
            f"probabilities of {names[system]} must lie from 0 to 1; got "
            f"{chances[item, system]:g}."
        )
        hint = "Scores on another scale can be ranked: metric='roc_auc'."
        raise InputError(message, hint=hint)
    return chances


def _of_class(positive: FloatArray, chances: FloatArray) -> FloatArray:
    """Return the statistics (item, system, statistic) where a class is positive."""
    true = positive.astype(np.float64)
    of_gold = np.where(positive, chances, 1 - chances)
    least = LEAST_PROBABILITY
    loss = -np.log(np.clip(of_gold, least, 1 - least))
    part = np.minimum((chances * BINS).astype(np.int64), BINS - 1)
    gaps = np.where(
        part[..., np.newaxis] == np.arange(BINS), (true - chances)[..., np.newaxis], 0.0
    )
    return np.concatenate(
        [np.stack([loss, (true - chances) ** 2], axis=-1), gaps], axis=-1
    )


def _answers(gold: Sequence[Any] | None, numbers: FloatArray) -> list[list[str]] | None:
    """Write what each system said of each item, for people to look at."""
    if len(numbers) > MOST_LISTED:
        return None
    truth = [""] * len(numbers)
    if gold is not None:
        texts = (f"{x:g}" if isinstance(x, float) else x for x in gold)
        truth = [f" for {text}" for text in texts]
    return [
        [f"{x:g}{true}" for x, true in zip(column, truth, strict=True)]
        for column in numbers.T.tolist()
    ]
