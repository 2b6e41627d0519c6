"""Part-of-speech and other tags: one per token, from CoNLL-U and column files."""

from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

import numpy as np

from likelier.data.tag_corpus import TagCodes
from likelier.errors import InputError, SettingError, unknown_name
from likelier.metrics import Metric
from likelier.readers.agreement import check_agreement
from likelier.readers.columns import Sheet, read_sheet
from likelier.readers.lines import Paths, cut_findings, path_list
from likelier.readers.sources import Reading
from likelier.readers.tagged_files import (
    Column,
    Layout,
    TagSystems,
    look,
    many_files,
    one_file,
)
from likelier.readers.tokens import ClusterName, TaggedTokens
from likelier.readers.vocabulary import Known, Vocabulary, listed_forms, token_forms

TAG_METRICS = ("token_accuracy", "sentence_accuracy", "oov_accuracy")
_MISSING = ("_", "")


def read_tagged(
    paths: Paths,
    *,
    metric: str | Metric = "token_accuracy",
    column: Column | None = None,
    gold: Column | None = None,
    systems: TagSystems = None,
    token: Column | None = None,
    train: Paths | None = None,
    vocabulary: Vocabulary | None = None,
    lowercase: bool = False,
    cluster: str | None = "sentence",
    separator: str | None = None,
    comments: bool | None = None,
) -> Reading:
    r"""Count the tokens, sentences or unseen tokens whose tags are right.

    Use this for taggers: part of speech, morphology, anything with one tag per token.
    For named entities and phrases use `read_conll`, which counts chunks.

    Parameters
    ----------
    paths
        The gold file and then one file per system, with the same tokens; or one file
        with columns of gold and of predicted tags. A file is CoNLL-U if its name ends
        in ``.conllu`` or its rows are an id and nine more columns between tabs; its
        multi-word tokens and empty nodes are left out. Text may be gzipped.
    metric
        What an item is: ``token_accuracy`` (a token), ``sentence_accuracy`` (a
        sentence, right where every token is) or ``oov_accuracy`` (a token whose form
        is not in `train` or `vocabulary`).
    column
        The column of tags in several files, from 0, or from -1 backwards; in CoNLL-U
        also by name: form, upos or xpos. By default upos, and the last column of
        other files.
    gold
        The column of gold tags, where it is another. In one file by default the last
        before those of the systems.
    systems
        The names of the systems; or names with the columns of their tags. By default
        the last column of one file; the names of several files.
    token
        The column of forms: by default ``form`` in CoNLL-U, and the first of other
        files.
    train
        The file or files that the systems were trained on, in such formats too.
    vocabulary
        A file with one form per line; or the forms. Forms are compared byte for byte,
        without Unicode normalisation.
    lowercase
        Whether forms are lowercased before they are looked up.
    cluster
        What is independent of its like: ``sentence`` (the default: the tokens of a
        sentence are not), ``document`` (``# newdoc`` or ``-DOCSTART-`` lines start
        them) or None, where every token stands for itself.
    separator
        What stands between columns. By default tabs in lines with a tab, and any
        number of blanks in others.
    comments
        Whether lines that begin with ``#`` are comments. By default all in CoNLL-U,
        and those with a blank after it and without a tab in other files with tabs.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "tagged.tsv")
    >>> _ = path.write_text("Ada\tNNP\tNNP\nruns\tVBZ\tNNS\n\nShe\tPRP\tPRP\n")
    >>> read_tagged(path, metric="sentence_accuracy").outcomes.sums()["correct"]
    array([[1.]])
    >>> read_tagged(path, metric="oov_accuracy", vocabulary={"Ada", "She"}).outcomes
    <Outcomes of first: 1 items, 1 patterns, 2 classes>
    >>> folder.cleanup()
    """
    layout = Layout(separator, comments, token)
    wanted = tag_metric(metric)
    group = tag_cluster(cluster)
    check_known([wanted], train=train, vocabulary=vocabulary, lowercase=lowercase)
    tokens = tagged_tokens(
        paths, layout, column=column, gold=gold, systems=systems, metrics=[wanted]
    )
    known, sheets = None, list[Sheet]()
    if wanted == "oov_accuracy":
        known, sheets = known_forms(train, vocabulary, layout, lowercase=lowercase)
    reading = counted(tokens, wanted, cluster=group, known=known)
    findings = (*reading.findings, *cut_findings(sheets))
    return Reading(replace(reading.outcomes, findings=findings))


