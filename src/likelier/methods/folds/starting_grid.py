"""Starting grid: where the mass of the posterior lies, before it is integrated.

A Student law of the summed squares of both scales, with the heavier tails of the two,
stands for each blend. The sketch only says where to look, and how closely: what it
gives too little weight is taken in when its neighbours prove heavy.
"""

import numpy as np

from likelier._typing import FloatArray, IntArray
from likelier.methods.folds.fold_likelihood import (
    TAILS,
    Means,
    log_densities,
    log_prior_tails,
)
from likelier.methods.folds.student_sum import student_scale

# Lines and panels so much lighter than the heaviest, in the logarithm, are left out.
LIGHT = 14.0
# Parts of lines are given this much more room than lines.
_SPARED = 4.0
# So near its peak, no line is cut.
_NEAR = 4.0
# Below so small a part of the finest scale, sigma0 is as good as 0.
_TINY = 1e-6
# Panels of log sigma0: in standard deviations from the middle, and at most.
_PANELS, _LONGEST = np.array([1.8, 2.2, 4.0]), 2.5
_SKETCHED, _USUAL_TAILS = 200, 20.0
# Panels of delta0: in widths from the peak.
_SEEDS = np.array([2.5, 8.0, 30.0])
_EM_STEPS = 60
_MOST_PLACES = 12
_PROBES, _PROBED_ROWS = 200, 30
# Numbers of points to choose from, for the blends of each data set.
_POINTS, _MOST_POINTS = (16, 20, 24, 32, 40, 56), 80


def sketch(
    means: Means, spread: FloatArray, tails: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Guess where each line has its peak, how wide it is, and the line's weight.

    A Student law of the summed squares of both scales, with the heavier tails of the
    two, stands for the blend.
    """
    nu = _heavier(means, tails)
    scale = np.hypot(means.scale, np.exp(spread)[:, None])
    starts = _starts(means)
    heights = np.stack([_rough(means, scale, nu, c) for c in starts])
    centre = starts[heights.argmax(axis=0)]
    for _ in range(_EM_STEPS):
        away = (means.centre - centre[:, None]) / scale
        pull = (nu + 1) / (nu + away**2) / scale**2
        centre = (pull * means.centre).sum(axis=1) / pull.sum(axis=1)
    away = (means.centre - centre[:, None]) / scale
    bend = ((nu + 1) * (nu - away**2) / (nu + away**2) ** 2 / scale**2).sum(axis=1)
    least = 0.1 * (1 / scale**2).sum(axis=1)
    width = np.minimum(1 / np.sqrt(np.maximum(bend, least)), 2 * means.bound)
    peak = _rough(means, scale, nu, centre[:, None])
    area = np.log(np.minimum(np.sqrt(2 * np.pi) * width, 2 * means.bound))
    return centre, width, peak + area + spread + log_prior_tails(tails)


def _heavier(means: Means, tails: FloatArray) -> FloatArray:
    """Give the degrees of freedom of population or data set, whichever are fewer."""
    return np.minimum(1 + np.exp(tails)[:, None], means.df)


def _starts(means: Means) -> FloatArray:
    shares = np.linspace(0, 1, min(len(means.centre), _MOST_PLACES))
    return np.unique(np.quantile(means.centre, shares))


def _rough(
    means: Means, scale: FloatArray, nu: FloatArray, delta: FloatArray | float
) -> FloatArray:
    away = (means.centre - delta) / scale
    logs = -0.5 * (nu + 1) * np.log1p(away**2 / nu) + np.log(student_scale(nu) / scale)
    return logs.sum(axis=1)


def first_edges(means: Means) -> FloatArray:
    """Cut log sigma0 into panels, shorter ones where a sketch of it has its mass."""
    top = np.log(means.widest)
    low = min(np.log(_TINY * means.scale.min()), top - 4.0)
    spread = np.linspace(low, top, _SKETCHED)
    weight = sketch(means, spread, np.full(_SKETCHED, np.log(_USUAL_TAILS)))[2]
    share = np.exp(weight - weight.max())
    middle = np.average(spread, weights=share)
    sd = np.sqrt(np.average((spread - middle) ** 2, weights=share))
    lengths = np.minimum(sd * _PANELS, _LONGEST)
    beyond = np.full(int((top - low) / _LONGEST) + 1, _LONGEST)
    steps = np.cumsum(np.concatenate([lengths, beyond]))
    edges = middle + np.concatenate([-steps[::-1], [0.0], steps])
    inside = edges[(edges > low) & (edges < top)]
    return np.concatenate([[low], inside, [top]])


def seeds(
    means: Means, spread: FloatArray, tails: FloatArray, heaviest: float
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Cut each line into panels around its peak and around other likely places."""
    centre, width, weight = sketch(means, spread, tails)
    scale = np.hypot(means.scale, np.exp(spread)[:, None])
    nu = _heavier(means, tails)
    near = np.concatenate([-_SEEDS, [0.0], _SEEDS])
    places = _starts(means)
    around = 3 * np.median(scale, axis=1)[:, None]
    far = np.abs(places - centre[:, None]) > 30 * width[:, None]
    bound = np.full((len(centre), 1), means.bound)
    pieces = [
        centre[:, None] + width[:, None] * near,
        np.where(far, places - around, bound),
        np.where(far, places + around, bound),
        -bound,
        bound,
    ]
    edges = np.sort(np.clip(np.concatenate(pieces, axis=1), -bound, bound), axis=1)
    low, high = edges[:, :-1], edges[:, 1:]
    line, column = np.nonzero(high - low > 1e-9 * width[:, None])
    low, high = low[line, column], high[line, column]
    heights = np.max(
        [
            _rough(means, scale[line], nu[line], (low + share * (high - low))[:, None])
            for share in (0.0, 0.25, 0.5, 0.75, 1.0)
        ],
        axis=0,
    )
    peak = _rough(means, scale, nu, centre[:, None])
    # The weight of the line, less what the panel is below its peak.
    drop = heights - peak[line]
    kept = (weight[line] + drop > heaviest - LIGHT - _SPARED) | (drop > -_NEAR)
    return line[kept], low[kept], high[kept]


def enough_points(means: Means, allowed: float) -> IntArray:
    """Say how many points each data set's blends need, by probes where the mass is."""
    delta, spread, tails = _probes(means)
    counts = np.full(len(means.centre), _MOST_POINTS)
    every = np.ones(len(counts), dtype=bool)
    exact = log_densities(means, every, delta, spread, tails, 2 * _MOST_POINTS)
    for points in reversed(_POINTS):
        found = log_densities(means, every, delta, spread, tails, points)
        good = np.abs(found - exact).mean(axis=1) <= allowed / len(counts)
        counts[good] = np.minimum(counts[good], points)
    return counts


def _probes(means: Means) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Give delta0, log sigma0 and log(nu - 1) at places that a sketch finds likely."""
    edges = first_edges(means)
    spread, tails = (
        part.ravel()
        for part in np.meshgrid(
            np.linspace(edges[0], edges[-1], _SKETCHED),
            np.linspace(np.log(TAILS[0]), np.log(TAILS[1]), _PROBED_ROWS),
        )
    )
    centre, width, weight = sketch(means, spread, tails)
    shares = np.cumsum(np.exp(weight - weight.max()))
    wanted = (np.arange(_PROBES) + 0.5) / _PROBES * shares[-1]
    chosen = np.searchsorted(shares, wanted)
    away = np.resize(np.linspace(-2.5, 2.5, 11), _PROBES)
    delta = centre[chosen] + away * width[chosen]
    return np.clip(delta, -means.bound, means.bound), spread[chosen], tails[chosen]
