"""Forms that a second set of questions brought up: cases written before the code that reads them.

`further_forms.tsv` was at hand while it was made; `further_forms_held_back.tsv` was first run when it was done. So
it was with the forms of states and agencies, in the two files after these, and with those in `as_they_stand.tsv`.
A row has the way of asking, the text, and what must be read in it, in order: `ours` with the canonical citation,
`known` with the kind of law or the canonical citation, `unknown` with its name, `nothing`, `refused` where nothing of ours may be read, or
`refused of the second` where only the first citation may be.
"""

from pathlib import Path

import pytest

from serving.contract.citations import Citation, Grammar, Unparsed, parse, read_one

_HELD = ("us-usc", "dc-code", "ca-san-mateo-code")
_FOLDER = Path(__file__).parent


def _rows(name: str) -> list[tuple[str, str, str]]:
    written = (_FOLDER / name).read_text(encoding="utf-8").splitlines()
    lines = (line for line in written if not line.startswith("#"))
    return [
        (mode, text.replace("\\n", "\n"), expected)
        for mode, text, expected in (line.split("\t") for line in lines)
    ]


ROWS = [
    *_rows("further_forms.tsv"),
    *_rows("further_forms_held_back.tsv"),
    *_rows("further_forms_of_states.tsv"),
    *_rows("further_forms_of_states_held_back.tsv"),
    *_rows("as_they_stand.tsv"),
]


def _said(citation: Citation, grammar: Grammar) -> str:
    """Return what was read, in the words of the tables; a known law with its kind and its citation."""
    if citation.kind == "unknown_code":
        return f"unknown {citation.code_name}"
    if citation.code in _HELD:
        return f"ours {citation.canonical}"
    code = grammar.code(citation.scheme or "")
    return f"known {code.scheme.law}: {citation.canonical}" if code else "unread"


def _is_said(said: str, expected: str) -> bool:
    """Return True where that is what was read; of a known law its kind or its citation is expected."""
    law, _, written = said.removeprefix("known ").partition(": ")
    return said == expected or (written != "" and expected in (f"known {law}", f"known {written}"))


def said_of(mode: str, text: str, grammar: Grammar) -> list[str]:
    if mode == "typed":
        read = read_one(text, grammar)
        found = [] if isinstance(read, Unparsed) else list(read)
    else:
        found = parse(text, grammar)
    return [_said(one, grammar) for one in found if one.kind != "unread" or one.code not in (None, *_HELD)]


@pytest.mark.parametrize(("mode", "text", "expected"), ROWS)
def test_what_is_read(grammar: Grammar, mode: str, text: str, expected: str) -> None:
    said = said_of(mode, text, grammar)
    ours = [one for one in said if one.startswith("ours")]
    if expected == "refused":
        assert not ours
    elif expected == "refused of the second":
        assert not ours
        assert len(said) == 1
    else:
        wanted = [] if expected == "nothing" else expected.split("; ")
        assert len(said) == len(wanted), said
        assert all(map(_is_said, said, wanted)), said


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Section 107 of the Copyright Act of 1976 codifies fair use.", "Copyright Act of 1976 § 107"),
        ("Section 107 of the Copyright Act codifies fair use.", "Copyright Act of 1976 § 107"),
        ("The Copyright Act of 1909 is older.", "Copyright Act of 1909"),
        ("The Securities Act of 1999 is none.", "Securities Act of 1999"),
    ],
)
def test_an_act_of_another_year_is_another_act(grammar: Grammar, text: str, expected: str) -> None:
    (read,) = parse(text, grammar)
    assert read.canonical == expected
    assert (read.kind == "unknown_code") is ("1909" in text or "1999" in text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("It fails under Title II of the Genetic Fairness Act of 2008.", "Genetic Fairness Act of 2008"),
        ("Congress and the Clean Harbors Act of 1999 are at odds.", "Clean Harbors Act of 1999"),
    ],
)
def test_an_unknown_act_is_named_without_what_stands_before_it(
    grammar: Grammar, text: str, name: str
) -> None:
    (read,) = parse(text, grammar)
    assert read.code_name == name


@pytest.mark.parametrize(
    "text",
    ["Smith v. Marine Protection Act of 1999 Trustees went on.", "In the Act of 1974 it stands."],
)
def test_a_party_and_an_act_named_before_are_no_acts(grammar: Grammar, text: str) -> None:
    assert parse(text, grammar) == []


