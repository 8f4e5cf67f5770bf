"""Quotations of drafts, verified against the citations beside them."""

import pytest

from serving.services.citations.drafts import check_draft
from serving.services.quotations.drafts import check_quotations


def checked(snapshot, text, **page):
    check = check_draft(snapshot, text, **page)
    return [
        (
            text[one.start : one.end],
            str(one.verified.outcome),
            check.checked[one.citation].resolution.citation,
        )
        for one in check_quotations(snapshot, text, check).checked
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("“Every ferry of the harbor board carries one pilot.” 1 S.F.C. § 5.", "normalised"),
        ("“Every ferry of the harbor board carries two pilots.” 1 S.F.C. § 5.", "absent"),
        ("1 S.F.C. § 1(c) says that a vessel “is . . . entitled to a berth.”", "altered"),
        ("1 S.F.C. § 99 requires “that every lamp be lit by dusk.”", "not_checked"),
    ],
)
def test_a_quotation_is_verified_with_its_citation(harbors, text, expected):
    ((_, outcome, _),) = checked(harbors, text)
    assert outcome == expected


def test_a_quotation_is_of_the_citation_that_holds_it(harbors):
    text = "As 1 S.F.C. § 3 allows, it has “two lanterns and a bell.” 1 S.F.C. § 5."
    assert checked(harbors, text) == [("two lanterns and a bell.", "normalised", "1 S.F.C. § 5")]


@pytest.mark.parametrize(
    "text",
    [
        "The Ferry and Lantern Act (“FLA”), 1 S.F.C. § 5, is old.",
        "The so-called “lantern and gong” doctrine has nothing to do with 1 S.F.C. § 5.",
        "Congress passed the “Ferry and Lantern Act of 1954” as 1 S.F.C. § 5.",
        "The mate said “I never saw that ferry again.” 1 S.F.C. § 5.",
    ],
)
def test_names_terms_and_the_words_of_others_are_no_false_quotations(harbors, text):
    assert checked(harbors, text) == []


def test_each_page_has_the_quotations_of_its_own_citations(harbors):
    text = "“A buoy is red.” 1 S.F.C. § 3. “Two lanterns and a bell.” 1 S.F.C. § 5."
    assert [one[2] for one in checked(harbors, text, first=0, limit=1)] == ["1 S.F.C. § 3"]
    assert [one[2] for one in checked(harbors, text, first=1, limit=1)] == ["1 S.F.C. § 5"]
    assert checked(harbors, "“A buoy is red.” says nobody.") == []


@pytest.mark.parametrize(
    ("text", "quotations"),
    [
        # A guess that does not stand there is no false quotation, and is not verified either.
        ("1 S.F.C. § 5 looks to “two lanterns and a gong” in each case.", [("two lanterns and a gong", 0)]),
        ("1 S.F.C. § 5 looks to “two lanterns and a bell” in each case.", []),
        ("1 S.F.C. § 5. It was old. It says that “no ferry has a gong aboard”.", [("no ferry has a gong aboard", 0)]),
        ("“No ferry has a gong aboard,” says nobody.", [("No ferry has a gong aboard,", 0)]),
        ("1 S.F.C. § 5 is old.\n\n> No ferry has a gong\n> aboard.\n\nSo it is.", [("> No ferry has a gong\n> aboard.", 0)]),
        ("1 S.F.C. § 5:\n\n> “Two lanterns and a bell.”\n\n1 S.F.C. § 5.", []),
        ("1 S.F.C. § 3 is old. Some were not. “No ferry has a gong aboard,” says nobody. Later came 1 S.F.C. § 5.", [("No ferry has a gong aboard,", 1)]),
        ("The “Ferry and Lantern Act of 1954” is 1 S.F.C. § 5, the “so-called law”.", [("Ferry and Lantern Act of 1954", 1), ("so-called law", 1)]),
        ("The Ferry Act (the “Act”), 1 S.F.C. § 5, is old.", [("Act", 0)]),
        ("1 S.F.C. § 5 (“the FLA”).", [("the FLA", 0)]),
        ("1 S.F.C. § 5 speaks of “nine pilots” here.", [("nine pilots", 0)]),
        # A term beside no citation is none of the law's.
        ("The “mate” was old. He sailed. So it was. 1 S.F.C. § 5 is old.", []),
    ],
)  # fmt: skip
def test_quotations_that_are_not_verified_are_told_with_their_place(harbors, text, quotations):
    check = check_draft(harbors, text)
    found = check_quotations(harbors, text, check).unverified
    assert [(text[one.start : one.end], one.citation) for one in found] == quotations


