"""From the words of `likelier plan` to simulations."""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from likelier.asking import two_systems
from likelier.cli.calls import Asked, Source
from likelier.cli.outputs import working
from likelier.decision import Rope
from likelier.errors import InputError, NotDefinedError, SettingError, unknown_name
from likelier.planning import Assumed, items_needed, power, smallest_difference
from likelier.planning.sizes import SIZES
from likelier.planning.trial import Items
from likelier.results import Needed, PlanReport, Smallest
from likelier.streams import as_seed

_ITEMS: tuple[Items, ...] = ("same", "other")
_MOST_WORKERS = 8
_SHAPE = '{"cells": [{"gold": "+", "first": "+", "second": "-", "share": 0.1}, …]}'


@dataclass(frozen=True)
class Basis:
    """What is assumed: cells, accuracies, or a pilot."""

    assume: Path | None
    accuracies: str | None
    agreement: float | None
    pilot: Source
    as_truth: bool

    def check(self) -> None:
        """Refuse a plan that rests on nothing, or on more than one thing."""
        given = [self.assume is not None, self.accuracies is not None]
        if [*given, bool(self.pilot.files)].count(True) != 1:
            message = "A plan must rest on exactly one of a pilot, cells or accuracies."
            hint = "Give predictions, --assume FILE or --accuracies 0.85,0.87."
            raise SettingError(message, hint=hint)
        if self.pilot.systems is not None and not self.pilot.files:
            message = "systems must come with a pilot; cells name their own."
            raise SettingError(message)
        if self.as_truth and not self.pilot.files:
            message = "--as-truth must come with a pilot; there is none."
            raise SettingError(message)
        if self.agreement is not None and self.accuracies is None:
            message = "agreement must come with accuracies; there are none."
            raise SettingError(message)
        cells = [path for path in self.pilot.files if path.suffix == ".json"]
        if cells:
            message = f"A pilot must be a table of predictions; got {cells[0]}."
            raise SettingError(message, hint=f"Cells: --assume {cells[0]}")

    def assumed(self, asked: Asked) -> Assumed:
        """Read what is assumed."""
        if self.assume is not None:
            return cells_of(self.assume)
        if self.accuracies is not None:
            return _accuracies(self.accuracies, self.agreement)
        outcomes = self.pilot.read(asked).outcomes
        return Assumed.pilot(two_systems(outcomes), certain=self.as_truth)


@dataclass(frozen=True)
class Aim:
    """What is to be shown."""

    metric: str | None
    positive: str | None
    goal: str
    chance: float
    sizes: tuple[int, ...]


@dataclass(frozen=True)
class Judged:
    """How experiments are made and judged."""

    rope: Rope | None
    method: str
    items: str
    rule: str
    mass: float
    replications: int
    draws: int | None
    seed: int | None

    def settings(self) -> dict[str, Any]:
        """Give the settings of every simulation."""
        items = next((kind for kind in _ITEMS if kind == self.items), None)
        if items is None:
            raise unknown_name(self.items, _ITEMS, kind="items")
        return {
            "rope": self.rope,
            "method": self.method,
            "items": items,
            "rule": self.rule,
            "mass": self.mass,
            "replications": self.replications,
            "draws": self.draws,
            "seed": as_seed(self.seed),
            "workers": min(os.cpu_count() or 1, _MOST_WORKERS),
        }


def report(basis: Basis, aim: Aim, judged: Judged) -> PlanReport:
    """Simulate the sizes, then look for the items needed and what can be shown."""
    basis.check()
    name = aim.metric or ("accuracy" if basis.accuracies is not None else None)
    if name is None:
        message = "metric must name a metric; got none."
        raise SettingError(message, hint="--metric f1 --positive spam")
    asked = Asked.of(name, beta=None, alpha=None, positive=aim.positive)
    if len(asked.metrics) != 1:
        message = f"A plan must have one metric; got {len(asked.metrics)}."
        raise SettingError(message)
    if basis.accuracies is not None and not asked.metrics[0].linear:
        message = f"Accuracies tell nothing of {name}; the metric must be accuracy."
        raise SettingError(message, hint="Give cells: --assume cells.json")
    settings = judged.settings() | {
        "metric": asked.metrics[0],
        "positive": aim.positive,
    }
    assumed = basis.assumed(asked)
    with working("simulating"):
        # First what refuses a wrong goal or chance.
        needed, why = _needed(assumed, aim, settings)
        found = power(assumed, sizes=aim.sizes, **settings)
        shown = _smallest(assumed, aim, settings)
    return PlanReport(found, needed, shown, why)


