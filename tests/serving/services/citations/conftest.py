"""Small laws of their own for tests of citations and names."""

from collections.abc import Callable, Iterator

import pytest

from assets.registry import Registry
from assets.release.publish import publish_snapshot
from assets.selection.selection import load_selection
from assets.workspace import Workspace
from serving.snapshot.store import Snapshot, open_snapshot
from tests.conftest import Law


@pytest.fixture(scope="module")
def open_law(
    tmp_path_factory: pytest.TempPathFactory,
    write_law: Callable[..., Workspace],
    registry: Registry,
    artefact_builder: Callable[[Workspace, Registry], None],
) -> Iterator[Callable[..., Snapshot]]:
    """Publish the provisions of one code, and open the snapshot until the module's tests have ended."""
    opened = []

    def publish(code: tuple[Law, ...], key: str = "sample-code") -> Snapshot:
        workspace = write_law(tmp_path_factory.mktemp("code"), {key: code})
        artefact_builder(workspace, registry)
        published = publish_snapshot(workspace, load_selection(workspace, registry), revision="test")
        opened.append(open_snapshot(published.folder))
        return opened[-1]

    yield publish
    for snapshot in opened:
        snapshot.close()
