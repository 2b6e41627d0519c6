"""Modules that lie beside a study, loaded from just the source that was fingerprinted.

Python keeps a module once it is loaded, and its compiled form as long as time and size
of the file are the same. A worker that lives on, or a notebook, would so run old code
under the fingerprint of the new.
"""

import hashlib
import importlib
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from threading import RLock
from types import CodeType, ModuleType
from typing import Any

from likelier.errors import SettingError

_lock = RLock()


def module_file(module: str, folder: Path) -> Path | None:
    """Find the file of a module beside the study."""
    stem = folder.joinpath(*module.split("."))
    for path in (stem / "__init__.py", stem.with_suffix(".py")):
        if path.is_file():
            return path.resolve()
    return None


class _Loader(SourceFileLoader):
    """Compiles the source itself, and refuses any but the one expected."""

    def __init__(self, name: str, path: str, expected: str) -> None:
        super().__init__(name, path)
        self.expected = expected

    def get_code(self, fullname: str) -> CodeType | None:  # noqa: ARG002
        """Compile the source, without a look at what was compiled before."""
        source = self.get_data(self.path)
        if hashlib.sha256(source).hexdigest() != self.expected:
            message = f"{self.path} must not change during a run; it did."
            raise SettingError(message, hint="Run again: results are made anew.")
        return self.source_to_code(source, self.path)


class _Finder:
    """Finds the modules of the study that is being loaded."""

    def __init__(self) -> None:
        self.folder = Path()
        self.files: Mapping[str, str] = {}
        self.added = False

    def find_spec(
        self,
        name: str,
        path: Sequence[str] | None = None,  # noqa: ARG002
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        """Find a module that is expected."""
        expected = self.files.get(name)
        file = None if expected is None else module_file(name, self.folder)
        if expected is None or file is None:
            return None
        inside = [str(file.parent)] if file.name == "__init__.py" else None
        loader = _Loader(name, str(file), expected)
        return spec_from_file_location(
            name, file, loader=loader, submodule_search_locations=inside
        )


_finder = _Finder()


def expect(folder: Path, files: Mapping[str, str]) -> None:
    """Let a study's own modules be loaded from its folder, as they were fingerprinted.

    Parameters
    ----------
    folder
        Where they lie.
    files
        Their fingerprints, by name.
    """
    with _lock:
        if _finder not in sys.meta_path:
            sys.meta_path.insert(0, _finder)
        own = {n: f for n, f in files.items() if module_file(n, folder) is not None}
        old = [name for name in own if _is_other(name, folder, own[name])]
        for name in old:
            _refuse_foreign(name, folder)
        if old:
            # All of them: they hold on to each other.
            for name in own:
                sys.modules.pop(name, None)
        _look_in(folder)
        _finder.folder, _finder.files = folder, own


def _look_in(folder: Path) -> None:
    """Find modules whose names are made up while code runs, in this study only."""
    place, before = str(folder), str(_finder.folder)
    if before != place:
        for name, loaded in list(sys.modules.items()):
            loader = getattr(loaded, "__loader__", None)
            if isinstance(loader, _Loader) and folder not in Path(loader.path).parents:
                del sys.modules[name]
    if before != place and _finder.added:
        with suppress(ValueError):
            sys.path.remove(before)
        _finder.added = False
    if place not in sys.path:
        sys.path.append(place)
        _finder.added = True
        importlib.invalidate_caches()


def _is_other(name: str, folder: Path, expected: str) -> bool:
    loaded: Any = sys.modules.get(name)
    if loaded is None:
        return False
    loader = getattr(loaded, "__loader__", None)
    if not isinstance(loader, _Loader) or loader.expected != expected:
        return True
    return Path(loader.path) != module_file(name, folder)


def _refuse_foreign(name: str, folder: Path) -> None:
    """Refuse to put an installed module away for one that has the same name."""
    loaded = sys.modules[name]
    if isinstance(getattr(loaded, "__loader__", None), _Loader):
        return
    file = getattr(loaded, "__file__", None)
    own = name.partition(".")[0] == "likelier"
    if own or file is None or "site-packages" in Path(file).parts:
        path = module_file(name, folder)
        message = f"{path} must have another name: {name} is taken."
        raise SettingError(message)
