"""Code bodies that were added by registry entries alone, over their real files: what the checks say of each."""

from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from assets.citations.build import build_citation_index
from assets.citations.contradictions import links_hold, load_links
from assets.citations.ranges import ranges_are_unfolded
from assets.findings import Verdict
from assets.ingest import misreadings, validate
from assets.ingest.pinned import PinnedSource, open_pinned
from assets.ingest.provisions import build_provisions
from assets.ingest.readers import dialect
from assets.ingest.report import ProvisionsReport
from assets.ingest.sources import pin_source
from assets.ingest.tags import load_tag_rules
from assets.ingest.text_loss import no_text_lost
from assets.registry import load_registry
from assets.selection.accepted_tables import accept
from assets.selection.selection import load_selection
from assets.workspace import Workspace
from serving.contract.records import CHUNKS
from tests.conftest import CHECKOUT

DATA = CHECKOUT.parent / "shared" / "data"
pytestmark = pytest.mark.real


class Added(NamedTuple):
    """Figures of a code body: its sections, its links and those dropped, and what a check warns of."""

    key: str
    archive: str
    sections: int
    links: int
    contradicted: int
    warned: tuple[str, ...] = ()


ADDED = [
    Added("ca-san-mateo-charter", "san-mateo.tar.xz", 96, 0, 0),
    # `this section` of § 19.51.050 leads to § 19.51.030.
    Added("ca-american-canyon-code", "ca-american-canyon-2025-10.tar.xz", 1_481, 2_774, 1),
    Added("chickasaw-code", "chickasaw-html-2026-05.tar.xz", 1_969, 1_031, 2, ("/chickasaw/code/1-501.1",)),
]


@pytest.mark.parametrize("added", ADDED, ids=[added.key for added in ADDED])
def test_a_code_body_that_an_entry_adds_passes_the_checks(added: Added, tmp_path: Path) -> None:
    if not (DATA / added.archive).is_file():
        pytest.skip(f"{added.archive} is not beside this checkout")
    workspace = Workspace(tmp_path / "work", CHECKOUT / "datasets", tmp_path / "snapshots")
    registry = load_registry(workspace.registry)
    report, verdicts = _ingested(workspace, added)
    selection = load_selection(workspace, registry)
    index = tmp_path / "index"
    index.mkdir()
    build_citation_index(selection, index)
    [links] = load_links(index)
    verdicts += [links_hold([links]), ranges_are_unfolded(selection, selection.citing.grammar())]
    assert [finding for verdict in verdicts if not verdict.passed for finding in verdict.findings] == []
    warned = [finding.where for verdict in verdicts for finding in verdict.findings]
    assert (report.sections, links.links, links.contradicted, tuple(warned)) == added[2:]


def _ingested(workspace: Workspace, added: Added) -> tuple[ProvisionsReport, list[Verdict]]:
    body = load_registry(workspace.registry).code_body(added.key)
    pinned, folder = workspace.source_files(added.key), workspace.provisions(added.key)
    pin_source(DATA / added.archive, body, pinned, retrieved_at=datetime.now(UTC), progress=_unseen)
    files = open_pinned(pinned)
    format_ = dialect(body.reader)
    report = build_provisions(
        files,
        PinnedSource.load(pinned),
        body,
        format_.reader,
        folder,
        tags=load_tag_rules(workspace.registry / "tags.toml"),
        previous=None,
        progress=_unseen,
    )
    workspace.chunks(added.key).mkdir(parents=True)
    pq.write_table(pa.Table.from_pylist([], CHUNKS), workspace.chunks(added.key) / "chunks.parquet")
    workspace.embeddings(added.key).mkdir(parents=True)
    np.save(workspace.embeddings(added.key) / "embeddings.npy", np.zeros((0, 1), np.float16))
    accept(workspace, added.key)
    return report, [
        validate.hierarchy_is_closed(folder),
        validate.identifiers_are_unique(folder),
        validate.citations_are_unique(folder),
        validate.outlines_lie_within_texts(folder),
        validate.byte_ranges_hold_the_provision(folder, files),
        no_text_lost(folder, pinned, format_.oracle(body)),
        misreadings.live_provisions_have_text(folder),
        misreadings.texts_are_rightly_decoded(folder),
        misreadings.headings_fit_their_status(folder),
        misreadings.identifiers_are_complete(folder),
        misreadings.instructions_were_applied(folder, files, format_.instructions),
    ]


def _unseen(done: int, total: int) -> None:
    """Show nobody how far it is."""
