"""What each tool answers, asked by hand in the newest revision, of either worker."""

import json
from typing import Any
from uuid import uuid4

import pytest
from tokenizers import Tokenizer

from legal_client.proofs import node_faults
from serving.contract.identity import code_body_id
from serving.mcp.server import INSTRUCTIONS
from serving.mcp.tool import MAX_BYTES
from serving.mcp.toolbox import TOOLS
from tests.serving.conftest import FAIR_USE, LONG
from tests.serving.layers import SOUTH, WEST
from tests.serving.mcp.wire import said

pytestmark = pytest.mark.e2e

CALLS: dict[str, dict[str, Any]] = {
    "list_coverage": {"jurisdiction": "sample"},
    "search_law": {"query": "fair use", "limit": 3},
    "resolve_citation": {"citations": ["1 S.F.C. § 7"]},
    "get_law_node": {"citation": "1 S.F.C. § 7"},
    "browse_code": {"codeBody": str(code_body_id("us-sample"))},
    "list_changes": {},
    "verify_quotes": {"quotes": [{"citation": "1 S.F.C. § 7", "quote": "is not an infringement"}]},
    "check_text": {"text": "See 1 S.F.C. § 7."},
    "law_at_location": {"lat": SOUTH + 0.001, "lon": WEST + 0.001},
    "formation_requirements": {"state": "dc"},
    "formation_lookup_naics": {"query": "food truck", "limit": 3},
    "formation_handoff": {"state": "dc", "entityName": "Harbor Works LLC"},
    "account_status": {},
}
"""A call that succeeds of each tool but `order_status`, which needs an order that exists."""
CALLED = [tool for tool in TOOLS if tool.name in CALLS]


def test_there_is_a_call_of_every_tool():
    assert [*CALLS, "order_status"] == [
        *(tool.name for tool in TOOLS if tool.name != "order_status"),
        "order_status",
    ]


@pytest.mark.parametrize("name", [name for tool in CALLED for name in (tool.name, *tool.aliases)])
def test_every_name_of_a_tool_is_accepted(wire, name):
    tool = next(tool for tool in TOOLS if name in (tool.name, *tool.aliases))
    result = wire.call(name, **CALLS[tool.name])
    assert not result["isError"]
    assert result["_meta"]["creditsCost"] == 1
    assert result["_meta"]["creditsRemaining"] == 999


def test_searching_gives_the_results_of_the_api(wire, http, customer):
    answer = wire.answer("search_law", query="harbor", mode="keyword", limit=2, details=True)
    query = {"q": "harbor", "mode": "keyword", "limit": 2}
    listed = http.get(
        "/api/v1/search", params=query, headers={"Authorization": f"Bearer {customer.key}"}
    ).json()
    for ours, theirs in zip(answer["results"], listed["results"], strict=True):
        matched = {key: rank for key, rank in theirs["matched"].items() if rank is not None}
        assert ours == {key: theirs[key] for key in ours} | {"matched": matched}
        assert {"score", "matched", "codeBody"} <= ours.keys()
    assert answer["total"] == listed["total"]
    short = wire.answer("search_law", query="harbor", mode="keyword", limit=2)["results"]
    assert [set(one) for one in short] == [{"nodeId", "citation", "heading", "jurisdiction", "snippet"}] * 2


def test_levels_and_tags_are_filters(shared_wire):
    answer = shared_wire.answer("search_law", query="protected work", level="Section", tag="definitions")
    assert [one["citation"] for one in answer["results"]] == ["1 S.F.C. § 5"]
    refused = shared_wire.failure("search_law", query="protected work", tag="definition")
    assert refused["parameter"] == "tag"
    assert "Nearest: definitions" in refused["message"]


