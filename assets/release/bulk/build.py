"""Build the files of provisions and references, a folder for each code body."""

from collections.abc import Callable
from pathlib import Path

from assets.release.bulk.kept_files import KeptFiles
from assets.release.bulk.rows import ProvisionRows, ReferenceRows
from assets.release.bulk.table_files import TableFiles
from assets.release.bulk.tables import PROVISION_TABLE, REFERENCE_TABLE
from assets.release.quality.report import Artefacts
from assets.selection.selection import Selection
from assets.selection.sidecar import require_inputs, write_sidecar


def build_bulk_files(
    selection: Selection,
    destination: Path,
    *,
    artefacts: Artefacts,
    before: Path | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> dict[str, int]:
    """Write the files of every code body into the empty folder `destination`.

    Args:
        selection: what the snapshot is built from.
        destination: takes the folders.
        artefacts: the answers and the references, built from the same selection.
        before: folder of an earlier build, of which unchanged files are kept; None: there is none.
        progress: called with the number of provisions done since the last call.

    Returns:
        Rows of both tables, over all code bodies.

    Raises:
        BuildError: an artefact was built from another selection.
    """
    require_inputs(artefacts.response_store, selection.inputs)
    require_inputs(artefacts.citation_index, selection.inputs)
    provisions = ProvisionRows(selection, artefacts.response_store)
    references = ReferenceRows(selection, artefacts.citation_index)
    kept = KeptFiles(before)
    counts = {"published_provisions": len(selection), "published_references": 0}
    for body in selection.bodies:
        folder = destination / body.body.key
        folder.mkdir()
        if kept.take(body, provisions, folder):
            progress(body.count)
        else:
            with TableFiles(folder, PROVISION_TABLE) as files:
                for rows in provisions.of(body):
                    files.write(rows)
                    progress(len(rows))
        with TableFiles(folder, REFERENCE_TABLE) as files:
            for rows in references.of(body):
                files.write(rows)
        counts["published_references"] += files.rows
    kept.save(destination)
    write_sidecar(destination, selection.inputs, used=("provisions", "citing"), counts=counts)
    return counts
