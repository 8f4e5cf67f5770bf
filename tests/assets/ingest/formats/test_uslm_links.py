"""Sections that links of USLM name."""

import pytest

from assets.ingest.formats.uslm_links import named_section
from serving.contract.citations import CitationScheme

USC = CitationScheme("us-usc", "us-usc", "us", "{title} U.S.C. § {num}", ("U.S.C.",), appendix=True)


@pytest.mark.parametrize(
    ("target", "citation"),
    [
        ("/us/usc/t17/s106", "17 U.S.C. § 106"),
        ("/us/usc/t17/s106/a/1", "17 U.S.C. § 106(a)(1)"),
        ("/us/usc/t42/s2000e–2/a", "42 U.S.C. § 2000e-2(a)"),
        ("/us/usc/t5a/s8", "5 U.S.C. app. § 8"),
        ("/us/usc/t17/ch1", None),
        ("/us/pl/97/258/s5", None),
        ("§29-102", None),
    ],
)
def test_a_path_of_identifiers_names_a_section(target: str, citation: str | None) -> None:
    named = named_section(target, USC, "/us/usc")
    assert (named and named.citation) == citation
