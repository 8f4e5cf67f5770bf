"""Paths that the Open Law Library's publishers refer by."""

import pytest

from assets.ingest.formats.open_law_links import follow_links, path_numbers
from assets.ingest.links import ACT, NOT_FOUND, HeldBody, HeldLaw, LinkTarget
from assets.registry import CodeBody


@pytest.mark.parametrize(
    ("path", "numbers"),
    [
        ("27.20.010", ["27.20.010"]),
        ("10|01|01|.04", ["10", "10.01", "10.01.01", "10.01.01.04"]),
        ("27|27.20", ["27", "27.20"]),
        ("|08.02.25", ["08.02.25"]),
        ("§50022.1", ["50022.1"]),
        ("|II|306|1", ["II", "II.306", "II.306.1"]),
        ("Md. Code|gnr|4-215", []),
        ("Harbor Ord. No. 2012-2|§1", []),
        ("https://law.example/27", []),
        ("", []),
    ],
)
def test_a_path_gives_the_full_numbers_that_it_may_end_in(path: str, numbers: list[str]) -> None:
    assert path_numbers(path) == numbers


def test_what_follows_a_section_are_its_parts() -> None:
    assert path_numbers("08.02.15.03|C.|(2)")[0] == "08.02.15.03"


ARTICLES = CodeBody(
    key="zz-harbor-code",
    name="Harbor Code",
    jurisdiction="zz-harbor",
    reader="open_law",
    root="/zz-harbor/code",
    citation="Harbor Code art. {title}, § {num}",
    short_name="Harbor Code",
    publisher="this project",
    license="Apache-2.0",
)


@pytest.mark.parametrize(
    ("target", "found"),
    [
        ("7|§1-2|(e)", LinkTarget(1, None)),
        ("|health|§1-2", LinkTarget(3, None)),
        ("|health|7|3|1-2|(a)", LinkTarget(3, None)),
        ("|7", LinkTarget(0, None)),
        ("|9|§1-2", LinkTarget(None, NOT_FOUND)),
        ("Harbor Ord. No. 2012-2|§1", LinkTarget(None, ACT)),
    ],
)
def test_a_path_begins_with_the_title_where_numbers_begin_anew_in_each(
    target: str, found: LinkTarget
) -> None:
    held = HeldBody(ARTICLES, 0, 4)
    root = ARTICLES.root
    law = HeldLaw(
        [held],
        identifiers=[f"{root}/art7", f"{root}/t7/s1-2", f"{root}/health", f"{root}/health/s1-2"],
        numbers=["7", "1-2", None, None],
        levels=["article", "section", "container", "section"],
        citable=[False, True, False, True],
        parents=[-1, 0, -1, 2],
    )
    assert follow_links(law, held)(target) == found
