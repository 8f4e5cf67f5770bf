"""Snippets: the stretch with the query's words, cut at words or sentences, with offsets that point at them."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serving.services.snippets import LENGTH, make_snippet, query_terms

FILLER = "The provisions of this part shall apply to every matter that is pending. " * 12
FAIR_USE = "The fair use of a copyrighted work is not an infringement of copyright."


def terms(query):
    return query_terms(query)


def snippet_of(text, query, span=None):
    return make_snippet(memoryview(text.encode()), terms(query), span=span)


def words(snippet):
    return [snippet.text[start:end] for start, end in snippet.highlights]


def test_short_text_is_shown_whole():
    assert snippet_of(FAIR_USE, "copyright").text == FAIR_USE


def test_stretch_with_most_words_is_chosen():
    text = "Copyright is explained elsewhere. " + FILLER + FAIR_USE + " " + FILLER
    snippet = snippet_of(text, "fair use of copyrighted works")
    assert FAIR_USE in snippet.text
    assert snippet.text.startswith("… ")
    assert snippet.text.endswith(" …")


def test_highlights_are_the_querys_words_in_any_form():
    snippet = snippet_of(FAIR_USE, "Copyrights infringing")
    assert words(snippet) == ["copyrighted", "infringement", "copyright"]


def test_stop_words_are_not_highlighted():
    assert words(snippet_of(FAIR_USE, "the use of a work")) == ["use", "work"]


def test_part_of_a_word_is_not_highlighted():
    assert words(snippet_of("The party took part in an art fair.", "art")) == ["art"]


def test_offsets_count_characters_not_bytes():
    snippet = snippet_of("§ 5—naïve “copyright” — a copyright’s term", "copyright naive")
    assert words(snippet) == ["naïve", "copyright", "copyright’s"]


def test_offsets_hold_in_a_stretch_with_dashes_cut_out_of_a_long_text():
    text = FILLER + "A copyright—“mark” or ‘Copyrighted’ work’s—is § 5 copyright’s. " + FILLER
    snippet = snippet_of(text, "copyright work")
    assert snippet.text.startswith("… ")
    assert words(snippet) == ["copyright", "Copyrighted", "work’s", "copyright’s"]


@pytest.mark.parametrize("query", ["USC", "U.S.C.", "u.s.c."])
def test_acronym_is_found_in_both_spellings(query):
    assert words(snippet_of("See 17 U.S.C. 107 or 17 USC 108.", query)) == ["U.S.C.", "USC"]


def test_stem_that_no_word_begins_with_is_found():
    assert words(snippet_of("The policy and other policies.", "policies")) == ["policy", "policies"]


def test_without_any_word_the_beginning_is_shown():
    snippet = snippet_of(FILLER, "zebra")
    assert snippet.text.startswith("The provisions of this part")
    assert snippet.highlights == ()


def test_chunk_bounds_the_search():
    text = FAIR_USE + " " + FILLER
    chunk = (text.encode().index(b"The provisions"), len(text.encode()))
    snippet = snippet_of(text, "copyright", span=chunk)
    assert "copyright" not in snippet.text


def test_chunk_that_begins_within_a_word_is_shown_from_the_next():
    text = "Reproductions of a work are permitted."
    assert snippet_of(text, "work", span=(4, len(text))).text == "… of a work are permitted."


def test_text_is_folded_to_one_line():
    assert snippet_of("(a) In general\n(1) fair\n(2) use", "fair").text == "(a) In general (1) fair (2) use"


def test_container_without_text_has_an_empty_snippet():
    snippet = snippet_of("", "copyright")
    assert (snippet.text, snippet.highlights) == ("", ())


def test_sentences_end_a_snippet_where_one_ends_near():
    snippet = snippet_of(FILLER, "provisions")
    assert snippet.text.removesuffix(" …").endswith(".")


def test_the_sentence_that_holds_the_words_is_shown_whole():
    text = FILLER + "See Pub. L. 94-553 as well. A landlord shall return a deposit within 45 days. " + FILLER
    snippet = snippet_of(text, "how long until my landlord returns the deposit")
    assert "A landlord shall return a deposit within 45 days." in snippet.text
    assert snippet.text.removeprefix("… ")[0].isupper()
    assert words(snippet) == ["landlord", "return", "deposit"]


def test_all_the_words_together_beat_one_of_them_alone_before():
    text = "A deposit is money. " + FILLER + "No landlord may keep a security deposit. " + FILLER
    assert "No landlord may keep" in snippet_of(text, "landlord keep security deposit").text


@pytest.mark.parametrize(
    ("query", "apart", "phrase"),
    [
        ('"security deposit"', "A deposit is a security for rent, and security a deposit.", "security deposit"),
        ('"security deposit" landlord', "The landlord holds a deposit, the landlord a security.", "Security Deposit"),
        ('"security deposits" interest', "Interest on a deposit as security is due.", "security deposit"),
        ('"security deposit"', "A deposit is a security.", "security—deposit"),
        ('"power of attorney" agent', "The agent of an attorney has power.", "powers of attorney"),
        ('"chief’s duty"', "A duty of the chief, the chief’s own duty.", "chief’s duty"),
        ('"duty of the sky" chief', "The chief has a duty under the sky.", "duties of the skies"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("behind", [True, False])
def test_a_phrase_beats_its_words_apart(query, apart, phrase, behind):
    sentence = f"Here the {phrase} is meant."
    text = FILLER.join((apart, sentence, apart) if behind else (sentence, apart, apart))
    snippet = snippet_of(text + FILLER, query)
    assert sentence in snippet.text
    assert phrase in words(snippet)


def test_of_two_phrases_the_stretch_with_both_is_shown():
    both = "A fair use of a work for hire is both."
    text = FILLER.join(("A fair use is a use.", "A work for hire is a work.", both, ""))
    snippet = snippet_of(text, '"work for hire" "fair use"')
    assert both in snippet.text
    assert words(snippet) == ["fair use", "work for hire"]


def test_a_phrase_beside_the_nearest_chunk_is_shown():
    text = (
        "A deposit is a security. " + FILLER * 9 + "Naïve §§ 5—6 say “security deposit” and more. " + FILLER
    )
    for span in (None, (0, 400)):
        snippet = snippet_of(text, '"security deposit"', span=span)
        assert "Naïve §§ 5—6 say “security deposit” and more." in snippet.text
        assert snippet.text.startswith("… ")
        assert words(snippet) == ["security deposit"]


@pytest.mark.parametrize("written", ["deposit", "Deposit"])
def test_a_word_that_stands_far_from_the_beginning_alone_is_shown(written):
    text = FILLER * 9 + f"Naïve—{written} is money. " + FILLER
    snippet = snippet_of(text, "deposit")
    assert words(snippet) == [written]
    assert snippet.text.startswith("… ")


def test_the_little_words_of_a_phrase_are_shown_in_it_alone():
    text = "The power of an agent is that of a power of attorney."
    assert words(snippet_of(text, '"power of attorney"')) == ["power", "power of attorney"]
    assert words(snippet_of(text, '"of a"')) == ["of a"]


def test_a_phrase_longer_than_a_snippet_is_shown_from_its_beginning():
    phrase = " ".join(f"matter{number} that is pending" for number in range(40))
    snippet = snippet_of(FILLER + phrase, f'"{phrase}"')
    assert "matter0 that is pending" in snippet.text


def test_a_phrase_that_stands_nowhere_leaves_its_words():
    text = FILLER + "A deposit is a security. " + FILLER
    assert words(snippet_of(text, '"security deposit"')) == ["deposit", "security"]


@pytest.mark.parametrize("before", ["", "Copyright is explained elsewhere. ", FILLER])
@pytest.mark.parametrize("behind", [" ", "\n", ", ", "—", ". "])
def test_no_sentence_that_ends_before_ends_a_snippet_without_the_words_it_was_chosen_for(before, behind):
    for distance in range(100):
        text = f"{before}An owner{' a' * distance} work. It is{' a' * (99 - distance)} hire{behind}of "
        shown = snippet_of(text + "all that is made " * 20, "owner hire")
        assert words(shown)[:2] == ["owner", "hire"], distance


def test_the_last_of_these_words_is_shown_whole():
    for lead in range(80):
        text = f"{FILLER}The{'b' * lead} owner {'a ' * 104}copyrightability\nof {'all that is made ' * 20}"
        assert words(snippet_of(text, "owner copyrightability")) == ["owner", "copyrightability"], lead


def test_a_snippet_ends_with_the_word_that_ends_at_its_limit():
    text = "owners" + " it is" * LENGTH
    assert snippet_of(text, "owner").text == f"{text[:LENGTH]} …"


@pytest.mark.parametrize("divided", [". ", ".—", ": ", "\n"])
def test_a_heading_that_the_text_repeats_is_not_shown_again(divided):
    text = f"Fair Use{divided}{FAIR_USE}"
    snippet = make_snippet(memoryview(text.encode()), terms("copyright"), span=None, heading="Fair use.")
    assert snippet.text == FAIR_USE
    assert words(snippet) == ["copyrighted", "copyright"]


def test_a_text_that_begins_with_the_words_of_its_heading_is_left_whole():
    text = "Fair use of a work is permitted."
    snippet = make_snippet(memoryview(text.encode()), terms("work"), span=None, heading="Fair use")
    assert snippet.text == "Fair use of a work is permitted."
    alone = make_snippet(memoryview(b"Fair use."), terms("work"), span=None, heading="Fair use")
    assert alone.text == "Fair use."


@given(
    st.text(alphabet="ab Zé§—'’.\n\U0001f600", max_size=900),
    st.text(alphabet='ab Zé."', min_size=1, max_size=20),
    st.tuples(st.integers(0, 900), st.integers(0, 900)),
)
def test_any_text_gives_a_bounded_snippet_with_sound_highlights(text, query, bounds):
    raw = text.encode()
    # Chunks begin and end between characters.
    first, last = sorted(len(text[:bound].encode()) for bound in bounds)
    for span in (None, (first, last)):
        snippet = make_snippet(memoryview(raw), terms(query), span=span)
        assert len(snippet.text) <= LENGTH + 4
        assert all(0 <= start < end <= len(snippet.text) for start, end in snippet.highlights)
        assert all(left[1] <= right[0] for left, right in pairwise(snippet.highlights))
