"""What HELM writes beside the statistics of instances: specification and requests."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec

from likelier.readers.dotted import dotted
from likelier.readers.file import File
from likelier.readers.logs.beside import read_beside
from likelier.readers.logs.json_records import digest, written

_SETTINGS = ("temperature", "max_tokens", "stop_sequences", "num_outputs")
_OF_MODEL = ("model=", "model_deployment=")


class Key(NamedTuple):
    """One row: an instance, as it is or changed, in one draw of few-shot examples.

    Attributes
    ----------
    instance
        Id of the instance.
    perturbation
        Name of the change; None for the instance as it is.
    seed
        Tells several draws of the same change apart; empty for the first.
    trial
        Number of the draw of few-shot examples.
    """

    instance: str
    perturbation: str | None
    seed: str
    trial: int

    @classmethod
    def of(cls, instance: str, perturbation: Any, trial: int) -> "Key":
        """Make the key of an instance with the record of its perturbation."""
        if perturbation is None:
            return cls(instance, None, "", trial)
        name = written(dotted(perturbation, "name") or perturbation)
        seed = dotted(perturbation, "seed")
        return cls(instance, name, written(seed) if seed else "", trial)

    @property
    def item(self) -> str:
        """Id of the item."""
        return f"{self.instance}#{self.seed}" if self.seed else self.instance


@dataclass(frozen=True)
class RunSpec:
    """Content of ``run_spec.json``; empty where there is none.

    Attributes
    ----------
    folder
        Name of the folder, which is that of the run.
    content
        The specification.
    """

    folder: str
    content: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, file: File) -> "RunSpec":
        """Read the specification beside a file."""
        path = file.path.with_name("run_spec.json")
        content = read_beside(file, path, dict[str, Any])
        return cls(file.path.parent.name, content or {})

    def _parts(self) -> tuple[str, list[str]]:
        name = written(dotted(self.content, "name") or self.folder)
        base, _, arguments = name.partition(":")
        return base, [part for part in arguments.split(",") if part]

    @property
    def system(self) -> str:
        """Name of the model."""
        model = dotted(self.content, "adapter_spec.model")
        _, arguments = self._parts()
        named = [a.partition("=")[2] for a in arguments if a.startswith("model=")]
        return written(model or next(iter(named), self.folder))

    def task(self, split: str | None, perturbation: str | None) -> str:
        """Return the name of the run without the model, and with what is averaged."""
        base, arguments = self._parts()
        kept = [a for a in arguments if not a.startswith(_OF_MODEL)]
        kept += [f"split={split}"] if split is not None else []
        kept += [f"perturbation={perturbation}"] if perturbation is not None else []
        return f"{base}:{','.join(kept)}" if kept else base

    @property
    def conditions(self) -> dict[str, str]:
        """What must be equal in two runs of a task."""
        adapter = dotted(self.content, "adapter_spec")
        adapter = adapter if isinstance(adapter, dict) else {}
        prompt = {
            n: v for n, v in adapter.items() if n.endswith(("_prefix", "_suffix"))
        }
        settings = {name: adapter[name] for name in _SETTINGS if name in adapter}
        values = {
            "scenario": dotted(self.content, "scenario_spec.class_name"),
            "scenario arguments": dotted(self.content, "scenario_spec.args"),
            "adaptation method": adapter.get("method"),
            "few-shot examples": adapter.get("max_train_instances"),
            "instructions": adapter.get("instructions"),
            "prompt format": prompt or None,
            "generation settings": settings or None,
        }
        return {name: written(v) for name, v in values.items() if v is not None}


class _Instance(msgspec.Struct):
    id: str | None = None
    input: Any = None
    references: Any = None
    perturbation: Any = None


class _Request(msgspec.Struct):
    prompt: Any = None


class _Result(msgspec.Struct):
    success: Any = True
    error: Any = None


class _RequestState(msgspec.Struct):
    instance: _Instance
    train_trial_index: int = 0
    request: _Request | None = None
    result: _Result | None = None


class _ScenarioState(msgspec.Struct):
    request_states: list[_RequestState]


@dataclass
class Asked:
    """What was asked for one row.

    Attributes
    ----------
    input, target
        Text of the instance, and of its correct references.
    item
        Stands for the content of the instance.
    prompts
        All prompts: some methods ask once for each reference.
    failure
        Why there is no answer.
    """

    input: str | None
    target: list[str]
    item: str
    prompts: list[Any] = field(default_factory=list)
    failure: str | None = None

    @property
    def prompt(self) -> str:
        """Stands for the prompts."""
        return digest(self.prompts)


def read_requests(file: File) -> dict[Key, Asked]:
    """Read ``scenario_state.json`` beside a file; nothing where there is none."""
    path = file.path.with_name("scenario_state.json")
    state = read_beside(file, path, _ScenarioState)
    requests = dict[Key, Asked]()
    for request in state.request_states if state is not None else ():
        instance = request.instance
        key = Key.of(str(instance.id), instance.perturbation, request.train_trial_index)
        if key not in requests:
            requests[key] = _asked(instance)
        asked = requests[key]
        asked.prompts.append(request.request.prompt if request.request else None)
        if request.result is not None and request.result.success is False:
            asked.failure = str(request.result.error or "request failed")[:200]
    return requests


def _asked(instance: _Instance) -> Asked:
    text = dotted(instance.input, "text")
    references = instance.references if isinstance(instance.references, list) else []
    correct = [
        written(dotted(reference, "output.text"))
        for reference in references
        if isinstance(tags := dotted(reference, "tags"), list) and "correct" in tags
    ]
    content = digest([instance.input, references])
    return Asked(text if isinstance(text, str) else None, correct, content)
