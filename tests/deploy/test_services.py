"""The unit of systemd and the objects of Kubernetes: they name what there is, and give a stop the time it takes."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from serving.cli import parser
from serving.settings.settings import Settings
from serving.settings.table import TABLE

ROOT = Path(__file__).parents[2]
UNIT = (ROOT / "deploy" / "law.service").read_text(encoding="utf-8")


def objects(name: str) -> dict[str, dict[str, Any]]:
    """The objects of a file for Kubernetes, by kind."""
    text = (ROOT / "deploy" / "kubernetes" / name).read_text(encoding="utf-8")
    return {one["kind"]: one for one in yaml.safe_load_all(text)}


OBJECTS = objects("server.yaml")
POD: dict[str, Any] = OBJECTS["Deployment"]["spec"]["template"]
CONTAINER: dict[str, Any] = POD["spec"]["containers"][0]
PREPARING: dict[str, Any] = POD["spec"]["containers"][1]
DELIVERIES = objects("watches.yaml")
DELIVERING_POD: dict[str, Any] = DELIVERIES["Deployment"]["spec"]["template"]
DELIVERING: dict[str, Any] = DELIVERING_POD["spec"]["containers"][0]
NOBODY = 65534


@pytest.mark.parametrize(
    "name",
    ["law.service", "law-pages.service", "law-watches.service", "law-mirror.service", "law-pull.service"],
)
def test_systemd_accepts_its_units(name: str, tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip(f"systemd is not here: deploy/{name} was NOT checked")
    unit = tmp_path / name
    text = (ROOT / "deploy" / name).read_text(encoding="utf-8")
    # It looks for what is run.
    unit.write_text(text.replace("/opt/law/.venv/bin/lawctl", "/bin/true"), encoding="utf-8")
    checked = subprocess.run(
        [program, "verify", "--man=no", "--recursive-errors=no", unit],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stderr
    # A setting that it does not know is only told.
    assert name not in checked.stderr, checked.stderr


@pytest.mark.parametrize(
    ("name", "needed"),
    [("watches", {"LAW_SNAPSHOTS", "LAW_DATABASE_URL"}), ("pages", {"LAW_SNAPSHOTS", "LAW_PAGES"})],
)
def test_what_runs_beside_the_server_has_its_settings(name: str, needed: set[str]) -> None:
    other = (ROOT / "deploy" / f"law-{name}.service").read_text(encoding="utf-8")
    own = dict(re.findall(r"^Environment=(LAW_\w+)=(\S+)$", other, re.MULTILINE))
    assert own == {setting: value for setting, value in unit_environment().items() if setting in own}
    assert needed <= set(own)
    (run,) = re.findall(r"^ExecStart=/opt/law/.venv/bin/lawctl (.+)$", other, re.MULTILINE)
    assert parser().parse_args(run.split()).run is not None


@pytest.mark.parametrize("name", ["law-mirror", "law-pull"])
def test_a_timer_runs_a_unit_that_makes_settings_that_there_are(name: str) -> None:
    assert (ROOT / "deploy" / f"{name}.timer").is_file()
    unit = (ROOT / "deploy" / f"{name}.service").read_text(encoding="utf-8")
    settings = dict(re.findall(r"^Environment=(LAW_\w+)=(\S+)$", unit, re.MULTILINE))
    assert Settings.from_env(settings).snapshots == Settings.from_env(unit_environment()).snapshots
    (run,) = re.findall(r"^ExecStart=/opt/law/.venv/bin/lawctl (.+)$", unit, re.MULTILINE)
    assert parser().parse_args(run.split()).run is not None


def unit_environment() -> dict[str, str]:
    lines = re.findall(r"^Environment=(LAW_\w+)=(\S+)$", UNIT, re.MULTILINE)
    return dict(lines)


def test_the_unit_makes_settings_that_there_are_and_gives_a_stop_its_time() -> None:
    settings = Settings.from_env(unit_environment())
    (stop,) = re.findall(r"^TimeoutStopSec=(\d+)$", UNIT, re.MULTILINE)
    assert int(stop) > settings.drain_seconds + settings.graceful_seconds
    (files,) = re.findall(r"^LimitNOFILE=(\d+)$", UNIT, re.MULTILINE)
    assert int(files) > settings.max_connections


def environment() -> dict[str, str]:
    told = {one["name"]: one.get("value") for one in CONTAINER["env"]}
    (secret,) = [name for name, value in told.items() if value is None]
    assert secret == "LAW_DATABASE_URL", "the password is no part of the file"
    return {name: value or "postgresql://law:x@db.internal/law" for name, value in told.items()}


def test_pods_make_settings_that_there_are_and_give_a_stop_its_time() -> None:
    settings = Settings.from_env(environment())
    assert POD["spec"]["terminationGracePeriodSeconds"] > settings.drain_seconds + settings.graceful_seconds
    probe = CONTAINER["readinessProbe"]
    assert settings.drain_seconds >= probe["periodSeconds"] * probe["failureThreshold"], "balancers see it"
    assert {setting.variable for setting in TABLE} >= set(environment())
    assert all(isinstance(one.get("value", ""), str) for one in CONTAINER["env"])


@pytest.mark.parametrize(
    ("pod", "container", "written"),
    [
        (POD, CONTAINER, {"/tmp"}),
        (POD, PREPARING, {"/tmp", "/pages"}),
        (DELIVERING_POD, DELIVERING, {"/tmp"}),
    ],
    ids=["server", "pages", "watches"],
)
def test_pods_are_nobody_on_a_file_system_that_they_cannot_write(
    pod: dict[str, Any], container: dict[str, Any], written: set[str]
) -> None:
    security = pod["spec"]["securityContext"] | container["securityContext"]
    assert (security["runAsUser"], security["runAsNonRoot"]) == (NOBODY, True)
    assert security["readOnlyRootFilesystem"] is True
    assert security["allowPrivilegeEscalation"] is False
    assert security["capabilities"] == {"drop": ["ALL"]}
    assert pod["spec"]["automountServiceAccountToken"] is False
    assert {mount["mountPath"] for mount in container["volumeMounts"] if not mount.get("readOnly")} == written
    volumes = {volume["name"] for volume in pod["spec"]["volumes"]}
    assert {mount["name"] for mount in container["volumeMounts"]} == volumes


def test_pods_that_deliver_are_servers_that_nothing_reaches() -> None:
    assert DELIVERING["image"] == CONTAINER["image"]
    assert [one for one in DELIVERING["env"] if one not in CONTAINER["env"]] == []
    assert DELIVERING_POD["spec"]["volumes"] == [
        one for one in POD["spec"]["volumes"] if one["name"] != "pages"
    ]
    labels = DELIVERING_POD["metadata"]["labels"]
    assert DELIVERIES["Deployment"]["spec"]["selector"]["matchLabels"] == labels != POD["metadata"]["labels"]
    assert DELIVERIES["NetworkPolicy"]["spec"] == {
        "podSelector": {"matchLabels": labels},
        "policyTypes": ["Ingress"],
    }
    assert parser().parse_args(DELIVERING["args"]).every == 30


def test_pages_are_prepared_for_the_server_beside_it() -> None:
    assert PREPARING["image"] == CONTAINER["image"]
    assert [one for one in PREPARING["env"] if one not in CONTAINER["env"]] == []
    assert Settings.from_env({one["name"]: one["value"] for one in PREPARING["env"]}).public_url == (
        Settings.from_env(environment()).public_url
    )
    assert parser().parse_args(PREPARING["args"]).follow is True


def test_objects_name_each_other() -> None:
    assert set(OBJECTS) == {"Deployment", "Service", "PodDisruptionBudget", "NetworkPolicy"}
    labels = POD["metadata"]["labels"]
    budget, policy = OBJECTS["PodDisruptionBudget"]["spec"], OBJECTS["NetworkPolicy"]["spec"]
    assert OBJECTS["Deployment"]["spec"]["selector"]["matchLabels"] == labels
    assert OBJECTS["Service"]["spec"]["selector"] == labels
    assert budget["selector"]["matchLabels"] == policy["podSelector"]["matchLabels"] == labels
    assert budget["minAvailable"] < OBJECTS["Deployment"]["spec"]["replicas"]
    ports = {port["name"]: port["containerPort"] for port in CONTAINER["ports"]}
    settings = Settings.from_env(environment())
    assert ports == {"http": settings.port, "metrics": settings.metrics_port}
    assert [port["targetPort"] for port in OBJECTS["Service"]["spec"]["ports"]] == ["http"]
    assert {
        CONTAINER[f"{kind}Probe"]["httpGet"]["port"] for kind in ("startup", "liveness", "readiness")
    } == {"http"}
    everybody, monitoring = policy["ingress"]
    assert ([port["port"] for port in everybody["ports"]], "from" in everybody) == (["http"], False)
    assert ([port["port"] for port in monitoring["ports"]], "from" in monitoring) == (["metrics"], True)
