"""Addresses of provisions: by one rule from their citations, each its own, and back to the provision."""

import re

import pyarrow as pa
import pytest

from serving.snapshot.addresses import _spelled


@pytest.mark.parametrize(
    ("template", "citation", "number"),
    [
        ("{title} U.S.C. § {num}", "17 U.S.C. § 107", "17/107"),
        ("{title} U.S.C. § {num}", "42 U.S.C. § 2000e–5", "42/2000e-5"),
        ("{title} U.S.C. § {num}", "17 U.S.C.", "17"),
        ("{title} U.S.C. § {num}", "5 U.S.C. app.", "5/app"),
        (
            "{title} U.S.C. § {num}",
            "5 U.S.C. app. Ethics Act of 1978, tit. III",
            "5/app-ethics-act-of-1978/tit-iii",
        ),
        ("{title} U.S.C. § {num}", "Fed. R. Civ. P. 4.1", "fed-r-civ-p-4.1"),
        ("{title} U.S.C. § {num}", "18 U.S.C. app. §§ 1201 to 1203", "18/app/1201-to-1203"),
        ("D.C. Code § {num}", "D.C. Code § 29-801.02", "29-801.02"),
        ("D.C. Code § {num}", "D.C. Code § 28:2A-212", "28:2a-212"),
        ("D.C. Code § {num}", "D.C. Code § 6-202(Perm)", "6-202-perm"),
        ("D.C. Code § {num}", "D.C. Code tit. 42, subtit. IV, ch. 21", "tit-42/subtit-iv/ch-21"),
        ("{title} C.F.R. § {num}", "40 C.F.R. pt. 60", "40/pt-60"),
        ("{title} Ill. Comp. Stat. {num}", "735 Ill. Comp. Stat. 5/2-1401", "735/5/2-1401"),
        ("Code of São Tomé § {num}", "Code of São Tomé art. É, § 7", "art-e/7"),
    ],
)
def test_numbers_are_citations_without_the_name_of_the_code(template, citation, number):
    assert _spelled(pa.array([citation]), template).to_pylist() == [number]


def test_every_provision_has_an_address_of_its_own_and_is_found_by_it(snapshot):
    addresses, nodes = snapshot.addresses, snapshot.nodes
    paths = [addresses.of(row) for row in range(len(nodes))]
    assert len(set(paths)) == len(paths)
    assert all(re.fullmatch(r"[a-z0-9.:/~-]+", path) for path in paths)
    assert [addresses.find(path) for path in paths] == list(range(len(nodes)))
    assert [addresses.find(path.upper()) for path in paths] == list(range(len(nodes)))
