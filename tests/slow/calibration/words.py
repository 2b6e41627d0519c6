"""Words of the page on calibration."""

TOP = """\
# Calibration

Of two systems that are equally good a method should seldom name a winner, and an interval should hold the truth as often as it says. This page shows how often that comes true. Samples of 20 to 2,000 units were drawn from populations whose metrics are known, {least} or more for every cell, and `compare` was asked with its defaults; beside it stand the paired t-test, the Wald interval and the percentile bootstrap of 1,000 resamples, as people use them. `make slow` makes the page, the picture and the [figures](calibration.json) anew.

![False winners and coverage by the number of units, for each kind of data: likelier, paired t, Wald and bootstrap](pictures/calibration.svg)

Above, how often one of two equal systems is called better (nominally 5 %); below, how often the 95 % interval holds the true difference. The blue bands are 4.4 to 6.2 % and 94 to 96 %; what lies beyond an edge is drawn on it. Where the share of discordant items can be chosen it is 15 %.
"""

CONCLUSION = """\
Skewed scores are not in these lines; they stand below. So: with 0/1 scores, accuracy, F1, kappa and mcc from about 50 items on, chunks from 20 sentences on and clusters from 30 on, "better" and the interval can be taken at their word. With fewer items "better" is rarer than it could be, not more frequent. With several classes of few items each, or scores with one long tail, no method here keeps its word.
"""

FAILURES = """\
Kinds of data with cells above 6.2 % false winners or below 93.5 % coverage: the worst cell, and how many there are. With 2,000 samples chance alone puts a rate of 5 % above 6.2 % once in 150 cells, and one of 95 % below 93.5 % once in 500.
"""

NOTES = {
    "skewed": "False winners point away from the long tail; there the verdict is "
    "withheld when the largest differences point the other way.",
    "macro10": "Classes with fewer than five items decide; classes that were never "
    "seen are unknown.",
    "macro30": "Classes with fewer than five items decide; classes that were never "
    "seen are unknown.",
    "unequal": "A few large clusters carry the answer: the units are fewer than "
    "they seem.",
    "f1-1": "A handful of positives: no winner is named, and the interval is short of "
    "what was never seen.",
}

SUMMARY = """\
In percent: the mean over cells and, in brackets, the worst cell. False winners: systems that are equal, for F1 also by other recall and precision. Coverage, false "equivalent" and power: the second system is ahead by 2.5 standard errors, or by nine tenths of the discordant items where that is less. "Equivalent" is false since the rope ends at the true difference. Mid-p is McNemar's exact test.
"""

SUMMARY_HEAD = (
    "data",
    "false winners",
    "paired t",
    "Wald",
    "bootstrap",
    "coverage",
    "paired t",
    "Wald",
    "bootstrap",
    "each system",
    'false "equivalent"',
    "power",
    "paired t",
    "Wald",
    "bootstrap",
    "mid-p",
)

POPULATIONS = """\
- **0/1 scores, labels**: a table of patterns (gold, first, second) with exact probabilities; both systems are right on 80 % of the items. Discordant: right for one system only. A wrong label is one of the next two classes. Classes are as frequent as 1, 1/2, 1/3 … (30 classes: all alike). Classes that a sample does not hold are unknown to `compare`.
- **F1**: recall and precision of 80 %; the discordant share is that of the positives. Crossed: one system reaches the same F1 by a recall of 90 %. Sizes with fewer than two positives to be expected are left out; samples without any positive have no answer, count as no alarm, and are 6 % with 1 % positives and 200 items.
- **Macro F1** is left out where a class has fewer than one or two items on average: 10 classes below 50 items, 30 below 100.
- **Chunk F1**: sentences with 1.5 gold chunks on average (Poisson) and 0.3 false ones; chunks of a sentence are alike.
- **Clusters** of five items, or of lognormal sizes (mean 5, a tenth of them above 9); items of a cluster are correlated by .2. n is the number of clusters.
- **Real scores**: the differences are normal, Student's t with three degrees of freedom, lognormal less their mean, or 0 for four items of five and normal for the rest.
- The paired t takes 0/1 or real scores, cluster means, or the F1 of each sentence, the mean of which is another number than F1: its coverage is not shown there. Wald is the delta method.
- Posteriors have 1,000 draws, those of 0/1 scores 4,000; the usual 50,000 give .1 points fewer alarms. Equal samples of a cell are answered once.
"""

CELLS = """\
In percent; bold is above 6.2 % false winners, below 93.5 % coverage, or above 5 % false "equivalent". A rate of 5 % has a standard error of .5 points.
"""
