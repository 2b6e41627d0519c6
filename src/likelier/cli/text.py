"""Command `text`: output texts of systems, beside references."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from likelier.cli import data_options as data
from likelier.cli import setting_options as setting
from likelier.cli.option_values import metrics_of, names_of, refuse
from likelier.cli.outputs import Outputs, with_outputs
from likelier.cli.questions import renamed
from likelier.cli.several_systems import compared, estimated
from likelier.cli.working import working
from likelier.errors import SettingError

if TYPE_CHECKING:
    from likelier.metrics.metric import Metric

TextMetric = Annotated[
    str,
    setting.option(
        "Metrics, comma-separated: bleu, chrf, chrf++, ter, wer, cer, exact_match, "
        "token_f1."
    ),
]
TextGold = Annotated[
    str,
    setting.option(
        "Column of references in a table, or several, comma-separated.",
        panel=setting.DATA,
    ),
]
Tokenize = Annotated[
    str | None,
    setting.option(
        "Tokenizer of BLEU, as sacreBLEU names it: 13a, intl, zh, ja-mecab, char …",
        panel=setting.DATA,
    ),
]
TextCluster = Annotated[
    str | None,
    setting.option(
        "File with the document or speaker of each line; of a table, a column.",
        panel=setting.DATA,
    ),
]

# Settings of a comparison that an estimate of one system does not have.
_OF_TWO = ("rope", "sensitivity", "method", "prior", "strength", "factor", "rule")


@with_outputs({"settings": setting.POSTERIOR}, plots=("posterior",))
def text(
    context: typer.Context,
    files: data.TextFiles,
    *,
    metric: TextMetric = "bleu",
    systems: data.Systems = None,
    rope: setting.RopeText = None,
    sensitivity: setting.Sensitive = False,
    references: data.FurtherReferences = None,
    gold: TextGold = "reference",
    cluster: TextCluster = None,
    tokenize: Tokenize = None,
    lowercase: data.IgnoreCase = False,
    name: setting.DisplayName = None,
    settings: dict[str, Any],
    outputs: Outputs,
) -> None:
    """Compare texts with references: BLEU, chrF, TER, word errors, exact match.

    likelier text references.txt a.txt b.txt --metric bleu,chrf

    One system is estimated: likelier text references.txt a.txt
    """
    from likelier.readers.text_files import read_texts

    beside = [Path(cluster)] if cluster and len(files) > 1 else []
    outputs = outputs.check([*files, *(references or ()), *beside])
    chosen = _metrics(metric)
    if chosen[0].data != "texts":
        name, data = chosen[0].name, chosen[0].data
        message = f"metric must be a metric of texts; {name} needs {data}."
        raise SettingError(message, hint="likelier compare takes other metrics.")
    columns = names_of(gold) or ["reference"]
    with working("counting segments"):
        table = read_texts(
            files,
            metrics=[one.name for one in chosen],
            references=references or (),
            gold=columns[0] if len(columns) == 1 else columns,
            systems=names_of(systems),
            cluster=cluster,
            tokenize=tokenize,
            lowercase=lowercase,
        )
    questions = [(one, table) for one in renamed(chosen, name)]
    if len(table.systems) == 1:
        without = "two systems; here is one, which is estimated"
        refuse(context, _OF_TWO, without=without)
        few = {name: settings[name] for name in ("mass", "draws", "seed")}
        outputs.deliver(estimated(questions, **few))
        return
    result = compared(
        context,
        questions,
        sensitivity=sensitivity,
        positive=None,
        rope=rope,
        **settings,
    )
    outputs.deliver(result)


def _metrics(text: str) -> "list[Metric]":
    """Look up metrics of text; an unknown one is told those that there are."""
    from likelier.metrics.texts import TEXT_METRICS

    try:
        return metrics_of(text)
    except SettingError as error:
        if not names_of(text):
            raise
        known = ", ".join(metric.name for metric in TEXT_METRICS)
        message = f"metric must be a metric of texts: {known}; got {text!r}."
        raise SettingError(message, hint=error.hint) from error
