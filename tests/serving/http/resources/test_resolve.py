"""`/api/v1/resolve` over HTTP: every answer is held against the OpenAPI document by the client."""

import pytest

from serving.api.parameters import CITATION_LENGTH, MAX_CITATIONS

FIELDS = {
    "input", "outcome", "citation", "codeName", "lawKind", "nodeId", "nodeCitation", "heading", "jurisdiction",
    "codeBody", "level", "status", "pin", "pinFound", "pinReason", "pinCandidates", "pinNeighbours", "pinStatus", "leadIn", "span",
    "reason", "candidates", "neighbours", "successor", "members", "memberCount", "offset", "expected", "inferred", "amendedSince",
}  # fmt: skip


@pytest.fixture
def resolve(client):
    def run(*citations, **query):
        result = client.get("/api/v1/resolve", params={"citation": list(citations), **query})
        assert result.status_code == 200, result.text
        return result.json["results"]

    return run


def test_results_stand_in_the_order_of_the_citations(resolve):
    typed = ["1 sfc 7", "Sample Code § 1-1", "nothing", "1 S.F.C. § 8", "1 sfc 7"]
    results = resolve(*typed)
    assert [result["input"] for result in results] == typed
    assert [result["outcome"] for result in results] == ["found", "found", "unparsed", "repealed", "found"]


def test_found_names_its_node(resolve, client, node, body):
    (found,) = resolve("1 sfc § 7")
    assert set(found) == FIELDS
    assert (found["nodeId"], found["codeBody"]) == (node("/us/sample/t1/s7"), body("us-sample"))
    assert (found["citation"], found["nodeCitation"], found["heading"]) == (
        "1 S.F.C. § 7",
        "1 S.F.C. § 7",
        "Fair use",
    )
    assert (found["jurisdiction"], found["level"], found["status"]) == ("us", "section", "in_force")
    assert (found["candidates"], found["members"], found["memberCount"]) == ([], [], 0)
    assert client.get(f"/api/v1/node/{found['nodeId']}").json["citation"] == found["citation"]


def test_pin_cite_is_a_span_of_the_nodes_text(resolve, client):
    (found,) = resolve("1 S.F.C. § 7(a)")
    assert (found["citation"], found["nodeCitation"]) == ("1 S.F.C. § 7(a)", "1 S.F.C. § 7")
    assert (found["pin"], found["pinFound"]) == ("(a)", True)
    assert found["span"] == {"start": 0, "end": 40, "label": "(a)", "uncertain": False}
    assert (found["outcome"], found["pinStatus"], found["pinNeighbours"]) == ("found", "in_force", [])


def test_part_that_does_not_stand_is_not_found(resolve, client):
    (found, above, whole) = resolve("1 S.F.C. § 7(a)", "1 S.F.C. § 7(a)(9)", "1 S.F.C. § 7(z)")
    assert (above["outcome"], above["pin"], above["pinFound"]) == ("pin_not_found", "(a)(9)", False)
    assert (above["nodeId"], above["span"], above["pinStatus"]) == (found["nodeId"], found["span"], None)
    assert above["pinNeighbours"] == []
    text = client.get(f"/api/v1/node/{whole['nodeId']}").json["text"]
    assert whole["span"] == {"start": 0, "end": len(text), "label": None, "uncertain": False}
    assert whole["pinNeighbours"] == [found["span"]]


def test_missing_number_has_neighbours_where_the_code_is_complete(resolve, node):
    (missing,) = resolve("1 S.F.C. § 6")
    assert (missing["outcome"], missing["nodeId"], missing["citation"]) == (
        "not_in_code",
        None,
        "1 S.F.C. § 6",
    )
    assert missing["neighbours"]["previous"]["nodeId"] == node("/us/sample/t1/s5")
    assert missing["neighbours"]["next"]["citation"] == "1 S.F.C. § 7"
    (unknown,) = resolve("Sample Code § 9-9")
    assert (unknown["outcome"], unknown["neighbours"]) == ("outside_coverage", None)
    assert (unknown["reason"], unknown["jurisdiction"]) == ("code_incomplete", "sample")


def test_act_has_candidates(resolve, node):
    (named,) = resolve("Fair Works Act § 3(a)")
    assert (named["outcome"], named["reason"], named["nodeId"]) == ("ambiguous", "act_numbering", None)
    (candidate,) = named["candidates"]
    assert (candidate["act"], candidate["citation"]) == ("Fair Works Act", "1 S.F.C. § 7")
    assert candidate["nodeId"] == node("/us/sample/t1/s7")
    (unknown,) = resolve("Wharf Act")
    assert unknown["outcome"] == "act_unmapped"
    assert [entry["nodeId"] for entry in unknown["candidates"]] == [None]


def test_unknown_code_is_named_and_leads_nowhere(resolve):
    (unknown,) = resolve("section 7 of title 1 of the Harbor Nation Code")
    assert (unknown["outcome"], unknown["codeName"]) == ("unknown_code", "Harbor Nation Code")
    assert (unknown["nodeId"], unknown["lawKind"], unknown["candidates"]) == (None, None, [])


def test_kind_of_a_law_is_said(resolve):
    (known,) = resolve("Sample Code § 9-9")
    assert known["lawKind"] == "code"


def test_list_has_members(resolve):
    (listed,) = resolve("1 S.F.C. §§ 5, 7(a)")
    assert (listed["outcome"], listed["nodeId"], listed["memberCount"]) == ("found", None, 2)
    assert [member["citation"] for member in listed["members"]] == ["1 S.F.C. § 5", "1 S.F.C. § 7(a)"]
    assert listed["members"][1]["pinFound"] is True


