"""The law of one snapshot as a comparison reads it: nodes and their digests, without indexes."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from serving.comparison.digest_table import DigestColumns, read_digests
from serving.comparison.pairing import Side
from serving.contract.answers import CoverageBody
from serving.contract.changes import Edition
from serving.contract.currency import current_date
from serving.contract.errors import DamagedFileError
from serving.contract.layout import CHANGES, CHANGES_SUMMARY, DIGESTS, NODES, STATIC
from serving.contract.manifest import CodeBodyEntry, FileEntry, Manifest
from serving.contract.records import Jurisdiction
from serving.snapshot.nodes import NodeTable
from serving.snapshot.verify import read_whole, require_size

COVERAGE = f"{STATIC}/coverage.json"
_READ = (NODES, DIGESTS, CHANGES, CHANGES_SUMMARY, COVERAGE)


@dataclass(frozen=True, slots=True)
class ComparedLaw:
    """The law of one snapshot.

    Attributes:
        created: instant of publication.
        stale: titles that are kept from an earlier edition, by the id of their code body.
    """

    id: str
    created: str
    code_bodies: tuple[CodeBodyEntry, ...]
    jurisdictions: tuple[Jurisdiction, ...]
    nodes: NodeTable
    digests: DigestColumns
    stale: Mapping[str, tuple[str, ...]]

    def side(self, ids: np.ndarray, code_body: str) -> Side | None:
        """Return one code body, given the ids of all rows; None where the snapshot has none of that id."""
        for number, body in enumerate(self.code_bodies):
            if body.id == code_body:
                rows = np.flatnonzero(self.nodes.code_body_indexes() == number)
                return Side(ids[rows], rows, self.digests)
        return None

    def entry(self, code_body: str) -> CodeBodyEntry | None:
        """Return the code body with this id, or None."""
        return next((body for body in self.code_bodies if body.id == code_body), None)

    def edition(self, code_body: str) -> Edition | None:
        """Return what a code body says of its currency, or None where it is not held."""
        entry = self.entry(code_body)
        if entry is None:
            return None
        return {
            "currentThrough": entry.current_through,
            "currentThroughDate": current_date(entry.current_through),
            "releasePoint": entry.release_point,
            "nodeCount": entry.node_count,
        }


def open_law(folder: Path) -> ComparedLaw:
    """Open a published snapshot for comparison.

    Raises:
        DamagedFileError: a file that is read here is missing, or of another size than was published.
        SnapshotCorruptError: a file is not one that this code reads.
    """
    manifest = Manifest.load(folder)
    files = {entry.path: entry for entry in manifest.files}
    for path in _READ:
        if path in files:
            require_size(folder, files[path])
    nodes = NodeTable(folder / NODES, manifest.code_bodies)
    return ComparedLaw(
        id=manifest.id,
        created=manifest.created,
        code_bodies=manifest.code_bodies,
        jurisdictions=manifest.jurisdictions,
        nodes=nodes,
        digests=read_digests(folder, len(nodes)),
        stale=stale_titles(_content(folder, files)),
    )


def _content(folder: Path, files: Mapping[str, FileEntry]) -> Any:
    if COVERAGE not in files:
        raise DamagedFileError(str(folder / COVERAGE), "is not in the manifest")
    return orjson.loads(read_whole(folder, files[COVERAGE]))


def stale_titles(coverage: CoverageBody) -> dict[str, tuple[str, ...]]:
    """Return the labels of the titles that are kept from an earlier edition, by code body."""
    bodies = (body for jurisdiction in coverage["jurisdictions"] for body in jurisdiction["codeBodies"])
    return {body["id"]: tuple(title["label"] for title in body.get("staleTitles", ())) for body in bodies}
