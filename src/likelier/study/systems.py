"""Systems: objects with fit and predict, by their name or as they are, or commands."""

import copy
import inspect
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from likelier.data.tag_schemes import tag_scheme
from likelier.errors import SettingError
from likelier.study.data import Task
from likelier.study.digest import digest, named, packages_of
from likelier.study.file_digests import check_contents, file_digests
from likelier.study.sources import (
    Sources,
    check_target,
    load,
    sources,
    version_of,
)


class Predictor(Protocol):
    """What learns from items and then predicts others."""

    def fit(self, inputs: Any, gold: Any) -> Any:
        """Learn from items."""

    def predict(self, inputs: Any) -> Any:
        """Predict items."""


class System(Protocol):
    """What makes a predictor for each fold, anywhere."""

    @property
    def packages(self) -> tuple[str, ...]:
        """The installed packages whose versions matter."""

    @property
    def scheme(self) -> str | None:
        """The scheme in which it learns and predicts chunks, where it has its own."""

    def digest(self) -> str:
        """Give the fingerprint of everything that makes the system what it is."""

    def pinned(self) -> "System":
        """Note what its files are now; `made` refuses any other."""

    def made(self, seed: int, task: Task) -> Predictor:
        """Make a new predictor."""


@dataclass(frozen=True)
class Named:
    """A system by the name of its code, made anew for each fold.

    Attributes
    ----------
    target
        ``module:object``: a class or a function that makes the system, or an object.
    settings
        Arguments of the class or function.
    folder
        Where modules of the study lie.
    scheme
        The scheme in which it learns and predicts chunks, where not that of the data.
    files
        Further files that make it what it is, relative to the folder. Texts among the
        settings that name a file there count anyway.
    code, contents
        What its code and its files are, where that was noted.
    """

    target: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    folder: Path | None = None
    scheme: str | None = None
    files: Sequence[str] = ()
    code: Sources | None = None
    contents: Mapping[str, str] | None = None

    @property
    def packages(self) -> tuple[str, ...]:
        """The installed packages whose versions matter."""
        return self._sources().packages

    def __post_init__(self) -> None:
        check_scheme(self.scheme)
        if not isinstance(self.settings, Mapping):
            message = f"settings must be a table; got {self.settings!r}."
            raise SettingError(message)
        if self.code is None:
            check_target(self.target, self.folder)

    def pinned(self) -> "Named":
        """Note what its modules are now; `made` refuses any other."""
        return replace(self, code=self._sources(), contents=self._contents())

    def _contents(self) -> dict[str, str]:
        named_files = [v for v in self.settings.values() if isinstance(v, str)]
        return file_digests(self.folder, named_files, must=self.files)

    def _sources(self) -> Sources:
        return self.code or sources(self.target.partition(":")[0], self.folder)

    def digest(self) -> str:
        """Give the fingerprint of name, settings, own modules, or package and version.

        Packages that the study's own modules import are noted with each fold, but do
        not count here: a new release of one is no new system.
        """
        found = self._sources()
        versions = {} if found.files else {p: version_of(p) for p in found.packages}
        contents = self._contents() if self.contents is None else self.contents
        settings = self.settings, self.scheme, contents
        return digest(self.target, *settings, found.digests(), versions)

    def made(self, seed: int, task: Task) -> Predictor:  # noqa: ARG002
        """Make a new predictor."""
        check_contents(self.contents, self._contents())
        found = load(self.target, self.folder, self._sources().files)
        if callable(found) and not _predicts(found):
            _check_settings(found, self.settings, self.target)
            # A copy: what one fold does to it must not reach the next.
            settings = copy.deepcopy(dict(self.settings))
            return seeded(found(**settings), seed, self.target)
        if self.settings:
            message = f"{self.target!r} must be a class or function to have settings."
            raise SettingError(message)
        return seeded(copied(found), seed, self.target)


@dataclass(frozen=True)
class Object:
    """A system that was given as an object; each fold gets a copy of it.

    Attributes
    ----------
    value
        The object, or a class or function that makes one.
    scheme
        The scheme in which it learns and predicts chunks, where not that of the data.
    """

    value: Any
    scheme: str | None = None

    @property
    def packages(self) -> tuple[str, ...]:
        """The installed packages whose versions matter."""
        return packages_of(self.value)

    def __post_init__(self) -> None:
        check_scheme(self.scheme)

    def pinned(self) -> "Object":
        """Give the object: it is its own code."""
        return self

    def digest(self) -> str:
        """Give the fingerprint of the object's class, its parameters and packages."""
        versions = {package: version_of(package) for package in self.packages}
        return digest(self.value, self.scheme, versions)

    def made(self, seed: int, task: Task) -> Predictor:  # noqa: ARG002
        """Make a new predictor."""
        name = named(self.value if callable(self.value) else type(self.value))
        if callable(self.value) and not _predicts(self.value):
            _check_settings(self.value, {}, name)
            return seeded(self.value(), seed, name)
        return seeded(copied(self.value), seed, name)


def _check_settings(make: Any, settings: Mapping[str, Any], target: str) -> None:
    try:
        taken = inspect.signature(make)
    except (TypeError, ValueError):
        return
    try:
        taken.bind(**settings)
    except TypeError as error:
        message = f"{target!r} must take its settings; {error}."
        raise SettingError(message) from error


def _predicts(found: Any) -> bool:
    """Tell an object that predicts from a class whose objects do."""
    return hasattr(found, "predict") and not inspect.isclass(found)


def copied(value: Any) -> Any:
    """Copy a system without anything that it learned, where it can be told."""
    if _is_estimator(value):
        from sklearn.base import clone

        return clone(value)
    try:
        return copy.deepcopy(value)
    except Exception as error:
        message = f"A system must be an object that can be copied; {error}."
        hint = "Give a class or a function that makes it."
        raise SettingError(message, hint=hint) from error


def _is_estimator(value: Any) -> bool:
    return hasattr(value, "get_params") and hasattr(value, "set_params")


def seeded(value: Any, seed: int, name: str) -> Predictor:
    """Give a system its seed, wherever it has a random state without one."""
    for method in ("fit", "predict"):
        if not callable(getattr(value, method, None)):
            message = f"{name!r} must have fit and predict; {method} is missing."
            raise SettingError(message)
    if _is_estimator(value):
        states = {
            key: seed
            for key, state in sorted(value.get_params().items())
            if key.rpartition("__")[2] == "random_state" and state is None
        }
        return value.set_params(**states) if states else value
    if getattr(value, "random_state", seed) is None:
        # Where it cannot be set it is the system's own business.
        with suppress(AttributeError):
            value.random_state = seed
    return value


def check_scheme(scheme: object) -> None:
    """Refuse an unknown scheme."""
    if scheme is not None:
        tag_scheme(scheme if isinstance(scheme, str) else repr(scheme))


def as_system(value: Any, folder: Path | None = None) -> System:
    """Take a system as it is, by its name, or as an object."""
    if isinstance(value, str):
        return Named(value, folder=folder)
    if all(hasattr(value, name) for name in ("made", "pinned", "digest", "packages")):
        return value
    return Object(value)
