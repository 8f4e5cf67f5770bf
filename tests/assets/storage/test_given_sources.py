"""Sources given as URLs: fetched once for each version of the object, and whole or not at all."""

from pathlib import Path

import pytest

from assets.storage.errors import StorageError
from assets.storage.given_sources import on_this_machine, require_object
from assets.storage.object_store import ObjectStore
from assets.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path / "work", tmp_path / "datasets", tmp_path / "snapshots")


def test_an_archive_is_fetched_once_for_each_version_of_it(store_url: str, workspace: Workspace) -> None:
    store, url = ObjectStore.open(store_url), f"{store_url}/xml_uscAll@119-99.zip"
    said: list[str] = []
    store.replace("xml_uscAll@119-99.zip", b"first")
    for content, times in ((b"first", 1), (b"first", 1), (b"the second", 2)):
        if content != b"first":
            store.replace("xml_uscAll@119-99.zip", content)
        path = on_this_machine(url, workspace, "us-usc", said.append)
        assert path == str(workspace.root / "given" / "us-usc" / "xml_uscAll@119-99.zip"), (
            "its name says its release"
        )
        assert Path(path).read_bytes() == content
        assert said == [f"Fetching {url}"] * times


def test_paths_and_nothing_stay_as_they_are(workspace: Workspace) -> None:
    assert on_this_machine(None, workspace, "us-usc") is None
    assert on_this_machine("/some/where.zip", workspace, "us-usc") == "/some/where.zip"


def test_a_url_that_leads_to_no_object_is_refused(store_url: str, workspace: Workspace) -> None:
    ObjectStore.open(store_url).replace("folder/file.xml", b"<law/>")
    require_object(f"{store_url}/folder/file.xml")
    for url in (f"{store_url}/other.zip", f"{store_url}/folder"):
        for ask in (require_object, lambda url: on_this_machine(url, workspace, "us-usc")):
            with pytest.raises(StorageError, match=rf"There is no object {url}\. Give the URL of an archive"):
                ask(url)
