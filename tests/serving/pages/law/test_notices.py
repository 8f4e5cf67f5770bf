"""What pages say of citations that lead to no provision."""

import pytest

from serving.pages.law.notices import notice_of
from serving.services.citations.resolution import Outcome, PinCite, Provision, Reason, Resolution
from serving.services.citations.resolve import resolve


@pytest.mark.parametrize(
    ("found", "message"),
    [
        (
            Resolution(
                input="Fee Act § 2",
                outcome=Outcome.AMBIGUOUS,
                citation="Fee Act § 2",
                reason=Reason.ACT_NUMBERING,
            ),
            "Fee Act § 2 is a number of an act’s own, and no source says for sure where it stands.",
        ),
        (
            Resolution(input="Harbor", outcome=Outcome.AMBIGUOUS, reason=Reason.SEVERAL_ACTS),
            "Harbor can mean several provisions.",
        ),
        (
            Resolution(
                input="1 SFC 99",
                outcome=Outcome.OUTSIDE_COVERAGE,
                citation="1 S.F.C. § 99",
                reason=Reason.CODE_INCOMPLETE,
            ),
            "1 S.F.C. § 99 is not held here. Some of its code is missing, so that it may exist.",
        ),
    ],
)
def test_a_notice_claims_no_more_than_is_known(snapshot, found, message):
    notice = notice_of(snapshot, found)
    assert notice is not None
    assert notice.message == message


def test_of_several_parts_of_one_label_it_does_not_speak_as_of_provisions(snapshot):
    section = resolve(snapshot, "1 S.F.C. § 7").provision
    assert isinstance(section, Provision)
    notice = notice_of(
        snapshot,
        Resolution(
            input="1 S.F.C. § 7(1)",
            outcome=Outcome.AMBIGUOUS,
            provision=section,
            pin=PinCite("(1)", found=False, start=0, end=5),
            reason=Reason.SEVERAL_PARTS,
        ),
    )
    assert notice is not None
    assert notice.message == "1 S.F.C. § 7 has several parts (1)."


def test_a_missing_number_says_that_its_part_of_the_code_is_whole(snapshot):
    notice = notice_of(snapshot, resolve(snapshot, "1 S.F.C. § 6"))
    assert notice is not None
    assert "this part of its code is held here in full" in notice.message
