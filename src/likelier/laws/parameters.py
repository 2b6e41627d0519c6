"""Checks of the numbers that laws are made from."""

import math

from likelier.errors import SettingError


def checked_positive(name: str, value: float) -> float:
    """Return a finite number above 0, or say what came instead."""
    if not (math.isfinite(value) and value > 0):
        message = f"{name} must be a finite number above 0; got {value!r}."
        raise SettingError(message)
    return float(value)


def checked_count(name: str, value: float) -> float:
    """Return a finite number of at least 0, or say what came instead."""
    if not (math.isfinite(value) and value >= 0):
        message = f"{name} must be a finite number of at least 0; got {value!r}."
        raise SettingError(message)
    return float(value)
