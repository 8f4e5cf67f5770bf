"""Logs are one JSON object a line."""

import json
import logging
import sys

from serving.logs import JsonFormatter


def test_record_is_one_line_of_json_with_its_fields():
    record = logging.LogRecord("serving.access", logging.INFO, "", 0, "request %s", ("x\ny",), None)
    record.status = 200
    line = JsonFormatter().format(record)
    assert "\n" not in line
    fields = json.loads(line)
    assert fields["event"] == "request x\ny"
    assert (fields["level"], fields["logger"], fields["status"]) == ("info", "serving.access", 200)
    assert fields["time"].endswith("+00:00")
    assert set(fields) == {"time", "level", "logger", "event", "status"}


def test_exception_is_in_the_line():
    try:
        raise ValueError("broken")
    except ValueError:
        record = logging.LogRecord("serving", logging.ERROR, "", 0, "failed", (), sys.exc_info())
    assert "ValueError: broken" in json.loads(JsonFormatter().format(record))["exception"]
