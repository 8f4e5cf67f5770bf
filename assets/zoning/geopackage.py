"""Look through a GeoPackage before GDAL does: a database may bring SQL of its own, which is not run."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from assets.errors import MalformedFileError

_MAGIC = b"SQLite format 3\0"
_INDEX = re.compile(r'CREATE VIRTUAL TABLE (?:"(?:[^"]|"")*"|\w+) USING rtree\s*\(', re.IGNORECASE)
"""A spatial index: the one kind of virtual table that the standard asks for."""


def require_plain_tables(path: Path) -> None:
    """Require a database of tables: no views, and no virtual tables but spatial indexes.

    Triggers may be there, as the standard has some: they run where a table is changed, and none is.

    Raises:
        MalformedFileError: it is no SQLite database, is damaged, or holds such SQL.
    """
    with path.open("rb") as stream:
        if stream.read(len(_MAGIC)) != _MAGIC:
            raise MalformedFileError(path.name, "cannot be read: it is no GeoPackage")
    try:
        # Immutable: a journal beside it is neither looked for nor made.
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro&immutable=1", uri=True)) as database:
            database.execute("pragma trusted_schema = off")
            own = database.execute(
                "select type, name, coalesce(sql, '') from sqlite_master where type in ('view', 'table')"
            ).fetchall()
    except sqlite3.Error as error:
        raise MalformedFileError(path.name, f"cannot be read: {error}") from error
    for kind, name, sql in own:
        virtual = kind == "table" and not str(sql).upper().startswith("CREATE TABLE")
        if kind == "view" or (virtual and not _INDEX.match(str(sql))):
            what = "view" if kind == "view" else "virtual table"
            raise MalformedFileError(
                path.name, f"holds SQL of its own, which is not run: the {what} {str(name)[:60]!r}"
            )
