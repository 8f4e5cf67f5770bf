"""Quotations that end in a citation of the provision that they are from, over the law of harbors."""

import pytest

from serving.services.citations.provisions import ProvisionFinder
from serving.services.quotations.folding import Normalisation
from serving.services.quotations.provision_text import ProvisionText
from serving.services.quotations.trailing_citations import find_ascribed

WAIVER = "The harbor master may waive this rule for 30 days."


def find(snapshot, quote, within=()):
    (row,) = (row for row in range(len(snapshot.nodes)) if snapshot.nodes.citation(row) == "1 S.F.C. § 1")
    text = ProvisionText(snapshot.nodes, row)
    provision = ProvisionFinder(snapshot).of_row(row)
    return text, find_ascribed(text, quote, provision, snapshot.grammar, within=within)


@pytest.mark.parametrize(
    ("ending", "pin"),
    [
        (" 1 S.F.C. § 1", None),
        (" (1 S.F.C. § 1(c)).", "(c)"),
        (" — 1 S.F.C. § 1(d)", "(d)"),
    ],
)
def test_a_citation_at_the_end_is_no_part_of_the_quotation_and_pins_its_words(harbors, ending, pin):
    text, found = find(harbors, WAIVER + ending)
    ((start, end),) = found.occurrence.spans
    assert text.source[start:end] == WAIVER
    assert Normalisation.CITATION in found.occurrence.steps
    assert (found.ascribed and found.ascribed.label) == pin


@pytest.mark.parametrize("ending", [" 1 S.F.C. § 2", " 1 S.F.C. § 1(e)", " 1 S.F.C. § 1 and more"])
def test_no_citation_of_another_provision_or_of_a_part_that_it_lacks_is_left_out(harbors, ending):
    _, found = find(harbors, WAIVER + ending)
    assert found is None


def test_words_without_a_citation_are_ascribed_to_no_part(harbors):
    _, found = find(harbors, WAIVER)
    assert (found.occurrence.steps, found.ascribed) == ((), None)


@pytest.mark.parametrize("label", ["(c)", "(d)"])
def test_words_of_several_parts_are_those_of_the_part_that_is_pinned(harbors, label):
    text, found = find(harbors, f"a berth (1 S.F.C. § 1{label})")
    ((start, _),) = found.occurrence.spans
    part = next(one for one in text.outline if one["label"] == label)
    assert part["start"] < start < part["end"]
