"""Names of acts as texts and notes give them, each with the words that say where the act stands."""

import re
from collections.abc import Iterator
from enum import IntEnum
from typing import NamedTuple

from serving.contract.citations.source import fold_dashes


class Standing(IntEnum):
    """Standing of a place among those of an act: the first leads."""

    CODIFIED = 0
    """The act, or that of it which begins there, is said to be codified there."""
    ENACTED = 1
    """The act is said to have enacted the provision."""
    AMENDED = 2
    """The act is said to have amended the provision."""
    MENTIONED = 3
    """The act's name is given there."""


class Mention(NamedTuple):
    """A name of an act, and words that cite a place of it.

    Attributes:
        name: as it is written.
        standing: of the place.
        place: words that cite it; None: it is what `unit` of the provision bears the text.
        unit: `section`, `chapter` or another word for what is called so; None with `place`.
        weight: how much the words count among others.
    """

    name: str
    standing: Standing
    place: str | None
    unit: str | None = None
    weight: int = 1


_NOUN = r"(?:Act|Law|Code|Compact|Resolution|Ordinance|Statute|Amendments?)"
_YEAR = r"(?: of (?:18|19|20)\d\d|, (?:18|19|20)\d\d)?"
_JOIN = r"(?:of|and|the|for|in|to|on|or|with|from|by|against|at|as|a|an)"
_WORD = r"(?:[A-Z0-9][\w.’'&/-]*,?|\([A-Z][\w’' -]{1,40}\))"
_FIRST = r"(?:[A-Z]|\d+(?:st|nd|rd|th|/))[\w.’'&/-]*,?"
_RUN = rf"{_FIRST}(?: (?:{_WORD}|{_JOIN}(?= ))){{0,18}}"
_IS_NAME = re.compile(
    rf"(?!(?:Th(?:is|at|ese)|Such|Any|Said) )[A-Z0-9][^“”\n]*\b{_NOUN}\b(?:[^“”\n]{{0,30}})?"
)
_OR = re.compile(r"[”’],? or (?:as )?(?:the )?[“‘]")
_CALLED = re.compile(
    r"(?:may|shall)(?: also)? be"
    r" (?:known(?: as)?(?:,? and(?: may be| shall be)?)? |referred to(?:,? and(?: may be)?)? )?"
    r"(?:cited|known|referred to)? ?as,? (?:the )?"
    rf"(?:[“\"](?:the )?(?P<outer>[^“”\"\n]{{6,160}})[”\"]|‘(?:the )?(?P<inner>[^“”\n]{{6,160}}?)[.,]?’"
    rf"(?=[.,;)”]|$)|(?P<plain>{_RUN} ?(?<= ){_NOUN}{_YEAR}))"
)
_SUBJECT = re.compile(
    r"[Tt]his (?P<unit>[Aa]ct|section|(?:sub)?(?:chapter|part|title|division|article)|unit)"
    r"(?: \[(?P<bracket>[^\]]{0,3000})\])?,? (?:\([^)]{0,80}\),? )?$"
)
_LONGEST_SUBJECT = 3_200
_CLAUSE = re.compile(
    r"(?P<verb>enacting|amending|repealing|redesignating|renumbering|omitting|transferring)"
    r"(?P<what>(?!  ?provisions).{3,400}?)"
    r"(?=,? (?:and )?(?:enacting|amending|repealing|redesignating|renumbering|omitting|transferring)\b|$)"
)
_UNIT_OF_CLAUSE = re.compile(r" this (?P<unit>section|(?:sub)?(?:chapter|part|title|division|article))\b")
_FROM_HERE_ON = re.compile(r"[\[(](?P<inside>[^()\[\]]{0,120}?)\bet seq")
_NAME_BEFORE = re.compile(
    r"(?P<within>(?:(?:[Tt]itle|[Pp]art|[Ss]ubpart|[Ss]ubtitle|[Cc]hapter|[Ss]ubchapter|[Dd]ivision)"
    r" [\dA-Z-]{1,8} of (?:the )?){0,3})[“‘\"]?"
    rf"(?P<name>{_RUN} ?(?<=[\w’.,)] ){_NOUN}{_YEAR})[”’\"]?"
    r"(?:,? as amended)?(?:,? (?:as added |)?(?:approved|effective) [A-Z][a-z]+ \d{1,2}, \d{4})?,? ?$"
)
_ANOTHER = re.compile(rf"\b{_NOUN}{_YEAR},? (?:(?:and|or) )?(?:the )?(?=[A-Z0-9])")
_NOT_OF_IT = re.compile(
    r"(?:[Ss]ections?|§+|par\.|[Ss]ubsec\.|[Pp]aragraph)[^,;]{1,60}(?:of|in|to) (?:the )?$"
)
_SIGNAL = re.compile(r"(?:(?:The|See|Under|In|By|Of|To|For|And|Or|With|Pursuant|As) )+(?:the )?")
_REFERRED = re.compile(rf"^The (?P<name>{_RUN} ?(?<= ){_NOUN}{_YEAR}), referred to in ")
_KNOWN = re.compile(
    rf"(?:known|cited|referred to)(?: both)? as (?:the )?"
    r"(?:[“‘](?:the )?(?P<quoted>[^“”‘\n]{4,120}?)[.,]?[”’]"
    rf"|(?P<plain>{_RUN} ?(?<= ){_NOUN}{_YEAR}))(?=[,.;) ])"
)
_ALSO_KNOWN = re.compile(
    rf"[,;]? and(?: also)?(?: popularly)?(?: known)? as (?:the )?[“‘]?(?P<name>{_RUN} ?(?<= ){_NOUN}{_YEAR})"
)
_BEGINS = re.compile(
    r"classified (?:generally |principally )?to [^()\n]{3,60}\(§ (?P<num>[\dA-Za-z-]{1,16}) et seq\.\)"
    r"[^\n]{0,60}?of (?P<title>this title|Title \d{1,2}[a-z]?)"
)
_CLASSIFIED = re.compile(
    r"classified (?:generally |principally )?to"
    r" (?P<place>sections? [^\n]{1,80}?of (?:this title|Title \d{1,2}))"
)
_SHORT_TITLE = re.compile(
    r"[Ss]ee Short Title note set out under (?P<place>section \S+ of (?:this title|Title \d{1,2}))"
)
_BEHIND = re.compile(
    r"[”’,.]*\)?[,;]? ?[\[(]?(?P<place>(?:[^()\[\]\n]{0,60}?; )?"
    r"(?:\d{1,2} U\.S\.C\.|D\.C\. (?:Official )?Code|§|[Ss]ections? \d)[^()\[\]\n]{1,60})"
)
_AHEAD = re.compile(r"(?P<place>[^\n;.]{0,90}?)[,;]? \((?:commonly|popularly|also|otherwise|sometimes)? ?$")
_CODE_WORD = re.compile(r"\d U\.S\.C\.|Code|title \d|§")


