"""Read the posts of WNUT-17, with their named entities, as items of a study.

Each part is a gzipped file of one token per line, a tab and its IOB2 tag. Posts end at
an empty line; in the training part many of these hold the tab all the same.
"""

import gzip
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from likelier.data.tag_schemes import tags_to_spans
from likelier.errors import InputError
from likelier.study import StudyData

PARTS = {
    "train": "wnut17train.conll.gz",
    "dev": "emerging.dev.conll.gz",
    "test": "emerging.test.annotated.gz",
}

Post = tuple[tuple[str, str], ...]


def posts(
    path: str | Path, *, parts: Sequence[str] = tuple(PARTS), only: str | None = None
) -> StudyData:
    """Give posts as items: their tokens, and IOB2 tags.

    Parameters
    ----------
    path
        The folder of the corpus.
    parts
        Which of its parts: train, dev, test.
    only
        The one type of entity to keep; all others become ``O``.
    """
    found = [post for part in parts for post in read_posts(Path(path) / _file(part))]
    kept = list(once(found))
    gold = [[narrowed(tag, only) for _, tag in post] for post in kept]
    return StudyData(
        inputs=[[token for token, _ in post] for post in kept],
        gold=gold,
        task="chunks",
        scheme="iob2",
        units=[entity_types(tags) for tags in gold],
    )


def _file(part: str) -> str:
    if part not in PARTS:
        message = f"parts must be among {', '.join(PARTS)}; got {part!r}."
        raise InputError(message)
    return PARTS[part]


def read_posts(file: Path) -> Iterator[Post]:
    """Read the tokens of each post with their tags."""
    post: list[tuple[str, str]] = []
    with gzip.open(file, "rt", encoding="utf-8", newline="\n") as text:
        for number, line in enumerate(text, start=1):
            token, _, tag = line.rstrip("\r\n").partition("\t")
            if token and tag:
                post.append((token, tag))
            elif token or tag:
                message = f"{file}:{number}: must be token, tab, tag; got {line!r}."
                raise InputError(message)
            elif post:
                yield tuple(post)
                post = []
    if post:
        yield tuple(post)


def once(found: Iterable[Post]) -> Iterator[Post]:
    """Leave out posts whose tokens came before: they would be trained on and tested."""
    seen = set()
    for post in found:
        tokens = tuple(token for token, _ in post)
        if tokens not in seen:
            seen.add(tokens)
            yield post


def narrowed(tag: str, only: str | None) -> str:
    """Keep a tag if it is of the one type, or if there is no such type."""
    return tag if only is None or tag.partition("-")[2] == only else "O"


def entity_types(tags: Sequence[str]) -> dict[str, int]:
    """Count the entities of each type.

    Examples
    --------
    >>> entity_types(["B-person", "I-person", "O", "B-group"])
    {'person': 1, 'group': 1}
    """
    return dict(Counter(span.type for span in tags_to_spans(tags, "iob2")))
