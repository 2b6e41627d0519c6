"""One system alone: the usual law of its metric, and an interval that holds its value.

`estimate` and every comparison show the same interval, since both take it from here.
"""

from likelier.data.outcomes import Outcomes
from likelier.distribution import Distribution
from likelier.interval import Interval, IntervalKind
from likelier.methods.items.dirichlet import Paired
from likelier.methods.items.exact_laws import ExactLaw, counts_events, has_law
from likelier.metrics.metric import Metric


def usual_method(outcomes: Outcomes, metric: Metric) -> ExactLaw | Paired:
    """Return the exact law where there is one, else Dirichlet draws."""
    exact = has_law(outcomes, metric) and counts_events(outcomes)
    return ExactLaw() if exact else Paired()


def interval_around(
    value: float, law: Distribution, *, mass: float, kind: IntervalKind = "hdi"
) -> Interval:
    """Return the interval of a law, widened where it leaves the observed value out.

    The largest draw of what is bounded by 1 is below 1, and with few items in many
    classes the law of an average lies below what was observed.

    Examples
    --------
    >>> import numpy as np
    >>> from likelier.distribution import Draws
    >>> interval_around(1.0, Draws(np.linspace(0.8, 0.99, 99)), mass=0.95).high
    1.0
    """
    ends = law.interval(mass) if kind == "equal-tailed" else law.hdi(mass)
    return Interval(
        min(ends.low, value), max(ends.high, value), mass=ends.mass, kind=ends.kind
    )
