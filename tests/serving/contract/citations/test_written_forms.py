"""Every form in which people write citations, and what is read from it."""

import pytest

from serving.contract.citations import Citation, Grammar, Unparsed, parse, read_one

FORMS = [
    # With and without the sign, in any case, with any space and dash
    ("17 U.S.C. § 107", "17 U.S.C. § 107"),
    ("17 USC 107", "17 U.S.C. § 107"),
    ("17usc107", "17 U.S.C. § 107"),
    ("17 u.s.c. §107", "17 U.S.C. § 107"),
    ("17 U. S. C. § 107", "17 U.S.C. § 107"),
    ("17 U.S.C.§107", "17 U.S.C. § 107"),
    ("17\u00a0U.S.C.\u00a0§\u00a0107", "17 U.S.C. § 107"),
    ("17\u2009U.S.C.\u202f§\u2009107", "17 U.S.C. § 107"),
    ("17 U.S.C.\n§ 107", "17 U.S.C. § 107"),
    ("17 U.S.C., § 107", "17 U.S.C. § 107"),
    ("17 U.S.C. (2012) § 107", "17 U.S.C. § 107"),
    ("17 U.S.C.A. § 107", "17 U.S.C. § 107"),
    ("17 U.S.C.S. § 107", "17 U.S.C. § 107"),
    ("17 U.S. Code § 107", "17 U.S.C. § 107"),
    ("17 United States Code 107", "17 U.S.C. § 107"),
    ("17 U.S.C. sec. 107", "17 U.S.C. § 107"),
    ("17 U.S.C. Section 107", "17 U.S.C. § 107"),
    ("17 U.S.C. s. 107", "17 U.S.C. § 107"),
    ("Title 17 U.S.C. § 107", "17 U.S.C. § 107"),
    ("017 U.S.C. § 107", "17 U.S.C. § 107"),
    ("17 U.S.C. § 107 (2012)", "17 U.S.C. § 107"),
    ("See 17 U.S.C. § 107 (West 2020).", "17 U.S.C. § 107"),
    ("See, e.g., 17 U.S.C. § 107", "17 U.S.C. § 107"),
    ("But see 17 U.S.C. § 107", "17 U.S.C. § 107"),
    ("17 U.S.C. § 107 (West)", "17 U.S.C. § 107"),
    ("17 U.S.C.A. § 107 (West 2018)", "17 U.S.C. § 107"),
    ("17 U.S.C.S. § 107 (LexisNexis 2020)", "17 U.S.C. § 107"),
    ("17 U.S.C. § 107 (Supp. IV 1998)", "17 U.S.C. § 107"),
    ("17 U.S.C. § 107 (2018 ed.)", "17 U.S.C. § 107"),
    ("17 U.S.C. § 107 (2012 & Supp. IV 2016)", "17 U.S.C. § 107"),
    ("17 U.S.C. § 107 (fair use)", "17 U.S.C. § 107"),
    ("17 U.S.C. (2018 ed., Supp. II) § 107", "17 U.S.C. § 107"),
    ("17 U.S.C.  §  107", "17 U.S.C. § 107"),
    ("17 U.S.C. s 107", "17 U.S.C. § 107"),
    ("17 U.S.C. Â§ 107", "17 U.S.C. § 107"),
    ("17 U.S.C. &sect; 107", "17 U.S.C. § 107"),
    ("Tit. 17, § 107", "17 U.S.C. § 107"),
    # Letters and hyphens in numbers
    ("42 U.S.C. § 2000e-2", "42 U.S.C. § 2000e-2"),
    ("42 U.S.C. § 2000e–2", "42 U.S.C. § 2000e-2"),
    ("42 U.S.C. § 2000e—2", "42 U.S.C. § 2000e-2"),
    ("42 U.S.C. § 2000e−2", "42 U.S.C. § 2000e-2"),
    ("42 U.S.C. § 2000e‑2", "42 U.S.C. § 2000e-2"),
    ("42 usc 1395w–4", "42 U.S.C. § 1395w-4"),
    ("42 U.S.C. § 1395ww(d)(5)(B)", "42 U.S.C. § 1395ww(d)(5)(B)"),
    ("18 U.S.C. § 1028A", "18 U.S.C. § 1028A"),
    ("26 U.S.C. § 1400Z-2", "26 U.S.C. § 1400Z-2"),
    ("54 U.S.C. § 100101", "54 U.S.C. § 100101"),
    ("50 U.S.C. 1701", "50 U.S.C. § 1701"),
    # Words
    ("section 1983 of title 42", "42 U.S.C. § 1983"),
    ("Section 1983 of Title 42 of the United States Code", "42 U.S.C. § 1983"),
    ("section 1983 of title 42, United States Code", "42 U.S.C. § 1983"),
    ("§ 1983 of title 42", "42 U.S.C. § 1983"),
    ("title 42 section 1983", "42 U.S.C. § 1983"),
    ("title 42, section 1983", "42 U.S.C. § 1983"),
    ("title 42, United States Code, section 1983", "42 U.S.C. § 1983"),
    ("Title 42 U.S.C. section 1983", "42 U.S.C. § 1983"),
    ("subsection (a) of section 552 of title 5", "5 U.S.C. § 552(a)"),
    ("paragraph (3) of subsection (a) of section 101 of title 17", "17 U.S.C. § 101(a)(3)"),
    ("subsection (a)(1) of 17 U.S.C. § 106", "17 U.S.C. § 106(a)(1)"),
    # Pin cites
    ("17 U.S.C. § 106(1)", "17 U.S.C. § 106(1)"),
    ("17 U.S.C. § 106 (1)", "17 U.S.C. § 106(1)"),
    ("5 U.S.C. § 552 (b) (7) (C)", "5 U.S.C. § 552(b)(7)(C)"),
    ("18 U.S.C. § 924(c)(1)(A)(iii)", "18 U.S.C. § 924(c)(1)(A)(iii)"),
    ("5 U.S.C. § 552(b)(1)-(3)", "5 U.S.C. § 552(b)(1)-(3)"),
    ("5 U.S.C. § 552(b)(1)–(b)(3)", "5 U.S.C. § 552(b)(1)-(3)"),
    ("17 U.S.C. § 107, subsection (a)", "17 U.S.C. § 107(a)"),
    # Paragraphs that are numbered in words
    ("45 U.S.C. § 152, Fourth", "45 U.S.C. § 152, Fourth"),
    ("45 U.S.C. § 152 Fourth", "45 U.S.C. § 152, Fourth"),
    ("45 U.S.C. § 153, First (i)", "45 U.S.C. § 153, First(i)"),
    ("12 U.S.C. § 24(Seventh)", "12 U.S.C. § 24, Seventh"),
    # Notes, appendices, and those that follow
    ("44 U.S.C. § 3501note", "44 U.S.C. § 3501 note"),
    ("note to 28 U.S.C. § 1932", "28 U.S.C. § 1932 note"),
    ("note following 28 U.S.C. § 1932", "28 U.S.C. § 1932 note"),
    ("28 U.S.C. note following § 1932", "28 U.S.C. § 1932 note"),
    ("note under section 1932 of title 28", "28 U.S.C. § 1932 note"),
    ("Fed. R. Civ. P. 26 advisory committee's note", "Fed. R. Civ. P. 26 note"),
    (
        "Fed. R. Civ. P. 26(b)(1) advisory committee’s note to 2015 amendment",
        "Fed. R. Civ. P. 26(b)(1) note",
    ),
    ("42 U.S.C. § 12101 et sequitur", "42 U.S.C. § 12101 et seq."),
    ("18 U.S.C. app. 3 § 5", "18 U.S.C. app. 3 § 5"),
    ("46 U.S.C. App'x § 688", "46 U.S.C. app. § 688"),
    ("42 U.S.C. § 1983 note", "42 U.S.C. § 1983 note"),
    ("5 U.S.C. 5304 (note)", "5 U.S.C. § 5304 note"),
    ("42 U.S.C. § 2000e et seq.", "42 U.S.C. § 2000e et seq."),
    ("42 usc 2000e et seq", "42 U.S.C. § 2000e et seq."),
    ("50 U.S.C. app. § 5", "50 U.S.C. app. § 5"),
    ("50 U.S.C.App. § 5(b)", "50 U.S.C. app. § 5(b)"),
    ("50 USC Appendix 5", "50 U.S.C. app. § 5"),
    ("5 U.S.C. App. 3 § 6(a)", "5 U.S.C. app. 3 § 6(a)"),
    ("50a U.S.C. § 5", "50 U.S.C. app. § 5"),
    (
        "Inspector General Act of 1978 § 8A, 5 U.S.C. app.",
        "Inspector General Act of 1978 § 8A, 5 U.S.C. app.",
    ),
    # Names of single titles
    ("IRC § 501(c)(3)", "26 U.S.C. § 501(c)(3)"),
    ("I.R.C. § 501(c)(3)", "26 U.S.C. § 501(c)(3)"),
    ("Internal Revenue Code section 501(c)(3)", "26 U.S.C. § 501(c)(3)"),
    ("section 6103(l)(13) of the Internal Revenue Code", "26 U.S.C. § 6103(l)(13)"),
    ("section 401(k) of the Internal Revenue Code of 1986", "26 U.S.C. § 401(k)"),
    ("Bankruptcy Code § 362(a)", "11 U.S.C. § 362(a)"),
    # D.C.
    ("D.C. Code § 29–801.02", "D.C. Code § 29-801.02"),
    ("DC Code 29-801.02", "D.C. Code § 29-801.02"),
    ("D.C. Official Code § 29-801.02(a)", "D.C. Code § 29-801.02(a)"),
    ("D.C. Code Ann. § 28:9-105", "D.C. Code § 28:9-105"),
    ("section 29-801.02 of the District of Columbia Official Code", "D.C. Code § 29-801.02"),
    ("D.C. Code § 4-1701.01(Perm)", "D.C. Code § 4-1701.01(Perm)"),
    ("D.C. Code § 2-1217.35d–1(b)", "D.C. Code § 2-1217.35d-1(b)"),
    # Rules of courts
    ("Fed. R. Civ. P. 12(b)(6)", "Fed. R. Civ. P. 12(b)(6)"),
    ("Fed.R.Civ.P. 12(b)(6)", "Fed. R. Civ. P. 12(b)(6)"),
    ("FRCP 12(b)(6)", "Fed. R. Civ. P. 12(b)(6)"),
    ("Federal Rule of Civil Procedure 12(b)(6)", "Fed. R. Civ. P. 12(b)(6)"),
    ("Rule 12(b)(6) of the Federal Rules of Civil Procedure", "Fed. R. Civ. P. 12(b)(6)"),
    ("Rule 12(b)(6), Fed. R. Civ. P.", "Fed. R. Civ. P. 12(b)(6)"),
    ("Rule 16(a) Fed. R. Crim. P.", "Fed. R. Crim. P. 16(a)"),
    ("section 7 Clayton Act", "Clayton Act § 7"),
    ("Fed. R. Evid. 801(d)(2)(E)", "Fed. R. Evid. 801(d)(2)(E)"),
    ("FRE 403", "Fed. R. Evid. 403"),
    ("Fed. R. Crim. P. 12.1", "Fed. R. Crim. P. 12.1"),
    ("Fed. R. Bankr. P. 2004", "Fed. R. Bankr. P. 2004"),
    ("Fed. R. Civ. P. Supp. R. B(1)", "Fed. R. Civ. P. Supp. R. B(1)"),
    ("Reorganization Plan No. 3 of 1978", "Reorg. Plan No. 3 of 1978"),
    # Law that is not held
    ("17 CFR 240.10b-5", "17 C.F.R. § 240.10b-5"),
    ("17 C.F.R. § 240.10b–5(a)", "17 C.F.R. § 240.10b-5(a)"),
    ("29 C.F.R. § 1910.1200(g)(8)", "29 C.F.R. § 1910.1200(g)(8)"),
    ("section 229.301 of title 17, Code of Federal Regulations", "17 C.F.R. § 229.301"),
    ("26 CFR 1.401(a)(9)-6", "26 C.F.R. § 1.401(a)(9)-6"),
    ("Treas. Reg. § 1.501(c)(3)-1(d)(1)", "26 C.F.R. § 1.501(c)(3)-1(d)(1)"),
    ("O.C.G.A. § 14-11-203", "Ga. Code Ann. § 14-11-203"),
    ("OCGA 14-11-203", "Ga. Code Ann. § 14-11-203"),
    ("Va. Code Ann. § 18.2-51", "Va. Code Ann. § 18.2-51"),
    ("§ 30-19.1:4 of the Code of Virginia", "Va. Code Ann. § 30-19.1:4"),
    ("Cal. Penal Code § 187(a)", "Cal. Penal Code § 187(a)"),
    ("California Business & Professions Code section 17200", "Cal. Bus. & Prof. Code § 17200"),
    ("section 1798.100 of the California Civil Code", "Cal. Civ. Code § 1798.100"),
    ("8 Del. C. § 102(b)(7)", "Del. Code Ann. tit. 8, § 102(b)(7)"),
    ("Del. Code Ann. tit. 8, § 102", "Del. Code Ann. tit. 8, § 102"),
    ("M.G.L. c. 93A, § 9", "Mass. Gen. Laws ch. 93A, § 9"),
    ("735 ILCS 5/2-1001", "735 Ill. Comp. Stat. 5/2-1001"),
    ("17-A M.R.S. § 201", "Me. Rev. Stat. Ann. tit. 17-A, § 201"),
    ("N.J.S.A. 2C:11-3", "N.J. Stat. Ann. § 2C:11-3"),
    ("RCW 9A.36.021", "Wash. Rev. Code § 9A.36.021"),
    ("Tex. Bus. Orgs. Code § 3.005", "Tex. Bus. Orgs. Code Ann. § 3.005"),
    ("N.Y. C.P.L.R. 3211(a)(7)", "N.Y. C.P.L.R. 3211(a)(7)"),
    ("9VAC25-830-60", "9 Va. Admin. Code § 25-830-60"),
    ("Pub. L. No. 111-148, § 1101", "Pub. L. No. 111-148, § 1101"),
    ("Public Law 107–56", "Pub. L. No. 107-56"),
    ("U.S. Const. amend. XIV, § 1", "U.S. Const. amend. XIV, § 1"),
    # Acts by their names
    ("Lanham Act § 43(a)", "Lanham Act § 43(a)"),
    ("section 43(a) of the Lanham Act", "Lanham Act § 43(a)"),
    ("Clean Air Act § 111(d)", "Clean Air Act § 111(d)"),
    ("ERISA § 502(a)(1)(B)", "Employee Retirement Income Security Act of 1974 § 502(a)(1)(B)"),
    ("ERISA 502(a)", "Employee Retirement Income Security Act of 1974 § 502(a)"),
    ("section 10(b) of the Securities Exchange Act", "Securities Exchange Act of 1934 § 10(b)"),
    # Containers
    ("11 U.S.C. ch. 7, subch. IV", "11 U.S.C. ch. 7, subch. IV"),
    ("chapter 7 of title 11", "11 U.S.C. ch. 7"),
    ("subchapter II of chapter 5 of title 5, United States Code", "5 U.S.C. ch. 5, subch. II"),
    ("chapter 35, subchapter II, title 44", "44 U.S.C. ch. 35, subch. II"),
    ("subchapter II, chapter 35, title 44", "44 U.S.C. ch. 35, subch. II"),
    ("title 44, chapter 35, subchapter II", "44 U.S.C. ch. 35, subch. II"),
    ("17 U.S.C.", "17 U.S.C."),
    ("D.C. Code tit. 29, ch. 8", "D.C. Code tit. 29, ch. 8"),
    ("Chapter 8 of Title 29 of the District of Columbia Official Code", "D.C. Code tit. 29, ch. 8"),
    ("29 CFR part 1910", "29 C.F.R. pt. 1910"),
]