@pytest.mark.parametrize(
    ("words", "outcome"),
    [
        ("one pilot", "exact"),
        ("nine pilots", "absent"),
        ("bell of iron", "absent"),
        ("carries one pilot", "exact"),
        ("carries two pilots", "absent"),
    ],
)
@pytest.mark.parametrize(
    "text", ["1 S.F.C. § 5 (“{}”).", "*See* 1 S.F.C. § 5 (“{}.”); it is old.", '1 S.F.C. § 5\n("{}")']
)
def test_a_short_quotation_in_the_parenthesis_of_a_citation_is_told_whether_it_holds_or_not(
    harbors, text, words, outcome
):
    ((quote, found, _),) = checked(harbors, text.format(words))
    assert quote.rstrip(".") == words
    assert found.replace("normalised", "exact") == outcome


@pytest.mark.parametrize("words", ["one pilot", "nine pilots", "pilot", "gong", "Every ferry", "Every Gong"])
@pytest.mark.parametrize(
    "text",
    [
        "1 S.F.C. § 5 (“{}”).",
        "1 S.F.C. § 5 (requiring “{}” aboard).",
        "1 S.F.C. § 5 requires “{}” aboard.",
        "It has “{}.” 1 S.F.C. § 5.",
        "The mate said that it has “{}.” 1 S.F.C. § 5.",
        "| “{}” | 1 S.F.C. § 5 |",
    ],
)
def test_whether_a_quotation_beside_a_citation_is_told_does_not_hang_on_whether_it_holds(
    harbors, text, words
):
    text = text.format(words)
    found = check_quotations(harbors, text, check_draft(harbors, text))
    places = [(one.start, one.end) for one in found.checked]
    places += [(one.start, one.end) for one in found.unverified]
    assert [text[start:end].rstrip(".") for start, end in places] == [words]


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("&ldquo;{}&rdquo; 1 S.F.C. &sect; 5", "{}"),
        ("&quot;{}&quot; 1 S.F.C. § 5", "{}"),
        ("&#8220;{}&#x201D;&nbsp;1 S.F.C. &#167;&nbsp;5.", "{}"),
        ("1&nbsp;S.F.C.&nbsp;&sect;&nbsp;5 (&#34;{}&#34;).", "{}"),
        ("``{}'' 1 S.F.C. \\S~5.", "{}"),
        ("\\enquote{{{}}} 1 S.F.C. § 5.", "{}"),
        ("<q>{}</q>, 1 S.F.C. § 5.", "{}"),
        ("„{}“ 1 S.F.C. § 5.", "{}"),
        ("«{}» 1 S.F.C. § 5.", "{}"),
        ("It has ‘{}’. 1 S.F.C. § 5.", "{}"),
    ],
)
@pytest.mark.parametrize(
    ("words", "outcome"), [("two lanterns and a bell", "exact"), ("two lanterns and a gong", "absent")]
)
def test_marks_that_are_written_otherwise_enclose_quotations(harbors, text, quote, words, outcome):
    found = checked(harbors, text.format(words))
    assert found == [(quote.format(words), outcome, "1 S.F.C. § 5")]


def test_a_quotation_that_may_be_of_a_citation_of_another_page_is_not_said_to_be_absent(harbors):
    text = "As 1 S.F.C. § 3 says, “a buoy is blue and old.” See 1 S.F.C. § 5 and 1 S.F.C. § 3."
    check = check_draft(harbors, text, first=1, limit=1)
    found = check_quotations(harbors, text, check)
    assert found.checked == ()
    assert [text[one.start : one.end] for one in found.unverified] == ["a buoy is blue and old."]


@pytest.mark.parametrize("cited", ["1 S.F.C. § 1(d); 1 S.F.C. § 1(c).", "1 S.F.C. § 1(c); 1 S.F.C. § 1(d)."])
def test_of_several_citations_a_quotation_is_of_the_one_that_pins_its_part(harbors, cited):
    text = f"A vessel “is not entitled to a berth.” {cited}"
    (_, outcome, citation) = checked(harbors, text)[0]
    assert (outcome, citation) == ("exact", "1 S.F.C. § 1(c)")
