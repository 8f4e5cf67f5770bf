"""Short forms: the law that stands before them where that is plain, and silence everywhere else."""

import pytest

from serving.contract.citations import Grammar, parse
from serving.contract.citations.cases import find_cases
from serving.contract.citations.short_forms import read_short_forms
from tests.growth import grows_with_length


@pytest.fixture
def short(grammar: Grammar):
    def read(text: str, stands=lambda citation: True) -> list[str]:
        full = parse(text, grammar)
        others = [(one.start, one.end) for one in find_cases(text)]
        found = read_short_forms(text, grammar, full, others=others, stands=stands)
        assert all(one.inferred for one in found)
        return [one.canonical for one in found]

    return read


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("See 31 U.S.C. § 3729. Id. § 3730.", ["31 U.S.C. § 3730"]),
        ("See 31 U.S.C. § 3729; id. § 3730(b)(1).", ["31 U.S.C. § 3730(b)(1)"]),
        ("35 U.S.C. § 101 is broad. Ibid. § 103 is not.", ["35 U.S.C. § 103"]),
        ("31 U.S.C. § 3729. Id. §§ 3730, 3731.", ["31 U.S.C. § 3730", "31 U.S.C. § 3731"]),
        ("31 U.S.C. § 3729. Id. § 3730. Id. § 3731(a).", ["31 U.S.C. § 3730", "31 U.S.C. § 3731(a)"]),
        ("47 U.S.C. § 1404(a). Id. (c) describes it.", ["47 U.S.C. § 1404(c)"]),
        ("47 U.S.C. § 1404(a). See id. at (c).", ["47 U.S.C. § 1404(c)"]),
        ("D.C. Code § 16-5501 defines it. Id. § 16-5502(a).", ["D.C. Code § 16-5502(a)"]),
        ("Under 31 U.S.C. § 3729 the act is false; see § 3730 for the action.", ["31 U.S.C. § 3730"]),
        ("29 U.S.C. § 201 governs; under § 207(a)(1) it is due, and § 213 exempts.",
         ["29 U.S.C. § 207(a)(1)", "29 U.S.C. § 213"]),
        ("17 U.S.C. § 107 is so; see paragraph (1) of § 108.", ["17 U.S.C. § 108(1)"]),
        ("28 U.S.C. § 1332(a). 42 U.S.C. § 1983. But § 1332, supra, requires more.", ["28 U.S.C. § 1332"]),
        ("Cal. Penal Code § 187. Cal. Civ. Code § 51. But § 187, supra, controls.", ["Cal. Penal Code § 187"]),
        ("42 U.S.C. § 1983. Cal. Penal Code § 187. Yet § 1983(b), supra, is broad.", ["42 U.S.C. § 1983(b)"]),
        ("42 U.S.C. § 1983. Fed. R. Civ. P. 12. Yet § 1983, supra, is broad.", ["42 U.S.C. § 1983"]),
        ("Basic v. Levinson, 485 U.S. 224 (1988); 15 U.S.C. § 78j(b); id. § 78t(a).", ["15 U.S.C. § 78t(a)"]),
        ("1. See 42 U.S.C. § 1983.\n2. Id. § 1988(b).", ["42 U.S.C. § 1988(b)"]),
        ("9 U.S.C. § 2. See Restatement (Second) of Torts § 402A. Id. § 4.", ["Restatement § 4"]),
        ("17 U.S.C. § 107. Id. at 5. Id. § 108.", ["17 U.S.C. § 108"]),
        ("17 U.S.C. § 501 forbids copying. § 504 gives damages.", ["17 U.S.C. § 504"]),
        ("17 U.S.C. § 501. § 504 gives damages.", ["17 U.S.C. § 504"]),
        ("17 U.S.C. § 501(b). § 504 gives damages.", ["17 U.S.C. § 504"]),
        ("17 U.S.C. § 501 et seq. § 504 gives damages.", ["17 U.S.C. § 504"]),
        ("17 U.S.C. § 501 (2018 ed.). § 504 gives damages.", ["17 U.S.C. § 504"]),
        ("17 U.S.C. § 501; cf. § 504; e.g. § 505; but cf. § 506.", ["17 U.S.C. § 504", "17 U.S.C. § 505", "17 U.S.C. § 506"]),
        ("17 U.S.C. § 501 forbids copying (§ 504 gives damages).", ["17 U.S.C. § 504"]),
        ("17 U.S.C. § 501 is pleaded. The Court will award fees under § 505.", ["17 U.S.C. § 505"]),
        ("9 U.S.C. § 10 is cited in order to vacate; he moved under § 9.", ["9 U.S.C. § 9"]),
        ("9 U.S.C. § 4 binds a German firm. The court applied § 5 at once.", ["9 U.S.C. § 5"]),
        ("19 U.S.C. § 1337 bars imports from China. Under § 1338 they pay.", ["19 U.S.C. § 1338"]),
        ("9 U.S.C. § 4 lets a party petition. The Ohio court applied § 5.", ["9 U.S.C. § 5"]),
        ("17 U.S.C. § 501 is pleaded. The § 505 motion fails.", ["17 U.S.C. § 505"]),
        ("17 U.S.C. § 501 is pleaded. Neither § 504 nor § 505 is.", ["17 U.S.C. § 504", "17 U.S.C. § 505"]),
        ("First, 17 U.S.C. § 106 grants rights. Second, § 107 limits them.", ["17 U.S.C. § 107"]),
        ("He seeks damages, 17 U.S.C. § 504, and an injunction, § 502.", ["17 U.S.C. § 502"]),
        ("17 U.S.C. § 501, as Title 17 has it; see § 504.", ["17 U.S.C. § 504"]),
        ("Title VII, 42 U.S.C. § 2000e-2(a). Id. § 2000e-3.", ["42 U.S.C. § 2000e-3"]),
        ("D.C. Code § 22-404 is in Title 22; see § 22-405.", ["D.C. Code § 22-405"]),
        ("S. Rep. No. 94-473, at 65 (1976); 17 U.S.C. § 501; id. § 504.", ["17 U.S.C. § 504"]),
        ("an assault, D.C. Code § 22-402 (2012 Repl. & 2022 Supp.), and a pistol, id. § 22-4504(a).", ["D.C. Code § 22-4504(a)"]),
        ("4 U.S.C. § 8 (2018). 5 Id. § 8(b).", ["4 U.S.C. § 8(b)"]),
        ("4 U.S.C. § 8.\n12 Id. § 9; 13 Ibid. § 10.", ["4 U.S.C. § 9", "4 U.S.C. § 10"]),
        ("4 U.S.C. § 8. 5 Cf. Id. § 9.", ["4 U.S.C. § 9"]),
        ("4 U.S.C. § 8.\n[4] Id. § 9.", ["4 U.S.C. § 9"]),
        ("4 U.S.C. § 8. 4. Id. § 9.", ["4 U.S.C. § 9"]),
        ("4 U.S.C. § 8. 5 Id. at 8. 6 Id. § 9.", ["4 U.S.C. § 9"]),
        ("4 U.S.C. § 8. <i>id.</i> § 8(a)", ["4 U.S.C. § 8(a)"]),
        ("4 U.S.C. § 8. <sup>5</sup> <em>Id.</em> at § 9", ["4 U.S.C. § 9"]),
        ("4 U.S.C. § 8. *Id.* § 8(a); _id._ § 8(b); **id.** §§ 9, 10",
         ["4 U.S.C. § 8(a)", "4 U.S.C. § 8(b)", "4 U.S.C. § 9", "4 U.S.C. § 10"]),
        ("4 U.S.C. § 8. <i>Id</i>. § 8(a); <i>id.,</i> § 8(b)", ["4 U.S.C. § 8(a)", "4 U.S.C. § 8(b)"]),
        ("4 U.S.C. § 8(a). 7 <i>Id.</i> (b)", ["4 U.S.C. § 8(b)"]),
    ],
)  # fmt: skip
def test_law_is_that_of_the_citation_before(short, text, canonical):
    assert short(text) == canonical


