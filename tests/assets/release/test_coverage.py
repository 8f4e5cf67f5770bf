"""Coverage and code bodies, and what shrank."""

from dataclasses import replace

from assets.citations.references import FoundReferences
from assets.connectors.sightings import Sighting
from assets.freshness.freshness import Freshness, compare
from assets.freshness.held import Held
from assets.release.coverage import (
    code_bodies_answer,
    coverage_answer,
    coverage_did_not_shrink,
)
from assets.selection.code_bodies import code_body_entries
from assets.selection.selection import Selection, StaleTitle
from assets.workspace import Workspace
from assets.zoning.publication import PublishedLayers


def test_coverage_lists_placeholders_beside_what_has_law(selection: Selection, workspace: Workspace) -> None:
    references = FoundReferences.load(workspace.artefact("citation_index"), len(selection))
    layers = PublishedLayers.load(workspace.artefact("zoning_answers"))
    answer = coverage_answer(selection, references, layers, unasked(selection))
    by_code = {entry["shortCode"]: entry for entry in answer["jurisdictions"]}
    assert answer["totalJurisdictions"] == len(by_code)
    assert answer["totalNodes"] == 12
    assert answer["totalSearchableChunks"] == selection.chunks.num_rows
    assert answer["publishedGisLayers"] == 0
    assert by_code["va"]["placeholder"] is True
    assert by_code["va"]["nodeCount"] == 0
    state = by_code["sample"]
    assert (state["placeholder"], state["nodeCount"], state["level"]) == (False, 9, "state")
    assert state["gaps"] == ["Title 3 could not be read."]
    assert state["codeBodies"][0]["complete"] is False
    assert state["codeBodies"][0]["references"] == {"total": 4, "resolved": 2}
    assert by_code["sample-city"]["searchableChunks"] == 2
    assert all(entry["gisStatus"] is entry["citationQuality"] is None for entry in by_code.values())


def test_titles_of_an_earlier_edition_are_listed_with_their_dates(
    selection: Selection, workspace: Workspace
) -> None:
    references = FoundReferences.load(workspace.artefact("citation_index"), len(selection))
    layers = PublishedLayers.load(workspace.artefact("zoning_answers"))
    city, state = selection.bodies
    kept = StaleTitle("Title 25", "D.C. Law 25-218 (through 2024-10-08)", "2026-07-22", 261)
    behind = replace(state, report=replace(state.report, stale_titles=(kept,)))
    answer = coverage_answer(
        replace(selection, bodies=(city, behind)), references, layers, unasked(selection)
    )
    by_code = {entry["shortCode"]: entry["codeBodies"] for entry in answer["jurisdictions"]}
    assert by_code["sample"][0]["staleTitles"] == [
        {
            "label": "Title 25",
            "currentThrough": "D.C. Law 25-218 (through 2024-10-08)",
            "currentThroughDate": "2024-10-08",
            "staleSince": "2026-07-22",
            "nodeCount": 261,
        }
    ]
    assert "staleTitles" not in by_code["sample-city"][0]


def test_a_body_beside_its_publishers_newest_release(selection: Selection, workspace: Workspace) -> None:
    references = FoundReferences.load(workspace.artefact("citation_index"), len(selection))
    layers = PublishedLayers.load(workspace.artefact("zoning_answers"))
    sighting = Sighting(
        "2026-11-22T06:00:00Z", "8", "2026-11-20", "2026-11-20T06:00:00Z", "2026-11-21T06:00:00Z"
    )
    fresh = unasked(selection)
    fresh["sample-code"] = compare(sighting, Held("7", "2026-11-08", None), fetchable=True)
    answer = coverage_answer(selection, references, layers, fresh)
    by_code = {entry["shortCode"]: entry["codeBodies"] for entry in answer["jurisdictions"]}
    assert by_code["sample"][0]["freshness"] == {
        "status": "behind",
        "reason": None,
        "heldRelease": "7",
        "heldReleaseDate": "2026-11-08",
        "newestRelease": "8",
        "newestReleaseDate": "2026-11-20",
        "seenAt": "2026-11-21T06:00:00Z",
        "daysBehind": 12,
    }
    unknown = by_code["sample-city"][0]["freshness"]
    assert (unknown["status"], unknown["reason"]) == ("unknown", "never_asked")
    assert (unknown["newestRelease"], unknown["seenAt"], unknown["daysBehind"]) == (None, None, None)


def unasked(selection: Selection) -> dict[str, Freshness]:
    return {
        entry.body.key: compare(None, Held(None, None, None), fetchable=True) for entry in selection.bodies
    }


def test_code_bodies_have_the_ids_that_browse_takes(selection: Selection) -> None:
    answer = code_bodies_answer(selection)["codeBodies"]
    assert [entry["key"] for entry in answer] == ["sample-city-code", "sample-code"]
    assert answer[1]["id"] == code_body_entries(selection)[1].id
    assert (answer[1]["jurisdiction"], answer[1]["nodeCount"], answer[1]["releasePoint"]) == (
        "sample",
        9,
        "7",
    )


def test_what_shrank_is_named_worst_first(selection: Selection) -> None:
    before = code_body_entries(selection)
    city = before[0]
    grown = replace(before[1], node_count=100, chunk_count=100)
    shrunk = replace(before[1], node_count=90, chunk_count=99)
    verdict = coverage_did_not_shrink((city, grown), (shrunk,))
    assert [finding.code for finding in verdict.findings] == ["code_body_gone", "coverage_shrank"]
    assert "90 nodes instead of 100: 10.0% fewer" in verdict.findings[1].message
    assert verdict.passed, "it is for a person to judge"


def test_nothing_is_said_of_growth_or_of_little_change(selection: Selection) -> None:
    before = tuple(
        replace(entry, node_count=1000, chunk_count=1000) for entry in code_body_entries(selection)
    )
    after = tuple(replace(entry, node_count=985, chunk_count=2000) for entry in before)
    assert not coverage_did_not_shrink(before, after).findings


def test_a_code_body_that_is_no_longer_complete_is_named(selection: Selection) -> None:
    city = code_body_entries(selection)[0]
    verdict = coverage_did_not_shrink((city,), (replace(city, complete=False),))
    assert [finding.code for finding in verdict.findings] == ["no_longer_complete"]
