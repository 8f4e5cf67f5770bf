"""Properties of the resolver, whatever is typed."""

import re

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from serving.services.citations.citation_resolver import MAX_MEMBERS
from serving.services.citations.resolution import Outcome
from serving.services.citations.resolve import resolve

PIECES = [
    "1 S.F.C.", "2 S.F.C.", "3 S.F.C. app.", "sfc", "Sample Code", "3 S.F.R.", "§", "§§", " ", " ", "5", "7", "8", "15",
    "20", "31", "1-1", "2000e-2", "2000E", "(a)", "(1)", "(A)", "-", "–", " to ", ", ", "; ", " and ", "ch. 1",
    "pt. II", "tit. 1", "note", "et seq.", "Fair Works Act", "WA", "Beacon Act", "section", "of title 1", "x",
]  # fmt: skip
NUMBERS = ["5", "6", "7", "8", "13", "15", "17", "20", "21", "31", "2000e", "2000E-2", "1-1", "5-8", "99"]
NUMBERED = st.builds(
    str.__add__,
    st.sampled_from(NUMBERS),
    st.sampled_from(["", "", "", "(a)", "(a)(1)(A)", " (z)", "(a)-(c)"]),
)
LISTED = st.builds(
    lambda first, rest: first + "".join(rest),
    NUMBERED,
    st.lists(
        st.builds(str.__add__, st.sampled_from([", ", " to ", "-", " and ", "; 1 SFC "]), NUMBERED),
        max_size=3,
    ),
)
CITED = st.builds(
    lambda code, mark, listed, tail: code + mark + listed + tail,
    st.sampled_from(["1 S.F.C.", "1 sfc", "3 S.F.C. app.", "Sample Code", "3 S.F.R.", "Fair Works Act"]),
    st.sampled_from([" ", " § ", " §§ ", " sec. ", "§"]),
    LISTED,
    st.sampled_from(["", "", " note", " et seq.", " and more", "."]),
)
TYPED = st.one_of(
    st.text(max_size=60), st.lists(st.sampled_from(PIECES), max_size=12).map("".join), CITED, CITED
)


def check(resolution):
    dead = {Outcome.REPEALED, Outcome.RESERVED, Outcome.RENUMBERED}
    single, listed = resolution.provision is not None, bool(resolution.members)
    assert not (single and listed)
    if resolution.outcome is Outcome.FOUND:
        assert single or all(member.outcome is Outcome.FOUND for member in resolution.members[:MAX_MEMBERS])
    if single:
        alive, pin = resolution.provision.status == "in_force", resolution.pin
        whole = pin is None or (pin.found and pin.status == "in_force")
        assert (alive and whole) is (resolution.outcome is Outcome.FOUND)
        assert not alive or (pin is not None and not pin.found) is (
            resolution.outcome in (Outcome.PIN_NOT_FOUND, Outcome.AMBIGUOUS)
        )
        assert alive or resolution.outcome in dead
    if resolution.outcome is Outcome.UNPARSED and not listed:
        assert 0 <= resolution.offset <= len(resolution.input)
        assert resolution.expected
        assert resolution.citation is None
    else:
        assert resolution.citation
    if resolution.outcome is Outcome.AMBIGUOUS and not listed:
        assert resolution.candidates or resolution.pin.candidates
    if resolution.pin is not None:
        assert 0 <= resolution.pin.start <= resolution.pin.end
    for member in resolution.members:
        check(member)


@settings(max_examples=400, deadline=None)
@given(TYPED)
def test_every_text_has_an_outcome_that_keeps_its_promises(cited, typed):
    found = resolve(cited, typed)
    assert found.input == typed
    check(found)


@settings(max_examples=400, deadline=None)
@given(TYPED)
def test_canonical_citation_leads_where_the_typed_one_did(cited, typed):
    found = resolve(cited, typed)
    if found.citation is None or any(part.candidates for part in (found, *found.members)):
        return
    # `5-7 to 6` is no range that anybody numbers: under a double sign its first number is one itself.
    assume(re.search(r"\d-\d+[a-z]* to ", found.citation) is None)
    again = resolve(cited, found.citation)
    assert (again.outcome, again.provision, again.pin) == (found.outcome, found.provision, found.pin)
    assert [member.provision for member in again.members] == [member.provision for member in found.members]
    assert again.citation == found.citation
