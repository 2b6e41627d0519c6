"""Segmented text: words are spans of characters, whatever stands between them."""

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import QUICK

from likelier.data.chunks import from_chunks
from likelier.data.tag_schemes import spans_to_tags
from likelier.errors import InputError, SettingError
from likelier.readers import file as file_module
from likelier.readers.segmented import read_segmented


@pytest.fixture
def write(tmp_path):
    def write(text, name):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def sums(reading):
    totals = reading.sums()
    return [totals[name][:, 0].tolist() for name in ("tp", "fp", "fn")]


def test_words(write):
    gold = write("我们 喜欢 北京\n你 好\n", "gold.txt")
    first = write("我们 喜 欢 北京\n你 好\n", "crf.txt")
    second = write("我们喜欢 北京\n你好\n", "lstm.txt")
    reading = read_segmented([gold, first, second])
    assert reading.systems == ("crf", "lstm")
    assert reading.classes == ("word",)
    assert reading.n_items == 2
    assert sums(reading) == [[4, 1], [2, 2], [1, 4]]
    assert reading.sums()["correct"].tolist() == [[1], [0]]
    assert reading.source == "segmented words"
    assert reading.findings == ()


@pytest.mark.parametrize("size", [1, 4, 1 << 18])
@pytest.mark.parametrize(
    "text",
    [
        "ab\u3000c\n\nd\n",
        "  ab   c  \n \nd \n\n\n",
        "ab\tc\r\n\r\nd\r\n",
        "\ufeffab c\n\nd\n",
        "ab c\n\nd",
    ],
)
def test_blanks(write, monkeypatch, text, size):
    monkeypatch.setattr(file_module, "_BLOCK", size)
    gold = write("ab c\n\nd\n", "gold")
    reading = read_segmented([gold, write(gzip.compress(text.encode()), "a.gz")])
    assert sums(reading) == [[3], [0], [0]]
    assert reading.n_items == 2
    assert len(reading.findings) == (not text.endswith("\n"))


def test_other_blanks_are_characters(write):
    odd = "a\u00a0b\x0bc\0d\u2028e 'f\"\n"
    reading = read_segmented([write(odd, "g"), write(odd.replace(" ", "  "), "s")])
    assert sums(reading) == [[2], [0], [0]]


words = st.lists(st.lists(st.integers(1, 5), min_size=1, max_size=6), min_size=1)


@QUICK
@given(words, st.randoms(use_true_random=False))
def test_words_are_chunks(tmp_path_factory, lengths, random):
    """Reading words is reading tags of characters, which may have several bytes."""
    folder = tmp_path_factory.mktemp("words")
    columns, paths = [], []
    for name in ("gold", "first"):
        lines = []
        for sizes in lengths:
            sizes = random.sample(sizes, len(sizes))
            ends = [sum(sizes[: i + 1]) for i in range(len(sizes))]
            spans = [
                (end - size, end, "") for size, end in zip(sizes, ends, strict=True)
            ]
            text = ("aü北𝄞" * 9)[: ends[-1]]
            lines.append((spans_to_tags(spans, ends[-1], "bmes"), text, spans))
        columns.append([line[0] for line in lines])
        paths.append(folder / name)
        lines = [" ".join(text[a:b] for a, b, _ in spans) for _, text, spans in lines]
        paths[-1].write_text("\n".join(lines) + "\n", encoding="utf-8")
    expected = from_chunks(*columns, scheme="bmes").cube()
    got = read_segmented(paths)
    assert (got.cube() == expected).all()


DIFFERENT = {
    "character": (
        "ab c\nde\n",
        "a bc\ndf\n",
        r"s:2: characters .*g:2.* 'de', got 'df'",
    ),
    "missing": ("ab\n", "a\n", r"s:1: characters .* has 'ab', got 'a'"),
    "shorter": ("a\nb\n", "a\n", r"s must have the text of .*s ends before .*g:2"),
    "longer": ("a\n", "a\n\nb\n", r"s must have the text of .*g ends before .*s:2"),
    "blank": ("a\nb\n", "a\n\nb\n", r"s:2: characters must be those of .*g:2"),
    "broken": ("a\n", b"a\n\xff\n", r"s:2: text must be UTF-8"),
    "none": ("a\n", "\u3000\n", r"s must have at least one word"),
}


@pytest.mark.parametrize("case", DIFFERENT)
def test_files_must_agree(write, case):
    gold, other, message = DIFFERENT[case]
    with pytest.raises(InputError, match=message):
        read_segmented([write(gold, "g"), write(other, "s")])


def test_bad_settings(write):
    path = write("a b\n", "t")
    with pytest.raises(
        InputError, match="the gold file and at least one more; got one"
    ):
        read_segmented(path)
    with pytest.raises(InputError, match="paths must name at least one file"):
        read_segmented([])
    with pytest.raises(SettingError, match="systems must be 1 different names"):
        read_segmented([path, path], systems=["a", "b"])
    assert read_segmented([path, path], systems=["a"]).systems == ("a",)
