"""read(): items of logs or long tables, ready to be compared."""

from collections.abc import Sequence
from typing import Any

from likelier.errors import SettingError
from likelier.readers.item_ids import IdColumns
from likelier.readers.logs.find_logs import find_logs
from likelier.readers.logs.log import Log
from likelier.readers.logs.log_choice import ALL, LogChoice
from likelier.readers.logs.log_items import LogItems
from likelier.readers.logs.pairing_rules import PairingRules, check_policy
from likelier.readers.long_table import read_long, read_wide


def read(
    *data: Any,
    system: str | None = None,
    id: IdColumns | None = None,  # noqa: A002 (the word people know)
    score: str | Sequence[str] | None = None,
    gold: str | None = None,
    label: str | None = None,
    run: str | None = None,
    repeat: str | None = None,
    group: str | None = None,
    text: str | None = None,
    systems: Sequence[str] | None = None,
    task: str | Sequence[str] | None = None,
    filter: str | None = None,  # noqa: A002 (the tools' word)
    runs: str | Sequence[str] | None = None,
    cluster: str | None = None,
    higher_is_better: bool | None = None,
    on_missing: str = "fail",
    on_error: str = "drop",
    allow_different: bool = False,
) -> LogItems:
    """Read the items of logs of evaluation tools, or of long tables.

    Parameters
    ----------
    *data
        Logs, folders of logs, or patterns such as ``runs/*/samples_*.jsonl``, the
        baseline first; or, with one of the columns below, table files or data frames.
    system
        The column of the system's name, in a table with a row per system and item.
    id
        The column of the items' ids, or several that are the id together.
    score
        The column of scores, or several: the metrics.
    gold, label
        The columns of the gold and the predicted labels.
    run
        The column of the run, such as the seed.
    repeat
        The column of the number of the repeat, such as the epoch.
    group
        The column of the task or data set.
    text
        The column of the items' texts.
    systems
        Names of systems, the baseline first; by default all, in the order of the paths.
    task
        A task, or several, or the tool's own name for several; by default all.
    filter
        How answers were cleaned before they were scored, where logs have several ways.
    runs
        Which of several runs of one task: ``latest``, ``all`` (their mean), or names.
    cluster
        Field that says which items belong together, such as ``metadata.passage``; by
        default the one that the tool itself uses, and none where it is empty.
    higher_is_better
        Direction of the metric, where logs do not say it; True by default.
    on_missing
        What to do with items that a log does not have: fail, drop or wrong.
    on_error
        What to do with answers that failed: fail, drop or wrong.
    allow_different
        Whether to go on where prompts, few-shot examples or versions differ.
    """
    if not data:
        message = "data must be at least one log or table; got none."
        raise SettingError(message)
    others: list[str] = []
    columns = {"id": id, "gold": gold, "run": run, "repeat": repeat, "group": group}
    own = {"system": system, "score": score, "label": label}
    if any(column is not None for column in (*columns.values(), *own.values())):
        columns |= {"cluster": cluster, "text": text}
        logs = [log for one in data for log in _of_table(one, systems, own, columns)]
        runs = ALL if runs is None else runs
    else:
        logs, others = find_logs(data)
    choice = LogChoice(
        systems=systems,
        task=_names(task),
        filter=filter,
        runs=_names(runs),
        higher_is_better=higher_is_better,
    )
    rules = PairingRules(
        on_missing=check_policy(on_missing, name="on_missing"),
        on_error=check_policy(on_error, name="on_error"),
        allow_different=allow_different,
    )
    return LogItems(tuple(logs), choice, rules, cluster, tuple(others))


def _names(names: str | Sequence[str] | None) -> tuple[str, ...] | None:
    if names is None:
        return None
    return (names,) if isinstance(names, str) else tuple(names)


def _of_table(
    data: Any,
    systems: Sequence[str] | None,
    own: dict[str, Any],
    columns: dict[str, Any],
) -> list[Log]:
    """Read a table with a row per system and item, else one with a row per item."""
    if own["system"] is not None:
        return read_long(data, **own, **columns)
    for name, value in own.items():
        if value is not None:
            message = f"{name} must come with system, the column of the systems."
            raise SettingError(message)
    return read_wide(data, systems=systems, **columns)
