"""One entry of a bibliography."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Reference:
    """One entry of a bibliography.

    Attributes
    ----------
    key
        How the entry is called in BibTeX.
    short
        How the text cites it.
    kind
        article, inproceedings, book or misc.
    fields
        What is known of it, by name.

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
    fields: dict[str, str]

    def __str__(self) -> str:
        width = max(map(len, self.fields))
        lines = (
            f"  {name:<{width}} = {{{text}}}," for name, text in self.fields.items()
        )
        return "\n".join([f"@{self.kind}{{{self.key},", *lines, "}"])
