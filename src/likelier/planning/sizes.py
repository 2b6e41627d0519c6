"""power(): the chance of every verdict at so many items."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from likelier.asking import (
    as_metric,
    posterior_method,
    region_of,
)
from likelier.data import focused
from likelier.decision import RULES, Rope
from likelier.errors import SettingError, plain, unknown_name
from likelier.interval import checked_mass
from likelier.methods import ManyMethod, PosteriorMethod
from likelier.methods.cells import Prior
from likelier.metrics import Metric
from likelier.planning.assumed import Assumed, unit_of
from likelier.planning.trial import Items, Trial
from likelier.recipe import Recipe
from likelier.results.power import Power, Setting
from likelier.streams import RandomState, Streams

REPLICATIONS = 1000
SIZES = (200, 500, 1000, 2000, 5000, 10_000)
MOST_ITEMS = 10**12


def power(
    assumed: Assumed,
    *,
    metric: str | Metric,
    sizes: Sequence[int] = SIZES,
    positive: object = None,
    rope: float | Sequence[float] | Rope | None = None,
    method: str | PosteriorMethod = "paired",
    items: Items = "same",
    mass: float = 0.95,
    rule: str = "hdi-rope",
    replications: int = REPLICATIONS,
    draws: int | None = None,
    seed: RandomState = None,
    workers: int = 1,
) -> Power:
    """Say how probable each verdict is with n items, if the systems are as assumed.

    Use this before a test set is collected.

    Parameters
    ----------
    assumed
        What the systems do: `Assumed.cells`, `Assumed.accuracies` or `Assumed.pilot`.
    metric, positive, rope, mass, rule
        As in `compare`.
    sizes
        The numbers of items to try.
    method
        paired or unpaired.
    items
        Whether both systems see the same items, or each others of one kind ("other",
        for unpaired).
    replications
        How many experiments are simulated for each size.
    draws
        How many draws each posterior has; 1,000 by default, fewer for wide tables.
    seed
        A seed or a generator; the recipe tells the seed that was used.
    workers
        How many threads simulate; no number depends on it.

    References
    ----------
    Zhang et al. (2016), section 4.1, doi:10.1145/2911451.2911547.

    Examples
    --------
    >>> assumed = Assumed.accuracies(0.80, 0.85, agreement=0.9)
    >>> found = power(assumed, metric="accuracy", sizes=[500, 2000], seed=0)
    >>> found.chance("better", 500) > 0.9
    True
    """
    plan = Plan.of(
        assumed,
        metric=metric,
        positive=positive,
        rope=rope,
        method=method,
        items=items,
        mass=mass,
        rule=rule,
        draws=draws,
    )
    streams = experiments(seed, replications=replications, workers=workers)
    wanted = sizes if isinstance(sizes, Iterable) else (sizes,)
    ordered = tuple(sorted({checked_size(n) for n in wanted}))
    if not ordered:
        message = "sizes must hold at least one number of items; got none."
        raise SettingError(message)
    chances = tuple(plan.trial.chances(n, streams) for n in ordered)
    recipe = plan.recipe(streams, f"sizes {', '.join(map(str, ordered))}")
    return Power(plan.setting(streams), ordered, chances, recipe)


@dataclass(frozen=True, eq=False)
class Plan:
    """What is assumed, and how experiments are judged."""

    assumed: Assumed
    positive: str | None
    trial: Trial

    @classmethod
    def of(
        cls,
        assumed: Assumed,
        *,
        metric: str | Metric,
        positive: object,
        rope: float | Sequence[float] | Rope | None,
        method: str | PosteriorMethod,
        items: Items,
        mass: float,
        rule: str,
        draws: int | None,
    ) -> "Plan":
        """Check the settings."""
        if not isinstance(assumed, Assumed):
            message = f"assumed must be made by Assumed; got {type(assumed).__name__}."
            raise SettingError(message, hint="Assumed.accuracies, .cells or .pilot")
        chosen = as_metric(metric)
        if rule not in RULES:
            raise unknown_name(rule, RULES, kind="rule")
        if items not in ("same", "other"):
            raise unknown_name(items, ("same", "other"), kind="items")
        way = _way(method)
        if items == "other" and way.name == "paired":
            message = "paired must have the same items for both systems; got other."
            raise SettingError(message, hint="method='unpaired' takes other items.")
        table, name = focused(assumed.outcomes, chosen, positive)
        trial = Trial(
            truths=assumed.truths(table, Prior(way.prior, way.strength)),
            metric=chosen,
            way=way,
            rope=region_of(rope, chosen),
            mass=checked_mass(mass),
            rule=rule,
            items=items,
            draws=None if draws is None else Streams.of(0, draws=draws).draws,
        )
        return cls(assumed, name, trial)

    def setting(self, streams: Streams) -> Setting:
        """Write down what was asked."""
        trial, table = self.trial, self.trial.truths.outcomes
        observed = trial.metric.observed(table)
        return Setting(
            systems=table.systems,
            metric=trial.metric.name,
            positive=self.positive,
            assumed=self.assumed.source,
            difference=float(trial.metric.differences(observed)),
            certain=self.assumed.certain,
            rope=trial.rope,
            mass=trial.mass,
            rule=trial.rule,
            method=trial.way.described(table),
            items=trial.items,
            replications=streams.draws or REPLICATIONS,
            unit=unit_of(table),
        )

    def recipe(self, streams: Streams, *extra: str) -> Recipe:
        """Write down how to make the same numbers again."""
        trial = self.trial
        asked = trial.metric.name
        if self.positive is not None:
            asked = f"{asked} positive={plain(self.positive)}"
        rope = () if trial.rope is None else (f"rope {trial.rope}",)
        told = (
            self.assumed.source,
            *extra,
            f"{trial.items} items",
            *rope,
            f"mass {trial.mass:g}",
            f"rule {trial.rule}",
        )
        drawn = (
            f"replications {streams.draws} draws {trial.n_draws} seed {streams.seed}"
        )
        described = trial.way.described(trial.truths.outcomes)
        digest = f"sha {self.assumed.outcomes.digest[:12]}"
        return Recipe(asked, described, drawn, digest, told)


def _way(method: str | PosteriorMethod) -> ManyMethod:
    way = posterior_method(method)
    if not isinstance(way, ManyMethod):
        message = f"method must be paired or unpaired to plan; got {way.name}."
        raise SettingError(message)
    return way


def experiments(seed: RandomState, *, replications: int, workers: int) -> Streams:
    """Take a stream for each simulated experiment."""
    whole = isinstance(replications, int | np.integer)
    if not whole or isinstance(replications, bool) or replications < 1:
        message = (
            f"replications must be a whole number of at least 1; got {replications!r}."
        )
        raise SettingError(message)
    return Streams.of(seed, draws=replications, workers=workers)


def checked_size(n: int) -> int:
    """Return a number of items, if it is one."""
    whole = isinstance(n, int | np.integer) and not isinstance(n, bool)
    if not whole or not 1 <= n <= MOST_ITEMS:
        message = f"sizes must be whole numbers of items, at least 1; got {n!r}."
        raise SettingError(message)
    return int(n)
