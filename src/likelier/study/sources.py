"""Code by its name: module:object, what it is made of, and its packages' versions."""

import ast
import hashlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from likelier.errors import LikelierError, SettingError, unknown_name
from likelier.study.own_modules import OwnFile, import_as_expected, module_file

_MISSING = "missing"
# What defines names that cannot be read off the source.
_MAKE_NAMES = ("globals", "setattr", "exec", "vars")


def load(target: str, folder: Path | None, files: Mapping[str, OwnFile]) -> Any:
    """Import an object by its name, looking beside the study first.

    Parameters
    ----------
    target
        ``module:object``, where the object may be an attribute of another.
    folder
        Where modules of the study lie.
    files
        The study's own modules, as `sources` gives them: just these are loaded, also
        where an older version of them was loaded before.

    Examples
    --------
    >>> load("json:dumps", None, {}).__name__
    'dumps'
    """
    module, name = named_parts(target)
    try:
        found: Any = import_as_expected(module, folder, files)
    except LikelierError:
        raise
    except ModuleNotFoundError as error:
        where = "" if folder is None else f" in {folder} or"
        message = f"{target!r} must be found{where} among packages; {error}."
        raise SettingError(message) from error
    except (Exception, SystemExit) as error:
        kind = type(error).__name__
        message = f"{target!r} must be imported without an error; {kind}: {error}."
        raise SettingError(message) from error
    for part in name.split("."):
        if not hasattr(found, part):
            message = f"{target!r} must exist; {module} has no {part!r}."
            raise SettingError(message)
        found = getattr(found, part)
    return found


def named_parts(target: object) -> tuple[str, str]:
    """Split module:object.

    Examples
    --------
    >>> named_parts("sklearn.svm:LinearSVC")
    ('sklearn.svm', 'LinearSVC')
    """
    module, _, name = target.partition(":") if isinstance(target, str) else ("", "", "")
    parts = [*module.split("."), *name.split(".")]
    if not all(part.isidentifier() for part in parts):
        message = f"Code must be named as module:object; got {target!r}."
        raise SettingError(message)
    return module, name


def check_target(target: object, folder: Path | None) -> None:
    """Refuse a name that cannot be found, as far as that is seen without importing."""
    module, name = named_parts(target)
    path = own_file(module, folder)
    if path is None:
        try:
            found = find_spec(module.partition(".")[0])
        except (ImportError, ValueError):
            found = None
        if found is None:
            where = "" if folder is None else f" in {folder} or"
            message = f"{target!r} must be found{where} among packages; there is none."
            raise SettingError(message)
        return
    known = _defined(_parsed(path.read_bytes(), path))
    if known is not None and name.partition(".")[0] not in known:
        if not known:
            message = f"{target!r} must exist; {path} defines nothing."
            raise SettingError(message)
        raise unknown_name(name, known, kind=f"the object of {module}")


def _defined(tree: ast.Module) -> set[str] | None:
    """Give the names that a module defines; None where only running it would tell."""
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    names = {name for node in _outermost(tree) for name in _bound(node)}
    return None if {"*", "__getattr__"} & names or used & set(_MAKE_NAMES) else names


def _outermost(node: ast.AST) -> Iterator[ast.AST]:
    """Go through a module, but not into functions and classes."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, _INNER):
            yield from _outermost(child)


_INNER = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
)  # fmt: skip


def _bound(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
        yield node.name
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, ast.Import | ast.ImportFrom):
        yield from ((a.asname or a.name).partition(".")[0] for a in node.names)


def own_file(module: str, folder: Path | None) -> Path | None:
    """Find the file of a module that no installed package holds.

    It lies beside the study, or somewhere else where Python looks: in a checkout that
    was installed for editing, or in the working folder.
    """
    path = None if folder is None else module_file(module, folder)
    root = module.partition(".")[0]
    if root in sys.stdlib_module_names or (path is None and root == "likelier"):
        return None
    base = _base(root) if path is None else None
    return module_file(module, base) if base is not None else path


@cache
def _base(root: str) -> Path | None:
    """Find the folder that a module lies in, unless it is an installed one."""
    try:
        found = find_spec(root)
    except (ImportError, ValueError):
        return None
    if found is None or found.origin is None or not found.origin.endswith(".py"):
        return None
    origin = Path(found.origin).resolve()
    if {"site-packages", "dist-packages"} & set(origin.parts):
        return None
    return origin.parent.parent if origin.name == "__init__.py" else origin.parent


@dataclass(frozen=True)
class Sources:
    """What a piece of code is made of.

    Attributes
    ----------
    files
        The study's own modules that it needs, by name.
    packages
        The installed packages that these import.
    """

    files: dict[str, OwnFile]
    packages: tuple[str, ...]

    def digests(self) -> dict[str, str]:
        """Give the fingerprints of the modules by name, wherever they lie."""
        return {name: file.digest for name, file in self.files.items()}


def sources(module: str, folder: Path | None) -> Sources:
    """Follow the imports of a module through the files beside the study."""
    files: dict[str, OwnFile] = {}
    roots: set[str] = set()
    waiting = [module]
    if folder is not None and module.partition(".")[0] in sys.stdlib_module_names:
        path = module_file(module, folder)
        if path is not None:
            message = f"{path} must have another name: Python has a module {module}."
            raise SettingError(message)
    while waiting:
        name = waiting.pop()
        path = own_file(name, folder)
        if path is None:
            roots.add(name.partition(".")[0])
        elif name not in files:
            text = path.read_bytes()
            files[name] = OwnFile(str(path), hashlib.sha256(text).hexdigest())
            waiting += _imports(_parsed(text, path), name, path.stem == "__init__")
            waiting += [name.rpartition(".")[0]] if "." in name else []
    outside = roots - set(sys.stdlib_module_names) - {""}
    return Sources(dict(sorted(files.items())), distributions(sorted(outside)))


def _parsed(text: bytes, path: Path) -> ast.Module:
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
    return tuple(sorted({name for root in roots for name in _held_by(root)}))


@cache
def _held_by(root: str) -> tuple[str, ...]:
    # Most packages are called as their module: no need to look through all of them.
    if version_of(root) != _MISSING:
        return (root,)
    return tuple(_installed().get(root, ()))


@cache
def _installed() -> dict[str, list[str]]:
    return dict(metadata.packages_distributions())


@cache
def version_of(package: str) -> str:
    """Give the version of an installed package, or say that it is missing."""
    try:
        return metadata.version(package)
    except (metadata.PackageNotFoundError, ValueError):
        return _MISSING
