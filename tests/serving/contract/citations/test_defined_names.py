"""Names of laws that a text defines for itself: they mean what it says, from the definition on."""

import pytest

from serving.contract.citations import Grammar, Unparsed, parse, read_one


def _last(text: str, grammar: Grammar) -> tuple[str, str]:
    """Return the kind and the law of what is cited last."""
    cited = parse(text, grammar)[-1]
    return cited.kind, cited.code_name or (cited.candidates[0] if cited.candidates else cited.canonical)


@pytest.mark.parametrize(
    "law",
    [
        "The Ohio Arbitration Act (the “Arbitration Act”)",
        "The Ohio Arbitration Act (the “Arbitration Act,” which",
        "Ohio’s revised Arbitration Act (the “Arbitration Act”)",
        "The N.Y. Arbitration Act (the “Arbitration Act”)",
        "The Arbitration Act of Ohio (the “Arbitration Act”)",
        "The Arbitration Act 1996 (the “Arbitration Act”)",
        "The Arbitration Act (UK) (the “Arbitration Act”)",
        "The Arbitration Act, 710 ILCS 5/1 (the “Arbitration Act”)",
        "The Ohio Arbitration Act, Ohio Rev. Code ch. 2711 (the “Arbitration Act”)",
        "The Arbitration and Conciliation Act (“Arbitration Act”)",
        "The Ohio Arbitration Act (hereinafter, “Arbitration Act”)",
        "The Ohio Arbitration Act (hereinafter referred to as the ‘Arbitration Act’)",
        "The Ohio Arbitration Act (the “Act” or the “Arbitration Act”)",
        'The Delaware Arbitration Act ("the Arbitration Act")',
        "The Ohio\nArbitration Act (the\n“Arbitration\nAct”)",
        "The Canadian federal arbitration law (the “Arbitration Act”)",
        "The agreement (the “Arbitration Act”)",
        "The Ohio Arbitration Act [the “Arbitration Act”]",
        "The Ohio Arbitration Act, hereinafter the “Arbitration Act,”",
        "The Ohio Arbitration Act, hereinafter referred to as the “Arbitration Act”,",
        "The Ohio Arbitration Act (the “Arbitration Act”; see Appendix A)",
        "The Federal Arbitration Act (the “Arbitration Act”) is one, but the Ohio Arbitration Act (the “Arbitration Act”)",
    ],
)
def test_a_name_that_is_defined_for_another_law_is_unknown(grammar: Grammar, law: str) -> None:
    text = f"{law} governs. Section 2 of the Arbitration Act applies. Arbitration Act § 3 does not."
    if "which" in law:
        assert _last(text, grammar)[0] == "popular_name"  # these words define no name
        return
    read = [one for one in parse(text, grammar) if one.start > len(law)]
    assert [(one.kind, text[one.start : one.end]) for one in read] == [
        ("unknown_code", "Section 2 of the Arbitration Act"),
        ("unknown_code", "Arbitration Act § 3"),
    ]
    for one in read:  # what it is called leads to no known law
        again = read_one(one.canonical, grammar)
        assert isinstance(again, Unparsed) or [other.kind for other in again] == ["unknown_code"], one


def test_a_defining_quotation_is_no_citation(grammar: Grammar) -> None:
    read = parse("The Canadian Copyright Act (the “Copyright Act”) § 29. Copyright Act § 107.", grammar)
    assert [(one.kind, one.canonical) for one in read] == [("unknown_code", "Canadian Copyright Act § 107")]


@pytest.mark.parametrize(
    "law",
    [
        "Santa Monica Municipal Code (“SMMC”)",
        "Santa Monica Municipal Code (SMMC)",
        "Santa Monica Municipal Code (hereafter “SMMC”)",
        "Code of the City of Santa Monica (“SMMC”)",
    ],
)
def test_an_abbreviation_that_is_defined_for_another_code_is_unknown(grammar: Grammar, law: str) -> None:
    text = f"Under the {law}, all is fine. SMMC § 27.04.010 differs."
    kind, name = _last(text, grammar)
    assert (kind, "Santa Monica" in name) == ("unknown_code", True)


