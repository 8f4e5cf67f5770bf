"""Bounds on work with files that are not trusted, which grow with the size of the files."""

from dataclasses import dataclass

MIB = 1024 * 1024
PATIENCE = 5
"""Seconds of wall time for each of processor time: a machine with other work refuses no good file."""


@dataclass(frozen=True, slots=True)
class Taken:
    """Time that work has taken so far.

    Attributes:
        processor: seconds of processor time, of all threads.
        wall: seconds of wall time.
        memory: bytes that its process came to hold since the work began.
    """

    processor: float
    wall: float
    memory: int


@dataclass(frozen=True, slots=True)
class Bounds:
    """Bounds on one piece of work.

    Attributes:
        seconds: of processor time; of wall time it may take `PATIENCE` times as many.
        memory: bytes that its process may come to hold beyond what it held when the work began.
        output: bytes of the largest file that it may write.
    """

    seconds: float
    memory: int
    output: int = 256 * MIB

    def excess(self, taken: Taken) -> str | None:
        """Return what work took too much of, in words that follow a file's name; None within the bounds."""
        for seconds, most in ((taken.processor, self.seconds), (taken.wall, PATIENCE * self.seconds)):
            if seconds > most:
                return f"takes more than {most:.0f} s to read"
        if taken.memory > self.memory:
            return f"takes more than {self.memory // MIB:,} MiB of memory to read"
        return None


@dataclass(frozen=True, slots=True)
class Allowance:
    """Bounds for any size of input: what any work may take, and what each mebibyte adds.

    The fixed part is wide enough for any honest file; the rest lies several times above what reading official
    publications takes.
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
