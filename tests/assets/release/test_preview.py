"""What a publication would change, against a snapshot that was published from the same workspace."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from assets.findings import Severity
from assets.registry import Registry
from assets.release.preview import (
    BodyPreview,
    NodeChanges,
    Preview,
    compare_nodes,
    manifest_in_service,
    preview_publication,
)
from assets.release.publish import Published
from assets.selection.selection import PROVISIONS_FILE, available_bodies
from assets.workspace import Workspace

See = Callable[[], Preview]


@pytest.fixture
def see(workspace: Workspace, registry: Registry) -> See:
    def run() -> Preview:
        bodies = available_bodies(workspace, registry)
        served = manifest_in_service(workspace)
        return preview_publication(workspace, registry, served, bodies=bodies, layers=None)

    return run


def rewrite(workspace: Workspace, key: str, change: Callable[[pa.Table], pa.Table]) -> None:
    """Replace the accepted provisions; files of accepted tables are links, so they are not written into."""
    path = workspace.accepted(key) / PROVISIONS_FILE
    table = change(pq.read_table(path))
    path.unlink()
    pq.write_table(table, path)


def body(preview: Preview, key: str) -> BodyPreview:
    (found,) = [one for one in preview.bodies if one.key == key]
    return found


def test_ids_tell_what_is_added_removed_and_changed() -> None:
    changes = compare_nodes({b"a": b"1", b"b": b"1", b"c": b"1"}, {b"b": b"1", b"c": b"2", b"d": b"1"})
    assert (changes.added, changes.removed, changes.changed) == ((b"d",), (b"a",), (b"c",))
    assert compare_nodes({b"a": b"1"}, {b"a": b"1"}) == NodeChanges((), (), ())


def test_before_the_first_publication_all_is_new(see: See) -> None:
    preview = see()
    assert preview.snapshot is None
    assert [(one.key, one.before, one.added, one.after) for one in preview.bodies] == [
        ("sample-city-code", 0, 3, 3),
        ("sample-code", 0, 9, 9),
    ]


def test_what_was_published_would_change_nothing(publish: Callable[..., Published], see: See) -> None:
    published = publish()
    preview = see()
    assert preview.snapshot == published.manifest.id
    assert all(one.is_same for one in preview.bodies)
    assert body(preview, "sample-code").gaps == ("Title 3 could not be read.",)
    assert not [finding for finding in preview.findings if finding.severity is Severity.ERROR]


def test_changed_and_missing_provisions_are_counted_and_named(
    publish: Callable[..., Published], see: See, workspace: Workspace
) -> None:
    publish()

    def change(table: pa.Table) -> pa.Table:
        rows = table.to_pylist()
        leaves = [row for row in rows if row["citable"]]
        leaves[0]["text"] += " Amended."
        rows.remove(leaves[-1])
        return pa.Table.from_pylist(rows, schema=table.schema)

    rewrite(workspace, "sample-code", change)
    chunks = workspace.accepted("sample-code") / "chunks" / "chunks.parquet"
    held = {
        row["node_id"]
        for row in pq.read_table(workspace.accepted("sample-code") / PROVISIONS_FILE).to_pylist()
    }
    table = pq.read_table(chunks)
    kept = [row for row in table.to_pylist() if row["node_id"] in held]
    chunks.unlink()
    pq.write_table(pa.Table.from_pylist(kept, schema=table.schema), chunks)
    state = body(see(), "sample-code")
    assert (state.added, state.removed, state.changed, state.after) == (0, 1, 1, 8)
    assert len(state.examples) == 1
    assert "§" in state.examples[0]
    assert body(see(), "sample-city-code").is_same


def test_what_would_hold_it_back_is_an_error(
    publish: Callable[..., Published], see: See, workspace: Workspace
) -> None:
    publish()
    rewrite(workspace, "sample-code", lambda table: pa.concat_tables([table, table.slice(8, 1)]))
    (finding,) = [one for one in see().findings if one.severity is Severity.ERROR]
    assert finding.code == "not_publishable"
    assert "occur more than once" in finding.message


def test_a_code_body_that_would_leave_service_is_named(
    publish: Callable[..., Published], see: See, workspace: Workspace
) -> None:
    publish()
    shutil.rmtree(workspace.accepted("sample-city-code"))
    preview = see()
    city = body(preview, "sample-city-code")
    assert (city.before, city.after, city.removed) == (3, 0, 3)
    assert "code_body_gone" in {finding.code for finding in preview.findings}


def test_a_source_that_was_read_and_not_accepted_is_to_be_judged(
    publish: Callable[..., Published], see: See, workspace: Workspace, tmp_path: Path
) -> None:
    publish()
    built = workspace.provisions("sample-code") / "report.json"
    built.parent.mkdir(parents=True, exist_ok=True)
    newer = tmp_path / "report.json"
    newer.write_text('{"source_sha256": "other"}')
    built.unlink(missing_ok=True)
    shutil.copy(newer, built)
    assert [(one.code, one.where) for one in see().findings] == [("newer_not_accepted", "sample-code")]
