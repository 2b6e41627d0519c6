"""P-values adjusted for their number."""

from typing import Any

import numpy as np

from likelier.score_tests.inputs import FloatArray, checked_p_values


def holm(p_values: Any) -> FloatArray:
    """Adjust p-values so that the rate of any false finding is controlled.

    Use this for a few comparisons of which none may be wrong, however they depend on
    each other. A comparison is found where its adjusted p-value is at most alpha.

    Parameters
    ----------
    p_values
        The p-values; the adjusted ones come in the same order.

    References
    ----------
    Holm, 1979, https://www.jstor.org/stable/4615733.

    Examples
    --------
    >>> holm([0.03, 0.01, 0.02])
    array([0.04, 0.03, 0.04])
    """
    given = checked_p_values(p_values)
    order = np.argsort(given, kind="stable")
    factors = np.arange(len(given), 0, -1)
    adjusted = np.empty_like(given)
    adjusted[order] = np.maximum.accumulate(factors * given[order])
    return np.minimum(adjusted, 1.0)


def benjamini_hochberg(p_values: Any) -> FloatArray:
    """Adjust p-values so that the share of false ones among the findings is controlled.

    Use this for many comparisons of which some may be wrong. It holds for independent
    and for positively dependent comparisons.

    Parameters
    ----------
    p_values
        The p-values; the adjusted ones come in the same order.

    References
    ----------
    Benjamini & Hochberg, 1995, doi:10.1111/j.2517-6161.1995.tb02031.x.

    Examples
    --------
    >>> benjamini_hochberg([0.03, 0.01, 0.02, 0.5])
    array([0.04, 0.04, 0.04, 0.5 ])
    """
    given = checked_p_values(p_values)
    n = len(given)
    largest_first = np.argsort(-given, kind="stable")
    factors = n / np.arange(n, 0, -1)
    adjusted = np.empty_like(given)
    # The largest one has the factor 1, and none may exceed it: no need for a cap.
    adjusted[largest_first] = np.minimum.accumulate(factors * given[largest_first])
    return adjusted
