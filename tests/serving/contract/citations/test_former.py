"""Citations that a text itself calls former."""

import pytest

from serving.contract.citations import Grammar, parse
from serving.contract.citations.former import former_among, is_former

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
        f"{CITED} former § 5",
        f"formerly codified at {CITED}",
        f"Then codified, as amended, at {CITED}",
        f"the prior version of {CITED}",
        f"{CITED} (as in effect before 1993)",
        f"{CITED} (as in effect on June 1, 1990)",
        f"{CITED} (in effect in June 1990)",
        f"{CITED} (as they were in force from 1980 to 1985)",
        f"{CITED} (then in effect)",
        f"{CITED} (1988) (as in effect at the time)",
        f"{CITED} (as it existed before the 1996 amendments)",
        f"{CITED} (as originally enacted)",
        f"{CITED} (prior to amendment in 1996)",
        f"{CITED} (prior to 1996)",
        f"{CITED} (before Oct. 1, 1996)",
        f"{CITED} (before its repeal)",
        f"{CITED} (prior to the 1996 amendments)",
        f"{CITED} (prior to the amendment of 1996)",
        f"{CITED} (prior version)",
        f"{CITED} (abrogated 2015)",
        f"{CITED} (expired)",
        f"{CITED} as in effect on December 31, 1977, barred it",
        f"{CITED}, as in effect when the contract was signed,",
        f"{CITED}, prior to its amendment in 1996, barred it",
        f"{CITED}, before it was amended,",
        f"{CITED}, before repeal by Pub. L. 104-1,",
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
        f"{CITED}, former § 16a, is",
        f"{CITED} former secretaries",
        f"{CITED} (as in effect today)",
        f"{CITED} (as now in effect)",
        f"{CITED} (as in effect on and after October 1, 1990)",
        f"{CITED} (as in effect since 1993)",
        f"{CITED} (in force in this State)",
        f"{CITED} (effective Jan. 1, 2020)",
        f"{CITED} (effective until January 1, 2030)",
        f"{CITED} (as amended in 1996)",
        f"{CITED} (before trial)",
        f"{CITED} (before 12 jurors)",
        f"{CITED} (prior to filing)",
        f"{CITED} (prior convictions)",
        f"{CITED} (expired permits)",
        f"Under {CITED}, before 1996 courts differed",
        f"Under {CITED}, before amendment of the complaint, it runs",
        f"Under {CITED}, prior to trial,",
        f"{CITED} as in effect elsewhere",
        f"the prior conviction under {CITED}",
        f"then under {CITED}",
    ],
)
def test_words_that_say_nothing_of_the_provision(text):
    assert not said(text)


@pytest.mark.parametrize(
    ("text", "former"),
    [
        ("35 U.S.C. §§ 102(a) and (b) (pre-AIA)", [True, True]),
        ("35 U.S.C. § 102(a), (b), & (e) (pre-AIA)", [True, True, True]),
        ("pre-AIA 35 U.S.C. § 102(a) and (b)", [True, True]),
        ("former sections 102(a) and (b) of title 35", [True, True]),
        ("35 U.S.C. §§ 102(a), 102(b), repealed by Pub. L. 112-29", [True, True, False]),
        ("former 17 U.S.C. chs. 1 and 2", [True, True]),
        ("35 U.S.C. §§ 102, 103 (pre-AIA); 35 U.S.C. §§ 102, 103", [True, True, False, False]),
        ("35 U.S.C. § 102(a); 35 U.S.C. § 102(b) (pre-AIA)", [False, True]),
        ("pre-AIA 35 U.S.C. § 102(a) and 35 U.S.C. § 102(b)", [True, False]),
        ("35 U.S.C. § 102(a) and (b) (2018)", [False, False]),
    ],
)
def test_what_is_said_of_a_list_is_said_of_all_its_members(
    grammar: Grammar, text: str, former: list[bool]
) -> None:
    read = parse(text, grammar)
    said = former_among(text, read)
    assert [one in said for one in read] == former
