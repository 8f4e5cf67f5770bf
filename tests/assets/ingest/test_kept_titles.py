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


@pytest.fixture
def city(tmp_path: Path) -> Path:
    """A code whose titles are folders below one index."""
    return Path(shutil.copytree("datasets/sample/sample-city-code", tmp_path / "city"))


def read(
    tmp_path: Path,
    source: Path,
    registry: Registry,
    *,
    kept: bool,
    rules: str = RULES,
    key: str = "sample-code",
) -> Path:
    """Pin and read a source; return the folder of its provisions."""
    body = registry.code_body(key)
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
    assert_same(built, read(tmp_path, source, registry, kept=False))


def assert_same(built: Path, anew: Path) -> None:
    for name in ("provisions.parquet", "files.parquet", "report.json"):
        assert (built / name).read_bytes() == (anew / name).read_bytes(), name


def kept_titles(tmp_path: Path) -> dict[str, int]:
    """Return the kept titles, and which file each is: one that was not read again is the same file."""
    return {path.name: path.stat().st_ino for path in (tmp_path / "kept").iterdir()}


def amend(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


TITLES_OF_THE_CITY = 5


@pytest.mark.parametrize(
    ("path", "old", "new", "read_again"),
    [
        ("titles/1/sections/1-101.xml", "may be cited", "shall be cited", 1),
        ("index.xml", 'through="2026-10-15"', 'through="2026-11-15"', 0),
        # A title that moves to another division stands elsewhere, and one that it leads to is another's file.
        ("index.xml", "<subheading>Division II. Commerce and Land.</subheading>", "", 3),
        ("titles/1/index.xml", "./sections/1-101.xml", "../2/sections/2-101.xml", 2),
        ("titles/1/index.xml", "./sections/1-101.xml", "./sections/none.xml", 1),
    ],
    ids=["law", "currency", "division", "file of another title", "missing file"],
)
def test_of_titles_in_folders_those_are_read_that_changed(
    tmp_path: Path, city: Path, registry: Registry, path: str, old: str, new: str, read_again: int
) -> None:
    read(tmp_path, city, registry, kept=True, key="sample-city-code")
    first = kept_titles(tmp_path)
    assert len(first) == TITLES_OF_THE_CITY
    amend(city / path, old, new)
    built = read(tmp_path, city, registry, kept=True, key="sample-city-code")
    second = kept_titles(tmp_path)
    assert len(second.items() & first.items()) == TITLES_OF_THE_CITY - read_again
    assert_same(built, read(tmp_path, city, registry, kept=False, key="sample-city-code"))


def test_a_title_that_leads_out_of_its_folder_is_read_each_time(
    tmp_path: Path, city: Path, registry: Registry
) -> None:
    amend(city / "titles/1/index.xml", "./sections/1-101.xml", "../../shared/1-101.xml")
    (city / "shared").mkdir()
    (city / "titles/1/sections/1-101.xml").rename(city / "shared/1-101.xml")
    read(tmp_path, city, registry, kept=True, key="sample-city-code")
    assert len(kept_titles(tmp_path)) == TITLES_OF_THE_CITY - 1
    amend(city / "shared/1-101.xml", "may be cited", "shall be cited")
    built = read(tmp_path, city, registry, kept=True, key="sample-city-code")
    assert_same(built, read(tmp_path, city, registry, kept=False, key="sample-city-code"))


def test_a_file_of_a_kept_title_that_another_includes_is_named_as_included_before(
    tmp_path: Path, city: Path, registry: Registry
) -> None:
    read(tmp_path, city, registry, kept=True, key="sample-city-code")
    first = kept_titles(tmp_path)
    amend(city / "titles/4/index.xml", "./sections/4-101.xml", "../1/sections/1-101.xml")
    built = read(tmp_path, city, registry, kept=True, key="sample-city-code")
    assert len(kept_titles(tmp_path).items() & first.items()) == TITLES_OF_THE_CITY - 1
    assert "which is included already" in (built / "report.json").read_text(encoding="utf-8")
    assert_same(built, read(tmp_path, city, registry, kept=False, key="sample-city-code"))


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
