"""Acts of Congress, as editors name them in notes and source credits.

The note `The Fair Labor Standards Act of 1938, referred to in subsec. (a), is act June 25, 1938, ch. 676,
52 Stat. 1060, which is classified generally to chapter 8 (§ 201 et seq.) of Title 29` says what law an act
is and where the United States Code begins to hold it. The credit `(June 25, 1938, ch. 676, § 7, 52 Stat.
1063; ...)` says that a provision is section 7 of that law.
"""

import re
from collections.abc import Collection, Iterator

from assets.ingest.acts import NamedAct
from serving.contract.citations.source import fold_dashes

_CODE = "U.S.C."
"""The code that editors mean where they name a title and no code."""
_LAW = (
    r"(?P<steps>(?:(?:title|subtitle|div\.) [\dA-Z]{1,7} of ){0,3})"
    r"(?:Pub\. L\. (?P<public>\d{2,3}-\d{1,4})|act (?P<date>[A-Z][a-z]{2,8}\.? \d{1,2}, \d{4}, ch\. \d{1,4}))"
)
_NAME = r"(?P<name>(?:[A-Z][^\s,.;:“”]*|of|and|the|for|in|to|on|or|with)(?: [^\s.;:“”]+){1,16})"
_REFERRED = re.compile(
    rf"(?:^|\n)The {_NAME}, referred to in [^\n]{{2,120}}?, (?:is|means|probably means) {_LAW}"
    r"(?P<rest>[^\n]{0,300})"
)
_KNOWN_AS = re.compile(
    r"(?:^|\n)(?:A(?=ct)|(?=Pub))(?P<all>[^\n]{0,400}?) is popularly known as (?P<names>[^\n]{4,200})"
)
_QUOTED = re.compile(r"“([A-Z][^“”]{4,120}?)”")
_IS_AN_ACT = re.compile(r"[A-Z].*\b(?:Act|Code|Law)(?: of \d{4}|, \d{4})?")
_BEGINNING = re.compile(
    r"which is classified (?:generally |principally )?to [^()\n]{3,60}"
    r"\(§ (?P<num>[\dA-Za-z-]{1,16}) et seq\.\)"
    r"(?P<where>[^\n]{0,60}?(?:of this title|of Title (?P<title>\d{1,2})))"
)
_CREDIT = re.compile(
    r"\((?:Pub\. L\. (?P<public>\d{2,3}-\d{1,4})|(?P<date>[A-Z][a-z]{2,8}\.? \d{1,2}, \d{4}, ch\. \d{1,4}))"
    r"(?P<steps>(?:, (?:div\.|title|subtitle|pt\.|subpt\.|ch\.|subch\.) [\dA-Z-]{1,7}){0,5})"
    r", § (?P<num>\d{1,6}[A-Za-z]{0,4}(?:-\d{1,4}[A-Za-z]?)?)(?=[,(])"
)
_STEP = re.compile(r"(div\.|title) ([\dA-Z-]{1,7})")


def acts_in_note(note: str, citation: str) -> Iterator[NamedAct]:
    """Yield the acts of which a note says what enacted them.

    Args:
        note: its text.
        citation: of the provision that the note is on.
    """
    text = fold_dashes(note)
    if "referred to in" in text:
        for match in _REFERRED.finditer(text):
            if _IS_AN_ACT.fullmatch(match["name"]):
                yield NamedAct(match["name"], _law(match), _beginning(match["rest"], citation))
    if "popularly known as" in text:
        for match in _KNOWN_AS.finditer(text):
            law = re.match(_LAW, "a" + match["all"] if match["all"].startswith("ct ") else match["all"])
            for name in _QUOTED.findall(match["names"]) if law else ():
                if law and _IS_AN_ACT.fullmatch(name):
                    yield NamedAct(name, _law(law), None)


def _law(match: re.Match[str]) -> str:
    """Return the law that was read, with the division and title of it that the act is."""
    base = f"Pub. L. {match['public']}" if match["public"] else match["date"]
    steps = dict(_STEP.findall(match["steps"]))
    return ", ".join([base, *(f"{word} {steps[word]}" for word in ("div.", "title") if word in steps)])


def _beginning(text: str, citation: str) -> str | None:
    """Return the citation of the section at which the code begins to hold an act, where a text says it."""
    said = _BEGINNING.search(text)
    title = said["title"] or citation.partition(f" {_CODE}")[0] if said else None
    return f"{title} {_CODE} § {said['num']}" if said and title and title.isdigit() else None


def credited_sections(credit: str, laws: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield those of the laws that a source credit names first, each with the number of its section."""
    match = _CREDIT.match(fold_dashes(credit))
    if match is None:
        return
    base = f"Pub. L. {match['public']}" if match["public"] else match["date"]
    steps = [f"{word} {number}" for word, number in _STEP.findall(match["steps"])]
    choices = {base, *(f"{base}, {step}" for step in steps), ", ".join([base, *steps])}
    for law in sorted(choices & set(laws)):
        yield law, match["num"]
