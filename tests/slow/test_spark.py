"""Spark counts where the data are: the block of the page is run, and ids checked."""

import shutil
from pathlib import Path

import pytest
from tests.pages import ROOT, blocks

from likelier.errors import InputError
from likelier.readers import read_frame

pyspark = pytest.importorskip("pyspark", reason="make slow installs it")
if shutil.which("java") is None:
    pytest.skip("Spark needs Java", allow_module_level=True)

PAGE = ROOT / "docs" / "how-to" / "larger-than-this-machine.md"
pytestmark = [
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    from pyspark.sql import SparkSession

    # Java keeps the folder that it is started in.
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("spark"))
        yield from started(SparkSession)


def started(session_class):
    """Start Spark on this machine, and stop it."""
    builder = session_class.builder.master("local[2]")
    settings = {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "2"}
    session = builder.config(map=settings).getOrCreate()
    yield session
    session.stop()


def test_the_page_gives_the_same_sentence(spark, capsys):
    text = PAGE.read_text(encoding="utf-8")
    run = blocks(text, "python")[:2] + blocks(text, "text")
    names = {}
    for block in run:
        exec(block.body, names)
    assert capsys.readouterr().out.splitlines()[-1] == "True"
    assert Path("answers.parquet").exists()


def test_ids_are_checked_by_spark(spark):
    rows = [("q1", "x", "x"), ("q2", "y", "x"), ("q1", "x", "y")]
    frame = spark.createDataFrame(rows, ["id", "gold", "a"])
    with pytest.raises(InputError, match="q1"):
        read_frame(frame, gold="gold", systems=["a"], id="id")
    got = read_frame(frame, gold="gold", systems=["a"])
    assert got.n_items == 3
