"""Studies from TOML files."""

import inspect
import re
import tomllib
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any

from likelier import designs
from likelier.errors import InputError, LikelierError, SettingError, unknown_name
from likelier.streams import as_seed
from likelier.study.commands import Command
from likelier.study.data import StudyData, as_study_data
from likelier.study.sources import check_target, load, sources
from likelier.study.studies import Study
from likelier.study.systems import Named, System

_KEYS = (
    "name", "seed", "rope", "mass", "metrics", "positive", "let", "design", "data",
    "systems", "store",
)  # fmt: skip
_NAME = re.compile(r"\$(\$?)\{([^}]*)\}")


def read_toml(
    path: str | PathLike[str], *, let: Mapping[str, str] | None = None
) -> Study:
    """Read a study from a TOML file, and load its data.

    Parameters
    ----------
    path
        The file; modules and relative paths are looked for in its folder.
    let
        Values for ``${name}`` in the file, in place of those under ``[let]``.
    """
    file = Path(path)
    told = _filled(_parsed(file), let or {}, file)
    folder = file.resolve().parent
    for key in told:
        if key not in _KEYS:
            raise unknown_name(key, _KEYS, kind=f"{file}: key")
    with _told(f"{file}"):
        seed = as_seed(told.get("seed", 0))
        return Study(
            data=_tables(told, "data", file, lambda t: _data(t, folder)),
            systems=_tables(told, "systems", file, lambda t: _system(t, folder)),
            design=_design(told.get("design", {}), seed),
            metrics=told.get("metrics"),
            positive=told.get("positive"),
            rope=told.get("rope"),
            mass=told.get("mass", 0.95),
            seed=seed,
            name=str(_text(told, "name", file.stem)),
        )


def store_of(
    path: str | PathLike[str], *, let: Mapping[str, str] | None = None
) -> Path:
    """Give the file that keeps the results: named in the TOML, or beside it."""
    file = Path(path)
    told = _text(_filled(_parsed(file), let or {}, file), "store", None)
    if told == "":
        message = f"{file}: store must be the name of a file; it is empty."
        raise SettingError(message)
    return file.with_suffix(".db") if told is None else file.parent / told


@contextmanager
def _told(where: str) -> Iterator[None]:
    """Say where in the file an error is; what a setting does to Python is one, too."""
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


def _text(told: Mapping[str, Any], key: str, usual: str | None) -> str | None:
    value = told.get(key, usual)
    if value is not None and not isinstance(value, str | int):
        message = f"{key} must be a text; got {value!r}."
        raise SettingError(message)
    return None if value is None else str(value)


def _parsed(file: Path) -> dict[str, Any]:
    try:
        with file.open("rb") as handle:
            return tomllib.load(handle)
    except OSError as error:
        message = f"{file} must be a file that can be read; {error.strerror}."
        raise InputError(message) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        message = f"{file} must be TOML; {error}."
        raise InputError(message) from error


def _filled(told: dict[str, Any], let: Mapping[str, str], file: Path) -> dict[str, Any]:
    """Put values in for ``${name}``; ``$${name}`` stands for itself."""
    usual = _table(told.pop("let", {}), f"{file}: let")
    values = {**usual, **let}
    used: set[str] = set()

    def value(match: re.Match[str]) -> str:
        if match[1]:
            return match[0][1:]
        used.add(match[2])
        if match[2] not in values:
            message = f"{file}: ${{{match[2]}}} must have a value; there is none."
            raise InputError(message, hint=f"--let {match[2]}=VALUE, or under [let]")
        return str(values[match[2]])

    filled = {key: _replaced(part, value) for key, part in told.items()}
    for name in let:
        if name not in used and name not in usual:
            message = f"let must name a ${{name}} of {file}; got {name!r}."
            raise InputError(message)
    return filled


def _replaced(part: Any, value: Callable[[re.Match[str]], str]) -> Any:
    if isinstance(part, str):
        return _NAME.sub(value, part)
    if isinstance(part, list):
        return [_replaced(inner, value) for inner in part]
    if isinstance(part, dict):
        return {key: _replaced(inner, value) for key, inner in part.items()}
    return part


