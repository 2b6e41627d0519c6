"""Checks on the data and the method; each module explains its finding's code."""

from likelier.checks.direction import direction
from likelier.checks.few_units import few_units
from likelier.checks.identical import identical
from likelier.checks.labels import never_gold, one_gold_class
from likelier.checks.one_way import one_way
from likelier.checks.prior import many_cells, unresolved
from likelier.checks.scored import (
    constant_folds,
    few_data_sets,
    many_folds,
    mean_disagrees,
    never_differ,
    rough_quadrature,
)
from likelier.checks.undefined import undefined

CODES = {
    "LIK101": "few items or clusters",
    "LIK102": "a metric is 0/0",
    "LIK103": "a file may be cut off",
    "LIK105": "a p-value's direction was read off the data",
    "LIK106": "the systems never differ",
    "LIK107": "labels predicted but never gold",
    "LIK108": "too many cells for a prior on each",
    "LIK109": "draws too few for a Bayes factor of the rope",
    "LIK110": "one gold class only",
    "LIK111": "few items differ, all of them the same way",
    "LIK120": "blocks or folds are not even",
    "LIK121": "blocks dealt without regard to classes",
    "LIK122": "folds have unequal numbers of gold items",
    "LIK123": "systems have different gold items in one fold",
    "LIK130": "folds that all differ by the same amount",
    "LIK131": "few data sets for their population",
    "LIK132": "the mean points another way than most data sets",
    "LIK133": "many folds in one run",
    "LIK134": "quadrature less exact than asked for",
    "LIK140": "damaged results in a store",
    "LIK141": "folds were run with different versions",
    "LIK142": "a metric is not defined on some folds",
}

__all__ = [
    "CODES",
    "constant_folds",
    "direction",
    "few_data_sets",
    "few_units",
    "identical",
    "many_cells",
    "many_folds",
    "mean_disagrees",
    "never_differ",
    "never_gold",
    "one_gold_class",
    "one_way",
    "rough_quadrature",
    "undefined",
    "unresolved",
]
