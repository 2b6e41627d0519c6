"""What to cite for each method, and the papers as BibTeX."""

from collections.abc import Iterable
from typing import Literal

from likelier.references.entries import REFERENCES
from likelier.references.entry import Reference

# What asks for a method: the same name may mean two methods.
Asked = Literal["items", "null", "estimate", "classes", "scores", "companion"]

# What to cite for each method, by what asks for it and by its name.
CITED: dict[Asked, dict[str, tuple[str, ...]]] = {
    "items": {
        "paired": ("zhang2016",),
        "unpaired": ("zhang2016",),
        "independent": ("wang2019", "goutte2005"),
        "monte-carlo": ("wang2019", "goutte2005"),
    },
    "null": {
        "bootstrap": ("berg2012",),
        "randomization": ("noreen1989",),
        "mcnemar": ("mcnemar1947",),
        "mcnemar-midp": ("mcnemar1947", "fagerland2013"),
        "sign": ("demsar2006",),
        "s-test": ("yang1999",),
        "p-test": ("yang1999",),
    },
    "estimate": {
        "exact-law": ("goutte2005",),
        "paired": ("zhang2016",),
        "bootstrap": ("efron1993",),
    },
    "classes": {"hierarchical": ("zhang2015",)},
    "scores": {
        "correlated-t": ("corani2015", "nadeau2003"),
        "hierarchical": ("corani2017",),
        "signed-rank": ("benavoli2014", "benavoli2017"),
        "sign": ("benavoli2017",),
    },
    "companion": {
        "corrected resampled t": ("nadeau2003",),
        "5x2cv t": ("dietterich1998",),
        "5x2cv F": ("alpaydin1999",),
        "Wilcoxon": ("demsar2006",),
        "Bayesian sign": ("benavoli2017",),
    },
}


def likelier_entry(version: str) -> Reference:
    """Give the entry of this library itself."""
    fields = {
        "author": "{The likelier developers}",
        "title": "likelier: is system {B} really better than system {A}?",
        "note": f"Version {version}, software",
    }
    return Reference("likelier", f"likelier {version}", "misc", fields)


def cites(asked: Asked, name: str) -> tuple[str, ...]:
    """Give what to cite for a method; nothing for one of the user's own.

    Examples
    --------
    >>> cites("items", "paired"), cites("scores", "mine")
    (('zhang2016',), ())
    """
    return CITED[asked].get(name, ())


def shortly(keys: Iterable[str]) -> str:
    """Cite by short names, as in a text.

    Examples
    --------
    >>> shortly(["zhang2016", "rubin1981"])
    'Zhang et al., 2016; Rubin, 1981'
    """
    return "; ".join(REFERENCES[key].short for key in dict.fromkeys(keys))


def bibliography(keys: Iterable[str], *, version: str) -> str:
    """Write the entries of what was cited, and of the library, in a fixed order."""
    cited = set(keys)
    chosen = [one for key, one in REFERENCES.items() if key in cited]
    entries = (*chosen, likelier_entry(version))
    return "\n\n".join(map(str, entries)) + "\n"
