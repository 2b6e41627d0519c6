"""Part-of-speech and other tags: one per token, from CoNLL-U and column files."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from os import PathLike
from typing import Any, get_args

import numpy as np

from likelier.data.outcomes import Outcomes
from likelier.data.parse_statistics import PARSE_METRICS
from likelier.data.tag_corpus import TagCodes
from likelier.data.token_tags import ClusterName, TaggedTokens, Vocabulary
from likelier.errors import InputError, SettingError, unknown_name
from likelier.metrics.metric import Metric
from likelier.readers.file import (
    File,
    Paths,
    cut_findings,
    find_file,
    find_files,
    text_blocks,
)
from likelier.readers.reader import (
    Description,
    ReadRequest,
    TokenItems,
    read_outcomes,
)
from likelier.readers.token_columns import (
    CONLLU,
    Column,
    TokenColumns,
    TokenFile,
    describe_tokens,
    read_agreeing,
    tag_columns,
)
from likelier.readers.token_lines import (
    COMMENTS,
    COMMENTS_WITHOUT_TABS,
    LineFormat,
    separator_byte,
    start_rows,
)

Forms = str | PathLike[str] | Collection[str]

TAG_METRICS = ("token_accuracy", "sentence_accuracy", "oov_accuracy")
_MISSING = ("_", "")
_ID = re.compile(rb"[0-9]+([-.][0-9]+)?")
_NO_ROW = (b"#", b"-DOCSTART-")


def read_tagged(
    paths: Paths,
    *,
    metric: str | Metric = "token_accuracy",
    column: Column | None = None,
    gold: Column | None = None,
    systems: Sequence[str] | Mapping[str, Column] | None = None,
    token: Column | None = None,
    train: Paths | None = None,
    vocabulary: Forms | None = None,
    lowercase: bool = False,
    cluster: str | None = "sentence",
    separator: str | None = None,
    comments: bool | None = None,
) -> Outcomes:
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
    >>> read_tagged(path, metric="sentence_accuracy").sums()["correct"]
    array([[1.]])
    >>> read_tagged(path, metric="oov_accuracy", vocabulary={"Ada", "She"})
    <Outcomes of first: 1 items, 1 patterns, 2 classes>
    >>> folder.cleanup()
    """
    reader = TagReader(
        token=token,
        comments=comments,
        train=train,
        vocabulary=vocabulary,
        lowercase=lowercase,
    )
    request = ReadRequest(
        gold=gold, systems=systems, label=column, cluster=cluster, separator=separator
    )
    return reader.read(paths, request, [tag_metric(metric)])[0]


def tag_metric(metric: str | Metric) -> str:
    """Return the name of a metric of tags."""
    name = metric.name if isinstance(metric, Metric) else metric
    if name in PARSE_METRICS:
        message = f"{name} must be read from parses, not tags."
        raise SettingError(message, hint=f"readers.read_parsed(paths, metric={name!r})")
    if name not in TAG_METRICS:
        raise unknown_name(name, TAG_METRICS, kind="metric")
    return name


def read_sentences(
    path: str | PathLike[str], *, token: Column | None, column: Column | None
) -> tuple[list[list[str]], list[list[str]]]:
    """Read the tokens and the tags of one file, sentence by sentence.

    Parameters
    ----------
    path
        The file.
    token, column
        The columns of tokens and of tags, as in `read_tagged`.
    """
    file, numbers = TagReader(token=token).token_file(find_file(path)), TagCodes()
    content = file.read([file.number(column)], numbers=numbers)
    names = list(numbers)
    forms = [form.decode() for form in content.forms.to_pylist()]
    tags = [names[code] for code in content.codes[0].tolist()]
    ends = list(pairwise(content.offsets.tolist()))
    return [forms[a:b] for a, b in ends], [tags[a:b] for a, b in ends]


def is_conllu(file: File) -> bool:
    """Return whether a file is CoNLL-U, by its ending or by its first row."""
    cells = _first_row(file).split(b"\t")
    numbered = len(cells) == len(CONLLU) and _ID.fullmatch(cells[0]) is not None
    return numbered or file.bare.suffix.lower() == ".conllu"


def has_trees(file: File) -> bool:
    """Return whether a file is CoNLL-U, and its first word has a head."""
    rows = (line.split(b"\t") for line in file.start_lines)
    words = (row for row in rows if len(row) == len(CONLLU) and row[0].isdigit())
    return next((row[CONLLU.index("head")].isdigit() for row in words), False)


def _first_row(file: File) -> bytes:
    with file.open() as handle:
        for line in handle:
            if line.strip() and not line.startswith(_NO_ROW):
                return line.rstrip(b"\r\n")
    return b""


