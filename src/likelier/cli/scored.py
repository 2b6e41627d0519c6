"""Scores of cross-validation on the command line."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from likelier.cli.calls import Asked, Source
from likelier.cli.outputs import working
from likelier.decision import Rope
from likelier.errors import InputError, SettingError, unknown_name
from likelier.findings import Finding
from likelier.questions import compare_pairs, compare_scores
from likelier.ranking import rank
from likelier.readers.scores import Columns, read_scores
from likelier.results import Comparison, Pairs, Ranking
from likelier.results.order import checked_threshold
from likelier.scores import Scores
from likelier.streams import as_seed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Shown = Comparison | Pairs | Ranking


@dataclass(frozen=True)
class ScoresSource:
    """The file of scores, and what its columns are."""

    file: Path
    dataset: str
    run: str
    fold: str
    system: str
    score: str
    test_share: float | None
    metric: str
    lower_is_better: bool

    def read(self, systems: Sequence[str] | None) -> tuple[Scores, tuple[Finding, ...]]:
        """Read the scores of the wanted systems."""
        columns = Columns(self.dataset, self.run, self.fold, self.system, self.score)
        with working("reading scores"):
            reading = read_scores(
                self.file,
                columns=columns,
                test_share=self.test_share,
                metric=self.metric,
                higher_is_better=not self.lower_is_better,
            )
        scores = reading.scores
        kept = scores if systems is None else scores.keep(*systems)
        return kept, reading.findings


@dataclass(frozen=True)
class ScoreWay:
    """How to compare scores."""

    method: str | None
    rope: Rope | None
    rule: str | None
    mass: float
    threshold: float
    draws: int | None
    seed: int | None


def compared(
    source: ScoresSource,
    way: ScoreWay,
    systems: Sequence[str] | None,
    *,
    plot_kind: str | None,
) -> Comparison | Pairs:
    """Compare two systems, or all pairs of more."""
    scores, findings = source.read(systems)
    checked_threshold(way.threshold)
    known = COMPARISON_KINDS if len(scores.systems) == 2 else PAIRS_KINDS
    check_kind(plot_kind, known)
    pair = len(scores.systems) == 2
    ask = compare_scores if pair else partial(compare_pairs, threshold=way.threshold)
    with working("comparing scores"):
        return ask(
            scores,
            rope=way.rope,
            method=way.method,
            mass=way.mass,
            rule=way.rule,
            draws=way.draws,
            seed=as_seed(way.seed),
            findings=findings,
        )


def ranked(
    source: ScoresSource,
    way: ScoreWay,
    systems: Sequence[str] | None,
    *,
    level: float,
) -> Ranking:
    """Rank systems by their scores."""
    with _hinting("'system'", "Predictions come with --metric."):
        scores, findings = source.read(systems)
    with working("ranking systems"):
        return rank(
            scores,
            rope=way.rope,
            method=way.method,
            mass=way.mass,
            threshold=way.threshold,
            alpha=level,
            draws=way.draws,
            seed=as_seed(way.seed),
            findings=findings,
        )


def ranked_items(source: Source, asked: Asked, way: ScoreWay) -> Ranking:
    """Rank systems by their predictions on the same items."""
    if len(asked.metrics) != 1:
        message = f"metric must be a single one to rank by; got {len(asked.metrics)}."
        raise SettingError(message)
    with _hinting("'score'", "Is it a table of scores? Leave --metric out."):
        reading = source.read(asked)
    with working("ranking systems"):
        return rank(
            reading.outcomes,
            metric=asked.metrics[0],
            positive=asked.positive,
            rope=way.rope,
            method=way.method,
            mass=way.mass,
            threshold=way.threshold,
            draws=way.draws,
            seed=as_seed(way.seed),
            findings=reading.findings,
        )


COMPARISON_KINDS = ("posterior", "simplex", "data-sets")
PAIRS_KINDS = ("order", "simplex")
RANKING_KINDS = (*PAIRS_KINDS, "ranks", "critical")


def check_kind(kind: str | None, known: Sequence[str]) -> None:
    """Refuse a plot that a result does not have, before any work is done."""
    if kind is not None and kind not in known:
        raise unknown_name(kind, known, kind="plot-kind")


def check_unused(options: Mapping[str, object], metric: str | None) -> None:
    """Refuse options that belong to the other kind of data."""
    for name, value in options.items():
        if value is not None:
            kind = "predictions, with --metric" if metric is None else "scores"
            message = f"--{name} must come with {kind}; got {value!r}."
            raise SettingError(message)


@contextmanager
def _hinting(word: str, hint: str) -> Iterator[None]:
    """Say what to do where the file may be of the other kind."""
    try:
        yield
    except InputError as error:
        if "must have the column" in error.message and word in error.message:
            raise InputError(error.message, hint=hint) from error
        raise


def one_file(files: Sequence[Path]) -> Path:
    """Take the one file of scores."""
    if len(files) != 1:
        message = f"Scores must be in one file; got {len(files)}."
        raise InputError(message, hint="Predictions come with --metric.")
    return files[0]


def figure(result: Shown, kind: str | None) -> "Callable[[], Figure] | None":
    """Choose what to draw; None for the usual plot of the result."""
    if kind is None:
        return None
    return _kinds(result)[kind]


def _kinds(result: Shown) -> "dict[str, Callable[[], Figure]]":
    if isinstance(result, Comparison):
        return {
            "posterior": partial(_on_axes, result.plot),
            "simplex": partial(_on_axes, result.plot_simplex),
            "data-sets": partial(_data_sets, result),
        }
    pairs = result.pairs if isinstance(result, Ranking) else result
    kinds: dict[str, Callable[[], Figure]] = {
        "order": partial(_on_axes, pairs.plot),
        "simplex": pairs.plot_simplexes,
    }
    if isinstance(result, Ranking):
        return kinds | {
            "ranks": partial(_on_axes, result.plot),
            "critical": partial(_on_axes, result.plot_critical),
        }
    return kinds


def _on_axes(draw: Callable[..., object], height: float | None = None) -> "Figure":
    from likelier.plots.style import new_figure

    made, axes = new_figure() if height is None else new_figure(height)
    draw(ax=axes)
    return made


def _data_sets(result: Comparison) -> "Figure":
    from likelier.plots.datasets import height

    if result.across is None:
        message = "A plot of data sets must come from the hierarchical model."
        raise SettingError(message)
    return _on_axes(result.plot_data_sets, height(result))
