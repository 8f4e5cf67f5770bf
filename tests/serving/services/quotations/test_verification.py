"""Verifying quotations against provisions, by citation or id."""

from uuid import UUID

import pytest

from serving.contract.errors import NotFoundError
from serving.services.quotations.marked_quotations import MAX_QUOTED
from serving.services.quotations.verification import verify_quotes
from serving.services.quotations.verified_quotes import CONTEXT, QuotationOutcome, Quote
from serving.services.quotations.warnings import QuotationWarning
from tests.growth import grows_with_length
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
    assert there.elsewhere == ()


@pytest.mark.parametrize(
    ("quote", "cited", "part"),
    [
        ("is not entitled to a berth", "1 S.F.C. § 1(d)", "(c)"),
        ("sell a berth", "1 S.F.C. § 1(a)(2)", "(a)(1)"),
        ("shall not— (1) sell a berth", "1 S.F.C. § 1(c)", "(a)"),
        ("sell a berth; or (2) lease a berth", "1 S.F.C. § 1(a)(1)", "(a)"),
        ("is . . . entitled to a berth", "1 S.F.C. § 1(d)", "(c)"),
        ("Berths and their fees", "1 S.F.C. § 1(d)", ""),
        ("is not entitled to a berth", "1 S.F.C. § 1(c)", None),
        ("shall not— (1) sell a berth", "1 S.F.C. § 1(a)(1)", None),
        ("is not entitled to a berth", "1 S.F.C. § 1", None),
        ("Berths and their fees", "1 S.F.C. § 1", None),
    ],
)
def test_the_part_is_told_that_holds_the_words_where_another_is_cited(harbors, quote, cited, part):
    verified = verify(harbors, quote, citation=cited)
    assert [one.citation for one in verified.elsewhere] == ([] if part is None else [f"1 S.F.C. § 1{part}"])
    assert (verified.in_pin is False) is (part is not None)


def test_each_provision_of_a_list_is_read(snapshot):
    verified = verify(snapshot, "fined not more than $500", citation="1 S.F.C. §§ 5, 9")
    assert (verified.outcome, verified.provision.citation) == (QuotationOutcome.EXACT, "1 S.F.C. § 9")


def test_the_nearest_provision_of_a_range_is_shown(snapshot):
    verified = verify(
        snapshot, "Whoever infringes a protected work shall be jailed", citation="1 S.F.C. §§ 5-9"
    )
    assert (verified.outcome, verified.provision.citation) == (QuotationOutcome.ABSENT, "1 S.F.C. § 9")
    assert verified.excerpts[0].startswith("Whoever infringes a protected work shall be")


@pytest.mark.parametrize(
    ("citation", "point", "held"),
    [
        ("2 S.F.C. §§ 1-13", "Maple", "2 S.F.C. § 12"),
        ("2 S.F.C. § 1 et seq.", "Maple", "2 S.F.C. § 12"),
        ("2 S.F.C. § 5 et seq.", "Maple", "2 S.F.C. § 12"),
        ("2 S.F.C. § 1 et seq.", "Ash", "2 S.F.C. § 1"),
        # `Et seq.` ends with the chapter, and begins with its section.
        ("2 S.F.C. § 1 et seq.", "Rowan", None),
        ("2 S.F.C. § 5 et seq.", "Cedar", None),
        ("2 S.F.C. §§ 1-13", "Rowan", None),
    ],
)
def test_a_quotation_of_a_run_is_of_the_section_that_holds_it_or_unchecked(harbors, citation, point, held):
    verified = verify(harbors, f"shall not sound the bell of {point}", citation=citation)
    if held is not None:
        assert (verified.outcome, verified.provision.citation) == (QuotationOutcome.EXACT, held)
    else:
        assert verified.outcome is QuotationOutcome.NOT_CHECKED
        assert verified.elsewhere[0].excerpt == f"shall not sound the bell of {point}"


