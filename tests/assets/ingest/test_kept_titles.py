"""Titles that did not change are taken as they were read before, and are what reading them again gives."""

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from assets.ingest.quarantine import build_quarantined
from assets.ingest.sources import is_pinned, pin_source
from assets.registry import Registry
from assets.stage_record import made_by

TAGS = Path("datasets/registry/tags.toml")
RULES = "ab" * 32


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A code of several titles, one file each."""
    return Path(shutil.copytree("datasets/sample/sample-code", tmp_path / "source"))


def read(tmp_path: Path, source: Path, registry: Registry, *, kept: bool, rules: str = RULES) -> Path:
    """Pin and read a source; return the folder of its provisions."""
    body = registry.code_body("sample-code")
    pinned, built = tmp_path / "pinned", tmp_path / f"built-{kept}"
    now = datetime(2026, 11, 22, tzinfo=UTC)
    pin_source(source, body, pinned, retrieved_at=now, progress=lambda _done, _total: None)
    build_quarantined(
        pinned,
        body,
        built,
        tag_rules=TAGS,
        previous=None,
        progress=lambda _done, _total: None,
        rules=rules,
        kept=tmp_path / "kept" if kept else None,
    )
    return built


def test_one_changed_title_is_read_alone_and_all_are_as_if_read_anew(
    tmp_path: Path, source: Path, registry: Registry
) -> None:
    built = read(tmp_path, source, registry, kept=True)
    assert made_by(built) == RULES
    first = {path.name: path.stat().st_ino for path in (tmp_path / "kept").iterdir()}
    assert len(first) == len(list(source.glob("*.xml")))

    changed = source / "title02.xml"
    changed.write_text(changed.read_text(encoding="utf-8").replace(" shall ", " must "), encoding="utf-8")
    built = read(tmp_path, source, registry, kept=True)
    second = {path.name: path.stat().st_ino for path in (tmp_path / "kept").iterdir()}
    assert len(second) == len(first)
    assert len(second.items() & first.items()) == len(first) - 1
    anew = read(tmp_path, source, registry, kept=False)
    for name in ("provisions.parquet", "files.parquet", "report.json"):
        assert (built / name).read_bytes() == (anew / name).read_bytes(), name


def test_other_rules_read_everything(tmp_path: Path, source: Path, registry: Registry) -> None:
    read(tmp_path, source, registry, kept=True)
    first = {path.name for path in (tmp_path / "kept").iterdir()}
    read(tmp_path, source, registry, kept=True, rules="cd" * 32)
    second = {path.name for path in (tmp_path / "kept").iterdir()}
    assert len(first) == len(second)
    assert not first & second


def test_a_pin_knows_its_source_again(tmp_path: Path, source: Path, registry: Registry) -> None:
    body, pinned = registry.code_body("sample-code"), tmp_path / "pinned"
    packed = Path(shutil.make_archive(str(tmp_path / "packed"), "zip", source))
    now = datetime(2026, 11, 22, tzinfo=UTC)
    pin_source(source, body, pinned, retrieved_at=now, progress=lambda _done, _total: None)
    assert is_pinned(source, body, pinned)
    assert not is_pinned(packed, body, pinned)
    pin_source(packed, body, pinned, retrieved_at=now, progress=lambda _done, _total: None)
    assert is_pinned(packed, body, pinned)
    assert is_pinned(source, body, pinned)
    (source / "title02.xml").write_bytes((source / "title02.xml").read_bytes() + b"\n")
    assert not is_pinned(source, body, pinned)
