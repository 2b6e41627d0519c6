"""Studies: systems run on the folds of data sets, stored, resumed and compared.

Names are loaded when first used, so that workers load only what they need.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from likelier.study.answers import read_study, run
    from likelier.study.commands import Command
    from likelier.study.config import read_toml
    from likelier.study.data import StudyData
    from likelier.study.running import Watcher
    from likelier.study.store import Store
    from likelier.study.studies import Study
    from likelier.study.systems import Named, Object

_HOME = {
    "Command": "commands",
    "Named": "systems",
    "Object": "systems",
    "Store": "store",
    "Study": "studies",
    "StudyData": "data",
    "Watcher": "running",
    "read_study": "answers",
    "read_toml": "config",
    "run": "answers",
}

__all__ = [
    "Command",
    "Named",
    "Object",
    "Store",
    "Study",
    "StudyData",
    "Watcher",
    "read_study",
    "read_toml",
    "run",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"likelier.study.{_HOME[name]}"), name)
    message = f"module 'likelier.study' has no attribute {name!r}"
    raise AttributeError(message)


def __dir__() -> list[str]:
    return list(__all__)
