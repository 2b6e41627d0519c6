"""Every command that has outputs, with files to run it on and conditions."""

import random
from typing import NamedTuple

from tests.cli.conftest import FEW, SPAM, table
from tests.cli.toys import FOLDS, toy

SCORES = ("dataset", "run", "fold", "system", "score")
NEAR = {"one": {"limit": 0.5}, "two": {"limit": 0.51}}
HERE = ("--engine", "threads", "--workers", "1")
PLAN = ("--accuracies", "0.7,0.85", "--agreement", "0.8", "--sizes", "50,200")


class Gated(NamedTuple):
    """The words of a command, and what holds, what does not, what is left open."""

    words: tuple[str, ...]
    holds: str
    fails: str
    open_words: tuple[str, ...] | None = None
    open_condition: str = "P(better) > 99.9 %"


BETTER, WORSE = "P(better) > 0.9", "P(worse) > 0.9"
EVERY = {
    "compare": Gated(
        SPAM,
        BETTER,
        WORSE,
        ("compare", "p.csv", "--systems", "a,c", "--metric", "accuracy", *FEW),
    ),
    "estimate": Gated(
        ("estimate", "p.csv", "--systems", "a,b", "--metric", "accuracy", *FEW),
        "interval.low > 0.5 and value < interval.high",
        "value > 0.99",
    ),
    "folds": Gated(
        ("folds", "s.csv", "--rope", "0.01"),
        BETTER,
        WORSE,
        ("folds", "near.csv", "--rope", "0.01"),
    ),
    "folds of counts": Gated(
        ("folds", "h.csv", "--metric", "f1", "--mass", "0.9"),
        "P(H1) > 0.9",
        "P(H0) > 0.9",
    ),
    "rank": Gated(
        ("rank", "s.csv", "--rope", "0.01", *FEW),
        "P(best) > 0.9 and ranks.new.best > 0.9",
        "ranks.old.best > 0.5",
    ),
    "chunks": Gated(
        ("chunks", "chunks.txt", "--scheme", "iob2", "--systems", "a,b", *FEW),
        BETTER,
        WORSE,
        (
            *("chunks", "few.txt", "--scheme", "iob2", "--systems", "a,b"),
            *("--rope", "0.1", *FEW),
        ),
    ),
    "tags": Gated(
        ("tags", "chunks.txt", "--systems", "a,b", *FEW),
        BETTER,
        WORSE,
        ("tags", "few.txt", "--systems", "a,b", "--rope", "0.1", *FEW),
    ),
    "text": Gated(
        ("text", "references.txt", "a.txt", "b.txt", "--metric", "wer", *FEW),
        BETTER,
        WORSE,
    ),
    "plan": Gated(
        ("plan", *PLAN, "--replications", "60", "--draws", "80", "--seed", "0"),
        "needed.items < 5000",
        "needed.items < 5",
    ),
    "study run": Gated(
        ("study", "run", "study.toml", *HERE),
        BETTER,
        WORSE,
        ("study", "run", "near.toml", *HERE),
    ),
    "study show": Gated(
        ("study", "show", "study.db"), BETTER, WORSE, ("study", "show", "near.db")
    ),
}
COMMANDS = {name.partition(" of ")[0] for name in EVERY}


def scores(gain, noise, *, n=10):
    rng = random.Random(3)
    rows = []
    for fold in range(n):
        base = 0.8 + 0.02 * rng.random()
        rows.append(["d", 0, fold, "old", round(base, 4)])
        rows.append(["d", 0, fold, "new", round(base + rng.gauss(gain, noise), 4)])
    return table(rows, SCORES)


def columns(n):
    """Sentences of two words with gold tags and those of two systems."""
    rng = random.Random(5)
    lines = []
    for _ in range(n):
        for _ in range(2):
            gold = rng.choice(["B-PER", "B-LOC", "O"])
            predictions = [gold if rng.random() < p else "O" for p in (0.6, 0.9)]
            lines.append(" ".join(["w", gold, *predictions]))
        lines.append("")
    return "\n".join(lines) + "\n"


STORES = {}


def write_store(call, folder, name):
    """Write the store of a study, which is run once for all tests."""
    if name not in STORES:
        call("study", "run", name.replace(".db", ".toml"), *HERE)
        STORES[name] = (folder / name).read_bytes()
    (folder / name).write_bytes(STORES[name])


def write_files(folder):
    """Write what the commands read, but for the stores of `study show`."""
    hold_out = [["old", 80, 20, 10], ["new", 85, 15, 5]]
    (folder / "h.csv").write_text(table(hold_out, ("system", "tp", "fp", "fn")))
    (folder / "s.csv").write_text(scores(0.05, 0.005))
    (folder / "near.csv").write_text(scores(0.01, 0.02))
    (folder / "chunks.txt").write_text(columns(120))
    lines = [f"the {i}th line has words" for i in range(60)]
    worse = [f"a {i}th line" for i in range(60)]
    for name, text in (("references", lines), ("a", worse), ("b", lines)):
        (folder / f"{name}.txt").write_text("\n".join(text) + "\n")
    (folder / "few.txt").write_text(columns(8))
    toy(folder)
    toy(folder, file="near.toml", systems=NEAR, design=FOLDS)
