"""File names inside a snapshot, and the pointer beside the snapshots."""

SNAPSHOT_FORMAT = 2
"""Version of the snapshot layout. A reader refuses any other."""

MANIFEST = "manifest.json"
QUALITY = "quality.json"
NODES = "nodes.arrow"
CHUNKS = "chunks.arrow"
BROWSE = "browse.arrow"
CITATIONS = "citations.arrow"
REFERENCES = "references.arrow"
CITING = "citing.json"
KEYWORD = "keyword"
VECTORS = "vectors"
VECTOR_TABLE = "chunks"
ENCODER = "encoder"
STATIC = "static"
GIS = "gis"
"""Folder of zoning layers (`serving.contract.layers` names its files); absent where there are none."""

POINTER = "current.json"
"""`{"snapshot": ID}`: replaced atomically; lies beside the snapshot folders."""
