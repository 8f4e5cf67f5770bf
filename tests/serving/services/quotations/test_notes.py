"""Quotations of the notes under a section."""

import pytest

from serving.services.quotations.verification import verify_quotes
from serving.services.quotations.verified_quotes import Quote


@pytest.mark.parametrize(
    ("quote", "outcome", "note"),
    [
        ("cited as the Buoy Act", "exact", "Short Title"),
        ("Old buoys may stay", "exact", "Old buoys"),
        ("No buoy of wood shall be laid . . . .", "normalised", "Old buoys"),
        ("Old buoys [shall] stay for 9 years", "altered", "Old buoys"),
        ("buoy of wood . . . after the first day", "altered", "Old buoys"),
        ("No buoy of iron shall be laid after the first day of May", "absent", "Old buoys"),
        # Of two notes, none of one quotation.
        ("the Buoy Act. . . . No buoy of wood shall", "absent", "Old buoys"),
        # The text of the section is none of its notes.
        ("A buoy is red.", "absent", None),
    ],
)
def test_a_quotation_of_a_note_is_compared_with_the_notes(harbors, quote, outcome, note):
    (verified,) = verify_quotes(harbors, [Quote(quote, "1 S.F.C. § 3 note")])
    assert verified.outcome == outcome
    assert verified.provision is not None
    assert verified.provision.citation == "1 S.F.C. § 3"
    if outcome != "absent" or note:
        assert verified.in_note == note


def test_words_of_the_text_above_the_notes_are_said_to_stand_there(harbors):
    (verified,) = verify_quotes(harbors, [Quote("A buoy is red", "1 S.F.C. § 3 note")])
    assert [one.citation for one in verified.elsewhere] == ["1 S.F.C. § 3"]


def test_a_negation_before_the_words_of_a_note_is_warned_of(harbors):
    (verified,) = verify_quotes(harbors, [Quote("buoy of wood shall be laid", "1 S.F.C. § 3 note")])
    assert "negation_before" in verified.warnings


@pytest.mark.parametrize(
    ("quote", "citation", "outcome"),
    [
        ("cited as the Buoy Act", "1 S.F.C. § 3", "absent"),
        ("A buoy is red", "1 S.F.C. § 3", "exact"),
        ("cited as the Buoy Act", "1 S.F.C. §§ 3 note, 5", "exact"),
        ("two lanterns and a bell", "1 S.F.C. §§ 3 note, 5", "exact"),
        ("two lanterns and a gong", "1 S.F.C. §§ 3 note, 5", "absent"),
        # No note is held: nothing was compared.
        ("So in original.", "1 S.F.C. § 2 note", "not_checked"),
        ("Every ferry of iron", "1 S.F.C. § 5 note", "not_checked"),
    ],
)
def test_notes_and_texts_are_told_apart(harbors, quote, citation, outcome):
    (verified,) = verify_quotes(harbors, [Quote(quote, citation)])
    assert verified.outcome == outcome
