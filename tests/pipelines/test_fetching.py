"""`lawbuild KEY` without a path: fetched from a publisher on this machine, told beforehand, and pinned with its origin."""

import json
import re
import socket
from collections.abc import Callable

import dagster as dg
import pytest

from assets.connectors.sightings import Sighting
from assets.ingest.pinned import PinnedSource
from assets.progress import ProgressLines
from assets.settings import BuildSettings
from assets.workspace import Workspace
from assets.zoning.assets import layer_files
from assets.zoning.sources import LayerSource
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
    for key in ("sample-code", "sample-city-code"):
        assert f"{key} has not been built and accepted here" in said
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
    (line,) = [line for line in said.splitlines() if line and not line.startswith("Stored in s3://")]
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


def test_a_layer_is_fetched_and_pinned_with_its_origin(
    workspace: Workspace, publisher: Publisher, fetched_from: Callable[[str], None]
) -> None:
    address = publisher.put(
        "/maps/zones.geojson", (DATASETS / "sample" / "sample-city-zoning.geojson").read_bytes()
    )
    fetched_from(publisher.address + "/code/sample.zip")
    layers = BuildSettings.from_env().open().registry / "layers.toml"
    text = layers.read_text(encoding="utf-8").replace('source = "sample/sample-city-zoning.geojson"\n', "")
    before, after = text.split('value = "water"')
    before = before[: before.rindex("[[entry.not_zones]]")]
    connector = f'[entry.connector]\nkind = "https"\nfile = "{address}"\n'
    layers.write_text(f'{before}{connector}\n[[entry.not_zones]]\nvalue = "water"{after}', encoding="utf-8")
    result = dg.materialize(
        [layer_files],
        partition_key="sample-city",
        resources={"workspace": BuildSettings.from_env().open(), "progress": ProgressLines(lambda _: None)},
    )
    assert result.success
    pin = LayerSource.load(workspace.layer_source("sample-city"))
    assert (pin.origin, pin.release, pin.release_date) == ("zones.geojson", '"v1"', "2026-01-12")
    assert [file.address for file in pin.fetched] == [address]
    seen = Sighting.load(workspace.newest_release("sample-city"))
    assert seen is not None
    assert seen.release == '"v1"'


def test_what_was_accepted_is_published_without_a_build(
    workspace: Workspace, lawbuild: Build, fetched_from: Callable[[str], None], publisher: Publisher
) -> None:
    fetched_from(publisher.address + "/code/sample.zip")
    result, said = lawbuild("--dry-run")
    assert result == 2
    assert "Nothing was accepted yet" in said
    assert "has not been built" not in said
    assert lawbuild("sample-city-code")[0] == 0
    before = current_snapshot_id(workspace.snapshots)
    result, said = lawbuild("--dry-run")
    assert result == 2
    assert f"would change of snapshot {before}:" in said
    assert re.search(r"sample-city-code +the same [\d,]+ provisions", said)
    result, said = lawbuild("--publish")
    assert result == 0, said
    assert "sample-city-code" in said
    assert publisher.asked == []
