"""Build the artefact of citations: where each leads, what refers to what, and how law is cited."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pyarrow.compute as pc

from assets.citations.bare import Read, without_doubtful
from assets.citations.edges import write_edges
from assets.citations.found import Reference, save
from assets.citations.homes import homes_of
from assets.citations.popular_names import names_in_law
from assets.citations.reading import Passage, read_citations
from assets.citations.successors import successors_of
from assets.citations.table import citation_entries, write_citations
from assets.citations.targets import TargetFinder
from assets.release.references import ReferenceResolver
from assets.release.selection import Selection
from assets.release.sidecar import write_sidecar
from serving.contract.layout import CITATIONS, CITING, REFERENCES
from serving.contract.records import FROM_MARKUP, FROM_TEXT


def build_citation_index(
    selection: Selection, destination: Path, *, progress: Callable[[int], None] = lambda _: None
) -> dict[str, int]:
    """Write `citations.arrow`, `references.arrow`, `citing.json` and the table of all references.

    Args:
        selection: what the snapshot is built from.
        destination: an empty folder.
        progress: called with the number of provisions done since the last call.

    Returns:
        Rows by table, references by origin, in all and those that lead to a node, provisions of which the
        source says what they have become, and names of acts read from the law.
    """
    citing = selection.citing.with_names(names_in_law(selection, selection.citing.popular_names))
    grammar = citing.grammar()
    entries = citation_entries(selection, grammar)
    finder = TargetFinder(selection, entries)
    homes = homes_of(selection, grammar)
    successors = successors_of(selection, homes, grammar)
    schemes = [selection.bodies[index].body.key for index in selection.body_of_positions().tolist()]
    passages = (Passage(text, homes[position], schemes[position]) for position, text in _texts(selection))
    read = read_citations(passages, citing, characters=_characters(selection))
    table = save(destination, _merged(selection, read, finder, progress))
    counts = {
        "citations": write_citations(destination / CITATIONS, entries, selection, successors),
        "references": write_edges(destination / REFERENCES, table, selection),
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


def _characters(selection: Selection) -> int:
    """Return the size of all texts, in bytes of their UTF-8."""
    return sum(
        pc.sum(pc.binary_length(batch.column(0))).as_py() or 0 for _, batch in selection.batches(["text"])
    )


def _merged(
    selection: Selection, read: Iterator[list[Read]], finder: TargetFinder, progress: Callable[[int], None]
) -> Iterator[tuple[int, Sequence[Reference]]]:
    """Yield the references of each provision: those marked up, and those of the text that overlap none."""
    resolver = ReferenceResolver(selection)
    of_position = selection.body_of_positions().tolist()
    citations: list[str] = selection.provisions.column("citation").to_pylist()
    for first, batch in selection.batches(["references", "text"]):
        for position, row in enumerate(batch.to_pylist(), first):
            marked = []
            for entry in row["references"]:
                target = resolver.resolve(of_position[position], entry["target"])
                found = target.position
                written = row["text"][entry["start"] : entry["end"]] if found is None else citations[found]
                marked.append(
                    Reference(entry["start"], entry["end"], found, written, target.reason, FROM_MARKUP)
                )
            meant = without_doubtful(row["text"], next(read), finder.exists)
            yield position, _together(marked, [finder.lead(citation) for citation in meant])
        progress(batch.num_rows)


def _together(marked: Sequence[Reference], read: Sequence[Reference]) -> list[Reference]:
    free = [
        reference
        for reference in read
        if not any(other.start < reference.end and reference.start < other.end for other in marked)
    ]
    return sorted([*marked, *free])
