"""Acts of other places and years that have the name of a known act: they are not the known one."""

import pytest

from serving.contract.citations import Citation, Grammar, Unparsed, parse, read_one


def _typed(text: str, grammar: Grammar) -> list[str]:
    read = read_one(text, grammar)
    return [] if isinstance(read, Unparsed) else [one.kind for one in read]


def _names(read: list[Citation]) -> list[tuple[str, str]]:
    return [(one.kind, one.canonical) for one in read]


@pytest.mark.parametrize(
    "text",
    [
        "section 9 of the Arbitration Act 1996",
        "Section 9 of the Arbitration Act 1996 (UK)",
        "Section 9 of the Arbitration Act, 1996 (India)",
        "Section 9 of the Arbitration Act (U.K.)",
        "Arbitration Act § 9 (England and Wales)",
        "Arbitration Act (Ont.) § 9",
        "Arbitration Act (Ohio) § 9",
        "Arbitration Act (D.C.) § 9",
        "Section 107 of the Copyright Act 1968 (Cth)",
        "Section 107 of the Copyright Act (1968) (Cth)",
        "Section 107 of the Copyright Act, 1911 (Imp.)",
        "Copyright Act (Canada) § 107",
        "Copyright Act [Canada] § 107",
        "Copyright Act § 107 (N.Z.)",
        "Copyright Act (Ontario, Canada) § 107",
        "Section 107 of the Copyright Act, R.S.C. 1985, c. C-42",
        "Section 101 of the Patent Act, RSC 1985, c P-4",
        "Section 101 of the Patent Act (R.S.C. 1985, c. P-4)",
        "Section 101 of the Patent Act, c. P-4",
        "Copyright Act, R.S.C. 1985, c. C-42",
        "Copyright Act, Cap. 528",
        "Copyright Act, No. 98 of 1978",
        "Patent Act (Japan)",
        "Section 107 of the Copyright Act, Canada",
        "Copyright Act, Canada, § 107",
        "Section 9 of the Copyright Act of 1909",
        "Copyright Act of 1909 § 9",
        "Copyright Act, 1909",
    ],
)
def test_an_act_of_another_place_or_year_is_unknown(grammar: Grammar, text: str) -> None:
    for read in (parse(text, grammar), parse(f"Nobody cites {text}, or does he?", grammar)):
        assert [one.kind for one in read] == ["unknown_code"], text
        assert _typed(read[0].canonical, grammar) in (["unknown_code"], []), read[0].canonical
    assert _typed(text, grammar) in (["unknown_code"], []), text


@pytest.mark.parametrize(
    "text",
    [
        "N.Y. Arbitration Act § 2",
        "the U.K. Arbitration Act § 2",
        "B.C. Arbitration Act § 2",
        "UK's Patent Act § 101",
        "Ohio’s own Arbitration Act § 2",
        "New South Wales’ new Copyright Act § 9",
    ],
)
def test_a_place_before_the_name_is_of_the_name(grammar: Grammar, text: str) -> None:
    assert parse(f"See {text}.", grammar) == []


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("section 107 of the Copyright Act", "Copyright Act of 1976 § 107"),
        ("section 107 of the Copyright Act of 1976", "Copyright Act of 1976 § 107"),
        ("section 107 of the Copyright Act (1976)", "Copyright Act of 1976 § 107"),
        ("section 107 of the Copyright Act, 1976", "Copyright Act of 1976 § 107"),
        ("section 107 of the Copyright Act 1976", "Copyright Act of 1976 § 107"),
        ("the Copyright Act § 107 (fair use)", "Copyright Act of 1976 § 107"),
        ("the Copyright Act § 107 (Fair Use)", "Copyright Act of 1976 § 107"),
        ("section 107 of the Copyright Act (West 2018)", "Copyright Act of 1976 § 107"),
        ("section 107 of the Copyright Act, 2018 ed.", "Copyright Act of 1976 § 107"),
        ("section 107 of the Copyright Act, 1976 U.S.C.C.A.N. 5659", "Copyright Act of 1976 § 107"),
        ("section 107 of the Copyright Act, Canada and its own law", "Copyright Act of 1976 § 107"),
        ("section 107 of the Copyright Act, Congress, and the courts", "Copyright Act of 1976 § 107"),
        ("section 107 of the Copyright Act, in Canada too", "Copyright Act of 1976 § 107"),
        ("section 107 of the Copyright Act (Canada has its own)", "Copyright Act of 1976 § 107"),
        ("the U.S. Copyright Act § 107", "Copyright Act of 1976 § 107"),
        ("section 9 of the Arbitration Act", "Federal Arbitration Act of 1925 § 9"),
        ("section 9 of the Federal Arbitration Act, 9 U.S.C. § 9", "Federal Arbitration Act of 1925 § 9"),
        ("section 16-4406 of the Uniform Arbitration Act (D.C.)", "Uniform Arbitration Act § 16-4406"),
        ("Social Security Act § 1902(a)", "Social Security Act § 1902(a)"),
        ("Social Security Act 1902(a)", "Social Security Act § 1902(a)"),
    ],
)  # fmt: skip
def test_the_known_act_stays_known(grammar: Grammar, text: str, canonical: str) -> None:
    assert _names(parse(f"It is by {text}.", grammar))[0] == ("popular_name", canonical)


def test_the_place_of_an_act_is_read_with_it(grammar: Grammar) -> None:
    (read,) = parse("Under section 9 of the Arbitration Act 1996 (UK), it is stayed.", grammar)
    assert (read.code_name, read.canonical) == (
        "Arbitration Act 1996 (UK)",
        "Arbitration Act 1996 (UK) section 9",
    )


def test_the_place_behind_a_section_is_of_the_act(grammar: Grammar) -> None:
    (read,) = parse("See Copyright Act § 107 (Canada).", grammar)
    assert read.canonical == "Copyright Act (Canada) § 107"


def test_text_of_law_names_no_act_of_others(grammar: Grammar) -> None:
    assert parse("The Copyright Act of 1909, and the Copyright Act (Canada).", grammar, within="us-usc") == []
