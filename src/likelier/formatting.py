"""Numbers and names as people read them; no more digits than the draws allow."""

from collections.abc import Iterable
from math import ceil, floor, inf, isfinite, log10

# An error of the decimal logarithm that leaves one digit of a factor.
_ROUGH = 0.04
# With fewer draws a percentage says nothing.
_FEWEST_DRAWS = 10
_MOST_DECIMALS = 8


def plain(text: str) -> str:
    r"""Write text from the data on one line, with control characters spelt out.

    Examples
    --------
    >>> plain("a\x1b[31m")
    'a\\x1b[31m'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def plain_texts(texts: Iterable[str]) -> tuple[str, ...]:
    """Write several texts from the data, each on one line."""
    return tuple(map(plain, texts))


def listed(names: Iterable[object], *, most: int = 5) -> str:
    """Write the first few names, and how many are left out.

    Examples
    --------
    >>> listed(["a", "b", "c"], most=2)
    "'a', 'b' and 1 more"
    """
    texts = [repr(name) for name in names]
    rest = len(texts) - most
    head = ", ".join(texts[:most])
    return f"{head} and {rest} more" if rest > 0 else head


def decimals_for(spread: float, *, most: int = _MOST_DECIMALS) -> int:
    """Return the number of decimals that mean something for a number with a spread.

    Examples
    --------
    >>> decimals_for(0.01), decimals_for(0.0004), decimals_for(25)
    (3, 5, 0)
    """
    if not isfinite(spread) or spread <= 0:
        return 4
    return min(max(ceil(-log10(spread / 5)), 0), most)


def number(value: float, decimals: int, *, signed: bool = False) -> str:
    """Write a number with a fixed count of decimals, never as minus zero.

    Examples
    --------
    >>> number(-0.0001, 3, signed=True), number(0.8421, 3)
    ('+0.000', '0.842')
    """
    rounded = round(value, decimals) + 0.0
    return f"{rounded:+,.{decimals}f}" if signed else f"{rounded:,.{decimals}f}"


def ends(interval: Iterable[float], decimals: int, *, signed: bool = False) -> str:
    """Write the two ends of an interval.

    Examples
    --------
    >>> ends((0.01, 0.052), 3, signed=True)
    '+0.010 to +0.052'
    """
    return " to ".join(number(end, decimals, signed=signed) for end in interval)


def signed(value: float, decimals: int) -> str:
    """Write a difference with its sign, and with more decimals rather than as 0.

    Examples
    --------
    >>> signed(0.0213, 3), signed(0.0000082, 4), signed(-0.0004, 3), signed(0.0, 3)
    ('+0.021', '+0.00001', '-0.0004', '+0.000')
    """
    more = range(decimals, _MOST_DECIMALS + 1)
    enough = next((count for count in more if round(value, count)), decimals)
    return number(value, enough, signed=True)


def rounded(value: float, error: float) -> str:
    """Write a count to the digit that its error allows, with thousands apart.

    Examples
    --------
    >>> rounded(1643, 40), rounded(23456, 700), rounded(12, 0.4)
    ('1,640', '23,500', '12')
    """
    unit = 10 ** max(0, floor(log10(error))) if error > 0 else 1
    return f"{round(value / unit) * unit:,.0f}"


def percent(probability: float, mcse: float = 0.0, *, draws: int = 0) -> str:
    """Write a probability as a percentage, with a decimal where its error allows it.

    What no draw, or every draw, shows may still be three times the inverse of the
    number of draws.

    Examples
    --------
    >>> percent(0.985, 0.0005), percent(0.5, 0.002), percent(0.0), percent(0.9999)
    ('98.5 %', '50 %', '<0.1 %', '>99.9 %')
    """
    if 0 < draws < _FEWEST_DRAWS:
        return "–"
    if 0 < draws < 3000 and probability in (0.0, 1.0):
        unsure = min(ceil(300 / draws), 100)
        return f"<{unsure} %" if probability == 0 else f">{100 - unsure} %"
    decimals = 0 if mcse > 0.001 else 1
    text = f"{100 * probability:.{decimals}f}"
    if float(text) == 0:
        return "<1 %" if decimals == 0 else "<0.1 %"
    if float(text) == 100:
        return ">99 %" if decimals == 0 else ">99.9 %"
    return f"{text} %"


def percents(
    probabilities: Iterable[float], errors: Iterable[float], *, draws: int = 0
) -> tuple[str, ...]:
    """Write several probabilities with their Monte-Carlo errors as percentages."""
    pairs = zip(probabilities, errors, strict=True)
    return tuple(percent(p, error, draws=draws) for p, error in pairs)


def p_value(p: float) -> str:
    """Write a p-value with three digits that mean something.

    Examples
    --------
    >>> p_value(0.14567), p_value(0.00002), p_value(1.0)
    ('0.146', '2.0e-05', '1.000')
    """
    return f"{p:.1e}" if p < 0.001 else f"{p:.3f}"


def odds(log10_factor: float, mcse: float = 0.0, *, bound: bool = False) -> str:
    """Write a factor as odds, the smaller side 1, no finer than its error allows.

    Examples
    --------
    >>> odds(-1.5), odds(0.5), odds(1.234), odds(1.256, 0.05), odds(1.256, bound=True)
    ('1 : 32', '3.2 : 1', '17 : 1', '20 : 1', '10 : 1')
    """
    size = abs(log10_factor)
    if size >= 6:
        large = "∞" if size == inf else f"1e{size:.0f}"
    elif bound or mcse > _ROUGH:
        # Evidence is not to look stronger than its bound.
        unit = 10.0 ** floor(size)
        digit = floor(10.0**size / unit) if bound else round(10.0**size / unit)
        large = f"{digit * unit:,.0f}"
    else:
        large = f"{10.0**size:.1f}" if size < 1 else f"{10.0**size:,.0f}"
    return f"{large} : 1" if log10_factor >= 0 else f"1 : {large}"


def counted(count: float, what: str, several: str = "") -> str:
    """Write a number of things.

    Examples
    --------
    >>> counted(1, "data set"), counted(2000, "fold"), counted(3, "class", "classes")
    ('1 data set', '2,000 folds', '3 classes')
    """
    count = int(count) if float(count).is_integer() else count
    return f"1 {what}" if count == 1 else f"{count:,} {several or f'{what}s'}"


def folds(datasets: int, count: int) -> str:
    """Write the numbers of data sets and folds.

    Examples
    --------
    >>> folds(1, 10), folds(2, 400), folds(30, 30)
    ('1 data set, 10 folds', '2 data sets, 400 folds', '30 data sets, one score each')
    """
    rest = "one score each" if count == datasets else f"{count:,} folds"
    return f"{counted(datasets, 'data set')}, {rest}"


def join_words(names: Iterable[str], *, most: int = 12) -> str:
    """Join names as in a sentence; a long row is cut.

    Examples
    --------
    >>> join_words(["a", "b", "c"]), join_words(["a"]), join_words("abcd", most=2)
    ('a, b and c', 'a', 'a, b and 2 more')
    """
    words = list(names)
    if len(words) > most:
        return f"{', '.join(words[:most])} and {len(words) - most:,} more"
    *head, last = words
    return f"{', '.join(head)} and {last}" if head else last


def interval_name(kind: str, mass: float) -> str:
    """Name an interval in words.

    Examples
    --------
    >>> interval_name("hdi", 0.95)
    '95 % HDI'
    """
    names = {"hdi": "HDI", "confidence": "confidence interval"}
    return f"{100 * mass:.10g} % {names.get(kind, 'equal-tailed interval')}"


METRIC_NAMES = {
    "f1": "F1",
    "npv": "negative predictive value",
    "oov_accuracy": "OOV accuracy",
    "mcc": "MCC",
    "kappa": "Cohen's kappa",
    "f1_of_macro": "F1 of macro-averages",
    "mae": "MAE",
    "mse": "MSE",
    "rmse": "RMSE",
    "r2": "R²",
    "pearson": "Pearson correlation",
    "brier": "Brier score",
    "ece": "ECE",
    "bleu": "BLEU",
    "chrf": "chrF",
    "chrf++": "chrF++",
    "ter": "TER",
    "wer": "WER",
    "cer": "CER",
    "token_f1": "token F1",
    "roc_auc": "ROC AUC",
    "las": "LAS",
    "uas": "UAS",
    "clas": "CLAS",
    "mlas": "MLAS",
    "blex": "BLEX",
    "upos": "UPOS F1",
    "xpos": "XPOS F1",
    "ufeats": "UFeats F1",
    "alltags": "AllTags F1",
    "lemmas": "lemmas F1",
    "mean": "mean score",
    "mean_loss": "mean loss",
}

# What stands behind the name of a metric of several tasks.
_OF_TASKS = ("_mean_over_tasks", "_over_all_items")


def metric_name(
    name: str, positive: str | None = None, *, higher_is_better: bool = True
) -> str:
    """Write a metric's name as in a sentence, with its positive class and direction.

    Examples
    --------
    >>> metric_name("f1", "spam"), metric_name("macro_f1")
    ('F1 (spam)', 'macro F1')
    >>> metric_name("error_rate", higher_is_better=False)
    'error rate (less is better)'
    """
    brackets = [] if positive is None else [plain(positive)]
    if not higher_is_better:
        brackets.append("less is better")
    label = _metric_label(name)
    return f"{label} ({'; '.join(brackets)})" if brackets else label


def _metric_label(name: str) -> str:
    for suffix in _OF_TASKS:
        if name.endswith(suffix):
            return _metric_label(name.removesuffix(suffix)) + suffix.replace("_", " ")
    average, _, rate = name.partition("_")
    if average in ("micro", "macro", "weighted", "samples") and rate:
        return f"{average} {_metric_label(rate)}"
    if name[:1] == "f" and name[1:].replace(".", "").isdigit():
        return name.upper()
    # Settings in brackets, as metrics of retrieval have them, stay as they are written.
    spaced = name if "(" in name else name.replace("_", " ")
    return plain(METRIC_NAMES.get(name) or spaced)