@pytest.mark.parametrize("citation", ["2 S.F.C. §§ 1-13", "2 S.F.C. § 1 et seq."])
def test_words_that_are_not_found_in_a_run_are_never_called_absent(harbors, citation):
    verified = verify(harbors, "The keeper at Yew Point shall paint the tower", citation=citation)
    assert (verified.outcome, verified.found) == (QuotationOutcome.NOT_CHECKED, None)


def test_a_quotation_of_a_run_that_leaves_out_a_not_is_altered(harbors):
    quote = "The keeper at Maple Point shall . . . sound the bell"
    verified = verify(harbors, quote, citation="2 S.F.C. §§ 1-13")
    assert (verified.outcome, verified.provision.citation) == (QuotationOutcome.ALTERED, "2 S.F.C. § 12")


def test_of_a_run_the_section_comes_first_whose_words_are_not_altered(harbors):
    quote = "The keeper . . . sound the bell . . . by day."
    verified = verify(harbors, quote, citation="2 S.F.C. §§ 1-14")
    assert (verified.outcome, verified.provision.citation) == (QuotationOutcome.NORMALISED, "2 S.F.C. § 14")


def test_where_all_that_is_cited_is_read_words_are_absent(harbors):
    verified = verify(harbors, "shall not sound the bell of Maple", citation="2 S.F.C. §§ 1-9")
    assert verified.outcome is QuotationOutcome.ABSENT
    assert [one.provision.citation for one in verified.elsewhere] == ["2 S.F.C. § 12"]


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


@pytest.mark.parametrize(
    ("quote", "citation", "outcome", "warnings"),
    [
        ("The harbor master may waive this rule for 30 days.", "1 S.F.C. § 1(c)", "exact", []),
        ("A vessel without a certificate is not entitled", "1 S.F.C. § 1(c)", "exact", ["sentence_continues"]),
        ("entitled to a berth.", "1 S.F.C. § 1(c)", "exact", ["negation_before"]),
        # What leads in to the part negates it; what negates a part beside it does not.
        ("lease a berth for more than 1½ years", "1 S.F.C. § 1(a)(2)", "exact", ["negation_before", "modal_before"]),
        ("is . . . entitled to a berth", "1 S.F.C. § 1(c)", "altered", ["negation_omitted"]),
        ("The harbor master . . . waive this rule", "1 S.F.C. § 1(c)", "altered", ["modal_omitted"]),
        ("waive this rule for . . . days", "1 S.F.C. § 1(c)", "altered", ["number_omitted"]),
        ("waive this rule for [90] days", "1 S.F.C. § 1(c)", "altered", ["number_omitted"]),
        ("The harbor master [shall] waive this rule", "1 S.F.C. § 1(c)", "altered", ["modal_omitted"]),
        ("is [] entitled to a berth", "1 S.F.C. § 1(c)", "altered", ["negation_omitted"]),
        ("is not [e]ntitled to a berth", "1 S.F.C. § 1(c)", "normalised", []),
        ("is [e]ntitled to a berth", "1 S.F.C. § 1(c)", "altered", ["negation_omitted"]),
        ("[The harbor master] may waive this rule", "1 S.F.C. § 1(c)", "normalised", []),
        ("A vessel without a certificate . . . .", "1 S.F.C. § 1(c)", "normalised", ["negation_omitted"]),
        ("[The owner] may waive this rule", "1 S.F.C. § 1(c)", "altered", []),
        ("may waive this rule for 30 days [or more].", "1 S.F.C. § 1(c)", "altered", []),
        ("A vessel . . . may waive this rule", "1 S.F.C. § 1(c)", "altered", ["sentences_joined"]),
        ("shall not— (1) sell . . . for more than 1½ years", "1 S.F.C. § 1(a)", "altered", ["sentences_joined"]),
        ("shall not— . . . (2) lease a berth for more", "1 S.F.C. § 1(a)", "normalised", ["words_omitted"]),
        ("entitled to a berth. . . . The harbor master may", "1 S.F.C. § 1(c)", "normalised", ["negation_before"]),
        ("Repealed. Act of 1999.", "1 S.F.C. § 1(b)", "exact", ["not_in_force"]),
        ("is not entitled to a berth", "1 S.F.C. § 1(d)", "exact", ["other_part"]),
        ("is not entitled to a berth", "1 S.F.C. § 1(e)", "absent", ["pin_not_found"]),
        ("berth", "1 S.F.C. § 1", "exact", ["too_short"]),
        ("shall not", "1 S.F.C. § 1", "exact", ["too_short"]),
    ],
)  # fmt: skip
def test_what_misleads_is_warned_of_and_what_is_altered_is_never_passed(
    harbors, quote, citation, outcome, warnings
):
    verified = verify(harbors, quote, citation=citation)
    assert verified.outcome == outcome
    assert set(warnings) <= set(verified.warnings)
    if outcome == "exact" and not warnings:
        assert verified.warnings == ()


