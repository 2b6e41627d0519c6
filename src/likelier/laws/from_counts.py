"""Laws of metrics from the counts of one system.

Counts may be fractions. The prior is that of each cell of a Dirichlet law.
"""

from likelier.errors import SettingError
from likelier.laws.beta import BetaLaw
from likelier.laws.fbeta_law import LARGEST_BETA, F1Law, FbetaLaw
from likelier.laws.law import Law, checked_count

# With less, mass lies nearer to 0 than the smallest float, and sums would miss it.
_LEAST_PRIOR = 0.05


def precision(tp: float, fp: float, *, prior: float = 1.0) -> BetaLaw:
    """Return the law of the precision.

    Examples
    --------
    >>> precision(80, 20)
    BetaLaw(a=81.0, b=21.0)
    """
    return BetaLaw(*_with_prior(prior, tp=tp, fp=fp))


def recall(tp: float, fn: float, *, prior: float = 1.0) -> BetaLaw:
    """Return the law of the recall.

    Examples
    --------
    >>> recall(80, 10, prior=0.5)
    BetaLaw(a=80.5, b=10.5)
    """
    return BetaLaw(*_with_prior(prior, tp=tp, fn=fn))


def accuracy(right: float, wrong: float, *, prior: float = 1.0) -> BetaLaw:
    """Return the law of the accuracy.

    Examples
    --------
    >>> accuracy(90, 10).mean()
    0.8921568627450981
    """
    return BetaLaw(*_with_prior(prior, right=right, wrong=wrong))


def jaccard(tp: float, fp: float, fn: float, *, prior: float = 1.0) -> BetaLaw:
    """Return the law of the Jaccard index.

    Examples
    --------
    >>> jaccard(80, 20, 10)
    BetaLaw(a=81.0, b=32.0)
    """
    hits, false, missed = _with_prior(prior, tp=tp, fp=fp, fn=fn)
    return BetaLaw(hits, false + missed)


def f1(tp: float, fp: float, fn: float, *, prior: float = 1.0) -> F1Law:
    """Return the law of F1.

    Examples
    --------
    >>> low, high = f1(80, 20, 10).hdi(0.95)
    >>> round(low, 4), round(high, 4)
    (0.777, 0.889)
    """
    hits, false, missed = _with_prior(prior, tp=tp, fp=fp, fn=fn)
    return F1Law(hits, false + missed)


def fbeta(tp: float, fp: float, fn: float, *, beta: float, prior: float = 1.0) -> Law:
    """Return the law of Fbeta: that of F1 for beta 1, of the precision for beta 0.

    Examples
    --------
    >>> fbeta(80, 20, 10, beta=2)
    FbetaLaw(tp=81.0, fp=21.0, fn=11.0, beta=2.0)
    >>> fbeta(80, 20, 10, beta=1)
    F1Law(a=81.0, b=32.0)
    """
    beta = checked_count("beta", beta)
    hits, false, missed = _with_prior(prior, tp=tp, fp=fp, fn=fn)
    if beta == 0:
        return BetaLaw(hits, false)
    if beta == 1:
        return F1Law(hits, false + missed)
    if beta > LARGEST_BETA:
        return BetaLaw(hits, missed)
    return FbetaLaw(hits, false, missed, beta)


def _with_prior(prior: float, **counts: float) -> list[float]:
    """Check counts and add the prior to each."""
    prior = checked_count("prior", prior, positive=True)
    if prior < _LEAST_PRIOR:
        message = f"prior must be at least {_LEAST_PRIOR:g}; got {prior!r}."
        raise SettingError(message)
    return [checked_count(name, count) + prior for name, count in counts.items()]
