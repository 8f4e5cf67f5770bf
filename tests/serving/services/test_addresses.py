"""What an address names: a provision in any spelling of its number, or why there is none."""

import pytest

from serving.contract.identity import node_id
from serving.services.addresses import body_at, find_place, find_published, fragment_of, page_of, pinned
from serving.services.citations.resolution import Outcome
from serving.services.opening import open_warm
from tests.serving.conftest import Row


@pytest.fixture
def place(snapshot):
    def find(number, jurisdiction="us", code="sample"):
        body = body_at(snapshot, jurisdiction, code)
        assert body is not None
        found = find_place(snapshot, body, number)
        return found if found.row is None else (snapshot.nodes.citation(found.row), found.fragment)

    return find


@pytest.mark.parametrize(
    ("number", "found"),
    [
        ("1/7", ("1 S.F.C. § 7", "")),
        ("t1/s7", ("1 S.F.C. § 7", "")),  # the publisher's own
        ("1/7(a)", ("1 S.F.C. § 7", "a")),
        ("1/§7", ("1 S.F.C. § 7", "")),
        ("1", ("1 S.F.C.", "")),
        ("1/ch-1", ("1 S.F.C. ch. 1", "")),
        ("1/8", ("1 S.F.C. § 8", "")),
    ],
)
def test_a_provision_is_found_by_each_spelling(place, number, found):
    assert place(number) == found


def test_a_missing_number_is_judged_as_a_citation(place):
    missing = place("1/6")
    assert missing.resolution.outcome is Outcome.NOT_IN_CODE
    assert missing.resolution.neighbours.previous.citation == "1 S.F.C. § 5"
    assert missing.resolution.neighbours.next.citation == "1 S.F.C. § 7"
    assert place("1/7(z)").resolution.outcome is Outcome.PIN_NOT_FOUND
    for nonsense in ("{num}", "x" * 5000, "1/7/8/9", "%", "\x00"):
        assert place(nonsense).row is None


def test_codes_are_found_in_any_case_and_no_others(snapshot):
    found = body_at(snapshot, "US", "Sample")
    assert found is not None
    assert found.key == "us-sample"
    assert body_at(snapshot, "us", "usc") is None
    assert body_at(snapshot, "us-sample", "") is None


def test_publishers_identifiers_lead_to_pages(snapshot):
    row = find_published(snapshot, "/us/sample/t1/s7/")
    assert row is not None
    assert snapshot.nodes.id(row) == node_id("/us/sample/t1/s7")
    assert page_of(snapshot, row) == "/law/us/sample/1/7"
    assert find_published(snapshot, "/us/sample/t1/s77") is None


@pytest.mark.parametrize(
    ("label", "fragment"),
    [
        ("(a)", "a"),
        ("(a)(1)(A)", "a-1-A"),
        ("(c-3A)", "c_3A"),
        ("ARTICLE V(1)", "ARTICLE-V-1"),
        ("§", ""),
        ("(1)-(4)", "1"),
        ("(a)(1)-(3)", "a-1"),
        ("(c-3A)-(c-3C)", "c_3A"),
    ],
)
def test_fragments_are_labels_without_parentheses(label, fragment):
    assert fragment_of(label) == fragment


@pytest.mark.parametrize(
    ("citation", "fragment"),
    [("17 U.S.C. § 107", ""), ("17 U.S.C. § 106(a)(1)", "#a-1"), ("Fed. R. Civ. P. 4(k)", "#k")],
)
def test_the_end_of_a_citation_is_the_part_that_it_pins(citation, fragment):
    assert pinned(citation) == fragment


def test_addresses_are_read_off_the_registry_and_the_citation(snapshot):
    paths = {snapshot.addresses.of(row) for row in range(len(snapshot.nodes))}
    assert {
        "us/sample/1/7",
        "us/sample/1",
        "us/sample/1/ch-1",
        "sample/code/2-1",
        "sample-city/code/1",
    } <= paths
    for absent in ("us/sample/1/77", "us/sample", "", "zz", "us/sample/1/7/", "\ud800"):
        assert snapshot.addresses.find(absent) is None


def test_provisions_of_one_number_are_told_apart_by_their_ids(publisher, law):
    twin = Row(
        "/us/sample/t1/s7@other", "/us/sample/t1/ch1", "section", "7", "Other", "1 S.F.C. § 7", "Other text."
    )
    dead = Row(
        "/us/sample/t1/s9@old", "/us/sample/t1", "section", "9", "Old", "1 S.F.C. § 9", "", status="repealed"
    )
    published = publisher.publish(law | {"us-sample": [*law["us-sample"], twin, dead]})
    snapshot = open_warm(publisher.workspace.snapshots / published)
    addresses, nodes = snapshot.addresses, snapshot.nodes
    paths = {addresses.of(row): row for row in range(len(nodes))}
    assert len(paths) == len(nodes)
    # The one in force keeps the plain address; where both are, neither has it.
    assert nodes.heading(paths["us/sample/1/9"]) == "Penalties"
    shared = addresses.sharing("us/sample/1/7")
    assert {nodes.heading(row) for row in shared} == {"Fair use", "Other"}
    assert addresses.find("us/sample/1/7") is None
    assert {addresses.of(row) for row in shared} == {
        f"us/sample/1/7~{nodes.id(row).hex[:8]}" for row in shared
    }
    assert sum(path.startswith("us/sample/1/9~") for path in paths) == 1
    assert [addresses.find(path) for path in paths] == list(paths.values())
    snapshot.close()
