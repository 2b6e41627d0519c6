"""Every metric by its name."""

import re
from dataclasses import replace

from likelier.errors import SettingError, unknown_name
from likelier.metrics import formulas
from likelier.metrics.metric import Average, Metric

_SIGNED = (-1.0, 1.0)
_AVERAGES: tuple[Average, ...] = ("micro", "macro", "weighted", "samples")

precision = Metric("precision", formulas.precision)
recall = Metric("recall", formulas.recall, linear=True)
specificity = Metric("specificity", formulas.specificity, linear=True)
npv = Metric("npv", formulas.npv)
f1 = Metric("f1", formulas.f1, beta=1.0)
jaccard = Metric("jaccard", formulas.jaccard)
informedness = Metric("informedness", formulas.informedness, bounds=_SIGNED)
markedness = Metric("markedness", formulas.markedness, bounds=_SIGNED)

accuracy = Metric("accuracy", formulas.accuracy, linear=True)
error_rate = Metric(
    "error_rate", formulas.error_rate, higher_is_better=False, linear=True
)
# Accuracy under the names of tagging; what an item is, the reader of the tags says.
token_accuracy = replace(accuracy, name="token_accuracy")
sentence_accuracy = replace(accuracy, name="sentence_accuracy")
oov_accuracy = replace(accuracy, name="oov_accuracy")
balanced_accuracy = Metric(
    "balanced_accuracy",
    formulas.balanced_accuracy,
    average="classes",
    formula=formulas.class_balanced_accuracy,
)
mcc = Metric(
    "mcc",
    formulas.mcc,
    average="classes",
    formula=formulas.class_mcc,
    bounds=_SIGNED,
    one_label=True,
)
kappa = Metric(
    "kappa",
    formulas.kappa,
    average="classes",
    formula=formulas.class_kappa,
    bounds=_SIGNED,
    one_label=True,
)
f1_of_macro = Metric(
    "f1_of_macro", formulas.f1, average="classes", formula=formulas.f1_of_macro
)

_ANY = (float("-inf"), float("inf"))
mean = Metric("mean", formulas.mean, bounds=_ANY, linear=True)
mean_loss = Metric(
    "mean_loss", formulas.mean, bounds=_ANY, higher_is_better=False, linear=True
)

_ONE_CLASS = (
    precision,
    recall,
    specificity,
    npv,
    f1,
    jaccard,
    informedness,
    markedness,
)
_PER_CLASS = (*_ONE_CLASS, balanced_accuracy, mcc, kappa)


def averaged(metric: Metric, average: Average) -> Metric:
    """Average a metric of one class over all classes, or over items.

    Parameters
    ----------
    metric
        A metric of one class, such as `f1`.
    average
        micro, macro, weighted or samples.

    Examples
    --------
    >>> averaged(f1, "macro").name
    'macro_f1'
    """
    return replace(
        metric,
        name=f"{average}_{metric.name}",
        average=average,
        formula=None,
        linear=False,
        one_label=False,
    )


def fbeta(beta: float | None = None, *, alpha: float | None = None) -> Metric:
    """Weigh recall `beta` times as much as precision, or precision by `alpha`.

    Parameters
    ----------
    beta
        How many times as important recall is as precision.
    alpha
        The weight of precision in the harmonic mean; beta² = (1 - alpha) / alpha.

    Examples
    --------
    >>> fbeta(2).name, fbeta(alpha=0.5).name
    ('f2', 'f1')
    """
    if (beta is None) == (alpha is None):
        message = f"fbeta must have either beta or alpha; got {beta=} and {alpha=}."
        raise SettingError(message)
    weight = beta if beta is not None else formulas.beta_of_alpha(alpha or 0.0)
    return Metric(f"f{weight:g}", formulas.fbeta(weight), beta=float(weight))


METRICS: dict[str, Metric] = {
    m.name: m
    for m in (
        *_ONE_CLASS,
        accuracy,
        error_rate,
        token_accuracy,
        sentence_accuracy,
        oov_accuracy,
        balanced_accuracy,
        mcc,
        kappa,
        f1_of_macro,
        mean,
        mean_loss,
        *(averaged(m, a) for m in _PER_CLASS for a in _AVERAGES),
    )
}

_FBETA = re.compile(r"(?:(micro|macro|weighted|samples)_)?f(\d+(?:\.\d+)?)")


def named(name: str) -> Metric:
    """Look a metric up by name, such as `macro_f1`, `f0.5`, `samples_f2` or `mcc`.

    Examples
    --------
    >>> named("macro_f2").average
    'macro'
    """
    if name in METRICS:
        return METRICS[name]
    if name.lower() in METRICS:
        return METRICS[name.lower()]
    form = _FBETA.fullmatch(name.lower())
    if form is None:
        # scikit-learn has the average last.
        base, _, last = name.lower().rpartition("_")
        if f"{last}_{base}" in METRICS:
            message = f"metric {name!r} is called {last}_{base} here."
            raise SettingError(message)
        raise unknown_name(name, (*METRICS, "f0.5", "f2"), kind="metric")
    metric = fbeta(float(form[2]))
    average = next((a for a in _AVERAGES if a == form[1]), None)
    return metric if average is None else averaged(metric, average)
