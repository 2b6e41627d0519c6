"""Lists, ranges and metrics from the text of options; options out of place."""

import re
from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING

import typer

from likelier.errors import SettingError

if TYPE_CHECKING:
    from likelier.metrics.metric import Metric


# Not one within brackets, which metrics have.
_COMMA = re.compile(r",(?![^(]*\))")


def names_of(text: str | None) -> list[str] | None:
    """Split a comma-separated list.

    Examples
    --------
    >>> names_of("a, b")
    ['a', 'b']
    >>> names_of("nDCG(dcg='log2',judged_only=True)@10,AP")
    ["nDCG(dcg='log2',judged_only=True)@10", 'AP']
    """
    if text is None:
        return None
    return [name.strip() for name in _COMMA.split(text) if name.strip()]


def draws_of(text: str) -> int:
    """Read a number of draws; large ones may be written as 1e6.

    Examples
    --------
    >>> draws_of("2000"), draws_of("1e6")
    (2000, 1000000)
    """
    try:
        number = float(text)
    except ValueError:
        number = inf
    if not number.is_integer():
        message = f"it must be a whole number, such as 50000; got {text!r}."
        raise typer.BadParameter(message)
    return int(number)


def range_of(text: str | None, *, name: str) -> float | tuple[float, ...] | None:
    """Read a number, or the two ends of a range.

    Examples
    --------
    >>> range_of("0.01", name="rope"), range_of("-0.01, 0.02", name="rope")
    (0.01, (-0.01, 0.02))
    """
    if text is None:
        return None
    try:
        ends = tuple(float(part) for part in text.split(","))
    except ValueError as error:
        message = f"{name} must be a number, or LOW,HIGH; got {text!r}."
        raise SettingError(message, hint=_as_shares(text, name)) from error
    return ends[0] if len(ends) == 1 else ends


def _as_shares(text: str, name: str) -> str | None:
    """Say how percentages are written, where the text has some."""
    parts = [part.strip() for part in text.split(",")]
    try:
        shares = [
            float(part.removesuffix("%")) / (100 if part.endswith("%") else 1)
            for part in parts
        ]
    except ValueError:
        return None
    return f"Write --{name} {','.join(f'{share:g}' for share in shares)}."


def metrics_of(
    text: str | None, *, beta: float | None = None, alpha: float | None = None
) -> "list[Metric]":
    """Look up the metrics of a comma-separated list."""
    from likelier import metrics

    names = names_of(text) or []
    if (beta, alpha) != (None, None) and "fbeta" not in names:
        message = "beta and alpha must come with the metric fbeta; there is none."
        raise SettingError(message)
    if not names:
        message = "metric must name at least one metric; got none."
        raise SettingError(message)
    chosen = [
        metrics.fbeta(beta, alpha=alpha) if name == "fbeta" else metrics.named(name)
        for name in names
    ]
    kinds = {metric.data: metric.name for metric in chosen}
    if len(kinds) > 1:
        parts = [f"{name} needs {kind}" for kind, name in kinds.items()]
        message = f"All metrics must be of one kind of data; {', '.join(parts)}."
        raise SettingError(message)
    return chosen


def metric_of(text: str) -> "Metric":
    """Look up the metric of a question that allows one only."""
    metric, *others = metrics_of(text)
    if others:
        message = f"metric must be a single one here; got {len(others) + 1}."
        raise SettingError(message)
    return metric


def is_set(context: typer.Context, name: str) -> bool:
    """Return whether an option, by its name in Python, is on the command line."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def refuse(context: typer.Context, names: Sequence[str], *, without: str) -> None:
    """Refuse options on the command line that have no meaning here.

    Parameters
    ----------
    context
        The call, which knows the options on the command line from defaults.
    names
        Options by their names in Python.
    without
        Setting that they need, and that is missing.
    """
    for parameter in context.command.params:
        name = str(parameter.name)
        if name in names and is_set(context, name):
            value = context.params[name]
            written = parameter.secondary_opts if value is False else parameter.opts
            got = "" if isinstance(value, bool) else f"; got {value!r}"
            message = f"{written[0]} must come with {without}{got}."
            raise SettingError(message)
