"""What notes and source credits say of acts, and acts of one name and several years."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from assets.citations.act_years import other_years
from assets.citations.enactments import act_sections, acts_in_notes
from serving.contract.citations import PopularName
from serving.contract.citations.keys import act_section_key


class Notes:
    """A selection of provisions, as far as acts are read from it."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self._rows = rows
        self.provisions = pa.table({"citation": [row["citation"] for row in rows]})
        self.bodies = [SimpleNamespace(body=SimpleNamespace(reader="uslm"))]

    def body_of_positions(self) -> np.ndarray:
        return np.zeros(len(self._rows), int)

    def batches(self, columns: list[str]) -> Iterator[tuple[int, pa.RecordBatch]]:
        yield 0, pa.RecordBatch.from_pylist([{name: row[name] for name in columns} for row in self._rows])


def provision(citation: str, *notes: str, text: str = "", credit: str | None = None) -> dict[str, Any]:
    described = [{"topic": "referencesInText", "heading": None, "text": note} for note in notes]
    return {"citation": citation, "notes": described, "text": text, "source_credit": credit}


def read(*notes: str) -> list[tuple[str, str | None, str | None]]:
    acts = acts_in_notes(Notes([provision("42 U.S.C. § 1", *notes)]))  # type: ignore[arg-type]  # read like a table
    return [(act.name, act.law, act.citation) for act in acts]


@pytest.mark.parametrize(
    ("note", "act"),
    [
        (
            "The Tenants Act of 1938, referred to in subsec. (f)(1), is act June 25, 1938, ch. 676, 52 Stat. 1060,"
            " which is classified generally to chapter 8 (§ 201 et seq.) of Title 29, Labor.",
            ("Tenants Act of 1938", "June 25, 1938, ch. 676", "29 U.S.C. § 201"),
        ),
        (
            "The Flood Act, referred to in text, is title XIII of Pub. L. 90–448, Aug. 1, 1968, 82 Stat. 572, which is"
            " classified principally to chapter 50 (§ 4001 et seq.) of this title.",
            ("Flood Act", "Pub. L. 90-448, title XIII", "42 U.S.C. § 4001"),
        ),
        (
            "The Old Act, referred to in text, is Pub. L. 80–1, which was classified to section 5 of former Title 49.",
            ("Old Act", "Pub. L. 80-1", None),
        ),
        (
            "Act July 5, 1946, ch. 540, 60 Stat. 427, which is classified to this chapter, is popularly known as the"
            " “Marks Act”.",
            ("Marks Act", "July 5, 1946, ch. 540", None),
        ),
    ],
)
def test_a_note_says_what_law_an_act_is(note: str, act: tuple[str, str, str | None]) -> None:
    assert read(note) == [act]


@pytest.mark.parametrize(
    "note",
    [
        "This chapter, referred to in text, was in the original “this Act”, meaning Pub. L. 107–296.",
        "The date of enactment of this Act, referred to in text, is the date of enactment of Pub. L. 105–34.",
        "Section 5 of the Flood Act, referred to in text, is section 5 of Pub. L. 90–448.",
    ],
)
def test_what_names_no_act_is_not_one(note: str) -> None:
    assert read(note) == []


def test_a_provision_is_the_section_that_its_credit_names_first() -> None:
    said = (
        "(July 5, 1946, ch. 540, title VIII, § 43, 60 Stat. 441; Pub. L. 100–667, title I, § 132, Nov. 16, 1988.)",
        "(Pub. L. 90–448, title XIII, § 1302, Aug. 1, 1968.)",
        "(Pub. L. 90–448, title I, § 1302(a), Aug. 1, 1968.)",
        "(Added Pub. L. 90–448, title XIII, § 5, Aug. 1, 1968.)",
        "(Pub. L. 99–1, § 5, Aug. 1, 1968.)",
        None,
    )
    rows = [provision(f"15 U.S.C. § {number}", credit=credit) for number, credit in enumerate(said)]
    acts = [
        PopularName("Marks Act", law="July 5, 1946, ch. 540"),
        PopularName("Flood Act", law="Pub. L. 90-448, title XIII"),
    ]
    entries = act_sections(Notes(rows), acts)  # type: ignore[arg-type]  # read like a table
    assert [(entry.key, entry.position) for entry in entries] == [
        (act_section_key("July 5, 1946, ch. 540", "43"), 0),
        (act_section_key("Pub. L. 90-448, title XIII", "1302"), 1),
    ]
    assert not any(entry.whole for entry in entries)


def test_an_act_of_several_years_is_known_by_each() -> None:
    known = [
        PopularName("Railway Pay Act of 1974"),
        PopularName("Flood Act of 1968"),
        PopularName("Dock Act"),
    ]
    rows = [
        provision(
            "45 U.S.C. § 1",
            "The Railway Pay Act of 1937, referred to in text, was repealed.",
            "See the Housing and Flood Act of 1970, and the Dock Act of 1950.",
            text="Under the Railway Pay Act of 1935 and the Railway Pay Act of 1974.",
        )
    ]
    found = other_years(Notes(rows), known)  # type: ignore[arg-type]  # read like a table
    assert [(act.name, act.citation) for act in found] == [
        ("Railway Pay Act of 1935", None),
        ("Railway Pay Act of 1937", None),
    ]
