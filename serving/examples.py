"""Requests to try, as curl lines that the snapshot at hand answers."""

from pathlib import Path
from urllib.parse import urlencode

from serving.contract.layout import NODES
from serving.contract.manifest import Manifest
from serving.contract.records import IN_FORCE
from serving.snapshot.nodes import NodeTable


def curl_lines(folder: Path, manifest: Manifest, url: str) -> list[str]:
    """Return three curl lines for the snapshot in `folder`: a search, the node it leads to, and a list."""
    nodes = NodeTable(folder / NODES, manifest.code_bodies)
    lines = []
    row = next((row for row in range(len(nodes)) if _is_an_example(nodes, row)), None)
    if row is not None:
        query = urlencode({"q": nodes.heading(row).lower(), "limit": 3})
        lines.append(f"curl '{url}/api/v1/search?{query}'")
        lines.append(f"curl '{url}/api/v1/node/{nodes.id(row)}'")
    browse = f"{url}/api/v1/browse?codeBodyId={manifest.code_bodies[0].id}"
    return [*lines, f"curl '{browse}'"]


def _is_an_example(nodes: NodeTable, row: int) -> bool:
    heading = nodes.heading(row)
    return (
        nodes.level(row) == "section"
        and nodes.status(row) == IN_FORCE
        and heading.isascii()
        and heading.count(" ") >= 2
        and len(nodes.text_bytes(row)) > 200
    )
