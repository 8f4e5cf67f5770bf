"""The feed against the publisher's files: titles 6 and 42 of the D.C. Code between its editions of 2022 and 2024.

The whole of three pairs of editions is compared by `python -m tests.quality.changes`.
"""

import tarfile
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from assets.ingest.pinned import PinnedSource, open_pinned
from assets.ingest.provisions import build_provisions
from assets.ingest.readers import dialect
from assets.ingest.sources import pin_source
from assets.ingest.tags import load_tag_rules
from assets.registry import load_registry
from tests.quality.changes.__main__ import disagreements, feed_of
from tests.quality.changes.law_xml_tree import read_tree
from tests.quality.changes.trees import compared

ROOT = Path(__file__).parents[3]
SHARED = ROOT.parent / "shared" / "data"
OLD, NEW = SHARED / "dc-code-2022-12-04-titles-6-42.tar.xz", SHARED / "dc-code-2024-10-20.tar.xz"
READ = ("/code/index.xml", "/titles/6/", "/titles/42/")

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(
        not (OLD.is_file() and NEW.is_file()), reason="D.C.'s files are not beside this checkout"
    ),
]


def _build(archive: Path, folder: Path) -> tuple[Path, Path]:
    """Return the folders of the source of two titles, and of what our readers make of it."""
    with tarfile.open(archive) as packed:
        packed.extractall(folder / "source", _read(packed), filter="data")
    registry = ROOT / "datasets" / "registry"
    body = load_registry(registry).code_body("dc-code")
    pinned = folder / "pinned"
    pin_source(
        folder / "source", body, pinned, retrieved_at=datetime.now(UTC), progress=lambda done, total: None
    )
    build_provisions(
        open_pinned(pinned),
        PinnedSource.load(pinned),
        body,
        dialect(body.reader).reader,
        folder / "provisions",
        tags=load_tag_rules(registry / "tags.toml"),
        previous=None,
        progress=lambda done, total: None,
    )
    return folder / "source", folder / "provisions"


def _read(packed: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    return (member for member in packed if any(part in member.name for part in READ))


def test_the_feed_and_the_files_agree_and_say_what_was_judged(tmp_path: Path) -> None:
    old_source, old = _build(OLD, tmp_path / "old")
    new_source, new = _build(NEW, tmp_path / "new")
    told = feed_of(old, new, tmp_path / "scratch")
    seen = compared(read_tree(old_source), read_tree(new_source))
    assert disagreements(seen, told) == {}
    assert sum(map(len, told.values())) == 114
    judged = tomllib.loads(Path(__file__).with_name("judged.toml").read_text(encoding="utf-8"))
    pair = judged["pair"][0]
    assert pair["editions"] == ["2022-12-04", "2024-10-20"]
    wrong = [name for kind, names in pair["right"].items() for name in names if not told[name][kind]]
    assert wrong == []
