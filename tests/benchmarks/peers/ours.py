"""Our own search, in process, and the encoding of queries alone, which every engine's figures include."""

from dataclasses import dataclass
from pathlib import Path

from serving.contract.layout import CHUNKS, ENCODER, KEYWORD, QUESTIONS, VECTORS
from serving.encoder.config import query_folder
from serving.encoder.encoder import open_encoder
from serving.services.opening import open_warm
from serving.services.requests import SearchRequest
from serving.services.search import SearchService
from tests.benchmarks.peers.corpus import Corpus
from tests.benchmarks.peers.engine import Asked, Connect, size_of


@dataclass(frozen=True, slots=True)
class Ours:
    """The default search of a snapshot, which was built with it. It searches all of its law.

    Attributes:
        snapshot: its folder.
    """

    snapshot: Path
    name: str = "ours"

    def build(self, corpus: Corpus) -> None:
        """Do nothing: the snapshot is built."""

    def open(self) -> Connect:
        """Open the snapshot."""
        snapshot, service = open_warm(self.snapshot), SearchService()

        def search(asked: Asked, limit: int) -> list[str]:
            request = SearchRequest(query=asked.text, limit=limit, jurisdiction=asked.jurisdiction)
            return [item.node_id for item in service.search(snapshot, request).items]

        return lambda: search

    def bytes_on_disk(self) -> int:
        """Return the size of the indexes and vectors."""
        return size_of(*(self.snapshot / name for name in (KEYWORD, VECTORS, QUESTIONS, CHUNKS)))

    def servers(self) -> list[int]:
        """Return none."""
        return []


@dataclass(frozen=True, slots=True)
class Encoding:
    """The encoder alone: it finds nothing.

    Attributes:
        snapshot: folder of the snapshot whose encoder it is.
    """

    snapshot: Path
    name: str = "encoding alone"

    def build(self, corpus: Corpus) -> None:
        """Do nothing."""

    def open(self) -> Connect:
        """Open the encoder."""
        encoder = open_encoder(query_folder(self.snapshot / ENCODER))

        def search(asked: Asked, limit: int) -> list[str]:
            encoder.encode_query(asked.text)
            return []

        return lambda: search

    def bytes_on_disk(self) -> int:
        """Return the size of the encoder."""
        return size_of(self.snapshot / ENCODER)

    def servers(self) -> list[int]:
        """Return none."""
        return []
