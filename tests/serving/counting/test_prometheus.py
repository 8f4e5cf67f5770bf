"""The text is what Prometheus reads."""

import re

from serving.counting.counters import Counters
from serving.counting.families import Family
from serving.counting.prometheus import Gauge, exposition
from serving.counting.requests import REQUESTS, SECONDS, request_families

CAUSES = Family("law_failures_total", "Failures.", "counter", ("cause",), (("disk_full", "other"),))
OPEN = Family("law_open", "What is open.", "gauge", (), ())
SAMPLE = re.compile(r'[a-z_]+(\{[a-z]+="([^"\\\n]|\\.)*"(,[a-z]+="([^"\\\n]|\\.)*")*\})? [0-9.e+-]+')


def test_the_text_is_what_prometheus_reads():
    counters = Counters((*request_families(["/api/v1/node/{id}", "/api/v1"], [200, 404]), CAUSES, OPEN))
    counters.add(REQUESTS, ("/api/v1/node/{id}", "200"), 2)
    counters.observe(SECONDS, ("/api/v1/node/{id}",), [0.002, 0.2])
    counters.add("law_failures_total", ("disk_full",), 3)
    counters.set("law_open", (), 4)
    gauges = [
        Gauge("law_up", "Up.", (), {(): 0}),
        Gauge("law_at", "When.", (), {(): 1_795_003_200.25}),
        Gauge("law_damaged", "Damaged.", ("snapshot", "file"), {("2026.11.21-2", 'odd"name.arrow'): 1}),
        Gauge("law_info", "None.", ("snapshot",), {}),
    ]
    lines = exposition(counters.sums(), gauges).decode().splitlines()
    assert all(line.startswith("# ") or SAMPLE.fullmatch(line) for line in lines)
    described = [line.split()[2] for line in lines if line.startswith("# TYPE ")]
    assert len(described) == len(set(described)) == 8
    assert 'law_requests_total{endpoint="/api/v1/node/{id}",status="200"} 2' in lines
    assert not any('endpoint="/api/v1"' in line for line in lines), "what was never asked is left out"
    assert 'law_request_seconds_bucket{endpoint="/api/v1/node/{id}",le="0.0025"} 1' in lines
    assert 'law_request_seconds_bucket{endpoint="/api/v1/node/{id}",le="+Inf"} 2' in lines
    assert 'law_request_seconds_sum{endpoint="/api/v1/node/{id}"} 0.202000' in lines
    assert 'law_request_seconds_count{endpoint="/api/v1/node/{id}"} 2' in lines
    assert 'law_failures_total{cause="disk_full"} 3' in lines
    assert 'law_failures_total{cause="other"} 0' in lines
    assert "law_open 4" in lines
    assert "law_up 0" in lines
    assert "law_at 1795003200.250" in lines
    assert 'law_damaged{snapshot="2026.11.21-2",file="odd\\"name.arrow"} 1' in lines