def test_an_agency_is_no_act(grammar: Grammar) -> None:
    for name in ("(“FAA”)", "(FAA)", "(the “FAA”)"):
        text = f"The Federal Aviation Administration {name} ruled by FAA § 2."
        assert _last(text, grammar) == ("unknown_code", "Federal Aviation Administration")


@pytest.mark.parametrize(
    "law",
    [
        "Federal Arbitration Act (“FAA”)",
        'Federal Arbitration Act ("FAA"), 9 U.S.C. § 1 et seq.',
        "Federal Arbitration Act (FAA)",
        "Federal Arbitration Act of 1925 (the “FAA”)",
        "Federal Arbitration Act, as amended (hereinafter the “FAA”)",
        "Federal Arbitration Act, 9 U.S.C. §§ 1-16 (“FAA”)",
        "Federal Arbitration Act, 9 U.S.C. § 1 et seq. (the “Act” or “FAA”)",
        "United States Arbitration Act, codified as amended at 9 U.S.C. §§ 1–16 (“FAA”)",
        "statute, 9 U.S.C. § 1 et seq. (the “FAA”)",
        "old law (the “FAA”), 9 U.S.C. § 1,",
        "law in title 9 of the United States Code (the “FAA”)",
        "law in 9 U.S.C. (the “FAA”)",
        "Federal Arbitration Act, hereinafter “FAA,”",
        "Federal Arbitration Act, 9 U.S.C. § 1, hereafter the “FAA”,",
    ],
)
def test_a_name_that_is_defined_for_a_known_act_means_it_alone(grammar: Grammar, law: str) -> None:
    text = f"Under the {law}, it is so. FAA § 2 says more."
    cited = parse(text, grammar)[-1]
    assert (cited.num, set(cited.candidates)) == ("2", {"Federal Arbitration Act of 1925"})


@pytest.mark.parametrize(
    ("text", "law"),
    [
        ("San Mateo Municipal Code (“SMMC”). SMMC § 27.04.010.", "San Mateo Mun. Code § 27.04.010"),
        ("the Copyright Act of 1976 (the “Copyright Act”). Copyright Act § 107.", "Copyright Act of 1976"),
        ("title 17, United States Code (the “Copyright Act”). Copyright Act § 107.", "Copyright Act of 1976"),
        ("the Copyright Act, 17 U.S.C. ch. 1 (the “Copyright Act”). Copyright Act § 107.", "Copyright Act of 1976"),
        ("the Copyright Act (the “Act”). Copyright Act § 107.", "Copyright Act of 1976"),
        ("the federal copyright statute (the “Copyright Act”). Copyright Act § 107.", "Copyright Act of 1976"),
        ("the Ohio Copyright Act (the “State Act”). Copyright Act § 107.", "Copyright Act of 1976"),
        ("the Ohio Copyright Act (the “Copyright Act”). The U.S. Copyright Act § 107.", "Copyright Act of 1976"),
        ("the Ohio Copyright Act (the “Copyright Act”). Copyright Act of 1976 § 107.", "Copyright Act of 1976"),
        ("as one (“Copyright Act § 107”) says", "Copyright Act of 1976"),
        ("his work (see the “Copyright Act”). Copyright Act § 107.", "Copyright Act of 1976"),
        ("an order (DCA). FAA § 2. Federal Arbitration Act § 2.", "Federal Arbitration Act of 1925"),
    ],
)  # fmt: skip
def test_a_known_law_stays_known(grammar: Grammar, text: str, law: str) -> None:
    assert _last(f"It is by {text}", grammar)[1] == law


def test_a_name_keeps_its_meaning_before_its_definition(grammar: Grammar) -> None:
    first, last = parse(
        "Copyright Act § 107. The Ohio Copyright Act (the “Copyright Act”) is new. Copyright Act § 108.",
        grammar,
    )
    assert (first.kind, last.kind) == ("popular_name", "unknown_code")


