"""Parts whose own words say that the lists of UniCourt's pages miscount."""

import pytest

from assets.ingest.formats.unicourt_self_names import named_otherwise
from tests.assets.ingest.formats.test_unicourt_nesting import nested

LABELS = ("(1)", "(1)(a)", "(1)(b)", "(1)(c)", "(1)(c)(I)", "(1)(d)", "(2)")


def contradicted(within: str, *, before: str = "So.") -> list[str]:
    text = f"(1) {before}\n(a) As.\n(b) Bs.\n(c) Cs.\n(I) {within}\n(d) Ds.\n(2) Two."
    parts = nested(text, *LABELS)
    found = named_otherwise(text, parts)
    return [part.label for part in parts if part.start in found]


@pytest.mark.parametrize(
    "words",
    ["As used in this subsection (1)(b.5), fish.", "It is this paragraph (b.5).", "This subsection (1)(b)."],
)
def test_from_the_part_on_that_names_itself_otherwise_siblings_are_named(words: str) -> None:
    assert contradicted(words) == ["(1)(c)", "(1)(c)(I)", "(1)(d)"]


@pytest.mark.parametrize(
    "words",
    [
        "Under this subsection (1)(c)(I), fish.",
        "Under this paragraph (c), fish.",
        "This subsection (1) holds.",
        "Under this subsection (1)(c)(I)(A), fish.",
        "Under this paragraph (b) and (c).",
        "Under this paragraph\n(b) Fish.",
        "Under subsection (1)(b.5) of this section.",
    ],
)
def test_words_that_agree_or_name_others_contradict_nothing(words: str) -> None:
    assert contradicted(words.replace("\n(", "\n [")) == []


def test_a_part_that_other_words_confirm_is_not_the_one_contradicted() -> None:
    assert contradicted("This subsection (4) holds.") == [*LABELS]
    found = contradicted("This subsection (4) holds.", before="In this subsection (1).")
    assert found == ["(1)(c)", "(1)(c)(I)", "(1)(d)"]
