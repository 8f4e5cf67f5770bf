"""Query parameters: every bound, and a message that says how to recover."""

from datetime import UTC, date, datetime, timedelta
from uuid import UUID

import pytest

from serving.api import parameters
from serving.api.requests import search_request
from serving.contract.errors import InvalidApiKeyError, ValidationError
from serving.services.requests import Mode

BODY = "2c8f7bd0-5c52-5f6e-9a1f-3d1f0a5c7e21"


def search(**given):
    return search_request(parameters.parse({"q": "law", **given}, parameters.SEARCH))


def refused(given, names=parameters.SEARCH):
    with pytest.raises(ValidationError) as caught:
        search_request(parameters.parse(given, names))
    return caught.value


def test_defaults():
    request = search()
    assert (request.page, request.limit, request.mode, request.facets) == (1, 20, Mode.HYBRID, False)
    assert request.statuses == ("in_force",)


def test_values_are_parsed():
    request = search(
        q="  fair \t use\n",
        page="3",
        limit="100",
        mode="keyword",
        jurisdiction="IL-Chicago",
        codeBody=BODY.upper(),
        status="repealed,in_force",
        facets="true",
    )
    assert request.query == "fair use"
    assert (request.page, request.limit, request.offset) == (3, 100, 200)
    assert request.mode is Mode.KEYWORD
    assert request.jurisdiction == "IL-Chicago"
    assert request.code_body == UUID(BODY)
    assert request.statuses == ("in_force", "repealed"), "in one order, whatever was sent"
    assert request.facets is True


def test_facet_values_are_filters_in_any_case():
    request = search(level="Section", tag="Short_Title")
    assert (request.level, request.tag) == ("section", "short_title")
    assert (search().level, search().tag) == (None, None)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("q", " \n "),
        ("q", "x" * 501),
        ("q", "a\0b"),
        ("q", "a\x7fb"),
        ("q", "a\x1fb"),
        ("q", "law\x1c"),
        ("page", "0"),
        ("page", "-1"),
        ("page", "1.0"),
        ("page", "٣"),
        ("page", "+1"),
        ("page", "10001"),
        ("limit", "0"),
        ("limit", "101"),
        ("limit", "1e1"),
        ("mode", "Hybrid"),
        ("jurisdiction", "u"),
        ("jurisdiction", "us;drop"),
        ("jurisdiction", "a" * 65),
        ("codeBody", "not-a-uuid"),
        ("codeBody", BODY.replace("-", "")),
        ("codeBody", "{" + BODY[:34] + "}"),
        ("status", "alive"),
        ("status", "in_force,"),
        ("status", "in_force,in_force"),
        ("level", "section,chapter"),
        ("level", "§"),
        ("tag", "short title"),
        ("tag", "-"),
        ("tag", "x" * 201),
        ("facets", "1"),
        ("facets", "TRUE"),
        ("snapshot", "../../etc"),
        ("snapshot", "2026.11.21"),
        ("date", "2024-02-30"),
        ("date", "20240229"),
        ("date", "2024-W09-4"),
        ("date", "2024-02-29T00:00:00Z"),
        ("date", "٢٠٢٤-02-29"),
        ("date", "0000-01-01"),
        ("date", "9999-12-31"),
    ],
)
def test_value_out_of_bounds_names_the_parameter(name, value):
    error = refused({"q": "law", name: value})
    assert error.parameter == name
    assert f"`{name}`" in error.message


@pytest.mark.parametrize("name", parameters.SEARCH)
def test_empty_and_repeated_values_are_refused(name):
    assert "empty" in refused({"q": "law", name: ""}).message
    assert "2 times" in refused({"q": "law", name: ["a", "b"]}).message


def test_what_is_required_is_not_said_to_be_left_out():
    assert "required" in refused({"q": ""}).message
    assert "leave it out" in refused({"q": "law", "jurisdiction": ""}).message


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("q=%ff", "q"),
        ("q=caf%E9", "q"),
        ("q=%C3%28", "q"),
        ("q=%ED%A0%80", "q"),
        ("page=1&q=law%C2", "q"),
        ("q=law&%ff=1", "\ufffd"),
    ],
)
def test_what_is_not_utf8_is_refused(query, name):
    with pytest.raises(ValidationError, match="UTF-8") as caught:
        parameters.parse({"q": "law"}, parameters.SEARCH, query)
    assert caught.value.parameter == name


@pytest.mark.parametrize("query", ["", "q=100%", "q=%u0041", "q=%C2%A7+107", "q=%EF%BF%BD", "q=§"])
def test_utf8_is_taken_whatever_its_signs(query):
    assert parameters.parse({"q": "law"}, parameters.SEARCH, query)["q"] == "law"


def test_query_length_counts_after_folding():
    assert len(search(q=" " + "x" * 250 + " " * 300 + "y" * 249 + " ").query) == 500


def test_missing_query_is_refused():
    assert refused({}).parameter == "q"
    assert "required" in refused({}).message


def test_deep_page_names_the_cap():
    assert search(page="100", limit="100").offset == 9900
    assert "10,000" in refused({"q": "law", "page": "101", "limit": "100"}).message


@pytest.mark.parametrize(
    ("given", "near"),
    [("query", "q"), ("jurisdicton", "jurisdiction"), ("codebody", "codeBody"), ("Limit", "limit")],
)
def test_unknown_parameter_names_the_nearest(given, near):
    message = refused({"q": "law", given: "x"}).message
    assert f"`{given}`" in message
    assert near in message


def test_unknown_parameter_of_an_endpoint_without_any():
    assert "takes none" in refused({"x": "1"}, parameters.NONE).message


def test_key_in_the_query_is_refused_before_all_else():
    with pytest.raises(InvalidApiKeyError, match="Authorization") as caught:
        parameters.parse({"limit": "0", "api_key": "lr_live_secret"}, parameters.SEARCH)
    assert "lr_live_secret" not in caught.value.message


@pytest.mark.parametrize("value", ["", "x", BODY + "0", "g" + BODY[1:], BODY.replace("-", "_")])
def test_path_id_must_be_a_uuid(value):
    with pytest.raises(ValidationError):
        parameters.parse_id(value)


def test_path_id_in_upper_case_is_the_same():
    assert parameters.parse_id(BODY.upper()) == UUID(BODY)


def test_a_day_is_taken_until_it_lies_in_the_future():
    today = datetime.now(UTC).date()
    assert parameters.parse({"date": "2024-02-29"}, parameters.READ)["date"] == date(2024, 2, 29)
    assert parameters.parse({"date": str(today)}, parameters.READ)["date"] == today
    with pytest.raises(ValidationError, match="future; today is"):
        parameters.parse({"date": str(today + timedelta(days=2))}, parameters.READ)


def test_a_snapshot_is_wanted_by_id_or_by_day_and_not_by_both():
    def wanted(**given):
        return parameters.wanted_snapshot(parameters.parse(given, parameters.READ))

    assert wanted() is None
    assert wanted(snapshot="2026.11.21-1") == "2026.11.21-1"
    assert wanted(date="2024-02-29") == date(2024, 2, 29)
    with pytest.raises(ValidationError, match="either") as caught:
        wanted(snapshot="2026.11.21-1", date="2024-02-29")
    assert caught.value.parameter == "date"