@pytest.mark.parametrize(
    ("quote", "outcome"),
    [
        ("For claims of . . . $100 made by a master", "altered"),
        ("the board shall decide . . . 6 days after receipt", "altered"),
        ("pays a sum of . . . $300 as the board finds just", "altered"),
        ("pays a sum of not less than . . . $300 as the board finds just", "altered"),
        ("A ferry with 15 . . . seats pays a sum", "altered"),
        ("the notice shall be posted at . . . 9 days before", "altered"),
        ("pays a sum of not less than $75 . . . as the board finds just", "altered"),
        ("pays a sum . . . as the board finds just", "altered"),
        ("the board shall decide . . . after receipt", "altered"),
        ("guilty of misconduct in . . . take a lantern aboard", "altered"),
        # What is refused here is not what is quoted.
        ("A contract of carriage . . . shall be valid", "normalised"),
    ],
)
def test_a_figure_keeps_its_bound_and_a_refusal_what_it_refuses(harbors, quote, outcome):
    assert verify(harbors, quote, citation="1 S.F.C. § 7").outcome == outcome


def test_what_is_refused_right_before_a_quotation_is_warned_of(harbors):
    refused = verify(harbors, "take a lantern aboard", citation="1 S.F.C. § 7(c)")
    assert QuotationWarning.NEGATION_BEFORE in refused.warnings
    valid = verify(harbors, "shall be valid", citation="1 S.F.C. § 7(d)")
    assert QuotationWarning.NEGATION_BEFORE not in valid.warnings


def test_a_quotation_of_a_part_that_does_not_exist_is_absent_and_led_to_where_it_stands(harbors):
    verified = verify(harbors, "is not entitled to a berth", citation="1 S.F.C. § 1(e)")
    assert verified.in_pin is False
    assert [one.provision.citation for one in verified.elsewhere] == ["1 S.F.C. § 1"]
    assert verified.nearest.similarity == 1.0
    assert verified.excerpts == ("is not entitled to a berth",)


def test_an_omission_is_told_in_the_words_of_the_source(harbors):
    verified = verify(harbors, "The harbor board . . . sell [the] berth", citation="1 S.F.C. § 1(a)")
    assert [(one.text, one.put) for one in verified.passed_over] == [("shall not—\n(1)", ""), ("a", "the")]
    assert verified.context.before == "(a) "
    assert verified.context.after.startswith("; or\n(2) lease")
    assert len(verified.context.after) == CONTEXT


def test_a_part_does_not_inherit_what_its_neighbour_says(harbors):
    verified = verify(harbors, "The fees for a berth are", citation="1 S.F.C. § 1(d)")
    assert verified.warnings == (QuotationWarning.SENTENCE_CONTINUES,)


