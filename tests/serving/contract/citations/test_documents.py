"""Words for documents: nouns own sections, everyday verbs that look like them do not."""

import pytest

from serving.contract.citations.documents import names_document

NOUNS = [
    "the will is clear; under", ". The will is clear; under", ". His will is clear; under", "his will, made in May, says; see", "his last will says; see", "her Will is clear; see",
    "an order of May; under", "the Order is clear; see", "the court's order is clear; see", "by order of the court; see",
    "pursuant to order, and", "the lease says; under", "the parties' contract says; see", "the Act says; see",
    "its plan is clear; under", "the permit is void; see", "the bill passed; see", "a report says; see",
    "out of order; see", "the trust ended; see", "the testator’s will says; see", "treaties of a treaty; see",
    "in the order to pay; see", "the local rules say; see", "the policies of the policy; see", "subject to contract, and",
    "according to plan terms, under", "due to contract terms, under", "a party to contract talks; see",
]  # fmt: skip
VERBS = [
    "The Court will award fees under", "He will be paid; see", "in order to vacate the award; he cross-moved under",
    "in order that he be paid, under", "in order for fees to be due, under", "The court may order fees under",
    "Congress did not permit fees; see", "They plan an appeal under", "She must report the use; see",
    "Courts order fees under", "He could license the work; see", "He did not trust it; see",
    "They will not contract around it; see", "the act of copying is barred by", "to permit fees under",
    "Whether this will do, he asks under", "Will fees be due under",
]  # fmt: skip


@pytest.mark.parametrize("text", NOUNS)
def test_a_noun_names_a_document(text):
    assert names_document(text)


@pytest.mark.parametrize("text", VERBS)
def test_a_verb_names_none(text):
    assert not names_document(text)
