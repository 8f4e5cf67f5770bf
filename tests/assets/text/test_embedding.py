"""Embedding: right vectors in the right rows, each distinct chunk encoded once, ever, whatever is killed."""

import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from assets.errors import BuildError
from assets.text.chunking import chunk_provisions
from assets.text.embedding import EmbeddingProgress, embed
from assets.text.encoding import Batch, Encoded
from assets.text.passages import passage
from assets.text.thread_engine import ThreadEngine
from assets.text.validate import check_vectors
from serving.encoder.encoder import Encoder

MakeProvisions = Callable[[Sequence[dict[str, Any]]], pa.Table]

ENGINE = ThreadEngine()
CHECKOUT = Path(__file__).resolve().parents[3]

RUN_UNTIL_KILLED = """
import sys
from pathlib import Path
import pyarrow.parquet as pq
from assets.text.embedding import embed
from assets.text.thread_engine import ThreadEngine

folder, encoder = Path(sys.argv[1]), Path(sys.argv[2])
chunks, provisions = pq.read_table(folder / "chunks.parquet"), pq.read_table(folder / "provisions.parquet")
embed(chunks, provisions, encoder, folder / "cache", engine=ThreadEngine(batch=3),
      progress=lambda now: print(now.encoded, flush=True))
"""


@pytest.fixture(scope="module")
def provisions(make_provisions: MakeProvisions) -> pa.Table:
    subjects = ["owner", "tenant", "patentee", "Mayor", "court", "member", "employer", "taxpayer"]
    return make_provisions(
        [
            {
                "heading": f"Duties of the {subject}, part {number}",
                "text": f"The {subject} shall record deed number {number} before the {subjects[number % 8]} does.\n"
                * (1 + number % 5 * 4),
            }
            for number, subject in enumerate(subjects * 8)
        ]
    )


@pytest.fixture(scope="module")
def chunks(provisions: pa.Table, encoder: Encoder) -> pa.Table:
    return chunk_provisions(provisions, encoder.tokenizer, encoder.sha256)


class Reports:
    """Keeps what was reported, so that a test can read the last."""

    def __init__(self) -> None:
        self.all: list[EmbeddingProgress] = []

    def __call__(self, now: EmbeddingProgress) -> None:
        self.all.append(now)

    @property
    def last(self) -> EmbeddingProgress:
        return self.all[-1]


def test_rows_are_the_vectors_of_their_chunks(
    chunks: pa.Table, provisions: pa.Table, encoder: Encoder, encoder_folder: Path, tmp_path: Path
) -> None:
    vectors = embed(chunks, provisions, encoder_folder, tmp_path / "cache", engine=ENGINE)
    assert check_vectors(vectors, chunks=chunks.num_rows, dimension=384).passed
    texts = dict(zip(provisions["node_id"].to_pylist(), provisions["text"].to_pylist(), strict=True))
    for row in (0, 17, chunks.num_rows - 1):
        chunk = chunks.slice(row, 1).to_pylist()[0]
        encoded = passage(chunk["context"], texts[chunk["node_id"]][chunk["start"] : chunk["end"]])
        assert np.array_equal(vectors[row], encoder.encode_batch([encoded])[0].astype(np.float16))


def test_threads_and_batches_do_not_change_vectors(
    chunks: pa.Table, provisions: pa.Table, encoder_folder: Path, tmp_path: Path
) -> None:
    some = chunks.slice(0, 24)
    one = embed(some, provisions, encoder_folder, tmp_path / "1", engine=ThreadEngine(batch=1, threads=1))
    many = embed(some, provisions, encoder_folder, tmp_path / "2", engine=ThreadEngine(batch=7, threads=3))
    assert np.array_equal(one, many)


def test_known_chunks_are_not_encoded_again(
    chunks: pa.Table, provisions: pa.Table, encoder_folder: Path, tmp_path: Path
) -> None:
    first = embed(chunks.slice(0, 10), provisions, encoder_folder, tmp_path / "cache", engine=ENGINE)
    reports = Reports()
    both = embed(
        chunks.slice(5, 10), provisions, encoder_folder, tmp_path / "cache", engine=ENGINE, progress=reports
    )
    assert (reports.last.distinct, reports.last.reused, reports.last.encoded) == (10, 5, 5)
    assert np.array_equal(both[:5], first[5:])


