"""Lists of parts of one provision, and lists that are none."""

from dataclasses import replace

from serving.services.citations.listed_parts import listed_parts
from serving.services.citations.resolution import Outcome, PinCite, Provision, Reason, Resolution

SECTION = Provision(3, "id", "1 S.F.C. § 7", "Fair use", "us", "body", "section", "in_force")
MEMBERS = tuple(
    Resolution(
        input=label,
        outcome=Outcome.FOUND,
        provision=SECTION,
        pin=PinCite(label, found=True, start=start, end=start + 9),
    )
    for start, label in enumerate(("(b)", "(a)"))
)
LISTED = Resolution(input="1 S.F.C. § 7(b), (a)", outcome=Outcome.FOUND, members=MEMBERS, member_count=2)


def test_parts_of_one_provision_are_given_as_they_are_cited():
    found = listed_parts(LISTED)
    assert found is not None
    assert (found.provision, [pin.label for pin in found.pins]) == (SECTION, ["(b)", "(a)"])


def test_other_lists_are_none():
    first, second = MEMBERS
    other = replace(second, provision=replace(SECTION, row=4, node_id="another"))
    for members in (
        (first, other),
        (first, replace(second, pin=None)),
        (first, replace(second, provision=None, pin=None)),
        (first, replace(second, reason=Reason.NOTE)),
        (),
    ):
        assert listed_parts(replace(LISTED, members=members)) is None
    assert listed_parts(replace(LISTED, outcome=Outcome.PIN_NOT_FOUND)) is None
    assert listed_parts(replace(LISTED, member_count=3)) is None, "not all members are given"
    assert listed_parts(first) is None
