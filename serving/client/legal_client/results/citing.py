"""Records of the provisions that cite another."""

from dataclasses import dataclass

from legal_client.results.meta import Meta
from legal_client.results.search import Span


@dataclass(frozen=True, slots=True)
class CitingProvision:
    """A provision that cites another; `places` are the characters of its text that do so."""

    node_id: str
    citation: str
    heading: str
    jurisdiction: str
    code_body: str
    level: str
    status: str
    places: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class CitingProvisions:
    """One page of the provisions that cite the one with that id and citation; `total` counts all."""

    node_id: str
    citation: str
    results: tuple[CitingProvision, ...]
    page: int
    page_size: int
    total: int
    meta: Meta
