"""The study of named entities, on a small corpus in the format of the real one."""

import gzip
import pickle
from pathlib import Path

import pytest

import likelier as lk
from likelier.errors import InputError
from likelier.study import read_study, read_toml, run

pytest.importorskip("pycrfsuite")

FOLDER = Path(__file__).parents[2] / "examples" / "entities"

POSTS = [
    "Ann/B-person Lee/I-person is/O in/O Oslo/B-location ./O",
    "@ben/O saw/O Star/B-creative-work Wars/I-creative-work !/O",
    "no/O names/O here/O",
]


@pytest.fixture
def modules(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    import recognizer
    import wnut

    return wnut, recognizer


def lines_of(post):
    return "".join(token.replace("/", "\t") + "\n" for token in post.split())


def write(folder, name, text):
    with gzip.open(folder / name, "wt", encoding="utf-8") as file:
        file.write(text)


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "wnut17-ner"
    folder.mkdir()
    # As in the real files, posts of the training part end at a tab, and one of them
    # comes twice; the last post of a part may end with the file.
    posts = [lines_of(post) for post in POSTS]
    write(folder, "wnut17train.conll.gz", "\t\n".join([*posts, posts[0], "\n"]))
    write(folder, "emerging.dev.conll.gz", "you\u200b\tO\n\n\nDubbz\tB-person\n")
    numbered = [lines_of(post + f" {i}/O") for i in range(12) for post in POSTS]
    write(folder, "emerging.test.annotated.gz", "\n".join(numbered))
    return folder


def test_posts_of_all_parts_once_each(modules, folder):
    data = modules[0].posts(folder)
    assert len(data) == 3 + 2 + 36
    assert data.inputs[1] == ["@ben", "saw", "Star", "Wars", "!"]
    assert data.gold[1] == ["O", "O", "B-creative-work", "I-creative-work", "O"]
    assert data.inputs[3:5] == [["you\u200b"], ["Dubbz"]]
    assert (data.task, data.scheme) == ("chunks", "iob2")


def test_units_are_types_of_entities(modules, folder):
    data = modules[0].posts(folder, parts=["train"])
    assert data.units == [{"person": 1, "location": 1}, {"creative-work": 1}, {}]


def test_one_type_only(modules, folder):
    data = modules[0].posts(folder, parts=["train"], only="creative-work")
    assert set(data.gold[0]) == {"O"}
    assert data.gold[1][2:4] == ["B-creative-work", "I-creative-work"]
    assert data.units == [{}, {"creative-work": 1}, {}]


def test_unknown_part(modules, folder):
    with pytest.raises(InputError, match="among train, dev, test; got 'tain'"):
        modules[0].posts(folder, parts=["tain"])


@pytest.mark.parametrize("line", ["lonely", "\tO", "lonely\t"])
def test_half_a_line(modules, tmp_path, line):
    write(tmp_path, "wnut17train.conll.gz", f"a\tO\n{line}\n")
    with pytest.raises(InputError, match=r"train\.conll\.gz:2: must be token, tab"):
        modules[0].posts(tmp_path, parts=["train"])


def test_features_know_neighbours_and_place(modules):
    first, middle, last = modules[1].features(["Ann", "LEE", "2"])
    assert {"first", "lower[1]=lee", "shape[2]=0", "pair[0]=ann lee"} <= set(first)
    assert {"form=LEE", "shape=X", "kind=upper", "prefix=le"} <= set(middle)
    assert {"lower[-1]=ann", "pair[-1]=ann lee", "pair[0]=lee 2"} <= set(middle)
    assert {"last", "kind=number", "lower[-2]=ann"} <= set(last)
    assert not {"first", "last"} & set(middle)


@pytest.mark.parametrize(
    ("token", "kind"),
    [
        ("@ann", "mention"),
        ("#oslo", "hashtag"),
        ("http://t.co", "address"),
        ("Ann", "title"),
        ("iPhone", "other"),
        ("...", "other"),
    ],
)
def test_kinds_of_tokens(modules, token, kind):
    assert modules[1].kind(token) == kind


@pytest.mark.parametrize("scheme", ["iob2", "iobes"])
def test_it_learns_either_scheme(modules, folder, scheme):
    loader, systems = modules
    data = loader.posts(folder)
    gold = [lk.data.convert_tags(tags, "iob2", scheme) for tags in data.gold]
    system = systems.Recognizer().fit(data.inputs[:20], gold[:20])
    predicted = system.predict(data.inputs[20:])
    assert predicted == gold[20:]
    again = systems.Recognizer().fit(data.inputs[:20], gold[:20])
    assert again.model == system.model
    assert pickle.loads(pickle.dumps(system)).predict(data.inputs[20:]) == predicted


@pytest.mark.parametrize("name", ["study.toml", "persons.toml"])
def test_the_study_as_it_is_written(modules, folder, name):
    study = read_toml(FOLDER / name, let={"corpora": str(folder.parent)})
    run(study, folder / "study.db", workers=1, engine="threads")
    for positive in (None, "person"):
        report = read_study(folder / "study.db", positive=positive)
        assert not report.failures
        assert len(report.results) == 3
