"""Ids that UniCourt's pages refer by, read with the schemes of entries."""

from pathlib import Path

import pytest

from assets.ingest.formats.unicourt_links import follow_links, named_section
from assets.ingest.links import NOT_FOUND, OUTSIDE_COVERAGE, HeldBody, HeldLaw
from assets.registry import load_registry

REGISTRY = load_registry(Path(__file__).parents[4] / "datasets" / "registry")


@pytest.mark.parametrize(
    ("key", "target", "citation"),
    [
        ("tn-code", "t04c29s4-29-112", "Tenn. Code Ann. § 4-29-112"),
        ("ak-code", "t02c15a01s02.15.050ol1e", "Alaska Stat. § 02.15.050(e)"),
        ("tn-code", "t48c18s48-18-502ol1a2A", "Tenn. Code Ann. § 48-18-502(a)(2)(A)"),
        ("va-code", "t3.2s0Ic3.1s3.2-305", "Va. Code Ann. § 3.2-305"),
        ("vt-code", "t13c19s1023", "Vt. Stat. Ann. tit. 13, § 1023"),
        ("ky-code", "tXXVIc311s311.990", "Ky. Rev. Stat. Ann. § 311.990"),
        ("co-code", "t25.5a10p02s25.5-10-240", "Colo. Rev. Stat. § 25.5-10-240"),
    ],
)
def test_an_id_names_a_section_and_its_part(key: str, target: str, citation: str) -> None:
    named = named_section(target, REGISTRY.code_body(key).citation_schemes()[0], "")
    assert named is not None
    assert named.citation == citation


@pytest.mark.parametrize(
    "target", ["t04c29", "t02c2-1", "t02c15a01-anav01", "", "t04c29s4-29-112-NOTESTODECISIONS"]
)
def test_other_ids_name_none(target: str) -> None:
    assert named_section(target, REGISTRY.code_body("tn-code").citation_schemes()[0], "") is None


def test_a_section_of_a_title_without_chapters_is_found_where_it_is_held() -> None:
    held = HeldBody(REGISTRY.code_body("va-code"), 0, 4)
    law = HeldLaw(
        [held],
        identifiers=["/va/code/8.5A-116", "/va/code/8.5A-117", "/va/code/t2", "/va/code/t8.5A"],
        numbers=["8.5A-116", "8.5A-117", "2", "8.5A"],
        levels=["section", "section", "title", "title"],
        citable=[True, True, False, False],
        parents=[3, 3, -1, -1],
    )
    follow = follow_links(law, held)
    assert follow("t8.5c8.5A-117").position == 1
    assert follow("t8.5c8.5A-116ol1a").position == 0
    assert follow("t02c2-1").reason == NOT_FOUND
    assert follow("t8.5c8.5A-199").reason == NOT_FOUND
    assert follow("t18.2c04s18.2-32").reason == OUTSIDE_COVERAGE, "its title is not held"
    assert follow("t18.2").reason == NOT_FOUND
