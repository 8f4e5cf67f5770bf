"""Signs in a text that its bytes were read in another encoding than the one they were written in."""

import re
from collections.abc import Iterator

_LOST = "\N{REPLACEMENT CHARACTER}"
"""Character that decoders write for bytes that they cannot read: which one stood there is gone."""

_CONTROLS = "\x80-\x9f"
"""Controls that no text holds: in Windows-1252 their bytes are quotation marks and dashes."""

_LATER_BYTE = rf"[{_CONTROLS}\xa0-\xbf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]"
"""Second or third byte of a character of UTF-8, as Latin-1 or Windows-1252 has it."""

_READ_TWICE = rf"Â[\xa0-\xbf]|Ã{_LATER_BYTE}|â{_LATER_BYTE}{{2}}"
"""A character of UTF-8 that was read byte by byte: a section sign as `Â§`, a quotation mark as `â€™`.

Only bytes with which signs, accented letters and punctuation begin: `É’` and `é’s` are written on purpose.
"""

_WRONG = re.compile(rf"{_LOST}|{_READ_TWICE}|[{_CONTROLS}]")


def wrongly_decoded(text: str) -> Iterator[re.Match[str]]:
    """Yield what no writer wrote into a text, in its order; none where it was decoded as it was encoded."""
    if not text.isascii():
        yield from _WRONG.finditer(text)