def _needed(
    assumed: Assumed, aim: Aim, settings: dict[str, Any]
) -> tuple[Needed | None, tuple[str, ...]]:
    try:
        return items_needed(assumed, goal=aim.goal, chance=aim.chance, **settings), ()
    except NotDefinedError as error:
        return None, (error.message,)


def _smallest(
    assumed: Assumed, aim: Aim, settings: dict[str, Any]
) -> tuple[Smallest, ...]:
    """Look for what the largest size can show, where the goal is a difference."""
    if aim.goal not in ("better", "worse") or assumed.outcomes.labels is None:
        return ()
    try:
        found = smallest_difference(
            assumed,
            size=max(aim.sizes),
            goal=aim.goal,
            chance=aim.chance,
            **settings,
        )
    except NotDefinedError:
        return ()
    return (found,)


def sizes_of(text: str | None) -> tuple[int, ...]:
    """Read numbers of items.

    Examples
    --------
    >>> sizes_of("500, 1000,2000")
    (500, 1000, 2000)
    """
    if text is None:
        return SIZES
    try:
        return tuple(int(part) for part in text.replace("_", "").split(","))
    except ValueError as error:
        message = f"sizes must be whole numbers with commas between; got {text!r}."
        raise SettingError(message) from error


def cells_of(path: Path) -> Assumed:
    """Read the share of every (gold, first, second) from JSON."""
    try:
        text = path.read_text(encoding="utf-8")
        document = json.loads(text, object_pairs_hook=_single_keys)
    except OSError as error:
        message = f"{path} must be a file that can be read; {error.strerror}."
        raise InputError(message) from error
    except (ValueError, RecursionError) as error:
        message = f"{path} must hold JSON; {error}."
        raise InputError(message) from error
    rows = document.get("cells") if isinstance(document, dict) else document
    if not isinstance(rows, list) or not rows:
        message = f"{path} must hold a list of cells; got none."
        raise InputError(message, hint=_SHAPE)
    systems = _systems(rows[0], path)
    cells: dict[tuple[str, str, str], float] = {}
    for place, row in enumerate(rows, 1):
        key = _cell(row, systems, path, place)
        if key in cells:
            message = f"{path} must name each cell once; cell {place} comes again."
            raise InputError(message)
        cells[key] = row["share"]
    return Assumed.cells(cells, systems=systems)


def _single_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        message = f"the key {twice!r} comes twice"
        raise ValueError(message)
    return dict(pairs)


def _systems(row: Any, path: Path) -> tuple[str, ...]:
    names = (
        []
        if not isinstance(row, dict)
        else [key for key in row if key not in ("gold", "share")]
    )
    if len(names) != 2:
        message = f"{path} must name gold, two systems and share in each cell."
        raise InputError(message, hint=_SHAPE)
    return tuple(names)


def _cell(
    row: Any, systems: Sequence[str], path: Path, place: int
) -> tuple[str, str, str]:
    columns = ("gold", *systems)
    if not isinstance(row, dict) or set(row) != {*columns, "share"}:
        told = ", ".join((*columns, "share"))
        message = f"{path} must hold {told} in each cell; cell {place} does not."
        raise InputError(message, hint=_SHAPE)
    for name in columns:
        if not isinstance(row[name], str):
            message = f"{path} must hold labels as text; cell {place} does not."
            raise InputError(message)
    return row["gold"], row[systems[0]], row[systems[1]]


def _accuracies(text: str, agreement: float | None) -> Assumed:
    try:
        first, second = (float(part) for part in text.split(","))
    except ValueError as error:
        message = f"accuracies must be two numbers, FIRST,SECOND; got {text!r}."
        raise SettingError(message) from error
    if agreement is None:
        message = "accuracies must come with an agreement; there is none."
        hint = "--agreement 0.9: on so many items both are right or both wrong."
        raise SettingError(message, hint=hint)
    return Assumed.accuracies(first, second, agreement=agreement)
