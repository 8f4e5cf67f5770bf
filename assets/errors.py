"""Errors of the build. They extend the one error tree and name the file and the place."""

from serving.contract.errors import LawError


class SourceError(LawError):
    """A source as a whole cannot be used: missing, of an unknown form, unsafe or empty."""

    code = "source_unusable"


class RegistryError(LawError):
    """A registry file contradicts itself or names something that does not exist."""

    code = "registry_invalid"


class MalformedFileError(LawError):
    """One file of a source cannot be read. `line` and `column` are 1-based; None where unknown."""

    code = "file_malformed"

    def __init__(self, file: str, reason: str, *, line: int | None = None, column: int | None = None) -> None:
        place = ":".join([file, *(str(number) for number in (line, column) if number is not None)])
        super().__init__(f"{place}: {reason}")
        self.file = file
        self.reason = reason
        self.line = line
        self.column = column


class ConfinementError(LawError):
    """Work on untrusted files was ended: it took more than it may, crashed, or failed unforeseen.

    `file` is the one that was in hand, "" where none was; `reason` follows a file's name.
    """

    code = "reading_ended"

    def __init__(self, file: str, reason: str) -> None:
        super().__init__(f"{file}: {reason}" if file else reason)
        self.file = file
        self.reason = reason


class BuildError(LawError):
    """A stage cannot go on: an input is missing or its checks failed."""

    code = "build_failed"
