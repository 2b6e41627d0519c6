"""Outcomes of calls: answers that are right, refusals in order, or failures."""

import math
import re
from collections.abc import Collection
from typing import Any

from tests.fuzz.calls import Call


def refuse_if(wrong: object, reason: str) -> None:
    """Refuse bytes, as a plain reader, that are wrong."""
    if wrong:
        raise PlainError(reason)


# What is no failure; "checked" answers are equal to those of a plain reader.
FINE = ("answered", "checked", "refused")
_ANSWERS = (0, 1, 3, 4)


class PlainError(ValueError):
    """A plain reader cannot read the bytes."""


class Unclear(Exception):  # noqa: N818 (no error: another reader may know)
    """A plain reader cannot tell what the bytes are to mean."""


def outcome(call: Call, names: Collection[str]) -> str:
    """Name what became of a call; an answer is not compared with anything yet.

    Parameters
    ----------
    call
        The call.
    names
        Names of the files that it was given, of which a refusal names one; none of a
        folder.
    """
    if call.error is not None:
        return f"raised {type(call.error).__name__}"
    if "Traceback" in call.text or call.code == 70:
        return f"traceback {call.stderr.strip().rpartition(chr(10))[2][:80]}"
    if any(
        line.lstrip().startswith("::") or "##[" in line
        for line in call.text.split("\n")
    ):
        return "command to a runner"
    if _STEERS.search(call.text):
        return "control character"
    if call.code == 2:
        return _refusal(call.stderr, names)
    return "answered" if call.code in _ANSWERS else f"exit code {call.code}"


# Control characters, and those that turn the direction of text around.
_STEERS = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
# What is said of the answer as a whole, not of a place in a file.
_OF_ALL = (
    *("There must be two systems", "positive must be one of "),
    "must write its labels as gold does",
)


def _refusal(text: str, names: Collection[str]) -> str:
    """Check that a message says what, where and what to do, and ends."""
    if re.match(r"(Usage: .*\n)?Error: ", text, re.DOTALL):
        return "refused"
    starts = re.findall(r"^likelier: ", text, re.MULTILINE)
    if len(starts) != 1:
        return f"refused with {len(starts)} messages"
    message = text[text.index("likelier: ") :].rstrip("\n")
    said = message.partition("\n\nHint: ")[0]
    if not said.endswith((".", "?", "…")):
        return "message without end"
    if len(message) > 3_000:
        return "message too long"
    if names and not any(name in message for name in (*names, *_OF_ALL)):
        return f"message names no file: {re.sub(r'[^a-z ]', '', said[10:])[:60]}"
    return "refused"


def facts(document: Any) -> dict[str, float]:
    """Return the number of items and each system's value by metric, from the JSON."""
    several = document.get("comparisons")
    if document.get("kind") == "estimates":
        several = document["estimates"]
    numbers: dict[str, float] = {}
    for one in [document] if several is None else several:
        numbers["items"] = one["items"]
        if "value" in one:
            numbers[f"{one['metric']} {one['systems'][0]}"] = one["value"]
            continue
        for estimate in one["estimates"]:
            numbers[f"{one['metric']} {estimate['system']}"] = estimate["value"]
    return numbers


def differs(got: dict[str, float], plain: dict[str, float]) -> str | None:
    """Say where an answer differs from a plain one, of which it has every number."""
    for name, value in plain.items():
        if name not in got:
            return f"{name} is missing"
        if not math.isclose(got[name], value, rel_tol=1e-9, abs_tol=1e-12):
            return f"{name} {got[name]!r} against {value!r}"
    return None
