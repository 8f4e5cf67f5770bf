"""From an address to its zones over a real server and a real geocoder, which lies, fails and trickles as geocoders do."""

import re
import time
from urllib.parse import quote

import httpx
import pytest
from playwright.sync_api import expect

from serving.geocoding.geocoder import BOUNDS
from serving.pages.public import POLICY
from tests.serving.geocoding.geocoders import census, geocoding, nominatim, place, street
from tests.serving.pages.auditing import Auditor
from tests.serving.pages.conftest import copied, run_server

pytestmark = pytest.mark.e2e
HOUSE, SHOP, NOWHERE = (37.507, -122.393), (37.502, -122.385), (40.0, -75.0)
STREET = (37.505, -122.395)
NETWORKS = iter(range(1, 1_000))


@pytest.fixture(scope="module")
def services():
    """A geocoder in each layout."""
    with geocoding() as of_census, geocoding() as of_nominatim:
        yield {"census": of_census, "nominatim": of_nominatim}


@pytest.fixture(scope="module")
def servers(services, snapshots_folder, sqlite_template, tmp_path_factory):
    """A server beside each geocoder."""
    running, folders = {}, []
    for kind, service in services.items():
        folder = tmp_path_factory.mktemp(kind)
        folders.append(
            run_server(
                folder,
                snapshots_folder,
                copied(sqlite_template, folder),
                LAW_GEOCODER=f"{kind}:{service.url}",
                LAW_PAGE_SEARCHES_PER_MINUTE="30",
                LAW_LOG_LEVEL="debug",
            )
        )
        running[kind] = next(folders[-1])
    yield running
    for folder in folders:
        folder.close()


def asks(server, address, network=None, **options):
    """Ask from a network of its own."""
    host = f"198.51.{next(NETWORKS) % 250}.1" if network is None else network
    return httpx.get(
        f"{server.url}/zoning/address",
        params={"address": address},
        headers={"X-Forwarded-For": host},
        timeout=30,
        **options,
    )


def zones(page):
    return re.findall(r"<h4>([^ <]+)", page)


@pytest.fixture
def fresh():
    """Makes addresses that were not asked for before."""
    return lambda: f"7 Harbor Street no {next(NETWORKS)}, Sample City, CA"


def test_a_match_of_the_census_leads_to_its_zones_and_says_that_it_is_not_exact(servers, services, fresh):
    services["census"].answers(census(("7 HARBOR ST, SAMPLE CITY, CA, 94403", *HOUSE)))
    answer = asks(servers["census"], fresh())
    assert answer.status_code == 200
    assert zones(answer.text) == ["R-1", "HN"]
    for told in (
        "7 HARBOR ST, SAMPLE CITY, CA, 94403</h2>",
        "Matched as this by 127.0.0.1",
        "Not exact: take the point, 37.507, -122.393, as worked out along the street",
        '<a href="/law/sample-city/code/1">City Code § 1</a>',
        'href="/zoning/sample-city/at?point=37.507%2C%20-122.393"',
    ):
        assert told in answer.text
    led = httpx.get(f"{servers['census'].url}/zoning/sample-city/at?point=37.507%2C%20-122.393")
    assert "Zones at 37.507, -122.393" in led.text


def test_the_page_is_kept_nowhere_and_asks_nobody_else(servers, services, fresh):
    services["census"].answers(census(("7 HARBOR ST", *HOUSE)))
    answer = asks(servers["census"], fresh())
    assert answer.headers["content-security-policy"] == POLICY
    assert answer.headers["cache-control"] == "no-store"
    assert "etag" not in answer.headers
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert "noindex" in answer.text


def test_a_house_of_nominatim_is_called_exact_and_its_data_by_their_makers(servers, services, fresh):
    services["nominatim"].answers(nominatim(place(*SHOP)))
    page = asks(servers["nominatim"], fresh()).text
    assert zones(page) == ["C-1"]
    assert "The geocoder knows a house or building of that number" in page
    assert "OpenStreetMap contributors" in page
    assert "Not exact" not in page


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (street(*STREET), "the middle of what the geocoder calls “road”"),
        (place(*STREET, number=None, type="city", place_rank=16, addresstype="city"), "calls “city”"),
        (place(*STREET, number="9"), "Its house number, 9, is not the one that you asked for"),
    ],
    ids=["street", "city", "another number"],
)
def test_what_is_not_the_house_is_given_no_zone(servers, services, fresh, found, told):
    services["nominatim"].answers(nominatim(found))
    page = asks(servers["nominatim"], fresh()).text
    assert told in page
    assert zones(page) == []
    assert "/at?point=" not in page


