"""Texts with labels: one file per label in a zip, one text per line."""

from collections.abc import Mapping, Sequence
from zipfile import ZipFile

from likelier.study import StudyData


def lines(
    path: str, files: Mapping[str, str], per_label: int | None = None
) -> StudyData:
    """Read texts.

    Parameters
    ----------
    path
        The zip file.
    files
        The name of the file inside it, by label.
    per_label
        How many texts of each label to take, at even steps; by default all.
    """
    inputs: list[str] = []
    gold: list[str] = []
    with ZipFile(path) as archive:
        for label, name in files.items():
            # Only \n ends a text: some texts hold other characters that end lines.
            texts = archive.read(name).decode("utf-8").split("\n")
            kept = evenly([text.strip() for text in texts if text.strip()], per_label)
            inputs += kept
            gold += [label] * len(kept)
    return StudyData(inputs, gold, task="labels")


def evenly(texts: Sequence[str], count: int | None) -> Sequence[str]:
    """Take some texts at even steps."""
    if count is None or count >= len(texts):
        return texts
    return [texts[place * len(texts) // count] for place in range(count)]
