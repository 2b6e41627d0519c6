"""How fast chunks are counted beside seqeval, and CoNLL files read beside a bare loop.

Run as ``python benchmarks/chunks.py``; exits 1 if a bar is missed. Both sides of a line
take turns in one process and their least processor times are compared. Counting starts
from the same lists of lists of strings; for us it ends in outcomes, with all counts per
sentence and type, and for seqeval in one F1. Reading ends in outcomes, too; the bare
loop only splits.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from seqeval.metrics import f1_score
from speed import Line, fastest, formatted, show

from likelier import Outcomes, metrics
from likelier.readers.conll import read_conll

TYPES = ("PER", "LOC", "ORG", "MISC")
TOKENS = 15
Sentences = list[list[str]]


def spent(function: Callable[[], object]) -> Callable[[], float]:
    """Turn a function into one that gives its processor time in seconds."""

    def run() -> float:
        start = time.process_time()
        function()
        return time.process_time() - start

    return run


def tagged(sentences: int) -> tuple[Sentences, Sentences]:
    """Make gold and predicted tags in IOB2, about 15 tokens and 1.5 chunks each."""
    draw = random.Random(0).random
    gold, said = [], []
    for _ in range(sentences):
        told: list[str] = []
        while len(told) < TOKENS:
            kind = TYPES[int(4 * draw())]
            inside = int(3 * draw())
            chunk = [f"B-{kind}", *[f"I-{kind}"] * inside]
            told += chunk if draw() < 0.11 else ["O"]
        guess = list(told)
        if draw() < 0.4:
            guess[int(draw() * len(guess))] = f"I-{TYPES[int(4 * draw())]}"
        gold.append(told)
        said.append(guess)
    return gold, said


def counting(options: argparse.Namespace) -> Iterator[Line]:
    """Measure the counting of chunks against seqeval."""
    gold, said = tagged(options.sentences)

    def ours() -> float:
        outcomes = Outcomes.from_chunks(gold, said, scheme="iob2")
        return float(metrics.micro_f1.observed(outcomes)[0])

    def theirs() -> float:
        return float(f1_score(gold, said))

    if abs(ours() - theirs()) > 1e-12:
        message = "the two F1 differ"
        raise AssertionError(message)
    mine, other = fastest(spent(ours), spent(theirs), repetitions=options.repetitions)
    yield Line(
        f"chunks of {options.sentences:,} sentences",
        formatted(mine),
        f"seqeval {formatted(other)}",
        f"{other / mine:.1f} times faster",
        "at least 10",
        other / mine >= 10,
    )


def write_columns(path: Path, columns: list[Sentences], *, mark: str) -> None:
    """Write a file of tokens and columns of tags."""
    draw = random.Random(1).random
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = [
        "".join(random.Random(i).choices(letters, k=1 + i % 10)) for i in range(999)
    ]
    with path.open("w") as file:
        for sentence in zip(*columns, strict=True):
            for tags in zip(*sentence, strict=True):
                file.write(mark.join([words[int(999 * draw())], *tags]) + "\n")
            file.write("\n")


def bare(*paths: Path) -> None:
    """Split the lines of files, and do nothing with them."""
    for path in paths:
        with path.open() as lines:
            for line in lines:
                line.split()


def reading(options: argparse.Namespace) -> Iterator[Line]:
    """Measure the reading of CoNLL files against a bare loop over their lines."""
    gold, said = tagged(options.lines // (TOKENS + 2))
    pos = [["NN"] * len(sentence) for sentence in gold]
    with TemporaryDirectory() as folder:
        names = ("tabs", "blanks", "conll2003", "gold", "first")
        tabs, blanks, wide, one, two = (Path(folder, name) for name in names)
        write_columns(tabs, [gold, said], mark="\t")
        write_columns(blanks, [gold, said], mark=" ")
        write_columns(wide, [pos, pos, gold, said], mark=" ")
        write_columns(one, [gold], mark="\t")
        write_columns(two, [said], mark="\t")
        for what, paths in (
            ("3 columns, tabs", [tabs]),
            ("3 columns, blanks", [blanks]),
            ("5 columns, blanks", [wide]),
            ("two files of 2 columns", [one, two]),
        ):
            mine, other = fastest(
                spent(lambda paths=paths: read_conll(paths, scheme="iob2")),
                spent(lambda paths=paths: bare(*paths)),
                repetitions=2 * options.repetitions + 5,
            )
            yield Line(
                f"read {options.lines:,} lines, {what}",
                formatted(mine),
                f"bare loop {formatted(other)}",
                f"{mine / other:.2f}",
                "at most 1",
                mine <= other,
            )


PARTS = {"count": counting, "read": reading}


def main() -> int:
    """Measure what is asked for, print the table, and tell whether all bars are met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default=",".join(PARTS), help="count, read or both")
    parser.add_argument("--sentences", type=int, default=10**6)
    parser.add_argument("--lines", type=int, default=10**6)
    parser.add_argument("--repetitions", type=int, default=2)
    options = parser.parse_args()
    wanted = options.only.split(",")
    if unknown := set(wanted) - set(PARTS):
        parser.error(f"--only takes {', '.join(PARTS)}; got {', '.join(unknown)}")
    lines = [line for name in wanted for line in PARTS[name](options)]
    show(lines)
    return int(any(line.met is False for line in lines))


if __name__ == "__main__":
    sys.exit(main())