LISTS = [
    ("42 U.S.C. §§ 1981, 1983, and 1985(3)", ["42 U.S.C. § 1981", "42 U.S.C. § 1983", "42 U.S.C. § 1985(3)"]),
    ("42 U.S.C. § 1983; § 1985", ["42 U.S.C. § 1983", "42 U.S.C. § 1985"]),
    ("42 U.S.C. §§ 1981-1988", ["42 U.S.C. §§ 1981 to 1988"]),
    ("42 U.S.C. § 1981–1988", ["42 U.S.C. §§ 1981 to 1988"]),
    ("28 U.S.C. §§ 1331-32, 1367", ["28 U.S.C. §§ 1331 to 1332", "28 U.S.C. § 1367"]),
    ("42 U.S.C. §§ 2000e–2000e-17", ["42 U.S.C. §§ 2000e to 2000e-17"]),
    ("42 U.S.C. §§ 300aa-1 through 300aa-34", ["42 U.S.C. §§ 300aa-1 to 300aa-34"]),
    ("42 U.S.C. §§ 300aa-1–300aa-34", ["42 U.S.C. §§ 300aa-1 to 300aa-34"]),
    ("15 U.S.C. §§ 78a-78pp", ["15 U.S.C. §§ 78a to 78pp"]),
    ("20 U.S.C. §§ 1078-10, 1078-11", ["20 U.S.C. § 1078-10", "20 U.S.C. § 1078-11"]),
    ("sections 101 and 102 of title 17", ["17 U.S.C. § 101", "17 U.S.C. § 102"]),
    ("D.C. Code §§ 29-801.01 to 29-801.05", ["D.C. Code §§ 29-801.01 to 29-801.05"]),
    (
        "D.C. Code §§ 29-801.01–29-801.05, 29-802",
        ["D.C. Code §§ 29-801.01 to 29-801.05", "D.C. Code § 29-802"],
    ),
    ("5 U.S.C. § 552(a), (b)(1) and (c)", ["5 U.S.C. § 552(a)", "5 U.S.C. § 552(b)(1)", "5 U.S.C. § 552(c)"]),
    ("5 U.S.C. § 552(b)(1), (3)", ["5 U.S.C. § 552(b)(1)", "5 U.S.C. § 552(b)(3)"]),
    (
        "Rules 12(b)(1) and 12(b)(6) of the Federal Rules of Civil Procedure",
        ["Fed. R. Civ. P. 12(b)(1)", "Fed. R. Civ. P. 12(b)(6)"],
    ),
    ("45 USC 51-60", ["45 U.S.C. §§ 51 to 60"]),
    ("9 U.S.C. § 1–16", ["9 U.S.C. §§ 1 to 16"]),
    ("15 U.S.C. § 78a-78pp", ["15 U.S.C. §§ 78a to 78pp"]),
    ("42 U.S.C. §§ 1981-1988 note", ["42 U.S.C. §§ 1981 to 1988 note"]),
    ("17 U.S.C. § 107, 108", ["17 U.S.C. § 107", "17 U.S.C. § 108"]),
    ("15 U.S.C. § 1, § 2", ["15 U.S.C. § 1", "15 U.S.C. § 2"]),
    ("15 U.S.C. sec. 1 and sec. 2", ["15 U.S.C. § 1", "15 U.S.C. § 2"]),
    ("28 USC 1331, 1332(a), and 1367", ["28 U.S.C. § 1331", "28 U.S.C. § 1332(a)", "28 U.S.C. § 1367"]),
    ("42 U.S.C. 1981, 1983", ["42 U.S.C. § 1981", "42 U.S.C. § 1983"]),
    ("42 U.S.C. 1395w-4 and 1396a(a)(1)", ["42 U.S.C. § 1395w-4", "42 U.S.C. § 1396a(a)(1)"]),
    ("45 U.S.C. § 152, Third and Fourth", ["45 U.S.C. § 152, Third", "45 U.S.C. § 152, Fourth"]),
    ("41 U.S.C. ch. 71, chapter 67 of title 41", ["41 U.S.C. ch. 71", "41 U.S.C. ch. 67"]),
    ("17 U.S.C. § 107 and 35 U.S.C. § 101", ["17 U.S.C. § 107", "35 U.S.C. § 101"]),
    (
        "42 U.S.C. §§ 1981, 1983, and 18 U.S.C. § 242",
        ["42 U.S.C. § 1981", "42 U.S.C. § 1983", "18 U.S.C. § 242"],
    ),
]


