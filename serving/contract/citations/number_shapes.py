"""Regular expressions of the numbers of one scheme, each compiled when a text first needs it."""

import re
from functools import cached_property

from serving.contract.citations.cited_numbers import GLUED_NOTE
from serving.contract.citations.pins import BARE_PIN, GLUED_PIN

_SAME = r"(?![0-9a-z])(?![-:/]\d)"
_SAME_BUT_SLASH = r"(?![0-9a-z])(?![-:]\d)"
_NO_DECIMALS = r"(?!\.\d)"


class NumberShapes:
    """The shapes of a scheme's numbers in folded text."""

    def __init__(self, section: str, *, container: str | None, bare_pins: bool) -> None:
        """Take regular expressions, in lower case and without groups.

        Args:
            section: of a number.
            container: of the numbers of containers that are cited as sections are.
            bare_pins: labels may follow a number without parentheses.
        """
        self._section = section
        self._any = f"{section}|{container}" if container else section
        self._container = container
        self._bare_pins = bare_pins

    @cached_property
    def number(self) -> re.Pattern[str]:
        """Matches a number where it stands in a text."""
        whole = _SAME + self._no_decimals
        pinned = rf"|(?:{self._section}){BARE_PIN}" if self._bare_pins else ""
        return re.compile(
            rf"(?:{self._section}){GLUED_NOTE}|(?:{self._any}){whole}{pinned}"
            rf"|(?:{self._section}){GLUED_PIN}",
            re.ASCII,
        )

    @cached_property
    def before_range(self) -> re.Pattern[str]:
        """Matches a number that the end of a range follows."""
        return re.compile(rf"(?:{self._any})(?=-\d)", re.ASCII)

    @property
    def hold_slashes(self) -> bool:
        """True where a slash may stand within a number, and so joins none: `5/2-101`."""
        return "/" in self._any

    @cached_property
    def before_slash(self) -> re.Pattern[str]:
        """Matches a number that a slash and another number may follow."""
        return re.compile(rf"(?:{self._any}){_SAME_BUT_SLASH}{self._no_decimals}", re.ASCII)

    @property
    def _no_decimals(self) -> str:
        return _NO_DECIMALS if "." in self._any else ""

    @cached_property
    def whole(self) -> re.Pattern[str]:
        """Matches what is a number and nothing else."""
        return re.compile(rf"(?:{self._any})\Z", re.ASCII)

    def is_container(self, number: str) -> bool:
        """Return True for the number of a container that is cited as a section is."""
        if self._container is None or re.fullmatch(self._section, number, re.ASCII):
            return False
        return re.fullmatch(self._container, number, re.ASCII) is not None

    @cached_property
    def worded(self) -> re.Pattern[str]:
        """Finds numbers that begin with words, as `article III, section 2`."""
        return re.compile(rf"(?<![a-z])(?:{self._any})", re.ASCII)
