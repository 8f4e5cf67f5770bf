"""Every operation of the OpenAPI document, asked by Schemathesis of the real server in ways nobody thought of."""

import os
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from serving.api.endpoints import ENDPOINTS
from serving.metering.clock import HOUR, SystemClock
from serving.metering.keys import digest
from serving.metering.records import Charge, Settled
from serving.metering.store import store_opener
from serving.metering.tiers import TIERS, Tier
from tests.serving.api.schemathesis_hooks import KEYS, OUTCOMES
from tests.serving.metering.books import opened_books
from tests.serving.meters import SetClock
from tests.serving.servers import Server

pytestmark = pytest.mark.e2e
ROOT = Path(__file__).parents[3]
CONFIGURATION = Path(__file__).with_name("schemathesis.toml")
SECONDS = 240
SNAPSHOT = "2026.11.21-1"
EVERY = {f"{method} {one.path}" for one in ENDPOINTS for method in one.methods}
METERED = {f"GET {one.path}" for one in ENDPOINTS if one.operation and one.operation.cost}
NOT_IN_THE_SAMPLE = {
    "GET /api/v1/formation/status/{orderId}",
    "GET /api/v1/gis/{shortCode}",
    "GET /api/v1/gis/{shortCode}/at",
    # A log of fewer than 256 publications has no complete tile.
    "GET /api/v1/log/tile/{level}/{index}",
    "HEAD /api/v1/log/tile/{level}/{index}",
    "GET /metrics",
    "HEAD /metrics",
    *(f"{method} /api/v1/watches/{{id}}" for method in ("GET", "POST", "DELETE")),
    *(f"{method} /feeds/watches/{{token}}.{kind}" for method in ("GET", "HEAD") for kind in ("json", "atom")),
}
"""What has nothing to show here; tests of their own look at its answers."""
Run = Callable[..., dict[str, set[int]]]


@pytest.fixture(scope="module")
def described(snapshots_folder, sqlite_template, tmp_path_factory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("described")
    shutil.copy(sqlite_template, folder / "accounts.sqlite")
    server = Server(
        snapshots_folder,
        folder / "server.log",
        f"sqlite:///{folder / 'accounts.sqlite'}",
        environment={"LAW_SECURITY_CONTACT": "mailto:security@law.example"},
    )
    try:
        server.wait_until_ready()
        yield server
    finally:
        server.kill()


@pytest.fixture
def run(described: Server, tmp_path: Path) -> Run:
    """Runs Schemathesis with some keys and gives the statuses that each operation answered."""

    def run(keys: tuple[str, ...], *options: str, parameters: str = "") -> dict[str, set[int]]:
        outcomes, configuration = tmp_path / "outcomes", tmp_path / "schemathesis.toml"
        configuration.write_text(CONFIGURATION.read_text(encoding="utf-8") + parameters, encoding="utf-8")
        done = subprocess.run(
            [
                *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(configuration), "run"),
                *(f"{described.url}/api/v1/openapi.json", *options),
            ],
            cwd=tmp_path,
            env={
                **os.environ,
                "PYTHONPATH": str(ROOT),
                "SCHEMATHESIS_HOOKS": "tests.serving.api.schemathesis_hooks",
                KEYS: " ".join(keys),
                OUTCOMES: str(outcomes),
            },
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS,
        )
        print(done.stdout[-6000:])
        assert done.returncode == 0, done.stdout + done.stderr
        answered = defaultdict(set)
        for line in outcomes.read_text(encoding="utf-8").splitlines():
            operation, status = line.split("\t")
            answered[operation].add(int(status))
        return dict(answered)

    return run


def use_up_the_day(database: str, key: str, tier: Tier) -> None:
    """Have a key ask all that it may in a day, an hour ago: what it may in a minute is given back too soon."""
    clock = SetClock(SystemClock().now() - HOUR)
    store = store_opener(database, clock=clock)()
    left = tier.per_day
    while left:
        clock.pass_(61)
        asked = min(left, tier.per_minute)
        outcomes = store.settle([Charge(digest(key), 0, "me", f"used-{left}")] * asked)
        assert {type(outcome) for outcome in outcomes} == {Settled}
        left -= asked
    store.close()


def test_every_operation_answers_as_described(described, run):
    with opened_books(described.database) as books:
        keys = [key for _ in range(3) for key in books.customer(balance=1_000_000, tier="bulk", keys=10).keys]
    answered = run(tuple(keys))
    print(*(f"{operation} {sorted(statuses)}" for operation, statuses in answered.items()), sep="\n")
    # Schemathesis leaves out what it was given to read.
    assert set(answered) == EVERY - {"GET /api/v1/openapi.json"}
    for operation, statuses in answered.items():
        # HEAD of what is named by links alone is answered where such a link was drawn.
        either = statuses | answered.get(operation.replace("HEAD ", "GET "), set())
        assert either & {200, 201} or operation in NOT_IN_THE_SAMPLE, operation
        assert not {status for status in statuses if status >= 500}, operation
    assert "Traceback" not in described.log.read_text(encoding="utf-8")


@pytest.mark.parametrize(("status", "balance", "tier"), [(402, 0, "bulk"), (429, 1_000, "free")])
def test_every_operation_refuses_as_described(described, run, status, balance, tier):
    with opened_books(described.database) as books:
        key = books.customer(balance=balance, tier=tier).key
    if status == 429:
        use_up_the_day(described.database, key, TIERS[tier])
        refused = httpx.get(f"{described.url}/api/v1/me", headers={"Authorization": f"Bearer {key}"})
        assert refused.status_code == 429
    answered = run(
        (key,),
        *(
            "--phases",
            "examples,coverage",
            "--mode",
            "positive",
            "--exclude-checks",
            "positive_data_acceptance",
        ),
        # A snapshot that is not there is told before the credits are looked at.
        parameters=f'[parameters]\n"query.snapshot" = "{SNAPSHOT}"\n',
    )
    for operation in METERED:
        assert status in answered[operation], operation
        assert 200 not in answered[operation], operation
