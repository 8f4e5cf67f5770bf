"""Parts that a publisher nests at a level other than their designators'."""

import pytest

from assets.ingest.formats.astray_parts import reseat
from serving.contract.records import Outline


def outline(*paths: str) -> tuple[tuple[Outline, ...], str]:
    """Return parts of the given labels, one a line and each with those within it, and their text."""
    lines = [f"({path.rpartition('(')[2]} Words of {path}." for path in paths]
    starts = [sum(len(line) + 1 for line in lines[:number]) for number in range(len(lines))]
    parts = []
    for number, path in enumerate(paths):
        last = number
        while last + 1 < len(paths) and paths[last + 1].startswith(path):
            last += 1
        parts.append(Outline(path, starts[number], starts[last] + len(lines[last])))
    return tuple(parts), "\n".join(lines)


def labels(parts: tuple[Outline, ...]) -> list[str]:
    return [f"{part.label}{'?' if part.uncertain else ''}" for part in parts]


def words(parts: tuple[Outline, ...], text: str) -> dict[str, str]:
    return {part.label: text[part.start : part.end] for part in parts}


def test_a_part_that_stands_too_deep_goes_on_the_list_outside_with_what_follows() -> None:
    parts, text = outline("(c)", "(c)(1)", "(c)(2)", "(c)(d)", "(c)(d)(1)", "(c)(e)", "(f)")
    found = reseat(parts, text)
    assert labels(found) == ["(c)", "(c)(1)", "(c)(2)", "(d)?", "(d)(1)?", "(e)?", "(f)"]
    assert words(found, text)["(c)"].endswith("(2) Words of (c)(2).")
    assert words(found, text)["(d)"] == "(d) Words of (c)(d).\n(1) Words of (c)(d)(1)."
    assert words(found, text)["(e)"] == "(e) Words of (c)(e)."


def test_a_part_within_the_first_of_its_own_list_stands_beside_it() -> None:
    parts, text = outline("(A)", "(A)(1)", "(A)(1)(a)", "(A)(1)(b)", "(A)(1)(2)", "(A)(1)(3)", "(B)")
    found = reseat(parts, text)
    assert labels(found) == ["(A)", "(A)(1)", "(A)(1)(a)", "(A)(1)(b)", "(A)(2)?", "(A)(3)?", "(B)"]
    assert words(found, text)["(A)(1)"].endswith("Words of (A)(1)(b).")
    assert words(found, text)["(A)"].endswith("Words of (A)(1)(3).")


def test_a_part_that_stands_too_high_goes_on_the_list_before_it() -> None:
    parts, text = outline("(A)", "(B)", "(B)(1)", "(B)(2)", "(B)(2)(a)", "(3)", "(3)(a)", "(4)", "(C)")
    found = reseat(parts, text)
    assert labels(found) == [
        *("(A)", "(B)", "(B)(1)", "(B)(2)", "(B)(2)(a)", "(B)(3)?", "(B)(3)(a)?", "(B)(4)?", "(C)")
    ]
    assert words(found, text)["(B)"].endswith("(4) Words of (4).")
    assert words(found, text)["(B)(2)"].endswith("Words of (B)(2)(a).")


@pytest.mark.parametrize(
    "paths",
    [
        ("(a)", "(a)(2)", "(a)(3)"),  # the first was never printed
        ("(f)", "(g)"),
        ("(1)", "(1)(1.1)", "(1)(1.2)", "(2)"),
        ("(h)", "(h)(1)", "(i)", "(i)(1)", "(j)"),
        ("(a)", "(a)(1)", "(a-1)", "(a-1)(1)", "(b)"),
        ("(a)", "(a)(i)", "(a)(ii)", "(a)(v)"),
        ("Article I", "Article I(a)", "Article II", "Article II(a)"),
    ],
)
def test_what_the_markup_nests_as_it_is_numbered_stays(paths: tuple[str, ...]) -> None:
    parts, text = outline(*paths)
    assert reseat(parts, text) == parts


@pytest.mark.parametrize(
    ("paths", "astray"),
    [
        (("(c)", "(c)(1)", "(c)(d)", "(d)", "(e)"), {"(c)(d)"}),  # its own place is taken
        (("(c)", "(c)(8)", "(c)(d)", "(c)(9)", "(e)"), {"(c)(d)"}),  # what follows stays behind
        # It goes on two lists.
        (("(1)", "(1)(a)", "(1)(a)(1)", "(1)(a)(1)(B)", "(1)(a)(1)(B)(2)"), {"(1)(a)(1)(B)(2)"}),
    ],
)
def test_a_part_whose_own_place_cannot_be_told_stays_and_is_uncertain(
    paths: tuple[str, ...], astray: set[str]
) -> None:
    parts, text = outline(*paths)
    found = reseat(parts, text)
    assert [part.label for part in found] == list(paths)
    assert {part.label for part in found if part.uncertain} == astray
