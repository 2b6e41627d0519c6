"""CoNLL columns of chunk tags: one token per line, blank lines between sentences."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from likelier.data.chunk_matches import Match
from likelier.data.chunks import tag_outcomes
from likelier.data.encoding import Clusters
from likelier.data.outcomes import Outcomes
from likelier.data.tag_corpus import TagCorpus
from likelier.readers.file import File, Paths, cut_findings
from likelier.readers.reader import (
    Description,
    ReadRequest,
    TokenItems,
    read_outcomes,
)
from likelier.readers.token_columns import (
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

_CHUNK_TAG = re.compile(rb"O|[BIESLUMW](-.+)?")


def read_conll(
    paths: Paths,
    *,
    scheme: str | Sequence[str],
    gold: int | None = None,
    systems: Sequence[str] | Mapping[str, int] | None = None,
    token: int = 0,
    separator: str | None = None,
    strict: bool = False,
    match: Match = "strict",
    only: str | None = None,
    documents: bool = False,
    comments: bool = False,
) -> Outcomes:
    r"""Count the chunks of one file with a column per system, or of several files.

    Parameters
    ----------
    paths
        One file with columns of gold tags and of predicted tags; or the gold file and
        then one file per system, with the same tokens. Text may be gzipped.
    scheme, strict, match, only
        As in `Outcomes.from_chunks`.
    gold
        The column of gold tags, from 0, or from -1 backwards. By default the last
        before those of the systems; in several files the last.
    systems
        The names of the systems; or names with the columns of their tags. By default
        the last column of one file; the names of several files.
    token
        The column of tokens, which must agree between files.
    separator
        What stands between columns. By default tabs in lines with a tab, and any
        number of blanks in others.
    documents
        Whether sentences are summed over documents, which ``-DOCSTART-`` lines start.
    comments
        Whether lines that begin with ``#`` are comments, as in CoNLL-U; ``# newdoc``
        starts a document then.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "tagged.conll")
    >>> _ = path.write_text("Ada B-PER B-PER\nLovelace I-PER O\n\nruns O O\n")
    >>> read_conll(path, scheme="iob2")
    <Outcomes of first: 2 items, 2 patterns, 1 classes>
    >>> folder.cleanup()
    """
    reader = ChunkReader(
        scheme=scheme,
        strict=strict,
        match=match,
        only=only,
        token=token,
        comments=comments,
    )
    request = ReadRequest(
        gold=gold,
        systems=systems,
        cluster="document" if documents else None,
        separator=separator,
    )
    return read_outcomes(reader, paths, request)[0]


@dataclass(frozen=True, kw_only=True)
class ChunkReader:
    """Reader of columns of chunk tags; the settings are those of `read_conll`."""

    name: str = "conll"
    scheme: str | Sequence[str] = "iob2"
    strict: bool = False
    match: Match = "strict"
    only: str | None = None
    token: int = 0
    comments: bool = False

    def sniff(self, file: File) -> bool:
        """Return whether the last column has tags of chunks only."""
        rows = start_rows(file)
        return bool(rows) and all(_CHUNK_TAG.fullmatch(row[-1]) for row in rows)

    def describe(self, files: Sequence[File]) -> Description:
        """Describe files of chunk tags; their items are sentences."""
        form = LineFormat(comments=COMMENTS_WITHOUT_TABS)
        tokens = [TokenFile(file, form) for file in files]
        return describe_tokens(
            tokens, format=self.name, kind="chunks", unit="sentences"
        )

    @contextmanager
    def items(
        self, files: Sequence[File], request: ReadRequest
    ) -> Iterator[TokenItems]:
        """Read the tags of files that agree in their tokens."""
        comments = COMMENTS if self.comments else None
        form = LineFormat(separator_byte(request.separator), comments)
        tokens = [TokenFile(file, form, self.token) for file in files]
        systems, numbers = tag_columns(tokens, request)
        tags, contents = read_agreeing(tokens, numbers)
        first = contents[0]
        columns = [(content, codes) for content in contents for codes in content.codes]
        codes = tuple(codes for _, codes in columns)

        def count(_metric: str | None) -> Outcomes:
            return tag_outcomes(
                TagCorpus(tags, codes, np.diff(first.offsets)),
                systems=systems,
                scheme=self.scheme,
                strict=self.strict,
                match=self.match,
                only=self.only,
                clusters=first.document_clusters() if request.cluster else Clusters(),
                texts=first.sentences,
                where=lambda tagger, row: f"{columns[tagger][0].at(row)}: a tag",
                start=1,
            )

        yield TokenItems(cut_findings(contents), count)


READERS = (ChunkReader(),)
