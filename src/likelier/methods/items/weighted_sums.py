"""Draws of weighted sums of very many units, from few random numbers.

Either few units stand for all, or kinds of items do, where there are many classes.
"""

import numpy as np

from likelier._typing import FloatArray
from likelier.data.outcomes import Outcomes
from likelier.methods.items.class_sums import ClassSums
from likelier.methods.items.condensed_units import condensed
from likelier.metrics.metric import Metric
from likelier.streams import Streams


def drawn_together(
    units: Outcomes, metric: Metric, streams: Streams, *, purpose: int
) -> FloatArray | None:
    """Draw the metric (draw, system); None where each unit must have its own weight.

    Parameters
    ----------
    units
        Units as the metric sees them; their counts are the shapes of their weights.
    metric
        The metric.
    streams
        Source of random numbers.
    purpose
        As in `Streams.run`.
    """
    few = condensed(units, metric)
    if few is None:
        sums = ClassSums.of(units, metric)
        return None if sums is None else sums.draw(metric, streams, purpose=purpose)

    def block(generator: np.random.Generator, n: int) -> FloatArray:
        weights = np.empty((len(few.counts), n))
        for shape, own in zip(few.counts.tolist(), weights, strict=True):
            generator.standard_gamma(shape, out=own)
        return metric.values(few, weights.T)

    return streams.run(block, width=len(few.counts), purpose=purpose)
