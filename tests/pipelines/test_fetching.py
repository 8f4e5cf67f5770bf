"""`lawbuild KEY` without a path: fetched from a publisher on this machine, told beforehand, and pinned with its origin."""

import json
import re
import socket
from collections.abc import Callable

import pytest

from assets.ingest.pinned import PinnedSource
from assets.workspace import Workspace
from serving.snapshot.pointer import current_snapshot_id
from tests.assets.connectors.publisher import Publisher, status
from tests.pipelines.conftest import DATASETS, sample

Build = Callable[..., tuple[int, str]]


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


def test_all_publishers_that_are_named_are_asked_and_compared(
    lawbuild: Build, publisher: Publisher, fetched_from: Callable[[str], None]
) -> None:
    fetched_from(publisher.put("/code/sample.zip", sample()))
    result, said = lawbuild("--check", "sample-code")
    assert result == 0, said
    head, row = said.splitlines()
    assert head.split() == ["accepted", "newest", "days", "behind", "what", "to", "run"]
    assert re.fullmatch(r'sample-code +nothing +"v1" of 2026-01-12 +lawbuild sample-code', row)
    assert {one.method for one in publisher.asked} == {"HEAD"}
    publisher.faults = [status(503)]
    result, said = lawbuild("--check", "sample-code")
    assert result == 1
    assert 'no answer; "v1" before' in said
    assert f"{publisher.address}/code/sample.zip answers 503" in said
    result, said = lawbuild("--check", "sample-city-code")
    assert result == 1
    assert "sample-city-code has no connector" in said
