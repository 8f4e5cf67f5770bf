"""Records of code bodies and of the nodes in them."""

from dataclasses import dataclass

from legal_client.results.meta import Meta


@dataclass(frozen=True, slots=True)
class CodeBody:
    """A code body and how current it is."""

    id: str
    name: str
    jurisdiction: str
    key: str | None
    level: str | None
    current_through: str | None
    current_through_date: str | None
    release_point: str | None
    node_count: int | None
    complete: bool | None
    source_url: str | None
    license: str | None


@dataclass(frozen=True, slots=True)
class CodeBodies:
    """All code bodies."""

    code_bodies: tuple[CodeBody, ...]
    meta: Meta


@dataclass(frozen=True, slots=True)
class BrowseNode:
    """A child in a code body."""

    id: str
    heading: str
    citation: str
    level: str | None
    num: str | None
    status: str | None
    has_children: bool | None
    child_count: int | None
    citable: bool | None


@dataclass(frozen=True, slots=True)
class Children:
    """The children of a node, or the top level of a code body."""

    code_body_id: str | None
    parent: str | None
    nodes: tuple[BrowseNode, ...]
    meta: Meta
