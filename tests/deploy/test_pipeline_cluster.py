"""The pipeline on Kubernetes: its settings are Dagster's, its records are in PostgreSQL, and each run is a pod.

The cluster's side of Dagster is not part of an installation: `make cluster` installs it aside and runs this file with it.
A cluster is not here either: what would be sent to it is read, and what its pod would run is run.
"""

import importlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dagster as dg
import pytest
import yaml
from dagster._core.code_pointer import ModuleCodePointer
from dagster._core.launcher import LaunchRunContext
from dagster._core.origin import JobPythonOrigin, RepositoryPythonOrigin

from assets.workspace import Workspace
from pipelines.definitions import defs

ROOT = Path(__file__).parents[2]
OBJECTS: dict[str, dict[str, Any]] = {
    one["kind"]: one
    for one in yaml.safe_load_all((ROOT / "deploy/kubernetes/pipeline.yaml").read_text(encoding="utf-8"))
}
INSTANCE = OBJECTS["ConfigMap"]["data"]["dagster.yaml"]
LAUNCHER: dict[str, Any] = yaml.safe_load(INSTANCE)["run_launcher"]["config"]
POD: dict[str, Any] = OBJECTS["Deployment"]["spec"]["template"]["spec"]
NOBODY = 65534

needs_cluster = pytest.mark.skipif(
    importlib.util.find_spec("dagster_k8s") is None,
    reason="dagster-k8s is not installed here: `make cluster` runs this",
)


def test_objects_name_each_other() -> None:
    assert set(OBJECTS) == {
        *("ConfigMap", "Deployment", "NetworkPolicy", "Role", "RoleBinding", "ServiceAccount"),
    }
    name = OBJECTS["ServiceAccount"]["metadata"]["name"]
    assert POD["serviceAccountName"] == LAUNCHER["service_account_name"] == name
    assert OBJECTS["RoleBinding"]["roleRef"]["name"] == OBJECTS["Role"]["metadata"]["name"]
    assert [one["name"] for one in OBJECTS["RoleBinding"]["subjects"]] == [name]
    assert OBJECTS["ConfigMap"]["metadata"]["name"] == LAUNCHER["instance_config_map"]
    labels = OBJECTS["Deployment"]["spec"]["template"]["metadata"]["labels"]
    assert OBJECTS["Deployment"]["spec"]["selector"]["matchLabels"] == labels
    assert OBJECTS["NetworkPolicy"]["spec"]["podSelector"]["matchLabels"] == labels
    assert OBJECTS["NetworkPolicy"]["spec"]["ingress"] == []


def test_all_pods_are_of_one_image_and_nobodys() -> None:
    image, confined = LAUNCHER["job_image"], LAUNCHER["security_context"]
    pods = [POD["securityContext"], LAUNCHER["run_k8s_config"]["pod_spec_config"]["securityContext"]]
    assert pods[0] == pods[1]
    assert (pods[0]["runAsUser"], pods[0]["runAsNonRoot"]) == (NOBODY, True)
    for container in POD["containers"]:
        assert (container["image"], container["securityContext"]) == (image, confined)
    volumes = {volume["name"] for volume in POD["volumes"]}
    assert {mount["name"] for one in POD["containers"] for mount in one["volumeMounts"]} == volumes
    dockerfile = (ROOT / "deploy" / "pipeline.Dockerfile").read_text(encoding="utf-8")
    (settings,) = [part for part in dockerfile.split("ENV ") if "LAW_WORKSPACE" in part]
    for mount in LAUNCHER["volume_mounts"]:
        path = mount["mountPath"].removesuffix("/dagster.yaml")
        assert path == "/tmp" or f"={path}" in settings
    assert LAUNCHER["volume_mounts"] == POD["containers"][0]["volumeMounts"]
    assert f"DAGSTER_HOME={LAUNCHER['dagster_home']}" in settings


@needs_cluster
@pytest.mark.filterwarnings("default")  # of the libraries of the cluster
@pytest.mark.parametrize("name", sorted(path.name for path in (ROOT / "deploy/kubernetes").glob("*.yaml")))
def test_objects_have_the_fields_that_kubernetes_has(name: str) -> None:
    text = (ROOT / "deploy" / "kubernetes" / name).read_text(encoding="utf-8")
    objects = list(yaml.safe_load_all(text))
    assert [wrong for one in objects for wrong in mistakes(one, f"V1{one['kind']}", one["kind"])] == []
    objects[0]["metadata"]["label"] = {"app": 1}
    assert list(mistakes(objects[0], f"V1{objects[0]['kind']}", "it")) == ["it.metadata.label: unknown"]


