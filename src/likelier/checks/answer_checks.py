"""Checks on an answer: whether its posterior can carry a verdict."""

from collections.abc import Sequence

import numpy as np

from likelier._typing import BoolArray
from likelier.checks.sample_checks import (
    ENOUGH_DIFFERING,
    have_tails,
    pattern_gain,
    tails,
)
from likelier.data.outcomes import Outcomes
from likelier.decision import EQUIVALENT, EVERY
from likelier.distribution import Distribution, Null
from likelier.findings import Finding
from likelier.formatting import counted, plain
from likelier.interval import Rope
from likelier.metrics.metric import Metric

# Fewer draws leave ends of an interval that the next seed would move.
LEAST_DRAWS = 1000
# Share by which the prior may pull a difference: that of 20 items.
_PULL = 2 / 21 + 1e-9
# Shift of a value by the prior that people should know of, in standard deviations.
_SHIFT = 0.1


def few_draws(draws: int) -> Finding | None:
    """Check for too few draws for a verdict; 0 draws are an exact answer."""
    if draws == 0 or draws >= LEAST_DRAWS:
        return None
    message = f"only {counted(draws, 'draw')}: an answer needs {LEAST_DRAWS:,} or more."
    return Finding("LIK112", message, "block", "too few draws", blocks=EVERY)


def pulled(outcomes: Outcomes, mass: float) -> Finding | None:
    """Check for so few units that the prior pulls the difference visibly towards 0.

    Parameters
    ----------
    outcomes
        Those of two systems.
    mass
        Weight of the prior in units.
    """
    share = mass / max(outcomes.n_units - 1 + mass, mass)
    if share <= _PULL:
        return None
    message = (
        f"with so few items the prior pulls the difference by {100 * share:.0f} % "
        "towards 0: rely on its direction, not on its size."
    )
    return Finding("LIK113", message, severity="warning")


def skewed(
    table: Outcomes, metric: Metric, difference: Distribution, rope: Rope | None
) -> Finding | None:
    """Check for scores with a long tail that a sample rarely shows enough of.

    Where the difference points away from the tail, it is too sure to be better or
    worse; where the tail is very long, it is too sure to be equivalent. Scores of 0
    and 1 have no such tail.

    Parameters
    ----------
    table
        Outcomes of two systems.
    metric
        The metric.
    difference
        Posterior of the difference.
    rope
        Region of practical equivalence, if there is one; without it nothing is
        equivalent, but at another stop of a page's sliders something may be.
    """
    if not have_tails(table, metric):
        return None
    mean, sd = np.array([[difference.mean()], [difference.std()]])
    measured = tails(table, metric, table.counts[np.newaxis], mean=mean, sd=sd)
    skew, against, long = measured.skew[0], measured.against[0], measured.long[0]
    if not against and not long:
        return None
    reason = "the scores have a long tail"
    if against:
        reason = "the largest differences point the other way"
    applies = against or rope is not None
    effect = "a few more such items may turn the answer round"
    if not applies:
        effect = "nothing could show that the systems are equivalent"
    message = (
        f"{reason} (skewness {skew:.2f}): {effect}. Test more items, or compare a "
        "share, such as how often a score is good enough."
    )
    blocks: tuple[str, ...] = EQUIVALENT
    if against:
        blocks = tuple(name for name in EVERY if long or name not in EQUIVALENT)
    return Finding("LIK114", message, "block" if applies else "note", reason, blocks)


def outweighed(outcomes: Outcomes, mass: float, *, prior: str) -> Finding | None:
    """Check for a prior that weighs more than the data.

    Parameters
    ----------
    outcomes
        Those that the model sees.
    mass
        Weight of the prior in items.
    prior
        Name of the prior.
    """
    units = outcomes.n_units
    if mass <= units or units == 0:
        return None
    weight = f"{mass:,.1f}".removesuffix(".0")
    message = (
        f"the prior {prior} weighs as much as {weight} items, more "
        f"than the {round(units, 1):,} there are. Give it less strength, or test more "
        "items."
    )
    reason = "the prior outweighs the data"
    return Finding("LIK116", message, "block", reason, blocks=EVERY)


