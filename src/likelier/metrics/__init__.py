"""Metrics: functions of the sums of statistics."""

from likelier.metrics.metric import Metric
from likelier.metrics.registry import (
    METRICS,
    accuracy,
    averaged,
    balanced_accuracy,
    error_rate,
    f1,
    f1_of_macro,
    fbeta,
    informedness,
    jaccard,
    kappa,
    markedness,
    mcc,
    mean,
    mean_loss,
    named,
    npv,
    oov_accuracy,
    precision,
    recall,
    sentence_accuracy,
    specificity,
    token_accuracy,
)

macro_f1 = METRICS["macro_f1"]
micro_f1 = METRICS["micro_f1"]
weighted_f1 = METRICS["weighted_f1"]

__all__ = [
    "METRICS",
    "Metric",
    "accuracy",
    "averaged",
    "balanced_accuracy",
    "error_rate",
    "f1",
    "f1_of_macro",
    "fbeta",
    "informedness",
    "jaccard",
    "kappa",
    "macro_f1",
    "markedness",
    "mcc",
    "mean",
    "mean_loss",
    "micro_f1",
    "named",
    "npv",
    "oov_accuracy",
    "precision",
    "recall",
    "sentence_accuracy",
    "specificity",
    "token_accuracy",
    "weighted_f1",
]
