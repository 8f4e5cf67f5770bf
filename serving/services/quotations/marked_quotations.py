"""Quotations of a text between marks: those of print in several languages, of HTML and of LaTeX."""

import re

MAX_QUOTED = 5_000
"""Characters of a quotation that is looked at."""
_LEAST_SINGLE = 3
"""Words between single marks that are taken for a quotation: fewer may be a term, or between apostrophes."""
_IN_PARAGRAPH = r"\n(?!\s*\n)"
"""The end of a line that ends no paragraph."""
_PAIRS = re.compile(
    rf"(?<!`)``(?!`)(?P<latex>(?:[^`'\n]|`(?!`)|'(?!')|{_IN_PARAGRAPH})+)''"
    r"|\\enquote\*?\{(?P<command>(?:[^{}]|\{[^{}]*\})+)\}"
    r"|<q\b[^<>]{0,200}>(?P<tag>(?:[^<]|<(?!/?q\b))+)</q>"
    rf"|«(?P<angled>(?:[^«»\n]|{_IN_PARAGRAPH})+)»"
    rf"|„(?P<low>(?:[^„“”\n]|{_IN_PARAGRAPH})+)“(?!\w)"
    rf"|(?<![\w'’‘`])['‘](?=\w)(?P<single>(?:[^'‘’“”„\"«»\n]|(?<=\w)['’](?=\w)|{_IN_PARAGRAPH})+)['’](?![\w'’])",
    re.IGNORECASE,
)
"""Quotations whose two marks tell which is which. None holds another of its kind, so each is read once."""
_TAG = re.compile(r"</?[a-z][^<>]{0,300}>", re.IGNORECASE)
_MARKS = re.compile(r"[“”„\"]|\n\s*\n")
_OPENS_AFTER = re.compile(r"[\s(\[{—–“‘>*_/-]")

Span = tuple[int, int]


def with_double_marks(text: str) -> str:
    """Return a text, as long, in which “ and ” stand for the marks of all quotations that are in pairs.

    The marks in tags of HTML, around the values of attributes, are left out.
    """
    text = _TAG.sub(lambda tag: tag.group().replace('"', " "), text)
    return _PAIRS.sub(_doubled, text)


def _doubled(match: re.Match[str]) -> str:
    kind = match.lastgroup or ""
    quoted = match[kind]
    if kind == "single" and len(quoted.split()) < _LEAST_SINGLE:
        return match.group()
    opening = match.start(kind) - match.start()
    closing = match.end() - match.end(kind)
    return f"{'“':>{opening}}{with_double_marks(quoted)}{'”':<{closing}}"


def quotations_in(text: str) -> list[Span]:
    """Return the outermost quotations of a text between double marks, without the marks.

    A blank line closes what was left open: nothing is known of such a quotation. One that seemed to end with
    a mark of inches, or with a mark of another kind than the one that opened it, goes on to the end that
    follows in its paragraph, if nothing is open there.
    """
    found: list[Span] = []
    opened: list[int] = []
    doubtful = False
    for match in _MARKS.finditer(text):
        place, mark = match.start(), match.group()
        if mark.isspace():
            opened.clear()
            doubtful = False
        elif _is_opening(text, place, mark, is_inside=bool(opened)):
            opened.append(place + 1)
        elif opened:
            start = opened.pop()
            if not opened and start < place <= start + MAX_QUOTED:
                found.append((start, place))
                doubtful = text[place - 1].isdigit() or (mark == '"') != (text[start - 1] == '"')
        elif doubtful and not text[place - 1].isdigit() and place <= found[-1][0] + MAX_QUOTED:
            found[-1] = (found[-1][0], place)
    return found


def _is_opening(text: str, place: int, mark: str, *, is_inside: bool) -> bool:
    if mark != '"':
        return mark != "”"
    before, behind = text[place - 1 : place], text[place + 1 : place + 2]
    if not behind or behind.isspace() or before.isdigit():
        return False
    return not before or _OPENS_AFTER.match(before) is not None or not (is_inside or before.isalnum())
