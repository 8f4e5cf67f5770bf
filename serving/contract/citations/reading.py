"""Read one citation as somebody types it, and say where and why if it cannot be read."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from serving.contract.citations.citation import CONTAINER, Citation
from serving.contract.citations.folding import fold
from serving.contract.citations.grammar import Grammar, NamedCode
from serving.contract.citations.numbers import MARK
from serving.contract.citations.parsing import parse_typed

_LEAD = re.compile(r"[\s\"“”'‘’(\[]*(?:(?:see|cf\.|see also|under)\s+)?", re.IGNORECASE)
_TAIL = re.compile(
    r"[\s\"“”'’)\].,;]*(?:\((?:[a-z]+\.? )?(?:1[789]|20)\d\d[^()]{0,20}\))?[\s\"“”'’)\].,;]*", re.IGNORECASE
)
_BETWEEN = re.compile(r"[\s,;&-]*(?:and|or)?[\s§]*", re.IGNORECASE)
_BLANKS = re.compile(r"[ ,\u00a0]*")
_TITLE_NUMBER = re.compile(r"\d{1,3}[a-z]?,? *", re.ASCII)


@dataclass(frozen=True, slots=True)
class Unparsed:
    """No citation: `offset` is the first character that does not fit, `expected` says in words what would."""

    offset: int
    expected: str


def read_one(text: str, grammar: Grammar) -> tuple[Citation, ...] | Unparsed:
    """Return the citation that a text is, all members where it is a list, or why it is none.

    Signals before it (`See`), a year in parentheses and stops after it are passed over.
    """
    found = parse_typed(text, grammar)
    begin = _skip(_LEAD, text, 0)
    if not found:
        return _not_begun(text, begin, grammar)
    if found[0].start > begin:
        return Unparsed(begin, f"a citation: {_form(grammar)}")
    end = found[0].end
    for citation in found[1:]:
        if not _BETWEEN.fullmatch(text, end, max(end, citation.start)):
            break
        end = citation.end
    rest = _skip(_TAIL, text, end)
    if rest == len(text):
        return tuple(found)
    return Unparsed(*_after(text, end, found))


def _skip(pattern: re.Pattern[str], text: str, position: int) -> int:
    match = pattern.match(text, position)
    return match.end() if match else position


def _after(text: str, end: int, found: Sequence[Citation]) -> tuple[int, str]:
    offset = _skip(_BLANKS, text, end)
    if found[-1].kind == CONTAINER:
        mark = MARK.match(fold(text), offset)
        return _skip(_BLANKS, text, mark.end() if mark else offset), "a section number"
    return offset, "a subsection such as `(a)`, `note`, `et seq.`, or the end of the citation"


def _not_begun(text: str, begin: int, grammar: Grammar) -> Unparsed:
    folded = fold(text)
    anchor = grammar.anchor.search(folded, begin)
    if anchor and anchor.group("name"):
        return _at_name(anchor, folded, begin, grammar)
    number = _TITLE_NUMBER.match(folded, begin)
    if number and number.end() < len(text):
        return Unparsed(number.end(), f"the name of a code, such as `{_example(grammar)}`")
    mark = MARK.match(folded, begin)
    if mark or anchor:
        return Unparsed(len(text), f"the code that it belongs to: {_form(grammar)}")
    return Unparsed(begin, f"a citation: {_form(grammar)}")


def _at_name(anchor: re.Match[str], folded: str, begin: int, grammar: Grammar) -> Unparsed:
    for meaning in grammar.meanings(anchor.group("name")):
        if not isinstance(meaning, NamedCode):
            continue
        if anchor.start() == begin and meaning.scheme.has_title and meaning.title is None:
            form = meaning.scheme.template.format(title="1", num="1")
            return Unparsed(begin, f"a title number before the name, as in `{form}`")
        position = _skip(_BLANKS, folded, anchor.end())
        mark = MARK.match(folded, position)
        return Unparsed(_skip(_BLANKS, folded, mark.end() if mark else position), "a section number")
    return Unparsed(begin, f"a citation: {_form(grammar)}")


def _example(grammar: Grammar) -> str:
    return grammar.schemes[0].names[0] if grammar.schemes and grammar.schemes[0].names else "U.S.C."


def _form(grammar: Grammar) -> str:
    if not grammar.schemes:
        return "the grammar knows no code"
    return f"`{grammar.schemes[0].template.format(title='1', num='1')}`"
