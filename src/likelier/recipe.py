"""One line that lets anybody make the same number again."""

from dataclasses import dataclass
from importlib.metadata import version

from likelier.errors import plain


@dataclass(frozen=True)
class Recipe:
    """How a number was made.

    Attributes
    ----------
    metric
        The metric and its settings.
    method
        The method and its settings.
    draws
        How many draws and from which seed; empty where nothing is random.
    data
        What the data were, as a hash.
    extra
        What else the result rests on, such as the rope and the mass.

    Examples
    --------
    >>> print(Recipe("f1", "paired", "draws 9 seed 0", "sha 3f9a", ("rope ±0.01",)))
    likelier ... | f1 | paired | draws 9 seed 0 | sha 3f9a | rope ±0.01
    """

    metric: str
    method: str
    draws: str
    data: str
    extra: tuple[str, ...] = ()

    def __str__(self) -> str:
        tool = f"likelier {package_version()}"
        parts = (tool, self.metric, self.method, self.draws, self.data, *self.extra)
        return plain(" | ".join(part for part in parts if part))


def package_version() -> str:
    """Return the version of likelier that runs."""
    return version("likelier")
