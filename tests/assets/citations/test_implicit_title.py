"""Citations that name no title: those in doubt are left out."""

import pytest

from assets.citations.implicit_title import ReadCitation, without_doubtful
from serving.contract.citations import CitingContext, Grammar, parse_within

HOME = CitingContext("us-usc", "17", "107", implicit_title=True)


def _kept(text: str, grammar: Grammar, known: set[str]) -> list[str]:
    exact = {citation.start for citation in parse_within(text, grammar, CitingContext("us-usc", "17", "107"))}
    read = [
        ReadCitation(citation, citation.start not in exact) for citation in parse_within(text, grammar, HOME)
    ]
    kept = without_doubtful(text, read, lambda citation: citation.target in known)
    return [entry.citation.target for entry in kept]


KNOWN = {f"17 U.S.C. § {number}" for number in (101, 102, 106, 110, 501)}


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Subject to sections 106 and 110, the owner may sue.", ["106", "110"]),
        ("as sections 102, 110, and 101, respectively, of title 41 say", []),
        ("under section 101 and section 102(b) of the Clean Air Act", ["102"]),
        ("under section 106. The Clean Air Act is another matter.", ["106", "Act"]),
        ("under section 230, or under section 106 as in force", []),
        ("under section 230. A suit under section 501 is timely.", ["501"]),
        ("under section 106 of this title, or section 999 of this title", ["106", "999"]),
        ("under chapter 7 of title 17-A of the Municipal Regulations", []),
        ("a report under section 106 of this title of the President’s intention", ["106"]),
        ("except sections 101 and 102 (15 U.S.C. 45(m), 57a)", ["45", "57a"]),
    ],
)
def test_a_bare_number_in_doubt_is_left_out(grammar: Grammar, text: str, kept: list[str]) -> None:
    assert [target.rpartition(" ")[2] for target in _kept(text, grammar, KNOWN)] == kept
