"""How fast corpus BLEU and ROC AUC of two systems are drawn.

BLEU stands beside sacreBLEU's paired bootstrap, ROC AUC beside two of scikit-learn. Run
as ``python benchmarks/texts.py``; exits 1 if a bar is missed. All take turns in one
process and their least processor times are compared; of BLEU per draw, after counting:
of sacreBLEU, what many draws take longer than few.
"""

import argparse
import sys
from collections.abc import Iterator

import numpy as np
from chunks import spent
from sacrebleu.metrics import BLEU
from sacrebleu.significance import PairedTest
from sklearn.metrics import roc_auc_score
from speed import Line, fastest, formatted, show

import likelier as lk
from likelier import Outcomes, metrics
from likelier.methods import Paired
from likelier.streams import Streams

DRAWS = 20_000
FEW, MANY = 10, 1010


def corpus(segments: int) -> list[list[str]]:
    """Make references of 8 to 40 words, and two systems that miss some of them."""
    rng = np.random.default_rng(0)
    words = np.array([f"w{i}" for i in range(500)])
    shares = 1 / np.arange(1, 501)
    shares /= shares.sum()
    texts: list[list[str]] = [[], [], []]
    for length in rng.integers(8, 41, segments):
        reference = rng.choice(words, length, p=shares)
        for column, missed in zip(texts, (0.0, 0.4, 0.38), strict=True):
            other = rng.choice(words, length)
            said = np.where(rng.random(length) < missed, other, reference)
            column.append(" ".join(said))
    return texts


def bleu(options: argparse.Namespace) -> Iterator[Line]:
    """Measure draws of the paired difference in corpus BLEU."""
    references, first, second = corpus(options.segments)
    table = Outcomes.from_texts(references, first, second, metrics=["bleu"])
    metric = metrics.named("bleu")

    def resample(samples: int) -> None:
        systems = [("first", first), ("second", second)]
        test = PairedTest(systems, {"BLEU": BLEU()}, [references], "bs", samples)
        test()

    ours, few, many = fastest(
        spent(lambda: Paired().posterior(table, metric, Streams.of(0, draws=DRAWS))),
        spent(lambda: resample(FEW)),
        spent(lambda: resample(MANY)),
        repetitions=options.repetitions,
    )
    what = f"{DRAWS:,} draws of paired BLEU, {options.segments:,} segments"
    yield Line(what, formatted(ours), "", "", "at most 1 s", ours <= 1)
    mine, other = ours / DRAWS, (many - few) / (MANY - FEW)
    yield Line(
        "one draw",
        formatted(mine),
        f"sacreBLEU {formatted(other)}",
        f"{other / mine:,.0f} times faster",
        "at least 100",
        other >= 100 * mine,
    )


def auc(options: argparse.Namespace) -> Iterator[Line]:
    """Measure a whole comparison on ROC AUC, from scores to verdict."""
    rng = np.random.default_rng(0)
    gold = (rng.random(options.items) < 0.5).astype(int)
    hard = rng.normal(size=options.items)
    first, second = (hard + rng.normal(s * gold, 0.5) for s in (1.0, 1.02))

    def ours() -> object:
        return lk.compare(gold, first, second, metric="roc_auc", seed=0)

    def theirs() -> object:
        return [roc_auc_score(gold, scores) for scores in (first, second)]

    mine, other = fastest(spent(ours), spent(theirs), repetitions=options.repetitions)
    yield Line(
        f"compare ROC AUC of {options.items:,} items",
        formatted(mine),
        f"two AUCs of scikit-learn {formatted(other)}",
        f"{mine / other:.1f}",
        "at most 3 s",
        mine <= 3,
    )


def main() -> int:
    """Measure, print the table, and tell whether all bars are met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--segments", type=int, default=3000)
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--repetitions", type=int, default=3)
    options = parser.parse_args()
    lines = [*bleu(options), *auc(options)]
    show(lines)
    return int(any(line.met is False for line in lines))


if __name__ == "__main__":
    sys.exit(main())
