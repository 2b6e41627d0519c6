"""Code by its name: module:object, what it is made of, and its packages' versions."""

import ast
import hashlib
import importlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from likelier.errors import LikelierError, SettingError
from likelier.study import own_modules
from likelier.study.own_modules import module_file


def load(target: str, folder: Path | None, files: Mapping[str, str]) -> Any:
    """Import an object by its name, looking beside the study first.

    Parameters
    ----------
    target
        ``module:object``, where the object may be an attribute of another.
    folder
        Where modules of the study lie.
    files
        Fingerprints of the study's own modules, as `sources` gives them: just these
        are loaded, also where an older version of them was loaded before.

    Examples
    --------
    >>> load("json:dumps", None, {}).__name__
    'dumps'
    """
    module, _, name = target.partition(":")
    if not module or not name:
        message = f"Code must be named as module:object; got {target!r}."
        raise SettingError(message)
    if folder is not None:
        own_modules.expect(folder, files)
    try:
        found: Any = importlib.import_module(module)
    except LikelierError:
        raise
    except ModuleNotFoundError as error:
        where = "" if folder is None else f" in {folder} or"
        message = f"{target!r} must be found{where} among packages; {error}."
        raise SettingError(message) from error
    except Exception as error:
        kind = type(error).__name__
        message = f"{target!r} must be imported without an error; {kind}: {error}."
        raise SettingError(message) from error
    for part in name.split("."):
        if not hasattr(found, part):
            message = f"{target!r} must exist; {module} has no {part!r}."
            raise SettingError(message)
        found = getattr(found, part)
    return found


@dataclass(frozen=True)
class Sources:
    """What a piece of code is made of.

    Attributes
    ----------
    files
        Fingerprints of the study's own modules that it needs, by name.
    packages
        The installed packages that these import.
    """

    files: dict[str, str]
    packages: tuple[str, ...]


def sources(module: str, folder: Path | None) -> Sources:
    """Follow the imports of a module through the files beside the study."""
    files: dict[str, str] = {}
    roots: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        path = None if folder is None else module_file(name, folder)
        if path is not None and name.partition(".")[0] in sys.stdlib_module_names:
            if name == module:
                message = f"{path} must have another name: Python has a module {name}."
                raise SettingError(message)
            path = None
        if path is None:
            roots.add(name.partition(".")[0])
        elif name not in files:
            text = path.read_bytes()
            files[name] = hashlib.sha256(text).hexdigest()
            waiting += _imports(_parsed(text, path), name, path.stem == "__init__")
            waiting += [name.rpartition(".")[0]] if "." in name else []
    outside = roots - set(sys.stdlib_module_names) - {""}
    return Sources(dict(sorted(files.items())), distributions(sorted(outside)))


def _parsed(text: bytes, path: Path) -> ast.AST:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError) as error:
        message = f"{path} must be Python; {error}."
        raise SettingError(message) from error


def _imports(tree: ast.AST, module: str, package: bool) -> Iterator[str]:  # noqa: FBT001
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = module.split(".")
            above = parts[: len(parts) - node.level + package] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield base
            # What is imported may be a module itself; names that are none lead nowhere.
            yield from (f"{base}.{alias.name}" for alias in node.names)


def distributions(roots: Sequence[str]) -> tuple[str, ...]:
    """Name the installed packages that hold importable modules."""
    if not roots:
        return ()
    found = _installed()
    return tuple(sorted({name for root in roots for name in found.get(root, ())}))


@cache
def _installed() -> dict[str, list[str]]:
    return dict(metadata.packages_distributions())


@cache
def version_of(package: str) -> str:
    """Give the version of an installed package, or say that it is missing."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "missing"
