"""Print a digest of every kind of report; a test runs it in processes of their own."""

from hashlib import sha256

from tests.browser import kinds

# Pages of the other kinds are made of the same parts.
CHOSEN = (
    "comparison",
    "null tests",
    "estimates",
    "classes",
    "plan",
    "signed rank",
    "ranking",
    "ranked items",
    "failed study",
)


def digests():
    """Give the kinds and the digests of their pages."""
    return [
        f"{kind}: {sha256(kinds.page(kind).encode()).hexdigest()}" for kind in CHOSEN
    ]


if __name__ == "__main__":
    print("\n".join(digests()))  # noqa: T201
