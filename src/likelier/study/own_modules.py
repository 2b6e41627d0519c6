"""Modules of a study's own: located, followed through imports, loaded as hashed.

Python keeps a module once it is loaded, and its compiled form as long as time and size
of the file are the same. A worker that lives on, or a notebook, would so run old code
under the fingerprint of the new. So these modules are loaded from just the source that
was fingerprinted. Installed packages count by their versions.
"""

import ast
import hashlib
import importlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import metadata
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import find_spec, spec_from_file_location
from pathlib import Path
from threading import RLock
from types import CodeType, ModuleType
from typing import Any, NamedTuple

from likelier.errors import LikelierError, SettingError, unknown_name

_MISSING = "missing"
# What defines names that cannot be read off the source.
_MAKE_NAMES = {"globals", "setattr", "exec", "vars"}
_SCOPES = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
)  # fmt: skip
_lock = RLock()


class OwnFile(NamedTuple):
    """File of one of the study's own modules, and its fingerprint."""

    path: str
    digest: str


class Sources(NamedTuple):
    """Code that an object needs.

    Attributes
    ----------
    files
        The study's own modules, by name.
    packages
        The installed packages that these import.
    """

    files: dict[str, OwnFile]
    packages: tuple[str, ...]

    def digests(self) -> dict[str, str]:
        """Return the fingerprints of the modules by name, wherever they lie."""
        return {name: file.digest for name, file in self.files.items()}


# --- names ----------------------------------------------------------------------------


def load(target: str, folder: Path | None, files: Mapping[str, OwnFile]) -> Any:
    """Import an object by its name, looking beside the study first.

    Parameters
    ----------
    target
        ``module:object``, where the object may be an attribute of another.
    folder
        Where modules of the study lie.
    files
        The study's own modules, as `sources` returns them: just these are loaded, also
        where an older version of them was loaded before.

    Examples
    --------
    >>> load("json:dumps", None, {}).__name__
    'dumps'
    """
    module, name = split_target(target)
    try:
        value: Any = _import_module(module, folder, files)
    except LikelierError:
        raise
    except ModuleNotFoundError as error:
        raise _not_found(target, folder, str(error)) from error
    except (Exception, SystemExit) as error:
        kind = type(error).__name__
        message = f"{target!r} must be imported without an error; {kind}: {error}."
        raise SettingError(message) from error
    for part in name.split("."):
        if not hasattr(value, part):
            message = f"{target!r} must exist; {module} has no {part!r}."
            raise SettingError(message)
        value = getattr(value, part)
    return value


def split_target(target: object) -> tuple[str, str]:
    """Split module:object.

    Examples
    --------
    >>> split_target("sklearn.svm:LinearSVC")
    ('sklearn.svm', 'LinearSVC')
    """
    module, _, name = target.partition(":") if isinstance(target, str) else ("", "", "")
    if not all(part.isidentifier() for part in (*module.split("."), *name.split("."))):
        message = f"Code must be named as module:object; got {target!r}."
        raise SettingError(message)
    return module, name


def check_target(target: object, folder: Path | None) -> None:
    """Check that a name exists, as far as that is seen without importing."""
    module, name = split_target(target)
    path = _own_file(module, folder)
    if path is None:
        if _find_spec(module.partition(".")[0]) is None:
            raise _not_found(target, folder, "there is none")
        return
    names = _defined_names(_parse(path.read_bytes(), path))
    if names is None or name.partition(".")[0] in names:
        return
    if not names:
        message = f"{target!r} must exist; {path} defines nothing."
        raise SettingError(message)
    raise unknown_name(name, names, kind=f"the object of {module}")


def _not_found(target: object, folder: Path | None, reason: str) -> SettingError:
    where = "" if folder is None else f" in {folder} or"
    return SettingError(f"{target!r} must be found{where} among packages; {reason}.")


def _find_spec(root: str) -> ModuleSpec | None:
    try:
        return find_spec(root)
    except (ImportError, ValueError):
        return None


def _defined_names(tree: ast.Module) -> set[str] | None:
    """Return the names of a module; None where only running it would tell them."""
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    names = {name for node in _outermost(tree) for name in _bound_names(node)}
    return None if {"*", "__getattr__"} & names or used & _MAKE_NAMES else names


