"""Version of the package that runs."""

from importlib.metadata import version


def package_version() -> str:
    """Return the version of likelier that runs."""
    return version("likelier")
