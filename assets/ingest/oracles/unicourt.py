"""The oracle for UniCourt's pages. It reads tags one by one, builds no tree and repairs nothing.

Law is what stands below a heading up to the history or the first note. The designators of lists are law,
though only the markup has them: the kind of a list and the ids of its items give them.
"""

import html
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import takewhile

from assets.errors import MalformedFileError
from assets.ingest.accounting import Account, Fate, squeeze
from assets.ingest.model import SourceFile
from assets.ingest.oracles.unicourt_designators import next_of, place_of
from assets.registry import CodeBody, Markup
from serving.contract.citations.scheme import SECTION_NUMBER

_TAG = re.compile(
    r"<!--.*?-->|<!doctype[^>]*>|<(?P<end>/?)(?P<name>[a-zA-Z][a-zA-Z0-9]*)(?P<attributes>(?:\s[^>]*)?)/?>",
    re.DOTALL | re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"\b(id|type|class)=[\"']([^\"']*)[\"']")
_HEADINGS = frozenset({"h1", "h2", "h3"})
_SUBHEADINGS = frozenset({"h4", "h5", "h6"})
_BLOCKS = _SUBHEADINGS | {
    "p",
    "ol",
    "ul",
    "dl",
    "table",
    "div",
    "main",
    "body",
    "section",
    "article",
    "aside",
}
_NESTS = frozenset({"ol", "ul", "dl", "table"})
_SHAPES = {"1": r"\d+", "a": "[a-z]{1,4}", "A": "[A-Z]{1,4}", "i": "[ivxlcdm]+", "I": "[IVXLCDM]+"}
_LABELS = {kind: re.compile(f"({shape})") for kind, shape in _SHAPES.items()}
_OUTERMOST = {kind: re.compile(rf"ol\d({shape})$") for kind, shape in _SHAPES.items()}
"""The ids of items of a list that no other holds."""
_ONCE_MORE = re.compile(r"\.\d")
"""Rest of an id behind that of the item before, where both are of the same item."""
_PARAGRAPH, _ITEM, _SAID = "\x1d", "\x1e", "\x1f"
"""Separators, which are white space: of paragraphs and items within a list, and of designators and words."""
_FRAME = "frame of the page and tables of contents"
_ADDED = "words and designators that the publisher prints twice, and words to click"
_CLICK = re.compile(r"Click to view( table| form| image| map| graphic)?\.?")
_MARK = (
    r"(?:\((?:\d{1,3}[A-Za-z]{0,2}|[A-Za-z]{1,5}\d{0,2})(?:[.–-]\w{1,2})?\)"
    r"|(?:\d{1,3}|[A-Za-z]{1,5})\.(?![\w.]))"
)
_MARKS = re.compile(rf"{_MARK}(?:\s*{_MARK})*")
_RUN_OF_MARKS = re.compile(r"(?:\([\w.–-]{1,8}\)|\w{1,5}\.)+")
_SENTENCE = re.compile(r"\s+[A-Z“\"‘']")


def oracle(body: CodeBody) -> Callable[[SourceFile], Account]:
    """Return what keeps the account of the files of one code body."""
    return partial(account, body=body)


def account(file: SourceFile, body: CodeBody) -> Account:
    """Return the account of a file.

    Raises:
        MalformedFileError: it is empty or not in UTF-8.
    """
    try:
        page = file.content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise MalformedFileError(file.path, f"is not in UTF-8: {error.reason}", line=1, column=1) from None
    if not page.strip():
        raise MalformedFileError(file.path, "the file is empty", line=1, column=1)
    book = _Book()
    cutter = _Entries(() if body.labels is None else body.labels.levels)
    added = 0
    entries: list[_Entry] = []
    for entry in cutter.of(page):
        added += _drop_added(entry)
        entries += _freed(entry, body.markup)
    for heading, blocks in _provisions(entries, body):
        law = _law(blocks, body.markup)
        if heading.tag != "h3" and not _has_history(blocks[law:], body.markup):
            law = 0
        book.write(heading, Fate.HEADING)
        for number, block in enumerate(blocks):
            book.write(block, Fate.OPERATIVE if number < law else Fate.NOTE)
    for entry in (cutter.frame, *takewhile(lambda entry: entry.tag not in _HEADINGS, entries)):
        book.write(entry, Fate.DISCARDED)
    discarded = Counter({_FRAME: book.counts[Fate.DISCARDED], _ADDED: added})
    book.counts[Fate.DISCARDED] += added
    return Account(file.path, "".join(book.operative), book.counts, discarded)


