"""Readings of a quotation as it is typed, the plainest first.

Each reading takes one more thing away that quoting, markup or layout put around the words. What a text really
says is found by an earlier reading than the one that would take it away.
"""

import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import NamedTuple

from serving.services.quotations.folding import Normalisation
from serving.services.quotations.quoter_notes import with_bracketed_notes, without_notes

OPTIONAL_HYPHEN = "\x01"
"""Stands in a reading for a hyphen at a line's end, which the word may have or not."""
TrailingCitation = Callable[[str], int | None]
"""Returns where a citation begins that ends a quotation and is no part of it; None where none does."""

_OUTER = re.compile(r"""\s*["“”„«'‘](.*)["“”»'’]\s*""", re.DOTALL)
_FINAL = re.compile(r"(?<![,.;:])[,.;:]+(?=['\"”’]?\s*$)")
_LINE_HYPHEN = re.compile(r"(?<=[^\W\d_])[-‐\u00ad](?:\r?\n[ \t]*|[ \t]+)(?=[^\W\d_])")
_LITERAL_LINE_END = re.compile(r"\\r\\n|\\[nrt]")
_ESCAPED = re.compile(r"\\([\\\"'*_\[\]()#.|~`>-])")
_BLOCK_TAG = re.compile(
    r"</?(?:blockquote|br|div|h[1-6]|li|ol|p|table|tbody|td|th|thead|tr|ul)\b[^<>]{0,200}>", re.IGNORECASE
)
_INLINE_TAG = re.compile(
    r"</?(?:a|abbr|b|big|cite|code|em|font|i|ins|mark|q|small|span|strong|sub|sup|u)\b[^<>]{0,200}>",
    re.IGNORECASE,
)
_LINE_MARK = re.compile(r"^[ \t]*(?:>[> \t]*|#{1,6} )", re.MULTILINE)
_RULE = re.compile(r"^[ \t]*[|:][-|: \t]*--[-|: \t]*$", re.MULTILINE)
_EMPHASIS = tuple(
    re.compile(
        rf"(?<![\w{edge}]){mark}(?=[^\s{edge}])([^{edge}]{{1,4000}})(?<=[^\s{edge}]){mark}(?![\w{edge}])"
    )
    for edge in "*_"
    for mark in (re.escape(edge) * size for size in (1, 2, 3))
)
"""Pairs of one to three marks, close about the words that they emphasise."""
_RAISED = "¹²³⁰⁴⁵⁶⁷⁸⁹"
_FOOTNOTE_MARK = re.compile(
    rf"(?<=[^\W\d_]|[.,;:)”’\"'])\[(?:\d{{1,3}}|[*†‡]{{1,3}})\]"
    rf"|(?:(?<=[^\W\d_]{{3}})|(?<=[.,;:)”’\"']))[{_RAISED}]{{1,3}}"
    r"|(?<=[\w.,;:)”’\"'])[†‡]{1,3}(?!\w)"
)
"""A mark right behind a word of three letters or a sign: `m²` is a measure, and `5¹` a figure."""


class Reading(NamedTuple):
    """A quotation without what was taken away, and what that was."""

    text: str
    steps: tuple[Normalisation, ...]


def readings(quote: str, trailing_citation: TrailingCitation) -> Iterator[Reading]:
    """Yield the readings of a quotation, each after the one that it is made from."""
    reading = Reading(*_with_optional_hyphens(quote.strip()))
    yield from _layered(reading, trailing_citation)
    # Where notes say that something was left out, they may stand for words of the text.
    noted = with_bracketed_notes(reading.text)
    if noted != reading.text and noted != without_notes(reading.text):
        yield Reading(*_and(reading, _without_outer(noted.strip()), Normalisation.QUOTER_NOTES))


def _layered(reading: Reading, trailing_citation: TrailingCitation) -> Iterator[Reading]:
    yield from _with_final_punctuation(reading)
    for step, take in _LAYERS:
        shorter = take(reading.text)
        if shorter != reading.text:
            reading = Reading(*_and(reading, shorter, step))
            yield from _with_final_punctuation(reading)
    start = trailing_citation(reading.text)
    if start is not None:
        reading = Reading(
            *_and(reading, _without_outer(_unclosed(reading.text[:start])), Normalisation.CITATION)
        )
        yield from _with_final_punctuation(reading)
    shorter = _FOOTNOTE_MARK.sub("", reading.text)
    if shorter != reading.text:
        yield from _with_final_punctuation(Reading(*_and(reading, shorter, Normalisation.FOOTNOTE_MARKS)))


def _and(reading: Reading, text: str, step: Normalisation) -> tuple[str, tuple[Normalisation, ...]]:
    return text.strip(), (*reading.steps, step)


def _with_final_punctuation(reading: Reading) -> Iterator[Reading]:
    yield reading
    shorter = _FINAL.sub("", reading.text).rstrip()
    if shorter != reading.text:
        yield Reading(*_and(reading, shorter, Normalisation.FINAL_PUNCTUATION))


def _with_optional_hyphens(quote: str) -> tuple[str, tuple[Normalisation, ...]]:
    plain = quote.replace(OPTIONAL_HYPHEN, "")
    joined = _LINE_HYPHEN.sub(OPTIONAL_HYPHEN, plain)
    taken = (Normalisation.CHARACTERS, plain != quote), (Normalisation.LINE_HYPHENS, joined != plain)
    return joined, tuple(step for step, is_taken in taken if is_taken)


def _without_outer(quote: str) -> str:
    outer = _OUTER.fullmatch(quote)
    return outer.group(1).strip() if outer else quote


def _unclosed(quote: str) -> str:
    """Return what stands before a citation, without the bracket and the quotation marks between them."""
    return quote.rstrip().rstrip("([—–-").rstrip().strip('“”"')


def _without_markup(quote: str) -> str:
    text = _LITERAL_LINE_END.sub("\n", quote)
    text = _ESCAPED.sub(r"\1", text)
    text = unescape(_INLINE_TAG.sub("", _BLOCK_TAG.sub("\n", text)))
    text = _RULE.sub("", _LINE_MARK.sub("", text))
    for emphasis in _EMPHASIS:
        text = emphasis.sub(r"\1", text)
    return _without_outer(text.strip()) if text != quote else quote


_LAYERS = (
    (Normalisation.QUOTER_NOTES, without_notes),
    (Normalisation.OUTER_MARKS, _without_outer),
    (Normalisation.MARKUP, _without_markup),
)