@pytest.mark.parametrize("glued", ["(zz9)", "(2A–x9)", "(b1c2)"])
def test_a_part_that_is_not_understood_is_not_passed_over(grammar: Grammar, glued: str) -> None:
    assert isinstance(read_one(f"D.C. Code § 4-1301.02{glued}", grammar), Unparsed)


@pytest.mark.parametrize("begun", ["9 U.S.C. § 10", "9 U.S.C. § 10(a)"])
@pytest.mark.parametrize(
    "parts",
    [
        *(
            "(z, y)",
            "(c or d)",
            "(1, 2, 5)",
            "(3 and 9)",
            "(3/4)",
            "(iii or iv)",
            "(xx-yy)",
            "(a–b)",
            "(1; 2)",
        ),
        *("(1 & 4)", "(a and/or b)", "(a through d)", "[1, 4]", " (1, 4)", ", (z, y)", "(a or so)", "(ab)"),
        *("(3 9)", "(a 3)", "(3?)", "(3: x)", "(or 9)"),
    ],
)
def test_a_list_of_parts_in_one_parenthesis_is_not_passed_over(
    grammar: Grammar, begun: str, parts: str
) -> None:
    assert isinstance(read_one(f"{begun}{parts}", grammar), Unparsed)


@pytest.mark.parametrize(
    "typed",
    [
        *("17 U.S.C. (§ 106)", "17 U.S.C. [§ 107]", "35 U.S.C. (§§ 101, 999)", "17 U.S.C. (ch. 5)"),
        *("17 U.S.C. (106, 107)", "17 U.S.C. (fair use, § 107)", "17 U.S.C. ch. 5 (section 501)"),
        *("17 U.S.C. § 107 (§ 106)", "17 U.S.C. § 107 (paragraphs 1 and 2)", "17 U.S.C. § 107 (subd. a)"),
    ],
)
def test_an_aside_that_begins_with_a_mark_or_unit_explains_nothing(grammar: Grammar, typed: str) -> None:
    assert isinstance(read_one(typed, grammar), Unparsed)


@pytest.mark.parametrize("cited", ["17 U.S.C. § 107", "17 U.S.C. § 107(1)", "17 U.S.C. ch. 5", "17 U.S.C."])
@pytest.mark.parametrize(
    "aside",
    [
        *("(West 2020)", "(fair use)", "(2018)", "(2012 & 2018)", "(1988 & Supp. V 1993)", "(2018, 2020)"),
        *("(part of the Copyright Act)", "[fair use]", "(search and seizure)", "(as amended)"),
    ],
)
def test_an_aside_that_explains_is_passed_over(grammar: Grammar, cited: str, aside: str) -> None:
    for blank in (" ", ""):
        assert isinstance(read_one(f"{cited}{blank}{aside}", grammar), tuple), blank


def test_the_number_that_an_act_has_for_the_section_explains_it(grammar: Grammar) -> None:
    assert isinstance(read_one("29 U.S.C. § 158 (section 8 of the NLRA)", grammar), tuple)
    assert isinstance(read_one("D.C. Code § 4-1301.02(2024)", grammar), tuple)


@pytest.mark.parametrize(
    "text",
    [
        "Canadian Patent Act § 27 differs.",
        "See Australian Copyright Act § 10.",
        "The Patent Act of Canada § 27 says so.",
        "It fails under section 2 of the Swedish Arbitration Act.",
        "In Table C–6, California Code of Regulations, Title 24, Part 2, it stands.",
        "The Higher Education Amendments of 1986 say nothing of it.",
    ],
)
def test_a_longer_name_is_of_another_law(grammar: Grammar, text: str) -> None:
    assert [one for one in parse(text, grammar) if one.kind in ("popular_name", "container", "section")] == []


def test_sections_of_the_patent_act_are_those_of_its_title(grammar: Grammar) -> None:
    (read,) = parse("The Patent Act § 271(b) forbids it.", grammar)
    assert read.canonical == "Patent Act of 1952 § 271(b)"
    (act,) = {name.citation for name in grammar.popular_names if name.name == read.act and name.codified}
    assert act == "35 U.S.C."
