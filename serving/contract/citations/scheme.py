"""Citation schemes of codes and popular names of acts: the records from which a grammar is compiled."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from serving.contract.errors import LawError
from serving.contract.hand_written import record_of

SECTION_NUMBER = r"\d{1,6}[a-z]{0,4}(?:[-.:]\d{1,6}[a-z]{0,4}){0,5}"
"""Shape of section numbers where a scheme names none: `187`, `14-11-203`, `2C:11-3`."""

LOOSE_NUMBER = r"(?:[a-z]{1,6}(?:-[a-z]{1,3})? ?)?\d{1,6}[a-z]{0,4}(?:[-.:/]\d{1,6}[a-z]{0,4}){0,5}"
"""Shape of any number of a section or rule: `187`, `R307-101-2`, `NR 140.10`."""

RULE_NUMBER = r"\d{1,4}[a-z]?(?:\.\d{1,3})?(?:-\d{1,2})?"
"""Shape of the numbers of court rules: `12`, `4.1`, `9027`."""

_TITLE_IN_NUMBER = re.compile(r"([^-:]+)[-:]|([^.]+)\.")
"""Finds the title in a number: `55.1` in `55.1-1226`, `2C` in `2C:11-3`; `19` in `19.10.020`."""

KINDS = ("section", "rule", "act", "constitution", "page")

REGULATIONS = "regulations"
LAWS = (
    "code",
    REGULATIONS,
    "session_laws",
    "register",
    "executive_orders",
    "constitution",
    "court_rules",
    "model_law",
    "treaty",
)
"""Kinds of law."""

FEDERAL = "us"
"""Jurisdiction of the United States: short code, as in the registry."""

COURT = "case"
"""Kind of what a court decided, which is cited beside laws and is of no scheme."""


class CitationDataError(LawError):
    """A scheme or popular name is malformed; the message names it and describes the fault."""

    code = "citation_data"


@dataclass(frozen=True, slots=True)
class FixedTitle:
    """A name of one title of a code, such as `I.R.C.` for title 26; `[Ann.]` may be left out.

    Attributes:
        since: year from which the title is numbered as it is; an older law of that name is another.
        short: the name means other things too, as those in `short_names` of a scheme do.
    """

    name: str
    title: str
    since: int | None = None
    short: bool = False


@dataclass(frozen=True, slots=True)
class TitleSince:
    """The year of the first edition in which a title is numbered as it is; `source`: what says so.

    What was published under that number before is another law, or the same under other numbers.
    """

    title: str
    since: int
    source: str


@dataclass(frozen=True, slots=True)
class CitationScheme:
    """Form of the citations of one code, or of one set of rules.

    Attributes:
        key: unique among schemes. The code body's registry key; `us-usc/fed-r-civ-p` for own names in it.
        code: key of the code body, held or not.
        jurisdiction: short code.
        template: the canonical citation, with `{num}` and perhaps `{title}`: `{title} U.S.C. § {num}`.
        names: names and abbreviations with all their dots and spaces, which readers may drop; words in
            square brackets may be left out.
        short_names: abbreviations that mean other things too: they count only in their own capitals and
            with a section mark between them and the number.
        number: regular expression of a section number in lower case with hyphens, without groups.
        title: the same of a title.
        fixed_titles: names of single titles.
        titles_since: years from which single titles are numbered as they are, where that is known; their
            appendices have numbers of their own.
        appendix: titles have appendices, cited with `app.` or as title `5a`.
        bare_title: `section 1 of title 2` without a name means this code.
        kind: `section`, `rule`, `act` (public laws), `constitution` or `page` (of a volume).
        example: a citation for error messages; None: one is made from the template.
        rising_ranges: no number has a hyphen before a greater number, so that `51-60` is a range.
        loose_numbers: `number` is not sure to be the shape of all numbers: behind a section mark any is read.
        law: kind of the law, one of `LAWS`.
        since: year from which the code is numbered as it is; an older edition is another law. None: any.
        container: regular expression of the full numbers by which containers are cited as sections are:
            `26.13.07` for a chapter; None: containers are cited by their words alone.
        bare_pins: labels may follow a number without parentheses: `.03A(1)(b)`, `211.5.B.6`.
        bare_part: regular expression of the numbers of parts that are cited without a word behind title and
            name, and are no numbers of sections: `2 CFR 200`; None: none are.
    """

    key: str
    code: str
    jurisdiction: str
    template: str
    names: tuple[str, ...]
    short_names: tuple[str, ...] = ()
    number: str = SECTION_NUMBER
    title: str = r"\d{1,3}[a-z]?"
    fixed_titles: tuple[FixedTitle, ...] = ()
    titles_since: tuple[TitleSince, ...] = ()
    appendix: bool = False
    bare_title: bool = False
    kind: str = "section"
    example: str | None = None
    rising_ranges: bool = False
    loose_numbers: bool = False
    law: str = "code"
    since: int | None = None
    container: str | None = None
    bare_pins: bool = False
    bare_part: str | None = None

    def __post_init__(self) -> None:
        if "{num}" not in self.template:
            raise CitationDataError(f"Citation scheme {self.key}: the template lacks {{num}}.")
        if not self.names and not self.fixed_titles:
            raise CitationDataError(f"Citation scheme {self.key}: it has no names.")
        if self.kind not in KINDS:
            raise CitationDataError(f"Citation scheme {self.key}: unknown kind {self.kind!r}.")
        if self.law not in LAWS:
            raise CitationDataError(f"Citation scheme {self.key}: unknown kind of law {self.law!r}.")
        if self.container is not None and self.has_title:
            raise CitationDataError(
                f"Citation scheme {self.key}: titles stand beside the numbers of containers."
            )
        for pattern in filter(None, (self.number, self.title, self.container, self.bare_part)):
            try:
                groups = re.compile(pattern).groups
            except re.error as error:
                raise CitationDataError(f"Citation scheme {self.key}: {pattern!r}: {error}") from None
            if groups:
                raise CitationDataError(f"Citation scheme {self.key}: {pattern!r} has capturing groups.")

    @property
    def has_title(self) -> bool:
        """True where a citation names a title beside the number."""
        return "{title}" in self.template

    @property
    def cites_articles(self) -> bool:
        """True where the titles that citations name are articles: `City Code art. 7, § 1-1`."""
        return "art. {title}" in self.template

    def title_in(self, num: str) -> str | None:
        """Return the title that a number begins with, without zeros before it.

        None where the title stands beside the number, or the number has one step alone.
        """
        found = None if self.has_title else _TITLE_IN_NUMBER.match(num)
        return (found[1] or found[2]).lstrip("0") if found else None

    def title_since(self, title: str | None) -> int | None:
        """Return the year of the first edition in which a title is numbered as it is; None if not known."""
        return next((one.since for one in self.titles_since if one.title == title), None)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "CitationScheme":
        """Return the scheme that JSON or a table of a data file gives.

        Raises:
            CitationDataError: a field is missing, unknown or malformed.
        """
        fields = dict(values)
        try:
            for name in ("names", "short_names"):
                fields[name] = tuple(fields.get(name, ()))
            fields["fixed_titles"] = tuple(
                record_of(FixedTitle, entry) for entry in fields.get("fixed_titles", ())
            )
            fields["titles_since"] = tuple(
                record_of(TitleSince, entry) for entry in fields.get("titles_since", ())
            )
            return record_of(cls, fields)
        except TypeError as error:
            raise CitationDataError(f"Citation scheme {values.get('key')!r}: {error}") from None


@dataclass(frozen=True, slots=True)
class PopularName:
    """A name of an act.

    Attributes:
        name: the name in full, such as `Freedom of Information Act`.
        short: abbreviations in use, such as `FOIA`. In running text they count only before a section.
        citation: of the place where the act is codified, such as `5 U.S.C. § 552`; None: not known.
        source: the provision or note that says so.
        law: that enacted it, as source credits name it: `Pub. L. 93-406`, `July 5, 1946, ch. 540, title I`.
        codified: `citation` is a title that the act's sections are numbered by: `Copyright Act § 107`.
        whole: all of the act is what `citation` names.
    """

    name: str
    short: tuple[str, ...] = ()
    citation: str | None = None
    source: str | None = None
    law: str | None = None
    codified: bool = False
    whole: bool = False

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "PopularName":
        """Return the popular name that JSON or a table of a data file gives.

        Raises:
            CitationDataError: a field is missing or unknown.
        """
        try:
            return record_of(cls, {**values, "short": tuple(values.get("short", ()))})
        except TypeError as error:
            raise CitationDataError(f"Popular name {values.get('name')!r}: {error}") from None


def schemes_of_tables(tables: Iterable[Mapping[str, Any]]) -> tuple[CitationScheme, ...]:
    """Return the schemes of a data file's `[[code]]` tables.

    A table may hold `subjects`: each is put in for `{subject}` in template and names, and the slug of its
    first spelling ends the key: `ca-code/penal`. Spellings of one subject are separated by ` | `. Or it may
    hold `states`, such as `al | Ala. | Alabama`: the short code is the jurisdiction and goes before the key,
    the first spelling is put in for `{state}` in the template, each in the names.

    The shapes of their numbers are taken for loose ones.

    Raises:
        CitationDataError: a table is malformed.
    """
    found: list[CitationScheme] = []
    for table in tables:
        fields = dict(table)
        fields.setdefault("code", fields.get("key"))
        fields.setdefault("loose_numbers", fields.get("kind", "section") == "section")
        subjects, states = fields.pop("subjects", None), fields.pop("states", None)
        if subjects is not None:
            found.extend(_of_subject(fields, subject.split(" | ")) for subject in subjects)
        elif states is not None:
            found.extend(_of_state(fields, *state.split(" | ")) for state in states)
        else:
            found.append(CitationScheme.from_dict(fields))
    return tuple(found)


def with_others(
    held: Iterable[CitationScheme], others: Iterable[CitationScheme]
) -> tuple[CitationScheme, ...]:
    """Return the schemes of held codes, followed by other schemes whose code is not held."""
    own = tuple(held)
    codes = {scheme.code for scheme in own}
    return (*own, *(scheme for scheme in others if scheme.code not in codes))


def _of_state(fields: Mapping[str, Any], short_code: str, *spellings: str) -> CitationScheme:
    key = f"{short_code}-{fields['key']}"
    names = [name.replace("{state}", spelling) for name in fields["names"] for spelling in spellings]
    template = fields["template"].replace("{state}", spellings[0])
    own = {"key": key, "code": key, "jurisdiction": short_code, "names": names, "template": template}
    return CitationScheme.from_dict({**fields, **own})


def _of_subject(fields: Mapping[str, Any], spellings: list[str]) -> CitationScheme:
    slug = "-".join(re.findall(r"[a-z]+", spellings[0].lower()))
    names = [
        name.replace("{subject}", spelling) for name in fields.get("names", ()) for spelling in spellings
    ]
    template = fields["template"].replace("{subject}", spellings[0])
    return CitationScheme.from_dict(
        {**fields, "key": f"{fields['key']}/{slug}", "names": names, "template": template}
    )