@pytest.mark.parametrize(
    "text",
    [
        "Id. § 1983 is cited first of all.",
        "As to remedies, 15 U.S.C. § 6806 is silent. See id.",
        "15 U.S.C. § 78j(b). Basic v. Levinson, 485 U.S. 224 (1988). Id. § 78t(a).",
        "15 U.S.C. § 78j(b). Smith v. Jones, slip op. Id. § 78t(a).",
        "42 U.S.C. § 1983 and 28 U.S.C. § 1331 apply. Id. § 1343.",
        "17 U.S.C. § 107 (see 15 U.S.C. § 78j). Id. § 106.",
        "9 U.S.C. § 2 is clear. The Smith Treatise § 12 agrees. Id. § 4.",
        "9 U.S.C. § 2. See 121 Harv. L. Rev. 1 (2007). Id. § 4.",
        "ERISA § 502(a), 29 U.S.C. § 1132(a), allows it. Id. § 510.",
        "17 U.S.C. § 107(a). Id. § 5 of the lease.",
        "17 U.S.C. § 501; H.R. Rep. No. 94-1476, at 65 (1976). Id. § 504.",
        "17 U.S.C. § 501; S. Rep. No. 94-473. Id. § 504.",
        "17 U.S.C. § 501; S.Rep. 94-473. Id. § 504.",
        "17 U.S.C. § 501; H.R. Conf. Rep. No. 94-1733, at 69. Id. § 504.",
        "17 U.S.C. § 501; Conf. Rep. at 69. Id. § 504.",
        "17 U.S.C. § 501; H.R. Doc. No. 108-12. Id. § 504.",
        "17 U.S.C. § 501; 122 Cong. Rec. 31,980 (1976). Id. § 504.",
        "17 U.S.C. § 501; 122 Cong. Rec. S1546 (daily ed. Feb. 6, 1976). Id. § 504.",
        "17 U.S.C. § 501; H.R. 2223, 94th Cong. (1976). Id. § 504.",
        "17 U.S.C. § 501; Hearing on S. 22. Id. § 504.",
        "17 U.S.C. § 501; Compl. ¶ 12. Id. § 504.",
        "17 U.S.C. § 501; Smith Decl. at 3. Id. § 504.",
        "17 U.S.C. § 501; Dkt. No. 12. Id. § 504.",
        "17 U.S.C. § 501; ECF 12. Id. § 504.",
        "17 U.S.C. § 501; D.G.C.L. § 502. Id. § 504.",
        "17 U.S.C. § 501 and Title 18 are cited. Id. § 506.",
        "17 U.S.C. § 501 and Title IX are cited. Id. § 506.",
        "17 U.S.C. § 107(a)(1). Id. (2).",
        "42 U.S.C. § 1983 and 28 U.S.C. § 1331 apply. 5 Id. § 1343.",
        "42 U.S.C. § 1983 and 28 U.S.C. § 1331 apply. *Id.* § 1343.",
        "42 U.S.C. § 1983 and 28 U.S.C. § 1331 apply. 5 <i>Id.</i> § 1343.",
        "5 Id. § 1983 is cited first of all.",
        "Smith v. Jones, 1 U.S. 2. 5 *Id.* § 8(b).",
    ],
)
def test_id_after_what_is_not_plain_is_nothing(short, text):
    assert short(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "The lease, § 5, forbids it.",
        "11 U.S.C. § 362(a). The lease, § 422, says otherwise.",
        "11 U.S.C. § 362(a). The parties agreed; under § 541 of the contract he pays.",
        "11 U.S.C. § 362(a). The Agreement is clear; under § 541 he pays.",
        "11 U.S.C. § 362(a). Section 1 of the Act and § 541 say so.",
        "15 U.S.C. § 78j(b). See § 20(a), 15 U.S.C. § 78t(a).",
        "28 U.S.C. § 1331, and § 1332, are read as a list.",
        "ERISA § 502(a), 29 U.S.C. § 1132(a), allows suit; § 1510 forbids it.",
        "31 U.S.C. § 3729 is broad; see § 5 too.",
        "42 U.S.C. § 1983. 28 U.S.C. § 1331. See § 1343.",
        "31 U.S.C. § 3729 is broad.\n\nSee § 3730.",
        "31 U.S.C. § 3729 is broad.\n2. See § 3730.",
        "As 31 U.S.C. § 3729 states, “the officer under § 3730 shall act.”",
        "31 U.S.C. § 3729" + " and so on" * 60 + "; see § 3730.",
        "28 U.S.C. § 1331 is the rule; see § 1332, supra.",
        "28 U.S.C. § 1331. 42 U.S.C. § 1331. § 1331, supra.",
        "Cal. Penal Code § 187. Cal. Civ. Code § 187. § 187, supra.",
        "Cal. Penal Code § 187. Cal. Civ. Code § 51. § 188, supra.",
        "35 U.S.C. § 103; D.G.C.L. § 102(b).",
        "35 U.S.C. § 103; DGCL (§ 102(b)).",
        "35 U.S.C. § 103; D.G.C.L. (§ 102(b)).",
        "35 U.S.C. § 103; M.P.E.P. § 112.",
        "17 U.S.C. § 501; C.C.P. § 504.",
        "17 U.S.C. § 501; Pen. C. § 504.",
        "17 U.S.C. § 501. P. L. § 504.",
        "17 U.S.C. § 501; Compl. § 504.",
        "17 U.S.C. § 501; Compl., § 504.",
        "17 U.S.C. § 501 is pleaded. By his will, made in May, he pays under § 504.",
        "17 U.S.C. § 501 is pleaded. An order came; under § 504 he pays.",
        "17 U.S.C. § 501 is pleaded. He will pay under § 504 of the agreement.",
        "17 U.S.C. § 501; Appendix A § 504.",
        "17 U.S.C. § 501; compl. § 504.",
        "17 U.S.C. § 501; bldg. § 504.",
        "17 U.S.C. § 501; the agmt. § 504.",
        "17 U.S.C. § 501; Restat. § 504.",
        "17 U.S.C. § 501;  Decl.\n§ 504.",
        "17 U.S.C. § 501; _Opp._ § 504.",
        "17 U.S.C. § 501 and Title 18 are cited. See § 506.",
        "17 U.S.C. § 501 and title 18 are cited; see § 506.",
        "17 U.S.C. § 501 and tit. 18 are cited; see § 506.",
        "Titles 17 and 18 are cited, as 17 U.S.C. § 501; see § 506.",
        "Title 18 and 17 U.S.C. § 501 are cited. See § 506.",
        "17 U.S.C. § 501 and Title IX are cited. See § 506.",
        "D.C. Code § 22-404 and Title 21 are cited; see § 22-405.",
        "9 U.S.C. § 4 lets a party petition. The German court read § 4 otherwise.",
        "9 U.S.C. § 4 lets a party petition. The Canadian Supreme Court construed its own § 5.",
        "9 U.S.C. § 4 lets a party petition; the statute of Ontario has § 5.",
        "9 U.S.C. § 4 lets a party petition. By § 4 BGB none may.",
        "9 U.S.C. § 4 lets a party petition. In France, § 5 forbids it.",
        "9 U.S.C. § 4 lets a party petition; under § 5 the Bundesgerichtshof dismissed it.",
    ],
)
def test_section_sign_alone_is_not_guessed(short, text):
    assert short(text) == []