def mentions(text: str) -> Iterator[Mention]:
    """Yield the names of acts in a text or note, with what it says of their places."""
    if not any(sign in text for sign in ("et seq", "nown as", "ited as", "referred to")):
        return
    plain = fold_dashes(text)
    yield from _called(plain)
    yield from _cited(plain)
    for line in plain.split("\n"):
        if "classified" in line or "Short Title" in line:
            yield from _referred(line)
    yield from _known(plain)


def _called(text: str) -> Iterator[Mention]:
    """Read `this chapter may be cited as the “X Act”`, and what editors say of the act in brackets."""
    if "as" not in text:
        return
    for match in _CALLED.finditer(text):
        subject = _SUBJECT.search(text, max(0, match.start() - _LONGEST_SUBJECT), match.start())
        written = (match["outer"] or match["inner"] or match["plain"]).strip().rstrip(".,")
        for name in _OR.split(written):
            if not _IS_NAME.fullmatch(name):
                continue
            yield Mention(name, Standing.MENTIONED, None, "section")
            if subject is not None and subject["bracket"]:
                yield from _of_bracket(name, subject["bracket"])
            elif subject is not None and subject["unit"].lower() != "act":
                yield Mention(name, Standing.CODIFIED, None, subject["unit"], weight=3)


def _of_bracket(name: str, bracket: str) -> Iterator[Mention]:
    """Read `enacting this chapter and sections 1 to 5 of this title, amending section 7 of Title 5`."""
    for clause in _CLAUSE.finditer(bracket):
        standing = {"enacting": Standing.ENACTED, "amending": Standing.AMENDED}.get(clause["verb"])
        what = clause["what"]
        if standing is None or what.startswith(" provisions"):
            continue
        own = _UNIT_OF_CLAUSE.match(what)
        if own is not None:
            codified = Standing.CODIFIED if standing is Standing.ENACTED else standing
            yield Mention(name, codified, None, "section", weight=3)
        # `enacting section 5 and amending section 9 of this title`: both are of this title.
        yield Mention(name, standing, what if " of " in what else f"{what} of this title")
    if bracket.startswith(("this ", "now this ")):
        yield Mention(name, Standing.CODIFIED, None, "section", weight=3)


