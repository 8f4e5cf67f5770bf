"""Fixtures for readers: source files held in memory, and a dialect of a few lines to build from."""

import hashlib
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path

import pytest

from assets.errors import MalformedFileError
from assets.ingest.accounting import Account, Fate, squeeze
from assets.ingest.model import Currency, Problem, Provision, SourceFile, SourceFiles, Unit
from assets.ingest.pinned import PinnedSource, open_pinned
from assets.ingest.provisions import build_provisions
from assets.ingest.report import ProvisionsReport
from assets.ingest.shared_identifiers import EnactingLaw
from assets.ingest.sources import pin_source
from assets.ingest.tags import TagRules, load_tag_rules
from assets.registry import CodeBody


class MemoryFiles:
    """Source files given as bytes by path."""

    def __init__(self, contents: dict[str, bytes]) -> None:
        self._files = {
            path: SourceFile(path, hashlib.sha256(content).hexdigest(), content)
            for path, content in sorted(contents.items())
        }

    def paths(self) -> list[str]:
        """Return all paths, sorted."""
        return list(self._files)

    def get(self, path: str) -> SourceFile | None:
        """Return the file at `path`, or None."""
        return self._files.get(path)

    def __iter__(self) -> Iterator[SourceFile]:
        return iter(self._files.values())


@pytest.fixture
def source_files() -> Callable[[dict[str, bytes]], SourceFiles]:
    """Make source files from bytes by path."""
    return MemoryFiles


_PROVISION = re.compile(r"<p ([^>]*?)(?:/>|>(.*?)</p>)", re.DOTALL)
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')


class ToyReader:
    """Reads `<p id="/toy/t1/s1" parent="/toy/t1" level="section" head="Fees">text</p>`; a folder is a unit.

    `BROKEN` in a file makes it unreadable; `<release n="119-36"/>` dates its unit.
    """

    def read(self, files: SourceFiles, body: CodeBody) -> Iterator[Unit]:
        """Yield a unit per folder."""
        inside = (file for file in files if "/" in file.path)
        for key, members in groupby(inside, key=lambda file: file.path.partition("/")[0]):
            provisions: list[Provision] = []
            problems: list[Problem] = []
            currency = None
            for file in members:
                text = file.content.decode()
                if "BROKEN" in text:
                    line = text[: text.index("BROKEN")].count("\n") + 1
                    problems.append(Problem(file.path, "is broken", line, 7))
                    continue
                provisions += self._provisions(file, text)
                release = re.search(r'<release n="(.*?)"', text)
                if release is not None:
                    currency = Currency(f"Public Law {release.group(1)}", release.group(1))
            number = key[1:]
            yield Unit(key, f"Title {number}", tuple(provisions), tuple(problems), currency, title=number)

    @staticmethod
    def _provisions(file: SourceFile, text: str) -> Iterator[Provision]:
        for match in _PROVISION.finditer(text):
            attributes = dict(_ATTRIBUTE.findall(match.group(1)))
            citable = attributes.get("level") == "section"
            number = attributes["id"].rpartition("/")[2].lstrip("s") if citable else None
            yield Provision(
                identifier=attributes["id"],
                parent=attributes.get("parent"),
                level=attributes.get("level", "title"),
                num=number,
                heading=attributes.get("head", ""),
                citation=attributes.get("cite", f"Toy Code § {number}" if citable else "Toy Code"),
                citable=citable,
                file=file.path,
                byte_start=len(text[: match.start()].encode()),
                byte_end=len(text[: match.end()].encode()),
                source_sha256=file.sha256,
                text=" ".join((match.group(2) or "").split()),
                status=attributes.get("status", "in_force"),
            )


def toy_account(file: SourceFile) -> Account:
    """Account for a file of the toy dialect: all text of its provisions is law."""
    text = file.content.decode()
    if "BROKEN" in text:
        raise MalformedFileError(file.path, "is broken", line=1, column=7)
    operative = "".join(squeeze(match.group(2) or "") for match in _PROVISION.finditer(text))
    discarded = Counter({"markup": 3})
    return Account(file.path, operative, Counter({Fate.OPERATIVE: len(operative)}), discarded)


class ToyBuild:
    """Pins and builds toy sources below one folder."""

    body = CodeBody(
        key="toy-code",
        name="Toy Code",
        jurisdiction="toy",
        reader="toy",
        root="/toy",
        citation="Toy Code § {num}",
        short_name="Toy Code",
        publisher="this project",
        license="Apache-2.0",
    )

    def __init__(self, root: Path, tags: TagRules) -> None:
        self.root = root
        self.tags = tags
        self.pinned = root / "source_files"
        self.provisions = root / "provisions"
        self.progress: list[tuple[int, int]] = []
        self.enacting_law: EnactingLaw = lambda _: None

    def pin(self, files: dict[str, str], *, day: int = 1) -> PinnedSource:
        """Pin exactly these files."""
        origin = self.root / "origin"
        shutil.rmtree(origin, ignore_errors=True)
        for path, text in {**files, "index.txt": ""}.items():
            (origin / path).parent.mkdir(parents=True, exist_ok=True)
            (origin / path).write_text(text, encoding="utf-8")
        return pin_source(
            origin,
            self.body,
            self.pinned,
            retrieved_at=datetime(2026, 1, day, tzinfo=UTC),
            progress=lambda done, total: None,
        )

    def build(self, files: dict[str, str], *, day: int = 1, fresh: bool = False) -> ProvisionsReport:
        """Pin these files and build them, falling back to what was built before unless `fresh`."""
        source = self.pin(files, day=day)
        return build_provisions(
            open_pinned(self.pinned),
            source,
            self.body,
            ToyReader(),
            self.provisions,
            tags=self.tags,
            previous=None if fresh else self.provisions,
            progress=lambda done, total: self.progress.append((done, total)),
            enacting_law=self.enacting_law,
        )


@pytest.fixture(scope="session")
def tag_rules() -> TagRules:
    """The reviewed rules."""
    return load_tag_rules(Path(__file__).parents[3] / "datasets" / "registry" / "tags.toml")


@pytest.fixture
def toy(tmp_path: Path, tag_rules: TagRules) -> ToyBuild:
    """An empty place to pin and build toy sources in."""
    return ToyBuild(tmp_path, tag_rules)


@pytest.fixture
def account() -> Callable[[SourceFile], Account]:
    """The oracle of the toy dialect."""
    return toy_account
