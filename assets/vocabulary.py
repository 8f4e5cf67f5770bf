"""The closed sets that describe assets: groups, owners, kinds and tags. A test holds every asset to them."""

from collections.abc import Mapping

LAW = {"domain": "law"}
SEARCH = {"domain": "search"}
RELEASE = {"domain": "release"}
ZONING = {"domain": "zoning"}
DOMAINS = ("law", "search", "release", "zoning")

GROUPS = ("ingest", "text", "selection", "search", "citations", "zoning", "formation", "release")
"""In the order of the lineage: an asset hangs behind none of a later group."""
KINDS = (
    "arrow",
    "faiss",
    "file",
    "geojson",
    "json",
    "lancedb",
    "onnx",
    "parquet",
    "snapshot",
    "tantivy",
    "xml",
)


def owners(tags: Mapping[str, str]) -> list[str]:
    """Return the owners of an asset with these tags: the team of its domain, as Dagster writes teams."""
    return [f"team:{tags['domain']}"]
