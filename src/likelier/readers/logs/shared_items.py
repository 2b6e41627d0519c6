"""Items that several tasks share, which are no separate ones."""

from collections.abc import Mapping, Sequence

from likelier.findings import Finding
from likelier.readers.logs.log import Log


def shared_items(
    tasks: Mapping[str, Mapping[str, Sequence[Log]]],
) -> list[Finding]:
    """Remark on items of tasks that an earlier task has too, or a variant of them.

    Parameters
    ----------
    tasks
        The logs of each system by task.
    """
    seen: set[object] = set()
    again: dict[str, int] = {}
    total = 0
    for task, of_systems in tasks.items():
        own = _keys(next(iter(of_systems.values()))[0])
        total += len(own)
        if own & seen:
            again[task] = len(own & seen)
        seen |= own
    if not again:
        return []
    task, _ = max(again.items(), key=lambda one: one[1])
    text = (
        f"{sum(again.values()):,} of {total:,} items are those of another task, or "
        f"variants of them, as in {task}: the mean over tasks and the answer for all "
        "items take them for separate ones, and are too sure; --task names one task"
    )
    return [Finding("LIK159", text, severity="warning")]


def _keys(log: Log) -> set[object]:
    """Return what tells items apart over tasks: variants have one key."""
    contents = log.hashes.get("item")
    if log.variant_of is not None or contents is None:
        return {(log.variant_of or log.task, item) for item in log.items}
    pairs = zip(contents, log.items, strict=True)
    return {content or (log.task, item) for content, item in pairs}
