"""The files that commands read, and what is in them; each option said once."""

from pathlib import Path
from typing import Annotated

import typer

_DATA = "Data"

Files = Annotated[
    list[Path],
    typer.Argument(
        help="One table with a gold column and one column per system; or the gold "
        "file and one file per system, joined on --id. CSV, TSV, JSONL or Parquet.",
        show_default=False,
    ),
]
TaggedFiles = Annotated[
    list[Path],
    typer.Argument(
        help="One file with columns of gold and predicted tags; or the gold file and "
        "one file per system. With --segmented, texts with spaces between words.",
        show_default=False,
    ),
]
TagFiles = Annotated[
    list[Path],
    typer.Argument(
        help="The gold file and one file per system, CoNLL-U or columns; or one file "
        "with columns of gold and predicted tags.",
        show_default=False,
    ),
]
CountsFile = Annotated[
    Path,
    typer.Argument(
        help="A table with system, repetition, fold and tp, fp, fn (or gold, "
        "predicted, correct); or predictions with their repetition and fold.",
        show_default=False,
    ),
]
ScoresFile = Annotated[
    Path,
    typer.Argument(
        help="A table with dataset, run, fold, system and score, one score per row; "
        "CSV, TSV, JSONL or Parquet.",
        show_default=False,
    ),
]
RankFiles = Annotated[
    list[Path],
    typer.Argument(
        help="A table of scores as for `scores`; or predictions as for `compare`, "
        "with --metric.",
        show_default=False,
    ),
]
PilotFiles = Annotated[
    list[Path] | None,
    typer.Argument(
        help="A pilot: predictions as for compare. Or none, with --assume or "
        "--accuracies.",
        show_default=False,
    ),
]
SplitFile = Annotated[
    Path, typer.Argument(help="A table with one item per row.", show_default=False)
]
Gold = Annotated[
    str, typer.Option(help="Column of the gold labels.", rich_help_panel=_DATA)
]
Systems = Annotated[
    str | None,
    typer.Option(
        help="Columns of the systems, comma-separated, the baseline first.",
        rich_help_panel=_DATA,
    ),
]
SystemNames = Annotated[
    str | None,
    typer.Option(
        help="Which systems, comma-separated, the baseline first; by default all.",
        rich_help_panel=_DATA,
    ),
]
Id = Annotated[
    str | None,
    typer.Option(help="Column that pairs the items.", rich_help_panel=_DATA),
]
Label = Annotated[
    str | None,
    typer.Option(
        help="Column of the label (or score) in one file per system.",
        rich_help_panel=_DATA,
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        help="Column of the document, speaker or group of an item.",
        rich_help_panel=_DATA,
    ),
]
Separator = Annotated[
    str | None,
    typer.Option(
        help="Separates several labels in one cell (multi-label).",
        rich_help_panel=_DATA,
    ),
]
Sets = Annotated[
    bool,
    typer.Option(
        "--sets",
        help="Items have any number of labels: lists, or cells with --separator.",
        rich_help_panel=_DATA,
    ),
]
RepetitionColumn = Annotated[
    str, typer.Option(help="Column of the repetition.", rich_help_panel=_DATA)
]
FoldColumn = Annotated[
    str, typer.Option(help="Column of the fold.", rich_help_panel=_DATA)
]
DatasetColumn = Annotated[
    str, typer.Option(help="Column of the data set.", rich_help_panel=_DATA)
]
RunColumn = Annotated[
    str,
    typer.Option(help="Column of the run of cross-validation.", rich_help_panel=_DATA),
]
SystemColumn = Annotated[
    str, typer.Option(help="Column of the system.", rich_help_panel=_DATA)
]
ScoreColumn = Annotated[
    str, typer.Option(help="Column of the score.", rich_help_panel=_DATA)
]
TestShare = Annotated[
    float | None,
    typer.Option(
        help="Share of a data set's items that each fold tests; by default one part "
        "of as many as a run has folds.",
        rich_help_panel=_DATA,
    ),
]
LowerIsBetter = Annotated[
    bool,
    typer.Option(
        "--lower-is-better", help="Smaller scores are better: losses, errors."
    ),
]
Scheme = Annotated[
    str | None,
    typer.Option(
        help="iob1, iob2, ioe1, ioe2, iobes, bilou, bmes or bb2b3mes; or several, "
        "comma-separated: of the gold tags and of each system.",
        rich_help_panel=_DATA,
    ),
]
Strict = Annotated[
    bool,
    typer.Option(
        "--strict",
        help="Leave out chunks that the scheme does not allow; else as conlleval.",
        rich_help_panel=_DATA,
    ),
]
Boundaries = Annotated[
    bool,
    typer.Option(
        "--boundaries",
        help="Let only boundaries count, not types.",
        rich_help_panel=_DATA,
    ),
]
Only = Annotated[
    str | None, typer.Option(help="The one type that counts.", rich_help_panel=_DATA)
]
Documents = Annotated[
    bool,
    typer.Option(
        "--documents",
        help="Take documents (-DOCSTART- lines) as clusters.",
        rich_help_panel=_DATA,
    ),
]
Segmented = Annotated[
    bool,
    typer.Option(
        "--segmented",
        help="Read words separated by spaces, one sentence per line.",
        rich_help_panel=_DATA,
    ),
]
TagColumn = Annotated[
    str | None,
    typer.Option(
        "--column",
        help="Column of the tags: its number from 0 (-1: the last); in CoNLL-U also "
        "form, upos (the default) or xpos.",
        rich_help_panel=_DATA,
    ),
]
GoldColumn = Annotated[
    str | None,
    typer.Option(
        "--gold", help="Column of the gold tags, if another.", rich_help_panel=_DATA
    ),
]
Train = Annotated[
    list[Path] | None,
    typer.Option(
        help="File that the systems were trained on, for OOV accuracy; may be given "
        "several times.",
        rich_help_panel=_DATA,
    ),
]
VocabularyFile = Annotated[
    Path | None,
    typer.Option(
        "--vocabulary",
        help="File with one known form per line, for OOV accuracy.",
        rich_help_panel=_DATA,
    ),
]
Lowercase = Annotated[
    bool,
    typer.Option(
        "--lowercase",
        help="Lowercase forms before they are looked up.",
        rich_help_panel=_DATA,
    ),
]
TagCluster = Annotated[
    str,
    typer.Option(
        "--cluster",
        help="What is independent: sentence, document, or none (every token).",
        rich_help_panel=_DATA,
    ),
]
