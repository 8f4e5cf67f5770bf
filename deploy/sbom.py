"""Write the bill of materials of a server: `python -m deploy.sbom FILE`. CycloneDX 1.6, JSON.

Packages, versions and hashes are those of `requirements-serve.lock`; licences and what needs what are read
from the packages that are installed here.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from deploy.locks import Pin, normal_name, read_lock

ROOT = Path(__file__).resolve().parents[1]
LOCK = "requirements-serve.lock"
UNDECLARED = {"overrides": "Apache-2.0", "protobuf": "BSD-3-Clause"}
"""Licences of packages whose metadata name none: read from the licence files that they carry."""

Document = dict[str, Any]


class InvalidBillError(Exception):
    """The bill is not what the schema of CycloneDX asks for."""


def bill_of_materials(root: Path = ROOT) -> Document:
    """Return the bill of the checkout in `root`.

    Raises:
        InvalidBillError: the schema does not accept it.
    """
    document = _of_this_environment(root)
    pins = read_lock(root / LOCK)
    known = {normal_name(component["name"]): component for component in document["components"]}
    document["components"] = [_shipped(pins[name], known.get(name, {})) for name in sorted(pins)]
    main = document["metadata"]["component"]["bom-ref"]
    refs = {component["bom-ref"]: name for name, component in known.items() if name in pins}
    document["dependencies"] = [
        {"ref": _ref(entry["ref"], refs, pins), "dependsOn": _refs(entry.get("dependsOn", ()), refs, pins)}
        for entry in document["dependencies"]
        if entry["ref"] in refs or entry["ref"] == main
    ]
    problem = JsonStrictValidator(SchemaVersion.V1_6).validate_str(json.dumps(document))
    if problem is not None:
        raise InvalidBillError(str(problem))
    return document


def _of_this_environment(root: Path) -> Document:
    command = [
        sys.executable,
        "-m",
        "cyclonedx_py",
        "environment",
        "--pyproject",
        str(root / "pyproject.toml"),
    ]
    command += ["--spec-version", "1.6", "--output-reproducible", sys.executable]
    done = subprocess.run(command, capture_output=True, check=True)  # noqa: S603 (our own interpreter)
    document: Document = json.loads(done.stdout)
    return document


def _shipped(pin: Pin, installed: Document) -> Document:
    """Return a package as the lock has it, with what its installed form says of itself."""
    licences = installed.get("licenses") or _undeclared(pin.name)
    hashes = [{"alg": "SHA-256", "content": sha256} for sha256 in pin.sha256]
    address = f"pkg:pypi/{pin.name}@{pin.version}"
    files = {"type": "distribution", "url": address, "hashes": hashes, "comment": "any of these files"}
    return {
        "type": "library",
        "bom-ref": address,
        "name": pin.name,
        "version": pin.version,
        "purl": address,
        "externalReferences": [files],
        **({"licenses": licences} if licences else {}),
        **({"description": installed["description"]} if "description" in installed else {}),
    }


def _undeclared(name: str) -> list[Document]:
    licence = UNDECLARED.get(name)
    return [{"license": {"id": licence}}] if licence else []


def _ref(ref: str, refs: dict[str, str], pins: dict[str, Pin]) -> str:
    return f"pkg:pypi/{refs[ref]}@{pins[refs[ref]].version}" if ref in refs else ref


def _refs(given: list[str], refs: dict[str, str], pins: dict[str, Pin]) -> list[str]:
    return sorted({_ref(ref, refs, pins) for ref in given if ref in refs})


def main() -> int:
    """Write the bill to the file that is named, or to standard output."""
    text = json.dumps(bill_of_materials(), indent=2, sort_keys=True) + "\n"
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
