"""The operator's geocoder over a real server: what it finds, what it refuses, and what it tells nobody."""

import logging
from contextlib import suppress
from time import monotonic

import pytest

from serving.contract.errors import ValidationError
from serving.geocoding.geocoder import (
    KEPT,
    KEPT_SECONDS,
    LAYOUTS,
    LONGEST,
    RETRY_SECONDS,
    Geocoder,
    GeocoderUnavailableError,
    parse_address,
)
from serving.geocoding.matches import MOST, Exactness
from serving.outgoing.exchanges import Bounds
from serving.settings.values import GEOCODERS
from tests.serving.geocoding.geocoders import census, nominatim, place

SECRET = "7 Harbor Street, Sample City, CA"
FOUND = ("7 HARBOR ST, SAMPLE CITY, CA, 94403", 37.505, -122.395)


class Clock:
    now = 1_000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def census_geocoder(service, clock):
    return Geocoder(
        f"census:{service.url}",
        public_url="https://law.example",
        bounds=Bounds(connect_seconds=1, total_seconds=1, answer_bytes=1 << 18),
        clock=clock,
    )


def test_settings_name_every_layout():
    assert set(GEOCODERS) == LAYOUTS.keys()


def test_the_census_geocoder_is_asked_as_it_documents(service, census_geocoder):
    service.answers(census(FOUND))
    (match,) = census_geocoder.find(SECRET)
    assert (match.address, match.latitude, match.longitude) == FOUND
    assert (match.exactness, match.number) == (Exactness.STREET_SIDE, "7")
    assert service.asked[0].startswith("/geocoder/locations/onelineaddress?")
    assert service.query == {"address": SECRET, "benchmark": "Public_AR_Current", "format": "json"}
    assert service.agents == ["legal-research-api (+https://law.example)"]


def test_nominatim_is_asked_as_it_documents_below_its_base(service):
    service.answers(nominatim(place(37.505, -122.395)))
    (match,) = Geocoder(f"nominatim:{service.url}/osm", public_url="http://x").find(SECRET)
    assert (match.latitude, match.longitude, match.exactness) == (37.505, -122.395, Exactness.HOUSE)
    assert service.asked[0].startswith("/osm/search?")
    told = {name: service.query[name] for name in ("q", "format", "countrycodes")}
    assert told == {"q": SECRET, "format": "jsonv2", "countrycodes": "us"}


@pytest.mark.parametrize("text", ["1 Ave & Co=?#/+%20", "12 Calle Peña", "5 \ud800 Street"])
def test_any_text_stays_one_parameter(service, census_geocoder, text):
    service.answers(census())
    assert census_geocoder.find(text) == ()
    assert service.query["address"] == text.encode("utf-8", "replace").decode()
    assert service.query["format"] == "json"


def test_no_more_matches_are_read_than_a_page_shows(service, census_geocoder):
    service.answers(census(*[FOUND] * (MOST + 5)))
    assert len(census_geocoder.find(SECRET)) == MOST


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>busy</html>",
        b"[",
        b"null",
        b"[]",
        b"{}",
        b'{"result": null}',
        b'{"result": {"addressMatches": {}}}',
        b'{"result": {"addressMatches": [7]}}',
        b'{"result": {"addressMatches": [{"matchedAddress": "1 A ST"}]}}',
        b'{"result": {"addressMatches": [{"matchedAddress": "", "coordinates": {"x": 1, "y": 1}}]}}',
        b'{"result": {"addressMatches": [{"matchedAddress": "1 A", "coordinates": {"x": "a", "y": 1}}]}}',
        b'{"result": {"addressMatches": [{"matchedAddress": "1 A", "coordinates": {"x": true, "y": 1}}]}}',
        b'{"result": {"addressMatches": [{"matchedAddress": "1 A", "coordinates": {"x": 1, "y": 91}}]}}',
        b'{"result": {"addressMatches": [{"matchedAddress": "1 A", "coordinates": {"x": "nan", "y": 1}}]}}',
        b"[" * 100_000,
        b"x" * (1 << 19),
        census(FOUND)[:-40],
    ],
    ids=lambda body: body[:70].decode(),
)
def test_what_is_no_answer_is_told_as_that(service, census_geocoder, body):
    service.answers(body)
    with pytest.raises(GeocoderUnavailableError) as failed:
        census_geocoder.find(SECRET)
    assert failed.value.retry_after_seconds == RETRY_SECONDS
    assert census_geocoder.recall(SECRET) is None


