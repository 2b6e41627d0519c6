"""A methods paragraph for a paper, made of what a result itself knows."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass

from likelier.recipe import package_version
from likelier.references import bibliography, shortly


@dataclass(frozen=True)
class Said:
    """A sentence without its full stop, and what it cites.

    Examples
    --------
    >>> print(Said("The prior is uniform", ("zhang2016",)))
    The prior is uniform (Zhang et al., 2016).
    """

    text: str
    cited: tuple[str, ...] = ()

    def __str__(self) -> str:
        return (
            f"{self.text} ({shortly(self.cited)})." if self.cited else f"{self.text}."
        )


class Cited(ABC):
    """A result that says how it was made, in a paragraph with references."""

    @abstractmethod
    def methods(self) -> list[Said]:
        """Give the sentences of the methods paragraph, and what they cite."""

    def paragraph(self) -> str:
        """Give a methods paragraph for a paper, from what the result itself knows."""
        return as_paragraph(self.methods())

    def bibtex(self) -> str:
        """Give what the paragraph cites, as BibTeX."""
        return as_bibtex(self.methods())


def as_paragraph(said: Iterable[Said]) -> str:
    """Write sentences as one paragraph, each of them once, and name the library."""
    told = dict.fromkeys(str(sentence) for sentence in said)
    tool = f"All numbers were computed with likelier {package_version()}."
    return " ".join([*told, tool])


def as_bibtex(said: Iterable[Said]) -> str:
    """Write what the sentences cite as BibTeX, in a fixed order."""
    keys = (key for sentence in said for key in sentence.cited)
    return bibliography(keys, version=package_version())


def listed(names: Iterable[str], *, most: int = 12) -> str:
    """Put names into a row of words; a long one is cut.

    Examples
    --------
    >>> listed(["a", "b", "c"]), listed(["a"]), listed("abcd", most=2)
    ('a, b and c', 'a', 'a, b and 2 more')
    """
    known = list(names)
    if len(known) > most:
        return f"{', '.join(known[:most])} and {len(known) - most:,} more"
    *head, last = known
    return f"{', '.join(head)} and {last}" if head else last