def test_law_that_is_not_in_force_is_searched_where_its_status_is_asked_for(shared_wire):
    dead = shared_wire.answer("search_law", query="fair use", status="repealed")["results"]
    assert [(one["citation"], one["status"]) for one in dead] == [("1 S.F.C. § 8", "repealed")]
    both = shared_wire.answer("search_law", query="fair use", status="in_force,repealed")["results"]
    assert {"1 S.F.C. § 7", "1 S.F.C. § 8"} <= {one["citation"] for one in both}
    usual = shared_wire.answer("search_law", query="fair use")["results"]
    assert "1 S.F.C. § 8" not in {one["citation"] for one in usual}
    assert (
        "must be one or more" in shared_wire.failure("search_law", query="fair use", status="dead")["message"]
    )


def test_a_search_that_finds_nothing_says_what_that_means(shared_wire):
    there = shared_wire.answer("search_law", query="zzzz", mode="keyword", jurisdiction="va")
    assert there["results"] == []
    assert "No law of Virginia (`va`) is held here" in there["note"]
    elsewhere = shared_wire.answer("search_law", query="noise at night in West Virginia")
    assert elsewhere["note"] == "No law of West Virginia (`wv`) is held here: results are of other places."
    assert "note" not in shared_wire.answer("search_law", query="protected work", jurisdiction=" US ")
    partly = shared_wire.answer("search_law", query="harbor", jurisdiction=" SAMPLE-CITY ")
    assert partly["results"]
    assert partly["note"].endswith("(`sample-city`) is held here: coverage says what is missing.")
    cited = shared_wire.answer("search_law", query="1 S.F.C. §§ 7, 99")
    assert "not in the code as it is held: `1 S.F.C. § 99`" in cited["note"]
    assert (
        "no proof"
        in shared_wire.answer("search_law", query="zzzz", mode="keyword", jurisdiction="us")["note"]
    )
    assert "earlier ones" in shared_wire.answer("search_law", query="harbor", page=400, limit=25)["note"]


def test_results_lead_to_resources(shared_wire):
    result = shared_wire.call("search_law", query="fair use", limit=2)
    items = said(result)["results"]
    read = shared_wire.modern("resources/read", {"uri": f"law://{items[0]['nodeId']}"}).json()["result"]
    assert items[0]["citation"] in read["contents"][0]["text"]
    assert read["_meta"]["creditsCost"] == 1


def test_a_long_text_comes_in_pages_with_exact_offsets(shared_wire):
    pages = []
    offset: int | None = 0
    while offset is not None:
        page = shared_wire.answer("get_law_node", citation="Sample Code § 1-1", offset=offset, maxChars=1_000)
        assert page.get("textStart", 0) == offset
        assert page["textLength"] == len(LONG)
        assert len(page["text"]) == page["textEnd"] - offset <= 1_000
        pages.append(page["text"])
        offset = page.get("nextOffset")
    assert "".join(pages) == LONG
    assert all(page.endswith("\n") for page in pages[:-1]), "cut at line ends"


def test_a_resource_comes_in_pages_too(shared_wire, node):
    uri = f"law://{node('/sample/code/1-1')}?offset=100"
    text = shared_wire.modern("resources/read", {"uri": uri}).json()["result"]["contents"][0]["text"]
    assert text.endswith(LONG[100:])
    assert f"Characters 100 to {len(LONG)} of {len(LONG)}." in text


def test_a_node_has_its_place_references_and_source(shared_wire, node):
    answer = shared_wire.answer("get_law_node", nodeId=node("/us/sample/t1/s7"), details=True)
    assert answer["text"] == FAIR_USE
    assert answer["notice"].startswith("Published law, quoted as data")
    assert answer["parentId"] == answer["ancestors"][-1]["id"]
    assert [one["heading"] for one in answer["ancestors"]] == ["Protected works", "General provisions"]
    (reference,) = [one for one in answer["references"] if one.get("nodeId") == node("/us/sample/t1/s5")]
    assert FAIR_USE[reference["start"] : reference["end"]] == "section 5"
    assert answer["outline"] == [{"label": "(a)", "start": 0, "end": 40}]
    assert answer["uri"] == f"law://{answer['id']}"
    short = shared_wire.answer("get_law_node", nodeId=node("/us/sample/t1/s7"))
    assert {"uri", "textSha256", "license", "previousId", "status", "level"}.isdisjoint(short)
    assert "status" in shared_wire.answer("get_law_node", citation="1 S.F.C. § 8"), (
        "what is not in force says so"
    )


