"""The resolver: one test for each outcome and rule, on a snapshot of the production builders."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from serving.contract.citations.scheme import COURT
from serving.contract.records import IN_FORCE
from serving.services.citations.citation_resolver import MAX_MEMBERS
from serving.services.citations.drafts import check_draft
from serving.services.citations.provisions import ProvisionFinder
from serving.services.citations.resolution import Outcome, Reason
from serving.services.citations.resolve import resolve


@pytest.fixture
def resolved(cited):
    return lambda text: resolve(cited, text)


def citations(resolution):
    return [candidate.citation for candidate in resolution.candidates]


@pytest.mark.parametrize(
    "typed",
    [
        "1 S.F.C. § 7",
        "1 SFC 7",
        "1 s.f.c. §7",
        "1 S.F.C. §\u00a07",
        "section 7 of title 1, S.F.C.",
        "See 1 S.F.C. § 7.",
    ],
)
def test_live_provision_is_found_however_it_is_typed(resolved, node, body, typed):
    found = resolved(typed)
    assert (found.outcome, found.input, found.citation) == (Outcome.FOUND, typed, "1 S.F.C. § 7")
    provision = found.provision
    assert (provision.node_id, provision.code_body) == (node("/us/sample/t1/s7"), body("us-sample"))
    assert (provision.jurisdiction, provision.level, provision.status) == ("us", "section", "in_force")
    assert found.jurisdiction == "us"
    assert (found.pin, found.neighbours, found.successor, found.reason) == (None, None, None, None)
    assert (found.candidates, found.members, found.offset, found.expected) == ((), (), None, None)


@pytest.mark.parametrize(
    "typed",
    [
        "former 1 S.F.C. § 7",
        "See Former 1 S.F.C. § 7(a).",
        "FORMER 1 S.F.C. § 7",
        "superseded section 7 of title 1, S.F.C.",
        "pre-AIA 1 S.F.C. § 7",
        "Pre-AIA 1 S.F.C. § 7(a)",
        "The pre-AIA version of 1 S.F.C. § 7",
        "1 S.F.C. § 7 (1988) (repealed 1993)",
        "1 S.F.C. § 7(a) (1988 & Supp. V 1993) (superseded)",
        "1 S.F.C. § 7 (2012) (current version at 1 S.F.C. § 5)",
        "1 S.F.C. § 7(a) [pre-AIA]",
        "formerly codified at 1 S.F.C. § 7",
        "1 S.F.C. § 7 (as in effect before 1993)",
        "1 S.F.C. § 7(a) (prior to amendment in 1996).",
        "1 S.F.C. § 7, repealed by Pub. L. 103-198",
        "1 S.F.C. § 7 (1988), repealed by Pub. L. No. 103-198, § 3(b)(1), 107 Stat. 2304, 2309 (1993).",
        "1 S.F.C. § 7 (1988) (repealed by Pub. L. No. 103-198, § 3(b)(1), 107 Stat. 2304, 2309 (1993))",
        "1 S.F.C. § 7, repealed in 1993",
        "1 S.F.C. § 7 as in effect on June 1, 1990",
    ],
)
def test_what_is_typed_as_former_is_not_the_provision_that_has_its_number_now(resolved, typed):
    found = resolved(typed)
    assert (found.outcome, found.reason, found.input) == (Outcome.OUTSIDE_COVERAGE, Reason.FORMER, typed)
    assert found.provision is None


@pytest.mark.parametrize(
    "typed", ["pre-trial 1 S.F.C. § 7", f"former{' ' * 12}1 S.F.C. § 7", "the former judge, 1 S.F.C. § 7"]
)
def test_other_words_before_a_citation_refuse_it(resolved, typed):
    assert resolved(typed).outcome is Outcome.UNPARSED


@pytest.mark.parametrize(
    "typed",
    [
        "1 S.F.C. § 7, repealed by 1 S.F.C. § 5",
        "1 S.F.C. § 7, repealed regulations",
        "1 S.F.C. § 7, before trial",
        "1 S.F.C. § 7(a(1))",
        "1 S.F.C. § 7 (§ 8 (repealed))",
    ],
)
def test_what_is_typed_behind_a_citation_is_not_passed_over_for_a_word(resolved, typed):
    assert resolved(typed).outcome is Outcome.UNPARSED


def test_what_is_said_behind_a_list_is_of_all_its_members(resolved):
    found = resolved("1 S.F.C. §§ 5, 7 (as in effect before 1993)")
    assert [(member.outcome, member.reason) for member in found.members] == [
        (Outcome.OUTSIDE_COVERAGE, Reason.FORMER)
    ] * 2


def test_every_nodes_citation_resolves_to_it_or_to_those_of_its_number(cited):
    for row in range(len(cited.nodes)):
        found = resolve(cited, cited.nodes.citation(row))
        bearing = [found.provision] if found.provision else [item.provision for item in found.candidates]
        assert None not in bearing
        rows = {provision.row for provision in bearing if provision is not None}
        bearers = {
            other
            for other in range(len(cited.nodes))
            if cited.nodes.citation(other) == cited.nodes.citation(row)
        }
        live = {other for other in bearers if cited.nodes.status(other) == "in_force"}
        assert rows == (live or bearers)


@pytest.mark.parametrize("dash", "-‐‑‒–—−")
def test_any_dash_and_case_lead_to_the_stored_spelling(resolved, dash):
    found = resolved(f"1 sfc 2000E{dash}2(a)")
    assert (found.provision.citation, found.citation) == ("1 S.F.C. § 2000e-2", "1 S.F.C. § 2000e-2(a)")


def test_pin_cite_gives_the_span(resolved, designated):
    found = resolved("1 S.F.C. § 7(a)(1)(A)")
    assert (found.outcome, found.citation) == (Outcome.FOUND, "1 S.F.C. § 7(a)(1)(A)")
    assert found.provision.citation == "1 S.F.C. § 7"
    assert (found.pin.label, found.pin.found, found.pin.uncertain) == ("(a)(1)(A)", True, True)
    assert designated[found.pin.start : found.pin.end] == "(A) Three."


def test_pin_cite_that_the_outline_lacks_gives_the_part_above(resolved, designated):
    missing = resolved("1 S.F.C. § 7(a)(9)")
    pin = missing.pin
    assert (missing.outcome, missing.provision.citation) == (Outcome.PIN_NOT_FOUND, "1 S.F.C. § 7")
    assert [part.label for part in pin.neighbours] == ["(a)(1)", "(a)(2)"]
    assert (pin.found, pin.nearest) == (False, "(a)")
    assert designated[pin.start : pin.end] == designated[: designated.index("\n(b) Five.")]
    whole = resolved("1 S.F.C. § 7(q)").pin
    assert (whole.found, whole.nearest, whole.start, whole.end) == (False, None, 0, len(designated))


def test_part_that_stands_twice_is_ambiguous(resolved):
    found = resolved("1 S.F.C. § 7(b)")
    assert (found.outcome, found.reason) == (Outcome.AMBIGUOUS, Reason.SEVERAL_PARTS)
    assert (found.provision.citation, found.pin.found) == ("1 S.F.C. § 7", False)
    assert [part.label for part in found.pin.candidates] == ["(b)", "(b)"]


def test_decision_of_a_court_is_unchecked(resolved):
    found = resolved("See Roe v. Wade, 410 U.S. 113 (1973).")
    assert (found.outcome, found.reason, found.provision) == (Outcome.UNCHECKED, Reason.CASE, None)
    assert found.law == COURT


def test_list_with_a_part_that_does_not_stand_is_not_found(resolved):
    found = resolved("1 S.F.C. §§ 5, 7(q)")
    assert (found.outcome, [str(member.outcome) for member in found.members]) == (
        Outcome.PIN_NOT_FOUND,
        ["found", "pin_not_found"],
    )


def test_part_of_a_dead_provision_does_not_revive_it(resolved):
    assert resolved("1 S.F.C. § 8(a)").outcome is Outcome.REPEALED


def test_several_pin_cites_are_members(resolved):
    found = resolved("1 S.F.C. § 7(a)(1), (2)")
    assert [(member.provision.citation, member.pin.label) for member in found.members] == [
        ("1 S.F.C. § 7", "(a)(1)"),
        ("1 S.F.C. § 7", "(a)(2)"),
    ]
    assert (found.outcome, found.member_count, found.provision) == (Outcome.FOUND, 2, None)


def test_note_is_not_the_section(resolved):
    found = resolved("1 S.F.C. § 5 note")
    assert (found.outcome, found.reason, found.citation) == (Outcome.FOUND, Reason.NOTE, "1 S.F.C. § 5 note")


def test_note_of_a_section_that_has_none_is_not_found(resolved):
    missing = resolved("1 S.F.C. § 7 note")
    assert (missing.outcome, missing.reason) == (Outcome.NOT_IN_CODE, Reason.NO_NOTE)
    assert (missing.provision, missing.citation, citations(missing)) == (
        None,
        "1 S.F.C. § 7 note",
        ["1 S.F.C. § 7"],
    )
    unknown = resolved("Sample Code § 1-1 note")
    assert (unknown.outcome, unknown.reason) == (Outcome.OUTSIDE_COVERAGE, Reason.NO_NOTE)


@pytest.mark.parametrize(
    ("num", "outcome", "status"),
    [
        ("8", Outcome.REPEALED, "repealed"),
        ("9", Outcome.REPEALED, "omitted"),
        ("10", Outcome.REPEALED, "expired"),
        ("11", Outcome.RESERVED, "reserved"),
        ("12", Outcome.RENUMBERED, "transferred"),
        ("13", Outcome.RENUMBERED, "renumbered"),
    ],
)
def test_dead_provision_says_how_it_died(resolved, num, outcome, status):
    found = resolved(f"1 S.F.C. § {num}")
    assert (found.outcome, found.provision.status) == (outcome, status)
    assert found.provision.citation == f"1 S.F.C. § {num}"


def test_successor_is_what_the_source_names(resolved, node):
    moved = resolved("1 S.F.C. § 13")
    assert (moved.outcome, moved.successor.citation) == (Outcome.RENUMBERED, "1 S.F.C. § 5")
    assert moved.successor.provision.node_id == node("/us/sample/t1/s5")
    gone = resolved("1 S.F.C. § 14").successor
    assert (gone.citation, gone.provision) == ("1 S.F.C. § 99", None)
    assert resolved("1 S.F.C. § 12").successor is None


def test_two_live_provisions_of_one_number_are_ambiguous(resolved, node):
    found = resolved("1 SFC 15(a)")
    assert (found.outcome, found.reason) == (Outcome.AMBIGUOUS, Reason.SEVERAL_PROVISIONS)
    assert (found.provision, found.pin) == (None, None)
    assert found.citation == "1 S.F.C. § 15(a)"
    assert {candidate.provision.node_id for candidate in found.candidates} == {
        node("/us/sample/t1/s15@one"),
        node("/us/sample/t1/s15@two"),
    }


def test_live_provision_hides_a_dead_one_of_its_number(resolved, node):
    found = resolved("1 S.F.C. § 16")
    assert (found.outcome, found.provision.node_id) == (Outcome.FOUND, node("/us/sample/t1/s16"))


def test_dead_provisions_of_one_number_share_an_outcome_or_are_ambiguous(resolved):
    alike = resolved("1 S.F.C. § 17")
    assert (alike.outcome, alike.provision, len(alike.candidates)) == (Outcome.REPEALED, None, 2)
    unlike = resolved("1 S.F.C. § 18")
    assert (unlike.outcome, unlike.provision, len(unlike.candidates)) == (Outcome.AMBIGUOUS, None, 2)


@pytest.mark.parametrize(
    ("typed", "previous", "following"),
    [
        ("1 S.F.C. § 6", "1 S.F.C. § 5", "1 S.F.C. § 7"),
        ("1 S.F.C. § 1", None, "1 S.F.C. § 5"),
        ("1 S.F.C. § 15a", "1 S.F.C. § 15", "1 S.F.C. § 16"),
        ("1 S.F.C. § 19", "1 S.F.C. § 18", "1 S.F.C. §§ 20, 21"),
        ("1 S.F.C. § 100", "1 S.F.C. §§ 30 to 32", "1 S.F.C. § 2000e"),
        ("1 S.F.C. § 2000e-9", "1 S.F.C. § 2000e-2", "1 S.F.C. § 2000e-10"),
        ("1 S.F.C. § 9999", "1 S.F.C. § 2000e-10", None),
        ("7 S.F.C. § 1", None, None),
    ],
)
def test_missing_number_of_a_complete_code_has_its_neighbours(resolved, typed, previous, following):
    found = resolved(typed)
    assert (found.outcome, found.provision, found.reason) == (Outcome.NOT_IN_CODE, None, None)
    beside = [found.neighbours.previous, found.neighbours.next]
    assert [provision and provision.citation for provision in beside] == [previous, following]


def test_missing_number_of_an_incomplete_code_may_exist(resolved):
    found = resolved("Sample Code § 1-2")
    assert (found.outcome, found.reason) == (Outcome.OUTSIDE_COVERAGE, Reason.CODE_INCOMPLETE)
    assert (found.neighbours, found.citation, found.jurisdiction) == (None, "Sample Code § 1-2", "sample")


@pytest.mark.parametrize(
    ("typed", "outcome", "reason"),
    [
        ("4 S.F.C. § 110", Outcome.NOT_IN_CODE, None),
        ("4 S.F.C. §§ 107, 110", Outcome.NOT_IN_CODE, None),
        ("4 S.F.C. § 107", Outcome.FOUND, None),
        ("3 S.F.C. § 110", Outcome.OUTSIDE_COVERAGE, Reason.CODE_INCOMPLETE),
        ("5 S.F.C. § 110", Outcome.OUTSIDE_COVERAGE, Reason.CODE_INCOMPLETE),
        # No part of its title, and never known to be whole.
        ("4 S.F.C. app. § 110", Outcome.OUTSIDE_COVERAGE, Reason.CODE_INCOMPLETE),
    ],
)
def test_missing_number_of_a_title_that_is_held_whole_does_not_exist(
    cited, monkeypatch, typed, outcome, reason
):
    bodies = [replace(body, complete=False, whole_titles=("4",)) for body in cited.code_bodies]
    monkeypatch.setattr(cited, "code_bodies", tuple(bodies))
    found = resolve(cited, typed)
    assert (found.outcome, found.reason) == (outcome, reason)
    missing = found.members[1] if found.members else found
    beside = missing.neighbours.previous if missing.neighbours else None
    assert (beside and beside.citation) == ("4 S.F.C. § 109" if outcome is Outcome.NOT_IN_CODE else None)


@pytest.mark.parametrize(
    ("typed", "outcome"),
    [
        ("9 S.F.C. § 1", Outcome.NOT_IN_CODE),
        ("9 S.F.C. app. § 1", Outcome.NOT_IN_CODE),
        ("9 S.F.C. ch. 2", Outcome.NOT_IN_CODE),
        ("Title 9, S.F.C.", Outcome.NOT_IN_CODE),
        ("3 S.F.C. § 110", Outcome.OUTSIDE_COVERAGE),
        ("Sample Code § 99", Outcome.OUTSIDE_COVERAGE),
    ],
)
def test_title_that_a_code_is_known_not_to_have_does_not_exist(cited, monkeypatch, typed, outcome):
    bodies = [replace(body, complete=False, titles=("1", "3", "4")) for body in cited.code_bodies]
    monkeypatch.setattr(cited, "code_bodies", tuple(bodies))
    assert resolve(cited, typed).outcome is outcome
    unlisted = [replace(body, complete=False, titles=()) for body in cited.code_bodies]
    monkeypatch.setattr(cited, "code_bodies", tuple(unlisted))
    assert resolve(cited, typed).outcome is Outcome.OUTSIDE_COVERAGE


@pytest.mark.parametrize(
    ("typed", "outcome", "reason"),
    [
        ("Sample Code § 1-2", Outcome.NOT_IN_CODE, None),
        ("Sample Code §§ 1-1, 1-2", Outcome.NOT_IN_CODE, None),
        ("Sample Code § 1-1", Outcome.FOUND, None),
        ("Sample Code § 2-999", Outcome.OUTSIDE_COVERAGE, Reason.CODE_INCOMPLETE),
        ("Sample Code § 11-2", Outcome.OUTSIDE_COVERAGE, Reason.CODE_INCOMPLETE),
    ],
)
def test_missing_number_that_begins_with_a_title_held_whole_does_not_exist(
    cited, monkeypatch, typed, outcome, reason
):
    bodies = [replace(body, complete=False, whole_titles=("1",)) for body in cited.code_bodies]
    monkeypatch.setattr(cited, "code_bodies", tuple(bodies))
    found = resolve(cited, typed)
    assert (found.outcome, found.reason) == (outcome, reason)


@pytest.mark.parametrize(("typed", "canonical"), [("3 SFR 1.2", None), ("3 S.F.R. § 12", "3 S.F.R. § 12")])
def test_code_that_is_not_held_is_outside_coverage(resolved, typed, canonical):
    found = resolved(typed)
    assert (found.outcome, found.reason) == (Outcome.OUTSIDE_COVERAGE, Reason.CODE_NOT_HELD)
    assert found.jurisdiction == "us"
    assert canonical is None or found.citation == canonical


def test_number_of_a_list_leads_to_the_provision_that_bears_it(resolved):
    for typed in ("1 S.F.C. § 20", "1 S.F.C. § 21"):
        found = resolved(typed)
        assert (found.outcome, found.provision.citation) == (Outcome.FOUND, "1 S.F.C. §§ 20, 21")
        assert found.citation == typed


def test_list_that_one_provision_goes_by_is_that_provision(resolved):
    found = resolved("1 SFC §§ 20, 21")
    assert (found.outcome, found.provision.citation) == (Outcome.FOUND, "1 S.F.C. §§ 20, 21")
    assert (found.citation, found.members) == ("1 S.F.C. §§ 20, 21", ())


def test_number_within_a_repealed_range_is_repealed(resolved):
    found = resolved("1 S.F.C. § 31")
    assert (found.outcome, found.provision.citation) == (Outcome.REPEALED, "1 S.F.C. §§ 30 to 32")


def test_list_gives_its_members_in_their_order(resolved):
    found = resolved("1 S.F.C. §§ 7(a), 5")
    assert (found.outcome, found.provision, found.member_count) == (Outcome.FOUND, None, 2)
    assert [(member.input, member.citation) for member in found.members] == [
        ("1 S.F.C. §§ 7(a)", "1 S.F.C. § 7(a)"),
        ("5", "1 S.F.C. § 5"),
    ]
    assert resolved("1 SFC §§ 5, 7").citation == "1 S.F.C. §§ 5, 7"


def test_list_has_the_outcome_of_the_first_member_that_is_not_found(resolved):
    assert resolved("1 S.F.C. §§ 5, 8, 6").outcome is Outcome.REPEALED
    several = resolved("1 S.F.C. § 5; 3 S.F.R. § 1; 1 S.F.C. § 8")
    assert several.outcome is Outcome.OUTSIDE_COVERAGE
    assert several.reason is several.members[1].reason is not None
    assert resolved("1 S.F.C. §§ 7(a), 5").reason is None


def test_list_across_codes_has_no_jurisdiction(resolved):
    found = resolved("1 S.F.C. § 5; Sample Code § 1-1")
    assert (found.outcome, found.jurisdiction) == (Outcome.FOUND, None)
    assert found.citation == "1 S.F.C. § 5; Sample Code § 1-1"


def test_range_holds_the_provisions_between_its_ends_and_its_missing_ends(resolved):
    found = resolved("1 S.F.C. §§ 5 to 8")
    assert found.citation == "1 S.F.C. §§ 5 to 8"
    assert [member.citation for member in found.members] == ["1 S.F.C. § 5", "1 S.F.C. § 7", "1 S.F.C. § 8"]
    assert found.outcome is Outcome.REPEALED
    open_ended = resolved("1 S.F.C. §§ 4 to 6")
    assert [(member.citation, member.outcome) for member in open_ended.members] == [
        ("1 S.F.C. § 4", Outcome.NOT_IN_CODE),
        ("1 S.F.C. § 5", Outcome.FOUND),
        ("1 S.F.C. § 6", Outcome.NOT_IN_CODE),
    ]
    assert open_ended.member_count == 3


def test_two_numbers_under_a_double_sign_are_a_range_where_the_code_has_both(resolved):
    for typed in ("1 S.F.C. §§ 5-8", "1 SFC §§ 5–8", "sections 5-8 of title 1, S.F.C."):
        found = resolved(typed)
        assert (found.citation, found.member_count) == ("1 S.F.C. §§ 5 to 8", 3)
    for typed in ("1 S.F.C. § 5-8", "1 S.F.C. §§ 8-5", "1 S.F.C. §§ 5-6"):
        assert (resolved(typed).outcome, resolved(typed).members) == (Outcome.NOT_IN_CODE, ())
    (_, within) = resolved("1 S.F.C. §§ 2000e, 5-8").members
    assert (within.citation, within.member_count) == ("1 S.F.C. §§ 5 to 8", 3)
    (single, _, _) = resolved("1 S.F.C. § 5-8; 1 S.F.C. §§ 5, 7").members
    assert single.outcome is Outcome.NOT_IN_CODE


def test_range_without_any_provision_is_not_in_the_code(resolved):
    found = resolved("1 S.F.C. §§ 40 to 50")
    assert (found.outcome, found.members) == (Outcome.NOT_IN_CODE, ())
    assert found.neighbours.previous.citation == "1 S.F.C. §§ 30 to 32"
    assert found.neighbours.next.citation == "1 S.F.C. § 2000e"


def test_long_range_is_counted_in_full(snapshot):
    found = resolve(snapshot, "Sample Code §§ 2-1 to 2-260")
    assert (found.outcome, len(found.members), found.member_count) == (Outcome.FOUND, MAX_MEMBERS, 260)


@pytest.mark.parametrize(
    ("dead", "rows"),
    [
        ([], [0, 1, 2]),
        ([1], [0, 1, 2]),
        ([2, 9], [0, 1, 2]),
        ([3], [0, 1, 3]),
        ([7, 9], [0, 1, 7]),
        ([0, 7], [0, 1, 2]),
    ],
)
def test_a_long_range_shows_its_first_dead_provision(dead, rows):
    nodes = SimpleNamespace(status=lambda row: "repealed" if row in dead else IN_FORCE)
    finder = ProvisionFinder(SimpleNamespace(nodes=nodes, citations=None))
    assert list(finder.first_rows(range(10), 3)) == rows
    assert list(finder.first_rows(range(3), 3)) == [0, 1, 2]


@pytest.mark.parametrize(
    ("typed", "citation"),
    [
        ("1 S.F.C.", "1 S.F.C."),
        ("1 sfc ch. 1", "1 S.F.C. ch. 1"),
        ("2 S.F.C. pt. II, ch. 1", "2 S.F.C. pt. II, ch. 1"),
        ("2 S.F.C. ch. 2", "2 S.F.C. pt. II, ch. 2"),
        ("Sample Code tit. 1", "Sample Code tit. 1"),
    ],
)
def test_container_is_found(resolved, typed, citation):
    found = resolved(typed)
    assert (found.outcome, found.citation, found.provision.citation) == (Outcome.FOUND, citation, citation)


def test_citation_that_only_the_snapshot_knows_is_found_as_it_stands(resolved):
    found = resolved("1 s.f.c. App. Harbor Rules, pt. I")
    assert (found.outcome, found.citation) == (Outcome.FOUND, "1 S.F.C. app. Harbor Rules, pt. I")
    assert found.input == "1 s.f.c. App. Harbor Rules, pt. I"
    assert resolved("1 S.F.C. app. Harbor Rules, pt. II").outcome is Outcome.UNPARSED


def test_container_with_a_step_too_few_is_ambiguous(resolved):
    found = resolved("2 S.F.C. ch. 1")
    assert (found.outcome, found.reason) == (Outcome.AMBIGUOUS, Reason.SEVERAL_PROVISIONS)
    assert sorted(citations(found)) == ["2 S.F.C. pt. I, ch. 1", "2 S.F.C. pt. II, ch. 1"]
    assert found.citation == "2 S.F.C. ch. 1", "what is cited, and not the first of those that it may be"


def test_missing_container_is_not_in_the_code(resolved):
    assert resolved("2 S.F.C. ch. 9").outcome is Outcome.NOT_IN_CODE
    assert resolved("2 S.F.C. pt. III, ch. 2").outcome is Outcome.NOT_IN_CODE


def test_container_of_a_title_whose_containers_are_not_known_may_exist(resolved):
    found = resolved("3 S.F.C. ch. 1")
    assert (found.outcome, found.reason) == (Outcome.OUTSIDE_COVERAGE, Reason.CODE_INCOMPLETE)


def test_section_of_an_appendix_is_that_of_the_act_that_is_named(resolved):
    found = resolved("Dock Act of 1978 § 3(a), 3 S.F.C. app.")
    assert (found.outcome, found.citation) == (
        Outcome.PIN_NOT_FOUND,
        "Dock Act of 1978 § 3(a), 3 S.F.C. app.",
    )
    assert found.provision.citation == "Dock Act of 1978 § 3, 3 S.F.C. app."
    assert resolved("Dock Act of 1978 § 3, 3 S.F.C. app.").outcome is Outcome.FOUND


def test_number_in_an_appendix_may_be_that_of_each_of_its_acts(resolved):
    found = resolved("3 S.F.C. app. § 3")
    assert (found.outcome, found.reason) == (Outcome.AMBIGUOUS, Reason.ACT_NUMBERING)
    assert citations(found) == ["Dock Act of 1978 § 3, 3 S.F.C. app.", "Mole Act § 3, 3 S.F.C. app."]
    assert citations(resolved("3 S.F.C. app. § 4")) == ["Mole Act § 4, 3 S.F.C. app."]
    assert resolved("3 S.F.C. app. § 4").outcome is Outcome.AMBIGUOUS
    assert resolved("3 S.F.C. app. § 9").outcome is Outcome.NOT_IN_CODE


def test_act_that_says_so_of_its_own_section_is_found(resolved):
    found = resolved("Fee Act")
    assert (found.outcome, found.citation) == (Outcome.REPEALED, "1 S.F.C. § 9")
    assert found.reason is Reason.ACT


@pytest.mark.parametrize("typed", ["Works Protection Act", "works protection act of 2020"])
def test_act_with_and_without_its_year_is_one(resolved, typed):
    found = resolved(typed)
    assert (found.outcome, found.provision.citation) == (Outcome.FOUND, "1 S.F.C.")


def test_act_with_its_year_need_not_be_the_one_without(resolved):
    found = resolved("Beacon Act")
    assert (found.outcome, found.reason, found.provision) == (Outcome.AMBIGUOUS, Reason.SEVERAL_ACTS, None)
    assert {(item.act, item.citation) for item in found.candidates} == {
        ("Beacon Act", None),
        ("Beacon Act of 1976", "1 S.F.C. ch. 1"),
    }
    assert resolved("Beacon Act of 1976").citation == "1 S.F.C. ch. 1"
    assert resolved("BA").outcome is Outcome.ACT_UNMAPPED


def test_act_that_is_a_container_is_found(resolved):
    found = resolved("General Provisions Act")
    assert (found.outcome, found.reason, found.citation) == (Outcome.FOUND, Reason.ACT, "1 S.F.C. ch. 1")
    assert found.input == "General Provisions Act"


@pytest.mark.parametrize("typed", ["Fair Works Act", "fair works act", "FWA", "fwa"])
def test_act_that_begins_at_a_section_has_it_for_a_candidate(resolved, typed):
    found = resolved(typed)
    assert (found.outcome, found.reason, found.provision) == (Outcome.AMBIGUOUS, Reason.ACT, None)
    assert [(candidate.act, candidate.citation) for candidate in found.candidates] == [
        ("Fair Works Act", "1 S.F.C. § 7")
    ]
    assert found.candidates[0].provision.citation == "1 S.F.C. § 7"


def test_section_by_an_acts_own_numbering_is_never_guessed(resolved):
    found = resolved("Fair Works Act § 7(a)")
    assert (found.outcome, found.reason) == (Outcome.AMBIGUOUS, Reason.ACT_NUMBERING)
    assert (found.provision, found.pin, found.citation) == (None, None, "Fair Works Act § 7(a)")
    assert citations(found) == ["1 S.F.C. § 7"]
    container = resolved("General Provisions Act § 1")
    assert (container.outcome, container.reason) == (Outcome.AMBIGUOUS, Reason.ACT_NUMBERING)


def test_act_of_which_no_place_is_known_is_not_mapped(resolved):
    for typed, reason in (("Wharf Act", Reason.ACT), ("Wharf Act § 2", Reason.ACT_NUMBERING)):
        found = resolved(typed)
        assert (found.outcome, found.reason) == (Outcome.ACT_UNMAPPED, reason)
        assert [(item.act, item.citation, item.provision) for item in found.candidates] == [
            ("Wharf Act", None, None)
        ]


def test_abbreviation_of_two_acts_is_ambiguous(resolved):
    found = resolved("WA")
    assert (found.outcome, found.reason) == (Outcome.AMBIGUOUS, Reason.SEVERAL_ACTS)
    assert {candidate.act for candidate in found.candidates} == {"Fair Works Act", "Wharf Act"}


@pytest.mark.parametrize(
    ("typed", "offset", "expected"),
    [
        ("harbor", 0, "a citation"),
        ("1 FOO 3", 2, "name of a code"),
        ("1 S.F.C. §", 10, "section number"),
        ("1 S.F.C. § 7 and more", 13, "subsection"),
        ("", 0, "a citation"),
    ],
)
def test_what_cannot_be_read_says_where_and_what_was_expected(resolved, typed, offset, expected):
    found = resolved(typed)
    assert (found.outcome, found.input, found.offset) == (Outcome.UNPARSED, typed, offset)
    assert expected in found.expected
    assert (found.citation, found.provision) == (None, None)


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("1 FOO § 3", "FOO"),
        ("section 7 of title 1 of the Harbor Nation Code", "Harbor Nation Code"),
        ("Harbor City Municipal Code § 7.01.010", "Harbor City Municipal Code"),
    ],
)
def test_code_that_nobody_listed_is_named_and_never_led_to_another(resolved, typed, name):
    found = resolved(typed)
    assert (found.outcome, found.code_name, found.provision) == (Outcome.UNKNOWN_CODE, name, None)
    assert (found.law, found.jurisdiction) == (None, None)


def test_misspelt_name_of_a_code_is_unknown_and_says_what_is_spelled_like_it(resolved):
    found = resolved("1 S.F.D. § 7")
    assert (found.outcome, found.code_name) == (Outcome.UNKNOWN_CODE, "S.F.D.")
    assert (
        found.expected == "the name of a known code instead of `S.F.D.`; spelled like it: `S.F.C.`, `S.F.R.`"
    )


def test_last_number_of_a_range_keeps_its_pin_cite(resolved):
    found = resolved("1 S.F.C. §§ 5 to 7(c)")
    assert [(member.citation, member.pin and member.pin.label) for member in found.members] == [
        ("1 S.F.C. § 5", None),
        ("1 S.F.C. § 7", "(c)"),
    ]
    begun = resolved("1 S.F.C. §§ 7(a)(2) to 16")
    assert [member.pin and member.pin.label for member in begun.members][:2] == ["(a)(2)", None]


def test_citation_that_goes_on_is_not_the_part_that_was_read(cited):
    text = (
        "See 1 S.F.C. § 7(a)-x9, or 1 S.F.C. § 5(a or 1 S.F.C. §§ 5 and 7q9z; and 1 S.F.C. §§ 5 through §§."
    )
    assert {str(one.resolution.outcome) for one in check_draft(cited, text).checked} == {"unparsed"}
