"""Build the artefact of citations: where each leads, what refers to what, and how law is cited."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow.compute as pc

from assets.citations.act_places import name_entries
from assets.citations.act_years import other_years
from assets.citations.contexts import contexts_of
from assets.citations.contradictions import save_links
from assets.citations.edges import write_edges
from assets.citations.enactments import act_sections, acts_in_notes
from assets.citations.kept_readings import KeptReadings, ReadingsWriter
from assets.citations.merger import Merger
from assets.citations.missing_parts import say_missing_parts
from assets.citations.popular_names import names_in_law
from assets.citations.references import save, table_of
from assets.citations.selected_law import SelectedLaw
from assets.citations.successors import successors_of
from assets.citations.table import citation_entries, numbered_containers, write_citations
from assets.citations.targets import TargetFinder
from assets.citations.text_citations import Passage, read_citations
from assets.selection.selection import Selection
from assets.selection.sidecar import write_sidecar
from serving.contract.layout import CITATIONS, CITING, REFERENCES
from serving.contract.records import FROM_MARKUP, FROM_TEXT


def build_citation_index(
    selection: Selection,
    destination: Path,
    *,
    before: Path | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> dict[str, int]:
    """Write `citations.arrow`, `references.arrow`, `citing.json` and the table of all references.

    Args:
        selection: what the snapshot is built from.
        destination: an empty folder.
        before: folder of an earlier build, whose readings of unchanged texts are kept; None: there is none.
        progress: called with the number of provisions done since the last call.

    Returns:
        Rows by table, references by origin, in all and those that lead to a node, provisions of which the
        source says what they have become, and names of acts read from the law.
    """
    citing = selection.citing.with_names(names_in_law(selection, selection.citing.popular_names))
    citing = citing.with_names(acts_in_notes(selection))
    citing = citing.with_names(other_years(selection, citing.popular_names))
    grammar = citing.grammar()
    contexts = contexts_of(selection, grammar)
    successors = successors_of(selection, contexts, grammar)
    entries = [
        *citation_entries(selection, grammar),
        *numbered_containers(selection, grammar),
        *act_sections(selection, citing.popular_names),
        *name_entries(selection, citing.acts, contexts, grammar),
    ]
    citations = write_citations(destination / CITATIONS, entries, selection, successors)
    finder = TargetFinder(SelectedLaw(selection, destination / CITATIONS, grammar))
    schemes = [selection.bodies[index].body.key for index in selection.body_of_positions().tolist()]
    passages = (Passage(text, contexts[position], schemes[position]) for position, text in _texts(selection))
    kept = None if before is None else KeptReadings.load(before, citing)
    merger = Merger(selection, grammar, finder)
    with ReadingsWriter(destination, citing) as writer:
        read = read_citations(passages, citing, kept=kept, writer=writer)
        table = say_missing_parts(table_of(merger.merged(read, progress)), selection)
    save(destination, table)
    save_links(destination, merger.links)
    counts = {
        "citations": citations,
        "references": write_edges(destination / REFERENCES, table, selection),
        "contradicted": sum(body.contradicted for body in merger.links),
    }
    counts["successors"] = len(successors)
    counts["popular_names"] = len(citing.popular_names) - len(selection.citing.popular_names)
    for name, origin in (("from_markup", FROM_MARKUP), ("from_text", FROM_TEXT)):
        own = table.filter(pc.field("origin") == origin)
        counts[name] = own.num_rows
        counts[f"{name}_resolved"] = own.num_rows - own.column("target").null_count
    (destination / CITING).write_bytes(citing.to_json())
    write_sidecar(destination, selection.inputs, used=("provisions", "citing"), counts=counts)
    return counts


def _texts(selection: Selection) -> Iterator[tuple[int, str]]:
    for first, batch in selection.batches(["text"]):
        yield from enumerate(batch.column(0).to_pylist(), first)