def test_duplicates_are_encoded_once(
    chunks: pa.Table, provisions: pa.Table, encoder_folder: Path, tmp_path: Path
) -> None:
    twice = pa.concat_tables([chunks.slice(0, 4), chunks.slice(2, 4)])
    reports = Reports()
    vectors = embed(twice, provisions, encoder_folder, tmp_path / "cache", engine=ENGINE, progress=reports)
    assert (reports.last.chunks, reports.last.distinct, reports.last.encoded) == (8, 6, 6)
    assert np.array_equal(vectors[2:4], vectors[4:6])


def test_progress_counts_up_to_the_end(
    chunks: pa.Table, provisions: pa.Table, encoder_folder: Path, tmp_path: Path
) -> None:
    reports = Reports()
    embed(
        chunks.slice(0, 10),
        provisions,
        encoder_folder,
        tmp_path / "cache",
        engine=ThreadEngine(batch=4),
        progress=reports,
    )
    assert reports.all[0].encoded == 0
    assert reports.all[0].seconds_left is None
    assert sorted(now.encoded for now in reports.all) == [now.encoded for now in reports.all]
    assert reports.last.encoded == 10
    assert reports.last.seconds_left == 0
    assert reports.last.tokens_encoded == sum(chunks.slice(0, 10)["tokens"].to_pylist())
    assert reports.last.chunks_per_second > 0


def test_no_chunks_have_no_vectors(
    chunks: pa.Table, provisions: pa.Table, encoder_folder: Path, tmp_path: Path
) -> None:
    assert embed(chunks.slice(0, 0), provisions, encoder_folder, tmp_path / "cache", engine=ENGINE).shape == (
        0,
        384,
    )


def test_killed_run_goes_on_after_its_last_batch(
    chunks: pa.Table, provisions: pa.Table, encoder_folder: Path, tmp_path: Path
) -> None:
    pq.write_table(chunks, tmp_path / "chunks.parquet")
    pq.write_table(provisions, tmp_path / "provisions.parquet")
    command = [sys.executable, "-c", RUN_UNTIL_KILLED, str(tmp_path), str(encoder_folder)]
    seen = 0
    with subprocess.Popen(command, cwd=CHECKOUT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            seen = int(line)
            if seen >= 9:
                process.kill()
                break
    assert process.returncode == -9
    reports = Reports()
    resumed = embed(chunks, provisions, encoder_folder, tmp_path / "cache", engine=ENGINE, progress=reports)
    distinct = len(set(chunks["key"].to_pylist()))
    assert seen <= reports.last.reused < distinct
    assert reports.last.reused + reports.last.encoded == distinct
    assert np.array_equal(
        resumed, embed(chunks, provisions, encoder_folder, tmp_path / "uninterrupted", engine=ENGINE)
    )


class Forgetful:
    """An engine that does not encode the last batch."""

    batch = 4

    def encoded(self, encoder: Path, batches: Iterable[Batch]) -> Iterator[Encoded]:
        return ThreadEngine().encoded(encoder, list(batches)[:-1])


def test_a_lost_batch_is_an_error_and_what_was_encoded_stays(
    chunks: pa.Table, provisions: pa.Table, encoder_folder: Path, tmp_path: Path
) -> None:
    some, reports = chunks.slice(0, 10), Reports()
    with pytest.raises(BuildError, match="2 of 10 chunks came back without a vector"):
        embed(some, provisions, encoder_folder, tmp_path / "cache", engine=Forgetful())
    embed(some, provisions, encoder_folder, tmp_path / "cache", engine=ENGINE, progress=reports)
    assert (reports.last.reused, reports.last.encoded) == (8, 2)


@pytest.mark.parametrize("loss", ["text", "provision"])
def test_chunks_of_another_text_are_refused_and_leave_nothing_in_the_cache(
    chunks: pa.Table, provisions: pa.Table, encoder_folder: Path, tmp_path: Path, loss: str
) -> None:
    if loss == "text":
        changed = [text.replace("shall", "may") for text in provisions["text"].to_pylist()]
        column = provisions.schema.get_field_index("text")
        other = provisions.set_column(
            column, provisions.schema.field(column), pa.array(changed, pa.large_string())
        )
    else:
        other = provisions.slice(1)
    with pytest.raises(BuildError, match="build the chunks again"):
        embed(chunks.slice(0, 2), other, encoder_folder, tmp_path / "cache", engine=ENGINE)
    assert list((tmp_path / "cache").iterdir()) == []