@pytest.mark.parametrize(("text", "canonical"), FORMS)
def test_a_typed_citation_is_read(grammar: Grammar, text: str, canonical: str) -> None:
    found = read_one(text, grammar)
    assert isinstance(found, tuple)
    assert [citation.canonical for citation in found] == [canonical]


@pytest.mark.parametrize(("text", "canonical"), FORMS)
def test_a_citation_is_found_in_a_sentence(grammar: Grammar, text: str, canonical: str) -> None:
    found = parse(f"As the court held under {text}, it was so; 3 days passed.", grammar)
    assert [citation.canonical for citation in found] == [canonical]


@pytest.mark.parametrize(("text", "canonical"), LISTS)
def test_lists_and_ranges_are_taken_apart(grammar: Grammar, text: str, canonical: list[str]) -> None:
    found = read_one(text, grammar)
    assert isinstance(found, tuple)
    assert [citation.canonical for citation in found] == canonical


def only(text: str, grammar: Grammar) -> Citation:
    (citation,) = parse(text, grammar)
    return citation


def test_the_parts_of_a_citation(grammar: Grammar) -> None:
    citation = only("under 42 U.S.C. § 1395w–4(a)(1)(A) now", grammar)
    assert (citation.code, citation.scheme, citation.kind) == ("us-usc", "us-usc", "section")
    assert (citation.title, citation.num, citation.labels) == ("42", "1395w-4", ("a", "1", "A"))
    assert citation.target == "42 U.S.C. § 1395w-4"
    assert (citation.start, citation.end) == (6, 34)