def of_pilot(reason: str | None) -> Finding | None:
    """Report that the verdict on a pilot would be blocked, for its reason."""
    if reason is None:
        return None
    message = (
        f"there would be no verdict on the pilot itself: {reason}. Simulated samples "
        "that a finding blocks count as undecided."
    )
    return Finding("LIK125", message)


def of_factor(finding: Finding | None) -> Finding | None:
    """Return a finding on the prior of a Bayes factor, which no verdict rests on.

    A note on a value that stays in its interval is left out.
    """
    if finding is None or finding.severity == "note":
        return None
    message = f"for the Bayes factor only: {finding.message}"
    return Finding(finding.code, message, severity="warning")


def moved(
    names: Sequence[str],
    observed: Sequence[float],
    systems: Sequence[Distribution],
    *,
    prior: str,
) -> Finding | None:
    """Check for a prior that moves a system's value visibly.

    Parameters
    ----------
    names, observed
        Names of the systems, and their values on the items as they are.
    systems
        Posterior of each system's value.
    prior
        Name of the prior.
    """
    shifts = [
        (law.mean() - value) / (law.std() or np.inf)
        for value, law in zip(observed, systems, strict=True)
    ]
    largest = int(np.argmax(np.abs(shifts)))
    if abs(shifts[largest]) <= _SHIFT:
        return None
    value, law = observed[largest], systems[largest]
    low, high = law.hdi(0.95)
    message = (
        f"the prior {prior} moves {plain(names[largest])} by "
        f"{abs(shifts[largest]):.1f} standard deviations, from {value:.3f} to "
        f"{law.mean():.3f}; the default prior does so less."
    )
    outside = not low <= value <= high
    return Finding("LIK118", message, severity="warning" if outside else "note")


def one_way(table: Outcomes, metric: Metric, differs: BoolArray) -> Finding | None:
    """Check for a posterior that is too sure, since nothing contrary was observed.

    Parameters
    ----------
    table
        The outcomes of two systems, with their effective counts.
    metric
        The metric.
    differs
        Whether the systems differ in what the metric adds up, by pattern.
    """
    if len(table.systems) != 2:
        return None
    differing = np.flatnonzero(differs & (table.counts > 0))
    units = float(table.counts[differing].sum())
    if not 0 < units < ENOUGH_DIFFERING or len(differing) > ENOUGH_DIFFERING * 4:
        return None
    gains = np.array([pattern_gain(table, metric, int(row)) for row in differing])
    if not (gains > 0).all() and not (gains < 0).all():
        return None
    unit = "cluster" if table.clustered else table.unit.removesuffix("s")
    favoured = plain(table.systems[int(gains[0] > 0)])
    number = int(units) if units.is_integer() else round(units, 3)
    differ = "differs" if number == 1 else "differ"
    message = (
        f"only {counted(number, unit)} {differ}, all in favour of {favoured}: "
        "the prior bootstrap holds the opposite to be impossible, and every "
        "probability is too sure. Leave the prior out, or test more items."
    )
    reason = f"too few {unit}s differ"
    return Finding("LIK111", message, "block", reason, blocks=EVERY)


def unresolved(*, requested: bool, computed: bool) -> Finding | None:
    """Report a Bayes factor of the rope that is missing for want of draws."""
    if not requested or computed:
        return None
    message = (
        "the draws are too few to give a Bayes factor of this rope: hardly any of the "
        "prior's lie inside, or outside."
    )
    return Finding("LIK109", message)


def direction(null: Null) -> Finding | None:
    """Check for a one-sided test in the direction that the data show."""
    if null.alternative != "as-observed":
        return None
    message = (
        "the published test: one-sided in the direction observed, and it leaves out "
        "ties. Without a direction fixed beforehand it errs more than twice as often "
        "as its level says, with few items four times; randomization does not."
    )
    return Finding("LIK105", message)
