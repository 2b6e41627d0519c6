"""Commands that answer something about logs, each tried before it is given."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from likelier.data.outcomes import Outcomes
from likelier.errors import LikelierError
from likelier.formatting import join_words
from likelier.metrics.positive import USUAL_POSITIVE
from likelier.readers.logs.log_facts import TaskFacts
from likelier.readers.logs.log_items import LogItems
from likelier.readers.logs.task_tables import TaskTables

# Settings that may help where logs cannot be compared as they are, the mildest first.
_CURES: tuple[dict[str, Any], ...] = (
    {},
    {"runs": "latest"},
    {"on_missing": "drop"},
    {"runs": "latest", "on_missing": "drop"},
    {"allow_different": True},
    {"allow_different": True, "on_missing": "drop"},
    {"allow_different": True, "runs": "latest", "on_missing": "drop"},
)
# How many sets of systems have a command for one metric.
_MOST_SETS = 6


@dataclass(frozen=True)
class Advice:
    """A command to paste, and what it answers."""

    command: str
    answers: str


@dataclass(frozen=True)
class _Question:
    """A metric under a filter, and systems that share tasks which have it."""

    metric: str
    systems: tuple[str, ...]
    options: dict[str, Any]


def question_for(n_systems: int) -> str:
    """Name the command for as many systems."""
    return {1: "estimate", 2: "compare"}.get(n_systems, "rank")


def option_words(settings: Mapping[str, Any]) -> list[str]:
    """Write settings as options of the command line.

    Examples
    --------
    >>> option_words({"on_missing": "drop", "allow_different": True})
    ['--on-missing', 'drop', '--allow-different']
    """
    words = []
    for name, value in settings.items():
        words.append(f"--{name.replace('_', '-')}")
        words += [] if value is True else [str(value)]
    return words


def log_commands(
    words: Sequence[str], items: LogItems, facts: Sequence[TaskFacts]
) -> tuple[list[Advice], list[str]]:
    """Try every metric and filter; return commands that work, and what does not.

    Parameters
    ----------
    words
        Paths, and options that every command must have.
    items, facts
        The items, and the facts of each task.
    """
    commands: list[Advice] = []
    reasons: dict[str, list[str]] = {}
    questions = list(_questions(items, facts))
    one = len({(q.metric, q.options.get("filter")) for q in questions}) == 1
    for question in questions:
        others = any("item" in f.differs for f in facts if question.metric in f.metrics)
        result = _first_that_works(items, question, same_items=not others)
        if isinstance(result, str):
            reasons.setdefault(result, []).append(question.metric)
            continue
        settings, tasks = result
        text = ["likelier", question_for(len(question.systems)), *words]
        if question.metric == "labels":
            asked = label_questions(list(tasks.tables.values()))
        else:
            asked = {question.metric: {"metric": question.metric}}
        for index, (name, named) in enumerate(asked.items()):
            options = {} if one and index == 0 else named
            command = shlex.join([*text, *option_words(options | settings)])
            commands.append(Advice(command, _answer(name, tasks.tasks)))
    refused = [
        f"{join_words(dict.fromkeys(names), most=6)}: {reason}"
        for reason, names in reasons.items()
    ]
    unusable = [f"{n} of {f.task}: {w}" for f in facts for n, w in f.unusable.items()]
    return commands, [*refused, *dict.fromkeys(unusable)]


def _questions(items: LogItems, facts: Sequence[TaskFacts]) -> Iterator[_Question]:
    """Yield each metric and filter with all systems, or with those that share tasks."""
    every = items.systems
    for metric, name in dict.fromkeys((m, f.filter) for f in facts for m in f.metrics):
        having = [log for log in items.logs if metric in log.metrics]
        of_tasks: dict[str, set[str]] = {}
        for log in having:
            if log.filter == name:
                of_tasks.setdefault(log.task, set()).add(log.system)
        ordered = (tuple(s for s in every if s in own) for own in of_tasks.values())
        sets = list(dict.fromkeys(ordered))
        several = [systems for systems in sets if len(systems) > 1]
        for systems in [every] if every in sets else (several or sets)[:_MOST_SETS]:
            own = {*systems}
            filters = {log.filter for log in having if log.system in own}
            options = {"filter": name} if len(filters) > 1 and name else {}
            chosen = {} if systems == every else {"systems": ",".join(systems)}
            yield _Question(metric, systems, options | chosen)


def _first_that_works(
    items: LogItems, question: _Question, *, same_items: bool
) -> str | tuple[dict[str, Any], TaskTables]:
    """Return the settings that give an answer, and its tasks; else why none do.

    Where an id stands for different items, nobody is advised to compare them.
    """
    reason = ""
    if "systems" in question.options and any("," in name for name in question.systems):
        return "names of systems have commas: give their logs alone"
    for cure in _CURES:
        if "allow_different" in cure and not same_items:
            continue
        settings = question.options | cure
        try:
            chosen = items.wanted(**settings | {"systems": question.systems})
            tasks = chosen.task_tables(question.metric)
        except LikelierError as error:
            reason = reason or error.message
            continue
        return settings, tasks
    return reason


def label_questions(tables: Sequence[Outcomes]) -> dict[str, dict[str, str]]:
    """Return what can be asked of labels, with the options that ask it.

    Of two labels the positive one is that of usual pairs, else the rarer one.

    Parameters
    ----------
    tables
        Outcomes of one task, or of several.

    Examples
    --------
    >>> from likelier import Outcomes
    >>> label_questions([Outcomes.from_labels("aab", "abb")])
    {'accuracy': {'metric': 'accuracy'}, 'F1 (b)': {'metric': 'f1', 'positive': 'b'}}
    """
    asked = {"accuracy": {"metric": "accuracy"}}
    gold: dict[str, float] = {}
    for table in tables:
        sums = table.sums()
        items = (sums["tp"] + sums["fn"])[0].tolist()
        for name, count in zip(table.classes, items, strict=True):
            gold[name] = gold.get(name, 0) + count
    if len(gold) > 2:
        return asked | {"macro F1": {"metric": "macro_f1"}}
    if any(len(table.classes) != 2 for table in tables):
        return asked
    rarer = min(gold, key=lambda name: gold[name])
    positive = USUAL_POSITIVE.get(tuple(sorted(gold)), rarer)
    return asked | {f"F1 ({positive})": {"metric": "f1", "positive": positive}}


def _answer(metric: str, tasks: Sequence[str]) -> str:
    if len(tasks) == 1:
        return f"{metric} on {tasks[0]}"
    return f"{metric} on {len(tasks)} tasks, and their mean"