def test_of_several_matches_each_has_its_own_zones(servers, services, fresh):
    services["nominatim"].answers(nominatim(place(*HOUSE), place(*SHOP, display_name="7, Harbor Lane")))
    page = asks(servers["nominatim"], fresh()).text
    assert "Which address do you mean?" in page
    first, second = re.findall(r"<section.*?</section>", page, re.DOTALL)
    assert (zones(first), zones(second)) == (["R-1", "HN"], ["C-1"])
    assert "7, Harbor Lane" in second


def test_where_nothing_matches_it_says_what_to_do(servers, services, fresh):
    for kind, body in (("census", census()), ("nominatim", nominatim())):
        services[kind].answers(body)
        answer = asks(servers[kind], fresh())
        assert answer.status_code == 200
        assert "knows no such address. Check how it is spelled" in answer.text
        assert '<a href="/zoning/sample-city">' in answer.text


def test_a_match_outside_of_every_map_names_the_maps(servers, services, fresh):
    services["census"].answers(census(("7 BROAD ST, ELSEWHERE, PA, 19102", *NOWHERE)))
    page = asks(servers["census"], fresh()).text
    assert "outside of every map that is held here" in page
    assert '<a href="/zoning/sample-town">' in page
    assert zones(page) == []


def test_a_place_without_a_zone_is_given_none(servers, services, fresh):
    # In the middle of the court that the homes stand around.
    services["nominatim"].answers(nominatim(place(37.5045, -122.3955)))
    page = asks(servers["nominatim"], fresh()).text
    assert zones(page) == []
    assert "No zone covers the point" in page


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"<html>sorry</html>", 200),
        (b'{"result":', 200),
        (b'{"result": {"addressMatches": [{"matchedAddress": "7 A ST"}]}}', 200),
        (b" " * (1 << 20), 200),
        (b"", 500),
        (b"", 302),
    ],
    ids=["garbage", "cut", "partial", "huge", "failing", "elsewhere"],
)
def test_a_geocoder_that_fails_is_a_page_with_a_time_to_come_back(servers, services, fresh, body, status):
    services["census"].answers(body, status, Location="/other")
    answer = asks(servers["census"], fresh())
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "30")
    assert answer.headers["content-type"].startswith("text/html")
    assert "The maps do without it" in answer.text
    assert len(services["census"].asked) == 1


def test_a_geocoder_that_has_too_much_to_do_is_left_alone_for_as_long_as_it_says(servers, services, fresh):
    services["nominatim"].answers(b"", 429, Retry_After="1")
    answer = asks(servers["nominatim"], fresh())
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
    assert "has more to do than it takes on" in answer.text
    services["nominatim"].answers(nominatim())
    time.sleep(1.1)
    assert asks(servers["nominatim"], fresh()).status_code == 200


def test_a_slow_geocoder_keeps_nobody_longer_than_its_bound(servers, services, fresh):
    services["census"].answers(census(("7 HARBOR ST", *HOUSE)))
    services["census"].delay = 60.0
    answer = asks(servers["census"], fresh())
    assert answer.status_code == 503
    assert BOUNDS.total_seconds - 1 < answer.elapsed.total_seconds() < BOUNDS.total_seconds + 4
    # The other pages did not wait for it.
    assert httpx.get(f"{servers['census'].url}/zoning").status_code == 200


def test_a_geocoder_that_refuses_an_address_is_told_beside_the_field(servers, services, fresh):
    services["census"].answers(b'{"errors":["..."],"status":"400"}', 400)
    answer = asks(servers["census"], fresh())
    assert answer.status_code == 422
    assert 'id="address-error"' in answer.text
    assert "does not take that for an address" in answer.text


