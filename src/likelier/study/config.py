"""Studies from TOML files."""

import inspect
import re
import tomllib
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from likelier import designs
from likelier.errors import InputError, LikelierError, SettingError, unknown_name
from likelier.readers.file import read_settings
from likelier.streams import as_seed
from likelier.study.commands import CommandSystem
from likelier.study.definition import Study
from likelier.study.own_modules import check_target, load, sources
from likelier.study.study_data import READERS, StudyData, as_study_data
from likelier.study.systems import NamedSystem, System

_KEYS = (
    "name", "seed", "rope", "mass", "metrics", "positive", "let", "design", "data",
    "systems", "store",
)  # fmt: skip
_OBJECT_KEYS = ("object", "settings", "scheme", "files")
_COMMAND_KEYS = (
    "predict", "train", "time_limit", "files", "environment", "object", "scheme",
)  # fmt: skip
_VARIABLE = re.compile(r"\$(\$?)\{([^}]*)\}")

Table = dict[str, Any]


def read_toml(
    path: str | PathLike[str], *, let: Mapping[str, str] | None = None
) -> Study:
    """Read a study from a TOML file, and load its data.

    Parameters
    ----------
    path
        The file; modules and relative paths are looked for in its folder.
    let
        Values for ``${name}`` in the file, instead of those under ``[let]``.
    """
    return StudyFile.read(path, let=let).study()


@dataclass(frozen=True)
class StudyFile:
    """TOML file of a study, with values put in for ``${name}``."""

    path: Path
    settings: Table

    @classmethod
    def read(
        cls, path: str | PathLike[str], *, let: Mapping[str, str] | None = None
    ) -> "StudyFile":
        """Read a file, but none of its data."""
        file = Path(path)
        try:
            settings = tomllib.loads(read_settings(file))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            message = f"{file} must be TOML; {error}."
            raise InputError(message) from error
        return cls(file, _fill(settings, let or {}, file))

    @property
    def store(self) -> Path:
        """File that keeps the results: named in the TOML, or beside it."""
        name = _text(self.settings, "store")
        if name == "":
            message = f"{self.path}: store must be the name of a file; it is empty."
            raise SettingError(message)
        return self.path.with_suffix(".db") if name is None else self.path.parent / name

    def study(self) -> Study:
        """Make the study, and load its data."""
        settings, folder = self.settings, self.path.resolve().parent
        _check_keys(settings, _KEYS, kind=f"{self.path}: key")
        with _located(f"{self.path}"):
            seed = as_seed(settings.get("seed", 0))
            return Study(
                data=self._make_all("data", lambda table: _data(table, folder)),
                systems=self._make_all("systems", lambda table: _system(table, folder)),
                design=_design(settings.get("design", {}), seed),
                metrics=settings.get("metrics"),
                positive=settings.get("positive"),
                rope=settings.get("rope"),
                mass=settings.get("mass", 0.95),
                seed=seed,
                name=str(_text(settings, "name", self.path.stem)),
            )

    def _make_all(self, key: str, make: Callable[[Table], Any]) -> dict[str, Any]:
        """Make all data sets, or all systems, from their tables."""
        tables = _table(self.settings.get(key, {}), f"{self.path}: {key}")
        if not tables:
            message = (
                f"{self.path} must have at least one table [{key}.NAME]; it has none."
            )
            raise InputError(message)
        made = {}
        for name, table in tables.items():
            where = f"{self.path}: [{key}.{name}]"
            with _located(where):
                made[name] = make(dict(_table(table, where)))
        return made


@contextmanager
def _located(where: str) -> Iterator[None]:
    """Add to errors where in the file they are; Python's own become errors, too."""
    try:
        yield
    except LikelierError as error:
        if error.message.startswith(where):
            raise
        message = f"{where}: {error.message}"
        raise type(error)(message, hint=error.hint) from error
    except (TypeError, ValueError, AttributeError) as error:
        message = f"{where}: a setting cannot be used; {error}."
        raise SettingError(message) from error


def _text(settings: Table, key: str, default: str | None = None) -> str | None:
    value = settings.get(key, default)
    if value is not None and not isinstance(value, str | int):
        message = f"{key} must be a text; got {value!r}."
        raise SettingError(message)
    return None if value is None else str(value)


def _table(value: Any, where: str) -> Table:
    if not isinstance(value, dict):
        message = f"{where} must be a table; got {value!r}."
        raise InputError(message)
    return value


