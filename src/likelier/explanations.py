"""What each finding means and what to do about it: the words of page and report."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Explained:
    """A finding's code in words; plain text but for backticks around code.

    Attributes
    ----------
    meaning
        What the finding means.
    advice
        What to do about it.
    """

    meaning: str
    advice: str


# docs/findings.md shows these texts word by word; a test compares them.
EXPLAINED: dict[str, Explained] = {
    "LIK101": Explained(
        "Fewer than 30 items, or clusters of them.",
        "The prior still weighs: add items, or look how the answer moves with "
        "`--prior`.",
    ),
    "LIK102": Explained(
        "The metric is 0/0 on the data as they are, which counts as 0.",
        "The posterior is defined all the same; the point value says nothing.",
    ),
    "LIK103": Explained(
        "A text file does not end in a newline.",
        "Its last row may be cut off: check that the file is whole.",
    ),
    "LIK105": Explained(
        "A bootstrap p-value as published: one-sided in the direction that the data "
        "showed, without ties.",
        'Use `randomization`, or `Bootstrap(alternative="two-sided", ties=True)`.',
    ),
    "LIK106": Explained(
        "The two systems never differ.",
        "Was one file, or column, given twice?",
    ),
    "LIK107": Explained(
        "A system predicts labels that no item has.",
        "Are labels spelt alike in gold and predictions?",
    ),
    "LIK108": Explained(
        "More than 4,096 patterns are possible, so only observed ones can occur.",
        "Nothing, as a rule; `--prior` names another.",
    ),
    "LIK109": Explained(
        "The draws show too little of the prior inside, or outside, the rope: there is "
        "no Bayes factor.",
        "More `draws`, or a rope that a difference can miss and meet.",
    ),
    "LIK110": Explained(
        "Every item has the same gold label.",
        "Metrics that tell classes apart mean little here.",
    ),
    "LIK111": Explained(
        "Few sentences, clusters or items differ, and all of them speak for one "
        "system, where the prior lets only observed patterns occur (`bootstrap`: "
        "chunks, clusters, scores, many classes).",
        "Do not trust a probability near 0 or 1: the posterior cannot imagine a "
        "contrary item. Take the figure in the message for what chance may still have; "
        "test on more items.",
    ),
    "LIK120": Explained(
        "Blocks or folds of a design differ by more than 5 % in size, or in a class or "
        "unit that is not rare.",
        "Stratify on what matters, or accept less exact intervals.",
    ),
    "LIK121": Explained(
        "Blocks were dealt without regard to classes or units.",
        "The posterior from cross-validation counts is derived for the same number of "
        "positives in every block: give `y` or `units`.",
    ),
    "LIK122": Explained(
        "The folds of a counts table have unequal numbers of gold items.",
        "Small differences do no harm (the paper's own folds differ by 2 %); large "
        "ones mean that the blocks were not stratified.",
    ),
    "LIK123": Explained(
        "Two systems have different numbers of gold items in the same fold.",
        "They were not tested on the same data: check the counts.",
    ),
    "LIK130": Explained(
        "All folds of a data set differ by the same amount.",
        "Its difference is taken as known to the least step between its scores: are "
        "the scores rounded, or one system given twice?",
    ),
    "LIK131": Explained(
        "Fewer than five data sets.",
        "How far data sets differ is hardly known. The hierarchical answer stays "
        "unsure however many folds there are: add data sets, not folds. Signs and "
        "ranks are near 0 or 1 by construction where all data sets point one way: do "
        "not rest on them.",
    ),
    "LIK132": Explained(
        "Most data sets point one way, the mean difference the other.",
        "Signs and ranks count data sets, the mean is ruled by the largest "
        "differences: look at the data sets one by one.",
    ),
    "LIK133": Explained(
        "More than ten folds in one run, with no share of items tested.",
        "They are taken for one k-fold cross-validation. Random splits that are merely "
        "numbered need `--test-share`, repeated cross-validation needs its runs: else "
        "the answer is too sure.",
    ),
    "LIK134": Explained(
        "The quadrature of the hierarchical model stopped above its tolerance.",
        "The error stands in the result; below 0.001 it is a note, and does no harm. A "
        "large one often comes from a data set that is thousands of standard "
        "deviations away: is its unit another one?",
    ),
    "LIK140": Explained(
        "Stored folds of a study do not match their checksum and are left out.",
        "`likelier study run` removes them and runs them again. Check the disk, or "
        "what else wrote to the file.",
    ),
    "LIK141": Explained(
        "Folds of a study were run with different versions of Python or of a package.",
        "Judge whether it matters for these systems. To be sure, run the study again "
        "into another store: `--store FILE`.",
    ),
    "LIK142": Explained(
        "A metric is not defined on some folds of a study, such as OOV accuracy where "
        "training had every token.",
        "That metric is not compared; others are. Use larger test folds, or leave the "
        "metric out.",
    ),
}
