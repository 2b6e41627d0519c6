"""Messages of the demonstration: made up, some spam, some not."""

from collections.abc import Iterator, Sequence
from itertools import product

_SPAM = (
    "{who}, your {what} could not be delivered. Confirm your address within {hours} "
    "hours.",
    "You have won a {what}! Reply YES to claim it before {day}.",
    "Final notice: your account will be closed on {day} unless you verify it.",
    "Earn {money} a week from home, no experience needed. Only {hours} places left.",
    "{who}, somebody sent you {money}. Open the link to receive it.",
    "Cheap {what} for our best customers, this {day} only.",
)
_HAM = (
    "Hi {who}, can we move our meeting to {day}? I need {hours} minutes more.",
    "Your {what} arrives on {day}. Reply CHANGE to choose another day.",
    "{who}, you still owe me {money} for the tickets, no hurry.",
    "Bank: {money} were paid with your card. If it was you, do nothing.",
    "The {what} for the party is sorted, please bring chairs on {day}.",
    "Congratulations {who}, you have been selected for an interview on {day}.",
)
_WORDS = {
    "who": ("Ana", "Bo", "Chen", "Dara", "Eli", "Fatima", "Goran"),
    "what": ("parcel", "voucher", "phone", "watch", "cake", "bicycle"),
    "day": ("Monday", "Tuesday", "Friday", "Saturday", "Sunday"),
    "money": ("20 euros", "480 euros", "1,200 euros", "35 euros"),
    "hours": ("12", "24", "48", "30"),
}


def messages(spam: Sequence[bool]) -> Iterator[str]:
    """Yield a message for each item, of its kind; the same ones every time."""
    texts = {kind: _all_texts(_SPAM if kind else _HAM) for kind in (True, False)}
    for number, kind in enumerate(spam):
        every = texts[bool(kind)]
        # A step without a common divisor visits all texts before any comes again.
        yield every[number * 7919 % len(every)]


def _all_texts(sentences: Sequence[str]) -> list[str]:
    names = list(_WORDS)
    choices = [
        dict(zip(names, words, strict=True)) for words in product(*_WORDS.values())
    ]
    return list(
        dict.fromkeys(
            sentence.format(**choice) for choice in choices for sentence in sentences
        )
    )
