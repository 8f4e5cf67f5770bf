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
    ],
)
def test_words_that_say_nothing_of_the_provision(text):
    assert not said(text)
