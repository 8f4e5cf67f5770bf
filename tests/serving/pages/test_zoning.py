"""The zoning maps over HTTP and in a real Chromium: by mouse, by keyboard, without scripts, in both themes."""

import re

import httpx
import pytest
from playwright.sync_api import expect

from serving.contract.identity import node_id
from serving.pages.public import POLICY
from serving.pages.zoning import MAP_POLICY, zoning_files
from tests.serving.pages.looking import faults, press_until
from tests.serving.servers import KeyRing

pytestmark = pytest.mark.e2e
CITY = "/zoning/sample-city"
NOISE, HARBORS = node_id("/sample-city/code/1"), node_id("/sample/code/t1")
NARROW, WIDE = {"width": 390, "height": 844}, {"width": 1280, "height": 900}


@pytest.fixture
def city(server, open_page):
    """The map of the sample city, drawn."""

    def make(**options):
        page = open_page(**({"viewport": WIDE} | options))
        page.requested = []
        page.on("request", lambda request: page.requested.append(request.url))
        page.goto(server.url + CITY)
        expect(page.locator("#map[data-drawn]")).to_be_visible()
        return page

    return make


def get(server, path, **options):
    return httpx.get(server.url + path, **options)


@pytest.mark.parametrize(
    ("path", "policy"),
    [
        ("/zoning", POLICY),
        (CITY, MAP_POLICY),
        (f"{CITY}/at?point=0,0", POLICY),
        (f"{CITY}/provisions/{NOISE}", POLICY),
    ],
)
def test_pages_are_free_and_have_their_headers(server, path, policy):
    answer = get(server, path)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["content-security-policy"] == policy
    assert "unsafe" not in policy
    assert answer.headers["x-frame-options"] == "DENY"
    assert "set-cookie" not in answer.headers
    assert "access-control-allow-origin" not in answer.headers
    assert " style=" not in answer.text
    again = get(server, path, headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    head = httpx.head(server.url + path)
    assert (head.status_code, head.content) == (200, b"")


def test_the_list_of_maps_names_every_layer_and_its_state(server):
    page = get(server, "/zoning").text
    for told in (
        'href="/zoning/sample-city"',
        "linked",
        'href="/zoning/sample-town"',
        "pending",
        "1 May 2024",
    ):
        assert told in page
    assert page.count("not the newest") == 1
    assert page.index("sample-town") < page.index("not the newest")


@pytest.mark.parametrize("path", ["/zoning", CITY, f"{CITY}/at?point=0,0", f"{CITY}/provisions/{NOISE}"])
def test_maps_lead_to_the_rest_of_the_site(server, path):
    page = get(server, path).text
    for told in (
        'class="brand" href="/"',
        'action="/search"',
        'href="/law">Law</a>',
        'href="/zoning">Zoning</a>',
    ):
        assert told in page
    assert ("noindex" in page) == ("/at?" in path)


def test_files_are_our_own_and_kept_for_good(server):
    page = get(server, CITY).text
    for name, file in zoning_files().items():
        address = f"/zoning/static/{name}?v={file.version}"
        assert address in page
        answer = get(server, address)
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert answer.content == file.body.plain


def test_the_simplified_layer_is_free(server):
    (address,) = re.findall(r'data-source="([^"]+)"', get(server, CITY).text)
    answer = get(server, address)
    assert answer.headers["content-encoding"] == "gzip"
    assert {feature["properties"]["zoneCode"] for feature in answer.json()["features"]} == {
        "HN",
        "R-1",
        "C-1",
    }
    again = get(server, address, headers={"If-None-Match": answer.headers["etag"]})
    assert again.status_code == 304


def test_only_provisions_of_the_layer_are_shown(server):
    shown = get(server, f"{CITY}/provisions/{NOISE}").text
    assert "No person shall make noise in the harbor at night." in shown
    assert '<a href="/law/sample-city/code/1">Read the whole of it</a>' in shown
    other = get(server, f"{CITY}/provisions/{node_id('/us/sample/t1/s7')}")
    assert (other.status_code, "There is no such map" in other.text) == (404, True)
    assert get(server, f"{CITY}/provisions/nothing").status_code == 422


def test_a_container_is_shown_by_the_first_text_below_it_and_no_further(server):
    shown = get(server, f"{CITY}/provisions/{HARBORS}").text
    assert "It begins with Sample Code § 1-1, Harbor plan" in shown
    quoted = re.findall(r"<blockquote>(.*?)</blockquote>", shown, re.DOTALL)[0]
    assert quoted.startswith("(1) The commission shall review matter 1 of the harbor plan")
    assert quoted.endswith(" …")
    assert len(quoted) <= 602


@pytest.mark.parametrize(
    ("path", "status", "told"),
    [
        ("/zoning/sample-citty", 404, "did you mean sample-city"),
        ("/zoning/1", 422, "short code"),
        ("/zoning/sample-citty/map.json", 404, "did you mean sample-city"),
    ],
)
def test_what_is_not_there_is_said_on_a_page(server, path, status, told):
    answer = get(server, path)
    assert (answer.status_code, told in answer.text) == (status, True)
    assert answer.headers["content-type"].startswith("text/html")
    assert 'href="/zoning"' in answer.text


def test_a_map_far_older_than_the_law_says_so(server):
    told = "The map is of 2024-05-01 and the code is current through 2026-10-31"
    for path in (CITY, f"{CITY}/at?point={example_in(server, 'sample-city')}"):
        assert told in get(server, path).text
    assert "is current through" not in get(server, "/zoning/sample-town").text


def test_a_zone_is_not_told_twice_what_it_is_called(server):
    page = get(server, CITY).text
    (homes,) = re.findall(r'data-zone="R-1".*?</a>', page, re.DOTALL)
    assert "<span>Homes</span>" in homes
    assert "City Code § 1 · Harbor noise" in homes
    (night,) = re.findall(r'data-zone="HN".*?</a>', page, re.DOTALL)
    assert "<span>Harbor Noise</span>" in night
    assert '<span class="law">City Code § 1</span>' in night
    point = get(server, f"{CITY}/at", params={"point": "37.507, -122.393"}).text
    assert point.count("Harbor Noise") == 1
    assert point.count("· Harbor noise") == 1


@pytest.mark.parametrize("name", ["Sample-City", "Sample%20City%20(invented)", "SAMPLE-CITY"])
@pytest.mark.parametrize(
    "rest", ["", "?x=1", "/at?point=0,0", "/map.json?v=0", f"/provisions/{NOISE}", "/at?point=nowhere"]
)
def test_names_lead_to_the_canonical_address(server, name, rest):
    answer = get(server, f"/zoning/{name}{rest}")
    assert (answer.status_code, answer.headers["location"]) == (301, f"{CITY}{rest}")
    assert answer.headers["cache-control"] == "no-cache"
    assert get(server, CITY + rest).status_code in (200, 422)


def test_the_id_of_a_provision_leads_to_its_canonical_spelling(server):
    answer = get(server, f"{CITY}/provisions/{str(NOISE).upper()}")
    assert (answer.status_code, answer.headers["location"]) == (301, f"{CITY}/provisions/{NOISE}")


def test_a_pending_layer_says_so_plainly(server, open_page):
    page = open_page(java_script_enabled=False)
    page.goto(f"{server.url}/zoning/sample-town")
    notes = page.get_by_role("note")
    expect(notes.nth(0)).to_contain_text("Pending. 2 of 2 zones lead to no provision")
    expect(notes.nth(1)).to_contain_text("The newest map could not be used")
    expect(page.locator("[data-zone='R-1']")).to_contain_text("placeholder: Town Code § 2-1")
    expect(page.locator("[data-zone='PD 7']")).to_contain_text("placeholder: no provision")


def test_without_scripts_the_list_leads_to_the_law(server, open_page):
    page = open_page(java_script_enabled=False)
    page.goto(server.url + CITY)
    expect(page.get_by_text("The map needs scripts and WebGL")).to_be_visible()
    page.get_by_role("link", name="R-1 Homes").click()
    expect(page).to_have_url(f"{server.url}/law/sample-city/code/1")
    expect(page.get_by_text("No person shall make noise")).to_be_visible()


@pytest.mark.parametrize("viewport", [NARROW, WIDE], ids=["narrow", "wide"])
def test_a_click_on_the_map_shows_every_zone_there(city, server, viewport):
    page = city(viewport=viewport)
    page.locator("#map canvas").scroll_into_view_if_needed()
    box = page.locator("#map canvas").bounding_box()
    # The layer is 0.03 by 0.015 degrees: the overlay covers homes in its lower left quarter.
    zone = page.locator("#zone")
    seen = {}
    for across in range(8, 100, 12):
        for down in range(5, 100, 10):
            point = box["x"] + box["width"] * across / 100, box["y"] + box["height"] * down / 100
            page.mouse.click(*point)
            seen[zone.get_by_role("heading", level=2).inner_text()] = point
    assert {"R-1", "C-1", "HN"} <= set(seen)
    page.mouse.click(*seen["No zone is drawn here"])
    expect(zone).to_contain_text("It is a street or water")
    expect(page.locator("[data-zone][aria-current]")).to_have_count(0)
    expect(zone.get_by_role("link", name=re.compile("^Exactly at "))).to_be_visible()
    drawn = next(title for title in seen if " and " in title)
    page.mouse.click(*seen[drawn])
    expect(zone.get_by_role("link", name="Code").first).to_have_attribute("href", re.compile("/law/sample"))
    zone.get_by_role("link", name=re.compile("^Exactly at ")).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Zones at ")
    page.wait_for_load_state()
    assert {one.split()[0] for one in page.locator(".zones h3").all_inner_texts()} == set(
        drawn.split(" and ")
    )
    assert page.complaints == []
    assert all(url.startswith((server.url, "data:", "blob:")) for url in page.requested)


def test_a_zone_of_the_list_is_shown_with_its_first_lines(city):
    page = city()
    page.get_by_role("link", name="C-1 Commerce").click()
    zone = page.get_by_role("region", name="C-1")
    expect(zone).to_contain_text("Sample Code tit. 1")
    expect(zone).to_contain_text("It begins with Sample Code § 1-1")
    expect(page.locator("[aria-current='true']")).to_have_attribute("data-zone", "C-1")
    assert page.url.endswith(CITY)
    assert page.complaints == []


def test_the_keyboard_is_enough(city):
    page = city()
    press_until(page, "Map of the zones; the list beside it says the same")
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset.zone") == "HN":
            break
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="HN")).to_contain_text("No person shall make noise")


