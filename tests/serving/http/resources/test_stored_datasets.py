"""The two free datasets over HTTP: keyless, cacheable, and every number read back to its source row."""

import csv
import json
import tomllib
from pathlib import Path

import falcon
import orjson
import pytest

from serving.http.resources.prices import COUNTED_FOR, FoundingSlots
from serving.services.datasets import formation_prices

COMPARE = "/api/v1/compare/llc-services"
PRICES = "/api/v1/formation/prices"
DATA = Path(__file__).parents[4] / "datasets" / "formation"
ITEMS = ("filing", "processing", "companion")
FACTS = Path(__file__).parents[5] / "shared" / "facts"
CAMEL = {
    "base_price_cents": "basePriceCents",
    "ra_first_year_included": "raFirstYearIncluded",
    "ra_renewal_cents": "raRenewalCents",
    "public_api": "publicApi",
    "api_forms_entities": "apiFormsEntities",
    "openapi_published": "openapiPublished",
    "mcp_server": "mcpServer",
    "self_serve_keys": "selfServeKeys",
    "sandbox": "sandbox",
    "webhooks": "webhooks",
    "agent_can_submit": "agentCanSubmit",
    "idempotency_or_dry_run": "idempotencyOrDryRun",
    "llms_txt": "llmsTxt",
    "machine_readable_price": "machineReadablePrice",
}


