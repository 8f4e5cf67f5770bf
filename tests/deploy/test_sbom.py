"""The bill of materials: everything that a server installs, each with its hashes and its licence, and valid."""

import json
from pathlib import Path

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from deploy import sbom
from deploy.locks import read_lock

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def bill(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("release") / "sbom.cdx.json"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["sbom", str(file)])
        assert sbom.main() == 0
    return file.read_text(encoding="utf-8")


def test_bill_is_valid_cyclonedx(bill: str) -> None:
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(bill) is None


def test_bill_names_every_package_that_a_server_installs(bill: str) -> None:
    components = {one["name"]: one for one in json.loads(bill)["components"]}
    pins = read_lock(ROOT / "requirements-serve.lock")
    assert len(pins) > 50
    assert {name: one["version"] for name, one in components.items()} == {
        name: pin.version for name, pin in pins.items()
    }
    for name, one in components.items():
        (files,) = one["externalReferences"]
        assert {entry["content"] for entry in files["hashes"]} == set(pins[name].sha256)
        assert files["hashes"], name
        assert one.get("licenses"), f"{name} names no licence: look it up, see UNDECLARED"


def test_bill_says_what_needs_what(bill: str) -> None:
    document = json.loads(bill)
    needs = {entry["ref"]: set(entry["dependsOn"]) for entry in document["dependencies"]}
    direct = needs[document["metadata"]["component"]["bom-ref"]]
    assert {ref.partition("@")[0] for ref in direct} >= {
        "pkg:pypi/falcon",
        "pkg:pypi/mcp",
        "pkg:pypi/tantivy",
    }
    known = {one["bom-ref"] for one in document["components"]}
    assert set().union(*needs.values()) <= known


def test_a_lock_is_read_with_its_hashes(tmp_path: Path) -> None:
    lock = tmp_path / "a.lock"
    lock.write_text(
        f"A_b.c==1.0 \\\n    --hash=sha256:{'0' * 64} \\\n    --hash=sha256:{'1' * 64}\n    # via x\nd==2\n"
    )
    pins = read_lock(lock)
    assert {name: (pin.version, pin.sha256) for name, pin in pins.items()} == {
        "a-b-c": ("1.0", ("0" * 64, "1" * 64)),
        "d": ("2", ()),
    }
