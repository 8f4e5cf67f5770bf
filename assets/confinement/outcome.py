"""Outcomes of a confined process that ends by itself: a value, an error of ours, or a reason."""

from collections.abc import Mapping
from dataclasses import dataclass

from serving.contract.errors import LawError


@dataclass(frozen=True, slots=True)
class Done:
    """The work was done; its result."""

    value: object


@dataclass(frozen=True, slots=True)
class Refused:
    """The work raised an error of this project, taken apart: its constructor may want other arguments."""

    kind: type[LawError]
    message: str
    state: Mapping[str, object]

    @classmethod
    def of(cls, error: LawError) -> "Refused":
        """Return an error so that it can pass between processes."""
        return cls(type(error), error.message, dict(vars(error)))

    def error(self) -> LawError:
        """Return the error as it was raised, but for its traceback."""
        error = self.kind.__new__(self.kind)
        LawError.__init__(error, self.message)
        vars(error).update(self.state)
        return error


@dataclass(frozen=True, slots=True)
class Broken:
    """The work cannot be done, for a reason that follows a file's name.

    Attributes:
        traceback: where nobody foresaw it; "" where it is a bound.
    """

    reason: str
    traceback: str = ""


Outcome = Done | Refused | Broken