@pytest.mark.parametrize("given", ["", "37.5, -122.3", "x" * 201])
def test_what_is_no_address_is_not_sent(servers, services, given):
    services["census"].answers(census())
    answer = asks(servers["census"], given)
    assert answer.status_code == 422
    assert 'aria-describedby="address-error address-hint"' in answer.text
    assert services["census"].asked == []


def test_what_comes_from_outside_stays_text(servers, services):
    services["nominatim"].answers(nominatim(place(*HOUSE, display_name="<script>alert(1)</script>")))
    page = asks(servers["nominatim"], "7 <b>Harbor</b> Street").text
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page
    assert "<b>Harbor" not in page


def test_a_network_asks_so_often_a_minute(servers, services):
    services["nominatim"].answers(nominatim())
    # A slow machine gives some of the minute's allowance back while it asks.
    asked = 0
    while (answer := asks(servers["nominatim"], "7 Quay", network="192.0.2.7")).status_code == 200:
        asked += 1
        assert asked < 300
    assert (answer.status_code, asked > 30) == (429, True)
    assert "retry-after" in answer.headers
    # It was asked once by each worker: matches are kept for minutes.
    assert 1 <= len(services["nominatim"].asked) <= 2


def test_no_address_is_in_the_log_of_the_server(servers, services):
    services["census"].answers(census(("7 SECRET ST, SAMPLE CITY, CA", *HOUSE)))
    asks(servers["census"], "7 Secret Street")
    services["census"].answers(b"", 500)
    asks(servers["census"], "8 Secret Street")
    log = servers["census"].log.read_text(encoding="utf-8")
    assert "/zoning/address" in log
    assert "geocoder_failed" in log
    assert "secret" not in log.casefold()
    assert "37.507" not in log


def test_without_a_geocoder_pages_say_so_and_have_no_field(server):
    for path in ("/zoning", "/zoning/sample-city", "/zoning/sample-city/at?point=0,0"):
        assert "/zoning/address" not in httpx.get(server.url + path).text
    assert "Addresses are not looked up" in httpx.get(f"{server.url}/zoning/sample-city").text
    answer = asks(server, "7 Harbor Street")
    assert answer.status_code == 404
    assert "Addresses are not looked up here" in answer.text
    assert '<a href="/zoning/sample-city">' in answer.text


def test_a_page_that_a_browser_has_is_not_the_same_with_a_geocoder(server, servers):
    for path in ("/zoning", "/zoning/sample-city", "/zoning/sample-city/at?point=0,0"):
        tag = httpx.get(server.url + path).headers["etag"]
        answer = httpx.get(servers["census"].url + path, headers={"If-None-Match": tag})
        assert answer.status_code == 200
        assert 'action="/zoning/address"' in answer.text


@pytest.mark.parametrize(
    "start", ["/zoning", "/zoning/sample-city", "/zoning/sample-city/at?point=7+Harbor+Street"]
)
def test_without_scripts_the_field_leads_to_the_law(servers, services, open_page, fresh, start):
    services["census"].answers(census(("7 HARBOR ST, SAMPLE CITY, CA, 94403", *HOUSE)))
    page = open_page(java_script_enabled=False)
    page.goto(servers["census"].url + start)
    address = fresh()
    page.get_by_label("Zone of an address").fill(address)
    page.get_by_role("button", name="Look up").click()
    expect(page).to_have_url(re.compile(re.escape("/zoning/address?address=7+Harbor+Street")))
    expect(page.get_by_text(f"You asked for: {address}")).to_be_visible()
    expect(page.get_by_label("Zone of an address")).to_have_value(address)
    page.get_by_role("link", name="City Code § 1").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("City Code § 1")


def test_every_state_of_the_page_can_be_read(servers, services, open_page, server):
    page = open_page()
    auditor = Auditor(page, servers["nominatim"].url)
    for body in (nominatim(place(*HOUSE)), nominatim(), nominatim(place(*NOWHERE)), b"broken"):
        services["nominatim"].answers(body)
        auditor.visit(f"/zoning/address?address={quote(f'7 Harbor no {next(NETWORKS)}')}")
    assert auditor.faults == []
    without = Auditor(page, server.url)
    without.visit("/zoning/address?address=7")
    assert without.faults == []
    assert page.complaints == []
