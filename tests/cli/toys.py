"""Small studies as users write them: a TOML file and a module beside it."""

import json

MODULE = '''
import os
import random


class Rule:
    """Says spam where a number is above its limit."""

    def __init__(self, limit=0.5, noise=False, fail="", wait=0.0):
        self.limit, self.noise, self.fail, self.wait = limit, noise, fail, wait

    def fit(self, inputs, gold):
        if self.noise:
            print("noise of Python")
            os.write(1, b"noise of C\\n")
        if self.fail:
            raise ValueError(self.fail)
        if self.wait:
            import time

            time.sleep(self.wait)

    def predict(self, inputs):
        return ["spam" if float(text) > self.limit else "ham" for text in inputs]


def mails(n=80, seed=0):
    rng = random.Random(seed)
    numbers = [rng.random() for _ in range(n)]
    sure = [rng.random() < 0.9 for _ in range(n)]
    gold = ["spam" if (x > 0.5) == right else "ham" for x, right in zip(numbers, sure)]
    return [f"{x:.3f}" for x in numbers], gold
'''
GOOD, POOR = {"limit": 0.5}, {"limit": 0.9}
MX2 = {"name": "mx2", "m": 2}
FOLDS = {"name": "kfold", "k": 4}
SPLIT = {"name": "train-dev-test", "shares": [0.5, 0.0, 0.5]}


def toy(
    folder,
    *,
    systems=None,
    data=("mails",),
    design=None,
    file="study.toml",
    module="toy",
    **head,
):
    """Write a study into a folder; the values of JSON are those of TOML."""
    head = {"name": "toy", "rope": 0.02, "positive": "spam", "metrics": ["f1"]} | head
    lines = [f"{key} = {_value(value)}" for key, value in head.items()]
    lines += ["[design]", *_pairs(MX2 if design is None else design)]
    for index, part in enumerate(data):
        lines += [f"[data.{_value(part)}]", f'loader = "{module}:mails"']
        lines += [f"seed = {index}"]
    chosen = {"poor": POOR, "good": GOOD} if systems is None else systems
    for part, settings in chosen.items():
        lines += [f"[systems.{_value(part)}]", f'object = "{module}:Rule"']
        lines += [f"settings.{line}" for line in _pairs(settings)]
    (folder / f"{module}.py").write_text(MODULE)
    path = folder / file
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _pairs(table):
    return [f"{key} = {_value(value)}" for key, value in table.items()]


def _value(value):
    return json.dumps(value)