def _outermost(node: ast.AST) -> Iterator[ast.AST]:
    """Go through a module, but not into functions and classes."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, _SCOPES):
            yield from _outermost(child)


def _bound_names(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
        yield node.name
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, ast.Import | ast.ImportFrom):
        yield from ((a.asname or a.name).partition(".")[0] for a in node.names)


# --- sources --------------------------------------------------------------------------


def sources(module: str, folder: Path | None) -> Sources:
    """Follow the imports of a module through the files beside the study."""
    files: dict[str, OwnFile] = {}
    roots: set[str] = set()
    waiting = [module]
    if folder is not None and module.partition(".")[0] in sys.stdlib_module_names:
        path = _module_file(module, folder)
        if path is not None:
            message = f"{path} must have another name: Python has a module {module}."
            raise SettingError(message)
    while waiting:
        name = waiting.pop()
        path = _own_file(name, folder)
        if path is None:
            roots.add(name.partition(".")[0])
        elif name not in files:
            text = path.read_bytes()
            files[name] = OwnFile(str(path), hashlib.sha256(text).hexdigest())
            waiting += _imports(_parse(text, path), name, path.stem == "__init__")
            waiting += [name.rpartition(".")[0]] if "." in name else []
    outside = roots - set(sys.stdlib_module_names) - {""}
    return Sources(dict(sorted(files.items())), distributions(sorted(outside)))


def _module_file(module: str, folder: Path) -> Path | None:
    stem = folder.joinpath(*module.split("."))
    for path in (stem / "__init__.py", stem.with_suffix(".py")):
        if path.is_file():
            return path.resolve()
    return None


def _own_file(module: str, folder: Path | None) -> Path | None:
    """Find the file of a module that no installed package holds.

    It lies beside the study, or somewhere else where Python looks: in a checkout that
    was installed for editing, or in the working folder.
    """
    path = None if folder is None else _module_file(module, folder)
    root = module.partition(".")[0]
    if root in sys.stdlib_module_names or (path is None and root == "likelier"):
        return None
    base = _base(root) if path is None else None
    return _module_file(module, base) if base is not None else path


@cache
def _base(root: str) -> Path | None:
    """Find the folder that a module lies in, unless it is an installed one."""
    spec = _find_spec(root)
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        return None
    origin = Path(spec.origin).resolve()
    if {"site-packages", "dist-packages"} & set(origin.parts):
        return None
    return origin.parent.parent if origin.name == "__init__.py" else origin.parent


def _parse(text: bytes, path: Path) -> ast.Module:
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


# --- loading --------------------------------------------------------------------------


class _Loader(SourceFileLoader):
    """Loader that compiles the source itself, and refuses any but the one expected."""

    def __init__(self, name: str, file: OwnFile) -> None:
        super().__init__(name, file.path)
        self.file = file

    def get_code(self, fullname: str) -> CodeType | None:  # noqa: ARG002
        """Compile the source, without a look at what was compiled before."""
        source = self.get_data(self.path)
        if hashlib.sha256(source).hexdigest() != self.file.digest:
            message = f"{self.path} must not change during a run; it did."
            raise SettingError(message, hint="Run again: results are made anew.")
        return self.source_to_code(source, self.path)


class _Finder:
    """Finder of the modules of the study that is being loaded."""

    files: Mapping[str, OwnFile]
    folder: str

    def __init__(self) -> None:
        self.files, self.folder = {}, ""

    def find_spec(
        self,
        name: str,
        path: Sequence[str] | None = None,  # noqa: ARG002
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        """Find a module that is expected."""
        if name not in self.files:
            return None
        file = Path(self.files[name].path)
        inside = [str(file.parent)] if file.name == "__init__.py" else None
        loader = _Loader(name, self.files[name])
        return spec_from_file_location(
            name, file, loader=loader, submodule_search_locations=inside
        )


_finder = _Finder()


def _import_module(
    module: str, folder: Path | None, files: Mapping[str, OwnFile]
) -> ModuleType:
    """Import a module, and what it imports of the study, as they were fingerprinted."""
    with _lock:
        if _finder not in sys.meta_path:
            sys.meta_path.insert(0, _finder)
        old = [name for name, file in files.items() if _loaded_otherwise(name, file)]
        for name in old:
            sys.modules.pop(name, None)
        if old or str(folder) != _finder.folder:
            # All that were loaded so: any may hold on to an old one.
            for name, loaded in list(sys.modules.items()):
                if isinstance(getattr(loaded, "__loader__", None), _Loader):
                    del sys.modules[name]
        _look_in(folder)
        _finder.files = dict(files)
        return importlib.import_module(module)


def _loaded_otherwise(name: str, file: OwnFile) -> bool:
    """Check whether another module of that name is loaded; it must not be installed."""
    loaded = sys.modules.get(name)
    if loaded is None:
        return False
    loader = getattr(loaded, "__loader__", None)
    if isinstance(loader, _Loader):
        return loader.file != file
    path = getattr(loaded, "__file__", None)
    own = name.partition(".")[0] == "likelier"
    if own or path is None or "site-packages" in Path(path).parts:
        message = f"{file.path} must have another name: {name} is taken."
        raise SettingError(message)
    return True


def _look_in(folder: Path | None) -> None:
    """Find modules whose names are made up while code runs, in this study only."""
    if _finder.folder not in ("", "None", str(folder)):
        with suppress(ValueError):
            sys.path.remove(_finder.folder)
    if folder is not None and str(folder) not in sys.path:
        sys.path.append(str(folder))
        importlib.invalidate_caches()
    _finder.folder = str(folder)


# --- installed packages ---------------------------------------------------------------


def distributions(roots: Sequence[str]) -> tuple[str, ...]:
    """Name the installed packages that hold importable modules."""
    return tuple(sorted({name for root in roots for name in _distributions(root)}))


@cache
def _distributions(root: str) -> tuple[str, ...]:
    # Most packages are called as their module: no need to look through all of them.
    if version_of(root) != _MISSING:
        return (root,)
    return tuple(_all_distributions().get(root, ()))


@cache
def _all_distributions() -> Mapping[str, list[str]]:
    return metadata.packages_distributions()


@cache
def version_of(package: str) -> str:
    """Return the version of an installed package, or ``missing``."""
    try:
        return metadata.version(package)
    except (metadata.PackageNotFoundError, ValueError):
        return _MISSING
