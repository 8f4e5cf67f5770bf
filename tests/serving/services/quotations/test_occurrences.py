"""Finding quotations: what is passed over and told, where it stands to the character, and what comes nearest."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from serving.services.quotations.folding import FoldedText, Normalisation, fold_quotation
from serving.services.quotations.nearest import find_nearest
from serving.services.quotations.occurrences import find_quotation

TEXT = (
    "Notwithstanding any other provision, the fair use of a protected work for criticism, teaching or "
    "research is not an infringement.\nIn determining whether a use is fair, a court shall consider its "
    "purpose, the nature of the “work” and the effect upon the market — see section 5. The agency states a "
    "for‑profit ﬁnding."
)
FOLDED = FoldedText(TEXT)


@pytest.mark.parametrize(
    ("quote", "pieces", "steps"),
    [
        ("the fair use of a protected work", ["the fair use of a protected work"], []),
        ("  is not an infringement.\n", ["is not an infringement."], []),
        ("“is not an infringement.”", ["is not an infringement."], ["outer_marks"]),
        (
            "“research is not an infringement,”",
            ["research is not an infringement"],
            ["outer_marks", "final_punctuation"],
        ),
        ("infringement. In determining", ["infringement.\nIn determining"], ["white_space"]),
        ("the  nature\tof the “work”", ["the nature of the “work”"], ["white_space"]),
        ('the nature of the "work"', ["the nature of the “work”"], ["quotation_marks"]),
        ("the nature of the ‘work’", ["the nature of the “work”"], ["quotation_marks"]),
        ("upon the market--see section 5", ["upon the market — see section 5"], ["dashes"]),
        ("a for-profit ﬁnding", ["a for‑profit ﬁnding"], ["dashes"]),
        ("a for‑profit finding", ["a for‑profit ﬁnding"], ["characters"]),
        ("the fair\u00adness", [], None),
        ("the fa\u00adir use", ["the fair use"], ["characters"]),
        ("[T]he fair use of a protected work", ["the fair use of a protected work"], ["brackets"]),
        ("the fair use of a protected work [of art]", ["the fair use of a protected work"], ["brackets"]),
        ("the fair use of a protected work . . .", ["the fair use of a protected work"], ["ellipses"]),
        ("a court [must] consider its purpose", ["a court", "consider its purpose"], ["brackets"]),
        ("The agency stat[ed] a for‑profit", ["The agency stat", "a for‑profit"], ["brackets"]),
        (
            "the fair use . . . is not an infringement",
            ["the fair use", "is not an infringement"],
            ["ellipses"],
        ),
        ("the fair use … is not an infringement", ["the fair use", "is not an infringement"], ["ellipses"]),
        (
            "the fair use * * * is not an infringement",
            ["the fair use", "is not an infringement"],
            ["ellipses"],
        ),
        ("the fair use [. . .] is not", ["the fair use", "is not"], ["ellipses"]),
        (
            "The fair use ... [A] court shall consider its purpose",
            ["the fair use", "a court shall consider its purpose"],
            ["brackets", "ellipses", "case"],
        ),
        ("THE FAIR USE", ["the fair use"], ["case"]),
        ("is not an infringement ... the fair use", [], None),
        ("the fair use of a copyrighted work", [], None),
        ("air use of a", [], None),
        ("the fair us", [], None),
        ("a court shall [consider] its [own] findings", [], None),
        ("...", [], None),
        ("“”", [], None),
        ("[x]", [], None),
    ],
)
def test_a_quotation_is_found_as_it_stands(quote, pieces, steps):
    found = find_quotation(FOLDED, quote)
    assert (found is None) == (steps is None)
    if found is not None:
        assert [TEXT[start:end] for start, end in found.spans] == pieces
        assert list(found.steps) == steps


def test_a_part_that_is_pinned_is_preferred():
    text = FoldedText("(a) the sum of $5. (b) the sum of $5. (c) the  sum of $5.")
    found = find_quotation(text, "the sum of $5", within=[(19, 38)])
    assert found is not None
    assert found.spans == ((23, 36),)
    assert found.places == 2, "those to the letter"


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("fined not more than $10,000 for each", "fined not more than $10"),
        ("fined not more than $10,000 for each", "“fined not more than $10,”"),
        ("fined not more than $10,000 for each", "fined not more than $10 . . . for each"),
        ("a fine of $110,000 or less", "a fine [of $1]10,000 or less"),
        ("a rate of 2.5 percent", "5 percent"),
        ("a rate of .5 percent", "5 PERCENT"),
        ("under section 2000e-2 of title 42", "under section 2000e"),
        ("under section 5¹ of the Act", "under section 51 of the Act"),
        ("Non-residential uses are allowed", "residential uses are allowed"),
        ("a non‑profit  body", "profit body"),
        ("the un\u00adlawful use", "lawful use"),
        ("a share of 5/6 of it", "a share of 5"),
        ("under section 2C:11 of it", "under section 2C:1"),
        ("within 60 days after notice", "within [a time of] 30 [calendar] days after notice"),
        ("there is copyright protection", "there is [ever] no [such] copyright protection"),
        ("there is copyright protection in a work", "there is … no … protection in a work"),
    ],
)
def test_no_figure_no_compound_and_no_short_word_is_lost(text, quote):
    assert find_quotation(FoldedText(text), quote) is None


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("for purposes such as—criticism, comment", "criticism,  comment"),
        ("not more than $10, or both", "not more than $10"),
        ("under section 5.", "under section 5"),
        ("of the 5-year period", "[3]-year period"),
        ("uses - residential uses", "residential USES"),
    ],
)
def test_stops_and_dashes_beside_a_word_are_none_of_it(text, quote):
    assert find_quotation(FoldedText(text), quote) is not None


def test_a_figure_that_was_cut_is_told_whole():
    near = find_nearest(
        FoldedText("shall be fined not more than $10,000 for each"), "fined not more than $10"
    )
    assert near is not None
    assert [(one.quote, one.text) for one in near.differences] == [("10", "10,000")]


def test_brackets_that_the_text_has_are_no_alteration():
    found = find_quotation(
        FoldedText("as provided in section 9 [sic] of the Act"), "section 9 [sic] of the Act"
    )
    assert found is not None
    assert found.steps == ()


def test_dots_that_the_text_has_are_no_omission():
    found = find_quotation(FoldedText("the words . . . are struck"), "words . . . are struck")
    assert found is not None
    assert found.steps == ()


def test_a_part_as_near_as_possible_is_taken_before_an_omission():
    text = FoldedText("the owner may sue. the owner may sell. the buyer pays.")
    found = find_quotation(text, "the owner ... the buyer pays")
    assert found is not None
    assert found.spans == ((19, 28), (39, 53))


@pytest.mark.parametrize(
    "quote",
    [
        "a [" + " " * 200_000 + "b",
        "a" + ",;" * 100_000 + "b",
        "a . ." + " " * 200_000 + "b",
        "the ... " * 600,
    ],
)
def test_runs_of_blanks_and_marks_take_no_long_time(quote):
    find_quotation(FoldedText("the of " * 20_000), quote)


def test_many_brackets_over_a_text_that_repeats_itself_take_no_long_time():
    text = FoldedText("the sum and " * 20_000)
    assert find_quotation(text, "[x] the sum [y] and the buyer " * 40) is None


WORDS = st.lists(
    st.sampled_from(
        [
            "the",
            "court",
            "shall",
            "“work”",
            "for-profit",
            "§",
            "107",
            "(a)",
            "it’s",
            "—",
            "ﬁnds",
            "É",
            "x\n",
            "fee;",
        ]
    ),
    min_size=3,
    max_size=40,
)
NOISE = {
    Normalisation.WHITE_SPACE: lambda text: text.replace(" ", " \n "),
    Normalisation.QUOTATION_MARKS: lambda text: text.replace("“", '"').replace("”", '"').replace("’", "'"),
    Normalisation.DASHES: lambda text: text.replace("—", "--").replace("for-profit", "for‑profit"),
    Normalisation.CHARACTERS: lambda text: text.replace("ﬁ", "fi"),
    Normalisation.CASE: str.upper,
}


@pytest.mark.hypothesis
@given(words=WORDS, data=st.data())
def test_every_stretch_of_words_is_found_however_it_is_typed(words, data):
    text = " ".join(words)
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first + 1, len(words)))
    quote = " ".join(words[first:last])
    assume(any(letter.isalnum() for letter in quote))
    noises = data.draw(st.sets(st.sampled_from(sorted(NOISE))))
    typed = quote
    for step in sorted(noises):
        typed = NOISE[step](typed)
    found = find_quotation(FoldedText(text), typed)
    assert found is not None
    ((start, end),) = found.spans
    assert fold_quotation(text[start:end]) == fold_quotation(typed)
    assert set(found.steps) <= {
        *noises,
        Normalisation.WHITE_SPACE,
        Normalisation.FINAL_PUNCTUATION,
        Normalisation.OUTER_MARKS,
    }


@pytest.mark.hypothesis
@given(text=st.text(max_size=300), data=st.data())
def test_a_folded_text_knows_its_way_back(text, data):
    folded = FoldedText(text)
    assume(folded.text.strip())
    start = data.draw(st.integers(0, len(folded.text) - 1))
    end = data.draw(st.integers(start + 1, len(folded.text)))
    first, last = folded.span(start, end)
    assert 0 <= first <= last <= len(text)
    assert folded.text[start:end].strip() in fold_quotation(text[first:last])


@pytest.mark.parametrize(
    ("quote", "piece", "differences"),
    [
        (
            "the fair use of a copyrighted work for criticism",
            "the fair use of a protected work for criticism",
            [("copyrighted", "protected")],
        ),
        ("the court shall consider its purpose", "a court shall consider its purpose", [("the", "a")]),
        ("a court shall consider purpose", "a court shall consider its purpose", [("", "its")]),
        ("research, is not an infringement", "research is not an infringement", [(",", "")]),
    ],
)
def test_the_nearest_stretch_is_shown_with_what_differs(quote, piece, differences):
    near = find_nearest(FOLDED, quote)
    assert near is not None
    assert TEXT[near.start : near.end] == piece
    assert [(one.quote, one.text) for one in near.differences] == differences
    assert 0.7 < near.similarity < 1


@pytest.mark.parametrize("quote", ["income tax on gambling winnings", "zzz", "", "§ § §"])
def test_nothing_like_it_is_nothing(quote):
    assert find_nearest(FOLDED, quote) is None


def test_the_nearest_of_a_long_text_is_found_where_it_stands():
    lines = [f"({number}) The board reviews matter {number} of the harbor plan." for number in range(5_000)]
    text = FoldedText("\n".join(lines))
    near = find_nearest(text, "The council reviews matter 3141 of the harbour plan")
    assert near is not None
    assert "matter 3141 of" in text.source[near.start : near.end]


def test_a_mark_of_our_own_that_is_typed_is_no_hyphen_and_is_told():
    assert find_quotation(FoldedText("The co-owner shall pay."), "The co\x01owner shall") is None
    found = find_quotation(FoldedText("The owner shall pay."), "The own\x01er shall")
    assert found is not None
    assert found.steps == (Normalisation.CHARACTERS,)


@pytest.mark.parametrize(
    ("character", "folded"), [("ﬁ", "fi"), ("Ⅷ", "viii"), ("\ufdfa", "\ufdfa"), ("㌖", "㌖")]
)
def test_a_character_that_shows_words_and_not_letters_stays_one(character, folded):
    assert fold_quotation(f"a{character * 3}b") == f"a{folded * 3}b"
