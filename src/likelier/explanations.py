"""Explanations of findings, for the report and the documentation."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Explained:
    """Explanation of a finding; plain text except for backticks around code.

    Attributes
    ----------
    meaning
        Meaning of the finding.
    advice
        Remedy, or why none is needed.
    """

    meaning: str
    advice: str


# docs/findings.md repeats these texts word for word; a test compares them.
EXPLAINED: dict[str, Explained] = {
    "LIK101": Explained(
        "Fewer than 30 items, or clusters of them.",
        "Add items, or see how the answer changes with `--sensitivity`.",
    ),
    "LIK102": Explained(
        "The metric is 0/0 on the observed data, which counts as 0.",
        "The observed value means nothing. Of a metric of one class, such as the "
        "precision of a system that never predicts it, there is no verdict.",
    ),
    "LIK103": Explained(
        "A text file does not end in a newline.",
        "Its last row may be cut off: check that the file is complete.",
    ),
    "LIK105": Explained(
        "A bootstrap p-value as published: one-sided in the direction of the data, "
        "without ties.",
        'Use `randomization`, or `Bootstrap(alternative="two-sided", ties=True)`.',
    ),
    "LIK106": Explained(
        "The two systems never differ.",
        "Check that the same file, or column, was not used twice.",
    ),
    "LIK107": Explained(
        "A system predicts labels that no item has.",
        "Check that labels are spelt alike in gold and predictions.",
    ),
    "LIK109": Explained(
        "Too few draws of the prior lie inside, or outside, the rope to compute a "
        "Bayes factor.",
        "Use more `draws`, or a rope that is neither so narrow nor so wide.",
    ),
    "LIK110": Explained(
        "Every item has the same gold label.",
        "Metrics that distinguish classes mean little here.",
    ),
    "LIK111": Explained(
        "Few sentences, clusters or items differ, and all of them favour one system, "
        "while the prior `bootstrap` lets only observed patterns occur. It blocks: "
        "there is no verdict.",
        "Leave the prior out: `swap`, the default, allows for items that favour the "
        "other system. Or test more items.",
    ),
    "LIK112": Explained(
        "The draws are too few for a verdict: another seed would give other ends of "
        "the interval. It blocks.",
        "Leave `--draws` out, or ask for 1,000 or more.",
    ),
    "LIK113": Explained(
        "Fewer than 20 items, or clusters of them: the two imaginary ones of the prior "
        "`swap` pull the difference towards 0, by 2 in n + 1.",
        "False winners stay as rare as they should be, but the size of the difference "
        "is too small: report the observed one, or test more items.",
    ),
    "LIK114": Explained(
        "Scores have a long tail. A sample rarely holds enough of it, and is too sure. "
        "Where the largest differences favour the other system, it blocks better and "
        "worse; where the tail is very long, it blocks equivalent, at every stop of "
        "the sliders.",
        "Test more items; or compare a share, such as how often a score is good "
        "enough, which no tail can turn round.",
    ),
    "LIK115": Explained(
        "Every class has one item, or items in one cluster or sentence only, and the "
        "metric is an average over classes. It blocks.",
        "Nothing tells how the metric varies within a class: test more items of each "
        "class, or take accuracy.",
    ),
    "LIK116": Explained(
        "The prior weighs more than the data. It blocks; where it is the prior of the "
        "Bayes factor only, it warns.",
        "Leave the prior out, or give it less `strength`.",
    ),
    "LIK117": Explained(
        "A class has fewer than five gold items, or clusters or sentences with some: "
        "the positive one (for a ranked metric also the rest), or some of those that "
        "the metric is an average over. The first blocks equivalent; one positive and "
        "one negative of a ranked metric block every verdict.",
        "Test more items of these classes. Until then each system's own interval of "
        "an average is too narrow, and its value is too low on average; false winners "
        "stay as rare as they should be.",
    ),
    "LIK118": Explained(
        "The prior, `uniform` or `objective`, moves a system's value by more than a "
        "tenth of its standard deviation.",
        "Leave the prior out, unless you reproduce a published number.",
    ),
    "LIK119": Explained(
        "A system predicts a class that no item has, and the metric is an average over "
        "classes.",
        "Values, difference, posterior and verdict average all systems over the "
        "classes of the items; the finding has scikit-learn's values, which average "
        "each system over its own classes.",
    ),
    "LIK120": Explained(
        "Blocks or folds of a design differ by more than 5 % in size, or in a class or "
        "unit that is not rare.",
        "Stratify on what matters, or accept less exact intervals.",
    ),
    "LIK121": Explained(
        "Items were assigned to blocks without regard to classes or units.",
        "The posterior from cross-validation counts assumes the same number of "
        "positives in every block: pass `y` or `units`.",
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
    "LIK124": Explained(
        "A system on m x 2 folds is hardly better than always saying the most "
        "frequent class.",
        "Near chance the paired test of folds is too sure: 16 % instead of 10 % of "
        "equal systems lie beyond .95 or .05. Use `independent`, or better systems.",
    ),
    "LIK125": Explained(
        "A finding would block the verdict on the pilot of a plan. Simulated samples "
        "that a finding blocks count as undecided, so that the chance of a verdict is "
        "lower, and many more items may be needed.",
        "See what `compare` says of the pilot, and plan with what it advises: another "
        "prior, a metric without long tails, more items of rare classes.",
    ),
    "LIK126": Explained(
        "A system is right on every item.",
        "Check that it is no copy of the gold labels, and that files and columns are "
        "in order: gold first, then the systems.",
    ),
    "LIK127": Explained(
        "A few clusters hold most of the items: together all clusters tell as much as "
        "fewer than 20 of one size, or one has more than a quarter of the items.",
        "Test more clusters, or fewer items of the largest. Equal systems are named "
        "winner and loser in 8 to 10 % of such data instead of 5 %; below 10 clusters "
        "of one size it is 12 to 18 %, and the finding blocks.",
    ),
    "LIK129": Explained(
        "A system gave a probability of 0 to what came true, of which the logarithm is "
        "infinite. It counts as 2.2e-16, as in scikit-learn.",
        "A few such items decide the log loss: keep probabilities away from 0 and 1, "
        "or compare the Brier score.",
    ),
    "LIK130": Explained(
        "All folds of a data set differ by the same amount.",
        "Its difference is taken to be as exact as the smallest step between its "
        "scores. Check whether scores are rounded, or the same system was used twice.",
    ),
    "LIK131": Explained(
        "Fewer than five data sets.",
        "They say little about how data sets vary. The hierarchical answer stays "
        "uncertain however many folds there are: add data sets, not folds. "
        "Probabilities from signs and ranks are near 0 or 1 by construction where all "
        "data sets favour one system: do not rely on them.",
    ),
    "LIK132": Explained(
        "Most data sets favour one system, the mean difference the other.",
        "Signs and ranks count data sets, while the largest differences dominate the "
        "mean: look at the data sets one by one.",
    ),
    "LIK133": Explained(
        "More than ten folds in one run, without the share of items tested.",
        "They are taken for one k-fold cross-validation. Random splits need "
        "`--test-share`, and repeated cross-validation needs its runs; otherwise the "
        "answer is too certain.",
    ),
    "LIK134": Explained(
        "The quadrature of the hierarchical model stopped above its tolerance.",
        "The result contains the error; below 0.001 it is a note and does no harm, "
        "above it blocks. A large error often comes from a data set that is thousands "
        "of standard deviations away: check its unit.",
    ),
    "LIK135": Explained(
        "All scores of a system are the same, or they have two values, and the metric "
        "is a ranked one.",
        "Scores rank items: take probabilities or logits before any threshold, not "
        "labels.",
    ),
    "LIK140": Explained(
        "Stored folds of a study do not match their checksum, or are nothing that a "
        "run writes, and are left out.",
        "`likelier study run` removes them and runs them again. Check the disk, and "
        "other programs that write to the file.",
    ),
    "LIK141": Explained(
        "Folds of a study were run with different versions of Python or of a package.",
        "Decide whether that matters for these systems. To be sure, run the study "
        "again into another store: `--store FILE`.",
    ),
    "LIK142": Explained(
        "A metric is not defined on some folds of a study, such as OOV accuracy where "
        "training had every token.",
        "That metric is not compared; others are. Use larger test folds, or leave the "
        "metric out.",
    ),
    "LIK145": Explained(
        "Gold sentences were joined, because a sentence of some system reaches over "
        "the border between them.",
        "Together they are one unit, so nothing is counted twice. Where many are "
        "joined there are fewer units, and the answer is less sure: look at how the "
        "system splits sentences.",
    ),
    "LIK150": Explained(
        "Some items are not in the logs of all systems.",
        "They were left out or counted as wrong, as `--on-missing` says. Systems that "
        "skip hard items look better than they are: find out why the items are "
        "missing. Queries for which a retrieval run has no results count as 0, and "
        "those that were never judged are left out.",
    ),
    "LIK151": Explained(
        "Some answers in a log failed, or have no value.",
        "Failed answers are missing, not wrong: they were left out, with their items "
        "where a system has no other answer, or counted as wrong, as `--on-error` "
        "says. Where failures are many or belong to hard items, run them again.",
    ),
    "LIK152": Explained(
        "The logs show different experiments: other prompts, few-shot examples, "
        "versions or templates.",
        "The difference between the systems cannot be told from that between the "
        "experiments; `--allow-different` asked to go on. Run both systems under the "
        "same conditions.",
    ),
    "LIK153": Explained(
        "Systems have several runs, such as seeds, of which the mean is compared.",
        "The answer says how sure it is for other items, not for other seeds: runs "
        "that were not made could differ more.",
    ),
    "LIK154": Explained(
        "Tasks that not all logs have, or that lack the metric, are left out.",
        "Name the tasks with `--task`, or give logs that have them.",
    ),
    "LIK155": Explained(
        "A log has several metrics; its own main one was taken.",
        "Name another with `--metric`.",
    ),
    "LIK156": Explained(
        "The answer is about the mean over several tasks, each alike.",
        "Name one task with `--task`; `likelier compare` shows all of them.",
    ),
    "LIK157": Explained(
        "A log does not say whether more of a metric is better, and its name suggests "
        "that less is.",
        "More was taken as better. Say `--lower-is-better` where less is, else "
        "`--higher-is-better`.",
    ),
    "LIK158": Explained(
        "Columns or files write the same numbers differently, such as 1 and 1.0, as "
        "labels or as ids.",
        "They were compared as numbers, by their exact values, since all of them are "
        "numbers. Nothing needs to be done, unless 1 and 1.0 are different things "
        "here: then write them as different words.",
    ),
    "LIK159": Explained(
        "Several tasks have the same items, or variants of them, such as HELM's "
        "perturbations.",
        "The mean over tasks and the answer for all items take them for separate ones, "
        "and are too sure; each task's own answer is not. Name one with `--task`.",
    ),
    "LIK160": Explained(
        "The mean over tasks, or the answer for all items, is not defined under this "
        "prior or method.",
        "Each task has its answer. Leave the prior out for the mean.",
    ),
}