def test_a_provision_comes_with_the_proof_of_all_of_it(wire, http, customer, node):
    """It is the API's, and proves the hash of the text, whatever page of that the agent reads."""
    law = node("/sample/code/1-1")
    page = wire.answer("get_law_node", nodeId=law, maxChars=500, proof=True, details=True)
    assert page["nextOffset"], "else it is no page"
    answer = http.get(f"/api/v1/node/{law}", headers={"Authorization": f"Bearer {customer.key}"}).json()
    (listed,) = http.get("/api/v1/snapshots").json()["snapshots"]
    assert list(node_faults({**answer, "proof": page["proof"]}, root=listed["nodesRoot"])) == []
    assert f'textSha256 "{page["textSha256"]}"' in page["proof"]["leaf"].splitlines()
    assert "proof" not in wire.answer("get_law_node", nodeId=law)


def test_old_law_in_service_says_so(shared_wire, node):
    answer = shared_wire.answer("get_law_node", nodeId=node("/sample/code/t3"))
    assert (answer["staleSince"], answer["currentThrough"]) == ("2025-02-14", "2024-10-08")
    assert "staleSince" not in shared_wire.answer("get_law_node", nodeId=node("/sample/code/t2"))
    read = shared_wire.modern("resources/read", {"uri": f"law://{node('/sample/code/t3')}"}).json()["result"]
    assert "could not be updated from the edition of 2025-02-14" in read["contents"][0]["text"]
    timed = shared_wire.modern("resources/read", {"uri": f"law://{node('/us/sample/t1/s9')}"}).json()[
        "result"
    ]
    assert "Effective from 2021-07-01 until 2031-07-01." in timed["contents"][0]["text"]
    covered = shared_wire.answer("list_coverage", jurisdiction="sample")["jurisdictions"]
    assert {body["freshness"]["reason"] for one in covered for body in one["codeBodies"]} == {"no_connector"}
    (titles,) = [
        body["staleTitles"] for one in covered for body in one["codeBodies"] if "staleTitles" in body
    ]
    assert titles == [
        {"label": "Title 3", "currentThrough": "2024-10-08", "staleSince": "2025-02-14", "nodeCount": 1}
    ]


def test_a_pinned_read_begins_and_ends_where_the_part_does(shared_wire, node):
    whole = shared_wire.answer("get_law_node", nodeId=node("/us/sample/t1/s7"))
    answer = shared_wire.answer("get_law_node", citation="1 S.F.C. § 7(a)")
    assert answer["pin"] == {"label": "(a)", "found": True, "start": 0, "end": 40}
    assert answer["text"] == whole["text"][:40]
    assert (answer["textEnd"], answer["textLength"]) == (40, whole["textLength"])
    assert "nextOffset" not in answer


def test_a_part_that_does_not_stand_is_told_with_those_that_do(shared_wire):
    (missing,) = shared_wire.answer("resolve_citation", citations=["1 S.F.C. § 7(z)"])["results"]
    assert (missing["outcome"], missing["citation"]) == ("pin_not_found", "1 S.F.C. § 7(z)")
    assert (missing["pinFound"], missing["pinReason"]) == (False, "not_in_outline")
    assert [part["label"] for part in missing["pinNeighbours"]] == ["(a)"]


def test_a_container_lists_its_children(shared_wire, node):
    answer = shared_wire.answer("get_law_node", nodeId=node("/us/sample/t1"))
    assert answer["text"] == ""
    assert answer["childCount"] == len(answer["children"]) == 2