def example_in(server, place):
    (found,) = re.findall(r'placeholder="(-?[0-9.]+, -?[0-9.]+)"', get(server, f"/zoning/{place}").text)
    return found


def test_a_point_leads_to_its_zones_and_they_to_the_law(server, open_page):
    page = open_page(java_script_enabled=False, viewport=NARROW)
    page.goto(server.url + CITY)
    point = example_in(server, "sample-city")
    page.get_by_label("Zone at a point").fill(point)
    page.get_by_role("button", name="Find").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Zones at {point}")
    expect(page.get_by_label("Zone at a point")).to_have_value(point)
    latitude, longitude = point.split(", ")
    asked = httpx.get(
        f"{server.url}/api/v1/gis/sample-city/at",
        params={"lat": latitude, "lon": longitude},
        headers=KeyRing(server.database).headers(),
    ).json()
    zones = asked["zones"]
    assert zones
    expect(page.locator(".zones h3")).to_have_count(len(zones))
    first = page.locator(".zones li").first
    expect(first).to_contain_text(zones[0]["zoneCode"])
    first.get_by_role("link", name=zones[0]["citation"]).click()
    expect(page).to_have_url(re.compile("/law/"))
    expect(page.get_by_role("heading", level=1)).to_contain_text(zones[0]["citation"])