@dataclass(slots=True)
class _Entry:
    """Words that belong together: a heading, a paragraph, a whole list."""

    tag: str
    anchor: str = ""
    words: list[str] = field(default_factory=list)

    def said(self) -> str:
        """Return the words, with a space for every run of white space."""
        return " ".join("".join(self.words).split())


@dataclass(slots=True)
class _Book:
    counts: Counter[Fate] = field(default_factory=Counter)
    operative: list[str] = field(default_factory=list)

    def write(self, entry: _Entry, fate: Fate) -> None:
        """Book the characters of an entry."""
        characters = squeeze("".join(entry.words))
        self.counts[fate] += len(characters)
        if fate is Fate.OPERATIVE:
            self.operative.append(characters)


@dataclass(slots=True)
class _List:
    """A list that is open. `style` is its place among the styles of labels; None: in parentheses.

    `first` is the id of its first item, if it goes on from `outer`; `is_behind_first`: those of the others go
    on from it.
    """

    kind: str
    style: int | None
    outer: str
    shared: str = ""
    first: str = ""
    is_behind_first: bool = False
    before: tuple[str, str] = ("", "")
    items: float = 0
    item: str = ""


class _Entries:
    """Cuts a page into entries."""

    def __init__(self, styles: tuple[str, ...]) -> None:
        self._styles = styles
        self._lists: list[_List] = []
        self._depth = 0
        self.frame = _Entry("nav")

    def of(self, page: str) -> Iterator[_Entry]:
        """Yield the entries of a page; what its tables of contents say goes into `frame`."""
        held: _Entry | None = None
        contents = place = 0
        for tag in _TAG.finditer(page):
            text, place = page[place : tag.start()], tag.end()
            if held is None and not contents and text.strip():
                yield _Entry("text", words=[html.unescape(text)])
            elif text:
                (self.frame if held is None else held).words.append(html.unescape(text))
            name, ends = (tag["name"] or "").lower(), bool(tag["end"])
            if name == "nav":
                contents += -1 if ends else 1
            if held is not None and self._closes(held, name, ends=ends):
                yield held
                held = None
            if held is None and not ends and (name in _HEADINGS or (name in _BLOCKS and not contents)):
                held = self._opened(name, tag["attributes"])
            elif held is not None and self._depth:
                held.words.append(self._nested(name, tag["attributes"], ends=ends))
        if held is not None:
            yield held

    def _closes(self, held: _Entry, name: str, *, ends: bool) -> bool:
        """Return whether a tag ends an entry: its own end, or a block that cannot stand in it."""
        if name in _HEADINGS or name == "nav":
            return True
        if self._depth:
            return self._depth == 1 and ends and name == held.tag
        return name in _BLOCKS

    def _opened(self, name: str, attributes: str) -> _Entry | None:
        own = dict(_ATTRIBUTE.findall(attributes))
        self._lists.clear()
        self._depth = 0
        if name in _BLOCKS - _NESTS - _SUBHEADINGS - {"p"}:
            return None
        entry = _Entry(name, own.get("id", ""))
        if name in _NESTS:
            self._nested(name, attributes, ends=False)
        return entry

    def _nested(self, name: str, attributes: str, *, ends: bool) -> str:
        """Follow the nest of lists; return what a tag says itself: the designator of an item."""
        own = dict(_ATTRIBUTE.findall(attributes))
        if name in _NESTS:
            self._depth += -1 if ends else 1
            if name == "ol" and ends and self._lists:
                self._lists.pop()
            elif name == "ol" and not ends:
                self._lists.append(self._list(own))
        elif name == "p" and not ends:
            return _PARAGRAPH
        elif name == "li" and self._lists and ends:
            self._lists[-1].item = ""
            return _SAID
        elif name == "li" and self._lists:
            return self._designator(self._lists[-1], own.get("id", ""))
        return _SAID if name in _BLOCKS or name == "li" else " "

    def _list(self, own: dict[str, str]) -> _List:
        said = own.get("type") or own.get("class")
        kind = "a" if said == "alpha" else said if said in _LABELS else "1"
        above = self._lists[-1] if self._lists else None
        outer = above.item if above else ""
        before = above.style if above else -1
        in_brackets = before is None or own.get("type") == "1"
        near = range(before + 1, before + 3) if before is not None and not in_brackets else range(0)
        fitting = [at for at in near if at < len(self._styles) and self._styles[at].strip(".()") == kind]
        return _List(kind, fitting[0] if fitting else None, outer)

    def _designator(self, held: _List, anchor: str) -> str:
        first = held.kind in "aA" and anchor == held.outer + {"a": "ia", "A": "IA"}[held.kind]
        marks = ""
        if held.outer and not held.items and first:
            held.shared, held.style = anchor[len(held.outer) : -1], None
            marks = f"{_ITEM} ({held.shared}){_SAID}"
        if held.outer:
            found = _beyond(held.outer + held.shared, anchor, _LABELS[held.kind])
            if not held.items and found and not held.shared:
                held.first = anchor
            elif held.first:
                found = _behind_first(held, anchor, found)
        else:
            found = _OUTERMOST[held.kind].search(anchor)
        own, said = held.before
        if found:
            label = found[1]
        elif own and _beyond(own, anchor, _ONCE_MORE):
            label = said
        else:
            label = next_of(held.kind, anchor, held.outer, held.items)
        held.before = anchor, label
        held.items = place_of(held.kind, label)
        held.item = anchor
        dotted = held.style is not None and self._styles[held.style].endswith(".")
        return f"{marks}{_ITEM} {label}.{_SAID}" if dotted else f"{marks}{_ITEM} ({label}){_SAID}"


