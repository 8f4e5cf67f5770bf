"""Words right before a bare section sign: those of a sentence lead to it, the name of a document owns it."""

import re

import pytest

from serving.contract.citations.words_before_signs import stands_behind_name

SENTENCES = [
    "The § 505 motion is denied.", "Plaintiff's § 505 motion is denied.", "Defendants’ § 505 motion is denied.",
    "The plaintiff's § 505 motion is denied.", "A § 505 claim fails.", "An § 505 claim fails.",
    "No § 505 claim is made.", "He asks whether § 505 applies.", "Does § 505 apply?", "Only § 505 applies.",
    "Neither § 505 nor § 506 does.", "He relies on § 505.", "Between § 505 and § 506 he chose.",
    "Congress enacted § 505.", "The court construed § 505.", "What § 505 requires is clear.",
    "See generally § 505.", "See, e.g., § 505.", "See, e.g. § 505.", "See also § 505.", "Cf. § 505.", "But see § 505.",
    "Second, § 505 limits them.", "Thus, § 505 bars it.", "In addition, § 505 bars it.", "It fails; however, § 505 helps.",
    "Although he won, § 505 bars fees.", "He seeks an injunction, § 505.", "Accordingly, § 505 bars it.",
    "Notably, § 505 says so.", "Because of this, § 505 bars it.", "If so, § 505 applies.", "Here, § 505 applies.",
    "In relevant part, § 505 says so.", "For those reasons, § 505 applies.", "They dispute § 505.",
    "Unlike the first, § 505 is broad.", "Is § 505 met?", "How § 505 works is clear.", "This § 505 motion is late.",
    "Does the cited § 505 apply?", "It satisfies § 505.", "Whether or not § 505 applies, he pays.",
    "The Court's § 505 ruling stands.", "Where fees are sought, § 505 governs.", "To that end, § 505 helps.",
]  # fmt: skip
DOCUMENTS = [
    "Compl. § 505.", "See Compl., § 505.", "Compendium, § 505.", "The Compendium, § 505.", "Compendium § 505.",
    "Lease § 505.", "The lease, § 505.", "the lease § 505.", "the handbook § 505.", "The handbook, § 505.",
    "Appendix A § 505.", "App. A § 505.", "Exhibit A, § 505.", "Part I § 505.", "Nimmer § 505.", "Nimmer, § 505.",
    "Nimmer's § 505.", "Nimmer’s § 505.", "Nimmer on copyright § 505.", "Nimmer on copyright, § 505.",
    "Compendium of practices, § 505.", "DGCL § 505.", "DGCL, § 505.", "D.G.C.L., § 505.", "agmt., § 505.",
    "Restatement Second, § 505.", "Restatement (Second), § 505.", "the settlement, § 505.", "the code § 505.",
    "the statute § 505.", "its by-laws, § 505.", "the decree § 505.", "a treatise, § 505.", "Part 12, § 505.",
    "Title 18, § 505.", "Acme Holly, § 505.", "Delaware Thus § 505.", "the terms, § 505.", "the lease's § 505.",
    "the Lease’s § 505.", "Family, § 505.", "The Act, § 505.", "his memorandum § 505.", "the protocol, § 505.",
    "agmt § 505.", "the decl, § 505.", "the former § 505.", "a proposed § 505.", "the Ohio equivalent, § 505.",
    "City § 505.", "Its own text, its § 505.", "Applebaum § 505.",
    "the loan documents, § 505.", "the parties' agreements § 505.", "the policies' § 505.", "the annex § 505.",
    "Witkin, supra, § 505.", "Supply, § 505.", "Kelly, § 505.",
]  # fmt: skip


def first_sign(sentence: str) -> tuple[str, int]:
    text = f"Plaintiff sued under it. {sentence}"
    found = re.search("§ 505", text)
    assert found is not None
    return text, found.start()


@pytest.mark.parametrize("sentence", SENTENCES)
def test_words_of_a_sentence_lead_to_a_sign(sentence):
    assert not stands_behind_name(*first_sign(sentence))


@pytest.mark.parametrize("sentence", DOCUMENTS)
def test_a_document_owns_the_sign_behind_its_name(sentence):
    assert stands_behind_name(*first_sign(sentence))