def tag_metric(metric: str | Metric) -> str:
    """Take one of the metrics of tags."""
    name = metric.name if isinstance(metric, Metric) else metric
    if name not in TAG_METRICS:
        raise unknown_name(name, TAG_METRICS, kind="metric")
    return name


def tag_cluster(cluster: str | None) -> ClusterName | None:
    """Take the name of what is independent."""
    known: tuple[ClusterName, ...] = get_args(ClusterName)
    found = next((name for name in known if name == cluster), None)
    if found is None and cluster is not None:
        raise unknown_name(cluster, known, kind="cluster")
    return found


def check_known(
    metrics: Sequence[str],
    *,
    train: Paths | None,
    vocabulary: Vocabulary | None,
    lowercase: bool,
) -> None:
    """Refuse OOV accuracy without known forms, and known forms without it."""
    given = train is not None or vocabulary is not None
    if "oov_accuracy" in metrics:
        if not given:
            message = "oov_accuracy must know which forms were seen; got none."
            hint = "Give the training files (train) or a list of forms (vocabulary)."
            raise SettingError(message, hint=hint)
    elif given or lowercase:
        message = (
            "train, vocabulary and lowercase must come with oov_accuracy; the metric "
            f"is {', '.join(metrics)}."
        )
        raise SettingError(message)


def tagged_tokens(
    paths: Paths,
    layout: Layout,
    *,
    column: Column | None,
    gold: Column | None,
    systems: TagSystems,
    metrics: Sequence[str],
) -> TaggedTokens:
    """Read the tags of files that agree in their tokens.

    Parameters
    ----------
    paths, column, gold, systems
        As in `read_tagged`.
    layout
        How the files are laid out, where the caller knows better.
    metrics
        What will be counted: only OOV accuracy needs the forms of a single file.
    """
    files = [look(path, layout) for path in path_list(paths)]
    if len(files) == 1:
        names, wanted = one_file(files[0], column=column, gold=gold, systems=systems)
    else:
        names, wanted = many_files(files, column=column, gold=gold, systems=systems)
    codes = TagCodes()
    forms = len(files) > 1 or "oov_accuracy" in metrics
    sheets = [
        read_sheet(
            file.file,
            file.form,
            columns,
            token=file.token if forms else None,
            codes=codes,
        )
        for file, columns in zip(files, wanted, strict=True)
    ]
    tags = tuple(codes)
    for sheet in sheets:
        _check_tags(sheet, tags)
    for sheet in sheets[1:]:
        check_agreement(sheets[0], sheet)
    first = sheets[0]
    return TaggedTokens(
        systems=names,
        tags=tags,
        codes=np.column_stack([part for sheet in sheets for part in sheet.codes]),
        offsets=first.offsets,
        forms=first.forms if forms else None,
        documents=first.document_numbers,
        findings=cut_findings(sheets),
        source=f"tags {files[0].called(wanted[0][0] % first.width)}",
    )


def _check_tags(sheet: Sheet, tags: Sequence[str]) -> None:
    """Refuse tokens without a tag, by their line."""
    missing = [code for code, tag in enumerate(tags) if tag in _MISSING]
    if not missing:
        return
    for part in sheet.codes:
        bad = np.flatnonzero(np.isin(part, missing))
        if bad.size:
            row = int(bad[0])
            message = (
                f"{sheet.at(row)}: every token must have a tag; got "
                f"{tags[part[row]]!r}."
            )
            raise InputError(message, hint="Is it the right column?")


def known_forms(
    train: Paths | None,
    vocabulary: Vocabulary | None,
    layout: Layout,
    *,
    lowercase: bool,
) -> tuple[Known, list[Sheet]]:
    """Collect the forms of training files and of a vocabulary."""
    sheets = []
    for path in [] if train is None else path_list(train):
        file = look(path, layout)
        sheets.append(
            read_sheet(file.file, file.form, [], token=file.token, codes=TagCodes())
        )
    forms = [form for sheet in sheets for form in token_forms(sheet.forms)]
    if vocabulary is not None:
        forms += listed_forms(vocabulary)
    return Known.of(forms, lowercase=lowercase), sheets


def counted(
    tokens: TaggedTokens,
    metric: str,
    *,
    cluster: ClusterName | None,
    known: Known | None,
) -> Reading:
    """Count the items of one metric."""
    if metric == "sentence_accuracy":
        outcomes = tokens.sentence_outcomes(cluster)
    elif metric == "oov_accuracy" and known is not None:
        outcomes = tokens.unseen_outcomes(cluster, known)
    else:
        outcomes = tokens.token_outcomes(cluster)
    return Reading(replace(outcomes, findings=tuple(tokens.findings)))