def test_a_code_is_browsed_level_by_level(shared_wire, node, body):
    top = shared_wire.answer("browse_code", codeBody=body("us-sample"))
    title = top["nodes"][0]
    assert (title["id"], title["level"], title["childCount"]) == (node("/us/sample/t1"), "title", 2)
    below = shared_wire.answer("browse_code", nodeId=title["id"])
    assert (below["parent"], below["total"], len(below["nodes"])) == (title["id"], 2, 2)
    section = shared_wire.answer("get_law_node", citation="1 S.F.C. § 7")
    beside = shared_wire.answer("browse_code", nodeId=section["parentId"])
    assert section["id"] in [one["id"] for one in beside["nodes"]]
    assert shared_wire.answer("browse_code", nodeId=section["id"])["nodes"] == []
    seen: list[str] = []
    offset: int | None = 0
    while offset is not None:
        page = shared_wire.answer("browse_code", nodeId=node("/sample/code/t2"), offset=offset)
        seen += [one["id"] for one in page["nodes"]]
        offset = page.get("nextOffset")
    assert len(seen) == len(set(seen)) == page["total"] > 100


def test_an_order_is_shown_to_whoever_has_its_token(wire, books, customer):
    opened = books.orders.create(
        customer.account_id, entity_name="Harbor Works LLC", entity_type="llc", filing_jurisdiction="dc"
    )
    order_id = opened.order.order_id
    for name in ("order_status", "formation.order_status"):
        answer = wire.answer(name, orderId=order_id, token=opened.token)
        assert (answer["state"], answer["entityName"]) == ("details", "Harbor Works LLC")
    assert wire.failure("order_status", orderId=order_id, token="wrong")["kind"] == "order"
    assert wire.failure("order_status", orderId=str(uuid4()), token=opened.token)["kind"] == "order"


def test_places_are_named_as_people_name_them(shared_wire):
    assert (
        "Nearest: va" in shared_wire.failure("search_law", query="harbor", jurisdiction="Virgina")["message"]
    )
    assert shared_wire.answer("list_coverage", jurisdiction="CALIFORNIA")["placeholders"] == ["ca"]
    assert shared_wire.answer("formation_requirements", state="district of columbia", entityType="LLC")["llc"]


def test_one_bad_item_fails_itself(shared_wire):
    results = shared_wire.answer(
        "resolve_citation", citations=["1 S.F.C. § 7", "", "a\x00b", "x" * 501, "1 S.F.C. § 8"]
    )
    assert [one["outcome"] for one in results["results"]] == [
        "found",
        "unparsed",
        "unparsed",
        "unparsed",
        "repealed",
    ]
    good = {"citation": "1 S.F.C. § 7", "quote": "the fair use of a protected work"}
    faulty: list[Any] = [
        {"quote": "x"},
        {"quote": "x", "nodeId": str(uuid4())},
        {"quote": "x", "nodeId": "no id"},
        {"quote": "", "citation": "1 S.F.C. § 7"},
        {"quote": "x", "citatoin": "1 S.F.C. § 7"},
        7,
    ]
    checked = shared_wire.answer("verify_quotes", quotes=[good, *faulty, good])["results"]
    assert [one["verdict"] for one in checked] == ["exact", *["not_checked"] * len(faulty), "exact"]
    assert all(one["error"] for one in checked[1:-1])
    assert shared_wire.failure("resolve_citation", citations=[""])["code"] == "validation_error", (
        "and costs nothing"
    )


def test_citations_have_outcomes(shared_wire):
    cited = ["1 SFC 7(a)", "1 S.F.C. § 8", "1 S.F.C. § 99", "no citation", "99 U.S.C. § 1"]
    results = shared_wire.answer("resolve_citation", citations=cited)["results"]
    assert [one["outcome"] for one in results[:4]] == ["found", "repealed", "not_in_code", "unparsed"]
    assert (results[0]["pin"], results[0]["span"]) == ("(a)", {"start": 0, "end": 40, "label": "(a)"})
    assert "pinFound" not in results[0]
    assert results[2]["neighbours"]["previous"]["citation"] == "1 S.F.C. § 9"
    (beyond,) = shared_wire.answer("resolve_citation", citations=["1 S.F.C. § 7(z)"])["results"]
    assert (beyond["outcome"], beyond["pinFound"]) == ("pin_not_found", False)
    assert beyond["pinReason"] == "not_in_outline"
    assert "expected" in results[3]


