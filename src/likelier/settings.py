"""Settings: how an answer was made, as named values; the recipe is one line of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from likelier import formatting
from likelier._version import package_version
from likelier.formatting import plain, plain_texts
from likelier.interval import IntervalKind, Rope

if TYPE_CHECKING:
    from likelier.citations import Sentence

Range = float | tuple[float, float]


@dataclass(frozen=True)
class FoldWeight:
    """Share of the counts of overlapping folds that is independent evidence.

    Attributes
    ----------
    share
        Factor that the counts are multiplied by.
    repetitions
        Number of repetitions of two folds; None for a single hold-out.
    rho1, rho2
        Correlations of the folds of one repetition, and of different ones.
    """

    share: float
    repetitions: int | None = None
    rho1: Range = 0.0
    rho2: Range = 0.0

    def __str__(self) -> str:
        if self.repetitions is None:
            return f"hold-out share {self.share:.8g}"
        rho1, rho2 = _value(self.rho1), _value(self.rho2)
        folds = f"{self.repetitions}x2 folds rho1 {rho1} rho2 {rho2}"
        return f"{folds} share {self.share:.8g}"


@dataclass(frozen=True)
class DataSummary:
    """Data that an answer rests on.

    Attributes
    ----------
    systems
        Names, the baseline first.
    observed
        Metric of each system on the items as they are.
    items, units, patterns
        Number of items, of independent units (clusters or items), and of distinct
        patterns.
    unit
        Name of an item, in the plural.
    data_sets
        Number of data sets that folds come from, for cross-validation.
    repetitions
        Number of times that every item was tested, by repeated cross-validation.
    digest
        Hash of the data.
    source
        How the items were read, where the recipe must tell.
    """

    systems: tuple[str, ...]
    observed: tuple[float, ...]
    items: float
    units: float
    patterns: int
    unit: str = "items"
    data_sets: int | None = None
    repetitions: int = 1
    digest: str = ""
    source: str = ""

    @property
    def clustered(self) -> bool:
        """Whether clusters of items are the independent units."""
        return self.data_sets is None and self.units != self.items

    @property
    def size(self) -> str:
        """Amount of data, in words."""
        if self.data_sets is not None:
            return formatting.folds(self.data_sets, int(self.items))
        patterns = "1 pattern" if self.patterns == 1 else f"{self.patterns:,} patterns"
        return f"{self.amount}, {patterns}"

    @property
    def hash_text(self) -> str:
        """Start of the hash, as in a recipe."""
        return f"sha {self.digest[:12]}"

    @property
    def extent(self) -> str:
        """The amount, or of folds on many data sets the numbers of both."""
        many = self.data_sets is not None and self.data_sets > 1
        return self.size if many else self.amount

    @property
    def amount(self) -> str:
        """Number of items, how often they were tested, and in how many clusters."""
        items = self.items if self.repetitions == 1 else self.items / self.repetitions
        items = int(items) if items % 1 == 0 else items
        unit = self.unit.removesuffix("s") if items == 1 else self.unit
        times = "" if self.repetitions == 1 else f" tested {self.repetitions} times"
        clusters = f" in {self.units:,} clusters" if self.clustered else ""
        return f"{items:,} {unit}{times}{clusters}"


@dataclass(frozen=True)
class Settings:
    """All that is needed to make an answer again.

    Attributes
    ----------
    metric, positive, higher_is_better
        Metric, its positive class if it has one, and whether more is better.
    method, parameters
        Name of the method, and its own settings by name: prior, strength …
    data
        Data that the answer rests on.
    reason
        Why this method was chosen, where the data chose it.
    draws, seed, replications
        Number of draws and of simulated experiments, and the seed; 0 and None where
        nothing is random.
    rope, mass, rule, interval, margin, factor
        What the verdict and the intervals rest on; None where it does not apply.
    folds
        Weight of the folds of m x 2 cross-validation.
    options
        Further settings of the question by name: sizes, goal, threshold …
    describe
        Function of the settings that returns the method's own sentences.

    Examples
    --------
    >>> data = DataSummary(("a", "b"), (0.8, 0.9), 100, 100, 4, digest="3f9a" * 16)
    >>> settings = Settings("f1", "spam", "paired", {"prior": "uniform"}, data,
    ...                     draws=9, seed=0, rope=Rope.of(0.01), mass=0.95)
    >>> print(settings.recipe())
    likelier ... | f1 positive=spam | paired prior=uniform | draws 9 seed 0 |
    sha 3f9a3f9a3f9a | rope ±0.01 | mass 0.95
    """

    metric: str
    positive: str | None
    method: str
    parameters: Mapping[str, Any]
    data: DataSummary
    higher_is_better: bool = True
    reason: str = ""
    draws: int = 0
    seed: int | None = None
    replications: int = 0
    rope: Rope | None = None
    mass: float | None = None
    rule: str | None = None
    interval: IntervalKind = "hdi"
    margin: float | None = None
    factor: str | None = None
    folds: FoldWeight | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    describe: "Callable[[Settings], list[Sentence]] | None" = field(
        default=None, repr=False, compare=False
    )

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems, the baseline first."""
        return self.data.systems

    @cached_property
    def system_labels(self) -> tuple[str, ...]:
        """Names of the systems as they may be printed."""
        return plain_texts(self.data.systems)

    @cached_property
    def metric_name(self) -> str:
        """Metric as in a sentence, with its positive class and direction."""
        return formatting.metric_name(
            self.metric, self.positive, higher_is_better=self.higher_is_better
        )

    @property
    def method_text(self) -> str:
        """Method and its parameters on one line."""
        return f"{self.method} {named_values(self.parameters)}".rstrip()

    def recipe(self) -> str:
        """Write one line that lets anybody make the same numbers again."""
        positive = "" if self.positive is None else f" positive={self.positive}"
        parts = (
            f"likelier {package_version()}",
            f"{self.metric}{positive}",
            self.method_text,
            self._alone(),
            self._draws(),
            self.data.hash_text,
            self.data.source,
            "" if self.folds is None else str(self.folds),
            *(f"{name} {_value(x)}" for name, x in self.options.items()),
            "" if self.higher_is_better else "lower is better",
            f"margin {_value(self.margin)}" if self.margin else "",
            "" if self.rope is None else f"rope {_rope(self.rope)}",
            "" if self.mass is None else f"mass {_value(self.mass)}",
            "" if self.interval == "hdi" else f"{self.interval} intervals",
            "" if self.rule is None else f"rule {self.rule}",
            "" if self.factor is None else f"factor {self.factor}",
        )
        return plain(" | ".join(part for part in parts if part))

    def _alone(self) -> str:
        """Say what the prior of a single system is; there is nothing to be paired."""
        single = len(self.data.systems) == 1
        if not single or self.parameters.get("prior") != "extremes":
            return ""
        return "one system alone, with one unit right and one wrong added"

    def _draws(self) -> str:
        return " ".join(
            [
                *([f"replications {self.replications}"] if self.replications else []),
                *([f"draws {self.draws}"] if self.draws else []),
                *([] if self.seed is None else [f"seed {self.seed}"]),
            ]
        )

    def question(self) -> dict[str, Any]:
        """Return systems, metric and size of the data as in the JSON."""
        data = self.data
        return {
            "systems": list(data.systems),
            "metric": self.metric,
            "positive": self.positive,
            "higher_is_better": self.higher_is_better,
            "items": data.items,
            "units": data.units,
            "patterns": data.patterns,
            **({} if data.data_sets is None else {"datasets": data.data_sets}),
        }

    def to_dict(self) -> dict[str, Any]:
        """Return the method as in the JSON."""
        random = {"draws": self.draws, "replications": self.replications}
        return {
            "name": self.method,
            **{name: _plain_value(value) for name, value in self.parameters.items()},
            **{name: count for name, count in random.items() if count},
            **({} if self.seed is None else {"seed": self.seed}),
            **({"reason": self.reason} if self.reason else {}),
        }


def named_values(parameters: Mapping[str, Any]) -> str:
    """Write settings of a method as in a recipe.

    Examples
    --------
    >>> named_values({"prior": "swap", "strength": 2.0})
    'prior=swap strength=2'
    """
    return " ".join(f"{name}={_value(x)}" for name, x in parameters.items())


def _value(value: object) -> str:
    """Write a setting in a recipe: a number short, a range with a dash."""
    if isinstance(value, bool | str) or value is None:
        return str(value).lower() if isinstance(value, bool) else str(value)
    if isinstance(value, int | float):
        return f"{value:.12g}" if isinstance(value, float) else str(value)
    if isinstance(value, tuple):
        return "-".join(map(_value, value))
    return str(value)


def _rope(rope: Rope) -> str:
    if rope.low == -rope.high:
        return f"±{_value(rope.high)}"
    return f"{rope.low:+.12g} to {rope.high:+.12g}"


def _plain_value(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
