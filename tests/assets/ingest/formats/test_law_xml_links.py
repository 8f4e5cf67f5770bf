"""Sections that links of law-xml name."""

import pytest

from assets.ingest.formats.law_xml_links import named_section
from serving.contract.citations import CitationScheme

CITY = CitationScheme("city", "city", "city", "City Code § {num}", ("City Code",))


@pytest.mark.parametrize(
    ("target", "citation"),
    [
        ("§29-102|(a)|(1)", "City Code § 29-102(a)(1)"),
        ("§29-102", "City Code § 29-102"),
        ("29|1", None),
        ("Law 3-22|§29-102", None),
        ("/us/usc/t17/s106", None),
    ],
)
def test_a_path_that_begins_with_a_section_names_it(target: str, citation: str | None) -> None:
    named = named_section(target, CITY, "/city/code")
    assert (named and named.citation) == citation
