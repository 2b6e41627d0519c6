"""What every law that nothing was drawn for says of draws."""


class Exact:
    """A law without draws, and so without a Monte-Carlo error."""

    def mcse(self) -> float:
        """Give 0: nothing is drawn."""
        return 0.0

    @property
    def n_draws(self) -> int:
        """The number of draws: none."""
        return 0

    @property
    def n_independent(self) -> int:
        """The number of independent draws: none."""
        return 0
