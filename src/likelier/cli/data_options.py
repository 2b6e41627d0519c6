"""Options that describe the files, each declared once."""

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from likelier.cli.setting_options import DATA, LOGS, OptionGroup, option


def _file(text: str) -> Any:
    return typer.Argument(help=text, show_default=False)


def _column(text: str, *names: str) -> Any:
    return option(text, *names, panel=DATA)


# --- files --------------------------------------------------------------------------

Files = Annotated[
    list[Path],
    _file(
        "One table with a gold column and one column per system; or the gold file and "
        "one file per system, joined on --id. CSV, TSV, JSON, JSONL or Parquet. Or "
        "logs of evaluation tools, folders of them, or patterns, the baseline first; "
        "or TREC judgments and runs. `likelier doctor` says what is in them."
    ),
]
TaggedFiles = Annotated[
    list[Path],
    _file(
        "One file with columns of gold and predicted tags; or the gold file and one "
        "file per system. With --segmented, texts with spaces between words."
    ),
]
TagFiles = Annotated[
    list[Path],
    _file(
        "The gold file and one file per system, CoNLL-U or columns; or one file with "
        "columns of gold and predicted tags."
    ),
]
TextFiles = Annotated[
    list[Path],
    _file(
        "The references and one file per system, one segment per line; or one table "
        "with a column of references and one column per system."
    ),
]
FurtherReferences = Annotated[
    list[Path] | None,
    _column("File of further references; can be repeated.", "--references"),
]
FoldFile = Annotated[
    Path,
    _file(
        "A table of scores, with dataset, run, fold, system and score; or of counts, "
        "with system, repetition, fold and tp, fp, fn (or gold, predicted, correct); "
        "or of predictions, with their repetition and fold. CSV, TSV, JSONL or Parquet."
    ),
]
RankFiles = Annotated[
    list[Path],
    _file(
        "A table of scores as for `folds`; or predictions as for `compare`, with "
        "--metric."
    ),
]
PilotFiles = Annotated[
    list[Path] | None,
    _file(
        "A pilot: predictions as for compare. Or none, with --assume or --accuracies."
    ),
]
SplitFile = Annotated[Path, _file("A table with one item per row.")]
StudyFile = Annotated[
    Path, _file("The study: data, design, systems, metrics, rope, seed, as TOML.")
]
StoreFile = Annotated[Path, _file("The store that `likelier study run` made.")]
NewStoreFile = Annotated[Path, _file("The new store, a file that is not there yet.")]

# --- columns ------------------------------------------------------------------------

Gold = Annotated[
    str,
    _column(
        "Column of the gold labels, or numbers. '' for none, where probabilities are "
        "those of each item's own label."
    ),
]
Systems = Annotated[
    str | None, option("Columns of the systems, comma-separated, the baseline first.")
]
SystemNames = Annotated[
    str | None,
    option("Systems to compare, comma-separated, the baseline first; all by default."),
]
Id = Annotated[
    str | None,
    _column("Column of the items' ids, or several, comma-separated: task,doc_id."),
]
Label = Annotated[
    str | None,
    _column(
        "Column of the label or score, where each system has its own file; beside "
        "--system the column of the predicted label."
    ),
]
Cluster = Annotated[
    str | None,
    _column(
        "Column of the document, speaker or group that an item belongs to; in logs a "
        "field such as metadata.passage."
    ),
]
Text = Annotated[
    str | None,
    _column(
        "Column of the items' texts, for the report; by default the only one called "
        "text, sentence, question, prompt, input, message, document, content or "
        "query. '' for none."
    ),
]
Separator = Annotated[
    str | None, _column("Separator of several labels in one cell (multi-label).")
]
Sets = Annotated[
    bool,
    _column(
        "Items have any number of labels: lists, or cells split at --separator.",
        "--sets",
    ),
]
LongSystem = Annotated[
    str | None,
    _column("Column of the system's name, in a table with a row per system and item."),
]
LongScore = Annotated[
    str | None, _column("Columns of scores beside --system, comma-separated.")
]
LongRun = Annotated[str | None, _column("Column of the run, such as the seed.")]
LongRepeat = Annotated[
    str | None, _column("Column of the number of the repeat, such as the epoch.")
]
LongGroup = Annotated[str | None, _column("Column of the task or data set.")]
LONG_COLUMNS: OptionGroup = {
    "system": (LongSystem, None),
    "score": (LongScore, None),
    "run": (LongRun, None),
    "repeat": (LongRepeat, None),
    "group": (LongGroup, None),
}
ITEM_COLUMNS: OptionGroup = {
    "gold": (Gold, "gold"),
    "id": (Id, None),
    "label": (Label, None),
    "cluster": (Cluster, None),
    "text": (Text, None),
    "separator": (Separator, None),
    "sets": (Sets, False),
    **LONG_COLUMNS,
}
# --- logs ---------------------------------------------------------------------------

