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
LLC_SERVICES = "llc-services"
FORMATION_PRICES = "formation-prices"
FORMATION_REQUIREMENTS = "formation-requirements"
"""Names of ready answers in the folder `static`; coverage and code bodies lie there too."""
NAICS = "naics"
NAICS_CODES = "codes"
NAICS_VECTORS = "vectors.npy"
"""File with a float16 vector for each phrase of the NAICS table, which is `naics/codes.json`."""
GIS = "gis"
"""Folder of zoning layers (`serving.contract.layers` names its files); absent where there are none."""

POINTER = "current.json"
"""`{"snapshot": ID}`: replaced atomically; lies beside the snapshot folders."""


def inspection_file(snapshot: str) -> str:
    """Return the name of the file, beside a snapshot, that records its last inspection."""
    return f".inspection-{snapshot}.json"
