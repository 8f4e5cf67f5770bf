"""Parts within a sentence: read where they follow one another, and nowhere else."""

import pytest

from serving.services.citations.designators import Designators, labels_before, paragraph_headed

DOCTORS = "The term means (1) a doctor of medicine, (2) a doctor of surgery, or (3) a dentist."


def clauses(text, label, **options):
    return [
        (clause.label, text[clause.start : clause.end])
        for clause in Designators(text).clauses_beside(0, len(text), label, **options)
    ]


def test_clauses_follow_one_another_to_the_end():
    assert clauses(DOCTORS, "2") == [
        ("1", "(1) a doctor of medicine, "),
        ("2", "(2) a doctor of surgery, or "),
        ("3", "(3) a dentist."),
    ]


@pytest.mark.parametrize("label", ["a", "A", "i", "I", "1A", "bb"])
def test_label_of_another_series_is_not_among_them(label):
    assert clauses(DOCTORS, label) == []


@pytest.mark.parametrize(
    "text",
    [
        "A person under paragraphs (1) and (2) may appeal.",
        "as subsections (1), (2) or (3) have it",
        "under section 106(1) and section 107(2)",
        "within one (1) year and two (2) days",
        "within fifteen (1) days or twenty-two (2) days",
        "only (1) a doctor",
        "first (2) a doctor, then (1) a nurse",
        "(1) a doctor, (2) a nurse, or (1) a dentist",
    ],
)
def test_what_may_be_a_citation_or_a_number_is_no_clause(text):
    assert clauses(text, "1") == []
    assert clauses(text, "2") == []


def test_clauses_are_read_up_to_one_that_stands_twice():
    text = "means (1) a doctor, (2) a nurse, (3) a dentist, or (4) one of (3) such"
    assert clauses(text, "2") == [("1", "(1) a doctor, "), ("2", "(2) a nurse, ")]


def test_list_of_cited_parts_ends_with_their_form():
    text = "for (A) those paid under subsection (b), and (B) those under clauses (i) and (ii) of this part"
    assert [label for label, _ in clauses(text, "B")] == ["A", "B"]


def test_word_that_ends_like_a_number_is_none():
    assert len(clauses("released from duty (1) for a disability, or (2) for age", "1")) == 2


def test_i_is_a_letter_where_letters_stand_before_it():
    letters = " ".join(f"({letter}) word," for letter in "abcdefghij")
    assert clauses(letters, "i")[8] == ("i", "(i) word, ")
    romans = "either (i) one, (ii) two, or (iii) three"
    assert [label for label, _ in clauses(romans, "i")] == ["i", "ii", "iii"]


def test_last_sentence_of_a_part_may_go_on_with_the_next_ones():
    text = "if it is filthy; or (2)(A) if it is decomposed, or (3) if it is stale"
    assert [label for label, _ in clauses(text, "3", after="1")] == ["2", "3"]
    assert clauses("if (1) it is filthy; or (2) stale", "2", after="1") == []
    assert clauses(text, "3", after="A") == []


def test_labels_before_are_those_of_its_series():
    assert labels_before("3") == ["2", "1"]
    assert labels_before("B") == ["A"]
    assert labels_before("ii") == ["i"]
    assert labels_before("2A") == []


def test_paragraph_may_be_headed_by_an_ordinal():
    text = "It may—\nFirst. To adopt a seal.\nSecond. To sue. First of all.\nThird. To deal."
    found = paragraph_headed(text, "Second")
    assert found is not None
    assert text[found.start : found.end] == "Second. To sue. First of all."
    assert paragraph_headed(text, "Fourth") is None
    assert paragraph_headed(text + "\nSecond. Again.", "Second") is None
