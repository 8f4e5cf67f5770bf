"""Words that turn to the law of another place."""

import pytest

from serving.contract.citations.foreign_law import names_foreign_law


@pytest.mark.parametrize(
    "text",
    [
        "the German court read",
        "the Canadian Supreme Court construed",
        "Germany’s highest court held",
        "under French law,",
        "the statute of Ontario has",
        "the courts of the Netherlands apply",
        "the New South Wales act",
        "In Japan, the rule is",
        "In the United Kingdom, the rule is",
        "the Bundesgerichtshof relied on",
        "the Cour de cassation, in 1990,",
        "the CJEU and",
        "BGB and no more",
        "the Code civil says",
        "Ohio law has",
        "the Texas legislature wrote",
        "the constitution of Iowa",
        "the Irish\nlegislature",
    ],
)
def test_a_text_names_the_law_of_another_place(text: str) -> None:
    assert names_foreign_law(text)


@pytest.mark.parametrize(
    "text",
    [
        "the court read",
        "imports from China infringe",
        "a German firm was sued",
        "the English language",
        "Congress wrote the statute",
        "the Ohio court applied",
        "the Supreme Court of California held",
        "in or on the act",
        "the Frenchman's court",
        "the federal statute",
        "the Indian tribe and its regulations",
        "the New Jersey court held",
        "it was made in Japan, and sold",
    ],
)
def test_a_text_names_no_law_of_another_place(text: str) -> None:
    assert not names_foreign_law(text)
