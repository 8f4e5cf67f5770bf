"""Signs, around a short form, of what has sections or pages of its own and is no law that is read here.

Such are cases and books, reports of Congress, papers of a trial, and titles that are only named.
"""

import re

from serving.contract.citations.citation import Citation

OTHER_AUTHORITY = re.compile(
    r"(?<!\w)vs?\. (?=[A-Z])|\b(?:Restatement|Treaty|Treatise|Convention|Constitution|Guidelines|Manual"
    r"|Charter|Agreement|Contract|Lease|Policy|Ordinance|By-?[Ll]aws|Model|Uniform|Report|Hearings?)\b"
    r"|\b\d{1,4} (?!(?:Repl|Cum|Supp|I(?:bi)?d)\.)[A-Z][\w&'’]*\.(?: ?[\w&'’]+\.?){0,5} \d{1,5}\b(?!\.\d)"
    r"|\bCong\. ?Rec\.|\bComm\. Print\b|\b(?:H\. ?R|S|Conf)\. ?(?:Conf\. ?)?(?:Rep|Doc|Res)\."
    r"|(?<![\w.])(?:H\. ?R|S)\. ?\d{1,5}\b|\b(?:Rep|Doc)\.? Nos?\. ?\d|\b(?:Dkt|ECF)\.? (?:Nos?\. ?)?\d"
    r"|(?<![\w.])(?!I(?:bi)?d\.)[A-Z][\w'’]*\.,? (?:at \d|¶)"
)
"""Sign of an authority that is no citation of law here: a case, a book, a journal, a contract.

Or a bill, or a report of Congress, `H.R. Rep. No. 94-1476`, or a paper of a trial, `Smith Decl. at 3`. An
edition and its supplement, `(2012 Repl. & 2022 Supp.)`, look like a volume and a page and are none. Neither
is a note's number before a repetition of what it cites: `5 Id. at 8`.
"""

_TITLE = re.compile(
    r"\b(?:[Tt]itles?|TITLES?|[Tt]it\.)\s"
    r"(?P<numbers>\d{1,3}[A-Za-z]?\b(?:(?:,? (?:and|or|&) |, )\d{1,3}[A-Za-z]?\b){0,9})"
)
_NUMBER = re.compile(r"\d+[A-Za-z]?")
_TITLE_OF_ACT = re.compile(r"\b(?:[Tt]itles?|TITLES?)\s[IVXLC]+\b")
_JOINTS = ("-", ".", ":")


def names_other_title(text: str, start: int, end: int, cited: Citation) -> bool:
    """Return True where characters [start, end) name a title that the cited section does not stand in."""
    title, number = (cited.title or "").lower(), (cited.num or "").lower()
    named = (
        each.lower()
        for match in _TITLE.finditer(text, start, end)
        for each in _NUMBER.findall(match["numbers"])
    )
    return any(
        each != title and not number.startswith(tuple(each + joint for joint in _JOINTS)) for each in named
    )


def names_title_of_act(text: str, start: int, end: int) -> bool:
    """Return True where characters [start, end) name a title of an act: `Title IX`."""
    return _TITLE_OF_ACT.search(text, start, end) is not None
