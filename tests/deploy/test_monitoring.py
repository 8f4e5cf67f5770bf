"""Dashboard, alerts and guide: what they ask Prometheus for is what the server tells, by the same names and labels."""

import itertools
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from serving.http.measures import QUEUES
from serving.metering.health import CAUSES
from serving.metering.tally import REFUSALS

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "deploy" / "monitoring"
DASHBOARD: dict[str, Any] = json.loads((FOLDER / "dashboard.json").read_text(encoding="utf-8"))
RULES: list[dict[str, Any]] = yaml.safe_load((FOLDER / "alerts.yml").read_text(encoding="utf-8"))["groups"][
    0
]["rules"]
GUIDE = (ROOT / "docs" / "operate.md").read_text(encoding="utf-8")
PANELS = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
QUERIES = [target["expr"] for panel in PANELS for target in panel["targets"]] + [
    rule["expr"] for rule in RULES
]
OF_HISTOGRAMS = ("_bucket", "_sum", "_count")
VALUES = {"cause": set(CAUSES), "queue": set(QUEUES), "reason": set(REFUSALS)}


def family(name: str, known: dict[str, tuple[str, tuple[str, ...]]]) -> str:
    """Name of the metric that a series belongs to."""
    for ending in OF_HISTOGRAMS:
        base = name.removesuffix(ending)
        if base != name and known.get(base, ("", ()))[0] == "histogram":
            return base
    return name


@pytest.mark.parametrize("query", QUERIES)
def test_a_query_asks_for_what_there_is(query: str, known) -> None:
    assert all(query.count(one) == query.count(other) for one, other in ("()", "[]", "{}"))
    named = re.findall(r"\blaw_\w+", query)
    assert named or query.startswith("up{")
    labels = {"job", "le", "instance"}
    for name in named:
        base = family(name, known)
        assert base in known, name
        is_histogram = known[base][0] == "histogram"
        assert is_histogram == (base != name), f"{name}: of a histogram a part is asked for"
        labels |= set(known[base][1])
    for listed in re.findall(r"by \(([^)]+)\)", query):
        assert set(re.split(r",\s*", listed)) <= labels, listed
    for label, matcher, value in re.findall(r'(\w+)(=~|!~|=|!=)"([^"]*)"', query):
        assert label in labels, label
        if label in VALUES:
            assert set(value.split("|")) <= VALUES[label], (label, value)
        elif matcher in ("=~", "!~"):
            re.compile(value)


def told_by(command: list[str | Path]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_prometheus_accepts_its_files_and_every_query_of_the_dashboard(tmp_path: Path) -> None:
    program = shutil.which("promtool")
    if program is None:
        pytest.skip("Prometheus is not here: deploy/monitoring was NOT checked by it")
    asked = [query.replace("$__rate_interval", "5m").replace("$job", "law") for query in QUERIES]
    rules = [{"record": f"law:query{number}", "expr": query} for number, query in enumerate(asked)]
    queries = tmp_path / "queries.yml"
    for last, accepted in (("law_workers", True), ("sum by (law_workers", False)):
        every = [*rules, {"record": "law:last", "expr": last}]
        queries.write_text(yaml.safe_dump({"groups": [{"name": "dashboard", "rules": every}]}))
        checked = told_by([program, "check", "rules", queries])
        assert (checked.returncode == 0) is accepted, checked.stderr
    checked = told_by([program, "check", "config", FOLDER / "prometheus.yml"])
    assert checked.returncode == 0, checked.stderr
    assert f"{len(RULES)} rules found" in checked.stdout


@pytest.mark.parametrize("query", QUERIES)
def test_counters_are_asked_for_their_rate_and_gauges_are_not(query: str, known) -> None:
    for name in re.findall(r"\blaw_\w+", query):
        kind = known[family(name, known)][0]
        is_rate = re.search(rf"(rate|increase)\({name}(\{{[^}}]*\}})?\[", query) is not None
        assert is_rate == (kind != "gauge"), (name, kind)


def test_every_metric_is_on_the_dashboard(known) -> None:
    shown = {family(name, known) for query in QUERIES for name in re.findall(r"\blaw_\w+", query)}
    assert shown == set(known)


def test_panels_have_names_of_their_own_and_do_not_overlap() -> None:
    every = DASHBOARD["panels"]
    assert len({panel["id"] for panel in every}) == len({panel["title"] for panel in every}) == len(every)
    boxes = [panel["gridPos"] for panel in every]
    for one, other in itertools.combinations(boxes, 2):
        apart_across = one["x"] + one["w"] <= other["x"] or other["x"] + other["w"] <= one["x"]
        apart_down = one["y"] + one["h"] <= other["y"] or other["y"] + other["h"] <= one["y"]
        assert apart_across or apart_down, (one, other)
    assert all(box["x"] + box["w"] <= 24 for box in boxes)


def test_the_dashboard_asks_the_source_and_job_that_are_chosen() -> None:
    chosen = {variable["name"] for variable in DASHBOARD["templating"]["list"]}
    named = set(re.findall(r"\$\{?(\w+)", json.dumps(DASHBOARD)))
    assert named <= chosen | {"__rate_interval"}
    assert {panel["datasource"]["uid"] for panel in PANELS} == {"${source}"}
    assert all('{job="$job"' in query for panel in PANELS for query in [panel["targets"][0]["expr"]])


def test_labels_that_legends_and_summaries_name_are_those_of_the_query() -> None:
    for query, text in [
        (target["expr"], target["legendFormat"]) for panel in PANELS for target in panel["targets"]
    ]:
        for label in re.findall(r"\{\{(\w+)\}\}", text):
            assert f"by ({label}" in query or query.startswith("law_"), (query, label)


def test_each_alert_names_a_heading_of_the_runbook() -> None:
    headings = set(re.findall(r"^#+ (.+)$", GUIDE, re.MULTILINE))
    assert len({rule["alert"] for rule in RULES}) == len(RULES) > 5
    for rule in RULES:
        assert rule["annotations"]["runbook"] in headings, rule["alert"]
        assert rule["labels"]["severity"] in ("page", "ticket")


def test_the_guide_lists_every_metric_with_its_labels(known) -> None:
    rows = re.findall(r"^\| `(law_\w+)` \| (\w+) \| ([^|]*) \|", GUIDE, re.MULTILINE)
    told = {name: (kind, tuple(re.findall(r"`(\w+)`", labels))) for name, kind, labels in rows}
    assert told == known
    assert len(rows) == len(told)


def test_prometheus_asks_the_address_that_the_unit_sets() -> None:
    asked = yaml.safe_load((FOLDER / "prometheus.yml").read_text(encoding="utf-8"))
    (job,) = asked["scrape_configs"]
    (target,) = job["static_configs"][0]["targets"]
    unit = (ROOT / "deploy" / "law.service").read_text(encoding="utf-8")
    assert f"LAW_METRICS_ADDRESS={target}" in unit
    assert asked["rule_files"] == ["alerts.yml"]
    assert job["job_name"] in {name for query in QUERIES for name in re.findall(r'job="(\w+)"', query)}
