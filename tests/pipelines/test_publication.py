"""The publications of `lawbuild`: all that is in service stays there, unless somebody says otherwise."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from assets.release.preview import manifest_in_service
from assets.workspace import Workspace
from pipelines.publication import contents_of
from serving.cli import main as lawctl
from serving.contract.layout import MANIFEST
from serving.contract.manifest import Manifest

Build = Callable[..., tuple[int, str]]
Filled = Callable[..., None]
STATE = Path("datasets/sample/sample-code")


def manifest_of(workspace: Workspace) -> Manifest:
    manifest = manifest_in_service(workspace)
    assert manifest is not None
    return manifest


def bodies(workspace: Workspace) -> set[str]:
    return set(contents_of(manifest_of(workspace)).code_bodies)


def layers(workspace: Workspace) -> set[str]:
    return set(contents_of(manifest_of(workspace)).layers)


def broken(folder: Path) -> Path:
    """Return a copy of the state's code that its check of lost text refuses."""
    state = Path(shutil.copytree(STATE, folder / "state"))
    title = state / "title01.xml"
    text = title.read_text(encoding="utf-8")
    # A paragraph between two sections belongs to neither.
    stray = text.replace("</chapter>", "<p>Stray words after the sections.</p></chapter>", 1)
    assert stray != text
    title.write_text(stray, encoding="utf-8")
    return state


def test_a_build_adds_to_what_is_in_service(
    workspace: Workspace, lawbuild: Build, already_built: Filled
) -> None:
    already_built("sample-city-code", "sample-city")
    status, said = lawbuild("sample-code")
    assert status == 0, said
    assert bodies(workspace) == {"sample-code", "sample-city-code"}
    assert layers(workspace) == {"sample-city"}
    service = said[said.index("In service: snapshot") :]
    assert [line.split()[0] for line in service.splitlines()[1:4]] == [
        "sample-city-code",
        "sample-code",
        "sample-city",
    ]
    assert service.count("built now") == 1
    assert service.count("as before") == 2


def test_over_a_snapshot_that_cannot_be_read_it_is_said_what_to_do(
    workspace: Workspace, lawbuild: Build, already_built: Filled
) -> None:
    """A snapshot of a later version, or a damaged one, keeps nobody from going back and from building anew."""
    already_built("sample-code")
    assert lawbuild("sample-city-code")[0] == 0
    unread = workspace.snapshots / manifest_of(workspace).id
    path = unread / MANIFEST
    path.chmod(0o600)
    path.write_text(
        path.read_text(encoding="utf-8").replace('"format": 2', '"format": 99', 1), encoding="utf-8"
    )
    status, said = lawbuild("sample-city-code", "--anew")
    assert status == 1
    assert "has format 99" in said
    assert "lawctl snapshot rollback" in said
    assert "Traceback" not in said
    assert lawctl(["snapshot", "rollback"]) == 0
    status, said = lawbuild("sample-city-code", "--anew")
    assert status == 0, said
    assert unread.is_dir()
    assert bodies(workspace) == {"sample-code", "sample-city-code"}


def test_only_publishes_what_is_built_and_the_rest_comes_back(
    workspace: Workspace, lawbuild: Build, already_built: Filled
) -> None:
    already_built("sample-city-code", "sample-city")
    assert lawbuild("sample-code", "--only")[0] == 0
    assert (bodies(workspace), layers(workspace)) == ({"sample-code"}, set())
    assert lawbuild("sample-code")[0] == 0
    assert bodies(workspace) == {"sample-code", "sample-city-code"}
    assert layers(workspace) == {"sample-city"}


def test_what_is_dropped_leaves_service_for_good(
    workspace: Workspace, lawbuild: Build, already_built: Filled
) -> None:
    already_built("sample-code", "sample-city-code", "sample-city")
    status, said = lawbuild("--drop", "sample-city", "--drop", "sample-code")
    assert status == 0, said
    assert (bodies(workspace), layers(workspace)) == ({"sample-city-code"}, set())
    assert lawbuild("sample-city-code")[0] == 0
    assert (bodies(workspace), layers(workspace)) == ({"sample-city-code"}, set())
    status, said = lawbuild("sample-code")
    assert status == 0, said
    assert bodies(workspace) == {"sample-code", "sample-city-code"}


def test_a_layer_alone_is_accepted_and_waits_for_a_code_body(workspace: Workspace, lawbuild: Build) -> None:
    status, said = lawbuild("sample-city")
    assert status == 1
    assert "sample-city: done;" in said
    assert "nothing is published, since no code body would be in it" in said
    assert workspace.accepted_layer("sample-city").exists()


def test_after_a_failure_nothing_is_published(
    workspace: Workspace, lawbuild: Build, already_built: Filled, tmp_path: Path
) -> None:
    already_built("sample-city-code")
    before = manifest_of(workspace).id
    state = broken(tmp_path)
    status, said = lawbuild("sample-city-code", f"sample-code={state}")
    assert status == 1
    assert "nothing is published, since sample-code failed" in said
    assert "--publish-rest" in said
    assert f"In service: snapshot {before}" in said
    assert manifest_of(workspace).id == before
    status, said = lawbuild("sample-city-code", f"sample-code={state}", "--publish-rest")
    assert status == 1
    assert "Nothing changed: the snapshot in service is what would be published." in said
    assert manifest_of(workspace).id == before
    assert bodies(workspace) == {"sample-city-code"}
    assert "NOT IN SERVICE: its build failed" in said


def test_what_this_workspace_does_not_hold_is_not_taken_out_of_service(
    workspace: Workspace, lawbuild: Build, already_built: Filled
) -> None:
    already_built("sample-code", "sample-city-code")
    before = manifest_of(workspace).id
    shutil.rmtree(workspace.accepted("sample-city-code"))
    status, said = lawbuild("sample-code")
    assert status == 1
    assert "sample-city-code is in service" in said
    assert "--drop sample-city-code" in said
    assert manifest_of(workspace).id == before
    assert lawbuild("sample-code", "--drop", "sample-city-code")[0] == 0
    assert bodies(workspace) == {"sample-code"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--drop", "us-usc"), "us-usc cannot be dropped: it is not held. Held are: nothing."),
        (("sample-code", "--drop", "sample-code"), "sample-code is to be built and to be dropped"),
        (("sample-code", "dc-code=/no/such/archive.tar.xz"), "no file or folder /no/such/archive.tar.xz"),
        (
            ("Sample-Code",),
            "Nothing in the registry is called 'Sample-Code'; did you mean sample-code? known: code",
        ),
        (("us-uscode",), "Nothing in the registry is called 'us-uscode'; did you mean us-usc?"),
        (("wonderland",), "Nothing in the registry is called 'wonderland'; known: code bodies us-usc"),
        (("sample-code", "ca-san-mateo-charter"), "BODIES=ca-san-mateo-charter=PATH"),
    ],
)
def test_what_cannot_be_done_is_said_before_anything_is_built(
    workspace: Workspace, lawbuild: Build, arguments: tuple[str, ...], said: str
) -> None:
    status, answer = lawbuild(*arguments)
    assert status == 1
    assert said in answer
    assert not workspace.source_files("sample-code").exists()
