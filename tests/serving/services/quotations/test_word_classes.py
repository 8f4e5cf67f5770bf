"""Words that turn what a sentence says when they are passed over: bounds of figures, refusals, negations."""

import pytest

from serving.services.quotations.word_classes import has_exclusion_before, turns_sense


@pytest.mark.parametrize(
    ("before", "passed_over", "behind"),
    [
        ("claims of ", "more than", " $100"),
        ("claims of ", "more than a total of", " $100"),
        ("submitted ", "to the board within", " 6 years"),
        ("submitted ", "within a period of", " six years"),
        ("filed ", "on or before", " April 15"),
        ("in a sum of ", "not less than $75 or more than", " $300"),
        ("the fee shall not ", "exceed", " 10 percent"),
        ("the fee is not ", "less", " than $10"),
        ("the fee is at ", "least", " $10"),
        ("the fee is up ", "to", " $10"),
        ("persons ", "under", " 18 years of age"),
        ("an employer of 15 ", "or more", " employees"),
        ("who is 18 years of age ", "or older", " votes"),
        ("one ferry ", "or more ferries", " with a bell"),
    ],
)
def test_a_figure_without_its_bound_says_something_else(before, passed_over, behind):
    assert turns_sense(passed_over, before=before, behind=behind)


@pytest.mark.parametrize(
    ("before", "passed_over", "behind"),
    [
        ("claims of more than ", "a total of", " $100"),
        ("no later than 30 days ", "after the master, or the owner, has called upon", " the board"),
        ("made ", "by the board after", " notice"),
        ("a statement ", "or declaration under", " 28 U.S.C. § 1746"),
        ("who shall ", "fail or", " refuse to stop"),
    ],
)
def test_a_bound_that_stays_or_has_no_figure_does_not(before, passed_over, behind):
    assert not turns_sense(passed_over, before=before, behind=behind)


@pytest.mark.parametrize(
    "passed_over",
    [
        "refusing to stop, upon cause shown, or in refusing to",
        "fails, without good cause, to",
        "failed or neglected to",
        "the failure of the master to",
        "declines to",
        "shall deny",
        "may refuse",
        "prohibits",
        "forbidding the use of",
        "the prohibition of",
    ],
)
def test_a_refusal_of_what_is_quoted_behind_it_turns_it(passed_over):
    assert turns_sense(passed_over, behind=" take a lantern")


@pytest.mark.parametrize(
    "passed_over",
    [
        ", or the refusal to carry it out,",
        "a decline in trade and",
        "rubbish, refuse, and",
        "the refuse collector and",
        "child neglect and",
    ],
)
def test_what_refuses_something_else_or_nothing_does_not(passed_over):
    assert not turns_sense(passed_over, behind=" take a lantern")


@pytest.mark.parametrize(
    "passed_over",
    [
        # A negation, between commas too.
        ", may not be cited or relied upon in,",
        ", without first having paid the tax due,",
        ", has not prosecuted the same with due diligence,",
        "(not being a master)",
        # A figure.
        "of more than $100",
        "or more than $300",
        "within one year",
        "with the board, within 6 years",
        "not less than $750 or more than $30,000",
        "fined not more than $5,000 or",
        "6 months or",
        # A condition.
        ", if he considers it feasible,",
        ", if deemed necessary by the officer,",
        "subject to the approval of the board,",
        "as long as the lease lasts,",
        # A modal of the sentence.
        ", the court may, in its discretion,",
        ", shall be deemed confidential",
        "; and the master shall, by signal,",
        ", including lanterns, shall not burn, or",
        ", including lanterns but not signals,",
    ],
)
def test_what_limits_a_sentence_turns_it_wherever_it_stands(passed_over):
    assert turns_sense(passed_over, before="the board ", behind=" take a lantern")


@pytest.mark.parametrize(
    "passed_over",
    [
        ", by signal or otherwise,",
        "as defined in sections 106 and 106A,",
        "under section 2 of the Act of March 3,",
        "including but not limited to lanterns,",
        ", whether or not lit,",
        ", who may be appointed by the board,",
        "in one or more lanterns",
        "equivalent to $200,000,000",
        "on such terms as it may deem reasonable",
        ", including lanterns that cannot be lit,",
        ", if any,",
        "as provided in Public Law 94-553,",
        "(2) and",
        ", subject to the requirements of section 411,",
        "subject to this title,",
        ", notwithstanding that it is not lit as set forth in section 102,",
    ],
)
def test_what_limits_nothing_does_not(passed_over):
    assert not turns_sense(passed_over, before="the board ", behind=" take a lantern")


@pytest.mark.parametrize(
    ("before", "excluded"),
    [
        ("There shall be exempt from the tax: ", True),
        ("The following are excluded from dues: ", True),
        ("A master shall be ineligible for ", True),
        ("The exclusive right to ", False),
        ("An exemption is granted for ", False),
        ("The bar of the harbor and ", False),
    ],
)
def test_a_sentence_excludes_what_it_goes_on_to_say(before, excluded):
    assert has_exclusion_before(before) is excluded


@pytest.mark.parametrize(
    ("passed_over", "behind", "turns"),
    [
        ("or the failure, neglect, or refusal to perform it", " is not in issue", False),
        (", neglect, or refusal", " of another to arbitrate", False),
        ("or the refusal to perform it", " shall be shown", False),
        ("or fails to", " be aboard", True),
        ("or the failure to", " perform it", True),
        ("refuses to", " arbitrate", True),
    ],
)
def test_a_refusal_that_is_a_subject_refuses_nothing_behind_it(passed_over, behind, turns):
    assert turns_sense(passed_over, before="the making of the agreement ", behind=behind) is turns