def _beyond(start: str, anchor: str, shape: re.Pattern[str]) -> re.Match[str] | None:
    """Return what an id has more than another, if it begins with that and the rest has this shape."""
    # No pattern of its own for each id: compiling them took two fifths of the account of a page.
    return shape.fullmatch(anchor, len(start)) if anchor.startswith(start) else None


def _behind_first(held: _List, anchor: str, beside: re.Match[str] | None) -> re.Match[str] | None:
    """Return what an id has more than the first item's, where by that the second one is the smaller step."""
    behind = _beyond(held.first, anchor, _LABELS[held.kind])
    if held.before[0] == held.first:
        step = place_of(held.kind, behind[1]) if behind else 0
        held.is_behind_first = held.items < step and not (
            beside is not None and held.items < place_of(held.kind, beside[1]) < step
        )
    return behind if held.is_behind_first and behind else beside


def _drop_added(entry: _Entry) -> int:
    """Leave out what a paragraph or an item adds to the law or says twice; return how many characters it has.

    Words may stand twice, with designators between, and designators that lists have may stand in the words.
    """
    if entry.tag not in _NESTS:
        clicks = _CLICK.fullmatch(entry.said())
        entry.words[:] = [] if clicks else entry.words
        return len(squeeze(clicks[0])) if clicks else 0
    pieces = re.split(rf"([{_PARAGRAPH}{_ITEM}{_SAID}])", "".join(entry.words))
    kept: list[str] = []
    marks: list[str] = []
    last = separator = ""
    for piece in pieces:
        if piece in (_PARAGRAPH, _ITEM, _SAID):
            separator = piece
            kept.append(piece)
        elif separator == _ITEM:
            marks.append(piece.strip())
        elif (words := " ".join(piece.split())) and not _CLICK.fullmatch(words):
            if marks:
                words = _first_half(words)
                own = _unsaid(marks, words)
                marks = []
                said = squeeze("".join(own) + words)
                if not own and said == last:
                    continue
                kept.append(f" {' '.join(own)} ")
            else:
                said = squeeze(words)
            kept.append(words)
            last = said
    kept += marks
    before = len(squeeze("".join(pieces)))
    entry.words[:] = kept
    return before - len(squeeze("".join(kept)))


def _unsaid(marks: list[str], words: str) -> list[str]:
    """Return the designators of an item but those that its words begin with."""
    printed = _MARKS.match(words)
    found = re.findall(_MARK, printed[0]) if printed else []
    if printed is None or len(found) < 2 or _SENTENCE.match(words, printed.end()) is None:
        return marks
    alike = 0
    for own, said in zip(reversed(marks), reversed(found), strict=False):
        if own.strip("(.)") != said.strip("(.)"):
            break
        alike += 1
    return marks[: len(marks) - alike]


