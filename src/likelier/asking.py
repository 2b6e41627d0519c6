"""What the questions have in common: names, checks, recipes."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from likelier import checks, metrics
from likelier.decision import Probabilities, Rope
from likelier.designs.effective import Range, effective_share
from likelier.distribution import Posterior
from likelier.errors import NotDefinedError, SettingError, plain, unknown_name
from likelier.evidence import (
    BayesFactor,
    FactorName,
    kde_factor,
    point_factor,
    rope_factor,
)
from likelier.findings import Finding
from likelier.methods import (
    Bootstrap,
    Independent,
    McNemar,
    MonteCarlo,
    NullMethod,
    Paired,
    PosteriorMethod,
    PTest,
    Randomization,
    SignTest,
    STest,
    Unpaired,
)
from likelier.metrics import Metric
from likelier.outcomes import Outcomes
from likelier.recipe import Recipe
from likelier.results import Origin, Question
from likelier.streams import Streams

Method = TypeVar("Method")

POSTERIOR_METHODS: dict[str, PosteriorMethod] = {
    "paired": Paired(),
    "unpaired": Unpaired(),
    "independent": Independent(),
    "monte-carlo": MonteCarlo(),
}
NULL_METHODS: dict[str, NullMethod] = {
    "bootstrap": Bootstrap(),
    "randomization": Randomization(),
    "mcnemar": McNemar(),
    "mcnemar-midp": McNemar(mid_p=True),
    "sign": SignTest(),
    "s-test": STest(),
    "p-test": PTest(),
}


@dataclass(frozen=True)
class Evidence:
    """How much of the counts is independent evidence.

    Attributes
    ----------
    share
        The share of the counts that counts.
    source
        Where the share comes from, for the recipe.
    repetitions
        How often every item was tested.
    """

    share: float
    source: str = ""
    repetitions: int = 1

    @classmethod
    def of(cls, repetitions: int | None, *, rho1: Range, rho2: Range) -> "Evidence":
        """Weigh the folds of m x 2 cross-validation; a hold-out counts in full."""
        if repetitions is None:
            return cls(1.0, "hold-out")
        share = effective_share(repetitions, rho1=rho1, rho2=rho2)
        source = f"{repetitions}x2 folds rho1 {_told(rho1)} rho2 {_told(rho2)}"
        return cls(share, source, repetitions)

    def described(self) -> tuple[str, ...]:
        """Say what share counts, where it is not all."""
        return (f"{self.source} share {self.share:.8g}",) if self.source else ()


def _told(rho: Range) -> str:
    ends = (rho,) if isinstance(rho, int | float) else tuple(rho)
    return "-".join(f"{end:g}" for end in ends)


def as_metric(metric: str | Metric) -> Metric:
    """Take a metric or look it up by its name."""
    if isinstance(metric, Metric):
        return metric
    if isinstance(metric, str):
        return metrics.named(metric)
    message = f"metric must be a metric or its name; got {metric!r}."
    raise SettingError(
        message, hint="A function of your own: metrics.Metric(name, rate)"
    )


def region_of(
    rope: float | Sequence[float] | Rope | None, metric: Metric
) -> Rope | None:
    """Take a rope that leaves some differences of the metric outside."""
    if rope is None:
        return None
    region = Rope.of(rope)
    widest = metric.bounds[1] - metric.bounds[0]
    if max(region.high, -region.low) >= widest:
        message = (
            f"rope must be narrower than what {metric.name} can differ by, {widest:g}; "
            f"got {region}."
        )
        raise SettingError(message, hint="rope=0.01 is one point of a hundred.")
    return region


def two_systems(outcomes: Outcomes) -> Outcomes:
    """Return outcomes of exactly two systems."""
    if len(outcomes.systems) != 2:
        message = (
            f"There must be two systems to compare; got {len(outcomes.systems)}: "
            f"{', '.join(outcomes.systems)}."
        )
        raise SettingError(message, hint="systems=[baseline, candidate] picks two.")
    return outcomes


def named_method(
    method: str | Method,
    known: dict[str, Method],
    *,
    others: Collection[str],
    call: str,
    offers: str,
) -> Method:
    """Take a method or look it up by its name."""
    if not isinstance(method, str):
        if hasattr(method, offers):
            return method
        message = f"method must offer {offers}(); {method!r} does not."
        raise SettingError(message, hint=f"Is it one for {call}()?")
    if method in others:
        message = f"method must be one of {', '.join(known)}; got {method!r}."
        raise SettingError(message, hint=f"{method} belongs to {call}().")
    if method not in known:
        raise unknown_name(method, known, kind="method")
    return known[method]


def posterior_method(method: str | PosteriorMethod) -> PosteriorMethod:
    """Take a method that gives a posterior, or look it up by its name."""
    if hasattr(method, "joint") or method == "hierarchical":
        message = "The method hierarchical must have classes to learn from each other."
        raise SettingError(message, hint="It belongs to compare_classes().")
    return named_method(
        method,
        POSTERIOR_METHODS,
        others=NULL_METHODS,
        call="null_test",
        offers="posterior",
    )


def question_of(
    table: Outcomes, metric: Metric, positive: str | None, *, repetitions: int = 1
) -> Question:
    """Write down what was asked."""
    return Question(
        systems=table.systems,
        metric=metric.name,
        positive=positive,
        items=table.n_items,
        units=table.n_units,
        patterns=table.n_patterns,
        observed=tuple(float(value) for value in metric.observed(table)),
        unit=table.unit,
        # Counts of folds are not counts of items.
        repetitions=1 if table.unit == "folds" else repetitions,
    )


def remarks_on(counted: Outcomes, table: Outcomes, metric: Metric) -> list[Finding]:
    """Run the checks on the data as counted and as the metric sees them."""
    return given(
        checks.few_units(table),
        checks.undefined(table, metric),
        checks.identical(counted),
        checks.never_gold(counted),
        checks.one_gold_class(counted),
    )


def given(*findings: Finding | None) -> list[Finding]:
    """Leave out the checks that found nothing."""
    return [finding for finding in findings if finding is not None]


def before_items(
    name: FactorName,
    way: PosteriorMethod,
    table: Outcomes,
    metric: Metric,
    streams: Streams,
    rope: Rope | None,
) -> Posterior | None:
    """Say what was known before any item was seen, where a factor asks for it."""
    if name == "rope" and rope is None:
        return None
    return way.unseen(table, metric, streams)


def factor_of(
    name: FactorName,
    way: PosteriorMethod,
    table: Outcomes,
    metric: Metric,
    streams: Streams,
    rope: Rope | None,
    after: Posterior,
    before: Posterior | None,
) -> BayesFactor | None:
    """Compare what the data say of the null with what the prior said."""
    if name == "point":
        density = way.at_zero(table, metric, streams, seen=True)
        return point_factor(density, way.at_zero(table, metric, streams, seen=False))
    if name == "rope":
        if before is None or rope is None:
            return None
        prior = Probabilities.of(before.difference, rope)
        return rope_factor(Probabilities.of(after.difference, rope), prior)
    if before is None:
        message = "A factor must have a proper prior; bootstrap is none."
        raise NotDefinedError(message, hint="Use the prior uniform or objective.")
    return kde_factor(after.difference, before.difference)


def settings_of(
    way: Any, table: Outcomes, streams: Streams, *, drawn: int
) -> dict[str, Any]:
    """Write the method down as in the JSON."""
    settings: dict[str, Any] = {
        "name": way.name,
        "description": way.described(table),
    }
    if drawn:
        settings |= {"draws": drawn, "seed": streams.seed}
    return settings


def origin_of(
    question: Question,
    settings: dict[str, Any],
    table: Outcomes,
    extra: tuple[str, ...],
    findings: Sequence[Finding],
) -> Origin:
    """Put method, recipe and findings together."""
    asked = question.metric
    if question.positive is not None:
        asked = f"{asked} positive={plain(question.positive)}"
    drawn = ""
    if "draws" in settings:
        drawn = f"draws {settings['draws']} seed {settings['seed']}"
    recipe = Recipe(
        metric=asked,
        method=settings["description"],
        draws=drawn,
        data=f"sha {table.digest[:12]}",
        extra=(table.source, *extra),
    )
    return Origin(method=settings, recipe=recipe, findings=tuple(findings))
