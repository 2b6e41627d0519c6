"""An input: files, one of them damaged, and what is asked of them."""

import random
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

from tests.fuzz.damage import damaged
from tests.fuzz.plain_tables import Facts, Files

# How answers are written, and of a hundred how many.
_OUTPUTS = {
    ("--json", "-"): 65,
    (): 25,
    ("--markdown",): 5,
    ("--latex",): 4,
    ("--html", "page.html"): 1,
}

_OUTPUT_OPTIONS = ("--json", "--html", "--plot")


class Question(NamedTuple):
    """Words of a command, and what a plain reader answers, where there is one.

    It gets the files, and the name of the damaged one.
    """

    words: tuple[str, ...]
    plain: Callable[[Files, str], Facts] | None = None

    def with_output(self, rng: random.Random) -> tuple[str, ...]:
        """Add how the answer is written."""
        outputs = {o: n for o, n in _OUTPUTS.items() if self.words[0] != "doctor"}
        outputs = outputs or {("--json", "-"): 1, (): 1}
        (output,) = rng.choices(list(outputs), list(outputs.values()))
        return (*self.words, *output)


class Seed(NamedTuple):
    """Files by name, those that are damaged, and the questions that they answer.

    `readable` files have answers as they are.
    """

    files: dict[str, bytes]
    damaged: tuple[str, ...]
    questions: tuple[Question, ...]
    readable: bool = True


class Input(NamedTuple):
    """Files, what is asked of them, and the name of the damaged one.

    `parse` words as typer does; `sound` inputs have answers.
    """

    files: dict[str, bytes]
    damaged: str
    question: Question
    words: tuple[str, ...]
    parse: bool = False
    sound: bool = False

    @property
    def inputs(self) -> list[str]:
        """The files that the command reads, and none that it is to write."""
        pairs = list(pairwise(self.words))
        written = {word for option, word in pairs if option in _OUTPUT_OPTIONS}
        read = {word for option, word in pairs if option not in _OUTPUT_OPTIONS}
        return [name for name in self.files if name in read or name not in written]


Inputs = Callable[[random.Random], Iterator[Input]]


def damaged_copies(seed: Seed) -> Inputs:
    """Return what yields a seed as it is, then damaged copies of it without end."""

    def inputs(rng: random.Random) -> Iterator[Input]:
        for question in seed.questions:
            words = question.with_output(rng)
            name = seed.damaged[0]
            yield Input(seed.files, name, question, words, sound=seed.readable)
        weights = [1 if q.words[0] == "doctor" else 3 for q in seed.questions]
        while True:
            name = rng.choice(seed.damaged)
            files = seed.files | {name: damaged(seed.files[name], rng)}
            (question,) = rng.choices(seed.questions, weights)
            yield Input(files, name, question, question.with_output(rng))

    return inputs


def cut_copies(seed: Seed) -> Inputs:
    """Return what yields each damaged file cut at every byte, in any order."""

    def inputs(rng: random.Random) -> Iterator[Input]:
        cuts = [
            (name, n) for name in seed.damaged for n in range(len(seed.files[name]))
        ]
        for name, n in rng.sample(cuts, len(cuts)):
            files = seed.files | {name: seed.files[name][:n]}
            question = rng.choice(seed.questions)
            yield Input(files, name, question, (*question.words, "--json", "-"))

    return inputs
