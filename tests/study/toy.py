"""The module of the toy study; it is copied beside its TOML."""

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

import numpy as np

from likelier.study import StudyData

HERE = Path(__file__).parent
legacy = np.random.rand
KINDS = ("ham", "spam")
WORDS = [f"word{i}" for i in range(20)]


def mail(items=40, salt=0, mark="", path=None):
    rng = np.random.default_rng(salt)
    gold = [KINDS[i] for i in rng.permutation(np.arange(items) % 2)]
    inputs = [f"{label} {mark}{' '.join(rng.choice(WORDS, 5))}" for label in gold]
    return StudyData(inputs, gold)


def sentences(items=20):
    rng = np.random.default_rng(0)
    inputs = [[str(w) for w in rng.choice(WORDS, 1 + i % 5)] for i in range(items)]
    gold = [["N" if word < "word5" else "V" for word in tokens] for tokens in inputs]
    return StudyData(inputs, gold, "tags")


class Guess:
    """Looks up the right answer, and gives it with some probability."""

    def __init__(self, name="a", right=0.7, seconds=0.0, random_state=None):
        self.name, self.right, self.seconds = name, right, seconds
        self.random_state = random_state

    def fit(self, inputs, gold):
        with (HERE / "trained").open("a") as log:
            log.write(f"{self.name} {self.random_state}\n")
        self.fails("fit")
        time.sleep(self.seconds)
        self.rng = np.random.default_rng(self.random_state)

    def predict(self, inputs):
        spoilt = self.fails("predict")
        if spoilt is not None:
            return spoilt(inputs)
        return [self.answer(text.split()[0]) for text in inputs]

    def answer(self, label):
        right = self.drawn() < self.right
        return KINDS[(KINDS.index(label) + (not right)) % 2]

    def drawn(self):
        return self.rng.random()

    def fails(self, when):
        bad = HERE / "bad.json"
        failures = json.loads(bad.read_text()) if bad.exists() else {}
        how = failures.get(f"{self.name} {self.random_state}", "")
        if how.startswith(when):
            return WAYS[how.removeprefix(when).strip()]()
        return None


class Python(Guess):
    """Draws from Python's own generator."""

    def drawn(self):
        return random.random()


class Numpy(Guess):
    """Draws from numpy's generator of the whole process."""

    def drawn(self):
        return legacy()


class Sets(Guess):
    """Depends on the order of words in a set."""

    def fit(self, inputs, gold):
        super().fit(inputs, gold)
        self.words = list({word for text in inputs for word in text.split()})

    def drawn(self):
        self.words = self.words[1:] + self.words[:1]
        return WORDS.index(self.words[0]) / 20 if self.words[0] in WORDS else 0.5


class Tagger(Guess):
    def predict(self, inputs):
        spoilt = self.fails("predict")
        if spoilt is not None:
            return spoilt(inputs)
        return [["N"] * len(tokens) for tokens in inputs]


class OddError(Exception):
    """Cannot be pickled, nor written as text without harm."""

    def __init__(self, one, two):
        super().__init__(lambda: (one, two))

    def __str__(self):
        return "odd\x1b[31m \ud800"


def raising(error):
    def fail():
        raise error

    return fail


def deep():
    return deep()


def wait():
    """Wait for the file that lets it go on."""
    while not (HERE / "go").exists():
        time.sleep(0.01)


WAYS = {
    "waits": wait,
    "raises": raising(ValueError("no luck")),
    "raises oddly": raising(OddError(1, 2)),
    "exits": lambda: sys.exit(3),
    "exits well": lambda: sys.exit(0),
    "leaves": lambda: os._exit(0),
    "is killed": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "interrupts": raising(KeyboardInterrupt()),
    "recurses": deep,
    "few": lambda: lambda inputs: ["ham"] * (len(inputs) - 1),
    "many": lambda: lambda inputs: ["ham"] * (len(inputs) + 1),
    "none": lambda: lambda inputs: None,
    "functions": lambda: lambda inputs: [lambda: "ham" for _ in inputs],
    "short tags": lambda: lambda inputs: [["N"] * (len(t) - 1) for t in inputs],
    "text for tags": lambda: lambda inputs: ["N" * len(t) for t in inputs],
}
