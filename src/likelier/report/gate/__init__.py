"""Conditions on results, for continuous integration: a small language, no eval."""

from likelier.report.gate.judging import FAILS, HOLDS, UNCLEAR, gate, worst
from likelier.report.gate.parsing import parsed

__all__ = ["FAILS", "HOLDS", "UNCLEAR", "gate", "parsed", "worst"]
