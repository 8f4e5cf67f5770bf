"""The code of the reference: all of it is run, and does what the page says."""

import shlex
import subprocess

import pytest

from serving.api.discovery import contract
from serving.pages.reference.document import Operation, read_reference
from serving.pages.reference.samples import CLIENT, KEY, Sample, address_of, body_of, samples_of
from tests.serving.pages.reference.test_document import WATCHES
from tests.serving.servers import KeyRing

OPERATIONS = {one.id: one for one in read_reference(contract()).operations}
REFUSED = {"getMetrics": 404, "getSecurityText": 404}
"""Calls that this server answers otherwise than with what they ask for, and their statuses."""


def code_of(samples: tuple[Sample, ...]) -> dict[str, str]:
    return {sample.name: sample.code for sample in samples}


def test_every_call_of_the_client_is_one_of_the_document() -> None:
    assert set(CLIENT) <= set(OPERATIONS)


def test_values_are_written_as_each_language_needs_them() -> None:
    values = {"q": 'the landlord\'s "deposit" & more', "nodeId": "a/b"}
    samples = code_of(samples_of(OPERATIONS["searchLaw"], "https://law.example", values))
    address = "https://law.example/api/v1/search?q=the%20landlord%27s%20%22deposit%22%20%26%20more"
    assert shlex.split(samples["curl"].replace("\\\n", ""))[-1] == address
    assert address in samples["python"] or r"\"deposit\" & more" in samples["python"]
    compile(samples["python"], "sample", "exec")
    assert address_of(OPERATIONS["getNode"], "", values) == "/api/v1/node/a%2Fb"


def test_bodies_name_what_the_snapshot_has() -> None:
    told = {"nodeId": "doc-1", "snapshotPath": "2026.01.01-1"}
    example = {"subject": {"node": "doc-1"}, "all": ["doc-1", "2026.01.01-1", 2, None], "text": "of doc-1"}
    assert body_of(example, told, {"nodeId": "ours"}) == {
        "subject": {"node": "ours"},
        "all": ["ours", "2026.01.01-1", 2, None],
        "text": "of doc-1",
    }


def test_a_watch_is_not_named_by_the_id_of_a_provision() -> None:
    removed = address_of(OPERATIONS["removeWatch"], "", {"nodeId": "a", "codeBodyId": "b"})
    assert removed == "/api/v1/watches/{id}"


def test_what_has_no_example_is_left_blank() -> None:
    order = code_of(samples_of(OPERATIONS["getFormationStatus"], "https://law.example", {}))
    assert "/api/v1/formation/status/{orderId}?token={token}" in order["curl"]
    assert 'law.order("{orderId}", token="{token}")' in order["python"]


def test_a_body_and_another_method_are_in_the_code() -> None:
    (group,) = read_reference(WATCHES).groups
    add, drop = (code_of(samples_of(one, "https://law.example", {})) for one in group.operations)
    words = shlex.split(add["curl"].replace("\\\n", ""))
    assert words[1:3] == ["-X", "POST"]
    assert words[words.index("--json") + 1] == '{"nodeId": "it\\u0027s one"}'
    compile(add["python"], "sample", "exec")
    assert """data=json.dumps({'nodeId': "it's one"}).encode(),""" in add["python"]
    assert 'method: "POST"' in add["javascript"]
    assert '"Content-Type": "application/json"' in add["python"]
    assert '"Content-Type": "application/json"' in add["javascript"]
    assert drop["curl"] == "curl -X DELETE \\\n  'https://law.example/watches'"
    assert "Authorization" not in drop["javascript"]


@pytest.fixture
def key(server) -> str:
    return KeyRing(server.database).headers()["Authorization"].removeprefix("Bearer ")


@pytest.fixture(scope="module")
def shown(server, chromium) -> dict[str, dict[str, str]]:
    """The code of every operation, as the page of a running server shows it."""
    page = chromium.new_page()
    page.goto(f"{server.url}/docs")
    found: dict[str, dict[str, str]] = page.evaluate(
        "() => Object.fromEntries([...document.querySelectorAll('.operation')].map((entry) => ["
        "  entry.querySelector('.matter').id, Object.fromEntries([...entry.querySelectorAll('.code input')].map("
        "    (choice) => [choice.value, entry.querySelector(`pre.in-${choice.value}`).textContent]))]))"
    )
    page.close()
    return found


def runnable(shown: dict[str, dict[str, str]]) -> list[tuple[str, dict[str, str]]]:
    """The calls that change nothing, and for which the snapshot has an example: there is none of an order."""
    found = [
        (name, samples)
        for name, samples in shown.items()
        if OPERATIONS[name].method == "GET" and "{" not in samples["curl"]
    ]
    assert {"searchLaw", "getNode", "getZonesAtPoint", "getDownload", "getAtomFeed"} <= {
        name for name, _ in found
    }
    return found


@pytest.mark.e2e
def test_every_curl_line_and_every_script_of_the_page_works(
    server, shown, key, chromium, monkeypatch
) -> None:
    monkeypatch.setenv("LAW_KEY", key)
    page = chromium.new_page()
    page.goto(f"{server.url}/docs")
    assert set(shown) == set(OPERATIONS)
    for name, samples in runnable(shown):
        expected = REFUSED.get(name, 200)
        command = samples["curl"].replace("curl ", "curl -s -o /dev/null -w '%{http_code}' ", 1)
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
        assert done.stdout == str(expected), command
        script = samples["javascript"].replace(KEY, key)
        status = page.evaluate(
            f"async () => {{ {script.replace('console.log', 'void ')}\n return answer.status; }}"
        )
        assert status == expected, script
    page.close()


@pytest.mark.e2e
def test_every_python_program_of_the_page_works(shown, key, capsys) -> None:
    for name, samples in runnable(shown):
        if name in REFUSED:
            continue
        exec(compile(samples["python"].replace(KEY, key), name, "exec"), {})
        assert len(capsys.readouterr().out) > 2, name


@pytest.mark.e2e
def test_the_operation_is_asked_for_by_its_own_address(shown) -> None:
    for operation in OPERATIONS.values():
        assert isinstance(operation, Operation)
        path = operation.path.partition("{")[0]
        assert all(
            path in samples for samples in (shown[operation.id]["curl"], shown[operation.id]["javascript"])
        )