def mistakes(value: Any, kind: str, place: str) -> Iterator[str]:
    """Yield where a value is not of a type as the client of Kubernetes writes it: `V1Pod`, `list[str]`, `int`."""
    client = importlib.import_module("kubernetes.client")
    if kind.startswith("list["):
        for number, item in enumerate(value):
            yield from mistakes(item, kind[5:-1], f"{place}[{number}]")
    elif kind.startswith("dict["):
        for key, item in value.items():
            yield from mistakes(item, kind[5:-1].partition(", ")[2], f"{place}.{key}")
    elif hasattr(client, kind):
        model = getattr(client, kind)
        attributes = {written: name for name, written in model.attribute_map.items()}
        for key, item in value.items():
            if key in attributes:
                yield from mistakes(item, model.openapi_types[attributes[key]], f"{place}.{key}")
            else:
                yield f"{place}.{key}: unknown"
    elif kind != "object" and type(value).__name__ != kind:
        yield f"{place}: {value!r} is no {kind}"


@pytest.fixture
def instance(tmp_path: Path, postgres: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[dg.DagsterInstance]:
    """The instance of the cluster, with a server of PostgreSQL of its own, as a pod of the cluster opens it."""
    for name, content in {"token": "token", "ca.crt": "", "namespace": "law"}.items():
        (tmp_path / name).write_text(content)
    certificate = importlib.import_module("certifi").where()
    incluster = importlib.import_module("kubernetes.config.incluster_config")
    monkeypatch.setattr(incluster, "SERVICE_TOKEN_FILENAME", str(tmp_path / "token"))
    monkeypatch.setattr(incluster, "SERVICE_CERT_FILENAME", certificate)
    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "127.0.0.1")
    monkeypatch.setenv("KUBERNETES_SERVICE_PORT", "1")
    # Another driver, which SQLAlchemy takes by itself, refuses Dagster's notifications.
    monkeypatch.setenv("DAGSTER_POSTGRES_URL", postgres.replace("postgresql://", "postgresql+psycopg2://"))
    (tmp_path / "dagster.yaml").write_text(INSTANCE, encoding="utf-8")
    with dg.DagsterInstance.from_config(str(tmp_path)) as opened:
        yield opened


@pytest.fixture
def workspace(tmp_path: Path, encoder_folder: Path) -> Workspace:
    made = Workspace(tmp_path / "work", ROOT / "datasets", tmp_path / "snapshots")
    shutil.copytree(encoder_folder, made.encoder)
    return made


@needs_cluster
@pytest.mark.filterwarnings("default")  # of the libraries of the cluster
def test_a_run_of_a_code_body_is_a_pod_that_builds_it(
    instance: dg.DagsterInstance,
    workspace: Workspace,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    launcher: Any = instance.run_launcher
    sent: list[Any] = []
    monkeypatch.setattr(
        launcher._api_client, "create_namespaced_job_with_retries", lambda **job: sent.append(job)
    )
    repository = RepositoryPythonOrigin(
        executable_path=sys.executable,
        code_pointer=ModuleCodePointer("pipelines.definitions", "defs", working_directory=None),
    )
    run = instance.create_run_for_job(
        job_def=defs().resolve_job_def("build_code_body"),
        tags={"dagster/partition": "sample-code"},
        job_code_origin=JobPythonOrigin("build_code_body", repository),
    )
    launcher.launch_run(LaunchRunContext(run, workspace=None))

    (job,) = sent
    assert job["namespace"] == "law"
    spec = job["body"].spec.template.spec
    (container,) = spec.containers
    assert container.image == LAUNCHER["job_image"]
    assert spec.service_account_name == "law-dagster"
    assert spec.security_context.run_as_user == NOBODY
    assert container.security_context.read_only_root_filesystem is True
    assert {mount.mount_path for mount in container.volume_mounts} == {
        *("/dagster/dagster.yaml", "/tables", "/snapshots", "/tmp"),
    }
    assert [source.secret_ref.name for source in container.env_from] == ["law-dagster"]
    assert {one.name: one.value for one in container.env if one.value}["DAGSTER_HOME"] == "/dagster"

    environment = {
        "DAGSTER_HOME": str(tmp_path),
        "LAW_WORKSPACE": str(workspace.root),
        "LAW_SNAPSHOTS": str(workspace.snapshots),
    }
    command = list(container.args)
    ran = subprocess.run(
        command, check=False, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True
    )
    finished = instance.get_run_by_id(run.run_id)
    assert finished is not None
    assert finished.status is dg.DagsterRunStatus.SUCCESS, ran.stdout[-2000:] + ran.stderr[-2000:]
    assert json.loads((workspace.accepted("sample-code") / "provisions" / "report.json").read_bytes())
    accepted = instance.get_latest_materialization_event(dg.AssetKey("accepted_tables"))
    assert accepted is not None
    assert accepted.run_id == run.run_id
