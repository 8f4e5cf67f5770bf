"""Acts whose place in the code is cited beside them: which of several acts of a name is meant."""

import pytest

from serving.services.citations.drafts import check_draft
from serving.services.citations.resolution import Outcome
from serving.services.citations.resolve import resolve


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("PRA § 107, 4 S.F.C. § 107", ["4 S.F.C. § 107", "4 S.F.C. § 107"]),
        (
            "PRA §§ 107, 108, 4 S.F.C. §§ 107, 108",
            ["4 S.F.C. § 107", "4 S.F.C. § 108", "4 S.F.C. § 107", "4 S.F.C. § 108"],
        ),
    ],
)
def test_an_act_is_the_one_that_stands_at_the_place_behind_it(cited, typed, found):
    for read in (resolve(cited, typed).members, _in_a_draft(cited, f"It is {typed}.")):
        assert {one.outcome for one in read} == {Outcome.FOUND}
        assert [one.citation for one in read] == found


@pytest.mark.parametrize(
    "typed",
    [
        "PRA § 107, 4 S.F.C. § 108",
        "PRA § 999, 4 S.F.C. § 107",
        "PRA § 107; 4 S.F.C. § 107",
        "PRA § 107 and 4 S.F.C. § 107",
        "PRA § 7, 1 S.F.C. § 7",
        "PRA § 107, Sample Code § 3-1",
    ],
)
def test_an_act_stays_ambiguous_where_the_place_is_not_its_own(cited, typed):
    for read in (resolve(cited, typed).members, _in_a_draft(cited, f"It is {typed}.")):
        assert read[0].outcome is not Outcome.FOUND


def test_a_part_of_an_act_that_does_not_stand_is_not_found(cited):
    read = resolve(cited, "PRA § 107(z), 4 S.F.C. § 107")
    assert [one.outcome for one in read.members] == [Outcome.PIN_NOT_FOUND, Outcome.FOUND]


def test_an_act_without_a_section_is_the_one_that_has_the_place_in_it(cited):
    assert [one.citation for one in resolve(cited, "PRA, 4 S.F.C. § 107").members] == [
        "4 S.F.C.",
        "4 S.F.C. § 107",
    ]


def test_words_may_lead_from_a_draft_s_act_to_its_place(cited):
    read = _in_a_draft(cited, "By PRA § 107, codified as amended at 4 S.F.C. § 107, it is.")
    assert [one.citation for one in read] == ["4 S.F.C. § 107", "4 S.F.C. § 107"]


def _in_a_draft(law, text):
    return [one.resolution for one in check_draft(law, text).checked]