def test_notes_and_appendices_are_another_provision(grammar: Grammar) -> None:
    note = only("42 U.S.C. § 1983 note", grammar)
    assert note.note
    assert note.target == "42 U.S.C. § 1983"
    appendix = only("50 U.S.C. app. § 5", grammar)
    assert appendix.appendix
    assert appendix.target == "50 U.S.C. app. § 5"


def test_a_range_names_both_ends(grammar: Grammar) -> None:
    citation = only("42 U.S.C. §§ 1981–1988", grammar)
    assert (citation.num, citation.through) == ("1981", "1988")
    pins = only("5 U.S.C. § 552(b)(1)–(3)", grammar)
    assert (pins.labels, pins.labels_through) == (("b", "1"), ("b", "3"))


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("17 U.S.C. §§ 106, 107, 410 U.S. 113", ["17 U.S.C. § 106", "17 U.S.C. § 107"]),
        ("17 U.S.C. §§ 104A, 109; 108 L. Ed. 4809", ["17 U.S.C. § 104A", "17 U.S.C. § 109"]),
        ("35 U.S.C. §§ 101, 103; 134 S. Ct. 2347", ["35 U.S.C. § 101", "35 U.S.C. § 103"]),
        ("35 U.S.C. §§ 102, 103, 112 Fed. Cl. 3", ["35 U.S.C. § 102", "35 U.S.C. § 103"]),
        ("17 U.S.C. §§ 101 and 102; 122 F.4th 5", ["17 U.S.C. § 101", "17 U.S.C. § 102"]),
        ("17 U.S.C. §§ 101, 106, 501 F.2d 30", ["17 U.S.C. § 101", "17 U.S.C. § 106"]),
        ("17 U.S.C. §§ 101, 102, 154 Cong. Rec. 9", ["17 U.S.C. § 101", "17 U.S.C. § 102"]),
        ("17 U.S.C. §§ 107, 108, 2019 WL 3", ["17 U.S.C. § 107", "17 U.S.C. § 108"]),
        ("17 U.S.C. §§ 10, 11; 14 Penn Plaza LLC v. Pyett", ["17 U.S.C. § 10", "17 U.S.C. § 11"]),
        ("29 U.S.C. §§ 151, 152 and 3 Others", ["29 U.S.C. § 151", "29 U.S.C. § 152"]),
        (
            "42 U.S.C. §§ 1981, 1983, and 1985. 5 Years",
            ["42 U.S.C. § 1981", "42 U.S.C. § 1983", "42 U.S.C. § 1985"],
        ),
    ],
)
def test_a_volume_of_something_else_is_not_of_the_list(
    grammar: Grammar, text: str, canonical: list[str]
) -> None:
    found = parse(f"See {text} (1973).", grammar)
    assert [citation.canonical for citation in found] == canonical


