"""Results of lm-evaluation-harness beside samples: names, directions, conditions."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from likelier.readers.file import File
from likelier.readers.logs.beside import part, read_beside
from likelier.readers.logs.json_records import written


@dataclass(frozen=True)
class EvaluationRun:
    """Content of ``results_<date>.json``, as far as we need it."""

    content: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def beside(cls, file: File, date: str | None) -> "EvaluationRun":
        """Read the results of the same date, or the only ones in the folder."""
        folder = file.path.parent
        path = folder / f"results_{date}.json"
        if date is None:
            every = sorted(folder.glob("results*.json"))
            path = every[0] if len(every) == 1 else path
        return cls(read_beside(file, path, dict[str, Any]) or {})

    @property
    def version(self) -> str | None:
        """Version of the tool."""
        version = part(self.content, "lm_eval_version")
        return None if version is None else str(version)

    @property
    def system(self) -> str | None:
        """Name of the model."""
        if name := part(self.content, "model_name"):
            return str(name)
        arguments = part(self.content, "config", "model_args")
        if isinstance(arguments, str):
            parts = dict(p.split("=", 1) for p in arguments.split(",") if "=" in p)
            arguments = parts
        if isinstance(arguments, dict):
            for key in ("pretrained", "model", "path"):
                if arguments.get(key):
                    return str(arguments[key])
        model = part(self.content, "config", "model")
        return str(model) if model else None

    @property
    def tasks(self) -> tuple[str, ...]:
        """Names of the tasks that were run."""
        configs = part(self.content, "configs")
        return tuple(configs) if isinstance(configs, dict) else ()

    def filter_name(self, task: str, block: int) -> str:
        """Name a block of rows by the filters of its task."""
        filters = part(self.content, "configs", task, "filter_list")
        if isinstance(filters, list) and block < len(filters):
            name = filters[block].get("name") if isinstance(filters[block], dict) else 0
            if isinstance(name, str):
                return name
        return "none" if block == 0 else f"block {block + 1}"

    @property
    def groups(self) -> dict[str, tuple[str, ...]]:
        """Groups of tasks, each with the tasks within it at any depth."""
        parts = part(self.content, "group_subtasks")
        parts = parts if isinstance(parts, dict) else {}
        found = {name: tuple(_leaves(name, parts)) for name in parts}
        return {name: leaves for name, leaves in found.items() if leaves != (name,)}

    def conditions(self, task: str) -> dict[str, str]:
        """Return what must be equal in two runs of a task."""
        values = {
            "few-shot examples": part(self.content, "n-shot", task),
            "task version": part(self.content, "versions", task),
            "chat template": part(self.content, "chat_template_sha"),
            "system instruction": part(self.content, "system_instruction_sha"),
            "few-shot as turns": part(self.content, "fewshot_as_multiturn"),
            "generation settings": part(
                self.content, "configs", task, "generation_kwargs"
            ),
        }
        return {name: written(v) for name, v in values.items() if v is not None}

    def higher_is_better(self, task: str, logarithms: Any) -> dict[str, bool]:
        """Return the direction of the metrics; that of a logarithm is its formula's."""
        directions = part(self.content, "higher_is_better", task)
        directions = directions if isinstance(directions, dict) else {}
        known = {n: v for n, v in directions.items() if isinstance(v, bool)}
        return known | {name: False for name in logarithms if name in known}


def _leaves(name: str, groups: Mapping[str, Any]) -> Iterator[str]:
    """Yield the tasks of a group, of groups within it too, each once."""
    rest, seen = [name], set[str]()
    while rest:
        task = rest.pop()
        parts = groups.get(task)
        if task in seen:
            continue
        seen.add(task)
        if isinstance(parts, list) and parts:
            rest += map(str, reversed(parts))
        else:
            yield task
