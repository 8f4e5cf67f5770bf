"""A small law in which a citation can have every outcome."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from serving.encoder.encoder import Encoder
from serving.services.opening import open_warm
from serving.snapshot.store import Snapshot
from tests.serving.conftest import Publisher, Row

DESIGNATED = "(a) One.\n(1) Two.\n(A) Three.\n(2) Four.\n(b) Five.\n(b) Five again.\n(c) Six."
TITLE = "/us/sample/t1"


def _part(label: str, first: str, last: str, *, uncertain: bool = False) -> dict[str, object]:
    start = DESIGNATED.index(first)
    return {"label": label, "start": start, "end": DESIGNATED.index(last) + len(last), "uncertain": uncertain}


OUTLINE = [
    _part("(a)", "(a)", "Four."),
    _part("(a)(1)", "(1)", "Three."),
    _part("(a)(1)(A)", "(A)", "Three.", uncertain=True),
    _part("(a)(2)", "(2)", "Four."),
    _part("(b)", "(b) Five.", "(b) Five."),
    _part("(b)", "(b) Five again.", "Five again."),
    _part("(c)", "(c)", "Six."),
]


def _section(
    num: str,
    status: str = "in_force",
    *,
    path: str = "",
    text: str = "Law.",
    heading: str = "",
    **more: object,
) -> Row:
    mark = "§§" if "," in num or " to " in num else "§"
    identifier = f"{TITLE}/s{path or num.replace(' ', '')}"
    citation = f"1 S.F.C. {mark} {num}"
    return Row(identifier, TITLE, "section", num, heading, citation, text, status, more=more)


CITED = {
    "us-sample": [
        Row(TITLE, None, "title", "1", "Protected works", "1 S.F.C."),
        Row(f"{TITLE}/ch1", TITLE, "chapter", "1", "General provisions", "1 S.F.C. ch. 1"),
        _section("5", notes=[{"topic": "shortTitle", "heading": "Short Title", "text": "Note.", "offset": None}]),
        _section("7", text=DESIGNATED, outline=OUTLINE),
        _section("8", "repealed"),
        _section("9", "omitted"),
        _section("10", "expired"),
        _section("11", "reserved"),
        _section("12", "transferred"),
        _section("13", "renumbered", heading="Renumbered § 5"),
        _section("14", "transferred", heading="Transferred to § 99"),
        _section("15", path="15@one"),
        _section("15", path="15@two"),
        _section("16"),
        _section("16", "repealed", path="16@old"),
        _section("17", "repealed", path="17@one"),
        _section("17", "omitted", path="17@two"),
        _section("18", "repealed", path="18@one"),
        _section("18", "reserved", path="18@two"),
        _section("20, 21"),
        _section("30 to 32", "repealed"),
        _section("2000e"),
        _section("2000e-2"),
        _section("2000e-10"),
        Row("/us/sample/t1a", None, "appendix", None, "Rules", "1 S.F.C. app. Harbor Rules, pt. I"),
        Row("/us/sample/t2", None, "title", "2", "Harbors", "2 S.F.C."),
        Row("/us/sample/t2/ptI", "/us/sample/t2", "part", "I", "One", "2 S.F.C. pt. I"),
        Row("/us/sample/t2/ptI/ch1", "/us/sample/t2/ptI", "chapter", "1", "A", "2 S.F.C. pt. I, ch. 1"),
        Row("/us/sample/t2/ptII", "/us/sample/t2", "part", "II", "Two", "2 S.F.C. pt. II"),
        Row("/us/sample/t2/ptII/ch1", "/us/sample/t2/ptII", "chapter", "1", "B", "2 S.F.C. pt. II, ch. 1"),
        Row("/us/sample/t2/ptII/ch2", "/us/sample/t2/ptII", "chapter", "2", "C", "2 S.F.C. pt. II, ch. 2"),
        Row("/us/sample/t3", None, "title", "3", "Ships", "3 S.F.C."),
        Row("/us/sample/t3/s1", "/us/sample/t3", "section", "1", "Hulls", "3 S.F.C. § 1", "Law."),
        Row("/us/sample/t3a", None, "appendix", None, "Acts", "3 S.F.C. app."),
        *(
            row
            for act in ("Dock Act of 1978", "Mole Act")
            for row in (
                Row(f"/us/sample/t3a/{act}", "/us/sample/t3a", "act", None, act, f"3 S.F.C. app. {act}"),
                Row(
                    f"/us/sample/t3a/{act}/s3", f"/us/sample/t3a/{act}", "section", "3", "Third",
                    f"{act} § 3, 3 S.F.C. app.", "Law.",
                ),
            )
        ),
        Row(
            "/us/sample/t3a/s4", "/us/sample/t3a/Mole Act", "section", "4", "Fourth",
            "Mole Act § 4, 3 S.F.C. app.", "Law.", "omitted",
        ),
        Row("/us/sample/t4", None, "title", "4", "Piers", "4 S.F.C."),
        *(
            Row(
                f"/us/sample/t4/s{num}", "/us/sample/t4", "section", num, "Piers", f"4 S.F.C. § {num}", "(a) Law.",
                more={"source_credit": credit},
            )
            for num, credit in (
                ("107", "(Pub. L. 94–553, § 107, Oct. 19, 1976, 90 Stat. 2546.)"),
                ("108", "(Pub. L. 94–553, § 108, Oct. 19, 1976, 90 Stat. 2546; Pub. L. 102–492, Oct. 24, 1992, 106 Stat. 3145.)"),
                ("109", "(R.S. § 1979.)"),
                (
                    "701",
                    "(Aug. 4, 1949, ch. 393, 63 Stat. 505, § 141; renumbered § 701, Pub. L. 115–282, § 106(b), Dec. 4, 2018, "
                    "132 Stat. 4203.)",
                ),
            )
        ),
    ],
    "sample-code": [
        Row(
            "/sample/code/3-1", "/sample/code/t1", "section", "3-1", "Piers", "Sample Code § 3-1", "Law.",
            more={"source_credit": "(Apr. 15, 2011, 125 Stat. 199, Pub. L. 112-10, § 3001.)"},
        ),
        Row("/sample/code/t1", None, "title", "1", "Harbors", "Sample Code tit. 1"),
        Row("/sample/code/1-1", "/sample/code/t1", "section", "1-1", "Plan", "Sample Code § 1-1", "Law."),
    ],
}  # fmt: skip


@pytest.fixture(scope="session")
def cited(
    tmp_path_factory: pytest.TempPathFactory, encoder: Encoder, encoder_folder: Path
) -> Iterator[Snapshot]:
    """The law of citations, open."""
    publisher = Publisher(tmp_path_factory.mktemp("cited"), encoder, encoder_folder)
    identifier = publisher.publish(CITED)
    opened = open_warm(publisher.workspace.snapshots / identifier)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def designated() -> str:
    """The text of 1 S.F.C. § 7."""
    return DESIGNATED
