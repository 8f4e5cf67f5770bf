"""Mentions of law that no citation covers: told behind a statute or rule, and never of a contract or game."""

import time

import pytest

from serving.contract.citations import Citation
from serving.contract.citations.citation import RULE, SECTION
from serving.services.citations.unread_mentions import unread_mentions

STATUTE = "9 U.S.C. § 2"
COURT_RULE = "Fed. R. Crim. P. 11"


def _unread(text: str) -> list[str]:
    """Return the unread mentions in a text whose citations are just those two."""
    cited = sorted(
        (
            Citation(begin, begin + len(name), kind, "us-usc", "us-usc", name, name)
            for name, kind in ((STATUTE, SECTION), (COURT_RULE, RULE))
            if (begin := text.find(name)) >= 0
        ),
        key=lambda one: one.start,
    )
    return [text[start:end] for start, end in unread_mentions(text, cited)]


@pytest.mark.parametrize(
    ("behind", "mentions"),
    [
        ("Under section 4, the court orders it.", ["section 4"]),
        ("Sections 403 and 404 apply.", ["Sections 403 and 404"]),
        ("So says section 4 of that Act.", ["section 4"]),
        ("See sec. 365(n)(1)(B) thereof.", ["sec. 365(n)(1)(B)"]),
        ("Section 4 in effect repeats it.", ["Section 4"]),
        ("Id. at 504(c)(3). Id. 41(a)(2)(B).", ["Id. at 504(c)(3)", "Id. 41(a)(2)(B)"]),
        ("§ 9.1 and § 5", ["§ 9.1", "§ 5"]),
        ("Id. at 12. See id. at 504.", []),
        ("Section 9.1 applies.", []),
        ("Section 4 of the Lease, section 5 of our contract and section 6 of Exhibit A bind.", []),
        ("By this Agreement they arbitrate. Section 4 says so.", []),
        ("The lease has a clause in section 4.", []),
        ("See Section 3 below, and section 4, infra.", []),
        ("Rule 29(c) is of no court that was cited.", []),
        ("The intersection 4 and cross-section 5 are busy.", []),
    ],
)
def test_sections_in_words_count_behind_a_statute(behind: str, mentions: list[str]) -> None:
    assert _unread(f"See {STATUTE}. {behind}") == mentions
    assert _unread(behind) == [one for one in mentions if one.startswith("§")]


@pytest.mark.parametrize(
    ("behind", "mentions"),
    [
        ("Then Rule 29(c) is met.", ["Rule 29(c)"]),
        ("Rules 29 and 33, and Rule 11(b)(1)(Q).", ["Rules 29 and 33", "Rule 11(b)(1)(Q)"]),
        ("Rule 4 of the game, House Rule 3 and his SEC Rule 14 are none.", []),
        ("By Model Rule 1.7, and by Local Rule 7.", []),
        ("Section 4 is of no statute that was cited.", []),
    ],
)
def test_rules_count_behind_a_rule_of_a_court(behind: str, mentions: list[str]) -> None:
    assert _unread(f"See {COURT_RULE}. {behind}") == mentions


def test_reading_grows_with_the_length_of_the_draft() -> None:
    text = f"See {STATUTE} and {COURT_RULE}. " + "Rule 1, 2 and 3 of Section 5 the id. at 4(a) " * 4_000
    begun = time.process_time()
    assert len(_unread(text)) > 1_000
    assert time.process_time() - begun < 10