@pytest.mark.parametrize(
    ("quote", "steps"),
    [
        ("The harbor mas-\nter may waive this rule", ["line_hyphens"]),
        ("The harbor mas- ter may waive this rule", ["line_hyphens"]),
        ("The harbor master[4] may waive this rule.³", ["footnote_marks"]),
        ("The **harbor master** <em>may</em> waive&nbsp;this _rule_", ["markup"]),
        (r"entitled to a berth.\nThe harbor master", ["markup"]),
        ("lease a berth for more than 1 1/2 years", ["characters"]),
        ("Class A $10 $20\nClass B $30 $40.", ["table_bars"]),
        ("The harbor board shall not— lease a berth", ["designators"]),
        ("for 30 days. 1 S.F.C. § 1(c).", ["citation"]),
        ("for 30 days (1 S.F.C. § 1)", ["citation"]),
        ("> A vessel without\n> a certificate", ["markup"]),
    ],
)
def test_what_layout_adds_is_passed_over_and_told(harbors, quote, steps):
    verified = verify(harbors, quote, citation="1 S.F.C. § 1")
    if steps != ["designators"]:
        assert verified.outcome is QuotationOutcome.NORMALISED
        assert set(steps) <= set(verified.found.steps)
    else:  # the words of (1) stand between
        assert verified.outcome is QuotationOutcome.ABSENT


@pytest.mark.parametrize(
    "quote",
    [
        "lease a berth for more than 11/2 years",
        "lease a berth for more than 1/2 years",
        "for more than 1",
        "$20 Class B",
        "Class A $10 $40",
        "for 30 days. 1 S.F.C. § 2.",
        "for 30 days. 1 S.F.C. § 1(e).",
        "for [30 days",
    ],
)
def test_what_only_looks_like_layout_is_not(harbors, quote):
    assert verify(harbors, quote, citation="1 S.F.C. § 1").outcome is QuotationOutcome.ABSENT


@pytest.mark.parametrize("citation", ["1 S.F.C. § 1", "1 S.F.C. § 1(c)", "1 S.F.C. § 1(d)"])
@pytest.mark.parametrize("ending", ["1 S.F.C. § 1(d)", "(1 S.F.C. § 1(a)(2))"])
def test_words_are_not_of_the_part_to_which_the_quotations_own_end_ascribes_them(harbors, citation, ending):
    verified = verify(harbors, f'"may waive this rule for 30 days." {ending}', citation=citation)
    assert verified.outcome is QuotationOutcome.NORMALISED
    assert (verified.in_pin, verified.warnings) == (False, (QuotationWarning.OTHER_PART,))


def test_the_citation_at_a_quotations_end_is_checked_where_an_id_is_given(harbors):
    (row,) = [row for row in range(len(harbors.nodes)) if harbors.nodes.citation(row) == "1 S.F.C. § 1"]
    node = harbors.nodes.id(row)
    for part, is_inside in (("(c)", True), ("(d)", False)):
        verified = verify(harbors, f"may waive this rule for 30 days. 1 S.F.C. § 1{part}", node_id=node)
        assert verified.in_pin is is_inside
        assert (QuotationWarning.OTHER_PART in verified.warnings) is not is_inside


@pytest.mark.parametrize(
    ("citation", "ending"),
    [
        ("1 S.F.C. § 1", "(c)"),
        ("1 S.F.C. § 1", "(d)"),
        ("1 S.F.C. § 1(a)", "(a)(2)"),
        ("1 S.F.C. § 1(a)(2)", "(a)"),
    ],
)
def test_words_of_several_parts_are_of_the_one_that_the_quotations_own_end_pins(harbors, citation, ending):
    verified = verify(harbors, f"a berth (1 S.F.C. § 1{ending})", citation=citation)
    assert verified.in_pin
    assert QuotationWarning.OTHER_PART not in verified.warnings


def test_a_footnote_mark_of_the_source_and_a_lowered_figure_are_passed_over(harbors):
    quote = "section 1582 of title 10 apply to emissions of carbon dioxide (CO₂) here."
    verified = verify(harbors, quote, citation="1 S.F.C. § 2")
    assert verified.outcome is QuotationOutcome.NORMALISED
    assert {"footnote_marks", "characters"} <= set(verified.found.steps)


