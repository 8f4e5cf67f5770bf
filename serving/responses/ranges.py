"""Byte ranges of a file, as the header `Range` asks for them (RFC 9110, 14)."""

import re
from dataclasses import dataclass

from serving.contract.errors import LawError

_ONE = re.compile(r"bytes=[ \t]*([0-9]{0,19})-([0-9]{0,19})[ \t]*", re.IGNORECASE)


class RangeNotSatisfiableError(LawError):
    """The range that was asked for lies beyond the end of the file.

    Attributes:
        size: bytes of the file.
    """

    code = "range_not_satisfiable"

    def __init__(self, size: int) -> None:
        super().__init__(f"The file has {size:,} bytes; `Range` asks for bytes beyond its end.")
        self.size = size


@dataclass(frozen=True, slots=True)
class ByteRange:
    """The bytes from `start` up to `end`, which is not among them."""

    start: int
    end: int

    @property
    def length(self) -> int:
        """The number of bytes."""
        return self.end - self.start


def wanted_range(header: str | None, size: int) -> ByteRange | None:
    """Return the one range that a header asks for; None for the whole file.

    A header that is malformed, names another unit or several ranges is ignored, as the standard has it.

    Raises:
        RangeNotSatisfiableError: no byte of the file is in the range.
    """
    found = None if header is None else _ONE.fullmatch(header)
    if found is None or found[1] == found[2] == "":
        return None
    if found[1] == "":
        length = min(int(found[2]), size)
        start, end = size - length, size
    else:
        start = int(found[1])
        end = size if found[2] == "" else min(int(found[2]) + 1, size)
        if found[2] != "" and int(found[2]) < start:
            return None
    if start >= end:
        raise RangeNotSatisfiableError(size)
    return ByteRange(start, end)


def may_send_part(if_range: str | None, etag: str) -> bool:
    """Return whether `If-Range` allows a part: it is absent, or names the very bytes that are here.

    A date in it never matches, because files here tell no date: the whole is sent.
    """
    return if_range is None or if_range.strip() == etag
