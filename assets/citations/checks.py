"""Check of citations: references against the texts that they stand in."""

from assets.checking import artefact_check
from assets.citations import ranges
from assets.citations.assets import citation_index
from assets.citations.contradictions import MOST_CONTRADICTED, links_hold, load_links
from assets.citations.references import FoundReferences
from assets.citations.references_fit import references_fit
from assets.findings import Verdict
from assets.registry import load_registry
from assets.selection.selection import load_selection
from assets.selection.sidecar import built_from
from assets.workspace import Workspace


def references_fit_their_texts(workspace: Workspace) -> Verdict:
    """Compare the spans of references with the texts."""
    folder = workspace.artefact("citation_index")
    selection = load_selection(workspace, load_registry(workspace.registry), built_from(folder))
    return references_fit(selection, FoundReferences.load(folder, len(selection)))


def publishers_links_hold(workspace: Workspace) -> Verdict:
    """Look at how many of the publishers' links the words contradict."""
    return links_hold(load_links(workspace.artefact("citation_index")))


def ranges_are_unfolded(workspace: Workspace) -> Verdict:
    """Look at the provisions that go by a range of numbers."""
    bodies = built_from(workspace.artefact("citation_index"))
    selection = load_selection(workspace, load_registry(workspace.registry), bodies)
    return ranges.ranges_are_unfolded(selection, selection.citing.grammar())


CHECKS = [
    artefact_check(
        citation_index,
        references_fit_their_texts,
        description="References are spans of their texts, overlap no other, and lead somewhere or say why.",
    ),
    artefact_check(
        citation_index,
        publishers_links_hold,
        description=f"At most {MOST_CONTRADICTED:.0%} of a publisher's links are dropped as contradictions.",
        blocking=False,
    ),
    artefact_check(
        citation_index,
        ranges_are_unfolded,
        description="A citation of a number within a range leads to the provision that goes by the range.",
        blocking=False,
    ),
]
