"""Citations that a text itself calls former."""

import pytest

from serving.contract.citations.former import is_former

CITED = "18 U.S.C. § 16"


def said(text: str) -> bool:
    start = text.index(CITED)
    return is_former(text, start, start + len(CITED))


@pytest.mark.parametrize(
    "text",
    [
        f"former {CITED}",
        f"See Former {CITED}, in force until 2018.",
        f"(formerly {CITED})",
        f"superseded\n{CITED}",
        f"pre-AIA {CITED}",
        f"pre-1984 {CITED}",
        f"{CITED} (pre-AIA)",
        f"{CITED} (repealed 1984)",
        f"{CITED} (former version)",
        f"former § {CITED}",
        f"Pre-AIA {CITED}",
        f"The pre-AIA version of {CITED}",
        f"pre-America Invents Act {CITED}",
        f"the former text of\n{CITED}",
        f"{CITED} (1988) (repealed 1993)",
        f"{CITED} (2006) (pre-AIA)",
        f"{CITED} (1988 & Supp. V 1993) (repealed 1993)",
        f"{CITED} (West 1988) (amended 1990) (superseded)",
        f"{CITED} (1988) (repealed by Pub. L. No. 103-198, § 3(b)(1), 107 Stat. 2304, 2309 (1993))",
        f"{CITED} (2012) (current version at 14 U.S.C. § 3701)",
        f"{CITED} (current version at 14 U.S.C. § 3701)",
        f"{CITED} (1988) (renumbered § 120)",
        f"{CITED} (transferred to 34 U.S.C. § 10101)",
        f"{CITED} (redesignated 1990)",
        f"{CITED} (since repealed)",
        f"{CITED} [pre-AIA]",
        f"{CITED} (1988) [Repealed]",
        f"{CITED}, repealed by Pub. L. No. 103-198",
        f"{CITED} (1988), repealed by Pub. L. No. 103-198",
        f"{CITED}, repealed in 1993, and now elsewhere",
        f"{CITED}, now repealed,",
        f"{CITED}, superseded by 14 U.S.C. § 3701",
        f"{CITED}, pre-AIA, barred it",
        f"{CITED} pre-AIA",
    ],
)
def test_words_of_former_law(text):
    assert said(text)


@pytest.mark.parametrize(
    "text",
    [
        CITED,
        f"the former employer under {CITED}",
        f"the former, {CITED}, is",
        f"reformer {CITED}",
        f"pre-trial {CITED}",
        f"{CITED} (2018)",
        f"{CITED} (repealed in part)",
        f"{CITED} and former title 5",
        f"{CITED} (amended 1993)",
        f"{CITED} (2018) (as amended)",
        f"{CITED} (1988) (repealed, in part, 1993)",
        f"{CITED} (2018) (former officers)",
        f"{CITED} (former 18 U.S.C. § 17)",
        f"{CITED} (pre-AIA 35 U.S.C. § 112)",
        f"{CITED} (repealed 18 U.S.C. § 17)",
        f"{CITED} (1993) (renumbered from § 16A)",
        f"{CITED} (transferred property)",
        f"{CITED}, repealed regulations do not apply",
        f"{CITED}, transferred to the plaintiff",
        f"{CITED}, transferred 17 shares",
        f"Congress, in {CITED}, repealed 17 U.S.C. § 116",
        f"{CITED}, pre-AIA 35 U.S.C. § 102(b)",
        f"{CITED} (2006), pre-AIA 35 U.S.C. § 103",
        f"{CITED} (2006) and 18 U.S.C. § 17 (repealed 1984)",
        f"{CITED} (citing 18 U.S.C. § 17 (repealed 1984))",
    ],
)
def test_words_that_say_nothing_of_the_provision(text):
    assert not said(text)