def _cited(text: str) -> Iterator[Mention]:
    """Read `the X Act (29 U.S.C. 201 et seq.)`; of `title II of the X Act` that title is meant."""
    for match in _FROM_HERE_ON.finditer(text):
        before = text[max(0, match.start() - 260) : match.start()]
        named = _NAME_BEFORE.search(before)
        if named is None or not _CODE_WORD.search(match["inside"]):
            continue
        name, within = named["name"], named["within"]
        others = list(_ANOTHER.finditer(name))
        if others:
            name, within = name[others[-1].end() :], ""
        elif not within and _NOT_OF_IT.search(before, 0, named.start("name")):
            continue
        name = _SIGNAL.sub("", name, count=1) if _SIGNAL.match(name) else name
        yield Mention(
            within.replace(" the ", " ") + name, Standing.CODIFIED, match["inside"].strip() + " et seq."
        )


def _referred(line: str) -> Iterator[Mention]:
    """Read the editors' `The X Act, referred to in text, is Pub. L. 1-1, which is classified to`."""
    if "referred to in" not in line:
        return
    for sentence in re.split(r"(?<=Tables\. )|(?<=\. )(?=The [A-Z])", line):
        names = [match["name"] for match in (_REFERRED.match(sentence),) if match]
        for known in _KNOWN.finditer(sentence):
            names.append(known["quoted"] or known["plain"])
            names += [also["name"] for also in _ALSO_KNOWN.finditer(sentence, known.end(), known.end() + 160)]
        begins, sections = _BEGINS.search(sentence), _CLASSIFIED.search(sentence)
        shown = _SHORT_TITLE.search(sentence)
        for name in dict.fromkeys(names):
            if not _IS_NAME.fullmatch(name):
                continue
            if begins:
                yield Mention(
                    name, Standing.CODIFIED, f"section {begins['num']} of {begins['title']}", weight=3
                )
            elif sections:
                yield Mention(name, Standing.CODIFIED, sections["place"], weight=2)
            if shown:
                standing = Standing.ENACTED if begins or sections else Standing.CODIFIED
                yield Mention(name, standing, shown["place"])


def _known(text: str) -> Iterator[Mention]:
    """Read `chapter 171 of title 28 (commonly known as the “X Act”)`, and what is cited behind the name."""
    if "nown as" not in text:
        return
    for match in _KNOWN.finditer(text):
        name = match["quoted"] or match["plain"]
        if not _IS_NAME.fullmatch(name) or "hereinafter" in text[max(0, match.start() - 20) : match.start()]:
            continue
        ahead = _AHEAD.search(text, max(0, match.start() - 110), match.start())
        if ahead and _CODE_WORD.search(ahead["place"]):
            yield Mention(name, Standing.CODIFIED, ahead["place"], weight=2)
            continue
        behind = _BEHIND.match(text, match.end())
        if behind and _CODE_WORD.search(behind["place"]):
            yield Mention(name, Standing.CODIFIED, behind["place"], weight=2)
