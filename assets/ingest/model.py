"""Records that readers take and give: pinned source files in, units of provisions with their problems out."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Protocol

from assets.registry import CodeBody
from serving.contract.records import IN_FORCE, MarkupReference, Note, Outline


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One pinned file.

    Attributes:
        path: relative to the source's root, with forward slashes.
        refusal: why it is not to be parsed, in words that follow its name; None: it may be.
    """

    path: str
    sha256: str
    content: bytes
    refusal: str | None = None


class SourceFiles(Protocol):
    """The pinned files of one code body, in the order of their paths."""

    def paths(self) -> list[str]:
        """Return the paths of all files, sorted."""
        ...

    def get(self, path: str) -> SourceFile | None:
        """Return the file at `path`, or None where the source has none."""
        ...

    def __iter__(self) -> Iterator[SourceFile]:
        """Iterate over all files in the order of their paths, without holding more than a few."""
        ...


@dataclass(frozen=True, slots=True)
class Effective:
    """The days from which and until which the source says that a provision applies, in its own `words`."""

    start: date | None = None
    end: date | None = None
    words: str | None = None


NOT_STATED = Effective()
"""The value of a provision whose source states no day of the whole of it."""


@dataclass(frozen=True, slots=True)
class Provision:
    """A container or section as a reader gives it. Fields are those of `serving.contract.records.PROVISIONS`.

    Attributes:
        identifier: canonical, such as `/us/usc/t17/s107`; hyphens, never other dashes.
        parent: identifier of the parent; None at the top of the code body.
        text: operative text. One block (paragraph, table row) a line; white space folded; no footnotes,
            notes or credits. Cells of a table row are separated by ` | `.
    """

    identifier: str
    parent: str | None
    level: str
    num: str | None
    heading: str
    citation: str
    citable: bool
    file: str
    byte_start: int
    byte_end: int
    source_sha256: str
    text: str = ""
    status: str = IN_FORCE
    outline: tuple[Outline, ...] = ()
    source_credit: str | None = None
    notes: tuple[Note, ...] = ()
    references: tuple[MarkupReference, ...] = ()
    effective: Effective = NOT_STATED


@dataclass(frozen=True, slots=True)
class Problem:
    """A file that could not be read, and where. `line` and `column` are 1-based."""

    file: str
    reason: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        place = f":{self.line}:{self.column}" if self.line is not None else ""
        return f"{self.file}{place}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Currency:
    """The currency that a source states, such as `Public Law 119-36` and release point `119-36`."""

    current_through: str | None
    release_point: str | None


@dataclass(frozen=True, slots=True)
class Unit:
    """The part of a code body that fails and falls back alone, normally a title.

    Attributes:
        key: stable within the code body, such as `t17`.
        label: for people, such as `Title 17`.
        provisions: in document order, parents before children; those that could be read.
        problems: files of this unit that could not be read.
        unread: its files that were not looked at, since what says where they belong is among the problems,
            since newer ones took their place, or since nothing leads to them.
        partly: files of which this unit uses a part, and newer files take the place of the rest.
        gaps: what is known to be missing or older than the rest though no file is broken, in sentences.
        rest_is_whole: all but the files of the problems was read, and from the newest edition. False where
            one of them says where other files belong, or may be a newer edition than this.
        title: number of the title of which the source has all, in one document or below one table of its
            contents; None where it has sections or volumes, some of which it may lack.
    """

    key: str
    label: str
    provisions: tuple[Provision, ...]
    problems: tuple[Problem, ...] = ()
    currency: Currency | None = None
    unread: tuple[str, ...] = ()
    partly: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()
    rest_is_whole: bool = True
    title: str | None = None


class Reader(Protocol):
    """A module under `assets/ingest/formats`: one dialect, any code body that uses it."""

    def read(self, files: SourceFiles, body: CodeBody) -> Iterator[Unit]:
        """Yield the units of the code body, in order. A broken file becomes a `Problem`, never an error."""
        ...
