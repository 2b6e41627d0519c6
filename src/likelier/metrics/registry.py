"""Every metric by its name."""

import re
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from likelier.errors import SettingError, unknown_name
from likelier.metrics import formulas
from likelier.metrics.metric import Average, Metric
from likelier.metrics.numbers import NUMBER_METRICS
from likelier.metrics.parsing import PARSING_METRICS
from likelier.metrics.ranked import RANKED
from likelier.metrics.texts import TEXT_METRICS

_SIGNED = (-1.0, 1.0)
_AVERAGES: tuple[Average, ...] = ("micro", "macro", "weighted", "samples")

_ERRORS = ("tp", "fp", "fn")
_ALL_FOUR = (*_ERRORS, "tn")


def _share(name: str, statistics: tuple[str, ...], **settings: Any) -> Metric:
    """Make a metric from 0 to 1 of the formula of its name."""
    settings = {"formula": getattr(formulas, name), "bounds": (0.0, 1.0)} | settings
    return Metric(name, statistics, **settings)


precision = _share("precision", ("tp", "fp"))
recall = _share("recall", ("tp", "fn"), linear=True)
specificity = _share("specificity", ("tn", "fp"), linear=True)
npv = _share("npv", ("tn", "fn"))
f1 = _share("f1", _ERRORS, beta=1.0)
jaccard = _share("jaccard", _ERRORS)
informedness = _share("informedness", _ALL_FOUR, bounds=_SIGNED)
markedness = _share("markedness", _ALL_FOUR, bounds=_SIGNED)

accuracy = _share("accuracy", ("correct", "items"), linear=True)
error_rate = _share(
    "error_rate", ("correct", "items"), higher_is_better=False, linear=True
)
# Accuracy under the names of tagging; what an item is, the reader of the tags says.
token_accuracy = replace(accuracy, name="token_accuracy")
sentence_accuracy = replace(accuracy, name="sentence_accuracy")
oov_accuracy = replace(accuracy, name="oov_accuracy")
balanced_accuracy = _share(
    "balanced_accuracy",
    _ALL_FOUR,
    average="classes",
    over_classes=formulas.class_balanced_accuracy,
)
mcc = _share(
    "mcc",
    _ALL_FOUR,
    average="classes",
    over_classes=formulas.class_mcc,
    bounds=_SIGNED,
    one_label=True,
)
kappa = _share(
    "kappa",
    _ALL_FOUR,
    average="classes",
    over_classes=formulas.class_kappa,
    bounds=_SIGNED,
    one_label=True,
)
f1_of_macro = _share(
    "f1_of_macro",
    _ERRORS,
    formula=formulas.f1,
    average="classes",
    over_classes=formulas.f1_of_macro,
)

mean = Metric("mean", ("score", "items"), formulas.mean, linear=True)
mean_loss = replace(mean, name="mean_loss", higher_is_better=False)

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
        over_classes=None,
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
    formula = formulas.fbeta(weight)
    return replace(f1, name=f"f{weight:g}", formula=formula, beta=float(weight))


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
        *NUMBER_METRICS,
        *TEXT_METRICS,
        *PARSING_METRICS,
        *(averaged(m, a) for m in _PER_CLASS for a in _AVERAGES),
        *RANKED.values(),
    )
}