def test_members_of_a_list_know_the_list(grammar: Grammar) -> None:
    found = parse("24 U.S.C. §§ 1, 2", grammar)
    assert [citation.listing for citation in found] == ["24 U.S.C. §§ 1, 2"] * 2
    assert [citation.num for citation in found] == ["1", "2"]


def test_an_abbreviation_of_two_acts_names_both(grammar: Grammar) -> None:
    citation = only("TVPA § 3", grammar)
    assert citation.kind == "popular_name"
    assert citation.candidates == (
        "Torture Victim Protection Act of 1991",
        "Trafficking Victims Protection Act of 2000",
    )


def test_a_title_without_a_name_is_of_the_code_that_the_text_is_of(grammar: Grammar) -> None:
    text = "as provided in chapter 8 of title 29"
    assert [c.canonical for c in parse(text, grammar)] == ["29 U.S.C. ch. 8"]
    assert [c.canonical for c in parse(text, grammar, within="dc-code")] == ["D.C. Code tit. 29, ch. 8"]


def test_the_number_after_the_name_of_an_act_may_belong_to_what_follows(grammar: Grammar) -> None:
    found = parse("under the Rehabilitation Act, sections 791 to 794 of title 29", grammar)
    assert [c.canonical for c in found] == ["Rehabilitation Act of 1973", "29 U.S.C. §§ 791 to 794"]


