"""A metric: a function of the sums of statistics; it knows nothing of methods."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from likelier._typing import FloatArray
from likelier.data.number_constructors import (
    NUMBER_STATISTICS,
    PROBABILITY_STATISTICS,
)
from likelier.data.outcomes import Outcomes, Sums
from likelier.data.parse_statistics import PARSE_STATISTICS
from likelier.data.pattern_rows import LABEL_STATISTICS
from likelier.data.ranked_outcomes import RANK_STATISTICS
from likelier.data.text_statistics import TEXT_STATISTICS
from likelier.errors import NotDefinedError, SettingError
from likelier.metrics.formulas import CLASS_AVERAGES, Formula, class_mean, ratio

Average = Literal["one", "micro", "macro", "weighted", "samples", "classes"]
# Sums over (..., system, class) and the classes that count -> values (..., system).
ClassFormula = Callable[[Sums, Outcomes], FloatArray]
# Counts of one class against the rest.
_OF_A_CLASS = frozenset({"tp", "fp", "fn", "tn", *PROBABILITY_STATISTICS})
# Labels; a number per system; a gold number beside them; a gold label beside
# probabilities, or scores to rank items by; a reference text beside texts; parses
# beside gold ones; or anything else that somebody added up.
DataKind = Literal[
    "labels",
    "scores",
    "numbers",
    "probabilities",
    "ranks",
    "texts",
    "parses",
    "statistics",
]
_STATISTICS: dict[DataKind, frozenset[str]] = {
    "labels": frozenset({"tp", "fp", "fn", "tn", "correct"}),
    "scores": frozenset({"score"}),
    "numbers": frozenset(NUMBER_STATISTICS),
    "probabilities": frozenset(PROBABILITY_STATISTICS),
    "texts": TEXT_STATISTICS,
    "parses": PARSE_STATISTICS,
    "ranks": frozenset(RANK_STATISTICS),
}
# Slopes: the step as a part of all units, at most this part of one; and how many
# numbers of rows at once.
_STEP, _LONGEST_STEP, _BLOCK = 1e-6, 1e-3, 4_000_000


@dataclass(frozen=True)
class Metric:
    """A named function of the sums of statistics.

    Attributes
    ----------
    name
        What the command line and the recipe call it.
    statistics
        Names of the statistics whose sums it is a function of; `items`, the number of
        items, is always there.
    formula
        Function of these sums, in this order: arrays, one number per draw and system.
        For an average over classes, function of the sums of one class.
    average
        How the classes are put together: one class only, pooled counts (micro), the
        mean over classes (macro), weighted by their gold items, the mean over items
        (samples), or a formula of its own over all classes.
    over_classes
        The formula over all classes, where the average is its own.
    bounds
        The least and the largest value; infinite by default.
    higher_is_better
        False for losses and error rates.
    linear
        Whether the value is a sum over items divided by a number that does not
        depend on the predictions; its first statistic is the one summed.
    beta
        The weight of recall, for F-measures.
    one_label
        Whether it is defined only where every item has exactly one label.
    """

    name: str
    statistics: tuple[str, ...]
    formula: Formula = field(repr=False)
    average: Average = "one"
    over_classes: ClassFormula | None = field(default=None, repr=False)
    bounds: tuple[float, float] = (-np.inf, np.inf)
    higher_is_better: bool = True
    linear: bool = False
    beta: float | None = None
    one_label: bool = False

    def __post_init__(self) -> None:
        names = self.statistics
        listed = not isinstance(names, str) and all(isinstance(n, str) for n in names)
        if not listed or not names:
            message = f"statistics must be a tuple of names; got {names!r}."
            raise SettingError(message, hint='statistics=("edits", "words")')
        object.__setattr__(self, "statistics", tuple(names))
        low, high = self.bounds
        if not low < high:
            message = f"bounds must be two numbers, the lower first; got {self.bounds}."
            raise SettingError(message)

    @property
    def of_one_class(self) -> bool:
        """True for a metric of one class, which must be named."""
        return self.average == "one" and not _OF_A_CLASS.isdisjoint(self.statistics)

    @cached_property
    def data(self) -> DataKind:
        """Content of an item that the metric's statistics follow from."""
        names = {*self.statistics} - {"items"}
        kinds = (kind for kind, known in _STATISTICS.items() if names <= known)
        return next(kinds, "statistics")

    @property
    def takes_scores(self) -> bool:
        """True where items come with a number instead of labels."""
        return self.data == "scores"

    @property
    def averages_classes(self) -> bool:
        """True where every class weighs the same, however few items it has."""
        return self.average == "macro" or self.over_classes in CLASS_AVERAGES

    def view(self, outcomes: Outcomes) -> Outcomes:
        """Reduce the outcomes, pattern by pattern, to what the metric adds up."""
        self._check(outcomes)
        if self.average == "samples":
            return outcomes.per_item(self._of_sums)
        if self.average in ("one", "micro"):
            outcomes = outcomes.pooled()
        counted = LABEL_STATISTICS if outcomes.of_labels else ()
        return outcomes.with_only({*self.statistics, *counted})

    def values(
        self,
        view: Outcomes,
        weights: ArrayLike | None = None,
        *,
        beside: FloatArray | None = None,
    ) -> FloatArray:
        """Compute the metric (..., system) of weighted sums over a `view`.

        Parameters
        ----------
        view
            What `view` returned.
        weights
            Weights (pattern,) or (draw, pattern); the counts by default.
        beside
            Sums of other units, as in `Outcomes.sums`.
        """
        values = self._weighed(view, weights, beside)
        # Sums are rounded; a metric does not leave its bounds for that.
        return values if np.isinf(self.bounds).all() else np.clip(values, *self.bounds)

    def _weighed(
        self, view: Outcomes, weights: ArrayLike | None, beside: FloatArray | None
    ) -> FloatArray:
        """Compute the metric of weighted sums, which may leave its bounds."""
        negatives = "tn" in self.statistics
        sums = view.sums(weights, beside=beside, negatives=negatives)
        return self.values_of_sums(view, sums)

    def _of_sums(self, sums: Sums) -> FloatArray:
        # What is no finite number is found where values are checked.
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            values = self.formula(*(sums[name] for name in self.statistics))
        return np.asarray(values, dtype=np.float64)

    def values_of_sums(self, view: Outcomes, sums: Sums) -> FloatArray:
        """Compute the metric (..., system) of sums over a `view`.

        They are rounded, and may leave its bounds for that.
        """
        if self.average == "samples":
            return ratio(sums["score"], sums["items"])[..., 0]
        if self.over_classes is not None and not view.one_vs_rest:
            return self.over_classes(sums, view)
        rates = self._of_sums(sums)
        if self.average == "macro":
            return class_mean(rates, view.present)
        if self.average == "weighted":
            return class_mean(rates, sums["tp"] + sums["fn"])
        return rates[..., 0]

    def differences(self, values: FloatArray) -> FloatArray:
        """Subtract the first system from the second; positive: the second is better."""
        return self.oriented(values[..., 1] - values[..., 0])

    def oriented(self, values: FloatArray) -> FloatArray:
        """Turn values or differences of the metric so that larger is better.

        Here, and only here, metrics where less is better are turned round.
        """
        return values if self.higher_is_better else -values

    def is_sum(self, view: Outcomes) -> bool:
        """Return whether the metric is a sum over these items, over one fixed number.

        Recall is only where both systems were measured against the same gold items.
        """
        if not self.linear or "items" in self.statistics:
            return self.linear
        part, rest = (view.per_pattern(name) for name in self.statistics)
        whole = part + rest
        return bool((whole == whole[:, :1]).all())

    @cached_property
    def _rises(self) -> bool:
        """True where the metric grows with its first statistic."""
        others = self.statistics[1:]
        less, more = self.formula(np.array([0.0, 1.0]), *[np.ones(2)] * len(others))
        return bool(more > less)

    def gains(self, view: Outcomes) -> FloatArray:
        """Return by how much each pattern favours the second system, in items.

        Only a linear metric is a sum of such gains.
        """
        if not self.is_sum(view):
            message = f"{self.name} must be a sum over items to test it item by item."
            hint = "Use the method randomization; or test accuracy, recall or mean."
            raise NotDefinedError(message, hint=hint)
        part = view.per_pattern(self.statistics[0])
        gains = self.oriented(part[:, 1] - part[:, 0])
        gains = gains if self._rises else -gains
        # What is but the rounding of two equal numbers is no gain.
        noise = 8 * np.finfo(float).eps * np.abs(part).sum(axis=1)
        return np.where(np.abs(gains) > noise, gains, 0.0)

    def influence(self, view: Outcomes, units: Outcomes | None = None) -> FloatArray:
        """Return how far one more unit of each pattern would move the metric.

        Parameters
        ----------
        view
            What `view` returned.
        units
            Patterns that are added; those of the view by default.

        Returns
        -------
        array
            Slope of the metric of each system in each pattern's count (pattern,
            system).
        """
        step = min(_STEP * max(view.n_units, 1.0), _LONGEST_STEP)
        # Units that were not seen can only be added.
        back = 1.0 if units is None else 0.0
        counts, units = view.counts[np.newaxis], units or view
        slopes = np.empty((len(units.counts), len(view.systems)))
        width = max(1, _BLOCK // max(view.rows.shape[1], 1))
        for start in range(0, len(slopes), width):
            part = slice(start, start + width)
            added = np.column_stack([units.rows[part].toarray(), units.sizes[part]])
            more, less = (
                self._weighed(view, counts, sign * step * added) for sign in (1, -back)
            )
            slopes[part] = (more - less) / ((1 + back) * step)
        return slopes

    def favour(self, view: Outcomes, units: Outcomes | None = None) -> FloatArray:
        """Return how far each pattern favours the second of two systems (pattern,).

        Half of what the difference would lose if the systems were exchanged on one
        more unit of the pattern; 0 where they did the same.

        Parameters
        ----------
        view, units
            As in `influence`.
        """
        added = view if units is None else units
        as_is, swapped = (
            self.differences(self.influence(view, part))
            for part in (added, added.swapped())
        )
        return (as_is - swapped) / 2

    def observed(self, outcomes: Outcomes) -> FloatArray:
        """Compute the metric of each system on the items as they are.

        Examples
        --------
        >>> from likelier import metrics, Outcomes
        >>> metrics.accuracy.observed(Outcomes.from_labels("aab", "abb", "aab"))
        array([0.66666667, 1.        ])
        """
        return self.values(self.view(outcomes))

    def _check(self, outcomes: Outcomes) -> None:
        available = (*outcomes.statistics, "items")
        if outcomes.negatives:
            available = (*available, "tn")
        missing = [name for name in self.statistics if name not in available]
        if missing:
            message = (
                f"{self.name} needs the statistics {', '.join(self.statistics)}; "
                f"these outcomes have {', '.join(available)}."
            )
            raise NotDefinedError(message, hint=_hint(self, outcomes))
        if self.one_label and not outcomes.one_label:
            message = f"{self.name} needs exactly one label per item; got sets of them."
            hint = f"Average over classes: macro_{self.name}, micro_{self.name}."
            raise NotDefinedError(message, hint=hint)
        if self.of_one_class and len(outcomes.classes) > 1:
            raise self._needs_positive(outcomes)

    def _needs_positive(self, outcomes: Outcomes) -> NotDefinedError:
        message = (
            f"{self.name} is a metric of one class; there are "
            f"{len(outcomes.classes)}: {', '.join(outcomes.classes[:10])}."
        )
        hint = f"Name the positive class, or use macro_{self.name}, micro_{self.name}."
        return NotDefinedError(message, hint=hint)


_GOLD = {"numbers": "numbers", "probabilities": "labels"}


def _hint(metric: Metric, outcomes: Outcomes) -> str | None:
    if metric.data == "probabilities" and outcomes.statistics == ("log_loss",):
        return "Give gold labels, beside the probabilities of one class."
    if metric.data in ("numbers", "probabilities"):
        return f"Outcomes.from_{metric.data}, with gold {_GOLD[metric.data]}."
    if metric.data == "texts":
        return f'Outcomes.from_texts(…, metrics=["{metric.name}"])'
    if metric.data == "parses":
        return f"readers.read_parsed(paths, metric={metric.name!r})"
    if not outcomes.of_labels and "score" not in outcomes.statistics:
        return f"A metric of your own: Metric(name, {outcomes.statistics}, formula)"
    if metric.takes_scores:
        return "mean takes a number per item: Outcomes.from_scores, or accuracy."
    if "score" in outcomes.statistics:
        return "Scores have a mean: metric='mean'."
    return None
