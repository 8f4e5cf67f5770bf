"""Words whose endings a quotation changes in brackets: another inflection is the same word, all else is none."""

import pytest

from serving.services.quotations.inflections import is_inflected
from serving.services.quotations.verification import verify_quotes
from serving.services.quotations.verified_quotes import Quote


@pytest.mark.parametrize(
    ("word", "stem", "ending"),
    [
        ("pointing", "point", ""),
        ("exceeded", "exceed", ""),
        ("exceeds", "exceed", "ed"),
        ("exceed", "exceed", "ing"),
        ("induces", "induce", "d"),
        ("induces", "induc", "ing"),
        ("inducing", "induc", "es"),
        ("inducing", "induc", "e"),
        ("induced", "induc", "e"),
        ("induce", "induc", "ing"),
        ("provide", "provide", "s"),
        ("sections", "section", ""),
        ("section", "section", "s"),
        ("Passes", "Pass", "ed"),
        ("EXCEEDED", "EXCEED", "S"),
        ("stops", "stop", "ped"),
        ("stopping", "stop", ""),
        ("applies", "appl", "ied"),
        ("parties", "part", "y"),
        ("do", "do", "es"),
        ("photos", "photo", ""),
        ("have", "ha", "s"),
        ("has", "ha", "d"),
        ("prohibits", "prohibit", "ed"),
        ("uses", "us", "ing"),
        ("induces", "ind", "uced"),
        ("permits", "permit", "ted"),
        ("agreeing", "agree", "d"),
        ("offers", "offer", "ed"),
    ],
)
def test_another_inflection_is_the_same_word(word, stem, ending):
    assert is_inflected(word, stem + ending)


@pytest.mark.parametrize(
    ("word", "stem", "ending"),
    [
        ("act", "act", "or"),
        ("actor", "act", ""),
        ("actor", "act", "s"),
        ("harbor", "harbor", "less"),
        ("harborless", "harbor", ""),
        ("use", "use", "less"),
        ("lawful", "lawful", "ly"),
        ("business", "bus", ""),
        ("personal", "person", ""),
        ("requires", "require", "ment"),
        ("part", "part", "y"),
        ("parts", "part", "ies"),
        ("claim", "claim", "es"),
        # A short vowel before one consonant doubles it: `cared` is no form of `car`.
        ("cars", "car", "ed"),
        ("plans", "plan", "ed"),
        ("sits", "sit", "es"),
        ("us", "us", "ed"),
        ("rats", "rat", "ing"),
        ("cloth", "cloth", "es"),
        # Little words have no inflections.
        ("it", "it", "s"),
        ("a", "a", "s"),
        ("her", "her", "s"),
        ("thing", "th", "e"),
        ("sing", "s", "ed"),
        # Words that negate, limit, command or count.
        ("noting", "not", ""),
        ("not", "not", "es"),
        ("will", "will", "ing"),
        ("except", "except", "ed"),
        ("excluding", "exclud", "es"),
        ("one", "one", "s"),
        ("third", "third", "s"),
        ("saved", "save", ""),
        # With an ending these are other words.
        ("good", "good", "s"),
        ("damages", "damage", ""),
        ("found", "found", "ed"),
        ("news", "new", ""),
        # Not a stem of the word at all.
        ("exceeds", "excel", "ed"),
    ],
)
def test_other_letters_make_another_word(word, stem, ending):
    assert not is_inflected(word, stem + ending)


@pytest.mark.parametrize(
    ("quote", "outcome"),
    [
        ("the board shall decide[] within 6 days", "normalised"),
        ("a pilot who is guilty of misconduct in refus[al] to stop the ferry", "altered"),
        ("A ferry with 15 or more seat[] pay[] a sum", "normalised"),
        ("A ferry with 15 or more seats pay[ing] a sum", "normalised"),
        ("A ferry with 15 or more seats pay[ ] a sum", "normalised"),
        ("A ferry with 15 or more seats pay[er] a sum", "altered"),
        ("[a] ferry with 15 or more seats pa[id] a sum", "altered"),
        ("The board may suspend[ed] a pilot", "normalised"),
        ("as the board f[ound] just", "altered"),
        ("as the board find[ing] just", "normalised"),
        # The ending at the quotation's end, or with dots behind it.
        ("$300 as the board find[]", "normalised"),
        ("$300 as the board find[ing]", "normalised"),
        ("$300 as the board find[er]", "altered"),
        ("A contract of carriage . . . shall be valid, and the notice shall be post[]", "normalised"),
        ("For claim[] . . . made by a master", "altered"),  # The dots pass over a figure.
        ("A contract[s] . . . shall be valid", "normalised"),
        ("A contract[or] . . . shall be valid", "altered"),
        ("A contract[or] . . . .", "altered"),
        ("A contract[s] . . . .", "normalised"),
        # Other words beside the ending are changed words, and a blank makes a word of its own.
        ("A contract [such] of carriage", "altered"),
        ("A contract[s of] carriage", "altered"),
        ("A contract[ed] carriage", "altered"),
        ("an agreement[s] [of] writing to settle", "altered"),
        ("or the refusal to carry it out[] an agreement", "altered"),
        ("stop the ferry, upon sufficient cause[d] shown", "normalised"),
        ("in refusing to stop[ped] the ferry", "normalised"),
    ],
)
def test_of_a_provision_only_the_ending_differs(harbors, quote, outcome):
    (verified,) = verify_quotes(harbors, [Quote(quote, citation="1 S.F.C. § 7")])
    assert verified.outcome == outcome, verified.passed_over
