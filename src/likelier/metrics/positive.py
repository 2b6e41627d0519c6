"""The positive class of a metric of one class: named, or plain from the labels."""

from math import isfinite, nan

from likelier.data.encoding import label_text
from likelier.data.grouped_outcomes import GroupedOutcomes
from likelier.data.outcomes import Outcomes
from likelier.data.spelling import check_predictions
from likelier.errors import NotDefinedError, SettingError, unknown_name
from likelier.metrics.formulas import undefined_as
from likelier.metrics.metric import Metric

# Where nobody names the positive class, these pairs leave no doubt.
USUAL_POSITIVE: dict[tuple[str, ...], str] = {
    ("0", "1"): "1",
    ("-1", "1"): "1",
    ("false", "true"): "true",
}
# Names of the items that the metrics of taggers count.
_UNITS = {
    "token_accuracy": "tokens",
    "sentence_accuracy": "sentences",
    "oov_accuracy": "OOV tokens",
}


def select_positive(
    outcomes: Outcomes, metric: Metric, positive: object = None
) -> tuple[Outcomes, str | None]:
    """Put the positive class against the rest, where the metric is of one class.

    Returns
    -------
    tuple
        The outcomes to use, and the positive class if there is one.
    """
    table, name = _with_positive(outcomes, metric, positive)
    check_defined(table, metric)
    return table, name


def _with_positive(
    outcomes: Outcomes, metric: Metric, positive: object
) -> tuple[Outcomes, str | None]:
    _check_unit(outcomes, metric)
    check_predictions(outcomes)
    name = None if positive is None else label_text(positive, "positive", 0)
    if isinstance(outcomes, GroupedOutcomes) and name in (None, outcomes.positive):
        return outcomes, outcomes.positive
    if name is not None and name not in outcomes.classes:
        raise unknown_name(name, outcomes.classes, kind="positive")
    if outcomes.one_vs_rest:
        return outcomes, outcomes.classes[0] if metric.of_one_class else None
    if not metric.of_one_class or outcomes.statistics == ("log_loss",):
        return outcomes, None
    if name is None:
        # Of a single class, a probability may be that of the class no item has.
        single = not outcomes.negatives and len(outcomes.classes) == 1
        if single and metric.data != "probabilities":
            return outcomes, None
        name = USUAL_POSITIVE.get(tuple(sorted(outcomes.classes)))
    if name is None:
        raise _no_positive(outcomes, metric)
    return outcomes.binary(name), name


def check_defined(outcomes: Outcomes, metric: Metric) -> None:
    """Refuse data on which the metric of a system is no finite number."""
    if outcomes.of_labels:
        return
    with undefined_as(nan):
        values = metric.observed(outcomes)
    for name, value in zip(outcomes.systems, values, strict=True):
        if not isfinite(value):
            message = (
                f"{metric.name} must be a finite number; of {name} on these items it "
                f"is {value:g}."
            )
            hint = "Does its formula divide by 0?"
            if metric.data == "numbers":
                hint = "Gold numbers, or predictions, are all the same: take rmse."
            raise NotDefinedError(message, hint=hint)


def _check_unit(outcomes: Outcomes, metric: Metric) -> None:
    """Refuse a metric of tokens on a table of sentences, and the like."""
    unit = _UNITS.get(metric.name)
    if unit is None or outcomes.unit not in _UNITS.values():
        return
    if outcomes.unit != unit:
        message = f"{metric.name} must have {unit} as its items; got {outcomes.unit}."
        hint = f"readers.read_tagged(paths, metric={metric.name!r})"
        raise SettingError(message, hint=hint)


def _no_positive(outcomes: Outcomes, metric: Metric) -> SettingError:
    names = ", ".join(outcomes.classes[:10])
    more = " …" if len(outcomes.classes) > 10 else ""
    message = (
        f"{metric.name} must know which label is the positive class; the labels are "
        f"{names}{more}."
    )
    other = f"average over classes: macro_{metric.name}"
    if metric.data == "probabilities":
        other = "leave gold out, for probabilities of each item's own gold label"
    if metric.data == "ranks":
        other = f"{other}, with a score of every class"
    hint = (
        f"Name it (positive={outcomes.classes[-1]!r} in Python, --positive on the "
        f"command line), or {other}."
    )
    return SettingError(message, hint=hint)
