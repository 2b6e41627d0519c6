"""plan(): the verdicts that a number of items would give, and the items needed."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from likelier._compare import compare_outcomes
from likelier._inputs import (
    RopeLike,
    as_metric,
    check_rope,
    item_settings,
    posterior_method,
)
from likelier._plan_search import items_for_chance, tilt_for_chance, tilted
from likelier.checks import answer_checks
from likelier.data.outcomes import Outcomes
from likelier.decision import RULES
from likelier.errors import NotDefinedError, SettingError, unknown_name
from likelier.findings import Finding
from likelier.interval import asked_mass
from likelier.methods.items.dirichlet_cells import Prior
from likelier.methods.protocols import PosteriorMethod, SimulatedMethod
from likelier.methods.simulation import Assumed, Items, Trial, Truths, unit_of
from likelier.metrics.metric import Metric
from likelier.metrics.positive import select_positive
from likelier.results.plan_answer import (
    Assumption,
    ItemsNeeded,
    PlanAnswer,
    SmallestDifference,
)
from likelier.results.plan_report import CLEAR, Chances, PlanReport
from likelier.streams import RandomState, Streams

SIZES = (200, 500, 1000, 2000, 5000, 10_000)
MOST_ITEMS = 10**12
GOALS = (*CLEAR, "decided")
_PILOT_DRAWS = 5000
# Number of simulated experiments that a chance must be expected in.
_LEAST_EXPERIMENTS = 1
# Experiments that are simulated for each size: fewer where one of them takes long, and
# none where the fewest of them would still take many minutes.
REPLICATIONS, _LEAST_REPLICATIONS = 1000, 100
_MOST_WORK, _TOO_MUCH_WORK = 200_000_000, 1_000_000_000

Answer = TypeVar("Answer", bound=PlanAnswer)


def plan(
    assumed: Assumed,
    *,
    metric: str | Metric,
    positive: object = None,
    rope: RopeLike = None,
    method: str | PosteriorMethod = "paired",
    prior: str | None = None,
    strength: float = 1.0,
    items: Items = "same",
    mass: float = 0.95,
    rule: str = "hdi-rope",
    replications: int | None = None,
    draws: int | None = None,
    seed: RandomState = None,
    workers: int = 1,
) -> "Plan":
    """Plan a comparison: simulate experiments in which the systems are as assumed.

    Use this before a test set is collected. A simulated sample whose verdict a finding
    would block counts as undecided: few differing items under the prior bootstrap,
    long tails of scores, small classes, a prior that outweighs the sample. Where the
    systems see other items, only the last is looked at; the number of draws, which
    each sample has few of, is not.

    Parameters
    ----------
    assumed
        What the systems do: `Assumed.cells`, `Assumed.accuracies` or `Assumed.pilot`.
    metric, positive, rope, prior, strength, mass, rule
        As in `compare`.
    method
        paired or unpaired.
    items
        Whether both systems see the same items, or each others of one kind ("other",
        for unpaired).
    replications
        Number of experiments that are simulated for each size; 1,000 by default, fewer
        where one of them takes long: in wide tables, above all of ranked metrics.
    draws
        Number of draws of each posterior; 1,000 by default, fewer for wide tables.
    seed
        A seed or a generator; the recipe has the seed that was used.
    workers
        Number of threads that simulate; no number depends on it.

    References
    ----------
    Zhang et al. (2016), section 4.1, doi:10.1145/2911451.2911547.

    Examples
    --------
    >>> assumed = Assumed.accuracies(0.80, 0.85, agreement=0.9)
    >>> planned = plan(assumed, metric="accuracy", replications=250, seed=0)
    >>> planned.chances([500, 2000]).chance("better", 500) > 0.9
    True
    """
    if not isinstance(assumed, Assumed):
        message = f"assumed must be made by Assumed; got {type(assumed).__name__}."
        raise SettingError(message, hint="Assumed.accuracies, .cells or .pilot")
    if rule not in RULES:
        raise unknown_name(rule, RULES, kind="rule")
    if items not in ("same", "other"):
        raise unknown_name(items, ("same", "other"), kind="items")
    chosen = as_metric(metric)
    simulated = _simulated_method(method, prior, strength)
    if items == "other" and simulated.name == "paired":
        message = "paired must have the same items for both systems; got other."
        raise SettingError(message, hint="method='unpaired' takes other items.")
    table, name = select_positive(assumed.outcomes, chosen, positive)
    table = table.sharing_classes
    trial = Trial(
        truths=assumed.truths(
            table, chosen, Prior(simulated.prior, simulated.strength)
        ),
        metric=chosen,
        method=simulated,
        rope=check_rope(rope, chosen),
        mass=asked_mass(mass),
        rule=rule,
        items=items,
        draws=None if draws is None else Streams.of(0, draws=draws).draws,
    )
    if replications is None:
        replications = _replications(trial)
    if not _whole(replications):
        message = (
            f"replications must be a whole number of at least 1; got {replications!r}."
        )
        raise SettingError(message)
    streams = Streams.of(seed, draws=replications, workers=workers)
    remark = _pilot_finding(assumed, trial, positive, streams)
    findings = () if remark is None else (remark,)
    return Plan(assumed, name, trial, streams, findings)


@dataclass(frozen=True, eq=False)
class Plan:
    """Assumed systems, and simulated experiments with them.

    Made by `plan`; its methods answer what the experiments show.

    Attributes
    ----------
    assumed
        What the systems are assumed to do.
    positive
        Positive class, where the metric has one.
    trial
        Recipe of an experiment.
    streams
        Source of random numbers, a stream for each experiment.
    findings
        Remarks of the checks on the pilot.
    """

    assumed: Assumed
    positive: str | None
    trial: Trial
    streams: Streams
    findings: tuple[Finding, ...] = ()

    def chances(self, sizes: Sequence[int] | int = SIZES) -> Chances:
        """Simulate the chance of every verdict with so many items.

        Parameters
        ----------
        sizes
            The numbers of items to try.
        """
        several = sizes if isinstance(sizes, Iterable) else (sizes,)
        ordered = tuple(sorted({_checked_size(n) for n in several}))
        if not ordered:
            message = "sizes must hold at least one number of items; got none."
            raise SettingError(message)
        return self._answer(
            Chances,
            {"sizes": ", ".join(map(str, ordered))},
            sizes=ordered,
            chances=tuple(self.trial.chances(n, self.streams) for n in ordered),
        )

    def items(self, chance: float = 0.8, *, goal: str = "better") -> ItemsNeeded:
        """Search for the number of items that gives a verdict such a chance.

        Parameters
        ----------
        chance
            Chance to reach.
        goal
            The verdict: better, worse, equivalent, or decided for any of them.

        Examples
        --------
        >>> assumed = Assumed.accuracies(0.80, 0.85, agreement=0.9)
        >>> settings = {"replications": 250, "draws": 200, "seed": 0}
        >>> planned = plan(assumed, metric="accuracy", **settings)
        >>> 250 < planned.items(0.8).items < 400
        True
        """
        target = self._checked(chance, goal)
        search = items_for_chance(
            self.trial, goal, target, self.streams, most=MOST_ITEMS
        )
        if search.number is None:
            raise self._never(goal, target, search.most)
        return self._answer(
            ItemsNeeded,
            {"goal": goal, "chance": target},
            goal=goal,
            chance=target,
            items=search.number,
            error=search.error,
        )

    def smallest(
        self, size: int, chance: float = 0.8, *, goal: str = "better"
    ) -> SmallestDifference:
        """Search for the difference that so many items show with such a chance.

        The systems disagree as often as assumed; what varies is how often the second
        is right where they do.

        Parameters
        ----------
        size
            Number of items.
        chance
            Chance to reach.
        goal
            better or worse.

        Examples
        --------
        >>> assumed = Assumed.accuracies(0.80, 0.85, agreement=0.9)
        >>> settings = {"replications": 250, "draws": 200, "seed": 0}
        >>> planned = plan(assumed, metric="accuracy", **settings)
        >>> 0.025 < planned.smallest(1000).difference < 0.032
        True
        """
        if goal not in ("better", "worse"):
            raise unknown_name(goal, ("better", "worse"), kind="goal")
        target, n = self._checked(chance, goal), _checked_size(size)
        certain = self._as_truth()
        trial, table = certain.trial, certain.trial.truths.outcomes

        def difference(tilt: float) -> float:
            return _difference(trial.metric, tilted(table, goal, tilt))

        if difference(1.0) == 0:
            message = "The systems must disagree to differ; as assumed they never do."
            raise NotDefinedError(message, hint="Assume a lower agreement.")
        search = tilt_for_chance(trial, n, goal, target, self.streams)
        if search is None:
            message = (
                f"{n:,} items are too few to show {goal} with a chance of {target:g}, "
                f"however {table.systems[1]} does where the systems disagree."
            )
            raise NotDefinedError(message, hint="Take more items, or a narrower rope.")
        return certain._answer(
            SmallestDifference,
            {"size": n, "goal": goal, "chance": target},
            size=n,
            goal=goal,
            chance=target,
            difference=difference(search.tilt),
            error=search.error_of(difference),
        )

    def report(
        self,
        sizes: Sequence[int] | int = SIZES,
        chance: float = 0.8,
        *,
        goal: str = "better",
    ) -> PlanReport:
        """Answer all at once: chances, items needed, and what the largest size shows.

        Parameters
        ----------
        sizes
            The numbers of items to try.
        chance, goal
            Chance to reach of a verdict.
        """
        # First what refuses a wrong goal or chance.
        needed: ItemsNeeded | None = None
        missing: tuple[str, ...] = ()
        try:
            needed = self.items(chance, goal=goal)
        except NotDefinedError as error:
            missing = (error.message,)
        chances = self.chances(sizes)
        smallest: tuple[SmallestDifference, ...] = ()
        if goal in ("better", "worse") and self.assumed.outcomes.labels is not None:
            with suppress(NotDefinedError):
                smallest = (self.smallest(chances.sizes[-1], chance, goal=goal),)
        return PlanReport(
            chances.settings, chances.findings, chances, needed, smallest, missing
        )

    def _answer(
        self, kind: type[Answer], options: dict[str, Any], **fields: Any
    ) -> Answer:
        """Make an answer with the settings of the plan."""
        trial, table = self.trial, self.trial.truths.outcomes
        settings = item_settings(
            table,
            trial.metric,
            self.positive,
            trial.method,
            self.streams,
            draws=trial.n_draws,
            replications=self.streams.draws or REPLICATIONS,
            rope=trial.rope,
            mass=trial.mass,
            rule=trial.rule,
            options={"assuming": self.assumed.source, **options, "items": trial.items},
        )
        data = replace(
            settings.data, unit=unit_of(table), digest=self.assumed.outcomes.digest
        )
        assumption = Assumption(
            source=self.assumed.source,
            difference=self.difference,
            certain=self.assumed.certain,
            items=trial.items,
        )
        made: Any = kind
        findings = (*self.assumed.outcomes.findings, *self.findings)
        return made(replace(settings, data=data), findings, assumption, **fields)

    @property
    def difference(self) -> float:
        """Difference of the metric that is assumed."""
        return _difference(self.trial.metric, self.trial.truths.outcomes)

    def _as_truth(self) -> "Plan":
        """Return the plan that takes the shares of a pilot for the truth."""
        if self.assumed.certain:
            return self
        certain = self.assumed.as_truth()
        table, _ = select_positive(certain.outcomes, self.trial.metric, self.positive)
        trial = self.trial.with_truths(Truths(table, None))
        return replace(self, assumed=certain, trial=trial)

    def _checked(self, chance: float, goal: str) -> float:
        """Return the chance; refuse it, or the goal, where no experiment reaches it."""
        if goal not in GOALS:
            raise unknown_name(goal, GOALS, kind="goal")
        if goal == "equivalent" and self.trial.rope is None:
            message = "The goal equivalent must have a rope; none was given."
            raise SettingError(message, hint="rope=0.01 is one point of a hundred.")
        if goal in ("worse", "equivalent") and self.trial.rule == "bayes-test":
            message = (
                f"The rule bayes-test never says {goal}: only better or not better."
            )
            raise SettingError(message, hint="Use the rule hdi-rope.")
        replications = self.streams.draws or REPLICATIONS
        number = isinstance(chance, int | float | np.number)
        if not number or not 0 < chance < 1:
            message = f"chance must lie between 0 and 1; got {chance!r}."
            raise SettingError(message)
        rarer = min(chance, 1 - chance)
        if rarer * replications < _LEAST_EXPERIMENTS:
            least = np.ceil(_LEAST_EXPERIMENTS / rarer)
            message = (
                f"A chance of {chance:g} must have at least {least:,.0f} "
                f"replications to show; got {replications}."
            )
            raise SettingError(message)
        return float(chance)

    def _never(self, goal: str, chance: float, most: float) -> NotDefinedError:
        trial = self.trial
        rope = "" if trial.rope is None else f", rope {trial.rope}"
        message = (
            f"No number of {unit_of(trial.truths.outcomes)} gives {goal} a chance of "
            f"{chance:g}: with endless ones it is {most:.2g} ({self.assumed.source}, "
            f"difference {self.difference:+.4g}{rope})."
        )
        hint = "Assume another difference, or another goal."
        if not self.assumed.certain:
            hint = (
                "The pilot leaves that much doubt; certain=True takes it as the truth."
            )
        return NotDefinedError(message, hint=hint)


def _simulated_method(
    method: str | PosteriorMethod, prior: str | None, strength: float
) -> SimulatedMethod:
    result = posterior_method(method, prior=prior, strength=strength)
    if not isinstance(result, SimulatedMethod):
        message = f"method must be paired or unpaired to plan; got {result.name}."
        raise SettingError(message)
    return result


def _replications(trial: Trial) -> int:
    """Return the usual number of experiments, fewer where one of them takes long."""
    most = _MOST_WORK // trial.work
    replications = int(np.clip(most, _LEAST_REPLICATIONS, REPLICATIONS))
    if replications * trial.work <= _TOO_MUCH_WORK:
        return replications
    message = (
        f"A pilot must be smaller to plan {trial.metric.name} in a few minutes; it has "
        f"{trial.truths.outcomes.n_units:,} {unit_of(trial.truths.outcomes)}."
    )
    hint = (
        "Take a random part of the pilot; or say how many experiments are worth the "
        f"time: replications={_LEAST_REPLICATIONS}."
    )
    raise SettingError(message, hint=hint)


def _pilot_finding(
    assumed: Assumed, trial: Trial, positive: object, streams: Streams
) -> Finding | None:
    """Remark a pilot whose own verdict would be blocked."""
    if not assumed.piloted:
        return None
    pilot = compare_outcomes(
        assumed.outcomes,
        metric=trial.metric,
        positive=positive,
        rope=trial.rope,
        method=trial.method,
        mass=trial.mass,
        rule=trial.rule,
        streams=Streams.of(streams.seed, draws=_PILOT_DRAWS),
    )
    return answer_checks.of_pilot(pilot.verdict.reason)


def _difference(metric: Metric, outcomes: Outcomes) -> float:
    return float(metric.differences(metric.observed(outcomes)))


def _whole(value: object, *, most: float = np.inf) -> bool:
    """Check whether a value is a whole number of at least 1."""
    number = isinstance(value, int | np.integer) and not isinstance(value, bool)
    return number and bool(1 <= value <= most)  # type: ignore[operator]


def _checked_size(n: int) -> int:
    if not _whole(n, most=MOST_ITEMS):
        message = f"sizes must be whole numbers of items, at least 1; got {n!r}."
        raise SettingError(message)
    return int(n)