@pytest.mark.parametrize(
    "quote", ["Berths and their fees", "§ 1. Berths and their fees", "BERTHS AND THEIR FEES."]
)
def test_a_heading_is_a_quotation_too(harbors, quote):
    verified = verify(harbors, quote, citation="1 S.F.C. § 1")
    assert verified.in_heading
    assert verified.excerpts == ("Berths and their fees",)


@pytest.mark.parametrize(
    ("quote", "citation"),
    [
        ("§ 5. Ferries. Every ferry of the harbor board carries one pilot", "1 S.F.C. § 5"),
        ("Sec. 5. FERRIES.—Every ferry of the harbor board carries one pilot", "1 S.F.C. § 5"),
        ("Ferries\nEvery ferry of the harbor board carries one pilot", "1 S.F.C. § 5"),
        ("Berths and their fees. (a) The harbor board shall not— (1) sell a berth", "1 S.F.C. § 1"),
        ("Berths and their fees. The harbor board shall not—", "1 S.F.C. § 1"),
    ],
)
def test_a_heading_may_stand_before_the_beginning_of_the_text(harbors, quote, citation):
    verified = verify(harbors, quote, citation=citation)
    assert verified.outcome is QuotationOutcome.NORMALISED
    assert "heading" in verified.found.steps
    assert not verified.in_heading


@pytest.mark.parametrize(
    "quote",
    [
        "§ 5. Ferries. carries one pilot, two lanterns",  # words are passed over without a sign
        "§ 6. Ferries. Every ferry of the harbor board carries one pilot",
        "§ 5. Old ferries. Every ferry of the harbor board carries one pilot",
        "Ferries. Every ferry of the harbor board carries two pilots",
        "Ferries Ferries. Every ferry of the harbor board carries one pilot",
        "Ferriesx Every ferry of the harbor board carries one pilot",
    ],
)
def test_a_heading_before_other_words_does_not_make_them_right(harbors, quote):
    assert verify(harbors, quote, citation="1 S.F.C. § 5").outcome is QuotationOutcome.ABSENT


def test_what_stands_behind_a_heading_is_held_to_the_same_rules(harbors):
    quote = "Berths and their fees. (a) The harbor board shall . . . (1) sell a berth"
    assert verify(harbors, quote, citation="1 S.F.C. § 1").outcome is QuotationOutcome.ALTERED


def test_a_dead_provision_without_text_is_said_to_be_dead(harbors):
    verified = verify(harbors, "Every lamp burns at night", citation="1 S.F.C. § 4")
    assert verified.outcome is QuotationOutcome.NOT_CHECKED
    assert verified.warnings == (QuotationWarning.NOT_IN_FORCE,)


@pytest.mark.parametrize("citation", ["1 S.F.C. § 1", "1 S.F.C. § 3", "1 S.F.C. § 6"])
def test_absent_words_are_led_to_the_provision_that_holds_them(harbors, citation):
    verified = verify(harbors, "two lanterns and a bell of bronze", citation=citation)
    assert verified.outcome is QuotationOutcome.ABSENT
    assert [one.provision.citation for one in verified.elsewhere] == ["1 S.F.C. § 5"]
    assert verified.elsewhere[0].excerpt == "two lanterns and a bell of bronze"


@pytest.mark.parametrize(
    "quote", ["two lantern and a bell of bronzes", "two … lanterns not of bronze", "the"]
)
def test_words_that_stand_nowhere_are_led_nowhere(harbors, quote):
    assert verify(harbors, quote, citation="1 S.F.C. § 1").elsewhere == ()


def test_words_of_several_parts_stand_in_the_part_that_they_lead_to(harbors):
    verified = verify(
        harbors, "The harbor board shall not— . . . lease a berth", citation="1 S.F.C. § 1(a)(2)"
    )
    assert verified.in_pin
    verified = verify(harbors, "sell a berth; or . . . lease a berth", citation="1 S.F.C. § 1(a)(2)")
    assert not verified.in_pin


