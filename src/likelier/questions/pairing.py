"""compare_pairs(): every system against every other, from scores."""

from collections.abc import Sequence
from typing import Any

from likelier.decision import Rope
from likelier.distribution import Posterior
from likelier.errors import SettingError
from likelier.findings import Finding
from likelier.questions.scores_comparing import (
    Asked,
    Chosen,
    ScoreMethod,
    answer,
    as_scores,
    chosen_method,
)
from likelier.results.order import all_pairs, checked_threshold
from likelier.results.pairs import Pairs
from likelier.score_methods import SignedRank
from likelier.score_methods.signed_rank import rank_posterior, set_differences
from likelier.scores import Scores
from likelier.streams import RandomState, Streams


def compare_pairs(
    data: Any,
    *,
    systems: Sequence[str] | None = None,
    rope: float | Sequence[float] | Rope | None = None,
    method: str | ScoreMethod | None = None,
    mass: float = 0.95,
    rule: str | None = None,
    threshold: float = 0.0,
    draws: int | None = None,
    seed: RandomState = None,
    findings: Sequence[Finding] = (),
) -> Pairs:
    """Compare every system with every other, and put them in order.

    Use this for more than two systems with scores of cross-validation.

    Parameters
    ----------
    data, rope, method, mass, rule, draws, seed, findings
        As in `compare_scores`.
    systems
        Which systems; by default all.
    threshold
        How probable the relation of two systems must be to count for the order; by
        default the most probable one counts, as in Szymański & Gorman (2020).

    Examples
    --------
    >>> from likelier import scores
    >>> table = scores.from_arrays([0.80, 0.82, 0.81, 0.80], [0.90, 0.91, 0.92, 0.90],
    ...                            [0.85, 0.86, 0.86, 0.85], systems=["a", "b", "c"])
    >>> compare_pairs(table, rope=0.01)
    <Pairs score: a < c < b>
    """
    scores = as_scores(data)
    if systems is not None:
        scores = scores.keep(*systems)
    if len(scores.systems) < 2:
        message = f"There must be at least two systems; got {len(scores.systems)}."
        raise SettingError(message)
    checked_threshold(threshold)
    asked = Asked.of(rope, mass=mass, rule=rule)
    streams = Streams.of(seed, draws=draws)
    chosen = chosen_method(scores, method)
    ready = _posteriors(scores, chosen, streams)
    comparisons = tuple(
        answer(
            scores.keep(*pair),
            chosen,
            asked,
            streams,
            findings,
            posterior=ready.get(pair),
        )
        for pair in all_pairs(scores.systems)
    )
    return Pairs(scores.systems, comparisons, threshold, scores.digest)


def _posteriors(
    scores: Scores, chosen: Chosen, streams: Streams
) -> dict[tuple[str, str], Posterior]:
    """Weigh the data sets once for all pairs, where they are weighed by chance."""
    way = chosen.method
    if not isinstance(way, SignedRank):
        return {}
    weights = way.weights(len(scores.datasets), streams)
    return {
        pair: rank_posterior(set_differences(scores.keep(*pair)), weights)
        for pair in all_pairs(scores.systems)
    }