def test_footnote_numbers_after_a_stop_are_left_alone(grammar: Grammar) -> None:
    assert only("under 42 U.S.C. § 1983.12 The", grammar).canonical == "42 U.S.C. § 1983"


@pytest.mark.parametrize(
    "what_follows",
    [
        ", 123 F.3d 45",
        ", 410 U.S. 113",
        ", 2019 WL 1234",
        ", 1996",
        " and 1993",
        ", 42 days later",
        " and 3000 defendants",
        ", 5000 of whom died",
        ", 12,000 of them",
        ", 2000 claims",
        " and 2500 others",
        ", 12/5/2020",
        ", 2003-2007",
        "; 1984. Another matter",
        " and section 1985 of the Act",
        ", § 1985 of the Act",
        ", 35 F. Supp. 2d 3",
        " and 4000 Penn Plaza",
        ", First Amendment",
        ", First, Fourth, and Fourteenth Amendments",
        " First Circuit",
        " notes the rule",
        ", 1984.5",
        ", 1984a widgets",
        ", 1996 were denied",
        ", 1397 did not",
        ", 1396 would have",
        ", $1984",
        ", 1999%",
    ],
)
def test_what_is_plainly_no_section_is_not_of_a_list_without_signs(
    grammar: Grammar, what_follows: str
) -> None:
    for mark in ("", "§ "):
        found = parse(f"under 42 U.S.C. {mark}1395{what_follows} (1973)", grammar)
        assert [citation.canonical for citation in found] == ["42 U.S.C. § 1395"]


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("title 17, sections 106 and 107 of title 35", ["35 U.S.C. § 106", "35 U.S.C. § 107"]),
        ("title 17, section 106 of title 35", ["35 U.S.C. § 106"]),
        (
            "41 U.S.C. ch. 71, chapter 67 of title 41, subchapter II of chapter 35 of title 44",
            ["41 U.S.C. ch. 71", "41 U.S.C. ch. 67", "44 U.S.C. ch. 35, subch. II"],
        ),
        ("title 17, chapter 5 of title 35", ["35 U.S.C. ch. 5"]),
        (
            "17 U.S.C. §§ 106 and 107 of the Copyright Act",
            ["17 U.S.C. § 106", "17 U.S.C. § 107", "Copyright Act of 1976"],
        ),
        ("17 U.S.C. § 106 and § 7 of the Clayton Act", ["17 U.S.C. § 106", "Clayton Act § 7"]),
    ],
)
def test_the_title_behind_wins(grammar: Grammar, text: str, canonical: list[str]) -> None:
    assert [citation.canonical for citation in parse(f"as in {text}.", grammar)] == canonical


def test_no_title_is_numbered_nought(grammar: Grammar) -> None:
    for text in ("0 U.S.C. § 1", "00 U.S.C. § 1", "section 1 of title 0"):
        assert parse(text, grammar) == []
    assert only("99 U.S.C. § 1", grammar).title == "99"


def test_a_range_gives_the_targets_of_its_ends(grammar: Grammar) -> None:
    assert only("42 U.S.C. §§ 1981–1988", grammar).ends == ("42 U.S.C. § 1981", "42 U.S.C. § 1988")
    assert only("42 U.S.C. § 1981", grammar).ends == ()


def test_the_act_of_an_appendix_is_no_part_of_the_target(grammar: Grammar) -> None:
    citation = only("18 U.S.C. App. 3, § 5(a)", grammar)
    assert (citation.target, citation.appendix_act) == ("18 U.S.C. app. § 5", "3")


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("D.C. Code, 2001 Ed., § 22-2101", "D.C. Code § 22-2101"),
        ("D.C. Code 1981, § 22-2101", "D.C. Code § 22-2101 (1981 ed.)"),
        ("K.S.A. 2020 Supp. 21-5402", "Kan. Stat. Ann. § 21-5402"),
        ("Ala. Code 1975, § 13A-6-2", "Ala. Code § 13A-6-2"),
        ("Tex. Penal Code Ann. (West) § 19.02", "Tex. Penal Code Ann. § 19.02"),
        ("42 U.S.C. 1983, § 1985", "42 U.S.C. § 1983"),
        ("Minn. Stat. § 609.185, subd. 1", "Minn. Stat. § 609.185, subd. 1"),
        ("I.C. § 18-4001", "Idaho Code § 18-4001"),
        ("I.C. § 35-42-1-1", "Ind. Code § 35-42-1-1"),
        ("R.C. § 2903.01", "Ohio Rev. Code Ann. § 2903.01"),
        ("43 P.S. § 951", "43 Pa. Stat. § 951"),
        ("AS § 11.41.100", "Alaska Stat. § 11.41.100"),
        ("as § 11.41.100", None),
        ("Cal. Const. art. I, § 7", "Cal. Const. art. I, § 7"),
        ("Article I, Section 7 of the California Constitution", "Cal. Const. art. I, § 7"),
        ("Article III, Section 2 of the United States Constitution", "U.S. Const. art. III, § 2"),
        ("U.S. Constitution, Article I, Section 8, Clause 3", "U.S. Const. art. I, § 8, cl. 3"),
        ("u.s. const. amend. xiv § 1", "U.S. Const. amend. XIV, § 1"),
        ("Pub. L. 111-148, sec. 1501, 124 Stat. 119", "Pub. L. No. 111-148, § 1501"),
        ("U.S.S.G. § 2D1.1(c)(1)", "U.S.S.G. § 2D1.1(c)(1)"),
        ("Fed. Rules Civ. Proc. 12(b)(6)", "Fed. R. Civ. P. 12(b)(6)"),
    ],
)
def test_editions_abbreviations_and_constitutions(grammar: Grammar, text: str, canonical: str | None) -> None:
    found = [citation.canonical for citation in parse(f"As held under {text}.", grammar)]
    assert found[:1] == ([canonical] if canonical else [])


