"""Readings kept from one build to the next: what a name of an act changes is read again, and nothing else."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from assets.citations import kept_readings
from assets.citations.implicit_title import ReadCitation
from assets.citations.kept_readings import KeptReadings, ReadingsWriter, key_of
from assets.citations.text_citations import Passage, read_citations
from assets.registry import Citing
from serving.contract.citations import CitingContext, PopularName
from serving.contract.layout import CITING

HOME = CitingContext("us-usc", "17", "107")
TEXTS = (
    "Section 12 of the Night Watch and Lantern Act of 1871 applies.",
    "section 4 of the night  watch & lantern act",
    "Under N.W.L.A. § 9 a lamp is lit.",
    "See 42 U.S.C. § 1983 and section 106.",
    "Nothing is cited here.",
)
LANTERNS = PopularName("Night Watch and Lantern Act of 1871", ("NWLA",), "24 U.S.C. § 1", "24 U.S.C. § 1")
OTHER = PopularName("Weather Vane Act", (), "15 U.S.C. § 1", "15 U.S.C. § 1")


def _read(
    citing: Citing, folder: Path, kept: KeptReadings | None = None, texts: Sequence[str] = TEXTS
) -> list[list[ReadCitation]]:
    folder.mkdir()
    with ReadingsWriter(folder, citing) as writer:
        passages = [Passage(text, HOME, "us-usc") for text in texts]
        found = list(read_citations(passages, citing, kept=kept, writer=writer))
    (folder / CITING).write_bytes(citing.to_json())
    return found


def _is_kept(kept: KeptReadings) -> list[bool]:
    return [kept.packed(key_of(text, HOME, "us-usc"), text) is not None for text in TEXTS]


@pytest.mark.parametrize(
    ("before", "now"), [([], [LANTERNS]), ([LANTERNS], []), ([OTHER], [OTHER, LANTERNS])]
)
def test_texts_with_a_name_that_is_new_or_gone_are_read_again(
    tmp_path: Path, citing: Citing, before: list[PopularName], now: list[PopularName]
) -> None:
    _read(citing.with_names(before), tmp_path / "before")
    known = citing.with_names(now)
    kept = KeptReadings.load(tmp_path / "before", known)
    assert _is_kept(kept) == [False, False, False, True, True]
    assert _read(known, tmp_path / "over", kept) == _read(known, tmp_path / "anew")


def test_a_name_that_means_another_act_now_is_read_again(tmp_path: Path, citing: Citing) -> None:
    _read(citing.with_names([LANTERNS]), tmp_path / "before")
    moved = PopularName(LANTERNS.name, LANTERNS.short, "25 U.S.C. § 1", "25 U.S.C. § 1")
    kept = KeptReadings.load(tmp_path / "before", citing.with_names([moved]))
    assert _is_kept(kept) == [False, False, False, True, True]


def test_everything_is_kept_where_nothing_changed(tmp_path: Path, citing: Citing) -> None:
    first = _read(citing, tmp_path / "before")
    kept = KeptReadings.load(tmp_path / "before", citing)
    assert _is_kept(kept) == [True] * len(TEXTS)
    assert _read(citing, tmp_path / "over", kept) == first


def test_nothing_is_kept_where_a_scheme_or_the_order_of_names_changed(tmp_path: Path, citing: Citing) -> None:
    known = citing.with_names([LANTERNS, OTHER])
    _read(known, tmp_path / "before")
    assert len(KeptReadings.load(tmp_path / "before", known)) == len(TEXTS)
    turned = citing.with_names([OTHER, LANTERNS])
    assert len(KeptReadings.load(tmp_path / "before", turned)) == 0
    fewer = Citing(known.schemes[:-1], known.popular_names)
    assert len(KeptReadings.load(tmp_path / "before", fewer)) == 0


def test_nothing_is_kept_where_more_names_changed_than_are_looked_for(
    tmp_path: Path, citing: Citing, monkeypatch: pytest.MonkeyPatch
) -> None:
    _read(citing, tmp_path / "before")
    monkeypatch.setattr(kept_readings, "MOST_CHANGED", 1)
    assert len(KeptReadings.load(tmp_path / "before", citing.with_names([LANTERNS]))) == 0


@pytest.mark.parametrize("content", [None, b"", b"{", b"[]", b'{"popularNames": [{"nam": 1}]}'])
def test_nothing_is_kept_beside_names_that_cannot_be_read(
    tmp_path: Path, citing: Citing, content: bytes | None
) -> None:
    _read(citing, tmp_path / "before")
    names = tmp_path / "before" / CITING
    names.unlink() if content is None else names.write_bytes(content)
    assert len(KeptReadings.load(tmp_path / "before", citing)) == 0
