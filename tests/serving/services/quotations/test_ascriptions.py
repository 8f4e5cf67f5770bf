"""Which quotation of a draft belongs to which of its citations."""

import pytest

from serving.services.quotations.ascriptions import ascribe
from tests.growth import grows_with_length

ONE, TWO = "§ 1331", "§ 1332"
SEVERAL = " et seq."


def ascribed(text: str) -> list[tuple[str, list[str], bool]]:
    """The quotations with their citations, each written `§ 1331` or `§ 1332`."""
    spans = []
    place = text.find("§")
    while place >= 0:
        end = place + len(ONE)
        spans.append((place, end + len(SEVERAL) * text.startswith(SEVERAL, end)))
        place = text.find("§", place + 1)
    return [
        (text[one.start : one.end], [text[slice(*spans[index])] for index in one.citations], one.certain)
        for one in ascribe(text, spans).ascriptions
    ]


@pytest.mark.parametrize(
    ("text", "citations", "certain"),
    [
        ("As § 1331 provides, “it arises.”", [ONE], True),
        ("Under § 1331, “it arises.” Plaintiff sues under § 1332.", [ONE], True),
        ("§ 1331: “it arises”.", [ONE], True),
        ("See § 1331 (“it arises”); § 1332.", [ONE], True),
        ("It is said that “it arises.” § 1331. But § 1332.", [ONE], False),
        ("The courts hear what “arises.” § 1331. Costs are under § 1332.", [ONE], True),
        ("“It arises” is the rule. § 1331.", [ONE], True),
        ("“It arises” is the rule. See § 1331; see also § 1332.", [ONE, TWO], True),
        ("The suit (“it arises”) is under § 1331.", [ONE], False),
        ("“It arises,” § 1331, and the rest.", [ONE], True),
        ("As § 1332 says, “it arises.” § 1331.", [ONE, TWO], True),
        ("As § 1332 says, “it arises”. See also § 1331.", [TWO], True),
        ("As § 1332 says, “it arises.” See § 1331.", [TWO], True),
        ("§ 1332 (“it arises”); accord § 1331.", [TWO], True),
        ("§ 1332 states that “it arises” (cf. § 1331).", [TWO], True),
        ("As § 1332 says, “it arises” (quoting § 1331).", [ONE, TWO], True),
        ("The act, § 1332 et seq., says “it arises.” See § 1331.", [ONE, TWO + SEVERAL], True),
        ("§ 1331 and § 1332 both say “it arises”.", [TWO, ONE], True),
        ("See § 1331. § 1332 says “it arises”.", [TWO], True),
        ("Of § 1332 he knew that “it arises.” See § 1331.", [ONE, TWO], True),
        ("According to § 1332, “it arises” there. Compare § 1331.", [TWO], True),
        ("According to the witness, by § 1332 “it arises”.", [TWO], False),
        ("The witness said that “it arises.” § 1331.", [ONE], False),
        ('<p>See <i>§ 1331</i>: "it arises".</p>', [ONE], True),
        ("> The rule of § 1331 says that\n> “it arises”.\nI agree.", [ONE], True),
    ],
)
def test_a_quotation_belongs_to_the_citation_beside_it(text, citations, certain):
    ((_, found, is_certain),) = ascribed(text)
    assert found == citations
    assert is_certain is certain


@pytest.mark.parametrize(
    "text",
    [
        "“It arises.” Roe v. Doe, 42 F.3d 1983 (1st Cir. 1999). See § 1331.",
        "“It arises.” The plaintiff sues. He does so under § 1331.",
        "“It arises.” But see § 1331.",
        "“It arises.”\n\nSee the brief. § 1331",
        "It arises under § 1331. He said “so it does.”",
        "“It arises.” § 1331 allows a suit.",
    ],
)
def test_a_quotation_that_is_nowhere_beside_a_citation_is_left_alone(text):
    assert ascribed(text) == []


@pytest.mark.parametrize(
    ("text", "certain"),
    [
        ("| “it arises” | § 1331 |\n| “it ends” | § 1332 |", True),
        ("| § 1331 | “it arises” |\n| § 1332 | “it ends” |", True),
        ("| 1. | “it arises” | the rule | § 1331 |\n| 2. | *“it ends”* | x | § 1332 |", True),
        ("|The rule|\n|---|\n|“it arises”|See § 1331.|\n|“it ends”|See § 1332.|", True),
        # Other words in the cell, or another quotation in the row.
        ("| said “it arises” | § 1331 |\n| said “it ends” | § 1332 |", False),
    ],
)
def test_a_quotation_with_a_cell_for_itself_belongs_to_the_citation_of_its_row(text, certain):
    assert ascribed(text) == [("it arises", [ONE], certain), ("it ends", [TWO], certain)]


def test_a_row_of_several_quotations_says_of_none_where_it_is_from():
    assert not any(certain for _, _, certain in ascribed("| “it arises” | “it ends” | § 1331 |"))
    assert not any(certain for _, _, certain in ascribed("| “it arises” | or | § 1331 | or | § 1332 |"))


def test_each_of_several_quotations_has_its_own():
    text = "Compare § 1331 (“it arises”) with § 1332 (“it does not”). “Both end.” § 1331."
    assert [(quote, found[0]) for quote, found, _ in ascribed(text)] == [
        ("it arises", ONE),
        ("it does not", TWO),
        ("Both end.", ONE),
    ]


@pytest.mark.parametrize(
    ("once", "repeated"),
    [
        ("", "“x” § 1331 "),
        ("§ 1331", "\n"),
        ("It is “so.” § 1331", "\n"),
        ("§ 1331 ", "“"),
        ("", "“a. B ” § 1331, "),
        ("", '|"a"'),
        ("", "|“a”| § 1331 |\n"),
    ],
)
def test_a_long_draft_of_marks_takes_no_long_time(once, repeated):
    assert grows_with_length(ascribed, lambda length: once + repeated * (length // len(repeated)), 80_000)
