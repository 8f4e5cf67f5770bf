"""What enacted an act, and which of its sections a provision is, as notes and source credits say.

The note `The Fair Labor Standards Act of 1938, referred to in subsec. (a), is act June 25, 1938, ch. 676,
52 Stat. 1060, which is classified generally to chapter 8 (§ 201 et seq.) of Title 29` says what law an act
is and where it begins. The credit `(June 25, 1938, ch. 676, § 7, 52 Stat. 1063; ...)` says that a provision
is section 7 of that law.
"""

import re
from collections.abc import Collection, Iterable, Iterator

from assets.citations.table import CitationEntry
from assets.release.selection import Selection
from serving.contract.citations import PopularName
from serving.contract.citations.keys import act_section_key
from serving.contract.citations.source import fold_dashes

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
_HOME = re.compile(
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


def acts_in_notes(selection: Selection) -> list[PopularName]:
    """Return the acts of which notes say what enacted them, and where each begins, if that is said."""
    citations: list[str] = selection.provisions.column("citation").to_pylist()
    found: dict[tuple[str, str | None, str], PopularName] = {}
    for first, batch in selection.batches(["notes"]):
        for position, row in enumerate(batch.to_pylist(), first):
            for note in row["notes"]:
                source = f"{citations[position]} note ({note['heading'] or note['topic']})"
                for name, law, home in _acts(fold_dashes(note["text"]), citations[position]):
                    found.setdefault((name, home, law), PopularName(name, (), home, source, law))
    said = {(name, law) for name, home, law in found if home is not None}
    return [
        act for (name, home, law), act in sorted(found.items(), key=str) if home or (name, law) not in said
    ]


def act_sections(selection: Selection, acts: Iterable[PopularName]) -> list[CitationEntry]:
    """Return entries for the provisions that by their source credits are sections of acts."""
    wanted = {act.law for act in acts if act.law is not None}
    return [
        CitationEntry(act_section_key(law, num), position, False)
        for first, batch in selection.batches(["source_credit"])
        for position, credit in enumerate(batch.column(0).to_pylist(), first)
        for law, num in _credited(fold_dashes(credit or ""), wanted)
    ]


def _acts(text: str, citation: str) -> Iterator[tuple[str, str, str | None]]:
    """Yield names of acts in a note, each with its law and where it begins."""
    if "referred to in" in text:
        for match in _REFERRED.finditer(text):
            if _IS_AN_ACT.fullmatch(match["name"]):
                yield match["name"], _law(match), _home(match["rest"], citation)
    if "popularly known as" in text:
        for match in _KNOWN_AS.finditer(text):
            law = re.match(_LAW, "a" + match["all"] if match["all"].startswith("ct ") else match["all"])
            for name in _QUOTED.findall(match["names"]) if law else ():
                if law and _IS_AN_ACT.fullmatch(name):
                    yield name, _law(law), None


def _law(match: re.Match[str]) -> str:
    """Return the law that was read, with the division and title of it that the act is."""
    base = f"Pub. L. {match['public']}" if match["public"] else match["date"]
    steps = dict(_STEP.findall(match["steps"]))
    return ", ".join([base, *(f"{word} {steps[word]}" for word in ("div.", "title") if word in steps)])


def _home(text: str, citation: str) -> str | None:
    home = _HOME.search(text)
    title = home["title"] or citation.partition(" U.S.C.")[0] if home else None
    return f"{title} U.S.C. § {home['num']}" if home and title and title.isdigit() else None


def _credited(credit: str, wanted: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the laws, of those wanted, that a credit names first, each with the section."""
    match = _CREDIT.match(credit)
    if match is None:
        return
    base = f"Pub. L. {match['public']}" if match["public"] else match["date"]
    steps = [f"{word} {number}" for word, number in _STEP.findall(match["steps"])]
    choices = {base, *(f"{base}, {step}" for step in steps), ", ".join([base, *steps])}
    for law in sorted(choices & set(wanted)):
        yield law, match["num"]
