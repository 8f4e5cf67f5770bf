"""Example requests: curl lines that the present snapshot can answer."""

from pathlib import Path

from serving.contract.layout import NODES, REFERENCES
from serving.contract.manifest import Manifest
from serving.snapshot.edges import EdgeTable
from serving.snapshot.examples import example_of
from serving.snapshot.nodes import NodeTable


def curl_lines(folder: Path, manifest: Manifest, url: str, *, key: str | None = None) -> list[str]:
    """Return three curl lines for the snapshot in `folder`: a search, a citation, and where both lead.

    Without a key they take it from the shell's variable LAW_KEY.
    """
    example = example_of(NodeTable(folder / NODES, manifest.code_bodies), EdgeTable(folder / REFERENCES))
    header = f"-H 'Authorization: Bearer {key}'" if key else '-H "Authorization: Bearer $LAW_KEY"'
    return [f"curl '{url}/api/v1/{path}' {header}" for path in example.paths]
