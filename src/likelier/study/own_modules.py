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
from typing import Any, NamedTuple

from likelier.errors import SettingError

_lock = RLock()


def module_file(module: str, folder: Path) -> Path | None:
    """Find the file of a module beside the study."""
    stem = folder.joinpath(*module.split("."))
    for path in (stem / "__init__.py", stem.with_suffix(".py")):
        if path.is_file():
            return path.resolve()
    return None


class OwnFile(NamedTuple):
    """The file of one of the study's own modules, and its fingerprint."""

    path: str
    digest: str


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
        self.files: Mapping[str, OwnFile] = {}
        self.folder = ""

    def find_spec(
        self,
        name: str,
        path: Sequence[str] | None = None,  # noqa: ARG002
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        """Find a module that is expected."""
        expected = self.files.get(name)
        if expected is None:
            return None
        file = Path(expected.path)
        inside = [str(file.parent)] if file.name == "__init__.py" else None
        return spec_from_file_location(
            name,
            file,
            loader=_Loader(name, expected.path, expected.digest),
            submodule_search_locations=inside,
        )


_finder = _Finder()


def import_as_expected(
    module: str, folder: Path | None, files: Mapping[str, OwnFile]
) -> ModuleType:
    """Import a module, and what it imports of the study, as they were fingerprinted.

    Parameters
    ----------
    module
        Its name.
    folder
        Where modules of the study lie.
    files
        The study's own modules that it needs, by name.
    """
    with _lock:
        if _finder not in sys.meta_path:
            sys.meta_path.insert(0, _finder)
        old = [name for name in files if _is_other(name, files[name])]
        for name in old:
            _refuse_foreign(name, files[name].path)
            sys.modules.pop(name, None)
        if old or str(folder) != _finder.folder:
            # All that were loaded so: any may hold on to an old one.
            _forget_all()
        _look_in(folder)
        _finder.files = dict(files)
        return importlib.import_module(module)


def _forget_all() -> None:
    for name, loaded in list(sys.modules.items()):
        if isinstance(getattr(loaded, "__loader__", None), _Loader):
            del sys.modules[name]


def _look_in(folder: Path | None) -> None:
    """Find modules whose names are made up while code runs, in this study only."""
    place = str(folder)
    if _finder.folder not in ("", "None", place):
        with suppress(ValueError):
            sys.path.remove(_finder.folder)
    if folder is not None and place not in sys.path:
        sys.path.append(place)
        importlib.invalidate_caches()
    _finder.folder = place


def _is_other(name: str, expected: OwnFile) -> bool:
    loaded: Any = sys.modules.get(name)
    if loaded is None:
        return False
    loader = getattr(loaded, "__loader__", None)
    if not isinstance(loader, _Loader):
        return True
    return OwnFile(loader.path, loader.expected) != expected


def _refuse_foreign(name: str, path: str) -> None:
    """Refuse to put an installed module away for one that has the same name."""
    loaded = sys.modules[name]
    if isinstance(getattr(loaded, "__loader__", None), _Loader):
        return
    file = getattr(loaded, "__file__", None)
    own = name.partition(".")[0] == "likelier"
    if own or file is None or "site-packages" in Path(file).parts:
        message = f"{path} must have another name: {name} is taken."
        raise SettingError(message)
