"""LIK105: a one-sided p-value whose direction was read off the data."""

from likelier.distribution import Null
from likelier.findings import Finding


def direction(null: Null) -> Finding | None:
    """Remark a test of the direction that happened to show."""
    if null.alternative != "as-observed":
        return None
    message = (
        "one-sided in the direction observed, as published: without a direction fixed "
        "beforehand it errs up to twice as often as its level says; "
        "alternative two-sided does not."
    )
    return Finding("LIK105", message)
