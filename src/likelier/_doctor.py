"""doctor(): what is in files, and which command to paste."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike, fspath
from types import MappingProxyType
from typing import Any

from likelier._advice import (
    Advice,
    label_questions,
    log_commands,
    option_words,
    question_for,
)
from likelier._table_advice import gold_commands
from likelier.data.tag_schemes import scheme_of
from likelier.errors import InputError, LikelierError, SettingError
from likelier.formatting import counted, join_words
from likelier.metrics.positive import select_positive
from likelier.metrics.registry import named
from likelier.readers.field_names import field_names
from likelier.readers.file import file_names, find_file, find_files
from likelier.readers.fold_scores import ScoreColumns
from likelier.readers.logs.find_logs import has_logs, not_beside, part_strangers
from likelier.readers.logs.item_fields import cluster_fields
from likelier.readers.logs.log_choice import choose_metric
from likelier.readers.logs.log_facts import TaskFacts, task_facts
from likelier.readers.logs.log_items import LogItems
from likelier.readers.pairing import read_files
from likelier.readers.read_items import read
from likelier.readers.reader import Description, describe
from likelier.readers.shared_columns import SharedColumns, shared_columns
from likelier.readers.tag_files import has_trees
from likelier.readers.token_lines import start_rows
from likelier.readers.usual_columns import usual_columns

# Kinds of content that tables have.
_TABLES = ("labels", "scores", "objects")
_TAGS, _PAIR = ("chunks", "tags"), 2
_DATA_SETS = "data sets"
_NO_GOLD = "labels: no column is called gold; name it with --gold, the others --systems"
_OF_FOLDS = (
    "scores: folds are no items, since they share training data; likelier folds must "
    "have the columns dataset, run and fold, and one for each system"
)
_FIELDS = (
    "objects: --gold and --systems, or --system, --id and --score, must name fields "
    "within them, such as {name}"
)
_ONE_ROW = (
    "objects: a table must have one object per row, as to_json(orient='records') of "
    "pandas writes; it has one object"
)
_ALONE = "lines of text: the gold file must come first, then one file per system"


@dataclass(frozen=True)
class Diagnosis:
    """Diagnosis of files: their content, what can be asked, and what cannot.

    Attributes
    ----------
    formats
        Names of the formats, with versions where the files have them.
    systems
        Names of the systems, the baseline first.
    tasks
        Facts of every task, for logs.
    table
        Content of tables and token files.
    commands
        Commands that answer something.
    refused
        What cannot be asked, each with the reason.
    notes
        Further remarks.
    fields
        Fields of logs that put together some items, and not all: possible clusters.
    """

    formats: tuple[str, ...]
    systems: tuple[str, ...]
    tasks: tuple[TaskFacts, ...] = ()
    table: Description | None = None
    commands: tuple[Advice, ...] = ()
    refused: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()

    @property
    def differs(self) -> bool:
        """Whether the logs of some task show different experiments."""
        return any(task.differs for task in self.tasks)

    @property
    def undirected(self) -> tuple[str, ...]:
        """Metrics of scores of which the logs do not say whether higher is better."""
        unsaid = (
            name
            for task in self.tasks
            for name, better in task.metrics.items()
            if better not in ("higher", "lower") and name != "labels"
        )
        return tuple(dict.fromkeys(unsaid))

    def to_dict(self) -> dict[str, Any]:
        """Return the diagnosis as JSON has it."""
        return {
            "formats": list(self.formats),
            "systems": list(self.systems),
            "tasks": [task.to_dict() for task in self.tasks],
            "table": None if self.table is None else _table_dict(self.table),
            "commands": [vars(advice) for advice in self.commands],
            "refused": list(self.refused),
            "notes": list(self.notes),
            "fields": list(self.fields),
        }


def doctor(*paths: str | PathLike[str]) -> Diagnosis:
    r"""Say what is in files, what can be asked of them, and the command for it.

    Parameters
    ----------
    *paths
        Tables, token files, logs, folders of logs or patterns.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "predictions.csv")
    >>> _ = path.write_text("gold,a,b\nyes,yes,no\nno,no,no\n")
    >>> doctor(path).systems
    ('a', 'b')
    >>> folder.cleanup()
    """
    if not paths:
        message = "paths must name at least one file; got none."
        raise SettingError(message)
    if has_logs(paths):
        own, strangers = part_strangers(paths)
        items = read(*own)
        others = (*not_beside(strangers, items.logs), *items.others)
        return _of_logs(own, replace(items, others=others))
    about = describe([fspath(path) for path in paths])
    notes = [finding.message for finding in about.findings]
    if about.kind in _TABLES and len(paths) == 1:
        columns = usual_columns(paths[0])
        try:
            if columns is not None:
                return _of_logs(paths, read(*paths, **columns), columns)
        except LikelierError as error:
            # Columns of such a table are no systems.
            about = replace(about, systems=())
            reason = f"a row per system and item: {error.message}"
            return _of_table(about, notes, refused=[reason])
        systems = tuple(ScoreColumns().systems(about.columns))
        if systems and about.gold is None:
            about = replace(about, kind="scores", unit=_DATA_SETS, systems=systems)
    return _of_tables(about, [fspath(p) for p in paths], notes)


def _of_tables(about: Description, paths: list[str], notes: Sequence[str]) -> Diagnosis:
    """Return the command that fits one table, or several with one system each."""
    if about.kind == "labels" and len(paths) > 1:
        shared = shared_columns(paths)
        if shared is not None:
            return _of_scores(about, paths, shared, notes)
    if about.kind == "objects":
        return _of_objects(about, paths, notes)
    refused = _refused(about, len(paths))
    try:
        commands = [] if refused else _table_commands(about, paths)
    except LikelierError as error:
        commands, refused = [], [*refused, f"{about.kind}: {error.message}"]
    return _of_table(about, notes, commands, refused)


def _of_objects(
    about: Description, paths: Sequence[str], notes: Sequence[str]
) -> Diagnosis:
    """Name the fields within the objects of a table, which are columns too."""
    names = tuple(field_names(paths[0])) if len(paths) == 1 else about.columns
    about = replace(about, columns=names, systems=(), gold=None)
    reason = _FIELDS.format(name=names[-1]) if about.items > 1 else _ONE_ROW
    return _of_table(about, notes, refused=[reason])


def _of_table(
    about: Description,
    notes: Sequence[str],
    commands: Sequence[Advice] = (),
    refused: Sequence[str] = (),
) -> Diagnosis:
    return Diagnosis(
        formats=(about.format,),
        systems=about.systems,
        table=about,
        commands=tuple(commands),
        refused=tuple(refused),
        notes=tuple(notes),
    )


# --- logs ------------------------------------------------------------------------


def _of_logs(
    paths: Sequence[str | PathLike[str]],
    items: LogItems,
    columns: Mapping[str, Any] = MappingProxyType({}),
) -> Diagnosis:
    """Gather the facts of logs, or of a table with these columns."""
    facts = task_facts(items.logs)
    formats = dict.fromkeys(f"{g.format} {g.version or ''}".strip() for g in items.logs)
    several = len(items.systems) > 1
    notes = dict.fromkeys(
        f"{log.system}: {note}" if several else note
        for log in items.logs
        for note in log.notes
    )
    if items.others:
        notes[f"no logs, and not read: {join_words(items.others, most=4)}"] = None
    parts = {part for value in columns.values() for part in _several(value)}
    fields = cluster_fields(items.logs, besides=parts)
    options = {name: ",".join(_several(value)) for name, value in columns.items()}
    words = [*(fspath(path) for path in paths), *option_words(options)]
    commands, refused = log_commands(words, items, facts)
    if not items.metrics:
        try:
            choose_metric(items.logs, None)
        except LikelierError as error:
            refused.append(f"any metric: {error.message}")
    return Diagnosis(
        formats=tuple(formats),
        systems=items.systems,
        tasks=tuple(facts),
        commands=tuple(commands),
        refused=tuple(refused),
        notes=tuple(notes),
        fields=tuple(fields),
    )


def _several(names: str | Sequence[str]) -> Sequence[str]:
    return [names] if isinstance(names, str) else names


# --- tables and token files ------------------------------------------------------


def _table_commands(about: Description, paths: list[str]) -> list[Advice]:
    """Return the command that fits what the files seem to hold."""
    if about.kind == "words":
        return _word_commands(paths)
    if about.kind == "chunks":
        return _chunk_commands(about, paths)
    if about.kind == "tags":
        return _tag_commands(paths)
    if about.kind == "counts" or {"fold", "score"} <= {*about.columns}:
        command = shlex.join(["likelier", "folds", *paths])
        return [Advice(command, "scores or counts of cross-validation")]
    if about.unit == _DATA_SETS:
        question = "folds" if len(about.systems) == 2 else "rank"
        command = shlex.join(["likelier", question, *paths])
        return [Advice(command, f"{join_words(about.systems, most=5)} over data sets")]
    if about.kind not in ("labels", "scores", "sets") or not about.systems:
        return []
    if about.kind != "scores" and about.gold is None:
        return []
    return _item_commands(about, paths)


def _of_scores(
    about: Description,
    paths: Sequence[str],
    shared: SharedColumns,
    notes: Sequence[str],
) -> Diagnosis:
    """Describe tables with one system each, and try every column of scores."""
    systems = tuple(file_names(find_files(paths)))
    about = replace(
        about,
        kind="scores",
        gold=None,
        systems=systems,
        id=shared.id,
        items=shared.items,
    )
    commands, refused = [], []
    for score in shared.scores:
        words = ["likelier", question_for(len(systems)), *paths]
        words += ["--id", shared.id, "--label", score, "--metric", "mean"]
        try:
            read_files(paths, kind="scores", id=[shared.id], label=score)
        except LikelierError as error:
            refused.append(f"{score}: {error.message}")
            continue
        commands.append(Advice(shlex.join(words), f"mean {score}"))
    return _of_table(about, notes, commands, refused)


def _word_commands(paths: list[str]) -> list[Advice]:
    """Return commands for lines of words: translations, transcripts, or segmented."""
    if len(paths) == 1:
        return []
    if _are_segmented(paths):
        command = shlex.join(["likelier", "chunks", *paths, "--segmented"])
        return [Advice(command, "F1 of chunks")]
    if len(paths) == 2:
        return []
    command = shlex.join(["likelier", "text", *paths])
    return [
        Advice(f"{command} --metric bleu,chrf", "BLEU and chrF of texts"),
        Advice(f"{command} --metric wer,cer", "word and character errors of speech"),
    ]


def _chunk_commands(about: Description, paths: list[str]) -> list[Advice]:
    """Return the command for chunks, with the scheme that the gold tags show."""
    gold = -1 if len(paths) > 1 else int(about.gold or -1)
    rows = start_rows(find_file(paths[0]))
    scheme = scheme_of([row[gold].decode() for row in rows])
    command = shlex.join(["likelier", "chunks", *paths, "--scheme", scheme])
    return [Advice(command, "F1 of chunks")]


def _are_segmented(paths: list[str]) -> bool:
    """Return whether the files begin with the same characters but for blanks."""
    starts = [b"".join(find_file(path).start.split()) for path in paths]
    shortest = min(map(len, starts))
    return len({start[:shortest] for start in starts}) == 1


def _tag_commands(paths: list[str]) -> list[Advice]:
    command = shlex.join(["likelier", "tags", *paths])
    taggers = Advice(command, "accuracy of taggers")
    if len(paths) == 1 or not has_trees(find_file(paths[0])):
        return [taggers]
    return [taggers, Advice(f"{command} --metric las,uas", "LAS and UAS of parsers")]


def _refused(about: Description, n_files: int) -> list[str]:
    """Say what the files lack."""
    if about.kind == "words" and n_files == 1:
        return [_ALONE]
    if about.kind in _TAGS and len(about.systems) < _PAIR:
        held = counted(len(about.systems), "system")
        return [f"{about.kind}: two systems must have tags beside the gold; got {held}"]
    if about.kind in ("labels", "sets") and about.gold is None and about.systems:
        return [_NO_GOLD]
    columns = {name.casefold() for name in about.columns}
    of_folds = "fold" in columns and "score" not in columns
    if about.kind == "scores" and about.unit != _DATA_SETS and of_folds:
        return [_OF_FOLDS]
    return []


def _item_commands(about: Description, paths: list[str]) -> list[Advice]:
    """Return commands for tables of items, by what the columns hold."""
    if len(paths) > 1:
        return _asked_of_items(about, paths)
    if any("," in name for name in about.systems):
        message = "names of systems must have no commas in --systems."
        raise InputError(message)
    others = gold_commands(about, paths[0]) if about.kind == "labels" else []
    return others or _asked_of_items(about, paths)


def _asked_of_items(about: Description, paths: list[str]) -> list[Advice]:
    """Return commands for tables of items; refuse some that cannot be read."""
    alone = len(paths) == 1
    table = read_files(
        paths,
        gold=about.gold if alone and about.gold is not None else "gold",
        systems=about.systems if alone else None,
        kind=about.kind,
        id=None if about.id is None else [about.id],
    )
    metric = {"scores": "mean", "sets": "macro_f1"}.get(about.kind, "accuracy")
    select_positive(table, named(metric))
    asked = {metric: {"metric": metric}}
    if about.kind == "labels":
        asked = label_questions([table])
    words = ["likelier", question_for(len(about.systems)), *paths]
    if alone:
        words += ["--systems", ",".join(about.systems)]
        if about.gold not in (None, "gold"):
            words += ["--gold", str(about.gold)]
    if about.id is not None:
        words += ["--id", about.id]
    words += ["--sets"] if about.kind == "sets" else []
    names = join_words(about.systems, most=5)
    return [
        Advice(shlex.join([*words, *option_words(options)]), f"{name} of {names}")
        for name, options in asked.items()
    ]


def _table_dict(about: Description) -> dict[str, Any]:
    document = dict(vars(about))
    document["findings"] = [f.to_dict() for f in about.findings]
    return {k: list(v) if isinstance(v, tuple) else v for k, v in document.items()}
