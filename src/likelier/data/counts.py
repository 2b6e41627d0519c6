"""Counts: numbers from 0 to 10**12, in arrays and as they are written in files."""

import re
from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Up to here sums, squares and products of counts keep their digits.
LARGEST = 1e12
BOUNDS = "from 0 to 1e12"
# Python would also read 8_0, +3, blanks around, and the digits of other scripts.
_NUMBER = re.compile(r"[0-9]+(\.[0-9]*)?([eE]\+?[0-9]{1,3})?", re.ASCII)


def is_count(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which numbers are counts; fractions are, as shares of items."""
    return (values >= 0) & (values <= LARGEST)


def written_count(cell: object) -> float:
    """Read a count from a cell; NaN where it holds none.

    Examples
    --------
    >>> written_count("80"), written_count(80), written_count("8_0")
    (80.0, 80.0, nan)
    """
    if isinstance(cell, str):
        value = float(cell) if _NUMBER.fullmatch(cell) else nan
    elif isinstance(cell, int | float) and not isinstance(cell, bool):
        # Compared as it is: a large integer has digits that a float has not.
        value = float(cell) if 0 <= cell <= LARGEST else nan
    else:
        value = nan
    return value if 0 <= value <= LARGEST else nan
