"""`lawctl pages`: make the pages of provisions before anybody asks for them."""

import argparse
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from serving.commands.output import counted, print_json, print_text, remark
from serving.commands.verbs import Parsers, add_noun, add_snapshots, add_verb, settings_of
from serving.contract.errors import LawError
from serving.settings.settings import Settings
from serving.snapshot.pointer import current_snapshot_id

if TYPE_CHECKING:
    from serving.pages.law.preparing import Prepared

_NICE = 10
"""Servers beside it come first."""
_TOLD_SECONDS = 10.0
_AGAIN_SECONDS = 60.0
"""Pause after a preparation that failed, as on a full disk."""


def add(commands: Parsers) -> None:
    """Add the verbs."""
    verbs = add_noun(commands, "pages", "make the pages of provisions before anybody asks for them")
    prepare = add_verb(
        verbs,
        "prepare",
        _prepare,
        "make the page of every provision, for servers of this release with the same settings",
        more="A running server finds them within seconds. Files of other releases, and of snapshots that are "
        "not retained, are removed.",
    )
    which = prepare.add_mutually_exclusive_group()
    which.add_argument("id", nargs="?", help="snapshot id (default: the one in service)")
    which.add_argument(
        "--follow", action="store_true", help="stay, and prepare each snapshot that comes into service"
    )
    prepare.add_argument(
        "--pages", type=Path, metavar="FOLDER", help="folder of the files (default: LAW_PAGES)"
    )
    add_snapshots(prepare)


def _prepare(options: argparse.Namespace) -> int:
    settings = settings_of(options)
    os.nice(_NICE)
    if options.follow:
        _follow(settings, as_json=options.json)
    _prepare_one(settings, options.id or current_snapshot_id(settings.snapshots), as_json=options.json)
    return 0


def _follow(settings: Settings, *, as_json: bool) -> None:
    """Prepare each snapshot that comes into service, without end."""
    prepared: str | None = None
    problem: str | None = None
    while True:
        pause = settings.poll_seconds
        try:
            current = current_snapshot_id(settings.snapshots)
            if current != prepared:
                _prepare_one(settings, current, as_json=as_json)
                prepared = current
            problem = None
        except (LawError, OSError) as error:
            if str(error) != problem:
                remark(f"Not prepared, and tried again: {error}")
            problem, pause = str(error), _AGAIN_SECONDS
        time.sleep(pause)


def _prepare_one(settings: Settings, snapshot: str, *, as_json: bool) -> None:
    # The pages come with the whole of a server's doors, which no other command needs.
    from serving.pages.law.preparing import prepare  # noqa: PLC0415 - as said above

    prepared = prepare(settings, snapshot, _Progress().tell)
    if as_json:
        print_json(_as_json(prepared))
        return
    edition, megabytes = prepared.edition, f"{prepared.bytes / 1e6:,.1f} MB"
    pages = f"{counted(edition.pages, 'page')} of {edition.snapshot} for {edition.public_url}"
    if prepared.made:
        print_text(f"Prepared {pages} in {prepared.seconds:,.1f} s: {megabytes} in {prepared.file}")
    else:
        print_text(f"Prepared before: {pages}, {megabytes} in {prepared.file}")
    for name in prepared.removed:
        print_text(f"Removed {name}")


class _Progress:
    """Says from time to time how far a preparation is."""

    def __init__(self) -> None:
        self._begun = self._told = time.monotonic()

    def tell(self, made: int, total: int) -> None:
        """Print a line if none was printed for a while."""
        now = time.monotonic()
        if now - self._told >= _TOLD_SECONDS and made < total:
            self._told = now
            remark(f"{made:,} of {counted(total, 'page')}, {now - self._begun:,.0f} s")


def _as_json(prepared: "Prepared") -> dict[str, Any]:
    return {
        "snapshot": prepared.edition.snapshot,
        "publicUrl": prepared.edition.public_url,
        "file": str(prepared.file),
        "made": prepared.made,
        "pages": prepared.edition.pages,
        "bytes": prepared.bytes,
        "seconds": round(prepared.seconds, 3),
        "removed": list(prepared.removed),
    }
