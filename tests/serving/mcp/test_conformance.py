"""The official conformance suite, in both eras: what fails is what `conformance/expected.toml` says, with the reason."""

import json
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.serving.mcp.key_proxy import proxy_with_key
from tests.serving.servers import CHECKOUT

pytestmark = pytest.mark.e2e

EXPECTED = Path(__file__).parent / "conformance" / "expected.toml"
INSTALLED = CHECKOUT / ".cache" / "conformance" / "node_modules"
SUITE = INSTALLED / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"


def expected(revision: str) -> dict[str, str]:
    """Checks that fail under a revision, each with the reason."""
    groups = tomllib.loads(EXPECTED.read_text(encoding="utf-8"))["group"]
    return {check: group["why"] for group in groups for check in group.get(revision, ())}


def test_every_expected_failure_has_one_reason():
    for group in tomllib.loads(EXPECTED.read_text(encoding="utf-8"))["group"]:
        assert len(group["why"]) > 20
        assert group.keys() <= {"why", "2025-11-25", "2026-07-28"}
    for revision in ("2025-11-25", "2026-07-28"):
        groups = tomllib.loads(EXPECTED.read_text(encoding="utf-8"))["group"]
        listed = [check for group in groups for check in group.get(revision, ())]
        assert len(listed) == len(set(listed))


@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_the_official_suite_fails_only_where_it_is_said(server, books, tmp_path, revision):
    node = next(INSTALLED.glob("node-linux-*/bin/node"), None)
    if node is None or not SUITE.exists():
        pytest.skip("the suite is not installed: `make conformance` does it, with npm")
    key = books.customer(tier="bulk", balance=1_000).key
    with proxy_with_key(server.port, key) as url:
        command = [node, SUITE, "server", "--url", f"{url}/mcp", "--requirements", revision, "-o", tmp_path]
        run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    failed, passed = set(), 0
    for file in tmp_path.glob("*/checks.json"):
        scenario = file.parent.name.removeprefix("server-").rsplit("-", 6)[0]
        for check in json.loads(file.read_text(encoding="utf-8")):
            if check["status"] == "FAILURE":
                failed.add(f"{scenario}/{check['id']}")
            passed += check["status"] == "SUCCESS"
    assert passed >= 30, run.stdout + run.stderr
    assert failed == expected(revision).keys()