def _tables(
    told: Mapping[str, Any], key: str, file: Path, make: Callable[[dict[str, Any]], Any]
) -> dict[str, Any]:
    tables = _table(told.get(key, {}), f"{file}: {key}")
    if not tables:
        message = f"{file} must have at least one table [{key}.NAME]; it has none."
        raise InputError(message)
    made = {}
    for name, table in tables.items():
        where = f"{file}: [{key}.{name}]"
        with _told(where):
            made[name] = make(dict(_table(table, where)))
    return made


def _table(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        message = f"{where} must be a table; got {value!r}."
        raise InputError(message)
    return value


def _design(told: Any, seed: int) -> designs.Design:
    table = dict(_table(told, "[design]"))
    name = table.pop("name", "mx2")
    if not isinstance(name, str) or name not in designs.DESIGNS:
        raise unknown_name(name, designs.DESIGNS, kind="[design] name")
    make = designs.DESIGNS[name]
    known = [
        key for key in _settings(make) if key not in ("seed", "drawn_seed", "units")
    ]
    for key in table:
        if key not in known:
            raise unknown_name(key, known, kind=f"[design] setting of {name}")
    if isinstance(table.get("stratify", True), bool) is False:
        message = f"[design] stratify must be true or false; got {table['stratify']!r}."
        raise SettingError(message)
    if isinstance(table.get("shares"), list):
        table["shares"] = tuple(table["shares"])
    return make(**table, seed=seed)


def _settings(make: Callable[..., Any]) -> list[str]:
    return list(inspect.signature(make).parameters)


def _data(table: dict[str, Any], folder: Path) -> StudyData:
    reader, loader = table.pop("reader", None), table.pop("loader", None)
    if (reader is None) == (loader is None):
        message = "There must be a reader or a loader, and one of them only."
        raise SettingError(message, hint='reader = "table" or loader = "module:name"')
    if reader is not None and "path" not in table:
        message = f"The reader {reader} must have a path."
        raise SettingError(message)
    make = _loader(loader, folder) if reader is None else _reader(reader)
    if "path" in table:
        table["path"] = folder / str(_text(table, "path", None))
    try:
        inspect.signature(make).bind(**table)
    except (TypeError, ValueError) as error:
        message = f"{reader or loader} must take the further settings; {error}."
        raise SettingError(message) from error
    return as_study_data(_loaded(make, table, str(reader or loader)))


def _loaded(make: Callable[..., Any], table: Mapping[str, Any], name: str) -> Any:
    try:
        return make(**table)
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
    found = sources(target.partition(":")[0], folder)
    make = load(target, folder, found.files)
    if not callable(make):
        message = f"{target} must be a function; got {make!r}."
        raise SettingError(message)
    return make


def _reader(name: str) -> Callable[..., Any]:
    # Loaded where it is needed: a run that goes on must not wait for it.
    from likelier.study.reading import READERS

    if not isinstance(name, str) or name not in READERS:
        raise unknown_name(name, READERS, kind="reader")
    return READERS[name]


def _system(table: dict[str, Any], folder: Path) -> System:
    target, scheme = table.pop("object", None), table.pop("scheme", None)
    if target is not None:
        settings = _table(table.pop("settings", {}), "settings")
        files = table.pop("files", ())
        _refuse(table, ("object", "settings", "scheme", "files"))
        return Named(target, settings, folder, scheme, files)
    known = ("predict", "train", "time_limit", "files", "environment")
    _refuse(table, (*known, "object", "scheme"))
    if "predict" not in table:
        message = "There must be an object, or commands that train and predict."
        hint = 'object = "module:name", or predict = ["./tagger", "{test}", …]'
        raise SettingError(message, hint=hint)
    return Command(**table, folder=folder, scheme=scheme)


def _refuse(table: Mapping[str, Any], known: Sequence[str]) -> None:
    for key in table:
        if key not in known:
            raise unknown_name(key, known, kind="key")
