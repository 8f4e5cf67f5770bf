"""Section numbers as they were read, with their pin cites, `note` and `et seq.`."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from serving.contract.citations.labels import Pin, read_pins
from serving.contract.citations.source import SourceText
from serving.contract.citations.tails import read_tail


@dataclass(frozen=True, slots=True)
class Numbered:
    """A number as read, with one pin cite at most.

    Attributes:
        num: as written, with hyphens.
        through: last number of a range.
        pin: None where the whole section is cited.
    """

    start: int
    end: int
    num: str
    through: str | None = None
    pin: Pin | None = None
    note: bool = False
    et_seq: bool = False


@dataclass(frozen=True, slots=True)
class Numbers:
    """All numbers that stand together, and where they end. `several`: they are a list of numbers."""

    members: tuple[Numbered, ...]
    end: int
    several: bool


def ranged(
    source: SourceText, start: int, end: int, first: str, last: str, pin: Pin | None = None
) -> Numbered:
    """Return a range with what stands behind its last number; pin cites there are passed over."""
    pins = read_pins(source, end)
    tail = read_tail(source, pins[-1].end if pins else end)
    if tail is None:
        return Numbered(start, pins[-1].end if pins else end, first, last, pin)
    return Numbered(start, tail.end, first, last, pin, note=tail.note, et_seq=not tail.note)


def with_pins(source: SourceText, start: int, end: int, num: str, pins: Sequence[Pin]) -> list[Numbered]:
    """Return a number once for each of its pin cites, the last with what stands behind it."""
    found = [
        Numbered(start if index == 0 else pin.start, pin.end, num, pin=pin) for index, pin in enumerate(pins)
    ] or [Numbered(start, end, num)]
    tail = read_tail(source, found[-1].end)
    if tail is not None:
        found[-1] = replace(found[-1], end=tail.end, note=tail.note, et_seq=not tail.note)
    return found
