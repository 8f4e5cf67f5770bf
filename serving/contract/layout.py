"""File names inside a snapshot, and the pointer beside the snapshots."""

SNAPSHOT_FORMAT = 2
"""Version of the snapshot layout. A reader refuses any other."""

MANIFEST = "manifest.json"
QUALITY = "quality.json"
EVALUATION = "evaluation.json"
"""Results of the default search for the questions of the evaluation set, for the next publication to compare
with; absent where too few of them could be answered."""
NODES = "nodes.arrow"
CHUNKS = "chunks.arrow"
BROWSE = "browse.arrow"
CITATIONS = "citations.arrow"
REFERENCES = "references.arrow"
CITING = "citing.json"
DIGESTS = "digests.arrow"
"""Digests by which two snapshots are compared, a row for each node; absent from earlier builds."""
CHANGES = "changes.arrow"
CHANGES_SUMMARY = "changes.json"
"""Changes from the snapshot that was in service before, and their numbers; absent from earlier builds."""
TREE = "tree.npy"
"""Hashes of the tree over all nodes, level by level, which prove answers; absent from earlier builds."""
KEYWORD = "keyword"
TERMS = "terms"
"""Folder of the terms of each provision in their order (`serving.snapshot.terms`); absent from earlier
builds."""
TERM_SEQUENCES = "sequences.npy"
TERM_BOUNDS = "bounds.npy"
TERM_VOCABULARY = "vocabulary.arrow"
"""Files with the numbers of the terms (uint32), five bounds of each provision (int64), and the terms
themselves, sorted."""
VECTORS = "vectors"
VECTOR_TABLE = "chunks"
PASSAGE_VECTORS = "passages.npy"
"""File in the folder of the vector table with the float16 vector of each chunk; earlier builds wrote none."""
VECTOR_CODES = "codes.faiss"
"""File there with short codes of the vectors (`serving.snapshot.codes`); absent where they are few, and from
earlier builds, whose table has an index."""
QUESTIONS = "questions"
"""Folder of the questions that provisions are known to answer; absent from earlier builds."""
QUESTION_VECTORS = "vectors.npy"
QUESTION_NODES = "nodes.npy"
"""Files with the float32 vector of unit length of each question, and the rows of their provisions, rising."""
QUESTION_DIRECTIONS = "directions.npy"
QUESTION_LINES = "lines.npy"
"""Files with the outlines of these vectors, where they are many (`serving.snapshot.outlines`); earlier builds
wrote none."""
RANKER = "ranker.json"
"""The weights by which a hybrid search ranks; without it, those that the server carries are used."""
FLOORS = "floors.toml"
"""Least cosines by which something is a match; without it, those that the server carries are used."""
ENCODER = "encoder"
STATIC = "static"
LLC_SERVICES = "llc-services"
FORMATION_PRICES = "formation-prices"
FORMATION_REQUIREMENTS = "formation-requirements"
CORRECTIONS = "corrections"
"""Names of ready answers in the folder `static`; coverage, code bodies and downloads lie there too."""
NAICS = "naics"
NAICS_CODES = "codes"
NAICS_VECTORS = "vectors.npy"
"""File with a float16 vector for each phrase of the NAICS table, which is `naics/codes.json`."""
GIS = "gis"
"""Folder of zoning layers (`serving.contract.layers` names its files); absent where there are none."""

DOWNLOADS = "downloads"
"""Folder of what anybody may download, with a folder for each code body (`serving.contract.downloads` names
its files); absent from earlier builds."""

POINTER = "current.json"
"""`{"snapshot": ID}`: replaced atomically; lies beside the snapshot folders."""

LOG = "log"
"""Folder of the log of published snapshots, beside them; absent until one with a tree is published."""

PINS = "pins.json"
"""`{ID: reason}`: the snapshots that are never removed; lies beside the pointer, if there are any."""


def inspection_file(snapshot: str) -> str:
    """Return the name of the file, beside a snapshot, that records its last inspection."""
    return f".inspection-{snapshot}.json"
