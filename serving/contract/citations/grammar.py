"""Citation schemes and popular names, compiled."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from serving.contract.citations.known_names import KnownNames
from serving.contract.citations.near_names import NearNames
from serving.contract.citations.numbers import NumberReader
from serving.contract.citations.places import without_place
from serving.contract.citations.scheme import (
    LOOSE_NUMBER,
    REGULATIONS,
    SECTION_NUMBER,
    CitationDataError,
    CitationScheme,
    PopularName,
)
from serving.contract.citations.source import fold
from serving.contract.collection import collection_paused

_YEAR = re.compile(r"(?:,| of) \d{4}$")

_BARE_PART = re.compile(r"(?:Section|Title) [0-9IVXLC]+(?:-[A-Z])?")
_OPTIONAL = re.compile(r" ?\[([^\]]*)\]")
_NOT_IN_KEYS = ". ',"


@dataclass(frozen=True, slots=True)
class CodeName:
    """A name of a code, compiled.

    Attributes:
        scheme: scheme of the code.
        title: the one title that the name stands for; None where the title is written beside it.
        short: the name where it is one of the scheme's `short_names`, else None.
        numbers: reads the scheme's numbers.
        whole_title: matches a title alone.
        title_after: finds a title that begins where the name ends.
        part_after: finds a part that is cited by its number alone there; None: none is.
        since: year from which what it names is numbered as it is; None: always.
    """

    scheme: CitationScheme
    title: str | None
    numbers: NumberReader
    whole_title: re.Pattern[str]
    title_after: re.Pattern[str]
    short: str | None = None
    since: int | None = None
    part_after: re.Pattern[str] | None = None

    def is_written(self, text: str) -> bool:
        """Return True where the text has the abbreviation in its own capitals: `as § 5` is no code."""
        return self.short is None or text.replace(".", "") == self.short.replace(".", "")

    @property
    def holds_titles(self) -> bool:
        """True where `title 2` beside the name is a title of this code."""
        return self.title is None and self.short is None and self.scheme.kind == "section"


@dataclass(frozen=True, slots=True)
class ActName:
    """A name of an act; `short`: the name is this abbreviation, None for the name in full."""

    popular: PopularName
    short: str | None

    def is_written(self, text: str) -> bool:
        """Return True where the text has the abbreviation in its own capitals: `ada` is no act."""
        return self.short is None or text.replace(".", "") == self.short.replace(".", "")

    def may_be_of(self, year: str) -> bool:
        """Return False for another year than the act's own, or one that is not known of what can be found."""
        if _YEAR.search(self.popular.name) is None:
            return not (self.popular.codified or self.popular.whole)
        return self.is_of(year)

    def is_of(self, year: str) -> bool:
        """Return whether the act has a year in its name, and this one."""
        own = _YEAR.search(self.popular.name)
        return own is not None and own.group().endswith(year)