def test_abbreviations_of_known_acts_mean_them_where_they_are_defined(grammar: Grammar) -> None:
    for popular in grammar.popular_names:
        for short in popular.short:
            if short.isupper() and short.isalpha():
                text = f"Under the {popular.name} (“{short}”), it is so. {short} § 5 applies."
                cited = parse(text, grammar)[-1]
                plain = popular.name.partition(" of ")[0].partition(",")[0]
                assert cited.kind != "unknown_code", text
                assert all(name.startswith(plain) for name in cited.candidates), text


OWN = [
    ("The Copyright Act of 1976 (the “Act”) protects works. Section 106 of the Act grants them.", "Copyright Act of 1976 § 106"),
    ('Under the Copyright Act (the "Act"), 17 U.S.C. § 101 et seq., it is. See Act § 107(1).', "Copyright Act of 1976 § 107(1)"),
    ("The Copyright Act, as amended (hereinafter the “Statute”) is. Under section 106 of the Statute", "Copyright Act of 1976 § 106"),
    ("The Arbitration Act (9 U.S.C. § 1 et seq.) (the “Act”) is. Act § 2.", "Federal Arbitration Act of 1925 § 2"),
    ("The Copyright Act (the “Act”) is. In full, the Copyright Act (the “Act”) is. Act § 106.", "Copyright Act of 1976 § 106"),
    ("The San Mateo Municipal Code (the “Municipal Code”) governs. Municipal Code § 27.16.010 is.", "San Mateo Mun. Code § 27.16.010"),
    ("The San Mateo Municipal Code (the “City Code”) governs. By section 27.16.010 of the City Code it is.", "San Mateo Mun. Code § 27.16.010"),
    ("The San Mateo Municipal Code (“SMC”) governs. SMC § 27.16.010 is.", "San Mateo Mun. Code § 27.16.010"),
    ("The Ohio Revised Code (the “Code”) governs. Code § 2711.02 is.", "Ohio Rev. Code Ann. § 2711.02"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "canonical"), OWN)
def test_a_name_of_the_text_s_own_means_the_law_it_is_defined_for(
    grammar: Grammar, text: str, canonical: str
) -> None:
    assert parse(text, grammar)[-1].canonical == canonical


@pytest.mark.parametrize(
    "text",
    [
        "Section 106 of the Act is. The Copyright Act (the “Act”) is.",
        "The Copyright Act (the “Act”) and the Lanham Act (the “Act”) are. Section 106 of the Act.",
        "The Copyright Act and the Lanham Act (together, the “Act”) are. Section 106 of the Act.",
        "The Copyright Act and the Lanham Act (the “Act”) are. Section 106 of the Act.",
        "The Copyright Act, as amended by the Lanham Act (the “Act”) is. Section 106 of the Act.",
        "The Copyright Act (the “Act”) is. The Ohio Copyright Act (the “Act”) too. Section 106 of the Act.",
        "The Ohio Arbitration Act (the “Act”) is. Section 2 of the Act.",
        "The Arbitration Act (the “Act”), Ohio Rev. Code § 2711.02, is. Section 2 of the Act.",
        "The agreement (the “Act”) is. Section 2 of the Act.",
        "The Copyright Act (the “Act”) is. Section 106 of that Act.",
        "The Copyright Act (the “Act”) is. Section 106 of the Ohio Act.",
        "The Copyright Act (the “Act”) is. Section 106 of the 1909 Act.",
        "The Copyright Act (the “Act”) is. He wrote: “section 106 of the Act is it.”",
        "The Copyright Act (the “Act”) is. The Act is old, and acts § 106.",
        "The Copyright Act (the “Section”) is. Section § 106.",
        "Oakland Municipal Code (the “Municipal Code”) governs. Municipal Code § 27.16.010 is.",
        "The San Mateo Municipal Code (the “Municipal Code”) governs. Oakland Municipal Code § 27.16.010 is.",
    ],
)
def test_a_name_that_may_be_of_another_law_is_not_read(grammar: Grammar, text: str) -> None:
    begin = text.rindex(". ") if ". " in text else 0
    behind = [one for one in parse(text, grammar) if one.start > begin and one.kind != "unknown_code"]
    assert not any(one.num in ("2", "106", "27.16.010") for one in behind)
