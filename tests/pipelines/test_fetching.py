"""`lawbuild KEY` without a path: fetched from a publisher on this machine, told beforehand, and pinned with its origin."""

import io
import json
import re
import shutil
import socket
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from assets.ingest.pinned import PinnedSource
from assets.workspace import Workspace
from serving.snapshot.pointer import current_snapshot_id
from tests.assets.connectors.publisher import Publisher, publishing, status

Build = Callable[..., tuple[int, str]]
DATASETS = Path("datasets").absolute()


@pytest.fixture
def publisher(monkeypatch: pytest.MonkeyPatch) -> Iterator[Publisher]:
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with publishing() as running:
        yield running


@pytest.fixture
def fetched_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Make the sample's entry one that is fetched from an address instead of packaged."""

    def change(address: str) -> None:
        datasets = tmp_path / "datasets"
        datasets.mkdir()
        for path in DATASETS.iterdir():
            if path.name != "registry":
                (datasets / path.name).symlink_to(path)
        shutil.copytree(DATASETS / "registry", datasets / "registry")
        entries = datasets / "registry" / "code_bodies.toml"
        source = 'source = "sample/sample-code"\n'
        connector = f'[entry.connector]\nkind = "https"\nfile = "{address}"\n'
        text = entries.read_text(encoding="utf-8")
        assert text.count(source) == 1
        entries.write_text(text.replace(source, f"\n{connector}"), encoding="utf-8")
        monkeypatch.setenv("LAW_DATASETS", str(datasets))

    return change


def sample() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted((DATASETS / "sample" / "sample-code").rglob("*")):
            if path.is_file():
                archive.write(path, path.name)
    return out.getvalue()


def test_a_body_is_fetched_built_and_pinned_with_its_origin(
    workspace: Workspace, lawbuild: Build, publisher: Publisher, fetched_from: Callable[[str], None]
) -> None:
    address = publisher.put("/code/sample.zip", sample())
    fetched_from(address)
    result, said = lawbuild("sample-code")
    assert result == 0, said
    size = len(publisher.files["/code/sample.zip"].content)
    assert f'Fetching sample-code: release "v1" of 2026-01-12 from {address}, {size:,} bytes' in said
    assert re.search(rf"sample-code: fetching: {size:,} bytes in", said)
    pin = PinnedSource.load(workspace.source_files("sample-code"))
    assert (pin.origin, pin.release, pin.license) == ("sample.zip", '"v1"', "Apache-2.0")
    (file,) = pin.fetched
    assert (file.address, file.validators.etag, file.bytes) == (address, '"v1"', size)
    assert len(file.sha256) == 64
    assert file.retrieved_at.endswith("Z")
    assert current_snapshot_id(workspace.snapshots)
    publisher.asked.clear()
    result, said = lawbuild("sample-code")
    assert result == 0, said
    assert "sample-code: nothing changed since it was accepted." in said
    assert {one.method for one in publisher.asked} == {"HEAD"}
    publisher.asked.clear()
    result, said = lawbuild("sample-code", "--anew")
    assert result == 0, said
    assert [one.headers.get("If-None-Match") for one in publisher.asked if one.method == "GET"] == ['"v1"']
    assert PinnedSource.load(workspace.source_files("sample-code")) == pin


def test_a_dry_run_says_what_would_be_fetched_and_leaves_it(
    workspace: Workspace, lawbuild: Build, publisher: Publisher, fetched_from: Callable[[str], None]
) -> None:
    address = publisher.put("/code/sample.zip", sample())
    fetched_from(address)
    result, said = lawbuild("--dry-run", "sample-code", "sample-city-code")
    assert result == 2
    assert f'Would fetch sample-code: release "v1" of 2026-01-12 from {address}, ' in said
    assert "Would read sample-city-code: the source that is packaged or pinned" in said
    assert {one.method for one in publisher.asked} == {"HEAD"}
    assert not workspace.downloads("sample-code").exists()
    assert not workspace.source_files("sample-code").exists()


@pytest.mark.parametrize("arguments", [("sample-code",), ("--dry-run", "sample-code")])
def test_offline_it_is_said_what_would_be_fetched(
    workspace: Workspace, lawbuild: Build, fetched_from: Callable[[str], None], arguments: tuple[str, ...]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    address = f"http://127.0.0.1:{port}/code/sample.zip"
    fetched_from(address)
    result, said = lawbuild(*arguments)
    assert result == 2
    (line,) = [line for line in said.splitlines() if line]
    assert line.startswith(
        f"lawbuild: sample-code is to be fetched: its newest release, as listed at {address}"
    )
    assert "lawbuild sample-code=PATH" in line
    assert not workspace.source_files("sample-code").exists()


def test_a_path_is_read_and_nobody_is_asked(
    lawbuild: Build, publisher: Publisher, fetched_from: Callable[[str], None]
) -> None:
    fetched_from(publisher.put("/code/sample.zip", sample()))
    result, said = lawbuild(f"sample-code={DATASETS / 'sample' / 'sample-code'}")
    assert result == 0, said
    assert publisher.asked == []


def test_a_refusal_of_the_publisher_builds_nothing(
    workspace: Workspace, lawbuild: Build, publisher: Publisher, fetched_from: Callable[[str], None]
) -> None:
    fetched_from(publisher.put("/code/sample.zip", sample()))
    publisher.faults = [status(403)]
    result, said = lawbuild("sample-code")
    assert result == 1
    assert "answers 403 (Forbidden)" in said
    assert not workspace.source_files("sample-code").exists()


def test_a_download_that_fails_leaves_in_service_what_is(
    workspace: Workspace, lawbuild: Build, publisher: Publisher, fetched_from: Callable[[str], None]
) -> None:
    fetched_from(publisher.put("/code/sample.zip", sample()))
    assert lawbuild("sample-code")[0] == 0
    before = current_snapshot_id(workspace.snapshots)
    pin = json.loads((workspace.source_files("sample-code") / "source.json").read_bytes())
    publisher.put("/code/sample.zip", sample()[:-30], etag='"v2"')
    result, said = lawbuild("sample-code")
    assert result == 1
    assert "is no whole .zip file" in said
    assert current_snapshot_id(workspace.snapshots) == before
    assert json.loads((workspace.source_files("sample-code") / "source.json").read_bytes()) == pin
