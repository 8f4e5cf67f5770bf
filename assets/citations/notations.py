"""What a source's markup names, as a citation: `/us/usc/t17/s106/a` is `17 U.S.C. § 106(a)`."""

import re
from typing import NamedTuple

from serving.contract.citations import CitationScheme, format_section
from serving.contract.citations.source import fold_dashes

_USLM = re.compile(r"/t(?P<title>\d+)(?P<appendix>a?)/s(?P<num>[^/]+)(?P<parts>(?:/[^/]+)*)/?")
_OPEN_LAW = re.compile(r"§ ?(?P<num>[^|§\s]+)(?P<parts>(?:\|[^|]+)*)")
_PART = re.compile(r"\(?([0-9a-z]{1,5}(?:-[0-9a-z]{1,3})?)\)?", re.IGNORECASE | re.ASCII)


class Named(NamedTuple):
    """A section that markup names: its number, the labels of a part as a pin cite, and both as a citation."""

    num: str
    pin: str
    citation: str


def named_section(target: str, scheme: CitationScheme, *, root: str) -> Named | None:
    """Return the section that a target names; None where it names something else.

    Args:
        target: as it is written in the source, a path of identifiers or of numbers.
        scheme: of the code that is marked up.
        root: what identifiers of that code begin with, in the source.
    """
    target = fold_dashes(target.strip())
    if target.startswith(root + "/"):
        found = _USLM.fullmatch(target.removeprefix(root))
    else:
        found = _OPEN_LAW.fullmatch(target)
    if found is None:
        return None
    groups = found.groupdict()
    if re.fullmatch(scheme.number, groups["num"], re.IGNORECASE | re.ASCII) is None:
        return None
    if scheme.has_title != (groups.get("title") is not None):
        return None
    appendix = bool(groups.get("appendix"))
    citation = format_section(scheme, groups["num"], title=groups.get("title"), appendix=appendix)
    pin = _pin(groups["parts"])
    return Named(groups["num"], pin, citation + pin)


def _pin(parts: str) -> str:
    labels = [_PART.fullmatch(part) for part in re.split(r"[/|]", parts) if part]
    return "".join(f"({label.group(1)})" for label in labels if label) if all(labels) else ""
