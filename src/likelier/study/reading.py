"""Data of a study from files: tables, tagged tokens, chunks, segmented text."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from likelier.data.tag_corpus import TagCodes
from likelier.data.tag_schemes import spans_to_tags
from likelier.errors import InputError, SettingError
from likelier.readers.columns import read_sheet
from likelier.readers.items import read_columns
from likelier.readers.tagged_files import Column, Layout, look
from likelier.study.data import StudyData


def read_table(
    path: Path,
    *,
    input: str | list[str] = "text",  # noqa: A002 (the word of the TOML)
    gold: str = "gold",
    groups: str | None = None,
) -> StudyData:
    """Read texts, or rows of texts, with their labels.

    Parameters
    ----------
    path
        A CSV, TSV, JSONL or Parquet file.
    input
        The column that systems see, or several of them; then each item is a list.
    gold
        The column of labels.
    groups
        The column of what must stay together in a fold.
    """
    if not isinstance(input, str | list) or not isinstance(gold, str):
        message = f"input and gold must name columns; got {input!r} and {gold!r}."
        raise SettingError(message)
    several = not isinstance(input, str)
    names = list(input) if several else [str(input)]
    wanted = [*names, gold, *([] if groups is None else [groups])]
    columns, _ = read_columns(path, list(dict.fromkeys(wanted)))
    rows = [list(row) for row in zip(*(columns[n] for n in names), strict=True)]
    inputs = rows if several else columns[names[0]]
    return StudyData(
        inputs, columns[gold], groups=None if groups is None else columns[groups]
    )


def read_tags(
    path: Path, *, token: Column | None = None, column: Column | None = None
) -> StudyData:
    """Read tokens with one tag each, from CoNLL-U or columns.

    Parameters
    ----------
    path
        The file, gzipped or not.
    token, column
        The columns of tokens and of tags.
    """
    tokens, told = _sentences(path, token, column)
    return StudyData(tokens, told, "tags")


def read_chunks(
    path: Path,
    *,
    scheme: str,
    token: Column | None = None,
    column: Column | None = None,
) -> StudyData:
    """Read tokens with tags of chunks.

    Parameters
    ----------
    path
        The file, gzipped or not.
    scheme
        The scheme of the tags.
    token, column
        The columns of tokens and of tags.
    """
    tokens, told = _sentences(path, token, column)
    return StudyData(tokens, told, "chunks", scheme=scheme)


def _sentences(
    path: Path, token: Column | None, column: Column | None
) -> tuple[list[list[str]], list[list[str]]]:
    file = look(path, Layout(forms=token))
    codes = TagCodes()
    place = file.column(column)
    sheet = read_sheet(file.file, file.form, [place], token=file.token, codes=codes)
    names = list(codes)
    forms = [form.decode() for form in sheet.forms.to_pylist()]
    told = [names[code] for code in sheet.codes[0].tolist()]
    ends = list(pairwise(sheet.offsets.tolist()))
    return [forms[a:b] for a, b in ends], [told[a:b] for a, b in ends]


def read_segmented(path: Path, *, encoding: str = "utf-8") -> StudyData:
    """Read text whose words stand between blanks; characters are the tokens.

    Parameters
    ----------
    path
        The file, one sentence per line.
    encoding
        The encoding of the file.
    """
    inputs, gold = [], []
    for words in _lines(path, encoding):
        inputs.append([character for word in words for character in word])
        ends = [0]
        for word in words:
            ends.append(ends[-1] + len(word))
        spans = [(start, end, "") for start, end in pairwise(ends)]
        gold.append(spans_to_tags(spans, len(inputs[-1]), "bmes"))
    return StudyData(inputs, gold, "chunks", scheme="bmes")


def _lines(path: Path, encoding: str) -> Iterator[list[str]]:
    # A mark of the byte order is no character of the text.
    known = "utf-8-sig" if encoding == "utf-8" else str(encoding)
    try:
        text = path.read_text(encoding=known)
    except (OSError, UnicodeError, LookupError) as error:
        message = f"{path} must be a text file in the encoding {encoding}; {error}."
        raise InputError(message) from error
    return (line.split() for line in text.split("\n") if line.split())


READERS: dict[str, Callable[..., Any]] = {
    "table": read_table,
    "tags": read_tags,
    "chunks": read_chunks,
    "segmented": read_segmented,
}
