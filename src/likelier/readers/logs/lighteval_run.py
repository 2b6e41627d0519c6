"""The run that details of lighteval belong to: its path and ``results_<date>.json``."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from likelier.readers.file import File
from likelier.readers.logs.beside import part, read_beside

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class Run:
    """Facts of a run.

    Attributes
    ----------
    folder
        The model, as the path of the details has it.
    content
        The results; empty where there are none.
    """

    folder: str | None = None
    content: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, file: File, date: str | None) -> "Run":
        """Look at ``details/<model>/<date>/`` and ``results/<model>/`` beside it."""
        parents = file.path.parents
        top = next((p for p in parents if p.name == "details"), None)
        dated = date is not None and file.path.parent.name == date
        model = file.path.parent.parent if dated else file.path.parent
        paths = [model / f"results_{date}.json"]
        folder: Path | None = None
        if top is not None and model != top:
            folder = model.relative_to(top)
            paths.append(top.parent / "results" / folder / f"results_{date}.json")
        contents = (read_beside(file, path, dict[str, Any]) for path in paths)
        content = next((content for content in contents if content), {})
        return cls(None if folder is None else folder.as_posix(), content)

    @property
    def system(self) -> str | None:
        """Name of the model."""
        names = (
            part(self.content, "config_general", "model_name"),
            part(self.content, "config_general", "model_config", "model_name"),
            self.folder,
        )
        return next((name for name in names if isinstance(name, str) and name), None)

    @property
    def version(self) -> str | None:
        """Commit of the tool."""
        commit = part(self.content, "config_general", "lighteval_sha")
        return commit if isinstance(commit, str) and commit != "?" else None

    def conditions(self, task: str) -> dict[str, str]:
        """Return what must be equal in two runs of a task."""
        general = part(self.content, "config_general")
        settings = part(general, "generation_parameters")
        shots = task.rpartition("|")[2]
        values = {
            "few-shot examples": shots if shots.isdecimal() else None,
            "task version": _of_task(part(self.content, "versions"), task),
            "few-shot seeds": part(general, "num_fewshot_seeds"),
            "generation settings": settings
            or part(general, "model_config", "generation_parameters"),
        }
        return {
            name: value if isinstance(value, str) else json.dumps(value, sort_keys=True)
            for name, value in values.items()
            if value is not None
        }

    def higher_is_better(self, task: str) -> dict[str, bool]:
        """Return the direction of metrics."""
        config = _of_task(part(self.content, "config_tasks"), task)
        metrics = part(config, "metrics") or part(config, "metric")
        metrics = metrics if isinstance(metrics, list) else []
        return {name: up for metric in metrics for name, up in _directions(metric)}


def _of_task(values: Any, task: str) -> Any:
    """Return the value of a task, with or without the number of its examples."""
    short = task.rpartition("|")[0]
    return next((v for v in (part(values, task), part(values, short)) if v), None)


def _directions(metric: Any) -> Iterator[tuple[str, bool]]:
    """Yield names and directions: of one metric, or of several computed together."""
    up, names = part(metric, "higher_is_better"), part(metric, "metric_name")
    if isinstance(up, dict):
        yield from ((n, v) for n, v in up.items() if isinstance(v, bool))
    elif isinstance(up, bool):
        several = names if isinstance(names, list) else [names]
        yield from ((name, up) for name in several if isinstance(name, str))
