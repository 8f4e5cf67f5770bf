"""A law whose provisions negate, except, repeal and tabulate, as quotations of it are verified."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from serving.encoder.encoder import Encoder
from serving.services.opening import open_warm
from serving.snapshot.store import Snapshot
from tests.serving.conftest import Publisher, Row

HARBOR = """(a) The harbor board shall not—
(1) sell a berth; or
(2) lease a berth for more than 1½ years, unless the council consents.
(b) Repealed. Act of 1999.
(c) A vessel without a certificate is not entitled to a berth. The harbor master may waive this rule for 30 days.
(d) The fees for a berth are:
Class A | $10 | $20
Class B | $30 | $40."""
MARKED = "The reporting requirements of section 1582 of title 10 1 apply to emissions of carbon dioxide (CO2) here."
FERRY = "Every ferry of the harbor board carries one pilot, two lanterns and a bell of bronze."
TOLLS = """(a) For claims of more than $100 made by a master, the board shall decide within 6 days after receipt.
(b) A ferry with 15 or more seats pays a sum of not less than $75 or more than $300 as the board finds just.
(c) The board may suspend a pilot who is guilty of misconduct in refusing to stop the ferry, upon sufficient cause \
shown, or in refusing to take a lantern aboard.
(d) A contract of carriage, or the refusal to carry it out, or an agreement in writing to settle it, shall be \
valid, and the notice shall be posted at least 9 days before the first trip."""


def _outline(text: str) -> list[dict[str, object]]:
    starts = [
        (match.group(1), match.start()) for match in re.finditer(r"^(\([a-z0-9]\))", text, re.MULTILINE)
    ]
    outer = [(label, start) for label, start in starts if label[1].isalpha()]
    outline: list[dict[str, object]] = []
    for index, (label, start) in enumerate(outer):
        end = outer[index + 1][1] - 1 if index + 1 < len(outer) else len(text)
        outline.append({"label": label, "start": start, "end": end, "uncertain": False})
        inner = [one for one in starts if start < one[1] < end]
        for place, (part, first) in enumerate(inner):
            last = inner[place + 1][1] - 1 if place + 1 < len(inner) else end
            outline.append({"label": label + part, "start": first, "end": last, "uncertain": False})
    return outline


def _section(num: str, heading: str, text: str, status: str = "in_force", **more: object) -> Row:
    return Row(
        f"/us/sample/t1/s{num}",
        "/us/sample/t1",
        "section",
        num,
        heading,
        f"1 S.F.C. § {num}",
        text,
        status,
        more=more,
    )


def _keepers(chapter: str, first: int, points: list[str]) -> list[Row]:
    """Return a chapter of title 2 with one section for each of some points, numbered from `first` on."""
    holder = f"/us/sample/t2/ch{chapter}"
    return [
        Row(holder, "/us/sample/t2", "chapter", chapter, "Keepers", f"2 S.F.C. ch. {chapter}"),
        *(
            Row(
                f"/us/sample/t2/s{num}", holder, "section", str(num), f"{point} Point", f"2 S.F.C. § {num}",
                f"The keeper at {point} Point shall not sound the bell of {point} by day.",
            )
            for num, point in enumerate(points, first)
        ),
    ]  # fmt: skip


QUOTED = {
    "us-sample": [
        Row("/us/sample/t1", None, "title", "1", "Harbors", "1 S.F.C."),
        _section("1", "Berths and their fees", HARBOR, outline=_outline(HARBOR)),
        _section(
            "2", "Emissions", MARKED,
            notes=[{"topic": "footnote", "heading": "1", "text": "So in original.", "offset": 3}],
        ),
        _section(
            "3", "Buoys", "A buoy is red.",
            notes=[
                {"topic": "shortTitle", "heading": "Short Title", "text": "This may be cited as the Buoy Act.", "offset": 0},
                {
                    "topic": "miscellaneous", "heading": "Old buoys", "offset": 0,
                    "text": "No buoy of wood shall be laid after the first day of May.\nOld buoys may stay for 9 years.",
                },
            ],
        ),
        _section("4", "Lamps", "", "repealed"),
        _section("5", "Ferries", FERRY),
        _section("6", "Old ferries", "No ferry carries a pilot. Old ferries were of wood.", "repealed"),
        _section("7", "Tolls", TOLLS, outline=_outline(TOLLS)),
        Row("/us/sample/t2", None, "title", "2", "Lamps", "2 S.F.C."),
        *_keepers("1", 1, ["Ash", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Gorse", "Hazel", "Ivy", "Juniper", "Larch",
            "Maple", "Oak"]),
        Row(
            "/us/sample/t2/s14", "/us/sample/t2/ch1", "section", "14", "Old towers", "2 S.F.C. § 14",
            "The keeper in an old tower does sound the bell by day.",
        ),
        *_keepers("2", 21, ["Pine", "Rowan"]),
    ],
}  # fmt: skip


@pytest.fixture(scope="session")
def harbors(
    tmp_path_factory: pytest.TempPathFactory, encoder: Encoder, encoder_folder: Path
) -> Iterator[Snapshot]:
    """The law of harbors, open."""
    publisher = Publisher(tmp_path_factory.mktemp("harbors"), encoder, encoder_folder)
    opened = open_warm(publisher.workspace.snapshots / publisher.publish(QUOTED))
    yield opened
    opened.close()
