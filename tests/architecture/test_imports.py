"""Who may import whom: over the syntax trees of all modules, and in a fresh process that loads the server."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.modules import OURS, ROOT, imports, lies_in, modules

BUILD_ONLY = {"dagster", "geopandas", "lxml", "matplotlib", "onnx", "pandas", "safetensors", "tenacity"}

FLOOR = {
    *("assets.compression", "assets.errors", "assets.findings", "assets.progress", "assets.settings"),
    *("assets.stage_record", "assets.versions", "assets.vocabulary", "assets.workspace"),
}
GROUND = {*FLOOR, "serving.contract"}
FRAME = {"assets.checking", "assets.failing", "assets.partitions", "assets.reporting"}
STAGE = {*GROUND, *FRAME, "assets.registry", "assets.selection", "assets.storage"}

SHARED_BY_DOORS = {
    *(
        "serving.accounts",
        "serving.api",
        "serving.authorization",
        "serving.concurrency",
        "serving.contract",
        "serving.metering",
        "serving.services",
    ),
    *("serving.settings", "serving.snapshot"),
}

ALLOWED: dict[str, set[str]] = {
    # package: the packages of ours that it may import
    "legal_client": {"legal_client"},
    # The rooms of `serving`, from the bottom up. A door imports no door; `process` puts them together.
    "serving.arguments": set(),
    "serving.points": set(),
    "serving.contract": {"serving.contract"},
    "serving.counting": {"serving.counting"},
    "serving.concurrency": {"serving.concurrency", "serving.contract"},
    "serving.settings": {"serving.contract", "serving.settings"},
    "serving.outgoing": {"serving.contract", "serving.outgoing"},
    "serving.geocoding": {
        *("serving.contract", "serving.geocoding", "serving.outgoing", "serving.points"),
    },
    "serving.encoder": {"serving.contract", "serving.encoder"},
    "serving.snapshot": {"serving.contract", "serving.encoder", "serving.snapshot"},
    "serving.metering": {"serving.concurrency", "serving.contract", "serving.metering"},
    "serving.accounts": {"serving.accounts", "serving.concurrency", "serving.contract", "serving.metering"},
    "serving.logs": {"serving.metering"},
    "serving.payments": {
        *("serving.accounts", "serving.contract", "serving.metering", "serving.payments", "serving.settings"),
    },
    "serving.comparison": {"serving.comparison", "serving.contract", "serving.snapshot"},
    "serving.transparency": {"serving.contract", "serving.snapshot", "serving.transparency"},
    "serving.mirror": {"serving.contract", "serving.mirror", "serving.snapshot", "serving.transparency"},
    "serving.services": {
        *("serving.comparison", "serving.concurrency", "serving.contract", "serving.services"),
        "serving.snapshot",
    },
    "serving.watches": {
        *("serving.contract", "serving.metering", "serving.outgoing", "serving.services"),
        *("serving.snapshot", "serving.watches"),
    },
    "serving.api": {
        *("serving.accounts", "serving.api", "serving.contract", "serving.metering", "serving.points"),
        "serving.services",
    },
    "serving.authorization": {
        *("serving.accounts", "serving.api", "serving.authorization", "serving.contract"),
        *("serving.metering", "serving.settings"),
    },
    "serving.responses": {
        *("serving.api", "serving.concurrency", "serving.contract", "serving.responses"),
        *("serving.services", "serving.snapshot"),
    },
    "serving.http": {
        *SHARED_BY_DOORS,
        *("serving.counting", "serving.http", "serving.payments", "serving.responses", "serving.watches"),
        "serving.transparency",
    },
    "serving.mcp": {*SHARED_BY_DOORS, "serving.logs", "serving.mcp"},
    "serving.pages": {
        *SHARED_BY_DOORS,
        *("serving.geocoding", "serving.pages", "serving.payments", "serving.points", "serving.responses"),
    },
    "serving.process": {
        *SHARED_BY_DOORS,
        *("serving.counting", "serving.encoder", "serving.http", "serving.logs", "serving.mcp"),
        *("serving.pages", "serving.payments", "serving.process", "serving.responses"),
    },
    "serving.commands": {
        *("serving.accounts", "serving.commands", "serving.comparison", "serving.contract"),
        *("serving.metering", "serving.services", "serving.settings", "serving.snapshot", "serving.watches"),
        *("serving.mirror", "serving.pages", "serving.transparency"),
    },
    "serving.cli": {"serving.arguments", "serving.commands", "serving.contract"},
    "serving": set(),
    # A loose module of `assets` is of the floor, or of the frame that binds stages to Dagster.
    "assets": {*GROUND, *FRAME, "assets.registry"},
    **{module: {*GROUND} for module in FLOOR},
    # The rooms of `assets`, from the bottom up: what stands below is all that a room may import.
    "assets.confinement": {*GROUND, "assets.confinement"},
    "assets.registry": {*GROUND, "assets.registry"},
    "assets.storage": {*GROUND, "assets.registry", "assets.storage", "serving.snapshot"},
    "assets.selection": {*GROUND, *FRAME, "assets.registry", "assets.storage", "assets.selection"},
    "assets.connectors": {*GROUND, "assets.registry", "assets.connectors"},
    "assets.ingest": {
        *(*GROUND, *FRAME, "assets.registry", "assets.confinement", "assets.connectors", "assets.ingest"),
        "assets.storage",
    },
    "assets.encoder": {*GROUND, "assets.encoder", "serving.encoder"},
    "assets.text": {*GROUND, *FRAME, "assets.registry", "assets.text", "serving.encoder"},
    "assets.search": {*STAGE, "assets.text", "assets.search", "serving.encoder", "serving.snapshot"},
    "assets.citations": {*STAGE, "assets.ingest", "assets.citations", "serving.snapshot", "serving.services"},
    "assets.zoning": {
        *STAGE,
        "assets.confinement",
        "assets.connectors",
        "assets.ingest",
        "assets.zoning",
        "serving.snapshot",
    },
    "assets.formation": {*GROUND, *FRAME, "assets.text", "assets.formation", "serving.encoder"},
    "assets.freshness": {
        *(*STAGE, "assets.connectors", "assets.ingest", "assets.zoning", "assets.freshness"),
    },
    "assets.release": {
        *(*STAGE, "assets.search", "assets.citations", "assets.zoning", "assets.formation"),
        "assets.freshness",
        *("assets.release", "serving.comparison", "serving.encoder", "serving.snapshot"),
        *("serving.services", "serving.transparency"),
    },
    "pipelines": {
        *("pipelines", "assets"),
        *("serving.arguments", "serving.contract", "serving.encoder"),
        *("serving.snapshot", "serving.services"),
    },
}


@pytest.mark.parametrize(("name", "path"), list(modules()), ids=lambda value: str(value)[-60:])
def test_a_module_imports_only_what_its_package_may(name: str, path: Path) -> None:
    package = max((key for key in ALLOWED if lies_in(name, {key})), key=len)
    ours = {module for module in imports(path) if module.split(".")[0] in OURS}
    assert not {module for module in ours if not lies_in(module, ALLOWED[package])}


def test_serving_names_no_build_library() -> None:
    for name, path in modules():
        if name.startswith("serving"):
            tops = {module.split(".")[0] for module in imports(path)}
            assert not tops & BUILD_ONLY, name


def test_falcon_stays_in_the_doors_that_speak_http() -> None:
    for name, path in modules():
        if not lies_in(name, {"serving.http", "serving.pages", "serving.responses"}):
            assert "falcon" not in {module.split(".")[0] for module in imports(path)}, name


def test_nobody_stands_on_the_client() -> None:
    for name, path in modules():
        if not lies_in(name, {"legal_client"}):
            assert not any(lies_in(module, {"legal_client"}) for module in imports(path)), name


def test_the_protocol_of_agents_stays_in_its_door() -> None:
    of_protocol = {"mcp", "mcp_types", "starlette"}
    for name, path in modules():
        tops = {module.split(".")[0] for module in imports(path)}
        if not lies_in(name, {"serving.mcp"}):
            assert not tops & of_protocol, name


def test_only_the_thin_layer_of_assets_knows_dagster() -> None:
    shared = {
        "assets.checking",
        "assets.failing",
        "assets.partitions",
        "assets.reporting",
        "assets.selection.config",
    }
    for name, path in modules():
        thin = name in shared or name.rsplit(".", 1)[-1] in {"assets", "checks"}
        if name.startswith("assets") and not thin:
            assert "dagster" not in {module.split(".")[0] for module in imports(path)}, name


LOAD_WITHOUT_THE_BUILD = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in BANNED:
            raise ModuleNotFoundError(f"{name} is not installed beside a server", name=name)

BANNED = set(sys.argv[1:])
sys.meta_path.insert(0, Absent())
import serving.process.asgi, serving.cli
assert not BANNED & {name.split(".")[0] for name in sys.modules}
print("loaded")
"""


def test_the_server_loads_where_nothing_of_the_build_is_installed() -> None:
    banned = sorted(BUILD_ONLY | {"assets", "pipelines"})
    loading = subprocess.run(
        [sys.executable, "-c", LOAD_WITHOUT_THE_BUILD, *banned],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert loading.stdout == "loaded\n", loading.stderr


def test_datasets_hold_no_code() -> None:
    assert (ROOT / "datasets").is_dir()
    assert not list((ROOT / "datasets").rglob("*.py"))