def test_quotes_are_exact_normalised_or_absent(shared_wire):
    quoted = [
        "the fair use of a protected work",
        "“the effect upon the market - see section 5”",
        "the fair use of a copyrighted work",
    ]
    quotes = [{"citation": "1 S.F.C. § 7", "quote": quote} for quote in quoted]
    quotes.append({"citation": "1 S.F.C. § 99", "quote": "anything"})
    exact, typed, absent, unread = shared_wire.answer("verify_quotes", quotes=quotes)["results"]
    assert exact["verdict"] == "exact"
    assert FAIR_USE[exact["found"][0]["start"] : exact["found"][0]["end"]] == quoted[0]
    assert (typed["verdict"], typed["steps"]) == ("normalised", ["outer_marks", "dashes"])
    assert absent["verdict"] == "absent"
    assert absent["nearest"]["differences"] == [{"quote": "copyrighted", "text": "protected"}]
    assert (unread["verdict"], unread["resolution"]["outcome"]) == ("not_checked", "not_in_code")


def test_a_quotation_tells_what_it_alters_and_where_absent_words_stand(shared_wire):
    quotes = [
        {"citation": "1 S.F.C. § 7", "quote": "research is . . . an infringement."},
        {"citation": "1 S.F.C. § 5", "quote": "Whoever infringes a protected work shall be fined"},
    ]
    altered, absent = shared_wire.answer("verify_quotes", quotes=quotes)["results"]
    assert (altered["verdict"], altered["passedOver"]) == ("altered", [{"text": "not"}])
    assert altered["warnings"] == ["words_omitted", "negation_omitted"]
    start, end = altered["found"][0]["start"], altered["found"][-1]["end"]
    assert altered["context"] == {"before": FAIR_USE[start - 80 : start], "after": FAIR_USE[end : end + 80]}
    assert absent["verdict"] == "absent"
    assert [one["citation"] for one in absent["standsIn"]] == ["1 S.F.C. § 9"]


def test_the_quotations_of_a_draft_are_verified_with_its_citations(shared_wire):
    text = (
        "“The fair use of a protected work” is no wrong. 1 S.F.C. § 7. Whoever infringes one “shall be jailed for "
        "not more than $500.” 1 S.F.C. § 9."
    )
    true, false = shared_wire.answer("check_text", text=text)["quotations"]
    assert (true["verdict"], true["citation"]) == ("normalised", "1 S.F.C. § 7")
    assert text[true["place"]["start"] : true["place"]["end"]] == "The fair use of a protected work"
    assert false["verdict"] == "absent"
    assert "fined not more than $500" in false["nearest"]


def test_the_quotations_of_a_draft_that_are_not_verified_are_told(shared_wire):
    text = "“One that nobody cites at all.” It is old. “The fair use of a protected work.” 1 S.F.C. § 7."
    answer = shared_wire.answer("check_text", text=text)
    assert [text[place["start"] : place["end"]] for place in answer["unverified"]] == [
        "One that nobody cites at all."
    ]
    assert len(answer["quotations"]) == 1
    assert "unverified" not in shared_wire.answer("check_text", text=text[text.index("“The") :])


@pytest.mark.parametrize("limit", [1, 24, 26, 49, 99])
def test_as_many_citations_are_checked_as_are_asked_for(wire, limit):
    text = " ".join(f"See Sample Code § 2-{number}." for number in range(1, 101))
    answer = wire.answer("check_text", text=text, limit=limit)
    assert (answer["checked"], answer["next"]) == (limit, limit)


