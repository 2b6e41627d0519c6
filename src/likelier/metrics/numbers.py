"""Metrics of predicted numbers and probabilities, as functions of sums."""

import numpy as np

from likelier._typing import FloatArray
from likelier.data.number_constructors import GAPS
from likelier.metrics import formulas
from likelier.metrics.formulas import ratio, remainder
from likelier.metrics.metric import Metric

_LOSS = (0.0, np.inf)


def _root_of_mean(squares: FloatArray, items: FloatArray) -> FloatArray:
    return np.sqrt(ratio(squares, items))


def _r2(
    errors: FloatArray, gold: FloatArray, squares: FloatArray, items: FloatArray
) -> FloatArray:
    return 1 - ratio(errors, remainder(squares, ratio(gold**2, items)))


def _correlation(
    gold: FloatArray,
    gold_squared: FloatArray,
    prediction: FloatArray,
    prediction_squared: FloatArray,
    product: FloatArray,
    items: FloatArray,
) -> FloatArray:
    spread = np.sqrt(remainder(gold_squared, ratio(gold**2, items)))
    other = np.sqrt(remainder(prediction_squared, ratio(prediction**2, items)))
    return ratio(product - ratio(gold * prediction, items), spread * other)


def _calibration_error(items: FloatArray, *gaps: FloatArray) -> FloatArray:
    return ratio(sum(np.abs(gap) for gap in gaps), items)  # type: ignore[arg-type]


def _loss(name: str, statistic: str, *, high: float = np.inf) -> Metric:
    """Make the metric that is the mean of one statistic, of which less is better."""
    return Metric(
        name,
        (statistic, "items"),
        formulas.mean,
        bounds=(0.0, high),
        higher_is_better=False,
        linear=True,
    )


mae = _loss("mae", "absolute_error")
mse = _loss("mse", "squared_error")
rmse = Metric(
    "rmse",
    ("squared_error", "items"),
    _root_of_mean,
    bounds=_LOSS,
    higher_is_better=False,
)
r2 = Metric(
    "r2",
    ("squared_error", "gold", "gold_squared", "items"),
    _r2,
    bounds=(-np.inf, 1.0),
)
pearson = Metric(
    "pearson",
    (
        *("gold", "gold_squared", "prediction", "prediction_squared", "product"),
        "items",
    ),
    _correlation,
    bounds=(-1.0, 1.0),
)
log_loss = _loss("log_loss", "log_loss")
brier = _loss("brier", "brier", high=1.0)
ece = Metric(
    "ece",
    ("items", *GAPS),
    _calibration_error,
    bounds=(0.0, 1.0),
    higher_is_better=False,
)
perplexity = Metric(
    "perplexity",
    ("score", "items"),
    formulas.perplexity,
    bounds=_LOSS,
    higher_is_better=False,
)

NUMBER_METRICS = (mae, mse, rmse, r2, pearson, log_loss, brier, ece, perplexity)
