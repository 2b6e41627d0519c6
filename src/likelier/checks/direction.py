"""LIK105: a one-sided p-value whose direction was read off the data."""

from likelier.distribution import Null
from likelier.findings import Finding


def direction(null: Null) -> Finding | None:
    """Remark a test of the direction that happened to show."""
    if null.alternative != "as-observed":
        return None
    message = (
        "the published test: one-sided in the direction observed, and it leaves out "
        "ties. Without a direction fixed beforehand it errs more than twice as often "
        "as its level says, with few items four times; randomization does not."
    )
    return Finding("LIK105", message)
