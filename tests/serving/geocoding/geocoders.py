"""A geocoder for tests: a real server on this machine that answers in the layouts which the services document."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

LICENCE = "Data © OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright"


def census(*found: tuple[str, float, float]) -> bytes:
    """Return an answer of the Census Geocoder: matched addresses with latitude and longitude."""
    matches = [
        {
            "tigerLine": {"side": "L", "tigerLineId": "638110795"},
            "coordinates": {"x": longitude, "y": latitude},
            "addressComponents": {
                "zip": "94403",
                "streetName": "HARBOR",
                "preType": "",
                "city": "SAMPLE CITY",
                "preDirection": "",
                "suffixDirection": "",
                "fromAddress": "1",
                "state": "CA",
                "suffixType": "ST",
                "toAddress": "99",
                "suffixQualifier": "",
                "preQualifier": "",
            },
            "matchedAddress": address,
        }
        for address, latitude, longitude in found
    ]
    benchmark = {
        "isDefault": True,
        "benchmarkDescription": "Public Address Ranges - Current Benchmark",
        "id": "4",
        "benchmarkName": "Public_AR_Current",
    }
    asked = {"address": {"address": "as it was asked for"}, "benchmark": benchmark}
    return json.dumps({"result": {"input": asked, "addressMatches": matches}}).encode()


def place(latitude: float, longitude: float, **more: Any) -> dict[str, Any]:
    """Return a place of Nominatim in `jsonv2`: a house's node unless it is told otherwise."""
    parts = {"road": "Harbor Street", "city": "Sample City", "state": "California", "country_code": "us"}
    number = more.pop("number", "7")
    if number is not None:
        parts["house_number"] = number
    return {
        "place_id": 108312997,
        "licence": LICENCE,
        "osm_type": "node",
        "osm_id": 2793660675,
        "lat": f"{latitude:.7f}",
        "lon": f"{longitude:.7f}",
        "category": "place",
        "type": "house",
        "place_rank": 30,
        "importance": 9.99999999995449e-06,
        "addresstype": "place",
        "name": "",
        "display_name": "7, Harbor Street, Sample City, California, 94403, United States",
        "address": parts,
        "boundingbox": ["37.5", "37.6", "-122.4", "-122.3"],
        **more,
    }


def nominatim(*places: dict[str, Any]) -> bytes:
    """Return an answer of Nominatim."""
    return json.dumps(list(places)).encode()


def street(latitude: float, longitude: float) -> dict[str, Any]:
    """Return a street as Nominatim has it."""
    return place(
        latitude,
        longitude,
        number=None,
        osm_type="way",
        category="highway",
        type="residential",
        place_rank=26,
        addresstype="road",
        name="Harbor Street",
        display_name="Harbor Street, Sample City, California, 94403, United States",
    )


@dataclass
class FakeGeocoder:
    """A running geocoder.

    Attributes:
        url: its base.
        body: of the next answers.
        status: of the next answers.
        headers: of the next answers, beside the usual ones.
        delay: seconds before an answer.
        pause: seconds between the bytes of an answer.
        declared: what the answer says its length is; None for the truth.
        asked: paths and queries that came.
        agents: values of `User-Agent` that came.
    """

    url: str = ""
    body: bytes = b"[]"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    pause: float = 0.0
    declared: int | None = None
    asked: list[str] = field(default_factory=list)
    agents: list[str] = field(default_factory=list)

    def answers(self, body: bytes = b"[]", status: int = 200, **headers: str) -> None:
        """Have the next questions answered so, at once and whole."""
        self.body, self.status, self.headers = body, status, headers
        self.delay = self.pause = 0.0
        self.declared = None
        self.asked.clear()

    @property
    def query(self) -> dict[str, str]:
        """The parameters of the last question."""
        return {name: values[0] for name, values in parse_qs(urlsplit(self.asked[-1]).query).items()}


@contextmanager
def geocoding() -> Iterator[FakeGeocoder]:
    geocoder, stopped = FakeGeocoder(), threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            geocoder.asked.append(self.path)
            geocoder.agents.append(self.headers["User-Agent"])
            stopped.wait(geocoder.delay)
            declared = len(geocoder.body) if geocoder.declared is None else geocoder.declared
            try:
                self.send_response(geocoder.status)
                for name, value in geocoder.headers.items():
                    self.send_header(name.replace("_", "-"), value)
                self.send_header("Content-Length", str(declared))
                self.end_headers()
                if not geocoder.pause:
                    self.wfile.write(geocoder.body)
                    return
                for byte in geocoder.body:
                    self.wfile.write(bytes([byte]))
                    self.wfile.flush()
                    time.sleep(geocoder.pause)
            except OSError:
                return  # the asker has left

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    geocoder.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield geocoder
    finally:
        stopped.set()
        server.shutdown()
        server.server_close()
        thread.join()
