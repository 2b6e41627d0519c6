"""The shortest window over draws: the highest-density interval of a sample."""

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

# Windows this much wider than the shortest are near it; the fewer the draws, the more
# of the widths is luck, and the more neighbours it takes to see through it.
_NEAR_SCALE = 0.75
_FEWEST = 20


def shortest(ordered: FloatArray, mass: float) -> tuple[FloatArray, FloatArray]:
    """Find the ends of the shortest interval that holds the mass, row by row.

    Parameters
    ----------
    ordered
        Draws (row, draw), each row from the least to the largest.
    mass
        The mass to hold.

    Examples
    --------
    >>> low, high = shortest(np.array([[0.0, 5.0, 6.0, 7.0, 9.0]]), 0.5)
    >>> float(low[0]), float(high[0])
    (5.0, 9.0)
    """
    n = ordered.shape[1]
    # Between draws i and j lies a mass of (j - i) / (n + 1) on average.
    gaps = min(n - 1, int(np.ceil(mass * (n + 1) - 1e-9)))
    widths = ordered[:, gaps:] - ordered[:, : n - gaps]
    start = _flattest(widths, 1 + _NEAR_SCALE / n ** (1 / 3))
    row = np.arange(len(ordered))
    return ordered[row, start], ordered[row, start + gaps]


def _flattest(widths: FloatArray, near: float) -> NDArray[np.int64]:
    """Find the shortest of neighbouring windows, not misled by single draws.

    Widths change slowly around the shortest window, so the luck of the draws moves
    the bare minimum far, and towards windows that hold too little; the vertex of a
    parabola through the near-minimal ones stays.
    """
    row = np.arange(len(widths))
    best = np.argmin(widths, axis=1)
    least = widths[row, best]
    close = widths <= near * least[:, np.newaxis]
    clear = (close.sum(axis=1) >= _FEWEST) & (least > 0)
    if not clear.any():
        return best
    x = np.linspace(-1.0, 1.0, widths.shape[1])
    excess = np.where(close, widths - least[:, np.newaxis], 0.0)
    vertex, curved = _vertices(x, close.astype(np.float64), excess)
    middle = np.rint((vertex + 1) / 2 * (len(x) - 1)).astype(np.int64)
    return np.where(clear & curved & close[row, middle], middle, best)


def _vertices(
    x: FloatArray, close: FloatArray, heights: FloatArray
) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Fit a parabola to the close points of each row, and give where it is lowest."""
    powers = np.vander(x, 5, increasing=True)
    moments = close @ powers
    products = heights @ powers[:, :3]
    count = moments[:, 0]
    mean = moments[:, 1] / count
    # Orthogonal over the close points are 1, x - mean, and (x - mean)(x - lean) less
    # the spread.
    spread = moments[:, 2] / count - mean**2
    third = moments[:, 3] - 2 * mean * moments[:, 2] + mean**2 * moments[:, 1]
    lean = np.divide(third / count, spread, out=np.zeros_like(mean), where=spread > 0)
    linear = products[:, 1] - mean * products[:, 0]
    square = (
        products[:, 2]
        - (mean + lean) * products[:, 1]
        + (mean * lean - spread) * products[:, 0]
    )
    norm = _square_norm(moments, mean, lean, spread)
    slope = np.divide(linear, count * spread, out=np.zeros_like(mean), where=spread > 0)
    bend = np.divide(square, norm, out=np.zeros_like(mean), where=norm > 0)
    curved = bend > 0
    offset = np.divide(slope, 2 * bend, out=np.zeros_like(mean), where=curved)
    return np.clip((mean + lean) / 2 - offset, -1.0, 1.0), curved


def _square_norm(
    moments: FloatArray, mean: FloatArray, lean: FloatArray, spread: FloatArray
) -> FloatArray:
    """Add up the squares of the third polynomial, (x - mean)(x - lean) - spread."""
    linear, constant = -(mean + lean), mean * lean - spread
    return (
        moments[:, 4]
        + 2 * linear * moments[:, 3]
        + (linear**2 + 2 * constant) * moments[:, 2]
        + 2 * linear * constant * moments[:, 1]
        + constant**2 * moments[:, 0]
    )
