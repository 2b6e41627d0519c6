"""Commands `chunks` and `tags`: systems that tag text."""

from typing import TYPE_CHECKING, Any, cast

import typer

from likelier.cli import data_options as data
from likelier.cli import setting_options as setting
from likelier.cli.option_values import metrics_of, names_of, refuse
from likelier.cli.outputs import Outputs, with_outputs
from likelier.cli.several_systems import compared
from likelier.cli.working import sized, working
from likelier.errors import SettingError, unknown_name

if TYPE_CHECKING:
    from likelier.data.chunk_matches import Match
    from likelier.data.outcomes import Outcomes

_SHORT = {
    "token": "token_accuracy",
    "sentence": "sentence_accuracy",
    "oov": "oov_accuracy",
}
# Options of tags, which segmented text does not have.
_OF_TAGS = ("scheme", "strict", "match", "only", "documents")
# Options of metrics of one tag per token, which parses do not have.
_OF_TOKENS = ("column", "gold", "train", "vocabulary", "lowercase")


@with_outputs({"settings": setting.POSTERIOR}, plots=("posterior",))
def chunks(
    context: typer.Context,
    files: data.TaggedFiles,
    *,
    scheme: data.Scheme = None,
    metric: setting.MetricName = "f1",
    systems: data.Systems = None,
    rope: setting.RopeText = None,
    positive: setting.Positive = None,
    each_class: setting.EachClass = False,
    strict: data.Strict = False,
    match: data.MatchName = "strict",
    only: data.Only = None,
    documents: data.Documents = False,
    segmented: data.Segmented = False,
    beta: setting.Beta = None,
    alpha: setting.Alpha = None,
    settings: dict[str, Any],
    outputs: Outputs,
) -> None:
    """Compare systems that find chunks: named entities, phrases, words.

    likelier chunks gold.conll a.conll b.conll --scheme iob2
    """
    from likelier import readers
    from likelier.metrics import averaged

    outputs = outputs.check(files)
    metrics = metrics_of(metric, beta=beta, alpha=alpha)
    if positive is None and not each_class:
        metrics = [averaged(m, "micro") if m.of_one_class else m for m in metrics]
    names = names_of(systems)
    with working(f"counting chunks of {sized(files)}"):
        if segmented:
            refuse(context, _OF_TAGS, without="tags, without --segmented")
            table = readers.read_segmented(files, systems=names)
        else:
            table = readers.read_conll(
                files,
                scheme=_schemes(scheme),
                systems=names,
                strict=strict,
                match=cast("Match", match),
                only=only,
                documents=documents,
            )
    result = compared(
        context,
        [(metric, table) for metric in metrics],
        each_class=each_class,
        positive=positive,
        rope=rope,
        **settings,
    )
    outputs.deliver(result)


def _schemes(text: str | None) -> str | list[str]:
    """Read the scheme of all files, or one for each."""
    names = names_of(text)
    if not names:
        message = "scheme must name the tags, such as iob2; got none."
        raise SettingError(message, hint="Words between spaces: --segmented")
    return names[0] if len(names) == 1 else names


@with_outputs({"settings": setting.TAG_POSTERIOR}, plots=("posterior",))
def tags(
    context: typer.Context,
    files: data.TagFiles,
    *,
    metric: setting.TagMetric = "token_accuracy",
    systems: data.Systems = None,
    rope: setting.RopeText = None,
    column: data.TagColumn = None,
    gold: data.GoldColumn = None,
    train: data.Train = None,
    vocabulary: data.VocabularyFile = None,
    lowercase: data.Lowercase = False,
    cluster: data.TagCluster = "sentence",
    settings: dict[str, Any],
    outputs: Outputs,
) -> None:
    """Compare taggers and parsers: token, sentence and OOV accuracy, LAS, UAS, CLAS.

    likelier tags gold.conllu a.conllu b.conllu --train train.conllu
    --metric token,sentence,oov

    likelier tags gold.conllu a.conllu b.conllu --metric las,uas
    """
    from likelier import metrics
    from likelier.data.parse_statistics import PARSE_METRICS
    from likelier.readers.parse_reader import ParseReader
    from likelier.readers.reader import ReadRequest
    from likelier.readers.tag_files import TagReader

    outputs = outputs.check(
        [*files, *(train or ()), *([vocabulary] if vocabulary else ())]
    )
    names = _metric_names(metric)
    parsed = [name for name in names if name in PARSE_METRICS]
    tagged = [name for name in names if name not in PARSE_METRICS]
    reader = TagReader(train=train or None, vocabulary=vocabulary, lowercase=lowercase)
    request = ReadRequest(
        label=_column(column),
        gold=_column(gold),
        systems=names_of(systems),
        cluster=None if cluster == "none" else cluster,
    )
    if not tagged:
        refuse(context, _OF_TOKENS, without="token, sentence or OOV accuracy")
    tables: dict[str, Outcomes] = {}
    with working(f"counting tokens of {sized(files)}"):
        for some, read in ((tagged, reader.read), (parsed, ParseReader().read)):
            if some:
                tables |= dict(zip(some, read(files, request, some), strict=True))
    result = compared(
        context,
        [(metrics.named(name), tables[name]) for name in names],
        rope=rope,
        **settings,
    )
    outputs.deliver(result)


def _metric_names(text: str) -> list[str]:
    """Look up the metrics of a comma-separated list, under short names too."""
    from likelier.data.parse_statistics import PARSE_METRICS
    from likelier.readers.tag_files import TAG_METRICS

    names = [_SHORT.get(name, name.lower()) for name in names_of(text) or []]
    if not names:
        message = "metric must name at least one metric; got none."
        raise SettingError(message)
    for name in names:
        if name not in (*TAG_METRICS, *PARSE_METRICS):
            raise unknown_name(name, (*TAG_METRICS, *PARSE_METRICS), kind="metric")
    return list(dict.fromkeys(names))


def _column(text: str | None) -> int | str | None:
    """Read the number or the name of a column."""
    if text is None:
        return None
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() else text
