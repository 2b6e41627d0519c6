"""Studies: systems run on the folds of data sets, stored, resumed and compared.

Names are loaded when first used, so that workers load only what they need.
"""

from typing import TYPE_CHECKING

from likelier._lazy import attach

if TYPE_CHECKING:
    from likelier.study.answers import read_study as read_study
    from likelier.study.answers import run as run
    from likelier.study.commands import Command as Command
    from likelier.study.config import read_toml as read_toml
    from likelier.study.data import StudyData as StudyData
    from likelier.study.running import Watcher as Watcher
    from likelier.study.store import Store as Store
    from likelier.study.studies import Study as Study
    from likelier.study.systems import Named as Named
    from likelier.study.systems import Object as Object

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
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
    },
)
