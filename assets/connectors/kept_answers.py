"""Keep the lists of releases that publishers answered with, to ask only for what changed since."""

import hashlib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from assets.connectors.records import Validators, load, replace_with


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """A page or list as it was, and the signs by which the publisher knows that version of it."""

    validators: Validators
    content: bytes


class KeptAnswers:
    """A folder of answers, one an address: those of the registry, so that their number is bounded."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, address: str) -> KeptAnswer | None:
        """Return what an address answered last; None where nothing of it is kept whole."""
        record = load(self._record(address))
        try:
            content = self._content(address).read_bytes()
            kept = KeptAnswer(Validators(record["etag"], record["last_modified"]), content)
            is_whole = (address, _digest(content)) == (record["address"], record["sha256"])
        except (OSError, KeyError):
            return None
        return kept if is_whole else None

    def put(self, address: str, validators: Validators, content: bytes) -> None:
        """Keep an answer, if the publisher gives a sign of its version."""
        if not validators.conditions():
            return
        record = {
            "address": address,
            "etag": validators.etag,
            "last_modified": validators.last_modified,
            "sha256": _digest(content),
        }
        with suppress(OSError):  # what cannot be kept is asked for whole the next time
            replace_with(self._content(address), content)
            replace_with(self._record(address), record)

    def _record(self, address: str) -> Path:
        return self._folder / f"{_digest(address.encode())[:32]}.json"

    def _content(self, address: str) -> Path:
        return self._record(address).with_suffix(".content")


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
