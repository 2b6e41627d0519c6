"""Fields of the items of logs, by which items can be put together to clusters."""

from collections.abc import Collection, Iterator, Sequence

from likelier.errors import InputError, LikelierError
from likelier.formatting import listed
from likelier.readers.logs.log import Log


def field_of_items(
    logs: Sequence[Log], items: Sequence[str], name: str
) -> dict[str, str]:
    """Return a field of each item as text; refuse one that is not the same in all logs.

    Parameters
    ----------
    logs
        Logs of one task; each item must have the field in one of them.
    items
        The items.
    name
        Dotted name of the field.
    """
    texts: dict[str, str] = {}
    wanted = {*items}
    for log in logs:
        for row, (item, value) in enumerate(_rows(log, name)):
            if value is None or item not in wanted:
                continue
            if not isinstance(value, str | int | float):
                raise _no_text(logs[0], name, item, "something else")
            text = str(value)
            if texts.setdefault(item, text) != text:
                message = (
                    f"{log.locate(row)}: {name!r} of {item!r} must be that of its "
                    f"other answers, {texts[item]!r}; it is {text!r}."
                )
                hint = "Items can be clustered by fields of items, not of answers."
                raise InputError(message, hint=hint)
    for item in items:
        if item not in texts:
            raise _no_text(logs[0], name, item, "none")
    return texts


def _rows(log: Log, name: str) -> Iterator[tuple[str, object]]:
    """Yield each row's item and field; none where the log has no fields."""
    if log.look_up is not None:
        yield from zip(log.items, log.look_up(name, None), strict=True)


def _no_text(log: Log, name: str, item: str, got: str) -> InputError:
    message = (
        f"{log.file.name} must have {name!r} as a text or number for every item; "
        f"{item!r} has {got}."
    )
    hint = f"Its fields: {listed(log.fields, most=20)}." if log.fields else None
    return InputError(message, hint=hint)


def cluster_fields(logs: Sequence[Log], *, besides: Collection[str] = ()) -> list[str]:
    """Return the fields that put together some items of a task, and not all.

    Parameters
    ----------
    logs
        Logs of any tasks.
    besides
        Fields that have another part.
    """
    by_task: dict[str, list[Log]] = {}
    for log in logs:
        by_task.setdefault(log.task, []).append(log)
    names = dict.fromkeys(name for log in logs for name in log.fields)
    return [
        name
        for name in names
        if name not in besides and any(_clusters(of, name) for of in by_task.values())
    ]


def _clusters(logs: Sequence[Log], name: str) -> bool:
    if not any(name in log.fields for log in logs):
        return False
    items = {item for log in logs for item in log.items}
    try:
        texts = field_of_items(logs, [*items], name)
    except LikelierError:
        return False
    return 1 < len({*texts.values()}) < len(items)
