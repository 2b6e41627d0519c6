"""What every result has: a report of its own."""

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from likelier.report.page import Report


class Reported:
    """A result that makes its own report."""

    def report(self) -> "Report":
        """Make a page with all there is to see; ``report().save(path)`` writes it."""
        from likelier.report.page import report

        return report([cast("Any", self)])