def _check_keys(table: Table, keys: Sequence[str], *, kind: str = "key") -> None:
    for key in table:
        if key not in keys:
            raise unknown_name(key, keys, kind=kind)


def _fill(settings: Table, let: Mapping[str, str], file: Path) -> Table:
    """Put values in for ``${name}``; ``$${name}`` stands for itself."""
    defaults = _table(settings.pop("let", {}), f"{file}: let")
    values = {**defaults, **let}
    used: set[str] = set()

    def value(match: re.Match[str]) -> str:
        if match[1]:
            return match[0][1:]
        used.add(match[2])
        if match[2] not in values:
            message = f"{file}: ${{{match[2]}}} must have a value; there is none."
            raise InputError(message, hint=f"--let {match[2]}=VALUE, or under [let]")
        return str(values[match[2]])

    filled: Table = _replace_texts(settings, lambda text: _VARIABLE.sub(value, text))
    for name in let:
        if name not in used and name not in defaults:
            message = f"let must name a ${{name}} of {file}; got {name!r}."
            raise InputError(message)
    return filled


def _replace_texts(part: Any, replace: Callable[[str], str]) -> Any:
    if isinstance(part, str):
        return replace(part)
    if isinstance(part, list):
        return [_replace_texts(inner, replace) for inner in part]
    if isinstance(part, dict):
        return {key: _replace_texts(inner, replace) for key, inner in part.items()}
    return part


def _design(value: Any, seed: int) -> designs.Design:
    table = dict(_table(value, "[design]"))
    name = table.pop("name", "mx2")
    if not isinstance(name, str) or name not in designs.DESIGNS:
        raise unknown_name(name, designs.DESIGNS, kind="[design] name")
    make = designs.DESIGNS[name]
    parameters = inspect.signature(make).parameters
    keys = [key for key in parameters if key not in ("seed", "drawn_seed", "units")]
    _check_keys(table, keys, kind=f"[design] setting of {name}")
    if not isinstance(table.get("stratify", True), bool):
        message = f"[design] stratify must be true or false; got {table['stratify']!r}."
        raise SettingError(message)
    if isinstance(table.get("shares"), list):
        table["shares"] = tuple(table["shares"])
    return make(**table, seed=seed)


def _data(table: Table, folder: Path) -> StudyData:
    reader, loader = table.pop("reader", None), table.pop("loader", None)
    if (reader is None) == (loader is None):
        message = "There must be a reader or a loader, and one of them only."
        raise SettingError(message, hint='reader = "table" or loader = "module:name"')
    if reader is not None and "path" not in table:
        message = f"The reader {reader} must have a path."
        raise SettingError(message)
    make = _loader(loader, folder) if reader is None else _reader(reader)
    if "path" in table:
        table["path"] = folder / str(_text(table, "path"))
    name = reader or loader
    try:
        inspect.signature(make).bind(**table)
    except (TypeError, ValueError) as error:
        message = f"{name} must take the further settings; {error}."
        raise SettingError(message) from error
    try:
        return as_study_data(make(**table))
    except LikelierError:
        raise
    except (Exception, SystemExit) as error:
        kind = type(error).__name__
        last = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(last.filename).name}:{last.lineno}"
        message = (
            f"{name} must load the data without an error; {kind} at {where}: {error}."
        )
        raise InputError(message) from error


def _loader(target: str, folder: Path) -> Callable[..., Any]:
    check_target(target, folder)
    files = sources(target.partition(":")[0], folder).files
    make = load(target, folder, files)
    if not callable(make):
        message = f"{target} must be a function; got {make!r}."
        raise SettingError(message)
    return make


def _reader(name: Any) -> Callable[..., Any]:
    if not isinstance(name, str) or name not in READERS:
        raise unknown_name(name, READERS, kind="reader")
    return READERS[name]


def _system(table: Table, folder: Path) -> System:
    if "object" in table:
        _check_keys(table, _OBJECT_KEYS)
        return NamedSystem(
            table["object"],
            _table(table.get("settings", {}), "settings"),
            folder,
            table.get("scheme"),
            table.get("files", ()),
        )
    _check_keys(table, _COMMAND_KEYS)
    if "predict" not in table:
        message = "There must be an object, or commands that train and predict."
        hint = 'object = "module:name", or predict = ["./tagger", "{test}", …]'
        raise SettingError(message, hint=hint)
    return CommandSystem(**table, folder=folder)
