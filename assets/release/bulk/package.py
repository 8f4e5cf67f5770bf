"""The data dictionary of each code body's files, a Data Package 2.0 with Table Schemas, and their list."""

import hashlib
import re
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson
import pyarrow.parquet as pq

from assets.compression import make_ready
from assets.release.bulk.columns import PublishedTable
from assets.release.bulk.tables import CHANGE_TABLE, TABLES
from assets.release.manifest import instant
from assets.selection.code_bodies import code_body_entries
from assets.selection.selection import SelectedBody, Selection
from assets.versions import file_sha256
from serving.contract.answers import DownloadsBody, DownloadsOfBody
from serving.contract.changes import Summary
from serving.contract.currency import current_date
from serving.contract.downloads import DATA_PACKAGE, FORMATS, JSONL, PARQUET, Format, address_of, file_name
from serving.contract.layout import DOWNLOADS, STATIC
from serving.contract.manifest import CodeBodyEntry

_PROFILE = "https://datapackage.org/profiles/2.0/datapackage.json"
_LICENSE_ID = re.compile(r"[-a-zA-Z0-9._]+")


def write_packages(
    staging: Path, selection: Selection, changes: Summary, *, snapshot: str, created: datetime
) -> None:
    """Write the dictionary of each code body's files, which are all in place, and the list of all files.

    Args:
        staging: the staged snapshot.
        selection: what it was built from.
        changes: the snapshots that its changes lie between.
        snapshot: its id.
        created: instant of its publication.
    """
    listed: DownloadsBody = {"snapshot": snapshot, "createdAt": instant(created), "codeBodies": []}
    for selected, body in zip(selection.bodies, code_body_entries(selection), strict=True):
        folder = staging / DOWNLOADS / body.key
        package = {
            **_described(selected, body),
            "version": snapshot,
            "created": instant(created),
            "resources": [
                _resource(folder, table, form, _told(table, changes)) for table in TABLES for form in FORMATS
            ],
        }
        content = orjson.dumps(package, option=orjson.OPT_INDENT_2) + b"\n"
        (folder / DATA_PACKAGE).write_bytes(content)
        listed["codeBodies"].append(_listed(selected, body, package, content))
    make_ready(orjson.dumps(listed)).write(staging / STATIC / f"{DOWNLOADS}.json")


def _listed(
    selected: SelectedBody, body: CodeBodyEntry, package: dict[str, Any], content: bytes
) -> DownloadsOfBody:
    snapshot = package["version"]
    return {
        "id": body.id,
        "key": body.key,
        "name": body.name,
        "jurisdiction": body.jurisdiction,
        "currentThrough": body.current_through,
        "currentThroughDate": current_date(body.current_through),
        "complete": body.complete,
        "publisher": selected.body.publisher,
        "sourceUrl": body.source_url,
        "license": body.license,
        "dataPackage": {
            "path": address_of(snapshot, body.key, DATA_PACKAGE),
            "bytes": len(content),
            "sha256": hashlib.sha256(content).hexdigest(),
        },
        "files": [
            {
                "table": one["name"].partition("-")[0],
                "format": one["format"],
                "path": address_of(snapshot, body.key, one["path"]),
                "mediaType": one["mediatype"],
                "bytes": one["bytes"],
                "sha256": one["hash"].removeprefix("sha256:"),
                "rows": one["rows"],
            }
            for one in package["resources"]
        ],
    }


def _described(selected: SelectedBody, body: CodeBodyEntry) -> dict[str, Any]:
    """Return what the package says of the code body; fields that the standard lacks have the API's names."""
    through = f", current through {body.current_through}" if body.current_through else ""
    return {
        "$schema": _PROFILE,
        "name": body.key,
        "title": body.name,
        "description": f"{body.name}{through}, as {selected.body.publisher} publishes it.",
        "sources": [
            {"title": selected.body.publisher} | ({"path": body.source_url} if body.source_url else {})
        ],
        **_licenses(body),
        "license": body.license,
        "jurisdiction": body.jurisdiction,
        "currentThrough": body.current_through,
        "releasePoint": body.release_point,
        "complete": body.complete,
        "gaps": list(selected.report.gaps),
    }


def _licenses(body: CodeBodyEntry) -> dict[str, Any]:
    """Return the licence as the standard has it: by its identifier, else by the page that states it."""
    if _LICENSE_ID.fullmatch(body.license):
        return {"licenses": [{"name": body.license}]}
    if body.source_url is None:
        return {}
    return {"licenses": [{"path": body.source_url, "title": body.license}]}


def _told(table: PublishedTable, changes: Summary) -> str:
    if table is not CHANGE_TABLE:
        return table.description
    before = changes["from"]
    if before is None:
        return f"{table.description} There is none to compare with: {changes['reason']}."
    return f"{table.description} That was {before['id']}."


def _resource(folder: Path, table: PublishedTable, form: Format, description: str) -> dict[str, Any]:
    path = folder / file_name(table.name, form)
    # Both formats write null for what is missing; an empty text is a value.
    schema: dict[str, Any] = {"fields": table.dictionary(), "missingValues": []}
    if table.key is not None:
        schema["primaryKey"] = [table.key]
    if table.refers is not None:
        column, other = table.refers
        reference = {"resource": _name(other, form), "fields": [column]}
        schema["foreignKeys"] = [{"fields": [column], "reference": reference}]
    return {
        "name": _name(table.name, form),
        "title": table.title,
        "description": description,
        "path": path.name,
        "type": "table",
        "format": form.name,
        "mediatype": form.media_type,
        **({"encoding": "utf-8", "compression": "gz"} if form is JSONL else {}),
        "bytes": path.stat().st_size,
        "hash": f"sha256:{file_sha256(path)}",
        # Both files of a table have the same rows; only one can say how many without being read.
        "rows": pq.read_metadata(folder / file_name(table.name, PARQUET)).num_rows,
        "schema": schema,
    }


def _name(table: str, form: Format) -> str:
    return f"{table}-{form.name}"
