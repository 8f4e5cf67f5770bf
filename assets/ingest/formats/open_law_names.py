"""Section numbers of the Open Law Library's publishers: in full, or from the containers above them on."""

import re
from dataclasses import dataclass

from assets.ingest.duplicates import slug
from assets.ingest.formats.law_xml_names import Caption, Place, SectionName, plain_number
from assets.registry import CodeBody

_SIGNS = "§ "
_TITLE = "{title}"
_TO = re.compile(r"(?<=\w)\s+(?:to|through|thru)\s+(?=[.\d])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OpenLawNaming:
    """Names sections by their full numbers.

    A number that begins with a dot goes on from the containers': `.04` in Title 10, Subtitle 01, Chapter 01
    is `10.01.01.04`. Any other stands for itself: `27.20.010`. What has a heading and no number is named by
    the heading, below its container, and is not cited alone. Where the body's citations name a title, numbers
    are those of their title: `1-1` in Article 7 and in Article 13.

    Attributes:
        restarts: bare numbers begin anew in each container, so that § 3 of Title 5, Chapter 2 is `5-2-3`.
    """

    body: CodeBody
    restarts: bool = False

    def section(self, printed: str, heading: str, _path: str, place: Place, /) -> SectionName | None:
        """See `assets.ingest.formats.law_xml_names.Naming`."""
        num = full_number(place.number, plain_number(as_range(printed)).strip(_SIGNS).rstrip(".:"))
        if num and _TITLE in self.body.citation and place.title is not None:
            return self._in_title(num, place.title)
        if self.restarts and place.number and is_bare(num):
            num = f"{place.number.replace('.', '-')}-{num}"
        if num:
            citation = self.body.citation.format(title=title_of(num), num=num)
            return SectionName(num, f"{self.body.root}/{num}", citation)
        words = slug(heading)
        if not words:
            return None
        cited = ", ".join(filter(None, (place.citation or self.body.short_name, heading.rstrip("."))))
        return SectionName(None, f"{place.path}/{words}", cited)

    def _in_title(self, num: str, title: Caption) -> SectionName:
        """Return what a section is called whose number begins anew in each title.

        Where its title has no number it is found by name alone: `Health, § 7-303` beside `Article 7, § 1-1`.
        """
        if title.num is None:
            cited = f"{self.body.short_name} {title.cited()}, § {num}"
            return SectionName(None, f"{self.body.root}/{title.segment}/s{num}", cited)
        citation = self.body.citation.format(title=title.num, num=num)
        return SectionName(num, f"{self.body.root}/t{title.num}/s{num}", citation)


def as_range(number: str) -> str:
    """Return a number with a hyphen for the word between the ends of a range: `1-7 to 1-8`."""
    return _TO.sub("-", number)


def full_number(above: str, number: str) -> str:
    """Return the number of a section in full.

    Args:
        above: the full number of the containers that it stands in; may be empty.
        number: as it is printed, without signs.
    """
    return f"{above}{number}" if number.startswith(".") else number


def is_bare(number: str) -> bool:
    """Return whether a section's number says nothing of where it stands: `3`, `101a`."""
    return number.isalnum()


def title_of(number: str) -> str:
    """Return what stands for the title in a section's number: `27` in `27.20.010`."""
    for mark in ".-:":
        number = number.partition(mark)[0]
    return number
