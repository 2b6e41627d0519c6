"""Command lines: sound files, and options with values that nobody expects."""

import random
from collections.abc import Iterator
from typing import Any

from tests.fuzz.calls import commands
from tests.fuzz.hostile import TEXTS
from tests.fuzz.inputs import Input, Inputs, Seed

# What the operating system lets through, and no path out of the folder.
_TEXTS = tuple(text for text in TEXTS if "\x00" not in text and "/" not in text)
_VALUES = (
    *("a", "b", "a,b", "b,a", "s", "id", "gold", "t.csv", "t.jsonl", "nowhere.csv"),
    *("f1", "accuracy", "macro_f1", "mean", "mcc", "roc_auc", "bleu", "f1,mean", "las"),
    *("spam", "ham", "0", "1", "0.5", "-1", "0.95", "1e9", "-0.01,0.01", "0.02,0.01"),
    *("swap", "uniform", "objective", "bootstrap", "hierarchical", "randomization"),
    *("mcnemar", "sign", "hdi-rope", "bayes-test", "zhang", "point", "kde", "rope"),
    *("P(better) > 0.9", "difference > 0", "P(better) > 1 or", "drop", "fail", "wrong"),
    *("latest", "all", "column", "posterior", "forest", "o.png", "o.html", "o.svg"),
    *("today", "2026-11-18", "better", "decided", "50,100", "0.8,0.9", "same"),
)
# Numbers of draws and the like are taken at their word, however long that takes.
_LEFT_OUT = ("--engine", "--jobs", "--workers", "--help")
_LARGE = ("9" * 400, "1e18", "1e308", "1e400", "99999999999999999999")


def command_lines(seeds: dict[str, Seed]) -> Inputs:
    """Return what yields words of all commands, without end."""
    files = {name: raw for seed in seeds.values() for name, raw in seed.files.items()}
    questions = [question for seed in seeds.values() for question in seed.questions]

    def inputs(rng: random.Random) -> Iterator[Input]:
        while True:
            question = rng.choice(questions)
            words = [*question.words]
            if rng.random() < 0.1:
                words = [rng.choice([*commands()]), *words[1:]]
            options = _options(words[0])
            for _ in range(rng.choice([1, 1, 2, 3]) if options else 0):
                words += _option(rng.choice(options), rng)
            if rng.random() < 0.2:
                del words[rng.randrange(1, len(words))]
            yield Input(files, "", question, tuple(words), parse=True)

    return inputs


def _options(name: str) -> list[Any]:
    options = [one for one in commands()[name].params if one.opts[0].startswith("--")]
    return [one for one in options if one.opts[0] not in _LEFT_OUT]


def _option(option: Any, rng: random.Random) -> list[str]:
    if option.is_flag:
        return [rng.choice([*option.opts, *option.secondary_opts])]
    values = rng.choice([_VALUES, _VALUES, _TEXTS, _LARGE])
    value = rng.choice(values)
    name = option.opts[0]
    return [f"{name}={value}"] if rng.random() < 0.3 else [name, value]
