"""The closed sets that describe assets: groups, owners, kinds and tags. A test holds every asset to them."""

OWNER = "team:data-engineering"
LAW = {"domain": "law"}
SEARCH = {"domain": "search"}
RELEASE = {"domain": "release"}
ZONING = {"domain": "zoning"}

GROUPS = ("ingest", "text", "selection", "search", "citations", "zoning", "formation", "release")
"""In the order of the lineage: an asset hangs behind none of a later group."""
KINDS = ("arrow", "file", "geojson", "json", "lancedb", "onnx", "parquet", "snapshot", "tantivy", "xml")
