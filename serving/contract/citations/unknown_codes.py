"""Citations of codes that no data lists, read between those of known ones: `Boise City Code § 9-1-1`.

A known code that is cited in a form that is not its own (`title 29, section 201, Alaska Statutes`) is read
here too, as what is not understood.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from serving.contract.citations.citation import Citation, cite_unknown, cite_unread
from serving.contract.citations.court_rules import court_rules
from serving.contract.citations.editions import skip_edition
from serving.contract.citations.grammar import ActName, CodeName, Grammar
from serving.contract.citations.law_names import LawName, act_names, is_generic, law_names
from serving.contract.citations.source import SourceText

_PINS = r"(?: ?\([0-9a-z]{1,5}\)){0,8}"
_NUM = rf"(?:[a-z]{{1,3}}-)?[0-9][0-9a-z]{{0,7}}(?:[-.:/][0-9a-z]{{1,8}}){{0,6}}{_PINS}"
_NUMBERS = rf"{_NUM}(?:(?:, ?(?:and |or |& ?)?| (?:and|or|&|to|through) | ?- ?)(?:§ ?)?{_NUM}){{0,9}}"
_MARK = r"(?:§ ?§?|(?:sections?|sect?s?\.|rules?|articles?|chapters?)(?= ?\d)|(?:arts?|chs?|r)\.|s\.(?= ?\d))"
_SECTION = rf"{_MARK} {{0,2}}{_NUMBERS}"
_TITLE = (
    r"(?:title|tit\.|t\.|book|bk\.|volume|vol\.|chapter|ch\.|part|pt\.) ?"
    r"(?:[0-9]{1,3}[a-z]?(?:[-.][0-9a-z]{1,4})?|[ivxlc]{1,6})(?![0-9a-z])"
)
_LINK = r"(?:,? (?:of|in|under) (?:the )?|, (?:the )?)"

_AFTER = re.compile(
    rf"(?:,? {{0,2}}\([^()]{{1,30}}\))?,? {{0,2}}(?:at )?"
    rf"(?:(?P<title>{_TITLE})(?:,? {{0,2}}(?:of )?(?P<section>{_SECTION}))?"
    rf"|(?P<alone>{_SECTION}))(?![0-9a-z])"
)
_PLAIN_AFTER = re.compile(rf" {{1,2}}(?P<alone>(?=[0-9a-z]{{1,8}}[-.:][0-9]){_NUM})(?![0-9a-z]|[.:-][0-9])")
_BEFORE = re.compile(
    rf"(?<![a-z0-9])(?:(?P<first>{_SECTION}){_LINK}(?P<outer>{_TITLE})"
    rf"|(?P<title>{_TITLE})(?:,? {{0,2}}(?P<section>{_SECTION}))?|(?P<alone>{_SECTION})){_LINK}$"
)
_TITLE_NUMBER = re.compile(r"(?<![\w.$#-])(?P<title>\d{1,3}[a-z]?) {1,2}$")
_INITIALS = re.compile(
    r"(?P<title>\d(?<![\w.$#-]\d)\d{0,2}[A-Za-z]?) {1,2}"
    r"(?P<name>[A-Z](?=[A-Za-z]*[A-Z.])[A-Za-z.&'’]*+(?: [A-Z&][A-Za-z.&'’]*+){0,5}),?"
    r" {1,2}(?=§)"
)
_SIGNALS = frozenset(("id", "ibid", "cf", "eg", "op", "cit", "loc", "supra", "infra"))
"""Words that are no names, in lower case without stops: `5 Id. § 8` is a note and what it repeats."""
_CAPITAL = re.compile(r"[A-Z]")
_DIGIT = re.compile(r"\d")
_SECTION_HERE = re.compile(_SECTION)
_WINDOW = 160


class _Around(NamedTuple):
    """Title and number that are cited of a code beside its name, over [start, end) of the text."""

    start: int
    end: int
    title: str | None
    number: str | None


def with_unknown_codes(
    source: SourceText,
    grammar: Grammar,
    read: Sequence[Citation],
    *,
    named: Sequence[LawName],
    defined: Sequence[LawName] = (),
    in_law: bool = False,
) -> list[Citation]:
    """Return the citations of a text with those of unknown codes among them, in order.

    Args:
        source: the text.
        grammar: the known codes.
        read: citations of known codes in the text.
        named: laws that no data lists and that have the names of known ones, such as acts of another year.
        defined: places of names that the text defines for laws that no data lists.
        in_law: the text is one of law: there `the Municipal Code`, without a place, is the text's own.
    """
    spans = [(citation.start, citation.end) for citation in read]
    found = [*_named(source, named, spans), *_named(source, defined, spans, alone=False)]
    if not found and (not _has_capital_outside(source, spans) or _DIGIT.search(source.original) is None):
        return list(read)
    spans = sorted([*spans, *((citation.start, citation.end) for citation in found)])
    found += [
        citation
        for citation in _by_name(source, grammar, spans)
        if not (in_law and citation.code_name and is_generic(citation.code_name))
    ]
    if not in_law:
        spans = sorted([*spans, *((citation.start, citation.end) for citation in found)])
        found += _acts(source, grammar, spans)
        spans = sorted([*spans, *((citation.start, citation.end) for citation in found)])
        found += _rules(source, spans)
    spans = sorted({*spans, *((citation.start, citation.end) for citation in found)})
    found += _by_initials(source, grammar, spans)
    return sorted([*read, *found], key=lambda citation: citation.start) if found else list(read)


def _has_capital_outside(source: SourceText, spans: Sequence[tuple[int, int]]) -> bool:
    """Return True where a name may begin outside of some spans, which are in their order."""
    begin = 0
    for start, end in spans:
        if start > begin and _CAPITAL.search(source.original, begin, start):
            return True
        begin = end
    return _CAPITAL.search(source.original, begin) is not None


def _by_name(source: SourceText, grammar: Grammar, spans: Sequence[tuple[int, int]]) -> Iterator[Citation]:
    floor = 0
    for name in law_names(source):
        begin, stop = _gap(spans, name, len(source))
        if begin > name.start or stop < name.end:
            continue
        meanings = _meanings(source, grammar, name)
        around = _around(source, name, max(begin, floor), stop)
        if around is None or any(isinstance(one, ActName) for one in meanings):
            continue
        floor = around.end
        if meanings and around.title is None:
            continue
        if meanings:
            scheme = meanings[0].scheme if isinstance(meanings[0], CodeName) else None
            span = around.start, around.end
            yield cite_unread(source.original, *span, unread=around.start, scheme=scheme)
        else:
            yield cite_unknown(name.name, around.title, around.number, around.start, around.end)


def _acts(source: SourceText, grammar: Grammar, spans: Sequence[tuple[int, int]]) -> Iterator[Citation]:
    """Yield acts that no data lists, with the section that is cited beside their name."""
    unknown = (name for name in act_names(source) if not _meanings(source, grammar, name))
    yield from _named(source, unknown, spans)


def _named(
    source: SourceText, names: Iterable[LawName], spans: Sequence[tuple[int, int]], *, alone: bool = True
) -> Iterator[Citation]:
    """Yield laws by their names, with the section that is cited beside each, outside of some spans.

    Those beside which nothing is cited are left out unless `alone`.
    """
    floor = 0
    for name in names:
        begin, stop = _gap(spans, name, len(source))
        if begin > name.start or stop < name.end:
            continue
        around = _around(source, name, max(begin, floor), stop)
        if around is None and not alone:
            continue
        around = around or _Around(name.start, name.end, None, None)
        floor = around.end
        yield cite_unknown(name.name, around.title, around.number, around.start, around.end)


def _rules(source: SourceText, spans: Sequence[tuple[int, int]]) -> Iterator[Citation]:
    """Yield rules of courts that no data lists."""
    for rule in court_rules(source):
        begin, stop = _gap(spans, LawName(rule.start, rule.end, rule.name), len(source))
        if begin <= rule.start and stop >= rule.end:
            yield cite_unknown(rule.name, None, rule.number, rule.start, rule.end)


def _by_initials(
    source: SourceText, grammar: Grammar, spans: Sequence[tuple[int, int]]
) -> Iterator[Citation]:
    """Yield citations such as `17 N.N.C. § 107`."""
    matches = list(_INITIALS.finditer(source.original)) if "§" in source.original else []
    # A number that is the title of the next one is no section of this: `3 S.F.R. § 3 S.F.R. § 1`.
    ends = [*(match.start() for match in matches), len(source)][1:]
    for match, end in zip(matches, ends, strict=True):
        section = _SECTION_HERE.match(source.folded, match.end(), end)
        name = LawName(*match.span("name"), " ".join(match["name"].split()))
        begin, stop = _gap(spans, name, len(source))
        if (
            section is None
            or begin > match.start()
            or stop < section.end()
            or _is_of_signals(name.name)
            or _meanings(source, grammar, name)
        ):
            continue
        written = source.hyphenated(*section.span())
        yield cite_unknown(name.name, f"tit. {match['title']}", written, match.start(), section.end())


def _is_of_signals(name: str) -> bool:
    """Return True where no word of what stands as a name can be one of a name: `Id.`, `Cf. Id.`."""
    return all(word.replace(".", "").strip(",'’").lower() in _SIGNALS for word in name.split())


def _around(source: SourceText, name: LawName, floor: int, stop: int) -> _Around | None:
    """Return what of a code is cited beside its name; None where nothing is."""
    window = max(floor, name.start - _WINDOW)
    before = _BEFORE.search(source.folded, window, name.start) if window < name.start else None
    behind = skip_edition(source, name.end)
    after = _AFTER.match(source.folded, behind) or _PLAIN_AFTER.match(source.folded, behind)
    if after is not None and after.end() > stop:
        after = None
    leading = _TITLE_NUMBER.search(source.folded, max(floor, name.start - 8), name.start)
    if leading is not None and after is not None:
        title = f"tit. {leading['title']}"
        return _Around(leading.start(), after.end(), title, _written(source, after, "alone", "section"))
    if before is None and after is None:
        return None
    around_title = _written(source, before, "outer", "title") or _written(source, after, "title")
    number = _written(source, before, "first", "section", "alone") or _written(
        source, after, "section", "alone"
    )
    if before is not None and after is not None and _written(source, before, "first", "section", "alone"):
        after = None  # what the name ends is whole: what follows is another citation
    start = before.start() if before else name.start
    return _Around(start, after.end() if after else name.end, around_title, number)


def _written(source: SourceText, match: re.Match[str] | None, *groups: str) -> str | None:
    """Return the first of some groups that is set, as it is written."""
    if match is None:
        return None
    for group in groups:
        if group in match.re.groupindex and match[group] is not None:
            return " ".join(source.hyphenated(*match.span(group)).split())
    return None


def _gap(spans: Sequence[tuple[int, int]], name: LawName, length: int) -> tuple[int, int]:
    """Return the characters around a name that no citation covers; empty where one covers the name."""
    place = bisect_right(spans, (name.start, length))
    begin = max((end for _, end in spans[max(0, place - 1) : place]), default=0)
    return begin, spans[place][0] if place < len(spans) else length


def _meanings(source: SourceText, grammar: Grammar, name: LawName) -> Sequence[CodeName | ActName]:
    """Return the meanings of a name that the grammar knows as it stands, and not as a part of it."""
    if not grammar.names.is_name(source.folded, name.start, name.end):
        return ()
    known = grammar.meanings(source.folded[name.start : name.end])
    return [one for one in known if one.short is None]