def rows(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def value(text):
    return {"": None, "yes": True, "no": False}.get(text) if not text.isdigit() else int(text)


@pytest.mark.parametrize(("path", "age"), [(COMPARE, 3600), (PRICES, 60)])
def test_anyone_may_read_keep_and_ask_again(client, decoded, path, age):
    plain = client.get(path, key=None)
    assert (plain.status_code, plain.headers["cache-control"]) == (200, f"public, max-age={age}")
    assert plain.headers["access-control-allow-origin"] == "*"
    assert "x-credits-remaining" not in plain.headers
    again = client.get(path, key=None, headers={"If-None-Match": plain.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    head = client.request("HEAD", path, key=None)
    assert (head.status_code, head.content, head.headers["etag"]) == (200, b"", plain.headers["etag"])
    packed = client.get(path, key=None, headers={"Accept-Encoding": "zstd"})
    assert packed.headers["content-encoding"] == "zstd"
    assert decoded(packed) == plain.content
    assert client.get(path, params={"snapshot": "2026.11.21-1"}).content == plain.content


@pytest.mark.parametrize("path", [COMPARE, PRICES])
def test_a_call_is_free_and_counts_nowhere(client, new_customer, billing, path):
    customer = new_customer(wallet=0)
    assert client.get(path, key=customer.key).status_code == 200
    assert billing.accounts.list_keys(customer.account_id)[0].passed == 0


@pytest.mark.parametrize("path", [COMPARE, PRICES])
def test_parameters_are_refused_and_methods_named(client, path):
    assert client.get(path, key=None, params={"state": "dc"}).status_code == 422
    assert client.get(path, key=None, params={"api_key": "x"}).status_code == 401
    gone = client.get(path, key=None, params={"snapshot": "2020.01.01-1"})
    assert (gone.status_code, gone.json["kind"]) == (404, "snapshot_gone")
    assert client.request("POST", path, key=None).status_code == 405


def test_every_fact_of_the_comparison_is_a_row(client):
    answer = client.get(COMPARE, key=None).json
    others = {entry["key"]: entry for entry in answer["providers"] if not entry["isPublisher"]}
    found = rows(DATA / "provider_facts.csv")
    assert len(answer["providers"]) == 19
    assert len(found) == len(others) * len(CAMEL)
    for row in found:
        fact = others[row["provider"]]["facts"][CAMEL[row["fact"]]]
        assert fact == {
            "value": value(row["value"]),
            "status": row["status"],
            "source": row["source"] or None,
            "date": row["date"] or None,
            "pageDate": row["page_date"] or None,
        }


def test_what_the_operator_sets_is_what_is_answered(client):
    operator = tomllib.loads((DATA / "operator.toml").read_text(encoding="utf-8"))
    rubric = tomllib.loads((DATA / "rubric.toml").read_text(encoding="utf-8"))
    answer = client.get(COMPARE, key=None).json
    (publisher,) = [entry for entry in answer["providers"] if entry["isPublisher"]]
    for fact in operator["fact"]:
        found = publisher["facts"][CAMEL[fact["name"]]]
        assert found["value"] == value(str(fact["value"]))
        assert (found["status"], found["source"]) == (fact["status"], fact["source"])
        assert found["date"] == operator["date"].isoformat()
    weights = [(entry["weight"], entry["fullPointsWhen"]) for entry in answer["rubric"]["criteria"]]
    assert weights == [(entry["weight"], entry["full_points_when"]) for entry in rubric["criterion"]]
    assert answer["rubric"]["rankableUnknownWeight"] == rubric["rankable_unknown_weight"]
    prices, offer = operator["prices"], operator["founding_offer"]
    listed = client.get(PRICES, key=None).json
    assert listed["foundingOffer"]["discount"] == offer["discount_cents"]
    assert listed["foundingOffer"]["discountCents"] == offer["discount_cents"]
    assert listed["foundingOffer"]["cap"] == offer["cap"]
    for entry in listed["prices"]:
        own = {item["item"]: item["cents"] for item in (*entry["items"], entry["registeredAgentRenewal"])}
        assert own["serviceFee"] == prices["service_fee_cents"][entry["entityType"]]
        assert own["registeredAgentFirstYear"] == prices["registered_agent_first_year_cents"]
        assert own["registeredAgentRenewal"] == prices["registered_agent_renewal_cents"]


def test_the_publisher_says_so_and_is_scored_alike(client):
    answer = client.get(COMPARE, key=None).json
    (publisher,) = [entry for entry in answer["providers"] if entry["isPublisher"]]
    assert publisher["key"] == answer["publisher"]
    weights = {entry["key"]: entry["weight"] for entry in answer["rubric"]["criteria"]}
    met = [
        entry["weight"]
        for entry in answer["rubric"]["criteria"]
        if len(entry["facts"]) > 1 or publisher["facts"][entry["facts"][0]]["value"] is not False
    ]
    assert sum(weights.values()) == answer["rubric"]["maxScore"] == 100
    assert (publisher["score"], publisher["unknownWeight"]) == (sum(met), 0)


def test_too_much_unknown_gives_no_score(client):
    answer = client.get(COMPARE, key=None).json
    for entry in answer["providers"]:
        assert (entry["score"] is None) == (entry["unknownWeight"] > 40), entry["key"]
    assert any(entry["score"] is None for entry in answer["providers"])


def test_nothing_is_verified_and_nothing_recalled_is_given(client):
    for entry in client.get(COMPARE, key=None).json["providers"]:
        for fact in entry["facts"].values():
            assert fact["status"] in ("reported", "unknown")
            assert (fact["value"] is None) == (fact["source"] is None) == (fact["status"] == "unknown")


@pytest.mark.parametrize("path", [COMPARE, PRICES])
def test_what_was_read_in_stored_copies_is_not_said_to_be_of_today(client, path):
    assert "a stored copy of it that may be older" in client.get(path, key=None).json["statuses"]["reported"]


def test_every_charge_of_the_price_list_is_a_row(client):
    answer = client.get(PRICES, key=None).json
    assert len(answer["prices"]) == 102
    priced = {(entry["state"], entry["entityType"]): entry for entry in answer["prices"]}
    known = {(row["state"], row["entity"], row["part"]): row for row in rows(DATA / "state_fees.csv")}
    for (state, entity), entry in priced.items():
        for item in (*entry["items"], entry["expedite"], entry["report"]):
            if item["item"] in ("registeredAgentFirstYear", "serviceFee"):
                continue
            row = known.get((state, entity, item["item"]))
            assert item["cents"] == (None if row is None else value(row["cents"]))
            assert item["source"] == ((row and row["source"]) or None)
            assert (item["status"] == "reported") == (item["source"] is not None)
        assert entry["total"]["cents"] == sum(item["cents"] or 0 for item in entry["items"])
        partial = {part for part in ITEMS if known.get((state, entity, part), {}).get("at_least") == "yes"}
        missing = {item["item"] for item in entry["items"] if item["cents"] is None} | partial
        assert set(entry["total"]["missing"]) == missing
        assert entry["total"]["complete"] == (not missing)


@pytest.mark.skipif(not FACTS.is_dir(), reason="the gathered facts are not beside this checkout")
def test_the_rows_are_what_was_gathered(client):
    gathered = {row["state_code"].lower(): row for row in rows(FACTS / "state_fees.csv")}
    columns: dict[str, tuple[str, str | None]] = {
        "filing": ("llc_filing_fee_cents", "llc_fee_confidence"),
        "processing": ("online_processing_surcharge_cents", "surcharge_confidence"),
        "companion": ("companion_fees_cents", None),
    }
    for entry in client.get(PRICES, key=None).json["prices"]:
        source = gathered[entry["state"]]
        columns_of: dict[str, tuple[str, str | None]]
        if entry["entityType"] == "nonprofit":
            columns_of = {"filing": ("nonprofit_filing_fee_cents", "nonprofit_confidence")}
        else:
            columns_of = columns
        for item in entry["items"]:
            if item["item"] not in columns_of:
                continue
            amount, confidence = columns_of[item["item"]]
            assert item["cents"] == value(source[amount]), (entry["state"], item["item"])
            seen = confidence is not None and source[confidence] == "seen"
            assert (item["status"] == "reported") == seen, (entry["state"], item["item"])


@pytest.mark.skipif(not FACTS.is_dir(), reason="the gathered facts are not beside this checkout")
def test_the_facts_and_scores_are_what_was_gathered(client):
    gathered = json.loads((FACTS / "providers.json").read_bytes())["providers"]
    by_address = {entry["url"]: entry for entry in gathered}
    compared = [
        entry for entry in client.get(COMPARE, key=None).json["providers"] if not entry["isPublisher"]
    ]
    assert len(compared) == 18
    for entry in compared:
        source = by_address[entry["url"]]
        assert entry["unknownWeight"] == source["unknown_weight"]
        assert entry["score"] == (source["readiness_score"] if source["unknown_weight"] <= 40 else None)
        for name, fact in source["facts"].items():
            found = entry["facts"][CAMEL[name]]
            seen = fact["status"] == "seen"
            assert found["value"] == (value(str(fact["value"])) if seen else None)
            assert found["source"] == (fact["source_url"] if seen else None)


def test_the_offer_counts_orders_from_setup_that_stand(billing, new_customer):
    customer = new_customer()
    before = billing.orders.count_founding()
    order = billing.orders.create(
        customer.account_id, entity_name="Harbor LLC", entity_type="llc", filing_jurisdiction="dc"
    ).order
    billing.orders.advance(order.order_id, "payment")
    assert billing.orders.count_founding() == before
    billing.orders.advance(order.order_id, "setup")
    assert billing.orders.count_founding() == before + 1
    billing.orders.cancel(order.order_id)
    assert billing.orders.count_founding() == before


def test_a_count_is_believed_for_seconds(billing, new_customer):
    now = [100.0]
    slots = FoundingSlots(billing, clock=lambda: now[0])
    before = falcon.async_to_sync(slots.taken)
    order = billing.orders.create(
        new_customer().account_id, entity_name="Pier LLC", entity_type="llc", filing_jurisdiction="dc"
    ).order
    for _ in range(2):
        billing.orders.advance(order.order_id)
    assert falcon.async_to_sync(slots.taken) == before
    now[0] += COUNTED_FOR
    assert falcon.async_to_sync(slots.taken) == before + 1


def test_the_offer_is_null_once_the_cohort_is_full(holder):
    with holder.lease() as snapshot:
        cap = orjson.loads(formation_prices(snapshot, taken=0).plain)["foundingOffer"]["cap"]
        last = orjson.loads(formation_prices(snapshot, taken=cap - 1).plain)["foundingOffer"]
        assert last["remaining"] == 1
        assert last["discount"] > 0
        for taken in (cap, cap + 5):
            assert orjson.loads(formation_prices(snapshot, taken=taken).plain)["foundingOffer"] is None
        assert formation_prices(snapshot, taken=1).etag != formation_prices(snapshot, taken=2).etag
