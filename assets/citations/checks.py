"""Checks of citations: the gates that a snapshot must pass before it is published."""

from assets.checking import artefact_check
from assets.citations.assets import citation_index, citation_quality
from assets.citations.found import FoundReferences
from assets.citations.quality import (
    load_quality,
    round_trip_verdict,
    second_reader_verdict,
    spellings_verdict,
)
from assets.citations.references_fit import references_fit
from assets.findings import Verdict
from assets.registry import load_registry
from assets.release.selection import load_selection
from assets.release.sidecar import built_from
from assets.workspace import Workspace


def references_fit_their_texts(workspace: Workspace) -> Verdict:
    """Compare the spans of references with the texts."""
    folder = workspace.artefact("citation_index")
    selection = load_selection(workspace, load_registry(workspace.registry), built_from(folder))
    return references_fit(selection, FoundReferences.load(folder, len(selection)))


def citations_lead_to_their_provisions(workspace: Workspace) -> Verdict:
    """Judge the round trip."""
    return round_trip_verdict(load_quality(workspace.artefact("citation_quality")))


def spellings_lead_to_their_provisions(workspace: Workspace) -> Verdict:
    """Judge the generated spellings."""
    return spellings_verdict(load_quality(workspace.artefact("citation_quality")))


def a_second_reader_agrees(workspace: Workspace) -> Verdict:
    """Judge the comparison with an independent reader."""
    return second_reader_verdict(load_quality(workspace.artefact("citation_quality")))


CHECKS = [
    artefact_check(
        citation_index,
        references_fit_their_texts,
        description="References are spans of their texts, overlap no other, and lead somewhere or say why.",
    ),
    artefact_check(
        citation_quality,
        citations_lead_to_their_provisions,
        description="The citation of each live provision leads to it alone, or to all that bear that number.",
    ),
    artefact_check(
        citation_quality,
        spellings_lead_to_their_provisions,
        description="Citations written as people write them lead to the provision that is meant.",
    ),
    artefact_check(
        citation_quality,
        a_second_reader_agrees,
        description="An independent reader of citations reads the same wherever it finds any.",
    ),
]