def test_numbers_of_a_list_may_leave_out_what_they_share(grammar: Grammar) -> None:
    found = parse("D.C. Code §§ 22-2101, -2104(a) and -2105", grammar)
    assert [citation.canonical for citation in found] == [
        "D.C. Code § 22-2101",
        "D.C. Code § 22-2104(a)",
        "D.C. Code § 22-2105",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "in violation of the California Penal Code.\n2. Any person who",
        "under the California Penal Code. 2. Any person",
        "the Internal Revenue Code. 501 people came",
        "the Bankruptcy Code. 11 cases were filed",
        "under the Bankruptcy Code, 12 debtors filed",
        "Cal. Veh. Code 10 years later",
        "under 8 U.S.C. 5 1101, the alien",
    ],
)
def test_number_that_only_follows_a_name_is_no_section(grammar: Grammar, text: str) -> None:
    assert [citation.canonical for citation in parse(text, grammar) if "§" in citation.canonical] == []


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("See Cal. Penal Code. § 187.", "Cal. Penal Code § 187"),
        ("under 42 U.S.C.\n1983. The court", "42 U.S.C. § 1983"),
        ("the Internal Revenue Code, 501(c)(3) organizations", "26 U.S.C. § 501(c)(3)"),
        ("42 U.S.C. 1983 claims", "42 U.S.C. § 1983"),
    ],
)
def test_number_without_a_sign_that_is_a_section(grammar: Grammar, text: str, canonical: str) -> None:
    assert [citation.canonical for citation in parse(text, grammar)] == [canonical]


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("100 Stat. 3359", "100 Stat. 3359"),
        ("85 Fed. Reg. 12345", "85 Fed. Reg. 12345"),
        ("42 FR 1983", "42 Fed. Reg. 1983"),
        ("Exec. Order No. 12866", "Exec. Order No. 12866"),
        ("E.O. 13526", "Exec. Order No. 13526"),
        ("R.C. 2903.01", "Ohio Rev. Code Ann. § 2903.01"),
        ("F.S. 782.04", "Fla. Stat. § 782.04"),
        ("G.S. 14-17", "N.C. Gen. Stat. § 14-17"),
        ("18 AAC 50.010", "18 Alaska Admin. Code § 50.010"),
        ("Tex. Rev. Civ. Stat. Ann. art. 4413", "Tex. Rev. Civ. Stat. Ann. art. 4413"),
        ("D.C. Law 19-168", "D.C. Law 19-168"),
        ("33 CFR 100.35T01-0125", "33 C.F.R. § 100.35T01-0125"),
        ("Utah Admin. Code R70-310-1", "Utah Admin. Code r. R70-310-1"),
    ],
)
def test_laws_that_nobody_holds_are_known_typed_and_in_text(
    grammar: Grammar, text: str, canonical: str
) -> None:
    assert only(f"He spoke of {text}, and then of nothing else.", grammar).canonical == canonical
    read = read_one(text, grammar)
    assert isinstance(read, tuple)
    assert [citation.canonical for citation in read] == [canonical]


def test_a_page_behind_a_law_is_the_same_law(grammar: Grammar) -> None:
    read = read_one("Pub. L. No. 104-317, § 309, 110 Stat. 3847, 3853", grammar)
    assert isinstance(read, tuple)
    assert [citation.canonical for citation in read] == ["Pub. L. No. 104-317, § 309"]


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("17 U.S.C. § 107, as added by Pub. L. 94-553", ["17 U.S.C. § 107"]),
        ("17 U.S.C. § 107, as amended by Pub. L. 102-492, 106 Stat. 3145 (1992).", ["17 U.S.C. § 107"]),
        ("52 U.S.C. § 10301, formerly 42 U.S.C. § 1973", ["52 U.S.C. § 10301"]),
        ("52 U.S.C. § 10301, formerly codified at 42 U.S.C. § 1973", ["52 U.S.C. § 10301"]),
        ("Copyright Act (the “Act”), 17 U.S.C. § 107", ["Copyright Act of 1976", "17 U.S.C. § 107"]),
        ("Copyright Act (“CA”)", ["Copyright Act of 1976"]),
        # What is said is not understood, or another's law.
        ("17 U.S.C. § 107, as amended by 17 U.S.C. § 108", None),
        ("17 U.S.C. § 107, as amended by nobody", None),
        ("17 U.S.C. § 107, as added by Pub. L. 94-553 and more", None),
        ("17 U.S.C. § 107, formerly law", None),
        ("Copyright Act (UK), 17 U.S.C. § 107", ["Copyright Act (UK)", "17 U.S.C. § 107"]),
        ("Copyright Act (1 of 2), 17 U.S.C. § 107", None),
    ],
)
def test_the_history_and_the_short_name_of_what_is_typed_are_no_further_citations(
    grammar: Grammar, text: str, canonical: list[str] | None
) -> None:
    read = read_one(text, grammar)
    assert (None if isinstance(read, Unparsed) else [one.canonical for one in read]) == canonical


