"""Sentences of a methods paragraph, the papers they cite, and BibTeX entries."""

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from likelier._version import package_version


class Sentence(NamedTuple):
    """Sentence without its full stop, and the keys of what it cites.

    Examples
    --------
    >>> print(Sentence("The prior is uniform", ("zhang2016",)))
    The prior is uniform (Zhang et al., 2016).
    """

    text: str
    cites: tuple[str, ...] = ()

    def __str__(self) -> str:
        cited = f" ({cite(self.cites)})" if self.cites else ""
        return f"{self.text}{cited}."


class Reference(NamedTuple):
    """Entry of a bibliography.

    Examples
    --------
    >>> print(Reference("a2020", "A, 2020", "book", {"author": "A", "year": "2020"}))
    @book{a2020,
      author = {A},
      year   = {2020},
    }
    """

    key: str
    short: str
    kind: str
    fields: Mapping[str, str]

    def __str__(self) -> str:
        width = max(map(len, self.fields))
        lines = (
            f"  {name:<{width}} = {{{text}}}," for name, text in self.fields.items()
        )
        return "\n".join([f"@{self.kind}{{{self.key},", *lines, "}"])


@cache
def references() -> dict[str, Reference]:
    """Read the papers that sentences may cite, by their keys."""
    text = (files("likelier") / "references.toml").read_text(encoding="utf-8")
    return {
        key: Reference(key, entry["short"], entry["kind"], entry["fields"])
        for key, entry in tomllib.loads(text).items()
    }


def cite(keys: Iterable[str]) -> str:
    """Cite by short names, as in a text.

    Examples
    --------
    >>> cite(["zhang2016", "rubin1981"])
    'Zhang et al., 2016; Rubin, 1981'
    """
    return "; ".join(references()[key].short for key in dict.fromkeys(keys))


def as_paragraph(sentences: Iterable[Sentence]) -> str:
    """Write sentences as one paragraph, each of them once, and name the library."""
    tool = f"All numbers were computed with likelier {package_version()}."
    return " ".join([*dict.fromkeys(map(str, sentences)), tool])


def as_bibtex(sentences: Iterable[Sentence]) -> str:
    """Write what sentences cite, and the library, as BibTeX in a fixed order."""
    keys = {key for sentence in sentences for key in sentence.cites}
    papers = [paper for key, paper in references().items() if key in keys]
    return "\n\n".join(map(str, (*papers, _library()))) + "\n"


def _library() -> Reference:
    version = package_version()
    fields = {
        "author": "{The likelier developers}",
        "title": "likelier: is system {B} really better than system {A}?",
        "note": f"Version {version}, software",
    }
    return Reference("likelier", f"likelier {version}", "misc", fields)