# Short names that people type.
ALIASES = {
    name: metric
    for name, metric in {
        "acc": "accuracy",
        "em": "exact_match",
        "auc": "roc_auc",
        "ap": "average_precision",
    }.items()
    if metric in METRICS
}
# What an item must come with, for a metric of each kind of data.
_TAKES = {
    "labels": "gold labels and predicted ones",
    "scores": "a number per item and system",
    "numbers": "gold numbers and predicted ones",
    "probabilities": "gold labels, and probabilities of one class",
    "texts": "references and output texts",
    "ranks": "gold labels, and a score per item and system",
    "parses": "CoNLL-U files of gold and of each system",
}
# What else metrics are called, where their letters do not tell.
_OTHER_NAMES = {
    "auprc": "average_precision",
    "auroc": "roc_auc",
    "character_error_rate": "cer",
    "correlation": "pearson",
    "cross_entropy": "log_loss",
    "crossentropy": "log_loss",
    "dice": "f1",
    "dsc": "f1",
    "f1-score": "f1",
    "f1_score": "f1",
    "iou": "jaccard",
    "logloss": "log_loss",
    "mean_absolute_error": "mae",
    "mean_squared_error": "mse",
    "miou": "macro_jaccard",
    "nll": "log_loss",
    "ppl": "perplexity",
    "pr_auc": "average_precision",
    "root_mean_squared_error": "rmse",
    "word_error_rate": "wer",
}
# Metrics of retrieval, which read judgments and runs; all names are ir_measures'.
_RETRIEVAL = ("ndcg", "mrr", "rr", "map", "bpref", "rprec", "rbp", "infap", "err")
# What retrieval calls them where people write another name.
_CUT_NAMES = {"precision": "P", "recall": "R"}
# Metrics whose number for each item another tool computes, as they are written.
_PER_ITEM = {
    "bertscore": "BERTScore",
    "bleurt": "BLEURT",
    "comet": "COMET",
    "meteor": "METEOR",
    "metricx": "MetricX",
    "rouge": "ROUGE",
}
_REPEATED = re.compile(r"(pass@|pass\^|majority@)(\d*)")

_FBETA = re.compile(r"(?:(micro|macro|weighted|samples)_)?f(\d+(?:\.\d+)?)")


def named(name: str) -> Metric:
    """Look a metric up by name, such as `macro_f1`, `f0.5`, `samples_f2` or `acc`.

    Examples
    --------
    >>> named("macro_f2").average
    'macro'
    """
    key = name if name in METRICS else name.lower()
    key = ALIASES.get(key, key)
    if key in METRICS:
        return METRICS[key]
    form = _FBETA.fullmatch(name.lower())
    if form is None:
        # scikit-learn has the average last.
        base, _, last = name.lower().rpartition("_")
        if f"{last}_{base}" in METRICS:
            message = f"metric {name!r} is called {last}_{base} here."
            raise SettingError(message)
        raise _unknown(name)
    metric = fbeta(float(form[2]))
    average = next((a for a in _AVERAGES if a == form[1]), None)
    return metric if average is None else averaged(metric, average)


def _unknown(name: str) -> SettingError:
    """Build the error for a name that no metric has, with the nearest one."""
    error = unknown_name(name, (*METRICS, "f0.5", "f2"), kind="metric")
    key = name.lower()
    if key.startswith(tuple(_PER_ITEM)):
        shown = _PER_ITEM.get(key, name)
        hint = (
            "Compare its number for each item: "
            f"likelier compare scores.csv --metric mean --name {shown}"
        )
        return SettingError(error.message, hint=hint)
    repeated = _REPEATED.match(key)
    if repeated is not None:
        kind, k = repeated.groups()
        hint = "It takes several answers to each item: a log, or a table with repeat."
        hint = hint if k else f"Write a number: {kind}1, {kind}5. {hint}"
        return SettingError(error.message, hint=hint)
    base, at, cut = key.partition("@")
    if base in _RETRIEVAL or at:
        shown = f"{_CUT_NAMES[base]}@{cut}" if base in _CUT_NAMES else name
        hint = "Of judgments and runs: likelier compare qrels.txt a.run b.run --metric "
        return SettingError(error.message, hint=f"{hint}{shown}")
    close = get_close_matches(key, (*METRICS, *ALIASES))
    if key in _OTHER_NAMES:
        close = [_OTHER_NAMES[key]]
    if not close:
        return error
    # Letters in another order are the commonest slip: blue for bleu.
    letters = sorted(key)
    metric = named(next((one for one in close if sorted(one) == letters), close[0]))
    takes = _TAKES.get(metric.data, "statistics of its own")
    hint = f"Did you mean {metric.name}? It takes {takes}."
    return SettingError(error.message, hint=hint)