def test_the_items_of_a_list_are_no_ranges(grammar: Grammar) -> None:
    found = parse("- 35 U.S.C. § 101\n- 35 U.S.C. § 102\n- D.C. Code § 16-5501\n- 102 of them", grammar)
    assert [c.canonical for c in found] == ["35 U.S.C. § 101", "35 U.S.C. § 102", "D.C. Code § 16-5501"]


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("42 U.S.C. § 2000e-\n2(a)", "42 U.S.C. § 2000e-2(a)"),
        ("D.C. Code § 42-\n3505.01", "D.C. Code § 42-3505.01"),
        ("D.C. Code § 48 - 904.01", "D.C. Code § 48-904.01"),
        ("29 U.S.C. §§ 201--219", "29 U.S.C. §§ 201 to 219"),
        ("31 U.S.C. §§ 3729--30", "31 U.S.C. §§ 3729 to 3730"),
        ("<i>28 U.S.C.</i> § 1332", "28 U.S.C. § 1332"),
        ("_33 U.S.C. § 1344_", "33 U.S.C. § 1344"),
        ("35 U.S.C. $ 101", "35 U.S.C. § 101"),
    ],
)
def test_what_layout_breaks_is_read_as_one(grammar: Grammar, text: str, canonical: str) -> None:
    assert only(f"He was charged under {text} last spring.", grammar).canonical == canonical


@pytest.mark.parametrize(
    "text",
    [
        "section 22 of the Internal Revenue Code of 1939",
        "D.C. Code 1981 Ed. § 22-3204",
        "D.C. Code 1981 § 22-3204",
        "D.C. Code § 22-3204 (1981 Repl.)",
        "D.C. Code § 22-3204 (1981 Cum. Supp.)",
        "D.C. Code § 22-3204 (1981)",
        "section 22-3201 of the D.C. Code, 1981 edition",
    ],
)
def test_an_edition_that_was_numbered_otherwise_is_said(grammar: Grammar, text: str) -> None:
    assert only(f"See {text}.", grammar).edition in ("1939", "1981")


@pytest.mark.parametrize(
    "text",
    [
        "28 U.S.C. § 1331.5 governs.",
        "28 U.S.C. § 1331-a",
        "28 U.S.C. § 1332{a)(1)",
        "42 U.S.C. § 1 983 and",
        "42 U.S.C. § 19-\n83",
        "42 U.S.C. § 19\u00ad83",
        "42 U.S.C. §§ 2000e-2 & 3",
        "17 U.S.C. 5 107",
        "42 U.S.C. \ufffd 1983",
    ],
)
def test_what_goes_on_unread_is_never_confirmed_for_the_whole(grammar: Grammar, text: str) -> None:
    assert [one.kind for one in parse(text, grammar)] == ["unread"]


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("42 U.S.C. § 1983.12 The court", ["42 U.S.C. § 1983"]),
        ("42 U.S.C. § 1983.12\nThe court", ["42 U.S.C. § 1983"]),
        ("17 U.S.C. § 107—a defense", ["17 U.S.C. § 107"]),
        ("15 U.S.C. § 2 42 Stat. 12", ["15 U.S.C. § 2", "42 Stat. 12"]),
        ("15 U.S.C. § 2\n10. Defendant denies", ["15 U.S.C. § 2"]),
        ("15 U.S.C. § 2  14", ["15 U.S.C. § 2"]),
        ("29 U.S.C. § 201-\n219", ["29 U.S.C. §§ 201 to 219"]),
        ("42 U.S.C. §§ 2000e-2, 1983", ["42 U.S.C. § 2000e-2", "42 U.S.C. § 1983"]),
        ("**28 U.S.C. §§ 1331**, **1332**", ["28 U.S.C. § 1331", "28 U.S.C. § 1332"]),
        ("the tax of $1,017 U.S.C. § 107", []),
        ("a sum of 1,017 U.S.C. § 107", []),
        ("28 U.S.C.C.A.N. 1331", ["28 U.S.C.C.A.N. 1331"]),
        ("1984 U.S. Code Cong. & Admin. News 3182", ["1984 U.S.C.C.A.N. 3182"]),
        ("Exec. Order No. 13,769, 82 Fed. Reg. 8977", ["Exec. Order No. 13,769", "82 Fed. Reg. 8977"]),
        ("N.Y. Lab. Law § 199-a(1)", ["N.Y. Lab. Law § 199-a(1)"]),
        ("N.Y. Lab. Law §§ 190–199-a", ["N.Y. Lab. Law §§ 190 to 199-a"]),
        ("N.Y. Lab. Law § 199—a rule", ["N.Y. Lab. Law § 199"]),
        ("CPLR 214-c", ["N.Y. C.P.L.R. 214-c"]),
        ("14 M.R.S. § 752-A", ["Me. Rev. Stat. Ann. tit. 14, § 752-A"]),
    ],
)
def test_the_ends_of_numbers_and_names(grammar: Grammar, text: str, canonical: list[str]) -> None:
    assert [one.canonical for one in parse(text, grammar)] == canonical
