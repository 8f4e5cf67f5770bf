"""Properties of reading any text: what was written is read back, no text breaks the reader, and none slows it down."""

import re
import string
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from serving.contract.citations import CitationScheme, Grammar, format_section, parse, read_one
from serving.contract.citations.citation import UNREAD
from serving.contract.citations.lists import split_range
from serving.contract.citations.source import fold
from serving.contract.citations.spelling import spell_number
from tests.growth import grows_with_length
from tests.serving.contract.citations.conftest import reviewed_names, reviewed_schemes

GRAMMAR = Grammar(reviewed_schemes(), reviewed_names())
LABELS = st.one_of(
    st.sampled_from(string.ascii_letters),
    st.sampled_from(["aa", "BB", "ii", "iv", "viii", "XIV", "a-1", "1A"]),
    st.integers(1, 99).map(str),
)
PIECES = st.sampled_from(
    [
        *"§()[]-–—.,;:/\u00a0 \n\t$#0123456789aAbBiIvVxX",
        *(
            "§§",
            " § ",
            "U.S.C.",
            "usc",
            "42 ",
            "title 42",
            "D.C. Code",
            "section ",
            "sections ",
            " of ",
            "the ",
        ),
        *(
            " and ",
            " to ",
            " through ",
            "(a)",
            "(1)",
            "(i)",
            "note",
            "et seq.",
            "app. ",
            "29-801.02",
            "C.F.R.",
        ),
        *(
            "240.10b-5",
            "Fed. R. Civ. P. ",
            "Rule ",
            "12(b)(6)",
            "Cal. Penal Code",
            "Inspector General Act of 1978",
        ),
        *(
            ", Fourth",
            "Fourth",
            "First",
            "notes",
            "note to ",
            "advisory committee's note",
            " of title 35",
            "18 ",
        ),
        *(
            "app. 3 ",
            "sec. ",
            "51-60",
            "1331, 1332",
            "title 17, ",
            "chapter 5 of ",
            "U.S. Const. ",
            "art. I, ",
        ),
        *("ERISA", "ch. 7", "subch. IV", "Pub. L. ", "111-148", "paragraph (3) of ", "1983", "2000e-2"),
        *("İ", "ß", "٤", "²", "\u200b", "\U0001f600"),
    ]
)
TEXTS = st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=40).map("".join))


def is_one_number(num: str, scheme: CitationScheme) -> bool:
    """Return False for `528-531`, a range where 528 is a number of its own, and for `1note`: a note."""
    ends = split_range(num, several=False, rising=scheme.rising_ranges)
    is_range = ends is not None and all(re.fullmatch(scheme.number, end, re.ASCII) for end in ends)
    return not is_range and not num.endswith(("note", "notes"))


@st.composite
def citations(draw: st.DrawFn, scheme: CitationScheme) -> tuple[str, str]:
    """A canonical citation of the code, and its target."""
    number = re.compile(scheme.number, re.ASCII)
    num = draw(st.from_regex(number, fullmatch=True).filter(lambda n: is_one_number(n, scheme)))
    title = draw(
        st.from_regex(re.compile(scheme.title, re.ASCII), fullmatch=True).filter(lambda t: t[0] != "0")
    )
    if scheme.appendix:
        title = title.rstrip("a")
    appendix = scheme.appendix and scheme.kind == "section" and draw(st.booleans())
    target = format_section(scheme, spell_number(scheme.kind, num), title=title, appendix=appendix)
    pins = draw(st.lists(LABELS, max_size=5))
    tail = draw(st.sampled_from(["", " note", " et seq."]))
    return target + "".join(f"({label})" for label in pins) + tail, target


@pytest.mark.parametrize("scheme", GRAMMAR.schemes, ids=lambda scheme: scheme.code)
@settings(max_examples=2, deadline=None)
@given(data=st.data())
def test_reading_a_formatted_citation_gives_it_back(scheme: CitationScheme, data: st.DataObject) -> None:
    canonical, target = data.draw(citations(scheme))
    found = read_one(canonical, GRAMMAR)
    assert isinstance(found, tuple)
    assert [(citation.canonical, citation.target) for citation in found] == [(canonical, target)]


@settings(max_examples=1_000, deadline=None)
@given(TEXTS)
def test_no_text_breaks_the_reader(text: str) -> None:
    found = parse(text, GRAMMAR)
    read_one(text, GRAMMAR)
    ends = [0]
    for citation in found:
        assert ends[-1] <= citation.start < citation.end <= len(text)
        ends.append(citation.end)


