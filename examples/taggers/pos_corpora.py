"""Sentences with Penn-style tags: UD English EWT and MASC.

Both loaders leave out nothing but sentences that cannot be read as tokens with tags,
and take sentences at even steps through the whole corpus, so that a small study sees
every genre.
"""

import gzip
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile

from likelier.study import StudyData

EWT_PARTS = ("train", "dev", "test")

MASC_TAGS = (
    "CC CD DT EX FW IN JJ JJR JJS LS MD NN NNS NNP NNPS PDT POS PRP PRP$ RB RBR RBS RP "
    "SYM TO UH VB VBD VBG VBN VBP VBZ WDT WP WP$ WRB # $ . , : ( ) ` `` ' '' \" - ..."
)


class Sentence(NamedTuple):
    """Tokens, their tags, and the document that they come from."""

    tokens: list[str]
    tags: list[str]
    document: str


def ewt(path: str, sentences: int | None = None, documents: bool = False) -> StudyData:  # noqa: FBT001, FBT002
    """Read UD English EWT with its XPOS tags.

    Parameters
    ----------
    path
        The folder with the three parts: gzipped columns of form, UPOS and XPOS.
    sentences
        How many sentences to take; by default all.
    documents
        Whether the sentences of one document must stay in one fold.
    """
    found = [
        sentence
        for part in EWT_PARTS
        for sentence in _ewt_part(Path(path, f"en_ewt.{part}.form_upos_xpos.tsv.gz"))
    ]
    return _study_data(found, sentences, documents=documents)


def masc(path: str, sentences: int | None = None, documents: bool = False) -> StudyData:  # noqa: FBT001, FBT002
    """Read the tagged part of MASC.

    Parameters
    ----------
    path
        The zip file: texts with one sentence per line, tokens as ``form_TAG``.
    sentences, documents
        As in `ewt`.
    """
    with ZipFile(path) as archive:
        names = sorted(name for name in archive.namelist() if _is_text(name))
        found = [
            sentence
            for name in names
            for sentence in _masc_text(archive.read(name).decode("utf-8"), name)
        ]
    return _study_data(found, sentences, documents=documents)


def _ewt_part(path: Path) -> Iterator[Sentence]:
    document, rows = "", []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            # A form may begin with #, but a comment has no tab.
            if line.startswith("# sent_id = "):
                document = line.strip().removeprefix("# sent_id = ").rpartition("-")[0]
            elif "\t" in line:
                rows.append(line.rstrip("\n").split("\t"))
            elif rows and not line.strip():
                yield _sentence(rows, document)
                rows = []
    if rows:
        yield _sentence(rows, document)


def _sentence(rows: Iterable[Sequence[str]], document: str) -> Sentence:
    forms, _, tags = zip(*rows, strict=True)
    return Sentence(list(forms), list(tags), document)


def _is_text(name: str) -> bool:
    return name.endswith(".txt") and not name.endswith("/categories.txt")


def _masc_text(text: str, document: str) -> Iterator[Sentence]:
    known = frozenset(MASC_TAGS.split())
    for line in text.split("\n"):
        # Forms may hold underlines and no-break spaces, so only a blank ends a token,
        # and only the last underline begins a tag.
        pairs = [token.rpartition("_") for token in line.split(" ") if token.strip()]
        # Forms with a blank fall apart into pieces without tags; a few tags are slips.
        if pairs and all(form and tag in known for form, _, tag in pairs):
            tokens, _, tags = zip(*pairs, strict=True)
            yield Sentence(list(tokens), list(tags), document)


def _study_data(
    found: Sequence[Sentence], sentences: int | None, *, documents: bool
) -> StudyData:
    kept = evenly(found, sentences)
    return StudyData(
        inputs=[sentence.tokens for sentence in kept],
        gold=[sentence.tags for sentence in kept],
        task="tags",
        groups=[sentence.document for sentence in kept] if documents else None,
    )


def evenly(found: Sequence[Sentence], count: int | None) -> Sequence[Sentence]:
    """Take some sentences at even steps."""
    if count is None or count >= len(found):
        return found
    return [found[place * len(found) // count] for place in range(count)]
