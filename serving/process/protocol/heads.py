"""The end of a head among bytes that come in pieces."""

END = b"\r\n\r\n"
"""End of a head."""


def end_of_head(data: bytes, start: int, tail: bytes, most: int) -> int:
    """Return the position at which a head ends, or up to which it may be parsed.

    Args:
        data: holds a piece of the head.
        start: of the piece.
        tail: up to three bytes of the head before the piece.
        most: position at which the head is too long.
    """
    if tail:
        found = (tail + data[start : start + 3]).find(END)
        if found >= 0:
            return min(start + found + len(END) - len(tail), most)
    found = data.find(END, start, most)
    return found + len(END) if found >= 0 else min(len(data), most)