def _first_half(words: str) -> str:
    """Return words that follow themselves, with designators between, once and without white space."""
    run = squeeze(words)
    head = run[:8]
    again = run.find(head, len(head))
    while head and again > 0:
        length = len(run) - again
        if run.startswith(run[again:]) and _RUN_OF_MARKS.fullmatch(run[length:again]):
            return run[:length]
        again = run.find(head, again + len(head))
    return words


def _freed(entry: _Entry, markup: Markup) -> list[_Entry]:
    """Return a list and the paragraphs at its end that are no law, though its last item holds them."""
    words = "".join(entry.words)
    if entry.tag not in _NESTS or _PARAGRAPH not in words:
        return [entry]
    head, *paragraphs = words.split(_PARAGRAPH)
    for number, paragraph in enumerate(paragraphs):
        said = " ".join(paragraph.split())
        is_note = markup.leads.match(said) is not None
        if not is_note and (not markup.ends_law(said) or any(_ITEM in one for one in paragraphs[number:])):
            continue
        before = paragraphs[number - 1] if number else ""
        if is_note and _ITEM not in before and markup.ends_law(" ".join(before.split())):
            number -= 1  # noqa: PLW2901 - the history stands before the note
        law = _PARAGRAPH.join([head, *paragraphs[:number]])
        return [
            _Entry(entry.tag, entry.anchor, [law]),
            *(_Entry("p", words=[one]) for one in paragraphs[number:]),
        ]
    return [entry]


def _provisions(entries: list[_Entry], body: CodeBody) -> Iterator[tuple[_Entry, list[_Entry]]]:
    """Yield each heading with the blocks below it; headings within a section's law are blocks of it."""
    number = body.citing.get("number", SECTION_NUMBER)
    section = re.compile(
        rf"\[?(?:{body.markup.section_mark.pattern})\s*(?:(?:{number})(?!\w|[:.-]\w)|\d\w*[:.-]\w)",
        re.IGNORECASE | re.ASCII,
    )
    heading: _Entry | None = None
    blocks: list[_Entry] = []
    of_section = False
    for entry in entries:
        if entry.tag not in _HEADINGS:
            blocks.append(entry)
            continue
        is_section = entry.tag == "h3" and section.match(entry.said()) is not None
        if heading is not None and of_section and entry.tag == "h3" and not is_section:
            chained = bool(heading.anchor) and entry.anchor.startswith(f"{heading.anchor}-")
            goes_on = bool(blocks) and _law(blocks, body.markup) == len(blocks)
            if chained or (goes_on and body.markup.parts.match(entry.said())):
                blocks.append(_Entry("h4", "", entry.words))
                continue
        if heading is not None:
            yield heading, blocks
        heading, blocks, of_section = entry, [], is_section
    if heading is not None:
        yield heading, blocks


def _has_history(blocks: list[_Entry], markup: Markup) -> bool:
    """Return whether what follows law is its history: below a container, only that tells law from notes."""
    if blocks and blocks[0].tag in _SUBHEADINGS:
        return markup.heads_history(blocks[0].said())
    said = _paragraph(blocks, 0)
    announced = markup.heads_history(said) and markup.announces(said, _paragraph(blocks, 1))
    return announced or bool(markup.history.match(said) or (markup.credit and markup.credit.match(said)))


def _paragraph(blocks: list[_Entry], number: int) -> str:
    """Return the words of one of the blocks; none of what is no paragraph."""
    return "".join(block.said() for block in blocks[number : number + 1] if block.tag == "p")


def _law(blocks: list[_Entry], markup: Markup) -> int:
    """Return how many blocks are law."""
    notes: list[int] = []
    for number, block in enumerate(blocks):
        said = block.said()
        following = _paragraph(blocks, number + 1)
        if block.tag == "p" and markup.history.match(said):
            return number
        if block.tag == "p" and markup.is_history_with_notes(said, following):
            return min([*notes, number])
        if block.tag in _SUBHEADINGS and not markup.parts.match(said):
            return min([*notes, number])
        if block.tag == "p" and (markup.ends_law(said) or markup.announces(said, following)):
            notes.append(number)
    return min([*notes, len(blocks)])