@pytest.mark.parametrize(
    ("citation", "outcome", "reason"),
    [
        ("1 S.F.C. § 99", "not_in_code", None),
        ("1 S.F.C. § 7(z)", "pin_not_found", "not_in_outline"),
        ("1 S.F.C. §§ 5, 7", "found", "several_provisions"),
        ("harbors of the sea", "unparsed", None),
    ],
)
def test_a_citation_that_leads_to_no_provision_fails_with_its_outcome(shared_wire, citation, outcome, reason):
    error = said(shared_wire.call("get_law_node", citation=citation))["error"]
    assert (error["kind"], error["outcome"]) == ("citation", outcome)
    assert error.get("reason") == reason
    assert "found." not in error["message"]


@pytest.mark.parametrize(
    ("citation", "hint"),
    [
        ("1 S.F.C. § 7(z)", "Call resolve_citation"),
        ("former 1 S.F.C. § 7", "proves nothing about it"),
        ("410 U.S. 113", "say that it was not checked"),
        ("harbors of the sea", "find it with search_law"),
    ],
)
def test_the_hint_of_a_failed_citation_is_that_of_its_outcome(shared_wire, citation, hint):
    assert hint in said(shared_wire.call("get_law_node", citation=citation))["error"]["hint"]


def test_a_draft_is_checked_citation_by_citation(shared_wire):
    text = "Under 1 S.F.C. § 7, unlike 1 S.F.C. § 8, a use may be fair. Again, 1 S.F.C. § 7. But § 107(2)?"
    answer = shared_wire.answer("check_text", text=text)
    assert answer["outcomes"] == {"found": 2, "repealed": 1, "unparsed": 1}
    assert (answer["total"], answer["checked"]) == (4, 4)
    first = answer["citations"][0]
    assert [text[place["start"] : place["end"]] for place in first["places"]] == ["1 S.F.C. § 7"] * 2
    last = answer["citations"][-1]["places"][0]
    assert text[last["start"] : last["end"]] == "§ 107(2)"


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("1 S.F.C. § 7 applies. Former 1 S.F.C. § 7 differed.", ["found", "outside_coverage"]),
        ("Former 1 S.F.C. § 7 differed. 1 S.F.C. § 7 applies.", ["outside_coverage", "found"]),
        ("1 S.F.C. § 7(a) and (b). 1 S.F.C. § 5 and (b).", None),
    ],
)
def test_citations_written_alike_are_told_apart_where_their_answers_differ(shared_wire, text, answers):
    answer = shared_wire.answer("check_text", text=text)
    outcomes = [one["resolution"]["outcome"] for one in answer["citations"] for _ in one["places"]]
    assert sorted(outcomes) == sorted(
        outcome for outcome, count in answer["outcomes"].items() for _ in range(count)
    )
    if answers is not None:
        assert outcomes == answers


def test_of_the_members_of_a_range_those_that_are_not_found_are_listed(shared_wire):
    text = "See 1 S.F.C. §§ 5 to 9."
    (cited,) = shared_wire.answer("check_text", text=text)["citations"]
    (whole,) = shared_wire.answer("resolve_citation", citations=["1 S.F.C. §§ 5 to 9"])["results"]
    shown = [one["citation"] for one in cited["resolution"]["members"]]
    dead = [one["citation"] for one in whole["members"] if one.get("outcome", "found") != "found"]
    assert len(whole["members"]) > len(shown) >= 1
    assert dead
    assert set(dead[: len(shown)]) <= set(shown)


