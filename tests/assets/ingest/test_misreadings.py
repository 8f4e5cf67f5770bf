"""Signs of a misread source: each check is silent on sound law, and gives examples of what is not."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from assets.findings import Finding, Severity, Verdict
from assets.ingest.formats.law_xml_instructions import instructions
from assets.ingest.misreadings import (
    headings_fit_their_status,
    identifiers_are_complete,
    instructions_were_applied,
    live_provisions_have_text,
    says_gone,
    texts_are_rightly_decoded,
)
from assets.ingest.pinned import open_pinned
from assets.ingest.provisions_table import PROVISIONS_FILE
from serving.contract.records import PROVISIONS

LAW = {
    "t1/a.xml": """<p id="/toy/t1" level="title" head="Courts"/>
<p id="/toy/t1/s1" parent="/toy/t1" level="section" head="Fees">Fifty dollars.</p>
<p id="/toy/t1/s2" parent="/toy/t1" level="section" head="Reserved powers">To the court.</p>
<p id="/toy/t1/s3" parent="/toy/t1" level="section" head="Old" status="repealed"/>""",
}


def only_warns(verdict: Verdict) -> list[Finding]:
    assert verdict.passed
    assert all(finding.severity is Severity.WARNING for finding in verdict.findings)
    return list(verdict.findings)


def rewrite(folder: Path, row: int, **values: object) -> None:
    rows: list[dict[str, Any]] = pq.read_table(folder / PROVISIONS_FILE).to_pylist()
    rows[row] |= values
    pq.write_table(pa.Table.from_pylist(rows, schema=PROVISIONS), folder / PROVISIONS_FILE)


@pytest.mark.parametrize(
    "check",
    [
        *(live_provisions_have_text, texts_are_rightly_decoded),
        *(headings_fit_their_status, identifiers_are_complete),
    ],
)
def test_sound_law_is_passed_over_in_silence(toy: Any, check: Callable[[Path], Verdict]) -> None:
    toy.build(LAW)
    verdict = check(toy.provisions)
    assert verdict.examined
    assert not verdict.findings


def sections(count: int, *, empty: Sequence[int]) -> dict[str, str]:
    lines = [
        f'<p id="/toy/t1/s{number}" parent="/toy/t1" level="section" head="Fees {number}">'
        f"{'' if number in empty else 'Fifty dollars.'}</p>"
        for number in range(1, count + 1)
    ]
    return {"t1/a.xml": '<p id="/toy/t1" level="title" head="Courts"/>' + "\n".join(lines)}


def test_a_live_provision_without_text_is_shown(toy: Any) -> None:
    toy.build(sections(20, empty=[7]))
    [finding] = only_warns(live_provisions_have_text(toy.provisions))
    assert finding.where == "/toy/t1/s7"
    assert "Toy Code § 7 (Fees 7)" in finding.message


def test_a_picture_stands_in_the_place_of_text(toy: Any) -> None:
    toy.build(sections(20, empty=[7]))
    note = {"topic": "image", "heading": None, "text": "map.png", "offset": None}
    rewrite(toy.provisions, 7, notes=[note])
    verdict = live_provisions_have_text(toy.provisions)
    assert not verdict.findings
    assert verdict.measured == {"without text": 0, "pictures alone": 1}


def test_a_code_of_empty_provisions_is_held_back(toy: Any) -> None:
    toy.build(sections(20, empty=[1, 2, 3]))
    verdict = live_provisions_have_text(toy.provisions)
    assert not verdict.passed
    assert verdict.findings[0].message == "3 of 20 live provisions (15.0%) have neither text nor a picture."


def test_a_text_of_a_wrong_encoding_is_shown(toy: Any) -> None:
    toy.build(sections(20, empty=[]))
    rewrite(toy.provisions, 7, text="The ownerâ€™s fee (Â§ 4) is Fifty dollars.")
    [finding] = only_warns(texts_are_rightly_decoded(toy.provisions))
    assert finding.where == "/toy/t1/s7"
    assert finding.message == (
        "Toy Code § 7 of t1/a.xml holds what a wrong encoding leaves, 2 times, first in "
        "'Fees 7\\nThe ownerâ€™s fee (Â§ 4) is Fift'."
    )


def test_a_code_of_a_wrong_encoding_is_held_back(toy: Any) -> None:
    toy.build(sections(20, empty=[]))
    for row in (1, 2, 3):
        rewrite(toy.provisions, row, heading="Fees of the owner\ufffds")
    verdict = texts_are_rightly_decoded(toy.provisions)
    assert not verdict.passed
    assert verdict.findings[0].message == (
        "3 of 21 provisions (14.3%) hold characters that a wrong encoding leaves. Fetch the source again, as bytes "
        "and without converting them."
    )


@pytest.mark.parametrize(
    "heading",
    [
        *("— .07 Recodified", ". Reserved.", "[Repealed]", "(Reserved)", "RESERVED", "Vacant."),
        *("§ 12. Reserved", ".03—.05 Repealed", "Regulation .08 Repealed.", "Repealed by Ord. No. 2019-4"),
        *("Recodified as § 42-3131.02", "Sections 4 to 9. Expired.", "Reserved for future use"),
        *("Permit fees. [Repealed.]", "Permit fees — Repealed", "Fees; repealed", "PARKS AND AREAS—RESERVED"),
        *("Renumbered and repealed", "Deleted effective July 1, 2020", "Fees (Transferred)"),
    ],
)
def test_a_heading_may_say_that_its_provision_is_gone(heading: str) -> None:
    assert says_gone(heading)


@pytest.mark.parametrize(
    "heading",
    [
        *(
            "",
            "Fees",
            "Reserved powers",
            "Reserved strips.",
            "Dower and curtesy abolished.",
            "Laws repealed.",
        ),
        *(
            "Right to alter, amend, or repeal reserved.",
            "Rights reserved by Congress",
            "Vacant accommodation.",
        ),
        *("Reinstatement of expired license.", "Lands transferred and easements granted", "Preserved"),
        *("Omitted properties; void assessments", "Powers — how reserved", "Effect of repeal", "Undeleted"),
        *("Adoption [subject to repealed rules]", "SECTION 307 DELETED—SECTION 86 ADDED"),
        *("Reserve fund", "Expiration", "Transferred employees", "Superseded plans; notice"),
    ],
)
def test_a_heading_may_tell_of_what_is_gone_and_live(heading: str) -> None:
    assert not says_gone(heading)


def test_a_provision_in_force_that_says_it_is_gone_is_shown(toy: Any) -> None:
    toy.build({"t1/a.xml": LAW["t1/a.xml"].replace('head="Fees"', 'head="— .07 Recodified"')})
    [finding] = only_warns(headings_fit_their_status(toy.provisions))
    assert repr("— .07 Recodified") in finding.message
    assert "14 characters" in finding.message


def test_each_of_many_examples_is_counted(toy: Any) -> None:
    toy.build({"t1/a.xml": sections(30, empty=[])["t1/a.xml"].replace("Fees", "Reserved.")})
    assert len(only_warns(headings_fit_their_status(toy.provisions))) == 30


@pytest.mark.parametrize(
    ("identifier", "complete"),
    [
        ("/toy/t1/null", False),
        ("/toy/tNone/s1", False),
        ("/toy/t1/chnull/s1", False),
        ("/toy/t1//s1", False),
        ("/toy/undefined-2", False),
        ("/toy/1-null", False),
        ("/toy/NaN/s1", False),
        ("/toy/t1/nullification", True),
        ("/toy/t1/none-of-the-above", True),
        ("/toy/annulled", True),
        ("/toy/NaNcy", True),
        ("/toy/t1/s1@undefined-terms", False),
    ],
)
def test_a_part_without_a_value_is_shown(toy: Any, identifier: str, *, complete: bool) -> None:
    toy.build(LAW)
    rewrite(toy.provisions, 1, identifier=identifier)
    findings = only_warns(identifiers_are_complete(toy.provisions))
    assert [finding.where for finding in findings] == ([] if complete else [identifier])


SPACES = 'xmlns="https://x.example/schemas/library" xmlns:codify="https://x.example/schemas/codify"'


def test_instructions_left_in_the_files_are_counted_by_name_with_their_places(toy: Any) -> None:
    left = """
