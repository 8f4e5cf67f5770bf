"""Download one address into one file: only what is new, on from where it broke off, whole or not at all.

Beside the file NAME lie `.NAME.json`, which says what it is, and while it is on its way `.NAME.part` with
`.NAME.part.json`. A file at NAME is whole: it takes its place by a rename, once its bytes are on the disk.
"""

import os
import re
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

import httpx

from assets.connectors.errors import FetchError, PassingError
from assets.connectors.records import (
    Downloaded,
    Validators,
    known_file,
    load,
    record_of,
    replace_with,
    sha256_of,
)
from assets.connectors.retries import retrying
from assets.connectors.session import Session, require_plain
from assets.connectors.wholeness import require_whole
from assets.progress import Advance

_RANGE = re.compile(r"bytes (\d{1,19})-(\d{1,19})/(\d{1,19}|\*)")


@dataclass(frozen=True, slots=True)
class _Begun:
    """The record of a part: where it is from, and which bytes it is to become."""

    address: str
    validators: Validators
    total: int | None


def download(session: Session, address: str, target: Path, *, most: int, advance: Advance) -> Downloaded:
    """Bring the file at `target` to what lies at `address` now.

    Args:
        session: asks the publisher.
        address: of the registry, or derived from it.
        target: in a folder that is there; left as it was on any error.
        most: bytes that the file may have.
        advance: called with bytes that are there and bytes in all, 0 where that is not known.

    Raises:
        FetchError: the file cannot be had whole. What has come of it is kept for the next time.
    """
    transfer = _Transfer(session, address, target, most, advance)
    return retrying(transfer.attempt, session.patience, sleep=session.sleep, held=transfer.held)


class _Transfer:
    def __init__(self, session: Session, address: str, target: Path, most: int, advance: Advance) -> None:
        self._session = session
        self._address = address
        self._target = target
        self._most = most
        self._advance = advance
        self._end = session.clock() + session.bounds.seconds
        self._part = target.with_name(f".{target.name}.part")
        self._begun = target.with_name(f".{target.name}.part.json")
        self._record = record_of(target)

    def held(self) -> int:
        """Return the bytes of the part."""
        return self._part.stat().st_size if self._part.is_file() else 0

    def attempt(self) -> Downloaded:
        """Ask once, and take what comes."""
        known, begun = known_file(self._target, self._address), self._resumable()
        headers = {} if known is None else known.validators.conditions()
        if begun is not None:
            headers = {"Range": f"bytes={self.held()}-", "If-Range": begun.validators.exact or ""}
        with self._session.answer(self._address, headers=headers) as response:
            if response.status_code == httpx.codes.NOT_MODIFIED and known is not None and begun is None:
                self._forget_part()
                self._advance(known.bytes, known.bytes)
                return known
            require_plain(response, self._address)
            if response.status_code == httpx.codes.PARTIAL_CONTENT and begun is not None:
                self._require_continuation(response, begun)
            elif response.status_code == httpx.codes.OK:
                begun = self._begin(response)
            else:
                self._forget_part()
                raise PassingError(
                    f"{self._address} answers {response.status_code}, which was not asked for."
                )
            self._receive(response, begun.total)
        return self._finish(begun)

    def _resumable(self) -> _Begun | None:
        """Return the record of a part that can be continued; else remove what there is of one."""
        raw, held = load(self._begun), self.held()
        try:
            begun = _Begun(**{**raw, "validators": Validators(**raw["validators"])}) if raw else None
        except (TypeError, KeyError):
            begun = None
        if begun is None or begun.address != self._address or begun.validators.exact is None or held == 0:
            self._forget_part()
            return None
        if begun.total is not None and held >= begun.total:
            # All bytes came, and then the process ended. The last one tells if they are the file's still.
            os.truncate(self._part, begun.total - 1)
        return begun if self.held() else None

    def _begin(self, response: httpx.Response) -> _Begun:
        begun = _Begun(self._address, Validators.of(response.headers), _length(response))
        self._require_room(begun.total or 0)
        self._forget_part()
        replace_with(self._begun, asdict(begun))
        return begun

    def _require_continuation(self, response: httpx.Response, begun: _Begun) -> None:
        """Refuse a part that does not continue the bytes that are there.

        Raises:
            PassingError: it does not; what was there is gone, and the next attempt begins anew.
        """
        found = _RANGE.fullmatch(response.headers.get("Content-Range", ""))
        first, last, total = found.groups() if found is not None else ("", "", "")
        same = Validators.of(response.headers).exact == begun.validators.exact
        fits = first == str(self.held()) and (begun.total is None or total == str(begun.total))
        whole = total.isdigit() and int(last) + 1 == int(total)
        if not (same and fits and whole):
            self._forget_part()
            raise PassingError(f"{self._address} continues with bytes of another file, or of another place.")

    def _receive(self, response: httpx.Response, total: int | None) -> None:
        held = self.held()
        with self._part.open("ab") as part:
            for block in response.iter_raw():
                held += len(block)
                self._require_room(held)
                part.write(block)
                self._advance(held, total or 0)
                if self._session.clock() > self._end:
                    seconds = self._session.bounds.seconds
                    raise FetchError(f"{self._address} takes more than {seconds:,.0f} s; it is given up.")
            part.flush()
            os.fsync(part.fileno())

    def _require_room(self, size: int) -> None:
        if size > self._most:
            self._forget_part()
            raise FetchError(f"{self._address} has {size:,} bytes or more; at most {self._most:,} are taken.")

    def _finish(self, begun: _Begun) -> Downloaded:
        held = self.held()
        if begun.total is not None and held != begun.total:
            self._forget_part()
            raise PassingError(f"{self._address} says it has {begun.total:,} bytes and sends {held:,}.")
        try:
            require_whole(self._part, self._target.name)
        except FetchError:
            self._forget_part()
            raise
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        done = Downloaded(self._address, begun.validators, sha256_of(self._part), held, now)
        # Killed between any two of these, the file is the old one or the new one, perhaps without a record.
        self._record.unlink(missing_ok=True)
        self._part.rename(self._target)
        replace_with(self._record, asdict(done))
        self._begun.unlink(missing_ok=True)
        return done

    def _forget_part(self) -> None:
        self._part.unlink(missing_ok=True)
        self._begun.unlink(missing_ok=True)


def _length(response: httpx.Response) -> int | None:
    text = response.headers.get("Content-Length", "")
    return int(text) if text.isascii() and text.isdigit() else None