@pytest.mark.parametrize(
    ("point", "status", "told"),
    [
        ("330 West 20th Avenue", 422, "Addresses are not looked up here: nobody else is told"),
        ("", 422, "No point was given"),
        ("91, 0", 422, "the latitude comes first"),
        ("0, 0", 200, "The point lies outside of this map"),
        ("<script>", 422, "&lt;script&gt;"),
    ],
)
def test_what_is_no_point_of_the_map_is_said_beside_the_field(server, point, status, told):
    answer = get(server, f"{CITY}/at", params={"point": point})
    assert (answer.status_code, told in answer.text) == (status, True)
    assert '<input id="point"' in answer.text
    assert "<script>" not in answer.text.partition("</head>")[2]


def test_swapped_coordinates_are_told(server):
    latitude, longitude = example_in(server, "sample-city").split(", ")
    answer = get(server, f"{CITY}/at", params={"point": f"{longitude}, {latitude}"})
    assert answer.status_code == 422
    assert "latitude comes first" in answer.text or "swapped" in answer.text


def test_a_placeholder_at_a_point_is_called_so(server):
    answer = get(server, "/zoning/sample-town/at", params={"point": example_in(server, "sample-town")})
    assert answer.status_code == 200
    assert "placeholder: " in answer.text


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [NARROW, WIDE], ids=["narrow", "wide"])
def test_maps_fit_and_can_be_read(city, server, scheme, viewport):
    page = city(viewport=viewport, color_scheme=scheme)
    page.get_by_role("link", name="C-1 Commerce").click()
    expect(page.get_by_text("It begins with")).to_be_visible()
    assert faults(page) == []
    for path in (
        "/zoning",
        "/zoning/sample-town",
        f"{CITY}/provisions/{HARBORS}",
        f"{CITY}/at?point=x",
        "/zoning/nowhere",
    ):
        page.goto(server.url + path)
        assert faults(page) == []
    assert page.complaints == []


def test_where_the_map_cannot_be_drawn_the_list_still_works(server, open_page):
    page = open_page()
    page.route("**/map.json*", lambda route: route.fulfill(status=503))
    page.goto(server.url + CITY)
    expect(page.get_by_text("The map could not be drawn here")).to_be_visible()
    page.get_by_role("link", name="R-1 Homes").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("City Code § 1")
