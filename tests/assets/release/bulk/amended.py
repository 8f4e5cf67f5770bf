"""Law of the small workspace with other words, accepted in place of what was there."""

import hashlib

import pyarrow as pa
import pyarrow.parquet as pq

from assets.selection.accepted_tables import accept
from assets.workspace import Workspace


def change_text(workspace: Workspace, key: str, old: str, new: str) -> None:
    """Replace words of a code body's law by others of the same length, and accept it."""
    path = workspace.provisions(key) / "provisions.parquet"
    rows = pq.read_table(path)
    texts = [text.replace(old, new) for text in rows.column("text").to_pylist()]
    digests = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
    for name, values in (("text", texts), ("text_sha256", digests)):
        place = rows.schema.get_field_index(name)
        field = rows.schema.field(name)
        rows = rows.set_column(place, field, pa.array(values, field.type))
    path.unlink()  # a link to what was accepted
    pq.write_table(rows, path)
    accept(workspace, key)