def test_unparsed_says_where_and_what_was_expected(resolve):
    (refused,) = resolve("1 S.F.C. § 7 or so")
    assert (refused["outcome"], refused["offset"]) == ("unparsed", 13)
    assert "subsection" in refused["expected"]
    assert refused["citation"] is None


@pytest.mark.parametrize(
    "typed", ["1 S.F.C.\u00a0§\u20097", "1 S.F.C. §§ 5, 7", "1\tS.F.C.\n§ 7", "§ & ? # + %", "法律"]
)
def test_input_comes_back_as_it_was_given(resolve, typed):
    assert resolve(typed)[0]["input"] == typed


def test_named_snapshot_is_read(resolve, client):
    (found,) = resolve("1 S.F.C. § 7", snapshot="2026.11.21-1")
    assert found["outcome"] == "found"
    gone = client.get("/api/v1/resolve", params={"citation": "1 S.F.C. § 7", "snapshot": "2020.01.01-1"})
    assert (gone.status_code, gone.json["kind"]) == (404, "snapshot_gone")


def test_answer_is_tagged_and_revalidated(client):
    def get(*citations, **headers):
        return client.get("/api/v1/resolve", params={"citation": list(citations)}, headers=headers)

    first = get("1 sfc 7", "1 sfc 8")
    assert first.headers["etag"].startswith('W/"')
    assert first.headers["cache-control"] == "private, no-cache"
    assert first.headers["x-credits-cost"] == "1"
    again = get("1 sfc 7", "1 sfc 8", **{"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.headers["x-credits-cost"]) == (304, "0")
    for other in (("1 sfc 8", "1 sfc 7"), ("1 sfc 7",), ("1 sfc 7", "1 sfc 8", "1 sfc 9")):
        assert get(*other).headers["etag"] != first.headers["etag"]


def test_no_character_of_a_citation_makes_its_answer_that_of_others(client):
    def tag(*citations):
        return client.get("/api/v1/resolve", params={"citation": list(citations)}).headers["etag"]

    for parting in ("\0", "', '", ", ", "\\", " "):
        assert tag(f"x{parting}y", "1 sfc 7") != tag("x", "y", "1 sfc 7"), parting


def test_as_many_citations_as_may_be_cost_one_credit(client):
    result = client.get("/api/v1/resolve", params={"citation": ["1 sfc 7"] * MAX_CITATIONS})
    assert (len(result.json["results"]), result.headers["x-credits-cost"]) == (MAX_CITATIONS, "1")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (None, "required"),
        ([""], "empty"),
        (["", ""], "empty"),
        (["  "], "blanks"),
        (["x" * (CITATION_LENGTH + 1)], f"1 to {CITATION_LENGTH} characters"),
        (["a\x00b", "", " "], "control characters"),
        (["1 sfc\x007"], "control characters"),
        (["1 sfc 7"] * (MAX_CITATIONS + 1), f"given 26 times; give it at most {MAX_CITATIONS} times"),
    ],
)
def test_bad_citations_are_422(client, given, said):
    result = client.get("/api/v1/resolve", params={} if given is None else {"citation": given})
    assert (result.status_code, result.json["parameter"]) == (422, "citation")
    assert said in result.json["message"]


def test_one_bad_citation_fails_itself_and_the_others_are_answered(client, resolve):
    long = "x" * (CITATION_LENGTH + 1)
    given = ["1 sfc 7", "", "a\x00b", long, " ", "1 S.F.C. § 8"]
    result = client.get("/api/v1/resolve", params={"citation": given})
    assert (result.status_code, result.headers["x-credits-cost"]) == (200, "1")
    results = result.json["results"]
    assert [one["input"] for one in results] == given
    outcomes = ["found", "unparsed", "unparsed", "unparsed", "unparsed", "repealed"]
    assert [one["outcome"] for one in results] == outcomes
    for bad in results[1:5]:
        assert set(bad) == FIELDS
        assert (bad["offset"], bad["nodeId"], bad["citation"], bad["candidates"]) == (0, None, None, [])
    assert results[2]["expected"] == "Parameter `citation[2]` must not contain control characters."
    for index in (1, 3, 4):
        length = f"must be 1 to {CITATION_LENGTH} characters long, and more than blanks"
        assert results[index]["expected"] == f"Parameter `citation[{index}]` {length}."
    (alone,) = resolve("1 sfc 7")
    assert results[0] == alone, "its neighbours change nothing"
    tagged = result.headers["etag"]
    assert client.get("/api/v1/resolve", params={"citation": given[:3] + given[4:]}).headers["etag"] != tagged
    again = client.get("/api/v1/resolve", params={"citation": given}, headers={"If-None-Match": tagged})
    assert (again.status_code, again.headers["x-credits-cost"]) == (304, "0")


def test_longest_citation_is_read(resolve):
    (refused,) = resolve("x" * CITATION_LENGTH)
    assert refused["outcome"] == "unparsed"


def test_snapshot_may_not_be_repeated(client):
    query = {"citation": "1 sfc 7", "snapshot": ["2026.11.21-1", "2026.11.21-1"]}
    result = client.get("/api/v1/resolve", params=query)
    assert (result.status_code, result.json["parameter"]) == (422, "snapshot")


def test_long_answer_is_compressed_as_wished(client, decoded):
    typed = {"citation": ["Sample Code §§ 2-1 to 2-100"]}
    plain = client.get("/api/v1/resolve", params=typed)
    packed = client.get("/api/v1/resolve", params=typed, headers={"Accept-Encoding": "zstd"})
    assert packed.headers["content-encoding"] == "zstd"
    assert decoded(packed) == plain.content