def test_a_long_quotation_that_is_absent_takes_no_long_time(snapshot):
    words = "the matter of the harbor plan shall be reviewed and not sold at " * 80
    assert grows_with_length(
        lambda text: verify_quotes(snapshot, [Quote(text, citation="Sample Code § 1-1")] * 5),
        lambda length: words[:length],
        MAX_QUOTED,
    )


@pytest.mark.parametrize("unit", ["a", "漢", "a¹", "1.", "1"])
def test_the_work_grows_with_a_quotation_without_blanks_no_faster_than_it(snapshot, unit):
    assert grows_with_length(
        lambda text: verify(snapshot, text, citation="Sample Code § 1-1"),
        lambda length: (unit * length)[:length],
        20_000,
    )


NOTED = [
    ("The harbor master may waive this rule for 30 days (emphasis added).", "normalised"),
    ("The harbor master may waive [sic] this rule for 30 days.", "normalised"),
    ("“The harbor master may waive this rule” (citation omitted)", "normalised"),
    ("The harbor master may (emphasis added; footnote omitted) waive this rule for 30 days", "normalised"),
    ("The *harbor master* may waive this rule for 30 days. (Emphasis added.)", "normalised"),
    (
        "A vessel without a certificate is not entitled to a berth [citations and footnotes omitted].",
        "normalised",
    ),
]
CHANGED = [
    "The harbor master [sic] waive this rule for 30 days",
    "The harbor master may waive this rule for [sic] days",
    "The harbor master (citation omitted) waive this rule for 30 days",
    "A vessel without a certificate is (citation omitted) entitled to a berth.",
    "A vessel [emphasis added] is not entitled to a berth.",
    "The harbor master shall waive this rule for 30 days (emphasis added).",
    "The harbor master may waive this rule for 60 [sic] days",
    "lease a berth for more than 1½ years (citation omitted) the council consents",
]  # fmt: skip


@pytest.mark.parametrize(("quote", "outcome"), NOTED)
def test_notes_of_the_quoter_are_no_words_of_the_law(harbors, quote, outcome):
    (verified,) = verify_quotes(harbors, [Quote(quote, "1 S.F.C. § 1(c)")])
    assert verified.outcome == outcome
    assert verified.found is not None
    assert "quoter_notes" in verified.found.steps
    assert verified.passed_over == ()
    assert not {one for one in verified.warnings if "omitted" in one}


@pytest.mark.parametrize("quote", CHANGED)
def test_notes_of_the_quoter_let_no_changed_word_pass(harbors, quote):
    (verified,) = verify_quotes(harbors, [Quote(quote, "1 S.F.C. § 1")])
    assert verified.outcome in ("altered", "absent")


def test_note_of_an_omission_stands_for_a_citation_of_the_text(harbors):
    quote = "apply to emissions of carbon dioxide (citation omitted) here."
    (verified,) = verify_quotes(harbors, [Quote(quote, "1 S.F.C. § 2")])
    assert (verified.outcome, [one.text for one in verified.passed_over]) == ("normalised", ["(CO2)"])
    assert "words_omitted" in verified.warnings


@pytest.mark.parametrize(
    "quote",
    [
        "sell a berth [for ever] . . . .",
        "The harbor master may waive this rule [and more] . . . .",
        "is not entitled to a berth. [Yet] . . .",
        "[No owner] . . . may waive this rule for 30 days.",
    ],
)
def test_words_in_brackets_beside_dots_at_an_end_are_told(harbors, quote):
    assert verify(harbors, quote, citation="1 S.F.C. § 1").outcome == "altered"


@pytest.mark.parametrize(
    "quote",
    [
        "is not entitled [to] . . . .",
        "The harbor master may waive this rule [sic] . . . .",
        "The harbor master may waive this rule . . . [.]",
        "[. . .] The harbor master may waive this rule",
    ],
)
def test_brackets_beside_dots_at_an_end_may_hold_what_the_law_has_or_no_words(harbors, quote):
    assert verify(harbors, quote, citation="1 S.F.C. § 1").outcome == "normalised"
