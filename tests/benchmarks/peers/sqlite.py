"""SQLite: full-text search by FTS5, vectors by sqlite-vec, both fused by reciprocal ranks in SQL.

As in the documentation of both: FTS5 as an index of an external content table, with Porter's stemmer; `vec0` with
columns of metadata to filter by, cosine distance, exact; the fusion is that of sqlite-vec's author.
"""

import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from serving.contract.layout import ENCODER
from serving.contract.records import IN_FORCE
from serving.encoder.config import query_folder
from serving.encoder.encoder import open_encoder
from tests.benchmarks.peers.corpus import Corpus
from tests.benchmarks.peers.engine import (
    PASSAGES,
    Asked,
    Connect,
    NotInstalledError,
    Search,
    distinct,
    size_of,
)

_TABLES = """
CREATE TABLE passages (id INTEGER PRIMARY KEY, node TEXT, text TEXT, jurisdiction TEXT, status TEXT);
CREATE VIRTUAL TABLE words USING fts5(
    text, content='passages', content_rowid='id', tokenize='porter unicode61');
CREATE VIRTUAL TABLE meanings USING vec0(
    id INTEGER PRIMARY KEY, jurisdiction TEXT, status TEXT, vector FLOAT[{dimension}] distance_metric=cosine);
"""
_SEARCH = """
WITH nearest AS (
    SELECT id, row_number() OVER (ORDER BY distance) AS place FROM meanings
    WHERE vector MATCH :vector AND k = :passages AND status = :status {nearest_scope}),
matching AS (
    SELECT passages.id, row_number() OVER (ORDER BY words.rank) AS place
    FROM words JOIN passages ON passages.id = words.rowid
    WHERE words MATCH :words AND passages.status = :status {matching_scope}
    ORDER BY words.rank LIMIT :passages)
SELECT passages.node
FROM matching FULL OUTER JOIN nearest ON nearest.id = matching.id
JOIN passages ON passages.id = coalesce(matching.id, nearest.id)
ORDER BY coalesce(1.0 / (60 + matching.place), 0) + coalesce(1.0 / (60 + nearest.place), 0) DESC
"""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Sqlite:
    """A database in a file.

    Attributes:
        snapshot: folder of the snapshot whose encoder encodes queries.
        any_word: whether one of the query's words is enough; the documentation's queries demand all.
    """

    snapshot: Path
    file: Path
    any_word: bool = False
    name: str = "SQLite FTS5 + sqlite-vec"

    def build(self, corpus: Corpus) -> None:
        """Write the database."""
        database = self._connect()
        database.execute(_TABLES.format(dimension=corpus.vectors.shape[1]))
        with database:
            database.executemany("INSERT INTO passages VALUES (?, ?, ?, ?, ?)", _rows(corpus))
            database.executemany("INSERT INTO meanings VALUES (?, ?, ?, ?)", _vectors(corpus))
            database.execute("INSERT INTO words(words) VALUES ('rebuild')")
        database.execute("PRAGMA optimize")
        database.close()

    def open(self) -> Connect:
        """Open the encoder; each client has a connection."""
        encoder = open_encoder(query_folder(self.snapshot / ENCODER))
        joint = " OR " if self.any_word else " "

        def connect() -> Search:
            database = self._connect()

            def search(asked: Asked, limit: int) -> list[str]:
                values = {
                    "vector": encoder.encode_query(asked.text).astype(np.float32).tobytes(),
                    # A quoted word is never an operator.
                    "words": joint.join(f'"{word}"' for word in _WORD.findall(asked.text)) or '""',
                    "status": IN_FORCE,
                    "passages": PASSAGES,
                }
                values |= {f"scope{number}": code for number, code in enumerate(asked.scope)}
                found = database.execute(_statement(len(asked.scope)), values)
                return distinct((node for (node,) in found), limit)

            return search

        return connect

    def bytes_on_disk(self) -> int:
        """Return the size of the file."""
        return size_of(self.file)

    def servers(self) -> list[int]:
        """Return none: it runs in its clients' process."""
        return []

    def _connect(self) -> Any:
        try:
            apsw = importlib.import_module("apsw")
            sqlite_vec = importlib.import_module("sqlite_vec")
        except ImportError as error:
            raise NotInstalledError(f"{error.name} is missing: run `make bench-search`") from error
        database = apsw.Connection(str(self.file))
        database.enable_load_extension(True)
        database.load_extension(sqlite_vec.loadable_path())
        return database


def _statement(scope: int) -> str:
    listed = ", ".join(f":scope{number}" for number in range(scope))
    return _SEARCH.format(
        nearest_scope=f"AND jurisdiction IN ({listed})" if scope else "",
        matching_scope=f"AND passages.jurisdiction IN ({listed})" if scope else "",
    )


def _rows(corpus: Corpus) -> Iterator[tuple[int, str, str, str, str]]:
    columns = (corpus.nodes, corpus.texts, corpus.jurisdictions, corpus.statuses)
    for number, values in enumerate(zip(*columns, strict=True)):
        yield (number, *values)


def _vectors(corpus: Corpus) -> Iterator[tuple[int, str, str, bytes]]:
    columns = zip(corpus.jurisdictions, corpus.statuses, corpus.vectors, strict=True)
    for number, (jurisdiction, status, vector) in enumerate(columns):
        yield number, jurisdiction, status, vector.astype(np.float32).tobytes()
