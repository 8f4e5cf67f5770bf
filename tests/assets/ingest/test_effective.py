"""Days from which and until which provisions apply: those that notes state of the whole, and nothing else."""

from datetime import date

import pytest

from assets.ingest.effective import day_of, effective_of_notes, stated_in_notes
from assets.ingest.model import NOT_STATED, Effective, Provision
from serving.contract.records import Note


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("July 1, 2021", date(2021, 7, 1)),
        ("Sept. 15, 1981", date(1981, 9, 15)),
        ("Dec. 10, 2015", date(2015, 12, 10)),
        ("May 22, 2008", date(2008, 5, 22)),
        ("july 1, 2021", date(2021, 7, 1)),
        ("February 29, 2024", date(2024, 2, 29)),
        ("February 29, 2023", None),
        ("Novemebr 21, 2024", None),
        ("Marching 1, 2024", None),
        ("Act 1, 2024", None),
    ],
)
def test_days_are_read_as_american_law_writes_them(words: str, day: date | None) -> None:
    assert day_of(words) == day


SET_OUT = "set out as an Effective Date of 1978 Amendment note under section 2 of this title."


@pytest.mark.parametrize(
    ("level", "topic", "text", "day"),
    [
        ("section", "Effective Date", f"Section effective Oct. 1, 1978, see section 28 of Pub. L. 95–405, {SET_OUT}", "1978-10-01"),
        ("section", "Effective Date", "Section effective Jan. 3, 1935, see section 4 of act Aug. 21, 1935, set out as a note under section 5324 of this title.", "1935-01-03"),
        ("section", "Effective Date", "Section effective Aug. 3, 1990, see section 2(a) of Pub. L. 101–1, set out as an Effective Date; Savings Provision note under section 9 of Title 18, Crimes.", "1990-08-03"),
        ("section", "Effective dates", "Section 7, ch. 78, SLA 2014 makes this section effective January 1, 2015.", "2015-01-01"),
        ("section", "Effective dates", "Section 6, ch. 10 SLA 2017 makes this section effective June 16, 2017, in accordance with AS 01.10.070(c).", "2017-06-16"),
        ("section", "Effective dates", "Section 2, ch. 91, SLA 2010, which enacted this section, is effective September 19, 2010.", "2010-09-19"),
        ("chapter", "Effective dates", "Section 4, ch. 10, SLA 2009 makes this chapter effective May 16, 2009.", "2009-05-16"),
    ],
)  # fmt: skip
def test_a_note_that_states_one_day_of_the_whole_provision_is_given_in_its_words(
    level: str, topic: str, text: str, day: str
) -> None:
    stated = effective_of_notes(level, [Note("History", None, "Old."), Note(topic, None, text)])
    assert stated == Effective(date.fromisoformat(day), None, text)


@pytest.mark.parametrize(
    "text",
    [
        f"Section effective 90 days after Oct. 13, 1978, see section 907 of Pub. L. 95–454, {SET_OUT}",
        f"Section effective Jan. 1, 1996, except as otherwise provided in Pub. L. 104–88, see section 2 of it, {SET_OUT}",
        f"Section effective Nov. 1, 1987, and applicable only to offenses committed after it, see section 235, {SET_OUT}",
        f"Section effective Sept. 15, 1981, but the authority to prescribe regulations effective on Dec. 12, 1980, {SET_OUT}",
        f"Section applicable to taxable years beginning after Dec. 31, 1982, see section 6(a), {SET_OUT}",
        f"Section and amendment by Pub. L. 116–283 effective Jan. 1, 2022, with additional provisions, {SET_OUT}",
        f"Subsections (a) and (b) effective Oct. 1, 1990, see section 3 of Pub. L. 101–501, {SET_OUT}",
        f"Chapter effective Oct. 1, 1990, see section 3 of Pub. L. 101–501, {SET_OUT}",
        "Section 13, ch. 55, SLA 2016, provides that this section is effective July 1, 2016. The Act was approved on "
        "August 6, 2016; therefore, under AS 01.10.070(d), this section is effective August 7, 2016.",
        "Section 33, ch. 74, SLA 2012, make subsections (a) and (b) of this section effective September 14, 2012.",
        "Section 33, ch. 74, SLA 2012 makes this section effective September 14, 2012. Section 34 makes it April 1, 2013.",
        "Section 33, SLA 2012 amended this section. Section 34, SLA 2012 makes this section effective April 1, 2013.",
        "Section effective Oct. 1, 1990, see section 3 of it, set out below. Section 4 was repealed.",
        "Section effective Febuary 1, 2012.",
        "This Act shall take effect on July 1, 1979.",
    ],
)  # fmt: skip
def test_exceptions_parts_other_levels_and_days_to_be_computed_state_nothing(text: str) -> None:
    assert effective_of_notes("section", [Note("Effective Date", None, text)]) == NOT_STATED


def test_two_notes_or_one_on_an_amendment_state_nothing() -> None:
    plain = "Section effective Oct. 1, 1978."
    assert effective_of_notes("section", [Note("effectiveDate", "Effective Date", plain)]) != NOT_STATED
    assert effective_of_notes("section", [Note("effectiveDate", "Effective Date", plain)] * 2) == NOT_STATED
    amendment = Note("effectiveDateOfAmendment", "Effective Date of 1978 Amendment", plain)
    assert effective_of_notes("section", [amendment]) == NOT_STATED


def test_what_is_dead_or_states_its_days_elsewhere_keeps_what_it_has() -> None:
    def provision(status: str, effective: Effective = NOT_STATED) -> Provision:
        return Provision(
            identifier="/x/1",
            parent=None,
            level="section",
            num="1",
            heading="",
            citation="1",
            citable=True,
            file="x.xml",
            byte_start=0,
            byte_end=1,
            source_sha256="0",
            status=status,
            notes=(Note("Effective Date", None, "Section effective Oct. 1, 1978."),),
            effective=effective,
        )

    until = Effective(None, date(2030, 1, 1), "[Effective until January 1, 2030]")
    live, dead, said = stated_in_notes(
        [provision("in_force"), provision("repealed"), provision("in_force", until)]
    )
    assert live.effective.start == date(1978, 10, 1)
    assert (dead.effective, said.effective) == (NOT_STATED, until)
