"""Verifying quotations against provisions, by citation or id."""

from uuid import UUID

import pytest

from serving.contract.errors import NotFoundError
from serving.services.quotations.verification import QuotationOutcome, Quote, verify_quotes
from tests.serving.conftest import FAIR_USE, LONG


def verify(snapshot, quote, **where):
    (verified,) = verify_quotes(snapshot, [Quote(quote, **where)])
    return verified


def test_by_citation_and_by_id(snapshot, node):
    for where in ({"citation": "1 SFC 7"}, {"node_id": UUID(node("/us/sample/t1/s7"))}):
        verified = verify(snapshot, "the fair use of a protected work", **where)
        assert (verified.outcome, verified.provision.citation) == (QuotationOutcome.EXACT, "1 S.F.C. § 7")
        ((start, end),) = verified.found.spans
        assert verified.excerpts == (FAIR_USE[start:end],)
        assert verified.in_pin is None


def test_a_pin_cite_says_whether_the_quotation_stands_there(snapshot):
    there = verify(snapshot, "Notwithstanding any other provision", citation="1 S.F.C. § 7(a)")
    beside = verify(snapshot, "is not an infringement", citation="1 S.F.C. § 7(a)")
    assert (there.in_pin, beside.in_pin) == (True, False)


def test_each_provision_of_a_list_is_read(snapshot):
    verified = verify(snapshot, "fined not more than $500", citation="1 S.F.C. §§ 5, 9")
    assert (verified.outcome, verified.provision.citation) == (QuotationOutcome.EXACT, "1 S.F.C. § 9")


def test_the_nearest_provision_of_a_range_is_shown(snapshot):
    verified = verify(
        snapshot, "Whoever infringes a protected work shall be jailed", citation="1 S.F.C. §§ 5-9"
    )
    assert (verified.outcome, verified.provision.citation) == (QuotationOutcome.ABSENT, "1 S.F.C. § 9")
    assert verified.excerpts[0].startswith("Whoever infringes a protected work shall be")


def test_a_dead_provision_is_read_and_said_to_be_dead(snapshot):
    verified = verify(snapshot, "was once governed", citation="1 S.F.C. § 8")
    assert (verified.outcome, verified.provision.status) == (QuotationOutcome.EXACT, "repealed")


@pytest.mark.parametrize("citation", ["1 S.F.C. § 99", "no citation", "1 S.F.C. ch. 1", "17 U.S.C. § 107"])
def test_where_there_is_no_text_nothing_is_claimed(snapshot, citation):
    verified = verify(snapshot, "anything at all", citation=citation)
    assert verified.outcome is QuotationOutcome.NOT_CHECKED
    assert verified.resolution.input == citation


def test_an_unknown_id_is_refused(snapshot):
    with pytest.raises(NotFoundError):
        verify(snapshot, "x", node_id=UUID(int=0))


def test_many_quotations_come_back_in_their_order(snapshot):
    lines = LONG.split("\n")
    verified = verify_quotes(snapshot, [Quote(line, citation="Sample Code § 1-1") for line in lines])
    assert [one.excerpts for one in verified] == [(line,) for line in lines]
