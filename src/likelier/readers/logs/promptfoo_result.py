"""One result of promptfoo: which item it is about, and what came of it."""

from collections.abc import Mapping
from typing import Any

import msgspec

from likelier.readers.dotted import dotted
from likelier.readers.logs.json_records import digest, written

_PROVIDER_FAILED = 2
_LONGEST_ID, _LONGEST_FAILURE = 60, 200


def readable(variables: Mapping[str, Any]) -> str:
    """Write variables in one line: the value of a single one, else names too."""
    if len(variables) == 1:
        return written(next(iter(variables.values())))
    return " ".join(f"{n}={written(v)}" for n, v in sorted(variables.items()))


class Result(msgspec.Struct, rename="camel"):
    """Result of one test; outputs, tokens and the like are passed over."""

    provider: Any
    success: Any
    score: Any = None
    vars: Any = None
    prompt: Any = None
    prompt_id: Any = None
    prompt_idx: int | None = None
    test_idx: int | None = None
    named_scores: dict[str, Any] | None = None
    grading_result: Any = None
    failure_reason: Any = None
    error: Any = None
    test_case: Any = None
    metadata: Any = None

    @property
    def variables(self) -> dict[str, Any]:
        """Variables of the test, without those that promptfoo sets itself."""
        every = self.vars if isinstance(self.vars, dict) else {}
        own = {n: v for n, v in every.items() if not n.startswith("_")}
        return {n: v for n, v in own.items() if n != "sessionId"}

    @property
    def item(self) -> str:
        """Id of the item: its variables if they are short, else what stands for them.

        The strategy of an attack is part of it: it changes what is asked.
        """
        text = readable(self.variables)
        short = text and len(text) <= _LONGEST_ID and text.isprintable()
        strategy = dotted(self.metadata, "strategyId")
        item = text if short else digest(self.variables)[:16]
        return item if strategy is None else f"{item}|{written(strategy)}"

    @property
    def assertions(self) -> str:
        """Stands for what the answer had to fulfil."""
        return digest(dotted(self.test_case, "assert"))

    @property
    def failure(self) -> str | None:
        """Why there is no answer; None where there is one, right or wrong."""
        failed = self.failure_reason == _PROVIDER_FAILED
        if failed or (self.error and not self.grading_result):
            lines = str(self.error or "").strip().splitlines()
            return lines[0][:_LONGEST_FAILURE] if lines else "provider error"
        return None

    @property
    def values(self) -> dict[str, Any]:
        """Value of each metric; none where there is no answer."""
        if self.failure is not None:
            return {}
        values = {"pass": self.success, "score": self.score}
        for name, value in (self.named_scores or {}).items():
            values[f"{name} (named)" if name in values else name] = value
        return values
