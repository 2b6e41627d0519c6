"""Metrics in an aggregate document of Every Eval Ever, as samples have them.

Its scores serve to check what the values of samples are: converters write logarithms
where a metric is a perplexity, and 0 where a metric has no value for a sample. A score
is never taken over.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from likelier.readers.logs.beside import part

Values = Mapping[str | None, Sequence[float]]


@dataclass(frozen=True, kw_only=True)
class Metric:
    """A metric of samples.

    Attributes
    ----------
    name
        Its name.
    higher_is_better
        Its direction, where it is known.
    formula
        Name of the formula, where it is not a mean.
    unusable
        Why values of samples are not its values.
    note
        What does not fit.
    """

    name: str
    higher_is_better: bool | None = None
    formula: str | None = None
    unusable: str | None = None
    note: str | None = None


def describe(
    values: Values, results: Sequence[Any], *, task: str, run_names: Sequence[str]
) -> dict[str | None, Metric]:
    """Describe the metrics of one evaluation.

    Parameters
    ----------
    values
        Values of samples by the id of their result; None for those without.
    results
        ``evaluation_results`` of the aggregate; empty where there is none.
    task
        Name of the evaluation.
    run_names
        Model and run: an id with one of them cannot name the metric of two systems.
    """
    own = [result for result in results if part(result, "evaluation_name") == task]
    chosen = {id_: _result(id_, own, values[id_]) for id_ in values}
    names = dict(_names(chosen, run_names))
    several = len(values) > 1 and len(set(names.values())) == len(names)
    return {
        id_: _metric(
            (names[id_] if several else id_ or "score") if len(values) > 1 else "score",
            id_,
            result,
            values[id_],
            others=len(own) if id_ is None else 0,
        )
        for id_, result in chosen.items()
    }


def _result(id_: str | None, own: Sequence[Any], values: Sequence[float]) -> Any:
    """Return the result that samples belong to; without id, by its score."""
    if id_ is not None:
        own = [result for result in own if part(result, "evaluation_result_id") == id_]
    elif len(own) > 1:
        mean = _mean(values)
        own = [result for result in own if _same(mean, _score(result))]
    return own[0] if len(own) == 1 else None


def _names(
    chosen: Mapping[str | None, Any], run_names: Sequence[str]
) -> Iterator[tuple[str | None, str]]:
    for id_, result in chosen.items():
        config = part(result, "metric_config")
        metric = part(config, "metric_id") or part(config, "metric_name")
        own = id_ is not None and not any(name and name in id_ for name in run_names)
        yield id_, (id_ or "") if own else str(metric or id_ or "score")


def _metric(
    name: str, id_: str | None, result: Any, values: Sequence[float], *, others: int
) -> Metric:
    lower = part(result, "metric_config", "lower_is_better")
    direction = not lower if isinstance(lower, bool) else None
    mean, score = _mean(values), _score(result)
    if result is None and others > 1:
        reason = f"its samples do not say which of {others} results they belong to"
        return Metric(name=name, unusable=reason)
    if _are_logarithms(id_, result, values):
        return Metric(name=name, higher_is_better=False, formula="perplexity")
    note = None
    if score is not None and not _same(mean, score):
        note = (
            f"{name}: the mean over samples is {mean:.4g}, but the aggregate has "
            f"{score:.4g}: it may be computed in another way, or of other samples"
        )
    return Metric(name=name, higher_is_better=direction, note=note)


def _are_logarithms(id_: str | None, result: Any, values: Sequence[float]) -> bool:
    """Return whether values are log-likelihoods: a perplexity is 1 at least."""
    config = part(result, "metric_config")
    kinds = (id_, part(config, "metric_kind"), part(config, "metric_id"))
    named = any(isinstance(kind, str) and "perplexity" in kind for kind in kinds)
    score, mean = _score(result), _mean(values)
    negative = max(values, default=1.0) <= 0 and min(values, default=0.0) < 0
    if not named or not negative:
        return False
    return score is None or (mean > -700 and _same(math.exp(-mean), score))


def _score(result: Any) -> float | None:
    score = part(result, "score_details", "score")
    known = isinstance(score, float) and math.isfinite(score)
    return score if known else (float(score) if _is_small(score) else None)


def _is_small(score: Any) -> bool:
    return isinstance(score, int) and abs(score) < 1e300


def _mean(values: Sequence[float]) -> float:
    column = np.array(values, dtype=float)
    column = column[np.isfinite(column)]
    return float(column.mean()) if len(column) else math.nan


def _same(mean: float, score: float | None) -> bool:
    """Return whether a score is a mean, perhaps rounded or in percent."""
    return score is not None and any(
        math.isclose(mean, score / scale, rel_tol=2e-3, abs_tol=1e-3)
        for scale in (1, 100)
    )
