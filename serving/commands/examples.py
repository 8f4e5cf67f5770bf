"""Example requests: curl lines that the present snapshot can answer."""

from pathlib import Path
from urllib.parse import urlencode

from serving.contract.layout import NODES
from serving.contract.manifest import Manifest
from serving.contract.records import IN_FORCE
from serving.snapshot.nodes import NodeTable

_LOOKED_AT = 2_000


def curl_lines(folder: Path, manifest: Manifest, url: str, *, key: str | None = None) -> list[str]:
    """Return three curl lines for the snapshot in `folder`: a search, the node it leads to, and a list.

    Without a key they take it from the shell's variable LAW_KEY.
    """
    nodes = NodeTable(folder / NODES, manifest.code_bodies)
    row = max(range(min(len(nodes), _LOOKED_AT)), key=lambda row: _merit(nodes, row))
    query = urlencode({"q": nodes.heading(row).lower() or nodes.citation(row), "limit": 3})
    paths = (
        f"search?{query}",
        f"node/{nodes.id(row)}",
        f"browse?codeBodyId={nodes.code_body(row).id}",
    )
    header = f"-H 'Authorization: Bearer {key}'" if key else '-H "Authorization: Bearer $LAW_KEY"'
    return [f"curl '{url}/api/v1/{path}' {header}" for path in paths]


def _merit(nodes: NodeTable, row: int) -> tuple[bool, bool, bool]:
    """Return a sort key for examples: live sections first, with text and a heading of several words."""
    heading = nodes.heading(row)
    return (
        nodes.level(row) == "section" and nodes.status(row) == IN_FORCE,
        len(nodes.text_bytes(row)) > 200,
        heading.isascii() and 2 <= heading.count(" ") <= 6,
    )
