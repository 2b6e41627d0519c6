"""CoNLL files are read as they stand, and what is wrong is named by its line."""

import gzip

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import QUICK

from likelier.data.chunks import from_chunks
from likelier.errors import InputError, SettingError
from likelier.readers import file as file_module
from likelier.readers.conll import read_conll

GOLD = [["B-PER", "I-PER", "O"], ["O", "B-ORG"], ["O"]]
FIRST = [["B-PER", "I-PER", "O"], ["O", "B-LOC"], ["O"]]
SECOND = [["B-PER", "O", "O"], ["O", "B-ORG"], ["O"]]
# Quotes, NUL, a no-break space, an ideographic space, a vertical tab, a line separator.
TOKENS = [
    '"',
    "'a",
    "a\0b",
    "a\u00a0b",
    "\u3000",
    "a\x0bb",
    "\u2028",
    "#",
    "-",
    "ü",
    "{",
]


@pytest.fixture
def write(tmp_path):
    def write(text, name="t.conll"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


@pytest.fixture(params=[1 << 18, 1, 5], ids=["one-block", "bytewise", "five-bytes"])
def block(request, monkeypatch):
    monkeypatch.setattr(file_module, "_BLOCK", request.param)


def table(*columns, separator="\t", end="\n", tokens=TOKENS):
    """Write sentences of tags as a file, with tokens in the first column."""
    lines, i = [], 0
    for sentence in zip(*columns, strict=True):
        for row in zip(*sentence, strict=True):
            lines.append(separator.join([tokens[i % len(tokens)], *row]))
            i += 1
        lines.append("")
    return end.join(lines) + end


def same(reading, *columns, **settings_):
    expected = from_chunks(*columns, **({"scheme": "iob2"} | settings_))
    return reading.digest == expected.digest


@pytest.mark.usefixtures("block")
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("separator", ["\t", " ", "    "])
def test_one_file(write, separator, end):
    path = write(table(GOLD, FIRST, separator=separator, end=end))
    reading = read_conll(path, scheme="iob2")
    assert same(reading, GOLD, FIRST)
    assert reading.findings == ()
    assert reading.source == "chunks iob2 lenient"


@pytest.mark.usefixtures("block")
@pytest.mark.parametrize("separator", ["\t", " ", "    "])
def test_several_files(write, separator):
    paths = [
        write(table(column, separator=separator), name)
        for name, column in (("g.conll", GOLD), ("a.conll", FIRST), ("b.conll", SECOND))
    ]
    reading = read_conll(paths, scheme="iob2")
    assert same(reading, GOLD, FIRST, SECOND, systems=["a", "b"])


def test_all_settings_reach_the_counts(write):
    path = write(table(GOLD, [["I-PER", "I-PER", "O"], *FIRST[1:]]))
    columns = GOLD, [["I-PER", "I-PER", "O"], *FIRST[1:]]
    for settings_ in ({"strict": True}, {"match": "exact"}, {"only": "ORG"}):
        assert same(read_conll(path, scheme="iob2", **settings_), *columns, **settings_)
    assert read_conll(path, scheme="IOB2", strict=True, only="PER").source == (
        "chunks iob2 strict only=PER"
    )


def test_columns(write):
    path = write(table(FIRST, GOLD, SECOND))
    by_index = read_conll(path, scheme="iob2", gold=2, systems={"a": 1, "b": -1})
    assert same(by_index, GOLD, FIRST, SECOND, systems=["a", "b"])
    path = write(table(GOLD, FIRST, SECOND))
    by_order = read_conll(path, scheme="iob2", systems=["a", "b"])
    assert same(by_order, GOLD, FIRST, SECOND, systems=["a", "b"])
    assert same(read_conll(path, scheme="iob2", gold=1), GOLD, SECOND)
    alone = read_conll(path, scheme="iob2", systems="crf", gold=1)
    assert alone.systems == ("crf",)


def test_columns_of_several_files(write):
    gold = write("1\tx\tB-A\tO\n2\ty\tO\tO\n", "g")
    first = write("x B-A O\ny O O\n", "a")
    with pytest.raises(InputError, match=r"a:1: tokens must be those of .*g:1 has '1'"):
        read_conll([gold, first], scheme="iob2")
    first = write("0\tx\tB-A\tO\n0\ty\tO\tO\n", "a")
    columns = {"scheme": "iob2", "gold": 2, "systems": {"crf": 2}, "token": 1}
    reading = read_conll([gold, first], **columns)
    assert reading.sums()["tp"].tolist() == [[1]]
    assert reading.systems == ("crf",)


def test_names_of_files(write, tmp_path):
    (tmp_path / "x").mkdir()
    paths = [write(table(GOLD), name) for name in ("g", "a.conll", "x/a.conll")]
    paths.append(write(gzip.compress(table(GOLD).encode()), "b.conll.gz"))
    names = read_conll(paths, scheme="iob2").systems
    assert names == (f"{tmp_path.name}/a", "x/a", "b")


@pytest.mark.usefixtures("block")
def test_gzip_and_byte_order_mark(write):
    text = b"\xef\xbb\xbf" + table(GOLD, FIRST).encode()
    assert same(read_conll(write(gzip.compress(text)), scheme="iob2"), GOLD, FIRST)


@pytest.mark.usefixtures("block")
@pytest.mark.parametrize(
    "text",
    [
        "a B-A B-A\n\n\n \nb O O\n",
        "\n\na\tB-A\tB-A\n\t\n \t \nb\tO\tO\n\n\n",
        "a B-A B-A\n\nb\tO\tO\n",
        "a\tB-A\tB-A\n   \n b   O O  \n",
        " a  B-A    B-A  \n\t\nb O O\n",
        "two words\t B-A\tB-A \n\nb b\tO \tO\n",
        "-DOCSTART- -X-\n\na B-A B-A\n\nb O O\n",
        "a B-A B-A\n-DOCSTART-\nb O O\n",
        "\tB-A\tB-A\n\n\tO\tO\n",
    ],
)
def test_blanks(write, text):
    reading = read_conll(write(text), scheme="iob2")
    assert same(reading, [["B-A"], ["O"]], [["B-A"], ["O"]])


@pytest.mark.usefixtures("block")
def test_separator(write):
    text = "a b,B-A,B-A\n \nb,O,O\n"
    reading = read_conll(write(text), scheme="iob2", separator=",")
    assert same(reading, [["B-A"], ["O"]], [["B-A"], ["O"]])


@pytest.mark.usefixtures("block")
def test_documents(write):
    text = (
        "-DOCSTART- -X- O O\n\na B-A B-A\n\nb O O\n\n"
        "-DOCSTART- -X- O O\nc B-A O\n\n-DOCSTART- -X- O O\n\n-DOCSTARTx O O\n"
    )
    path = write(text)
    plain = read_conll(path, scheme="iob2", gold=1)
    assert plain.n_units == plain.n_items == 4
    summed = read_conll(path, scheme="iob2", gold=1, documents=True)
    assert summed.n_units == 3
    assert sorted(summed.sizes.repeat(summed.counts.astype(int))) == [1, 1, 2]


def test_documents_have_the_sentences_after_their_line(write):
    text = "-DOCSTART- O\n\na B-A\n\nb B-A\n\n-DOCSTART- O\n\nc O\n"
    paths = [write(text, name) for name in ("g", "a")]
    reading = read_conll(paths, scheme="iob2", documents=True)
    tags = [["B-A"], ["B-A"], ["O"]]
    assert same(reading, tags, tags, systems=["a"], cluster=[0, 0, 1])


def test_documents_must_be_marked(write):
    with pytest.raises(
        InputError, match=r"t\.conll must have -DOCSTART- lines; it has"
    ):
        read_conll(write(table(GOLD, FIRST)), scheme="iob2", documents=True)


@pytest.mark.usefixtures("block")
def test_comments(write):
    text = "# newdoc id = 1\n# text = x\n1\tx\tB-A\tO\n\n# x\n# newdoc\n1\ty\tO\tO\n"
    columns = {"scheme": "iob2", "comments": True, "documents": True}
    assert read_conll(write(text), **columns).n_units == 2
    plain = read_conll(write("# B-A O\nx O O\n"), scheme="iob2")
    assert plain.n_items == 1
    assert plain.sums()["fn"].tolist() == [[1]]


def test_documents_need_no_marks_in_systems(write):
    gold = write("-DOCSTART- O\n\na B-A\n\n-DOCSTART- O\n\nb O\n", "g")
    first = write("a B-A\n\nb O\n", "a")
    reading = read_conll([gold, first], scheme="iob2", documents=True)
    assert reading.n_units == 2


def test_a_file_without_its_end(write):
    reading = read_conll(write("a B-A B-A\nb I-A I-A"), scheme="iob2")
    assert same(reading, [["B-A", "I-A"]], [["B-A", "I-A"]])
    assert [finding.code for finding in reading.findings] == ["LIK103"]


BAD = {
    "empty": (b"", "it is empty"),
    "only-documents": (b"-DOCSTART- O O\n", r"t\.conll must have at least one token"),
    "too-few": (b"a O O\n\nb O\n", r"t\.conll:3: a row must have 3 columns.*; got 2"),
    "too-many": (b"a O O\nb c O O\n", r"t\.conll:2: a row must have 3 columns.*got 4"),
    "mixed": (b"a\tO\tO\nb O\n", r"t\.conll:2: a row must have 3 columns.*; got 2"),
    "narrow": (b"\na\n", r"t\.conll:2: a row must have a column -2; it has 1 columns"),
    "prefix": (
        b"a O O\n\n-DOCSTART-\n\nb B-A O\nc X-A O\n",
        r"t\.conll:6: a tag must be one of B, .*, O, .*; got 'X-A'",
    ),
    "no-tag": (b"a\tO\tO\nb\tO\t\n", r"t\.conll:2: a tag must be .*; got ''"),
    "not-utf8": (b"a O O\nb\xff O O\n", r"t\.conll:2: text must be UTF-8; .* 0xff"),
    "lone-return": (b"a O O\r\nb O O\rc O O\r\n", r"t\.conll:2: lines must end in"),
    "return-first": (b"a O O\n\rb O O\n", r"t\.conll:2: lines must end in"),
    "damaged": (gzip.compress(b"a O O\n" * 999)[:-9], "must be a whole gzip file"),
    "no-chunks": (b"a O O\n", "at least one chunk"),
}


@pytest.mark.usefixtures("block")
@pytest.mark.parametrize("case", BAD)
def test_bad_files(write, case):
    data, message = BAD[case]
    with pytest.raises(InputError, match=message):
        read_conll(write(data), scheme="iob2")


def test_prefixes_of_other_schemes(write):
    path = write("a S-A S-A\nb U-A O\n")
    assert read_conll(path, scheme="iob2").sums()["tp"].tolist() == [[1]]
    with pytest.raises(InputError, match=r"t\.conll:1: a tag must be one of B, I, O, "):
        read_conll(path, scheme="iob2", strict=True)


DIFFERENT = {
    "token": ("a O\n\nb O\n", "a O\n\n\nc O\n", r"s:4: tokens .*g:3 has 'b', got 'c'"),
    "shorter": (
        "a O\n\nb O\n",
        "a O\n",
        r"s must have .*s ends at .*s:1, before .*g:3",
    ),
    "longer": ("a O\n", "a O\n\nb O\n", r"s must have .*g ends at .*g:1, before .*s:3"),
    "split": ("a O\nb O\n", "a O\n\nb O\n", r"s:3: sentences .*g:2 does not start a"),
    "joined": (
        "a O\n\nb O\n",
        "a O\nb O\n",
        r"s:2: sentences must .*g:3 starts a sent",
    ),
    "split-and-token": ("a O\nb O\nc O\n", "a O\n\nb O\nd O\n", r"s:3: sentences must"),
    "split-at-token": ("a O\nb O\n", "a O\n\nc O\n", r"s:3: sentences .*g:2 does not"),
    "token-and-split": ("a O\nb O\nc O\n", "x O\nb O\n\nc O\n", r"s:1: tokens must be"),
    "run-together": ("ab O\nc O\n", "a O\nbc O\n", r"s:1: tokens .*'ab', got 'a'"),
}


@pytest.mark.usefixtures("block")
@pytest.mark.parametrize("case", DIFFERENT)
def test_files_must_agree(write, case):
    gold, other, message = DIFFERENT[case]
    with pytest.raises(InputError, match=message):
        read_conll([write(gold, "g"), write(other, "s")], scheme="iob2")


def test_bad_settings(write):
    path = write(table(GOLD, FIRST))
    with pytest.raises(InputError, match="paths must name at least one file"):
        read_conll([], scheme="iob2")
    with pytest.raises(InputError, match="there is none of that name"):
        read_conll(path.with_name("none"), scheme="iob2")
    with pytest.raises(SettingError, match="separator must be one ASCII character"):
        read_conll(path, scheme="iob2", separator=", ")
    with pytest.raises(SettingError, match="scheme must be one of"):
        read_conll(path, scheme="bio")
    with pytest.raises(SettingError, match="gold must be given with the columns"):
        read_conll(path, scheme="iob2", systems={"a": 1})
    with pytest.raises(InputError, match="systems must be different"):
        read_conll(path, scheme="iob2", systems=["a", "a"])
    with pytest.raises(InputError, match=r"t\.conll:1: a row must have a column 7"):
        read_conll(path, scheme="iob2", gold=7)
    with pytest.raises(SettingError, match="systems must be 1 different names"):
        read_conll([path, path], scheme="iob2", systems=["a", "b"])


LINES = [
    *("a O O", "a\tB-A\tO", " b  I-A B-A", "c d\tO\tI-A", "e O O ", "\tO\tO"),
    *("f\u00a0 O O", "-DOCSTART-", "-DOCSTART-\tx y", "", " ", "\t", " \t "),
]


def line_by_line(lines):
    """Read lines as the documentation says, one after the other."""
    sentences = [[]]
    for line in lines:
        if not line.strip(" \t") or line.startswith("-DOCSTART-"):
            sentences.append([])
        elif "\t" in line:
            sentences[-1].append([cell.strip(" ") for cell in line.split("\t")])
        else:
            sentences[-1].append([cell for cell in line.split(" ") if cell])
    return [[[row[i] for row in s] for s in sentences if s] for i in (1, 2)]


@settings(QUICK, max_examples=150)
@given(
    st.lists(st.sampled_from(LINES), max_size=9), st.sampled_from([1, 3, 7, 1 << 18])
)
def test_blocks_agree_with_lines(tmp_path_factory, lines, size):
    lines = [*lines, "g B-A B-A"]
    path = tmp_path_factory.mktemp("blocks") / "t.conll"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(file_module, "_BLOCK", size)
        reading = read_conll(path, scheme="iob2")
    assert same(reading, *line_by_line(lines))
