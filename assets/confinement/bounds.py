"""Bounds on work with files that are not trusted, which grow with the size of the files."""

from dataclasses import dataclass

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Bounds:
    """Bounds on one piece of work.

    Attributes:
        seconds: of wall time.
        memory: bytes that its process may come to hold beyond what it held when the work began.
        output: bytes of the largest file that it may write.
    """

    seconds: float
    memory: int
    output: int = 256 * MIB

    def excess(self, seconds: float, memory: int) -> str | None:
        """Return what work took too much of, in words that follow a file's name; None within the bounds."""
        if seconds > self.seconds:
            return f"takes more than {self.seconds:.0f} s to read"
        if memory > self.memory:
            return f"takes more than {self.memory // MIB:,} MiB of memory to read"
        return None


@dataclass(frozen=True, slots=True)
class Allowance:
    """Bounds for any size of input: what any work may take, and what each mebibyte adds.

    The fixed part is wide enough for an honest file on a busy machine; the rest lies several times above what
    reading official publications takes.
    """

    seconds: float
    seconds_per_mib: float
    memory: int
    memory_per_byte: int
    output: int = 64 * MIB
    output_per_byte: int = 8

    def of(self, size: int) -> Bounds:
        """Return the bounds for an input of `size` bytes."""
        return Bounds(
            seconds=self.seconds + self.seconds_per_mib * size / MIB,
            memory=self.memory + self.memory_per_byte * size,
            output=self.output + self.output_per_byte * size,
        )
