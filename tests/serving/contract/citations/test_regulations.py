"""Regulations and codes whose containers are cited by number, and whose pins stand without parentheses."""

from dataclasses import asdict

import pytest

from serving.contract.citations import CitationDataError, CitationScheme, Grammar, Unparsed, parse, read_one
from serving.contract.citations.pins import is_bare_pin

REGULATIONS = CitationScheme.from_dict(
    {
        "key": "zz-regs",
        "code": "zz-regs",
        "jurisdiction": "zz",
        "template": "Zen. Code Regs. {num}",
        "names": ["Zen. Code Regs.", "COZAR"],
        "number": r"\d{2}\.\d{2}\.\d{2}\.\d{2}(?:-\d{1,2})?",
        "container": r"\d{2}\.\d{2}(?:\.\d{2})?",
        "bare_pins": True,
    }
)
NATION = CitationScheme.from_dict(
    {
        "key": "nation",
        "code": "nation",
        "jurisdiction": "nation",
        "template": "Nation Code § {num}",
        "names": ["Nation Code"],
        "number": r"\d{1,2}-\d{3,4}(?:\.\d{1,3})?",
        "bare_pins": True,
    }
)
GRAMMAR = Grammar([REGULATIONS, NATION])


def cited(text: str) -> list[str]:
    return [citation.canonical for citation in parse(text, GRAMMAR)]


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("COZAR 26.13.07", ["Zen. Code Regs. 26.13.07"]),
        ("see COZAR 26.13.07.", ["Zen. Code Regs. 26.13.07"]),
        ("COZAR 26.13.07 and 26.13.08", ["Zen. Code Regs. 26.13.07", "Zen. Code Regs. 26.13.08"]),
        ("COZAR 26.13.07.02", ["Zen. Code Regs. 26.13.07.02"]),
        ("COZAR 20.06.02.03A(1)(b)", ["Zen. Code Regs. 20.06.02.03(A)(1)(b)"]),
        ("COZAR 20.06.02.03.A.1.b", ["Zen. Code Regs. 20.06.02.03(A)(1)(b)"]),
        ("COZAR 20.06.02.03-1B", ["Zen. Code Regs. 20.06.02.03-1(B)"]),
        ("COZAR 20.06.02.03A—C", ["Zen. Code Regs. 20.06.02.03(A)-(C)"]),
        (
            "COZAR 20.06.02.03A, B, and C(2)",
            [f"Zen. Code Regs. 20.06.02.03{pin}" for pin in ("(A)", "(B)", "(C)(2)")],
        ),
        ("COZAR 20.06.02.03A(1) and (2)", [f"Zen. Code Regs. 20.06.02.03(A)({part})" for part in "12"]),
        ("COZAR 20.06.02.03(A)(1)", ["Zen. Code Regs. 20.06.02.03(A)(1)"]),
        ("COZAR 20.06.02.03A and a person", ["Zen. Code Regs. 20.06.02.03(A)"]),
        ("Nation Code § 5-211.5.B.6 applies", ["Nation Code § 5-211.5(B)(6)"]),
        ("Nation Code § 5-1308.1.4.b.iii", ["Nation Code § 5-1308.1(4)(b)(iii)"]),
        ("under Nation Code § 5-209.6.A.", ["Nation Code § 5-209.6(A)"]),
        ("Nation Code §§ 5-209.6.A and 5-209.7.B", ["Nation Code § 5-209.6(A)", "Nation Code § 5-209.7(B)"]),
        ("Nation Code § 5-209.6.The next rule", ["Nation Code § 5-209.6"]),
        ("Nation Code § 5-209.6. A person", ["Nation Code § 5-209.6"]),
    ],
)
def test_numbers_of_containers_and_bare_pins_are_read(text: str, canonical: list[str]) -> None:
    assert cited(text) == canonical


@pytest.mark.parametrize(
    "text", ["COZAR 26", "COZAR 26.13.07.99.01", "COZAR 26.13.07A", "Nation Code § 8-300.7et seq."]
)
def test_no_part_of_an_unknown_number_is_read(text: str) -> None:
    assert all(one.kind == "unread" for one in parse(text, GRAMMAR))
    assert isinstance(read_one(text, GRAMMAR), Unparsed)


def test_a_code_that_does_not_say_so_has_no_bare_pins() -> None:
    plain = CitationScheme.from_dict({**asdict(REGULATIONS), "bare_pins": False, "container": None})
    grammar = Grammar([plain])
    assert parse("COZAR 20.06.02.03A(1)", grammar) == []
    assert parse("COZAR 26.13.07", grammar) == []


@pytest.mark.parametrize(
    ("text", "is_pin"),
    [
        ("A(1)", True),
        (".B.6", True),
        ("(a)", True),
        ("", False),
        (".07", False),
        ("-1", False),
        ("The", False),
    ],
)
def test_a_bare_pin_is_labels_alone(text: str, *, is_pin: bool) -> None:
    assert is_bare_pin(text) is is_pin


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"container": "("}, "zz-regs"),
        ({"container": r"(\d)"}, "groups"),
        ({"template": "{title} Zen. Code Regs. {num}"}, "titles"),
    ],
)
def test_a_wrong_container_number_is_refused(change: dict[str, str], message: str) -> None:
    with pytest.raises(CitationDataError, match=message):
        CitationScheme.from_dict({**asdict(REGULATIONS), **change})
