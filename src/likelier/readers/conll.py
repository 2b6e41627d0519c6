"""CoNLL columns of chunk tags: one token per line, blank lines between sentences."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from likelier.data.chunks import tag_outcomes
from likelier.data.tag_corpus import TagCodes, TagCorpus
from likelier.readers.agreement import check_agreement
from likelier.readers.blocks import COMMENTS, Form, separator_byte
from likelier.readers.columns import columns_of_many, columns_of_one, read_sheet
from likelier.readers.formats import detect
from likelier.readers.lines import ChunkReading, Paths, cut_findings, path_list


def read_conll(
    paths: Paths,
    *,
    scheme: str | Sequence[str],
    gold: int | None = None,
    systems: Sequence[str] | Mapping[str, int] | None = None,
    token: int = 0,
    separator: str | None = None,
    strict: bool = False,
    typed: bool = True,
    only: str | None = None,
    documents: bool = False,
    comments: bool = False,
) -> ChunkReading:
    r"""Count the chunks of one file with a column per system, or of several files.

    Parameters
    ----------
    paths
        One file with columns of gold tags and of predicted tags; or the gold file and
        then one file per system, with the same tokens. Text may be gzipped.
    scheme, strict, typed, only
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
    >>> read_conll(path, scheme="iob2").outcomes
    <Outcomes of first: 2 items, 2 patterns, 1 classes>
    >>> folder.cleanup()
    """
    files = [detect(path) for path in path_list(paths)]
    form = Form(separator_byte(separator), COMMENTS if comments else None)
    if len(files) == 1:
        names, wanted = columns_of_one(gold=gold, systems=systems)
    else:
        names, wanted = columns_of_many(files, gold=gold, systems=systems)
    codes = TagCodes()
    tokens = token if len(files) > 1 else None
    sheets = [
        read_sheet(file, form, columns, token=tokens, codes=codes)
        for file, columns in zip(files, wanted, strict=True)
    ]
    first = sheets[0]
    for sheet in sheets[1:]:
        check_agreement(first, sheet)
    columns = [(sheet, part) for sheet in sheets for part in sheet.codes]
    corpus = TagCorpus(
        tuple(codes), tuple(part for _, part in columns), np.diff(first.offsets)
    )
    outcomes = tag_outcomes(
        corpus,
        systems=names,
        scheme=scheme,
        strict=strict,
        typed=typed,
        only=only,
        cluster=first.document_numbers() if documents else None,
        where=lambda tagger, row: f"{columns[tagger][0].at(row)}: a tag",
        start=1,
    )
    return ChunkReading(replace(outcomes, findings=cut_findings(sheets)))
