"""Notes of the source under a provision, as one text."""

from typing import Any

from serving.services.notes import NotePart, cited_notes, notes_text

NOTES: list[dict[str, Any]] = [
    {"topic": "amendments", "heading": "Amendments", "text": "2011—Repealed.\n1990—Added."},
    {"topic": "footnote", "heading": "1", "text": "So in original."},
    {"topic": "effectiveDateOfAmendment", "heading": None, "text": "Pub. L. 1 takes effect on May 1."},
    {"topic": "changeOfName", "heading": "Change of Name", "text": ""},
]


def test_each_note_stands_below_its_heading_at_its_place():
    made = notes_text(NOTES)
    first, second, third = (made.text[part.start : part.end] for part in made.parts)
    assert first == "Amendments\n2011—Repealed.\n1990—Added."
    assert second == "Effective date of amendment\nPub. L. 1 takes effect on May 1.", "named by its topic"
    assert third == "Change of Name"
    assert made.text == "\n\n".join((first, second, third))
    assert made.parts[0] == NotePart("Amendments", 0, len(first))


def test_footnotes_are_not_cited_as_notes():
    assert [note["topic"] for note in cited_notes(NOTES)] == [
        "amendments",
        "effectiveDateOfAmendment",
        "changeOfName",
    ]
    assert notes_text(NOTES[1:2]).text == ""
    assert notes_text([]).parts == ()
