"""Systems: objects with fit and predict, by their name or as they are."""

import copy
import inspect
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from likelier.data.tag_schemes import tag_scheme
from likelier.errors import SettingError
from likelier.study.fingerprints import (
    check_unchanged,
    digest,
    file_digests,
    full_name,
    packages_of,
)
from likelier.study.own_modules import Sources, check_target, load, sources, version_of

if TYPE_CHECKING:
    from likelier.study.study_data import Task


class Predictor(Protocol):
    """Object that learns from items and then predicts others."""

    def fit(self, inputs: Any, gold: Any) -> Any:
        """Learn from items."""

    def predict(self, inputs: Any) -> Any:
        """Predict items."""


class System(Protocol):
    """Maker of a predictor for each fold, anywhere."""

    @property
    def packages(self) -> tuple[str, ...]:
        """Installed packages whose versions matter."""

    @property
    def scheme(self) -> str | None:
        """Scheme in which it learns and predicts chunks, where it has its own."""

    def digest(self) -> str:
        """Return the fingerprint of everything that makes the system what it is."""

    def pinned(self) -> "System":
        """Note what its files are now; `make` refuses any other."""

    def make(self, seed: int, task: "Task") -> Predictor:
        """Make a new predictor."""


@dataclass(frozen=True)
class NamedSystem:
    """System by the name of its code, made anew for each fold.

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
        Its code, and fingerprints of its files, where they were noted.
    """

    target: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    folder: Path | None = None
    scheme: str | None = None
    files: Sequence[str] = ()
    code: Sources | None = None
    contents: Mapping[str, str] | None = None

    def __post_init__(self) -> None:
        check_scheme(self.scheme)
        if not isinstance(self.settings, Mapping):
            message = f"settings must be a table; got {self.settings!r}."
            raise SettingError(message)
        if self.code is None:
            check_target(self.target, self.folder)

    @property
    def packages(self) -> tuple[str, ...]:
        """Installed packages whose versions matter."""
        return self._sources().packages

    def pinned(self) -> "NamedSystem":
        """Note what its modules and files are now; `make` refuses any other."""
        return replace(self, code=self._sources(), contents=self._file_digests())

    def _file_digests(self) -> dict[str, str]:
        texts = [value for value in self.settings.values() if isinstance(value, str)]
        return file_digests(self.folder, texts, must=self.files)

    def _sources(self) -> Sources:
        return self.code or sources(self.target.partition(":")[0], self.folder)

    def digest(self) -> str:
        """Return the fingerprint of name, settings, own modules, or package version.

        Packages that the study's own modules import are noted with each fold, but do
        not count here: a new release of one is no new system.
        """
        code = self._sources()
        versions = {} if code.files else {p: version_of(p) for p in code.packages}
        contents = self._file_digests() if self.contents is None else self.contents
        settings = self.settings, self.scheme, contents
        return digest(self.target, *settings, code.digests(), versions)

    def make(self, seed: int, task: "Task") -> Predictor:  # noqa: ARG002
        """Make a new predictor."""
        check_unchanged(self.contents, self._file_digests())
        value = load(self.target, self.folder, self._sources().files)
        return _make(value, self.settings, seed, self.target)


@dataclass(frozen=True)
class ObjectSystem:
    """System that is an object; each fold gets a copy of it.

    Attributes
    ----------
    value
        The object, or a class or function that makes one.
    scheme
        The scheme in which it learns and predicts chunks, where not that of the data.
    """

    value: Any
    scheme: str | None = None

    def __post_init__(self) -> None:
        check_scheme(self.scheme)

    @property
    def packages(self) -> tuple[str, ...]:
        """Installed packages whose versions matter."""
        return packages_of(self.value)

    def pinned(self) -> "ObjectSystem":
        """Return the object: it is its own code."""
        return self

    def digest(self) -> str:
        """Return the fingerprint of the object's class, its parameters and packages."""
        versions = {package: version_of(package) for package in self.packages}
        return digest(self.value, self.scheme, versions)

    def make(self, seed: int, task: "Task") -> Predictor:  # noqa: ARG002
        """Make a new predictor."""
        name = full_name(self.value if callable(self.value) else type(self.value))
        return _make(self.value, {}, seed, name)


def _make(value: Any, settings: Mapping[str, Any], seed: int, name: str) -> Predictor:
    """Make a predictor by a class or function, or by copying an object."""
    predicts = hasattr(value, "predict") and not inspect.isclass(value)
    if callable(value) and not predicts:
        _check_settings(value, settings, name)
        # A copy: what one fold does to them must not reach the next.
        made = value(**copy.deepcopy(dict(settings)))
    elif settings:
        message = f"{name!r} must be a class or function to have settings."
        raise SettingError(message)
    else:
        made = _copy(value)
    return _seed(made, seed, name)


def _check_settings(make: Any, settings: Mapping[str, Any], name: str) -> None:
    try:
        signature = inspect.signature(make)
    except (TypeError, ValueError):
        return
    try:
        signature.bind(**settings)
    except TypeError as error:
        message = f"{name!r} must take its settings; {error}."
        raise SettingError(message) from error


def _copy(value: Any) -> Any:
    """Copy a system without anything that it learned, as far as can be seen."""
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


def _seed(value: Any, seed: int, name: str) -> Predictor:
    """Set the seed of a system, wherever it has a random state without one."""
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
    """Check the name of a scheme, if there is one."""
    if scheme is not None:
        tag_scheme(scheme if isinstance(scheme, str) else repr(scheme))


def as_system(value: Any) -> System:
    """Return a system as it is, by its name, or of an object."""
    if isinstance(value, str):
        return NamedSystem(value)
    if all(hasattr(value, name) for name in ("make", "pinned", "digest", "packages")):
        return value
    return ObjectSystem(value)
