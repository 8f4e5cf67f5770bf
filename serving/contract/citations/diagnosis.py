"""Diagnosis of text that is not a citation: the first character that does not fit, and what would fit."""

import re
from dataclasses import dataclass

from serving.contract.citations.citation import CONTAINER, Citation
from serving.contract.citations.grammar import CodeName, Grammar
from serving.contract.citations.known_names import Anchor
from serving.contract.citations.marks import MARK
from serving.contract.citations.scheme import CitationScheme
from serving.contract.citations.source import SourceText, skip

_BLANKS = re.compile(r"[ ,\u00a0]*")
_TITLE_NUMBER = re.compile(r"\d{1,3}[a-z]?,? *", re.ASCII)
_UNKNOWN_NAME = re.compile(
    r"(?P<name>[A-Za-z][A-Za-z.'’& ]{0,60}?[A-Za-z.])[ ,]*(?=§|\d|(?:sec|tit|ch|art|r)\.)"
)
_REPORTER = re.compile(r"[A-Za-z][A-Za-z.'’& ]{0,60}?(?=\s*(?:[§\d,;(]|\bsec|\Z))")
_WORD = re.compile(r"[^\s,;]{1,40}")
_LONGEST_QUOTE = 40


@dataclass(frozen=True, slots=True)
class Unparsed:
    """Text that is not a citation.

    Attributes:
        offset: first character that does not fit.
        expected: description of what would fit there.
    """

    offset: int
    expected: str


def diagnose_missing(source: SourceText, begin: int, grammar: Grammar) -> Unparsed:
    """Explain a text that holds no citation where one was expected, at `begin`."""
    text = source.original
    anchor = grammar.names.search(source.folded, begin)
    if anchor and anchor.name:
        return _at_name(source, anchor, begin, grammar)
    number = _TITLE_NUMBER.match(source.folded, begin)
    if number and number.end() < len(text):
        return Unparsed(number.end(), _name_of_a_code(_REPORTER.match(text, number.end()), grammar))
    if anchor or MARK.match(source.folded, begin):
        after = _quoted(text[begin:])
        return Unparsed(len(text), f"the code that it belongs to, after {after}{_as_in(grammar)}")
    unknown = _UNKNOWN_NAME.match(text, begin)
    if unknown:
        return Unparsed(begin, f"a citation: {_name_of_a_code(unknown, grammar)}")
    return Unparsed(begin, f"a citation{_as_in(grammar)}")


def diagnose_start(source: SourceText, begin: int, first: Citation) -> Unparsed:
    """Explain a text whose first citation begins later than `begin`."""
    later = (
        f"a citation; the first, {_quoted(source.original[first.start : first.end])}, begins at {first.start}"
    )
    return Unparsed(begin, later)


def diagnose_end(source: SourceText, begin: int, last: Citation) -> Unparsed:
    """Explain a text that continues after its last citation."""
    text = source.original
    offset = skip(_BLANKS, text, last.end)
    if last.kind == CONTAINER:
        mark = MARK.match(source.folded, offset)
        offset = skip(_BLANKS, text, mark.end() if mark else offset)
        return Unparsed(offset, f"a section number after {_quoted(text[begin:offset])}{_not(text, offset)}")
    if text[offset] == "(":
        return Unparsed(offset, f"a subsection in parentheses, such as `(a)`{_not(text, offset)}")
    further = (
        "a subsection such as `(a)`, `note`, `et seq.`, a further section number, or the end of the citation"
    )
    return Unparsed(offset, further + _not(text, offset))


def _at_name(source: SourceText, anchor: Anchor, begin: int, grammar: Grammar) -> Unparsed:
    text = source.original
    for meaning in grammar.meanings(anchor.name):
        if not isinstance(meaning, CodeName):
            continue
        scheme, name = meaning.scheme, _quoted(text[anchor.start : anchor.end])
        lacks_title = (
            scheme.has_title
            and meaning.title is None
            and not meaning.title_after.match(source.folded, anchor.end)
        )
        before = text[begin : anchor.start].strip(" ,\u00a0")
        if lacks_title and not meaning.whole_title.fullmatch(before.lower()):
            instead = f" instead of {_quoted(before)}" if before else ""
            return Unparsed(
                begin, f"a title number before the name {name}{instead}, as in `{example(scheme)}`"
            )
        position = skip(_BLANKS, source.folded, anchor.end)
        mark = MARK.match(source.folded, position)
        position = skip(_BLANKS, source.folded, mark.end() if mark else position)
        after = f"a section number after {_quoted(text[begin:position])}"
        return Unparsed(position, f"{after}, as in `{example(scheme)}`{_not(text, position)}")
    return Unparsed(begin, f"a citation{_as_in(grammar)}")


def _name_of_a_code(unknown: re.Match[str] | None, grammar: Grammar) -> str:
    """Return the description of an expected code name, with known names spelled like the unknown one."""
    name = unknown.group(unknown.lastgroup or 0).strip(" ,") if unknown else ""
    near = grammar.names_like(name)
    if not name:
        return f"the name of a code{_as_in(grammar)}"
    if not near:
        return f"the name of a code{_as_in(grammar)}: {_quoted(name)} is none that is known"
    return f"the name of a code instead of {_quoted(name)}; spelled like it: {', '.join(map(_quoted, near))}"


def example(scheme: CitationScheme) -> str:
    """Return an example of a citation in the scheme."""
    return scheme.example or scheme.template.format(title="1", num="1")


def _as_in(grammar: Grammar) -> str:
    return f", as in `{example(grammar.schemes[0])}`" if grammar.schemes else "; the grammar knows no code"


def _not(text: str, offset: int) -> str:
    word = _WORD.match(text, offset)
    return f", not {_quoted(word.group())}" if word else ""


def _quoted(text: str) -> str:
    text = " ".join(text.split())
    return f"`{text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + '…'}`"