def test_section_sign_alone_counts_only_where_the_law_has_the_section(short):
    text = "31 U.S.C. § 3729 is broad; see § 3799. Id. § 3730."
    assert short(text, stands=lambda citation: citation.num != "3799") == []
    assert short(text) == ["31 U.S.C. § 3799", "31 U.S.C. § 3730"]


@pytest.mark.parametrize(
    "text",
    [
        "9 U.S.C. § 9 is clear. Id. § 1 0(a).",
        "17 U.S.C. § 107. Id. § 106 A(a)(3).",
        "17 U.S.C. § 107. Id. § 512\n(c) provides so.",
        "17 U.S.C. § 107. Id. § 106, (9).",
    ],
)
def test_a_short_form_that_goes_on_unread_is_not_confirmed_in_part(short, text):
    assert [one for one in short(text) if one.startswith(("17 U.S.C.", "9 U.S.C."))] == []


def test_a_pin_cite_below_a_short_form_is_its_own(short):
    assert short("17 U.S.C. § 107. Id. § 512\n(c)(1).") == ["17 U.S.C. § 512(c)(1)"]


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("The Federal Arbitration Act, 9 U.S.C. § 2, governs. See id. § 4.", ["9 U.S.C. § 4"]),
        ("The Federal Arbitration Act (9 U.S.C. §§ 1-16) governs. See id. § 4.", ["9 U.S.C. § 4"]),
        ("The Federal Arbitration Act (“FAA”), 9 U.S.C. § 1 et seq., governs. Id. § 4. See § 9.",
         ["9 U.S.C. § 4", "9 U.S.C. § 9"]),
        ("Smith v. Jones, 410 U.S. 113 (1973), 17 U.S.C. § 107. 17 U.S.C. § 106. Id. § 108.", ["17 U.S.C. § 108"]),
        ("The Federal Arbitration Act, as amended, 9 U.S.C. § 1 et seq., governs; see § 4.", ["9 U.S.C. § 4"]),
        ("the Copyright Act, 17 U.S.C. § 101 et seq. He copied it. 17 U.S.C. § 501(b). He pays. Id. § 504(a).",
         ["17 U.S.C. § 504(a)"]),
        ("Section 2 of the Federal Arbitration Act, 9 U.S.C. § 2, is broad. Id. § 4. See § 9.",
         ["9 U.S.C. § 4", "9 U.S.C. § 9"]),
        ("Sections 2 and 4 of the Federal Arbitration Act, 9 U.S.C. §§ 2, 4, are broad. Id. § 9.", ["9 U.S.C. § 9"]),
        ("Federal Arbitration Act § 2, codified at 9 U.S.C. § 2. See § 2, supra; § 4.", ["9 U.S.C. § 2", "9 U.S.C. § 4"]),
        ("The Patent Act (35 U.S.C. § 101) is broad; see § 103.", ["35 U.S.C. § 103"]),
        ("Section 230 of the Communications Act of 1934, 47 U.S.C. § 230, bars it. Id. § 231.", ["47 U.S.C. § 231"]),
        ("The Lanham Act, 15 U.S.C. § 1114, bars it. Id. § 1125(a); see § 1117.", ["15 U.S.C. § 1125(a)", "15 U.S.C. § 1117"]),
        ("The Copyright Act is clear. 17 U.S.C. § 501 forbids copying; see § 504.", ["17 U.S.C. § 504"]),
        ("Copyright Act § 106; 17 U.S.C. § 501. Id. § 504.", ["17 U.S.C. § 504"]),
        ("The Communications Act of 1934, 47 U.S.C. § 201, says so. See id. § 202.", ["47 U.S.C. § 202"]),
    ],
)  # fmt: skip
def test_an_act_beside_its_place_in_the_code_is_the_same_law(short, text, canonical):
    assert short(text) == canonical