def test_a_long_draft_is_checked_in_turns_each_charged_by_what_it_checked(wire):
    text = " ".join(f"See Sample Code § 2-{number}." for number in range(1, 131))
    seen, cost = 0, 0
    first: int | None = 0
    while first is not None:
        result = wire.call("check_text", text=text, first=first)
        answer = said(result)
        assert answer["total"] == 130
        seen += answer["checked"]
        assert result["_meta"]["creditsCost"] == -(-answer["checked"] // 25)
        cost += result["_meta"]["creditsCost"]
        first = answer.get("next")
    assert seen == 130
    assert cost >= 6


def test_zones_at_a_point_lead_to_their_provisions(shared_wire):
    answer = shared_wire.answer("law_at_location", lat=SOUTH + 0.001, lon=WEST + 0.001)
    zones = [zone for layer in answer["layers"] for zone in layer["zones"]]
    assert zones
    nowhere = shared_wire.answer("law_at_location", lat=0, lon=0)
    assert nowhere["layers"] == []
    assert "says nothing" in nowhere["note"]
    assert "sample-city" in nowhere["publishedLayers"]
    one = shared_wire.answer(
        "law_at_location", lat=SOUTH + 0.001, lon=WEST + 0.001, jurisdiction="sample-city"
    )
    assert [layer["shortCode"] for layer in one["layers"]] == ["sample-city"]
    assert shared_wire.failure("law_at_location", lat=1, lon=1, jurisdiction="us")["kind"] == "layer"


def test_zones_at_a_point_of_a_state_are_those_of_its_cities(shared_wire):
    at = {"lat": SOUTH + 0.001, "lon": WEST + 0.001}
    of_state = shared_wire.answer("law_at_location", **at, jurisdiction="State of Sample (invented)")
    assert [layer["shortCode"] for layer in of_state["layers"]] == ["sample-city"]
    assert shared_wire.answer("law_at_location", lat=1, lon=1, jurisdiction="sample")["layers"] == []
    (outside,) = shared_wire.answer("law_at_location", lat=1, lon=1, jurisdiction="sample-city")["layers"]
    assert outside["reason"] == "outside_layer"
    swapped = {"lat": at["lon"], "lon": at["lat"], "jurisdiction": "sample"}
    assert "swapped" in shared_wire.failure("law_at_location", **swapped)["message"]
    assert shared_wire.failure("law_at_location", **at, jurisdiction="ny")["kind"] == "layer"


def test_forming_is_described_looked_up_and_handed_over(shared_wire):
    required = shared_wire.answer("formation_requirements", state="dc")
    assert required["llc"]["document"]
    assert required["price"]["totalCents"] == sum(item.get("cents", 0) for item in required["price"]["items"])
    found = shared_wire.answer("formation_lookup_naics", query="722330")
    assert found["matches"][0]["hierarchy"][0]["level"] == "sector"
    made = shared_wire.answer("formation_handoff", state="dc", entityName="Harbor Works", naics="722330")
    assert made["url"].endswith("/formation/start?state=dc&entity=llc&name=Harbor+Works&naics=722330")
    assert "nameHint" in made


def test_the_account_is_that_of_the_key(wire, customer):
    short = wire.answer("account_status")
    assert (short["creditsRemaining"], short["credits"]) == (999, {"cost": 1, "left": 999})
    assert {"ledger", "upgradeOptions"}.isdisjoint(short)
    answer = wire.answer("account_status", ledger=True)
    assert answer["ledger"][0]["endpoint"] == "me"
    assert [one["pack"] for one in answer["upgradeOptions"]] == ["starter", "pro", "bulk"]
    assert customer.key.startswith(answer["keyPrefix"])


@pytest.mark.parametrize(
    ("tool", "arguments", "code", "said"),
    [
        ("search_law", {}, "validation_error", "`query` is required"),
        (
            "search_law",
            {"query": "x", "jursdiction": "us"},
            "validation_error",
            "did you mean `jurisdiction`?",
        ),
        ("search_law", {"query": "x", "limit": 26}, "validation_error", "`limit`"),
        ("search_law", {"query": "x", "mode": "magic"}, "validation_error", "`mode`"),
        ("search_law", {"query": "a\x00b"}, "validation_error", "control characters"),
        ("search_law", {"query": "x", "jurisdiction": "nowhere"}, "validation_error", "not listed here"),
        ("search_law", {"query": "x", "page": 1_000, "limit": 25}, "validation_error", "narrow the search"),
        ("get_law_node", {}, "validation_error", "either `nodeId` or `citation`"),
        ("get_law_node", {"nodeId": str(uuid4())}, "not_found", "No node has the id"),
        ("get_law_node", {"citation": "1 S.F.C. § 99"}, "not_found", "not_in_code"),
        ("get_law_node", {"citation": "1 S.F.C. § 7(z)"}, "not_found", "no part (z); it has (a)"),
        (
            "get_law_node",
            {"citation": "1 S.F.C. § 7", "offset": 99_999},
            "validation_error",
            "where the text ends",
        ),
        (
            "get_law_node",
            {"citation": "1 S.F.C. § 7", "snapshot": "2020.01.01-1"},
            "not_found",
            "not retained",
        ),
        ("get_law_node", {"citation": "1 S.F.C. § 7", "date": "2020-01-01"}, "not_found", "the oldest is"),
        ("list_coverage", {"date": "9999-12-31"}, "validation_error", "future"),
        ("list_coverage", {"date": "2020-01-01", "snapshot": "2020.01.01-1"}, "validation_error", "either"),
        ("resolve_citation", {"citations": ["x"] * 26}, "validation_error", "`citations`"),
        ("verify_quotes", {"quotes": [{"quote": "x"}]}, "validation_error", "must have either"),
        ("law_at_location", {"lat": 91, "lon": 0}, "validation_error", "`lat`"),
        ("formation_requirements", {"state": "atlantis"}, "validation_error", "no state"),
        ("formation_lookup_naics", {"query": "999999"}, "not_found", "no NAICS"),
    ],
)
def test_a_failure_is_a_result_that_says_what_to_do(shared_wire, tool, arguments, code, said):
    before = shared_wire.answer("account_status")["credits"]["left"]
    error = shared_wire.failure(tool, **arguments)
    assert error["code"] == code
    assert said in error["message"]
    assert error["hint"]
    left = shared_wire.answer("account_status")["credits"]["left"]
    assert left == before - 1, "the failure cost nothing"


def test_null_arguments_count_as_left_out(wire):
    assert wire.answer("search_law", query="harbor", jurisdiction=None, codeBody=None)["results"]


def test_instructions_and_the_list_of_tools_stay_small(encoder_folder):
    """Hosts put them before their models with every task."""
    tokenizer = Tokenizer.from_file(str(encoder_folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tools = [tool.listed().model_dump(mode="json", by_alias=True, exclude_none=True) for tool in TOOLS]
    listed = json.dumps(tools, ensure_ascii=False, separators=(",", ":"))
    assert len(tokenizer.encode(INSTRUCTIONS + listed)) <= 5_250


def test_answers_are_small_enough_for_agents(shared_wire, node, encoder_folder):
    tokenizer = Tokenizer.from_file(str(encoder_folder / "tokenizer.json"))
    tokenizer.no_truncation()
    for tool, arguments in (
        ("search_law", {"query": "permit harbor", "limit": 25}),
        ("get_law_node", {"nodeId": node("/sample/code/t2")}),
        ("get_law_node", {"citation": "Sample Code § 1-1", "maxChars": 20_000}),
        ("get_law_node", {"nodeId": node("/sample/code/t2"), "proof": True, "details": True}),
        ("get_law_node", {"citation": "Sample Code § 1-1", "maxChars": 20_000, "proof": True}),
        ("resolve_citation", {"citations": ["Sample Code §§ 2-1 to 2-200"] * 25}),
        ("check_text", {"text": " ".join(f"Sample Code § 2-{number};" for number in range(1, 200))}),
        ("verify_quotes", {"quotes": [{"citation": "Sample Code § 1-1", "quote": LONG[:5_000]}] * 25}),
        ("list_coverage", {}),
    ):
        result = shared_wire.call(tool, **arguments)
        assert not result["isError"], result
        text = result["content"][0]["text"]
        assert len(text.encode()) <= MAX_BYTES, tool
        shown = text + json.dumps(result["content"][1:])
        assert len(tokenizer.encode(shown)) < 25_000, tool