class Grammar:
    """Compiled schemes and popular names. Immutable, shared by all threads.

    Attributes:
        names: finds the names of codes and acts, and `title` before a number, in folded text.
        bare_title: code of `section 1 of title 2` without a name; None where no scheme claims it.
        acts: reads the section numbers of acts.
        nicknames: acts by the `name_key` of a bare part that means them where nothing else is written:
            `Title IX`, `Section 1983`.
    """

    @collection_paused()
    def __init__(self, schemes: Iterable[CitationScheme], popular_names: Iterable[PopularName] = ()) -> None:
        self.schemes: Sequence[CitationScheme] = tuple(schemes)
        self.popular_names: Sequence[PopularName] = tuple(popular_names)
        _require_unique(self.schemes)
        self.names = KnownNames(_names_of_codes(self.schemes), _names_of_acts(self.popular_names))
        self.acts = NumberReader(SECTION_NUMBER, names=self.names, years_need_mark=True)
        self._loose = NumberReader(LOOSE_NUMBER, names=self.names, years_need_mark=True)
        self._meanings: dict[str, list[CodeName | ActName]] = {}
        codes = [scheme for scheme in self.schemes if scheme.kind != "page"]
        self._code_names = NearNames({name_key(name): name for name in _names_of_codes(codes)})
        self.nicknames: dict[str, list[ActName]] = {}
        self.bare_title: CodeName | None = None
        self._codes: dict[str, CodeName] = {}
        self._of_places = _by_names_without_place(self.schemes)
        for scheme in self.schemes:
            self._add_scheme(scheme)
        for popular in self.popular_names:
            for name in _with_and_without_year(popular.name):
                self._add(name, ActName(popular, None))
            for short in popular.short:
                if _BARE_PART.fullmatch(short):
                    self.nicknames.setdefault(name_key(short), []).append(ActName(popular, short))
                else:
                    self._add(short, ActName(popular, short))

    def meanings(self, name: str) -> Sequence[CodeName | ActName]:
        """Return the meanings of a name that was found in folded text, in the order of the data."""
        return self._meanings[folded_name_key(name)]

    def acts_called(self, name: str) -> list[PopularName]:
        """Return all that is known of the act whose name in full this is."""
        found = self._meanings.get(name_key(name_spellings(name)[0]), ())
        return [one.popular for one in found if isinstance(one, ActName) and one.popular.name == name]

    def codes_of_places(self, name: str) -> Sequence[CitationScheme]:
        """Return the codes that are called so behind the name of their place: `Gov't Code`, `Crim. R.`."""
        return self._of_places.get(name_key(name), ())

    def names_like(self, name: str) -> list[str]:
        """Return up to three names of codes that differ from this one by a few letters, the nearest first."""
        return self._code_names.near(name_key(name))

    def code(self, key: str) -> CodeName | None:
        """Return the code whose scheme has this key; None where the grammar has none."""
        return self._codes.get(key)

    def code_of_titles(self, key: str) -> CodeName | None:
        """Return the code that `title 2` means in the text of a code; None: regulations mean statutes."""
        code = self._codes.get(key)
        return code if code is not None and code.scheme.law != REGULATIONS else None

    def _add_scheme(self, scheme: CitationScheme) -> None:
        needs_mark = scheme.kind == "section" and not scheme.has_title and "§" in scheme.template
        numbers = self._reader(scheme, years_need_mark=needs_mark)
        title = rf"(?!0+(?![0-9]))0{{0,2}}(?:{scheme.title})"  # no title is numbered 0
        whole = re.compile(rf"{title}\Z", re.ASCII)
        # Elsewhere `art.` marks a section. Codes that are cited by it may have titles within their articles.
        words = r"tit(?:le|\.)?|t\.|ch(?:apter|\.)?|c\.?"
        if scheme.cites_articles:
            words = r"art(?:icle|\.)?"
        after = re.compile(rf",? ?(?:{words}) ?({title})(?![0-9a-z])", re.ASCII)
        # The volumes of title 3 go by years: `3 CFR 1986 Comp., p. 189`.
        part = rf" ({scheme.bare_part})(?![0-9a-z(]|[-.:/]\w|-?\d*,? ?comp)" if scheme.bare_part else ""
        part_after = re.compile(part, re.ASCII) if part else None
        code = CodeName(scheme, None, numbers, whole, after, since=scheme.since, part_after=part_after)
        self._codes[scheme.key] = code
        if scheme.bare_title:
            self.bare_title = code
        for name in scheme.names:
            self._add(name, code)
        for name in scheme.short_names:
            self._add(name, replace(code, short=name))
        fixed = self._reader(scheme, years_need_mark=True) if scheme.fixed_titles else numbers
        for entry in scheme.fixed_titles:
            short = entry.name if entry.short else None
            since = entry.since or scheme.since
            named = CodeName(scheme, entry.title, fixed, whole, after, short=short, since=since)
            self._add(entry.name, named)

    def _reader(self, scheme: CitationScheme, *, years_need_mark: bool) -> NumberReader:
        return NumberReader(
            scheme.number,
            names=self.names,
            years_need_mark=years_need_mark,
            marked_lists=scheme.kind not in ("page", "act"),
            signed=scheme.kind != "rule",
            rising=scheme.rising_ranges,
            worded=scheme.kind == "constitution",
            container=scheme.container,
            bare_pins=scheme.bare_pins,
            loose=self._loose if scheme.loose_numbers else None,
        )

    def _add(self, name: str, meaning: CodeName | ActName) -> None:
        for spelling in name_spellings(name):
            meanings = self._meanings.setdefault(name_key(spelling), [])
            if meaning not in meanings:
                meanings.append(meaning)


def _by_names_without_place(schemes: Iterable[CitationScheme]) -> dict[str, list[CitationScheme]]:
    """Return codes by the keys of their names without their place, where two words at least are left."""
    found: dict[str, list[CitationScheme]] = {}
    for scheme in schemes:
        if scheme.kind not in ("section", "rule") or not scheme.jurisdiction:
            continue
        for spelling in (spelling for name in scheme.names for spelling in name_spellings(name)):
            rest = without_place(spelling)
            if rest is not None and " " in rest:
                codes = found.setdefault(name_key(rest), [])
                if scheme not in codes:
                    codes.append(scheme)
    return found


def _with_and_without_year(name: str) -> list[str]:
    without = _YEAR.sub("", name)
    return [name] if without == name else [name, without]


def _names_of_codes(schemes: Iterable[CitationScheme]) -> list[str]:
    names = [name for scheme in schemes for name in (*scheme.names, *scheme.short_names)]
    names += [entry.name for scheme in schemes for entry in scheme.fixed_titles]
    return [spelling for name in names for spelling in name_spellings(name)]


def _names_of_acts(popular_names: Iterable[PopularName]) -> list[str]:
    names: list[str] = []
    for popular in popular_names:
        shorts = [short for short in popular.short if not _BARE_PART.fullmatch(short)]
        names += [*_with_and_without_year(popular.name), *shorts]
    return [spelling for name in names for spelling in name_spellings(name)]


def keys_of_act(popular: PopularName) -> set[str]:
    """Return the keys of all that an act is called. The key of a text that names it has one of them in it."""
    names = (*_with_and_without_year(popular.name), *popular.short)
    return {name_key(spelling) for name in names for spelling in name_spellings(name)}


def _require_unique(schemes: Sequence[CitationScheme]) -> None:
    keys = [scheme.key for scheme in schemes]
    double = sorted(key for key, times in Counter(keys).items() if times > 1)
    if double:
        raise CitationDataError(f"Double citation schemes: {', '.join(double)}.")


def name_spellings(name: str) -> list[str]:
    """Return the name with and without what stands in square brackets: `Va. Code [Ann.]` gives two."""
    match = _OPTIONAL.search(name)
    if match is None:
        return [name]
    without = name[: match.start()] + name[match.end() :]
    inside = name[: match.start()] + (" " if match.group().startswith(" ") else "") + match.group(1)
    return name_spellings(without) + name_spellings(inside + name[match.end() :])


def name_key(name: str) -> str:
    """Return a key that is equal for all ways to write a name: `usc` for `U. S. C.`."""
    return folded_name_key(fold(name))


def folded_name_key(name: str) -> str:
    """Return the key of a name that is folded already."""
    for character in _NOT_IN_KEYS:  # seven times as quick as `translate` where a whole text is named
        name = name.replace(character, "")
    return name.replace("&", "and")