@pytest.mark.parametrize(
    "text",
    [
        "The Lanham Act, 15 U.S.C. § 1114, bars it. Id. § 43(a).",
        "The Lanham Act, 15 U.S.C. § 1114, bars it; see § 2 too.",
        "The Lanham Act (“the Act”), 15 U.S.C. § 1114, bars it. Id. § 43(a).",
        "Section 43(a) of the Lanham Act, 15 U.S.C. § 1125(a), bars it. Id. § 35. 15 U.S.C. § 1114. Id. § 1117.",
        "Section 4 of the Clayton Act, 15 U.S.C. § 15, allows suit. Id. § 16.",
        "Section 4 of the Clayton Act (the “Act”), 15 U.S.C. § 15, allows suit. Id. § 16.",
        "The Clayton Act, 15 U.S.C. § 18, forbids it. Id. § 16. Under § 26 he sues.",
        "The Employee Retirement Income Security Act of 1974, 29 U.S.C. § 1132(a), allows it. Id. § 510.",
        "The Lanham Act is clear. 17 U.S.C. § 501 forbids copying; see § 504.",
        "Lanham Act § 43; 17 U.S.C. § 501. Id. § 504.",
        "§ 43(a) (“false advertising”), 15 U.S.C. § 1125(a), bars it. Id. § 35.",
        "The Federal Arbitration Act, 9 U.S.C. § 2, and the Lanham Act, 15 U.S.C. § 1114, apply. Id. § 43.",
    ],
)
def test_a_number_that_may_be_of_an_act_is_not_taken_for_one_of_the_code(short, text):
    assert short(text) == []


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("1. 17 U.S.C. § 512(c)(1)(A).\n2. § 512(c)(1)(B).", ["17 U.S.C. § 512(c)(1)(B)"]),
        ("See 17 U.S.C. § 107.\n\nThe first factor is § 107(1).", ["17 U.S.C. § 107(1)"]),
        ("See 17 U.S.C. § 107; Campbell v. Acuff-Rose Music, Inc., 510 U.S. 569, 577 (1994). The court weighs § 107(1).",
         ["17 U.S.C. § 107(1)"]),
        ("See 17 U.S.C. § 107.\n\nThe first is § 107(1).\n\nThe second is § 107(2).",
         ["17 U.S.C. § 107(1)", "17 U.S.C. § 107(2)"]),
        ("See 17 U.S.C. § 107; 17 U.S.C. § 108.\n\nUnder § 107(1) he won.", ["17 U.S.C. § 107(1)"]),
        ("Section 107 of the Copyright Act, 17 U.S.C. § 107.\n\nUnder § 107(1) he won.", ["17 U.S.C. § 107(1)"]),
        ("See 17 U.S.C. § 107.\n\nSection 107 is broad.\n\nUnder § 107(1) he won.", ["17 U.S.C. § 107", "17 U.S.C. § 107(1)"]),
        ("Section 2 of the Federal Arbitration Act, 9 U.S.C. § 2, binds.\n\nUnder section 2 it is so.", ["9 U.S.C. § 2"]),
        ("42 U.S.C. § 1983 gives an action. The Section 1983 claim fails.", ["42 U.S.C. § 1983"]),
    ],
)  # fmt: skip
def test_a_section_that_was_cited_in_full_is_known_in_a_later_paragraph(short, text, canonical):
    assert short(text) == canonical


