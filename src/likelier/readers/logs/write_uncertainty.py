"""Write intervals into an aggregate document of Every Eval Ever, as a new document."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from likelier.errors import InputError, SettingError
from likelier.readers.file import File
from likelier.readers.logs.beside import part
from likelier.readers.logs.json_records import read_document


@dataclass(frozen=True, kw_only=True)
class Uncertainty:
    """An interval around the score of one result.

    Attributes
    ----------
    evaluation_name
        Name of the evaluation.
    lower, upper
        Bounds of the interval.
    confidence_level
        Its probability.
    method
        How it was computed.
    num_samples
        Number of items.
    metric
        Id of the result, or id or name of its metric; not needed where the evaluation
        has one result.
    standard_error
        Standard error of the score, where there is one.
    """

    evaluation_name: str
    lower: float
    upper: float
    confidence_level: float
    method: str
    num_samples: int
    metric: str | None = None
    standard_error: float | None = None

    def __post_init__(self) -> None:
        """Refuse what the schema refuses."""
        if not (math.isfinite(self.lower) and math.isfinite(self.upper)):
            message = f"bounds must be finite; got {self.lower} and {self.upper}."
            raise SettingError(message)
        if self.lower > self.upper:
            message = f"lower must not exceed upper; got {self.lower} and {self.upper}."
            raise SettingError(message)
        if not 0 < self.confidence_level < 1:
            message = (
                "confidence_level must be between 0 and 1; got "
                f"{self.confidence_level}."
            )
            raise SettingError(message)

    def as_json(self) -> dict[str, Any]:
        """Return the object that the schema calls uncertainty."""
        content: dict[str, Any] = {}
        if self.standard_error is not None:
            error = {"value": float(self.standard_error), "method": self.method}
            content["standard_error"] = error
        content["confidence_interval"] = {
            "lower": float(self.lower),
            "upper": float(self.upper),
            "confidence_level": float(self.confidence_level),
            "method": self.method,
        }
        content["num_samples"] = int(self.num_samples)
        return content


def write_uncertainty(aggregate: File, uncertainties: Sequence[Uncertainty]) -> bytes:
    """Return an aggregate document with uncertainties of its results filled in.

    The file itself stays as it is. Keys keep their order, unknown ones too; what the
    document had on the uncertainty of a result is replaced, for it would not belong
    to the new interval.

    Parameters
    ----------
    aggregate
        The aggregate document, with ``evaluation_results``.
    uncertainties
        The intervals, each of one result.

    Raises
    ------
    InputError
        If no result, or more than one, is the one meant.
    """
    document = read_document(aggregate, dict[str, Any])
    results = document.get("evaluation_results")
    if not isinstance(results, list):
        message = f"{aggregate.name}: evaluation_results must be a list of results."
        raise InputError(message)
    for uncertainty in uncertainties:
        result = _result(aggregate, results, uncertainty)
        details = result.get("score_details")
        if not isinstance(details, dict):
            message = (
                f"{aggregate.name}: score_details of {uncertainty.evaluation_name!r} "
                "must be an object."
            )
            raise InputError(message)
        details["uncertainty"] = uncertainty.as_json()
    return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode(
        errors="surrogatepass"
    )


def _result(file: File, results: list[Any], wanted: Uncertainty) -> dict[str, Any]:
    """Return the only result that is meant."""
    name, metric = wanted.evaluation_name, wanted.metric
    same = [r for r in results if part(r, "evaluation_name") == name]
    if metric is not None:
        same = [result for result in same if metric in _metric_names(result)]
    if len(same) == 1:
        return same[0]
    what = repr(name) if metric is None else f"{name!r} with the metric {metric!r}"
    message = f"{file.name}: one result must be {what}; got {len(same)}."
    known = [part(result, "evaluation_name") for result in results]
    names = sorted({known_name for known_name in known if isinstance(known_name, str)})
    hint = f"The document has results of {', '.join(names[:9])}." if names else None
    if len(same) > 1:
        hint = "Name the metric of the result, or its evaluation_result_id."
    raise InputError(message, hint=hint)


def _metric_names(result: Any) -> list[Any]:
    names = ("metric_id", "metric_name")
    configured = [part(result, "metric_config", name) for name in names]
    return [part(result, "evaluation_result_id"), *configured]
