"""Rules of courts: every usual spelling of those of the United States, and the whole names of others."""

import pytest

from serving.contract.citations import Grammar, parse

FORMS = (
    "Fed. R. {} P.",
    "Fed. R. {} Proc.",
    "Fed. Rule {} P.",
    "Fed. Rules of {} Proc.",
    "Federal Rule of {} Procedure",
    "Fed. {} R.",
    "Fed. {} Rule",
    "Federal {} Rule",
)
"""Forms of names, with the subject put in."""
SUBJECTS = {
    "Fed. R. Civ. P.": ("Civ.", "Civil"),
    "Fed. R. Crim. P.": ("Crim.", "Cr.", "Criminal"),
    "Fed. R. App. P.": ("App.", "Appellate"),
    "Fed. R. Bankr. P.": ("Bankr.", "Bankruptcy"),
}


@pytest.mark.parametrize("canonical", SUBJECTS)
@pytest.mark.parametrize("form", FORMS)
def test_rules_of_procedure_are_read_in_every_form(grammar: Grammar, form: str, canonical: str) -> None:
    for subject in SUBJECTS[canonical]:
        text = f"See {form.format(subject)} 4(a)(1), and no more."
        assert [one.canonical for one in parse(text, grammar)] == [f"{canonical} 4(a)(1)"], text


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("Fed. Rule of Evid. 404(b)", "Fed. R. Evid. 404(b)"),
        ("Federal Evidence Rule 404(b)", "Fed. R. Evid. 404(b)"),
        ("F.R.Evid. 404(b)", "Fed. R. Evid. 404(b)"),
        ("Bankr. R. 3001(f)", "Fed. R. Bankr. P. 3001(f)"),
        ("Bankr. Rule 4001(a)(3)", "Fed. R. Bankr. P. 4001(a)(3)"),
        ("Bankruptcy Rules 3001 and 3002", "Fed. R. Bankr. P. 3001"),
        ("Rule 29(c), Fed. R. Crim. Proc.", "Fed. R. Crim. P. 29(c)"),
    ],
)
def test_rules_of_the_united_states_are_read(grammar: Grammar, text: str, canonical: str) -> None:
    read = parse(f"Compare {text}.", grammar)
    assert read[0].canonical == canonical
    assert all(one.scheme == read[0].scheme for one in read)


@pytest.mark.parametrize(
    "name",
    [
        *(
            "8th Cir. R.",
            "2d Cir. R.",
            "Fed. Cir. R.",
            "First Cir. R.",
            "Crim. R.",
            "Criminal Rule",
            "Civil Rule",
        ),
        *(
            "Ohio Crim. R.",
            "Local Bankr. R.",
            "Local Bankruptcy Rule",
            "Local Civil Rule",
            "Ala. R. Crim. P.",
        ),
    ],
)
def test_rules_of_other_courts_are_named_whole(grammar: Grammar, name: str) -> None:
    read = parse(f"Under {name} 4001(a) it ends.", grammar)
    assert [(one.kind, one.code_name) for one in read] == [("unknown_code", name)]


@pytest.mark.parametrize("name", ["Interim Bankruptcy Rule", "N.D. Cal. Bankr. R.", "S.D.N.Y. Bankr. R."])
def test_rules_of_a_district_are_not_those_of_the_united_states(grammar: Grammar, name: str) -> None:
    assert [one.scheme for one in parse(f"Under {name} 4001(a) it ends.", grammar) if one.scheme] == []