@pytest.mark.parametrize(
    "text",
    [
        "See 17 U.S.C. § 107.\n\nThe first factor is § 108(1).",
        "See 17 U.S.C. § 107.\n\nThe Compendium, § 107, agrees.",
        "See 17 U.S.C. § 107. Section 107 of the Lease too.\n\nThe first factor is § 107(1).",
        "See 17 U.S.C. § 107. Compl. § 107.\n\nThe first factor is § 107(1).",
        "See 17 U.S.C. § 107.\n\nThe first factor is § 107(1).\n\nSee 8 Del. C. § 107.",
        "See 17 U.S.C. § 107.\n\nThe first factor is § 107(1).\n\nSee DGCL § 107.",
        "See 17 U.S.C. § 107.\n\nThe first factor is § 107(1).\n\nSee § 107 of the lease.",
        "See 17 U.S.C. § 107.\n\nThe lease is clear. The first factor is § 107(1).",
        "See 17 U.S.C. § 107. See 15 U.S.C. § 78j.\n\nThe first factor is § 107(1).",
        "See 17 U.S.C. § 107. See Restatement (Second) of Torts § 402A.\n\nThe first factor is § 107(1).",
        "See 17 U.S.C. § 107.\n\nTitle 18 differs. The first factor is § 107(1).",
        "See 17 U.S.C. § 107.\n\n“The first factor is § 107(1).”",
        "See 17 U.S.C. § 107 (1976). See 17 U.S.C. § 108.\n\nThe first factor is § 107(1).",
        "See former 17 U.S.C. § 107. See 17 U.S.C. § 108.\n\nThe first factor is § 107(1).",
        "See 17 U.S.C. § 107 (1976 ed.).\n\nThe first factor is § 107(1).",
        "Section 502 of ERISA, 29 U.S.C. § 1132, and 29 U.S.C. § 502.\n\nSee § 502(a).",
        "See 17 U.S.C. § 107." + " And so on." * 300 + "\n\nThe first factor is § 107(1).",
        "See Foo Code § 107; 17 U.S.C. § 107.\n\nThe first factor is § 107(1).",
    ],
)
def test_a_section_of_a_later_paragraph_that_may_be_of_another_law_is_not_guessed(short, text):
    assert [one for one in short(text) if "(1)" in one or "(a)" in one] == []


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("Rule 11(b) is strict; § 11(b) says so. 17 U.S.C. § 106 grants rights. See § 109.", ["17 U.S.C. § 109"]),
        ("Compl. § 4. 17 U.S.C. § 106 grants rights. Id. § 107. See § 108.", ["17 U.S.C. § 107", "17 U.S.C. § 108"]),
        ("Compl. § 104. 17 U.S.C. § 106 grants rights. See § 108.", []),
        ("17 U.S.C. § 106 grants rights. Compl. § 4. See § 108.", []),
        ("The Lease § 4. See Restatement § 402A. 17 U.S.C. § 106 grants rights; see § 108.", []),
    ],
)  # fmt: skip
def test_a_citation_in_full_ends_the_doubt_of_an_unread_sign(short, text, canonical):
    assert [one for one in short(text) if one.startswith("17")] == canonical


def test_id_far_behind_two_laws_of_one_sentence_may_be_of_both(short):
    joined = "Under 31 U.S.C. § 3729 and 18 U.S.C. § 2 he"
    assert short(f"{joined} sued; id. § 3.") == ["18 U.S.C. § 3"]
    assert short(f"{joined}{' sued' * 500}; id. § 3.") == []


@pytest.mark.parametrize("repeated", ["id.,", "§ 5, supra, "])
def test_reading_grows_no_faster_than_the_text(short, repeated):
    begun = "9 U.S.C. § 1 and 18 U.S.C. § 5 "
    assert grows_with_length(short, lambda length: begun + repeated * (length // len(repeated)), 40_000)