<codify:insert doc="Law 9" path="§2"><p>no</p></codify:insert>
<codify:insert doc="Law 9"/>
<!-- <codify:repeal/>
-->
<codify:repeal doc="Law 8"/>"""
    toy.build({"t1/a.xml": f"<r {SPACES}>{LAW['t1/a.xml']}{left}</r>"})
    files = open_pinned(toy.pinned)
    summary, *examples = only_warns(instructions_were_applied(toy.provisions, files, instructions))
    assert summary.message.endswith("in 1 of its files: insert 2, repeal 1.")
    assert [finding.where for finding in examples] == ["t1/a.xml:9", "t1/a.xml:5", "t1/a.xml:6"]


def test_a_declared_prefix_alone_is_no_instruction(toy: Any) -> None:
    toy.build({"t1/a.xml": f"<r {SPACES}>{LAW['t1/a.xml']}</r>"})
    verdict = instructions_were_applied(toy.provisions, open_pinned(toy.pinned), instructions)
    assert not verdict.findings
    assert verdict.examined == 1


def test_a_format_without_instructions_has_none_left(toy: Any) -> None:
    toy.build(LAW)
    verdict = instructions_were_applied(toy.provisions, open_pinned(toy.pinned), None)
    assert not verdict.findings
    assert verdict.examined == 1
