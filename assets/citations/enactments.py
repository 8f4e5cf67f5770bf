"""Acts by the laws that enacted them, and provisions as sections of those laws, as the sources say."""

from collections.abc import Iterable

from assets.citations.table import CitationEntry
from assets.ingest.acts import ActReader
from assets.ingest.readers import dialect
from assets.selection.selection import Selection
from serving.contract.citations import PopularName
from serving.contract.citations.keys import act_section_key


def acts_in_notes(selection: Selection) -> list[PopularName]:
    """Return the acts of which notes say what enacted them, and where each begins, if that is said."""
    citations: list[str] = selection.provisions.column("citation").to_pylist()
    readers = _act_readers(selection)
    found: dict[tuple[str, str | None, str], PopularName] = {}
    for first, batch in selection.batches(["notes"]):
        for position, row in enumerate(batch.to_pylist(), first):
            reader = readers[position]
            if reader is None:
                continue
            for note in row["notes"]:
                source = f"{citations[position]} note ({note['heading'] or note['topic']})"
                for act in reader.acts_in_note(note["text"], citations[position]):
                    known = PopularName(act.name, (), act.citation, source, act.law)
                    found.setdefault((act.name, act.citation, act.law), known)
    said = {(name, law) for name, citation, law in found if citation is not None}
    return [
        act
        for (name, citation, law), act in sorted(found.items(), key=str)
        if citation or (name, law) not in said
    ]


def act_sections(selection: Selection, acts: Iterable[PopularName]) -> list[CitationEntry]:
    """Return entries for the provisions that by their source credits are sections of acts."""
    laws = {act.law for act in acts if act.law is not None}
    readers = _act_readers(selection)
    return [
        CitationEntry(act_section_key(law, num), position, False)
        for first, batch in selection.batches(["source_credit"])
        for position, credit in enumerate(batch.column(0).to_pylist(), first)
        if credit and (reader := readers[position]) is not None
        for law, num in reader.credited_sections(credit, laws)
    ]


def _act_readers(selection: Selection) -> list[ActReader | None]:
    """Return, by position, the reader of acts of the format that the provision was read from."""
    readers = [dialect(entry.body.reader).acts for entry in selection.bodies]
    return [readers[body] for body in selection.body_of_positions().tolist()]