@dataclass(frozen=True, kw_only=True)
class TagReader:
    """Reader of one tag per token; the settings are those of `read_tagged`."""

    name: str = "columns"
    token: Column | None = None
    comments: bool | None = None
    train: Paths | None = None
    vocabulary: Forms | None = None
    lowercase: bool = False

    def sniff(self, file: File) -> bool:
        """Return whether a file is CoNLL-U, or has columns of tokens."""
        if self.name == "conllu":
            return is_conllu(file)
        return file.bare.suffix.lower() == ".conll" or bool(start_rows(file))

    def describe(self, files: Sequence[File]) -> Description:
        """Describe files of tags; their items are tokens."""
        tokens = [self.token_file(file) for file in files]
        return describe_tokens(tokens, format=self.name, kind="tags", unit="tokens")

    def read(
        self, paths: Paths, request: ReadRequest, metrics: Sequence[str]
    ) -> list[Outcomes]:
        """Count the items of metrics, reading the files once."""
        if "oov_accuracy" not in metrics and (self._has_forms or self.lowercase):
            message = (
                "train, vocabulary and lowercase must come with oov_accuracy; the "
                f"metric is {', '.join(metrics)}."
            )
            raise SettingError(message)
        for metric in metrics:
            self._check_metric(metric)
        return read_outcomes(self, paths, request, metrics)

    def _check_metric(self, metric: str | None) -> None:
        """Refuse unknown metrics, and one that needs forms where there are none."""
        if metric is not None and metric not in TAG_METRICS:
            raise unknown_name(metric, TAG_METRICS, kind="metric")
        if metric == "oov_accuracy" and not self._has_forms:
            message = "oov_accuracy must know which forms were seen; got none."
            hint = "Give the training files (train) or a list of forms (vocabulary)."
            raise SettingError(message, hint=hint)

    @contextmanager
    def items(
        self, files: Sequence[File], request: ReadRequest
    ) -> Iterator[TokenItems]:
        """Read the tags of files that agree in their tokens."""
        clusters = get_args(ClusterName)
        if request.cluster is not None and request.cluster not in clusters:
            raise unknown_name(request.cluster, clusters, kind="cluster")
        token_files = [self.token_file(file, request.separator) for file in files]
        systems, columns = tag_columns(token_files, request)
        tags, contents = read_agreeing(token_files, columns)
        for content in contents:
            _check_tags(content, tags)
        first = contents[0]
        tokens = TaggedTokens(
            systems=systems,
            tags=tags,
            codes=np.column_stack([c for content in contents for c in content.codes]),
            offsets=first.offsets,
            forms=first.forms,
            documents=first.document_numbers,
            sentences=first.sentences,
            source=f"tags {token_files[0].title(columns[0][0] % first.width)}",
        )
        training = [
            self.token_file(file, request.separator).read(numbers=TagCodes())
            for file in ([] if self.train is None else find_files(self.train))
        ]
        vocabulary = self._vocabulary(training)
        cluster: Any = request.cluster

        def count(metric: str | None) -> Outcomes:
            self._check_metric(metric)
            if metric == "sentence_accuracy":
                return tokens.sentence_outcomes(cluster)
            if metric == "oov_accuracy":
                return tokens.unseen_outcomes(cluster, vocabulary)
            return tokens.token_outcomes(cluster)

        yield TokenItems(cut_findings([*contents, *training]), count)

    def token_file(self, file: File, separator: str | None = None) -> TokenFile:
        """Find out how a file is laid out, as far as the settings do not say so."""
        mark, comments = separator_byte(separator), self.comments
        if mark is None and is_conllu(file):
            pattern = None if comments is False else COMMENTS
            form = LineFormat(b"\t", pattern, ids=True)
            return TokenFile(file, form, self.token, conllu=True)
        pattern = COMMENTS if comments else None
        if comments is None and mark in (None, b"\t") and b"\t" in _first_row(file):
            pattern = COMMENTS_WITHOUT_TABS
        return TokenFile(file, LineFormat(mark, pattern), self.token)

    @property
    def _has_forms(self) -> bool:
        return self.train is not None or self.vocabulary is not None

    def _vocabulary(self, training: Sequence[TokenColumns]) -> Vocabulary:
        """Collect the forms of training files and those that are listed."""
        forms = [form for t in training for form in t.forms.unique().to_pylist()]
        if self.vocabulary is not None:
            forms += _listed_forms(self.vocabulary)
        return Vocabulary.of(forms, lowercase=self.lowercase)


READERS = (TagReader(name="conllu"), TagReader())


def _check_tags(content: TokenColumns, tags: Sequence[str]) -> None:
    """Refuse tokens without a tag, by their line."""
    missing = [code for code, tag in enumerate(tags) if tag in _MISSING]
    if not missing:
        return
    for codes in content.codes:
        bad = np.flatnonzero(np.isin(codes, missing))
        if bad.size:
            row = int(bad[0])
            message = (
                f"{content.at(row)}: every token must have a tag; got "
                f"{tags[codes[row]]!r}."
            )
            raise InputError(message, hint="Is it the right column?")


def _listed_forms(vocabulary: Forms) -> Collection[str | bytes]:
    """Return forms, or read them from a file with one form per line."""
    if isinstance(vocabulary, str | PathLike):
        forms: dict[bytes, None] = {}
        for text, _, _ in text_blocks(find_file(vocabulary)):
            forms.update(dict.fromkeys(text.split(b"\n")))
        forms.pop(b"", None)
        return forms
    wrong = [form for form in vocabulary if not isinstance(form, str)]
    if wrong:
        message = f"vocabulary must hold strings; got {wrong[0]!r}."
        raise InputError(message)
    if not vocabulary:
        message = "vocabulary must hold at least one form; it is empty."
        raise InputError(message)
    return vocabulary
