r"""A draft as its readers see it: no invisible characters, entities of HTML, commands of LaTeX or escapes.

Drafts are copied from pages and sources. What is shown as `17 U.S.C. § 107` may be written
`17&nbsp;U.S.C. &sect;&#160;107` or `17~U.S.C. \S~107`.
"""

import html
import re
from bisect import bisect_right
from dataclasses import dataclass

_INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff"
"""Spaces of no width, which are left between words: nothing else may part them."""
_DIRECTIONS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_WRITTEN = re.compile(
    rf"[{_DIRECTIONS}]+"
    rf"|(?<![^\W\d_])[{_INVISIBLE}]+|[{_INVISIBLE}]+(?![^\W_])"
    r"|&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});"
    r"|\\(?:S|textsection)(?![A-Za-z])(?:\{\})?[ ~]?|\\[ ,;:!&()\[\]]|(?<=[\w.}])~(?=[\w\\])"
    r"|[ \t\r\u00a0]*\n[ \t\r\u00a0]*|[ \t\r\u00a0]{2,}"
)
_ANY = re.compile(rf"[&~\\\t\r{_DIRECTIONS}{_INVISIBLE}]|[ \u00a0](?=[ \n\u00a0])|\n(?=[ \u00a0])")
"""Sign of what is shown otherwise than it is written: most drafts have none."""
_UNSEEN = re.compile(rf"[{_DIRECTIONS}{_INVISIBLE}]")
_ESCAPED = "&()[]"
"""Characters that a backslash shows as they are: `\\&` of LaTeX, `\\(a\\)` of Markdown."""
_SIGN_OF_SECTION = ("\\S", "\\textsection")


@dataclass(frozen=True, slots=True)
class ShownText:
    """A text as it is shown, with the way back to what is written.

    Attributes:
        text: what is shown.
        written: the text as it is written.
    """

    text: str
    written: str
    _shown_at: tuple[int, ...] = ()
    _written_at: tuple[int, ...] = ()

    @classmethod
    def of(cls, written: str) -> "ShownText":
        """Read a text."""
        if _ANY.search(written) is None:
            return cls(written, written)
        pieces: list[str] = []
        shown_at, written_at = [0], [0]
        position = length = 0
        for match in _WRITTEN.finditer(written):
            shown = _shown(match.group())
            if shown == match.group():
                continue
            pieces += (written[position : match.start()], shown)
            length += match.start() - position
            # What is shown of it begins where it does, and what is behind it where it ends.
            shown_at += (length, length + len(shown))
            written_at += (match.start(), match.end())
            length += len(shown)
            position = match.end()
        pieces.append(written[position:])
        return cls("".join(pieces), written, tuple(shown_at), tuple(written_at))

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the written characters of shown characters [start, end), which are not empty."""
        return self._at(start), self._at(end - 1, behind=True)

    def shown_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the shown characters of written characters [start, end)."""
        return self._shown(start), self._shown(end)

    def _shown(self, place: int) -> int:
        """Return where what is written at a place is shown."""
        if not self._shown_at:
            return place
        index = bisect_right(self._written_at, place) - 1
        if index % 2 == 1:  # within what is shown otherwise
            return self._shown_at[index]
        return self._shown_at[index] + place - self._written_at[index]

    def _at(self, place: int, *, behind: bool = False) -> int:
        """Return where a shown character is written, or the position behind it."""
        if not self._shown_at:
            return place + behind
        index = bisect_right(self._shown_at, place) - 1
        replaced = index % 2 == 1
        if replaced:
            return self._written_at[index + 1] if behind else self._written_at[index]
        return self._written_at[index] + place - self._shown_at[index] + behind


def _shown(written: str) -> str:
    if written[0] == "&":
        shown = html.unescape(written)
        return " " if shown.isspace() else _UNSEEN.sub("", shown)
    if written.startswith(_SIGN_OF_SECTION):
        return "§ "
    if written[0] == "\\":
        return written[1] if written[1] in _ESCAPED else " "
    if "\n" in written:
        return "\n"
    if written[0] in " \t\r\u00a0":
        return "  "  # two: between columns nothing is said to be one
    return " " if written[0] == "~" else ""
