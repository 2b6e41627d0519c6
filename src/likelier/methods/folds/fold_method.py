"""Interface of the methods for scores of cross-validation."""

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, runtime_checkable

from likelier.citations import Sentence
from likelier.data.scores import Scores
from likelier.distribution import Posterior
from likelier.errors import NotDefinedError, SettingError
from likelier.interval import Rope
from likelier.settings import Settings
from likelier.streams import Streams

if TYPE_CHECKING:
    from likelier.methods.folds.population import Population


@dataclass(frozen=True)
class FoldPosterior(Posterior):
    """Posterior of the difference of two systems, from scores of folds.

    Attributes
    ----------
    population
        The population of data sets, where the method has one.
    """

    population: "Population | None" = None


@runtime_checkable
class FoldMethod(Protocol):
    """Method that compares two systems by scores of folds.

    Attributes
    ----------
    name
        What the command line calls the method.
    default_rule
        Rule of the verdict, unless the user names one.
    data_sets
        Number of data sets that it takes.
    least_folds
        Number of folds that every data set must have.
    """

    name: ClassVar[str]
    default_rule: ClassVar[str]
    data_sets: ClassVar[Literal["one", "many"]]
    least_folds: ClassVar[int]

    def posterior(
        self, scores: Scores, streams: Streams, rope: Rope | None, /
    ) -> FoldPosterior:
        """Return the posterior of the difference of two systems."""

    def posteriors(
        self, scores: Scores, streams: Streams, rope: Rope | None, /
    ) -> dict[tuple[str, str], FoldPosterior]:
        """Return the posterior of every pair of systems."""
        return {
            pair: self.posterior(scores.keep(*pair), streams, rope)
            for pair in combinations(scores.systems, 2)
        }

    def parameters(self, scores: Scores, /) -> dict[str, Any]:
        """Return the method's own settings by name, for the recipe and the JSON."""

    def sentences(self, settings: Settings) -> list[Sentence]:
        """Describe the method, for the methods paragraph of an answer."""

    def check(self, scores: Scores) -> None:
        """Check that there are data sets and folds enough, and not too many."""
        count = len(scores.datasets)
        if self.data_sets == "one" and count > 1:
            message = f"The method {self.name} must have one data set; got {count}."
            hint = "Many data sets: hierarchical or signed-rank."
            raise SettingError(message, hint=hint)
        if self.data_sets == "many" and count < 2:
            message = (
                f"The method {self.name} must have at least two data sets; got {count}."
            )
            raise SettingError(message, hint="One data set: correlated-t.")
        for dataset in scores.datasets:
            if dataset.folds < self.least_folds:
                message = (
                    f"Every data set must have at least {self.least_folds} folds for "
                    f"this method; {dataset.name!r} has {dataset.folds}."
                )
                raise NotDefinedError(message)


def share_text(settings: Settings) -> str:
    """Write the share of the items that each fold tests, or its range."""
    share = settings.parameters["test_share"]
    ends = share if isinstance(share, tuple) else (share,)
    return " to ".join(f"{end:.6g}" for end in ends)
