"""The closed sets that describe assets: groups, owners, kinds and tags. A test holds every asset to them."""

OWNER = "team:data-engineering"
LAW = {"domain": "law"}
SEARCH = {"domain": "search"}
RELEASE = {"domain": "release"}

GROUPS = ("ingest", "text", "search", "release", "formation")
KINDS = ("arrow", "file", "json", "lancedb", "onnx", "parquet", "snapshot", "tantivy", "xml")
