"""Notes of the quoter in brackets, which are no words of the law: `(emphasis added)`, `[sic]`."""

import re

_LEFT_OUT = r"(?:internal )?(?:citations?|footnotes?|quotations?|quotation marks|marks|cross-references?)"
_OMITTED = rf"{_LEFT_OUT}(?:(?:,|,? and) {_LEFT_OUT})* omitted"
_SAID = (
    r"sic|cleaned up|(?:emphasis|emphases|alterations?|brackets?|ellips[ie]s|italics) "
    r"(?:added|mine|ours|omitted|supplied|in (?:the )?original)"
)
_ONE = rf"(?:{_SAID}|{_OMITTED})"
_NOTES = rf"{_ONE}(?:(?:;|,|,? and) {_ONE})*"
_WHOLE = re.compile(_NOTES, re.IGNORECASE)
_OMISSIONS = re.compile(_OMITTED, re.IGNORECASE)
_IN_BRACKETS = re.compile(rf"\s?[(\[]\s?(?P<note>{_NOTES})\.?\s?[)\]]", re.IGNORECASE)


def is_note(text: str) -> bool:
    """Return True where words are notes of the quoter and nothing else."""
    return _WHOLE.fullmatch(text) is not None


def tells_omission(note: str) -> bool:
    """Return True where a note says that a citation, a footnote or marks were left out at its place."""
    return _OMISSIONS.search(note) is not None


def without_notes(quote: str) -> str:
    """Return a quotation without the quoter's notes."""
    return _IN_BRACKETS.sub("", quote)


def with_bracketed_notes(quote: str) -> str:
    """Return a quotation with the notes of omissions in brackets, as the quoter's words stand in them."""
    return _IN_BRACKETS.sub(
        lambda match: f" [{match['note']}]" if tells_omission(match["note"]) else "", quote
    )
