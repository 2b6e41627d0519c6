"""One line that lets anybody make the same number again."""

from dataclasses import dataclass
from importlib.metadata import version


@dataclass(frozen=True)
class Recipe:
    """How a number was made.

    Attributes
    ----------
    metric
        The metric and its settings.
    method
        The method and its settings, with draws and seed where it is random.
    data
        What the data were: their hash, items, how they were read.
    extra
        What else the result rests on, such as the rope and the mass.

    Examples
    --------
    >>> print(Recipe("f1 positive=spam", "paired", "sha 3f9a", ("rope ±0.01",)))
    likelier ... | f1 positive=spam | paired | sha 3f9a | rope ±0.01
    """

    metric: str
    method: str
    data: str
    extra: tuple[str, ...] = ()

    def __str__(self) -> str:
        parts = (f"likelier {package_version()}", self.metric, self.method, self.data)
        return " | ".join((*parts, *self.extra))


def package_version() -> str:
    """Return the version of likelier that runs."""
    return version("likelier")
