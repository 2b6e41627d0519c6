"""Populations of named statistics: BLEU of segments, WER of speakers, RMSE of numbers.

Formulas of losses are negative, so that more is better throughout.
"""

from functools import cache, partial

import numpy as np
from tests.slow.calibration.peers import Array
from tests.slow.calibration.units import Generator, Units

from likelier import Outcomes

# --- BLEU -------------------------------------------------------------------

_SEGMENTS = 10_000
_BLEU = (
    *("bleu_output", "bleu_reference"),
    *(f"bleu_match_{i}" for i in range(1, 5)),
    *(f"bleu_all_{i}" for i in range(1, 5)),
)


def bleu(sums: Array) -> Array:
    """BLEU of both systems, from sums (…, statistic, system)."""
    output, reference = sums[..., 0, :], sums[..., 1, :]
    logs = (np.log(sums[..., 2:6, :]) - np.log(sums[..., 6:10, :])).sum(-2) / 4
    short = np.where(output.real < reference.real, 1 - reference / output, 0.0)
    return 100 * np.exp(short + logs)


@cache
def _prototypes() -> tuple[Array, Array]:
    """Segments of two equal systems (segment, statistic, system), and better ones.

    Every segment comes a second time with the systems exchanged.
    """
    rng = np.random.default_rng(0)
    n = _SEGMENTS
    words = rng.integers(6, 45, n)
    quality = rng.beta(4, 3, (n, 1))
    rows = np.empty((n, 10, 2))
    output = np.maximum(words[:, np.newaxis] + rng.integers(-2, 3, (n, 2)), 5)
    rows[:, 0], rows[:, 1] = output, words[:, np.newaxis]
    own = np.clip(quality + rng.normal(0, 0.12, (n, 2)), 0.05, 0.97)
    match = rng.binomial(np.minimum(output, words[:, np.newaxis]), own)
    for order in range(4):
        whole = output - order
        rows[:, 6 + order] = whole
        if order:
            match = rng.binomial(np.minimum(match, whole), 0.35 + 0.6 * own)
        rows[:, 2 + order] = match
    better = rows.copy()
    better[:, 2:6, 1] = rows[:, 2:6].max(axis=-1)
    better[:, 2:6, 1] = np.minimum(better[:, 2:6, 1] + 1, rows[:, 6:10, 1])
    return np.concatenate([rows, rows[..., ::-1]]), np.concatenate([better, better])


def segments(_share: float, ahead: float) -> Units:
    """Segments of translations; a share of them is better by the second system."""
    usual, better = _prototypes()

    def draw(rng: Generator, n: int) -> Array:
        index = rng.integers(len(usual), size=n)
        moved = rng.random(n) < ahead
        return np.where(moved[:, np.newaxis, np.newaxis], better[index], usual[index])

    mean = (1 - ahead) * usual.mean(axis=0) + ahead * better.mean(axis=0)
    return Units(bleu, bleu(mean), draw, partial(_outcomes, names=_BLEU))


def _outcomes(rows: Array, *, names: tuple[str, ...]) -> Outcomes:
    return Outcomes.from_statistics({x: rows[:, i] for i, x in enumerate(names)})


# --- WER --------------------------------------------------------------------

_RATE, _UTTERANCES, _WORDS = 0.15, 12, 15


def _wer(sums: Array) -> Array:
    return -sums[..., 0, :] / sums[..., 1, :]


def speakers(_share: float, ahead: float) -> Units:
    """Speakers of about twelve utterances, of whom some are hard for both systems."""
    rates = _RATE * np.array([1.0, 1.0 - ahead])

    def draw(rng: Generator, n: int) -> Array:
        words = rng.poisson(_WORDS * rng.poisson(_UTTERANCES, n)) + 1
        hard = rng.gamma(4, 0.25, (n, 1)) * rng.gamma(10, 0.1, (n, 2))
        edits = rng.poisson(words[:, np.newaxis] * rates * hard)
        both = np.repeat(words[:, np.newaxis], 2, axis=1)
        return np.stack([edits, both], axis=1).astype(float)

    return Units(_wer, -rates, draw, _of_speakers)


def _of_speakers(rows: Array) -> Outcomes:
    """Make two utterances of each speaker: what they add up to is what counts."""
    parts = np.floor(rows / 2)
    each = np.concatenate([parts, rows - parts])
    statistics = {
        "wer_substitutions": each[:, 0],
        "wer_deletions": np.zeros_like(each[:, 0]),
        "wer_insertions": np.zeros_like(each[:, 0]),
        "wer_words": each[:, 1],
    }
    cluster = np.tile(np.arange(len(rows)), 2)
    return Outcomes.from_statistics(statistics, cluster=cluster)


# --- RMSE -------------------------------------------------------------------

_FREEDOM = 5
_SHARED = 0.7


def _rmse(sums: Array) -> Array:
    return -np.sqrt(sums[..., 0, :] / sums[..., 1, :])


def heavy_errors(_share: float, ahead: float) -> Units:
    """Errors with heavy tails, Student's t with 5 degrees of freedom, partly shared."""
    own = np.array([1.0, 1.0 - ahead])

    def draw(rng: Generator, n: int) -> Array:
        shared, each = (
            rng.standard_t(_FREEDOM, (n, 1)),
            rng.standard_t(_FREEDOM, (n, 2)),
        )
        error = _SHARED * shared + own * each
        return np.stack([error**2, np.ones((n, 2))], axis=1)

    variance = (_SHARED**2 + own**2) * _FREEDOM / (_FREEDOM - 2)
    return Units(_rmse, -np.sqrt(variance), draw, _of_errors)


def _of_errors(rows: Array) -> Outcomes:
    return Outcomes.from_statistics({"squared_error": rows[:, 0]})
