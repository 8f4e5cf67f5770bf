"""Law of codes that a query cites or names among other words: what leads, and what is not held."""

import pytest

from serving.services.citations.leads import find_leads
from serving.snapshot.filters import Filters


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("Isle Penal Code 187", ["Isle Penal Code § 187"]),
        ("Isle Penal Code 187 murder", ["Isle Penal Code § 187"]),
        ("what does Isle Penal Code § 187(a) say", ["Isle Penal Code § 187(a)"]),
        ("isle penal code murder", ["isle penal code"]),
        ("murder under the Code of Isle", ["Code of Isle"]),
        ("I.P.C. § 187 murder", ["Isle Penal Code § 187"]),
        ("Isle Penal Code § 187 and Isle Penal Code", ["Isle Penal Code § 187"]),
        ("Isle Penal Code §§ 187, 188 murder", ["Isle Penal Code § 187", "Isle Penal Code § 188"]),
        ("harbor dues in 1 S.F.R. § 5", ["1 S.F.R. § 5"]),
        ("harbor dues in 4 S.F.C. § 107 (1909)", ["4 S.F.C. § 107 (1909)"]),
        ("harbor dues in 4 S.F.C. §§ 107-109 (1909)", ["4 S.F.C. §§ 107-109 (1909)"]),
        ("harbor dues in former 4 S.F.C. § 107", ["former 4 S.F.C. § 107"]),
        ("harbor dues in 4 S.F.C. § 107 (2018)", []),
        ("4 S.F.C. § 107 (1909)", ["4 S.F.C. § 107 (1909)"]),
        ("sunken harbors act and isle penal code", ["sunken harbors act", "isle penal code"]),
        ("what does 1 S.F.C. § 5 say of harbors", []),
        ("Sample Code § 1-1 harbors", []),
        ("sample code harbors", []),
        ("ipc murder", []),
        ("isle penal code of conduct", []),
        ("dress code of isle schools", []),
        ("South Isle Penal Code", []),
        ("penal code", []),
        ("harbor dues", []),
    ],
)
def test_law_of_known_codes_that_are_not_held_is_told(cited, query, told):
    assert [law.asked for law in find_leads(cited, query, Filters()).unheld] == told


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("Ada County Code § 9-1-1", ["Ada County Code § 9-1-1"]),
        ("Ada County Code § 9-1-1 dogs", ["Ada County Code § 9-1-1"]),
        ("noise: Ada County Code §§ 9-1-1, 9-1-2", ["Ada County Code §§ 9-1-1, 9-1-2"]),
        ("dogs under the Code of the City of Boise § 9-1", ["Code of the City of Boise § 9-1"]),
        ("Boise Municipal Code dogs", ["Boise Municipal Code"]),
        ("dogs: Ada County Code of Ordinances", ["Ada County Code of Ordinances"]),
        ("Boise Municipal Code or isle penal code 187", ["Isle Penal Code § 187", "Boise Municipal Code"]),
        # Whose it is, is not said.
        ("Municipal Code § 9-1-1 dogs", []),
        ("Municipal Code", []),
        # No place is named, and nothing is cited.
        ("Dress Code for schools", []),
        ("Boise Building Code dogs", []),
        # It may be law of that place by another name.
        ("Sample City Code of Ordinances", []),
        # What an act of a year enacted may be held as a part of a code.
        ("the Clean Harbors Act of 1999", []),
        ("boise municipal code dogs", []),
    ],
)
def test_a_code_that_no_data_lists_is_told_by_its_name(cited, query, told):
    assert [law.asked for law in find_leads(cited, query, Filters()).unheld] == told
