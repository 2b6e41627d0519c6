"""What is handed to a worker."""

import os
from dataclasses import dataclass, field

from likelier.study.data import StudyData
from likelier.study.plan import Place
from likelier.study.systems import System


@dataclass(frozen=True)
class Job:
    """One system on one fold, with all that a worker needs.

    Attributes
    ----------
    place
        Which data set, system, repetition and fold.
    key
        The fingerprint of everything that the result depends on.
    system
        The system.
    system_digest
        Its fingerprint, which must be the same in the worker.
    train, test
        The items.
    seed
        The seed of the fold, the same for all systems.
    packages
        The packages whose versions are noted.
    driver
        The process of the run.
    """

    place: Place
    key: str
    system: System
    system_digest: str
    train: StudyData
    test: StudyData
    seed: int
    packages: tuple[str, ...]
    driver: int = field(default_factory=os.getpid)