@settings(max_examples=1_000, deadline=None)
@given(TEXTS)
def test_what_is_found_is_written_so_that_it_is_found_again(text: str) -> None:
    for citation in parse(text, GRAMMAR):
        if citation.kind == UNREAD:  # it says that it is not found, in the words of the text
            assert citation.canonical == " ".join(text[citation.start : citation.end].split())
            continue
        again = read_one(citation.canonical, GRAMMAR)
        assert isinstance(again, tuple)
        assert [(other.canonical, other.target, other.code) for other in again] == [
            (citation.canonical, citation.target, citation.code)
        ]


@settings(max_examples=500, deadline=None)
@given(TEXTS)
def test_folding_keeps_every_place(text: str) -> None:
    assert len(fold(text)) == len(text)


ADVERSARIES: dict[str, Callable[[int], str]] = {
    "signs": lambda n: "§" * n,
    "signs and spaces": lambda n: "§ " * (n // 2),
    "labels": lambda n: "42 U.S.C. § 1983" + "(a)" * (n // 3),
    "one list": lambda n: "42 U.S.C. §§ " + "1, " * (n // 3),
    "hyphens": lambda n: "42 U.S.C. § 1" + "-1" * (n // 2),
    "digits": lambda n: "42 U.S.C. § " + "1" * n,
    "names": lambda n: "U.S.C. " * (n // 7),
    "titles": lambda n: "title 42 " * (n // 9),
    "sections before nothing": lambda n: "section 1, " * (n // 11),
    "appendices": lambda n: "5 U.S.C. app. " * (n // 14),
    "acts before appendices": lambda n: "An Act of the X § 3, 5 U.S.C. app., " * (n // 36),
    "acts": lambda n: "Clean Air Act " * (n // 14),
    "capital letters": lambda n: "A " * (n // 2) + "§ 1, 5 U.S.C. app.",
    "parts of parts": lambda n: "subsection (a) of " * (n // 18) + "section 1 of title 2",
    "chapters of chapters": lambda n: "chapter 1 of " * (n // 13) + "title 2",
    "spaces": lambda n: "42 U.S.C." + " " * n + "§ 1983",
    "dots": lambda n: "u.s." * (n // 4),
    "beginnings of names": lambda n: "united states " * (n // 14),
    "ranges": lambda n: "42 U.S.C. §§ " + "1-2-" * (n // 4),
    "open brackets": lambda n: "42 U.S.C. § 1" + "(" * n,
    "defined names": lambda n: "Clean Air Act (the “FAA”) FAA § 1 " * (n // 33),
    "open definitions": lambda n: "Ohio Act (“" * (n // 11),
    "open words of definitions": lambda n: ", hereinafter" * (n // 13),
    "places": lambda n: "Patent Act (UK" * (n // 14),
    "initials": lambda n: "Patent Act, " + "R.S." * (n // 4),
    "labels on lines": lambda n: "9 U.S.C. § 1\n(a)" * (n // 16),
    "lines of labels": lambda n: "9 U.S.C. § 1" + "\n(1)" * (n // 4),
    "parts in words": lambda n: "9 U.S.C. § 1" + ", paragraph (1)" * (n // 15),
    "words and labels": lambda n: "9 U.S.C. § 1 under " + "(a), (b) and " * (n // 13),
    "marks of layout": lambda n: "9 U.S.C. § 1" + "**" * (n // 2),
    "subsections before a title": lambda n: "subsection 1, " * (n // 14) + "title 9",
    "one word of capitals": lambda n: "9 U.S.C. § 1 " + "ABC" * (n // 3),
    "not ASCII": lambda n: "–§\u00a0" * (n // 3),
}
LONG = 80_000


@pytest.mark.parametrize("name", ADVERSARIES)
def test_reading_grows_no_faster_than_the_text(name: str) -> None:
    assert grows_with_length(lambda text: parse(text, GRAMMAR), ADVERSARIES[name], LONG)


def test_titles_without_a_code_are_read_as_quickly_behind_many_others() -> None:
    assert grows_with_length(
        lambda text: parse(text, GRAMMAR), lambda n: "title 9 § 1 " * (n // 12), 2 * LONG
    )
