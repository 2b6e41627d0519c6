"""Rules for items that not every system answered."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from likelier.errors import InputError, unknown_name
from likelier.findings import Finding

Policy = Literal["fail", "drop", "wrong"]
_NAMED = 3


def check_policy(policy: str, *, name: str) -> Policy:
    """Return what to do with items that cannot be paired, or refuse an unknown name."""
    if policy not in get_args(Policy):
        raise unknown_name(policy, get_args(Policy), kind=name)
    return policy  # type: ignore[return-value]


@dataclass(frozen=True, kw_only=True)
class PairingRules:
    """Policies for items that not every system answered.

    Attributes
    ----------
    on_missing
        For items that a log does not have: fail, drop them, or count them as wrong.
    on_error
        For answers that failed or have no value: the same.
    allow_different
        Whether to go on where prompts, few-shot examples or versions differ.
    """

    on_missing: Policy = "fail"
    on_error: Policy = "drop"
    allow_different: bool = False

    def missing(self, items: Mapping[str, Sequence[str]], task: str) -> list[Finding]:
        """Refuse items that a system's log does not have, or remark on them."""
        what = f"items of {task} that are not in all logs"
        text = _text(self.on_missing, "--on-missing", what, items)
        return [] if not text else [Finding("LIK150", text, severity="warning")]

    def failed(self, items: Mapping[str, Sequence[str]], task: str) -> list[Finding]:
        """Refuse items whose answer failed or has no value, or remark on them."""
        what = f"answers to items of {task} that failed or have no value"
        text = _text(self.on_error, "--on-error", what, items)
        return [] if not text else [Finding("LIK151", text, severity="warning")]


def _text(
    policy: Policy, option: str, what: str, items: Mapping[str, Sequence[str]]
) -> str:
    """Refuse the items, or say what becomes of them; nothing where there are none."""
    reason = count_items(items)
    if not reason:
        return ""
    if policy == "fail":
        message = f"All systems must have answered all items; {what}: {reason}."
        hint = f"{option} drop leaves them out, {option} wrong counts them as wrong."
        raise InputError(message, hint=hint)
    fate = "left out" if policy == "drop" else "counted as wrong"
    return f"{what} are {fate}: {reason}"


def count_items(items: Mapping[str, Sequence[str]]) -> str:
    """Count and name the items of each system; an empty text where there are none.

    Examples
    --------
    >>> count_items({"a": ["q1", "q2"], "b": []})
    '2 of a (q1, q2)'
    """
    texts = [f"{len(of):,} of {s} ({first_items(of)})" for s, of in items.items() if of]
    return "; ".join(texts)


def first_items(items: Sequence[str]) -> str:
    """Name the first items."""
    more = " …" if len(items) > _NAMED else ""
    return ", ".join(items[:_NAMED]) + more
