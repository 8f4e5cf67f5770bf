"""Tags on headings as the D.C. Code and the United States Code write them."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.errors import RegistryError
from assets.ingest.tags import TagRules, heading_phrases, load_tag_rules, subject_of


@pytest.mark.parametrize(
    ("heading", "tags"),
    [
        ("Definitions.", ("definitions",)),
        ("“Gas company” defined.", ("definitions",)),
        ("Definition of “scheme or artifice to defraud”", ("definitions",)),
        ("Short title; definitions", ("definitions", "short_title")),
        ("Congressional findings and declaration of policy", ("findings", "purpose")),
        ("Findings, purpose, and policy", ("findings", "purpose")),
        ("Statement of purpose", ("purpose",)),
        ("Legislative findings; purposes.", ("findings", "purpose")),
        ("Severability and construction.", ("construction", "severability")),
        ("Applicability date; sunset.", ("sunset",)),
        ("Effective date of chapter", ("effective_date",)),
        ("Relation to Electronic Signatures in Global and National Commerce Act.", ("preemption",)),
        ("Preemption of State laws; concurrent jurisdiction", ("preemption", "jurisdiction_venue")),
        ("Penalties for violations; applicability of section", ("applicability", "penalty")),
        ("Civil and criminal penalties", ("penalty",)),
        ("Cease and desist orders.", ("enforcement",)),
        ("Immunity from liability; confidential information.", ("liability", "confidentiality")),
        ("Statute of limitations.", ("limitations",)),
        ("Appeal to court of appeals", ("appeals",)),
        ("Administrative and judicial review; procedures applicable", ("appeals",)),
        ("Conduct of hearings; evidence.", ("hearings",)),
        ("Service of process; subpoenas.", ("service_of_process",)),
        ("Rules and regulations", ("rulemaking",)),
        ("Revocation, suspension, or denial of license or privilege", ("licensing",)),
        ("Licenses; fee; term.", ("licensing", "fees")),
        ("Attorney’s fees.", ("fees",)),
        ("Records and inspection", ("records",)),
        ("Annual report to Congress", ("reports",)),
        ("Authorization of appropriations", ("appropriations",)),
        ("Establishment of Board of Directors.", ("establishment",)),
        ("Powers and duties of the Mayor.", ("powers_duties",)),
        ("Zoning Commission — Regulations; districts or zones.", ("rulemaking", "zoning")),
        ("Rule-\u00admaking authority", ("rulemaking",)),
    ],
)
def test_headings_earn_their_tags(tag_rules: TagRules, heading: str, tags: tuple[str, ...]) -> None:
    assert tag_rules.kinds(heading, "") == tags


@pytest.mark.parametrize(
    "heading",
    [
        "",
        "[Repealed]",
        "Penalty mail",
        "Accounting for penalty covers",
        "Restriction on use of funds to pay penalties under Clean Air Act",
        "Inapplicability of drug fees to designated medical gases",
        "Loans for plant acquisition, construction, conversion and expansion",
        "Advancement of basic pay: members deployed in combat zone for more than one year",
        "Leases of unallotted lands for mining purposes",
        "Privacy and Civil Liberties Oversight Board",
        "Residents of zone",
    ],
)
def test_what_a_heading_only_mentions_earns_no_tag(tag_rules: TagRules, heading: str) -> None:
    assert tag_rules.kinds(heading, "") == ()


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("(a) For the purposes of this chapter, the term “board” means", ("definitions",)),
        ("This act may be cited as the Sample Act.", ("short_title",)),
        ("If any provision of this chapter is held invalid, the rest stands.", ("severability",)),
        ("As used in this section, the term “board” means", ()),
        ("The board shall levy fees. For the purposes of this chapter, the term", ()),
    ],
)
def test_the_opening_of_a_text_may_earn_a_tag(tag_rules: TagRules, text: str, tags: tuple[str, ...]) -> None:
    assert tag_rules.kinds("Coverage", text) == tags


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_heading_is_judged_alike_each_time(tag_rules: TagRules, heading: str, text: str) -> None:
    tags = tag_rules.kinds(heading, text)
    assert tag_rules.kinds(heading, text) == tags
    assert len(set(tags)) == len(tags)


@given(
    st.lists(
        st.sampled_from(["definitions", "of", "and", "the", "fee", "license", "report", ",", "-"]),
        max_size=120,
    )
)
def test_a_long_heading_takes_no_longer_than_its_length(tag_rules: TagRules, words: list[str]) -> None:
    # A pattern that backtracks without end would run into hypothesis's deadline here.
    tag_rules.kinds(" ".join(words), " ".join(words))


def test_headings_are_cut_into_phrases() -> None:
    heading = "Office of Zoning — Penalties; and fees: attorney’s. [Enacted]"
    assert heading_phrases(heading) == ["office of zoning", "penalties", "fees", "attorneys"]


@pytest.mark.parametrize(
    ("heading", "subject"),
    [
        ("COPYRIGHTS", "copyrights"),
        ("Business Organizations. [Enacted title]", "business-organizations"),
        ("Corporations. [Repealed].", "corporations"),
        ("Merchant’s Civil Recovery for Criminal Conduct.", "merchants-civil-recovery-for-criminal-conduct"),
        ("Descent, Distribution, and Trusts. [Enacted title]", "descent-distribution-and-trusts"),
        ("Código Único", "codigo-unico"),
        ("[Reserved]", None),
        ("", None),
    ],
)
def test_subjects_are_slugs_of_headings(heading: str, subject: str | None) -> None:
    assert subject_of(heading) == subject


@given(st.text(max_size=200))
def test_subjects_are_short_and_plain(heading: str) -> None:
    subject = subject_of(heading)
    if subject is not None:
        assert len(subject) <= 61
        assert set(subject) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
        assert not subject.startswith("-")
        assert not subject.endswith("-")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "KeyError"),
        ("[[tag]]\nheading = []", "KeyError"),
        ("[[tag]]\nname = 'a'\nheading = ['(']", r"Tag a: pattern '\('"),
        ("[[tag]]\nname = 'a'\nheading = ['x']\n" * 2, "double tag a"),
        ("[[tag]", "tags.toml"),
    ],
)
def test_faulty_rules_are_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "tags.toml").write_text(text, encoding="utf-8")
    with pytest.raises(RegistryError, match=message):
        load_tag_rules(tmp_path / "tags.toml")


def test_missing_rules_are_named(tmp_path: Path) -> None:
    with pytest.raises(RegistryError, match=r"tags\.toml is missing"):
        load_tag_rules(tmp_path / "tags.toml")