_log_option = partial(option, panel=LOGS)
TaskName = Annotated[
    str | None,
    _log_option("Tasks, comma-separated, or a group of them; all by default."),
]
FilterName = Annotated[
    str | None,
    _log_option("How answers were cleaned before scoring, where there are several."),
]
RunNames = Annotated[
    str | None,
    _log_option("Which of several runs of a task: latest, all (their mean), or names."),
]
OnMissing = Annotated[
    str, _log_option("Items that only some logs have: fail, drop, or wrong.")
]
OnError = Annotated[str, _log_option("Answers that failed: fail, drop, or wrong.")]
AllowDifferent = Annotated[
    bool,
    _log_option(
        "Go on where prompts, few-shot examples or versions differ.",
        "--allow-different",
    ),
]
LogDirection = Annotated[
    bool | None,
    _log_option(
        "Whether more of the metric is better, where logs do not say it.",
        "--higher-is-better/--lower-is-better",
    ),
]
Aggregate = Annotated[
    Path | None,
    _log_option(
        "Write the intervals into a copy of the aggregate document that lies beside "
        "samples of Every Eval Ever.",
        "--eee",
        metavar="FILE",
    ),
]
LOG_OPTIONS: OptionGroup = {
    "task": (TaskName, None),
    "filter": (FilterName, None),
    "runs": (RunNames, None),
    "on_missing": (OnMissing, "fail"),
    "on_error": (OnError, "drop"),
    "allow_different": (AllowDifferent, False),
    "higher_is_better": (LogDirection, None),
}
RepetitionColumn = Annotated[
    str, _column("Column of the repetition, in a table of counts or predictions.")
]
FoldColumn = Annotated[str, _column("Column of the fold.")]
DatasetColumn = Annotated[str, _column("Column of the data set, in a table of scores.")]
RunColumn = Annotated[
    str, _column("Column of the run of cross-validation, in a table of scores.")
]
SystemColumn = Annotated[str, _column("Column of the system, in a table of scores.")]
ScoreColumn = Annotated[str, _column("Column of the score.")]
TestShare = Annotated[
    float | None,
    _column(
        "Share of a data set's items that each fold tests, for scores; by default 1 "
        "divided by the number of folds in a run."
    ),
]

# --- tags ---------------------------------------------------------------------------

Scheme = Annotated[
    str | None,
    _column(
        "Tag scheme: iob1, iob2, ioe1, ioe2, iobes, bilou, bmes or bb2b3mes; or "
        "several, comma-separated: for the gold tags and for each system."
    ),
]
Strict = Annotated[
    bool,
    _column(
        "Ignore chunks that the scheme does not allow, which are otherwise read as "
        "conlleval reads them.",
        "--strict",
    ),
]
MatchName = Annotated[
    str,
    _column(
        "What makes a chunk right: strict (span and type), exact (the span), partial "
        "(an overlap, which counts half unless the span is the same), or type (an "
        "overlap and the type)."
    ),
]
Only = Annotated[str | None, _column("Count chunks of this type only.")]
Documents = Annotated[
    bool, _column("Treat documents (-DOCSTART- lines) as clusters.", "--documents")
]
Segmented = Annotated[
    bool,
    _column("Read words separated by spaces, one sentence per line.", "--segmented"),
]
TagColumn = Annotated[
    str | None,
    _column(
        "Column of the tags: its number from 0 (-1: the last); in CoNLL-U also form, "
        "upos (the default) or xpos."
    ),
]
GoldColumn = Annotated[
    str | None, _column("Column of the gold tags, where it is another one.")
]
Train = Annotated[
    list[Path] | None,
    _column(
        "File that the systems were trained on, for OOV accuracy; can be repeated."
    ),
]
VocabularyFile = Annotated[
    Path | None, _column("File with one known form per line, for OOV accuracy.")
]
Lowercase = Annotated[
    bool, _column("Lowercase forms before they are looked up.", "--lowercase")
]
IgnoreCase = Annotated[bool, _column("Ignore case.", "--lowercase")]
TagCluster = Annotated[
    str, _column("Independent unit: sentence, document, or none (every token).")
]
