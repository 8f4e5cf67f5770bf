"""Words of UniCourt's pages, which print every inline element on lines of its own."""

from lxml import etree

from assets.ingest.white_space import collapse

BLOCKS = frozenset(
    {
        "p",
        "ol",
        "ul",
        "li",
        "dl",
        "dt",
        "dd",
        "div",
        "main",
        "nav",
        "section",
        "article",
        "aside",
        "table",
        "hr",
    }
    | {"caption", "thead", "tbody", "tfoot", "tr", "td", "th", "pre", "blockquote"}
    | {"h1", "h2", "h3", "h4", "h5", "h6"}
)
"""Elements that begin a line; all others stand within one."""

_NEVER_AFTER_A_SPACE = tuple(",.;:)]}’”?!")
_NEVER_BEFORE_A_SPACE = tuple("([{“‘")

Link = tuple[int, int, str]
"""Start and end of the words of a link, and where it leads."""


def words_of(element: etree._Element) -> str:
    """Return the words of an element that holds no blocks."""
    if not len(element):
        return collapse(element.text or "")
    line = Line()
    line.take(element)
    return line.words()


class Line:
    """Joins runs of text to one line.

    Where an element begins or ends, white space before a comma or after an opening bracket is the printer's.
    """

    __slots__ = ("_length", "_parts", "_space", "links")

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._space = False
        self.links: list[Link] = []

    def __bool__(self) -> bool:
        return bool(self._parts)

    def add(self, run: str | None) -> None:
        """Add a run of text between two tags."""
        if not run:
            return
        words = " ".join(run.split())
        if not words:
            self._space = True
            return
        if (
            self._parts
            and (self._space or run[0].isspace())
            and not words.startswith(_NEVER_AFTER_A_SPACE)
            and not self._parts[-1].endswith(_NEVER_BEFORE_A_SPACE)
        ):
            words = f" {words}"
        self._parts.append(words)
        self._length += len(words)
        self._space = run[-1].isspace()

    def take(self, element: etree._Element) -> None:
        """Add the content of an inline element, not what follows it."""
        self.add(element.text)
        for child in element:
            if child.tag == "a":
                self.take_link(child)
            else:
                self.take(child)
            if child.tag == "br":
                self._space = True
            self.add(child.tail)

    def take_link(self, element: etree._Element) -> None:
        """Add a link, and note where it leads."""
        before = self._length
        self.take(element)
        href = element.get("href")
        if href and self._length > before:
            words = "".join(self._parts)[before:]
            start = before + len(words) - len(words.lstrip())
            self.links.append((start, self._length, href))

    def words(self) -> str:
        """Return the line."""
        return "".join(self._parts)