@pytest.mark.parametrize("status", [204, 301, 302, 307, 401, 403, 404, 500, 502])
def test_a_failure_is_told_and_no_redirect_is_followed(service, census_geocoder, status):
    service.answers(census(FOUND), status, Location=f"{service.url}/elsewhere")
    with pytest.raises(GeocoderUnavailableError, match="did not answer as it should"):
        census_geocoder.find(SECRET)
    assert len(service.asked) == 1


def test_half_an_answer_is_none(service, census_geocoder):
    service.answers(census(FOUND))
    service.declared = len(service.body) + 10
    with pytest.raises(GeocoderUnavailableError):
        census_geocoder.find(SECRET)


@pytest.mark.parametrize(("delay", "pause"), [(4.0, 0.0), (0.0, 0.02)])
def test_a_slow_geocoder_is_left_in_time(service, census_geocoder, delay, pause, caplog):
    service.answers(census(FOUND))
    service.delay, service.pause = delay, pause
    begun = monotonic()
    with caplog.at_level(logging.WARNING), pytest.raises(GeocoderUnavailableError):
        census_geocoder.find(SECRET)
    assert monotonic() - begun < 5
    assert [record.reason for record in caplog.records] == ["no answer in time"]


def test_a_geocoder_that_is_away_is_told(clock):
    away = Geocoder("census:http://127.0.0.1:1", public_url="http://x", clock=clock)
    with pytest.raises(GeocoderUnavailableError):
        away.find(SECRET)


@pytest.mark.parametrize(
    ("status", "header", "seconds"), [(429, "7", 7), (503, None, 30), (429, "999999", 600), (429, "soon", 30)]
)
def test_a_geocoder_that_has_too_much_to_do_is_left_alone(
    service, census_geocoder, clock, status, header, seconds
):
    service.answers(b"", status, **({} if header is None else {"Retry_After": header}))
    with pytest.raises(GeocoderUnavailableError) as refused:
        census_geocoder.find(SECRET)
    assert refused.value.retry_after_seconds == seconds
    service.answers(census(FOUND))
    with pytest.raises(GeocoderUnavailableError, match="more to do"):
        census_geocoder.find(SECRET)
    assert service.asked == []
    clock.now += seconds
    assert len(census_geocoder.find(SECRET)) == 1


def test_what_the_geocoder_refuses_is_the_askers_to_mend(service, census_geocoder):
    service.answers(b'{"errors":["..."],"status":"400"}', 400)
    with pytest.raises(ValidationError, match="house number") as refused:
        census_geocoder.find(SECRET)
    assert refused.value.parameter == "address"


def test_matches_are_kept_for_minutes_and_few(service, census_geocoder, clock):
    service.answers(census(FOUND))
    found = census_geocoder.find(SECRET)
    assert census_geocoder.recall(SECRET.upper()) == found
    clock.now += KEPT_SECONDS + 1
    assert census_geocoder.recall(SECRET) is None
    for number in range(KEPT + 5):
        census_geocoder.find(f"{number} Harbor Street")
    assert len(census_geocoder._kept) == KEPT
    assert census_geocoder.recall("4 Harbor Street") is None
    assert census_geocoder.recall("5 Harbor Street") == found


@pytest.mark.parametrize("status", [200, 302, 400, 429, 500])
def test_no_address_is_logged(service, census_geocoder, caplog, status):
    with caplog.at_level(logging.DEBUG):
        for body in (census(FOUND), SECRET.encode()):
            service.answers(body, status)
            with suppress(GeocoderUnavailableError, ValidationError):
                census_geocoder.find(SECRET)
    said = " ".join(f"{record.getMessage()} {record.__dict__}" for record in caplog.records)
    assert "Harbor" not in said
    assert "HARBOR" not in said


def test_an_address_is_one_line_of_words():
    assert parse_address("  7 Harbor\n Street\t\x00 ") == "7 Harbor Street"
    for given in ("", " ", "37.5, -122.3", "7" * 50, "x" * (LONGEST + 1)):
        with pytest.raises(ValidationError) as refused:
            parse_address(given)
        assert refused.value.parameter == "address"
