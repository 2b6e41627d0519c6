"""Check an installed likelier without extras: every command, and what needs an extra.

Run by `make test-wheel` in an environment that holds the wheel and no source.
"""

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

SCRIPT = Path(sys.executable).with_name("likelier")
RUNS = Path(__file__).parents[2] / "docs" / "runs"
FEW = ("--draws", "1000", "--seed", "0")
COUNTS = "system,repetition,fold,tp,fp,fn\n" + "".join(
    f"{system},{repetition},{fold},{80 + fold},{10 + repetition},{9 + fold}\n"
    for repetition in (1, 2, 3)
    for fold in (1, 2)
    for system in "ab"
)
CONLL = "EU B-ORG\nrejects O\nPeter B-PER\n\nBonn B-LOC\n\n" * 20
WORDS = (("1", "A", "a", "DET", "2", "det"), ("2", "b", "b", "NOUN", "0", "root"))
CONLLU = "".join(
    "\t".join([number, form, lemma, tag, "_", "_", head, relation, "_", "_"]) + "\n"
    for number, form, lemma, tag, head, relation in WORDS
)
STUDY = """
metrics = ["accuracy"]
[design]
name = "mx2"
m = 2
[data.mails]
loader = "rules:load"
[systems.low]
object = "rules:Rule"
settings = {limit = 0.3}
[systems.high]
object = "rules:Rule"
"""
RULES = """
class Rule:
    def __init__(self, limit=0.5):
        self.limit = limit
    def fit(self, inputs, gold):
        pass
    def predict(self, inputs):
        return ["spam" if x > self.limit else "ham" for x in inputs]

def load():
    inputs = [i / 80 for i in range(80)]
    return inputs, ["spam" if x > 0.5 else "ham" for x in inputs]
"""
COMMANDS = [
    ("--version",),
    ("--help",),
    ("compare", "p.csv", "--metric", "f1", "--positive", "spam", "--rope", "0.01", *FEW,
     "--json", "o.json", "--html", "o.html", "--plot", "o.png"),
    ("compare", "p.csv", "--metric", "f1", "--each-class", *FEW, "--markdown"),
    ("compare", "p.csv", "--metric", "accuracy", "--method", "mcnemar"),
    ("compare", str(RUNS / "lm_eval" / "base"), str(RUNS / "lm_eval" / "tuned"),
     "--task", "sums", *FEW),
    ("estimate", "p.csv", "--metric", "macro_f1", *FEW, "--latex"),
    ("rank", "p.csv", "--metric", "accuracy", *FEW, "--plot", "r.svg"),
    ("plan", "--accuracies", "0.8,0.9", "--agreement", "0.85", "--rope", "0.01", *FEW),
    ("folds", "counts.csv", "--metric", "f1", *FEW),
    ("chunks", "g.conll", "g.conll", "a.conll", "--scheme", "iob2", "--metric", "f1",
     *FEW),
    ("tags", "g.conllu", "g.conllu", "a.conllu", "--metric", "token_accuracy", *FEW),
    ("split", "p.csv", "--design", "mx2", "--m", "3", "--seed", "0"),
    ("doctor", "p.csv"),
    ("doctor", *(str(path) for path in sorted(RUNS.glob("*/*"))[:2])),
    ("study", "run", "study.toml", "--engine", "threads"),
    ("study", "show", "study.db", "--html", "s.html"),
    ("demo", "demo"),
]  # fmt: skip
# Commands that need an extra, and its name.
EXTRAS = [
    (("text", "g.txt", "a.txt", "b.txt", "--metric", "bleu"), "text"),
    (("split", "p.csv", "--design", "kfold", "--seed", "0"), "sklearn"),
]


def write_files(folder: Path) -> None:
    """Write small tables, token files, texts and a study."""
    rng = random.Random(0)
    rows = ["gold,a,b"]
    for _ in range(200):
        gold = rng.choice(["spam", "ham"])
        answers = (gold if rng.random() < p else "spam" for p in (0.8, 0.9))
        rows.append(",".join([gold, *answers]))
    files = {
        "p.csv": "\n".join([*rows, ""]),
        "counts.csv": COUNTS,
        "g.conll": CONLL,
        "a.conll": CONLL.replace("B-PER", "O", 3),
        "g.conllu": (CONLLU + "\n") * 20,
        "a.conllu": ((CONLLU + "\n") * 20).replace("DET", "PRON", 4),
        "g.txt": "a b c d e\n" * 9,
        "a.txt": "a b c d f\n" * 9,
        "b.txt": "a b c e e\n" * 9,
        "study.toml": STUDY,
        "rules.py": RULES,
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")


def run(words: tuple[str, ...], folder: Path) -> "subprocess.CompletedProcess[str]":
    """Run the installed command."""
    return subprocess.run(
        [SCRIPT, *words],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def main() -> int:
    """Run all commands; return how many failed."""
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_files(folder)
        for words in COMMANDS:
            done = run(words, folder)
            if done.returncode or not done.stdout or "Traceback" in done.stderr:
                failures += 1
                print(f"likelier {' '.join(words)}: {done.returncode}\n{done.stderr}")
        json.loads((folder / "o.json").read_text(encoding="utf-8"))
        for words, extra in EXTRAS:
            done = run(words, folder)
            if done.returncode != 2 or f"likelier[{extra}]" not in done.stderr:
                failures += 1
                print(f"likelier {' '.join(words)}: {done.returncode}\n{done.stderr}")
    count = len(COMMANDS) + len(EXTRAS)
    print(f"{count - failures} of {count} commands are right")
    return failures


if __name__ == "__main__":
    sys.exit(min(main(), 1))
