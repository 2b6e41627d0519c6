"""Version of the package that runs."""

from functools import cache
from importlib.metadata import version


@cache
def package_version() -> str:
    """Return the version of likelier that runs."""
    return version("likelier")
