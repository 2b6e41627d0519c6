"""From what is known of each data set to the posterior of their population.

Rows stand at even steps of log(nu - 1), where the trapezoidal rule converges faster
than any power of the step: the rows of twice the step tell how far it is from the
truth. Along each row, panels of log sigma0 hold lines over delta0. Panels and lines
are halved, and steps too, until the wanted shares stand still.
"""

from likelier.score_methods.lattice import Lattice
from likelier.score_methods.means import Means
from likelier.score_methods.region import Region
from likelier.score_methods.rows import Rows

_LEAST_STEP = 0.05


def solve(means: Means, region: Region, *, tolerance: float) -> Lattice:
    """Refine rows, panels and lines until the wanted shares stand still.

    Parameters
    ----------
    means
        What is known of each data set.
    region
        Whose shares must be right.
    tolerance
        How large the estimated error of a share may be.
    """
    rows = Rows(means, region, tolerance)
    while True:
        rows.settle()
        if rows.grow():
            continue
        error = rows.step_error()
        if error <= 0.4 * tolerance or rows.step <= _LEAST_STEP:
            return rows.lattice(error)
        rows.halve_step()
