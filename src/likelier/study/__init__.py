"""Studies: systems run on the folds of data sets, stored, resumed and compared.

Names are loaded when first used, so that workers load only what they need.
"""

from typing import TYPE_CHECKING

from likelier._lazy import attach

if TYPE_CHECKING:
    from likelier.study.answers import read_study as read_study
    from likelier.study.answers import run as run
    from likelier.study.commands import CommandSystem as CommandSystem
    from likelier.study.config import read_toml as read_toml
    from likelier.study.definition import Study as Study
    from likelier.study.runner import Watcher as Watcher
    from likelier.study.store import Store as Store
    from likelier.study.store_rescue import rescue as rescue
    from likelier.study.study_data import StudyData as StudyData
    from likelier.study.systems import NamedSystem as NamedSystem
    from likelier.study.systems import ObjectSystem as ObjectSystem

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "CommandSystem": "commands",
        "NamedSystem": "systems",
        "ObjectSystem": "systems",
        "Store": "store",
        "Study": "definition",
        "StudyData": "study_data",
        "Watcher": "runner",
        "read_study": "answers",
        "read_toml": "config",
        "rescue": "store_rescue",
        "run": "answers",
    },
)
