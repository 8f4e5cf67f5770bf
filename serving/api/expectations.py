"""Predicates that say what a value should be: in the messages of REST and of tools, the same words."""

from collections.abc import Iterable

BOOLEAN = "must be true or false"
STRING = "must be a string"
UUID = "must be a UUID such as 6f0b8c1e-3c59-5a0e-9d53-2b1f6c9d7e41"


def whole_number(low: int, high: int | None) -> str:
    """Return the predicate of whole numbers within bounds."""
    return f"must be a whole number{f', {low} or more' if high is None else f' from {low} to {high}'}"


def characters(low: int, high: int | None) -> str:
    """Return the predicate of strings of a length within bounds."""
    if high is None:
        return f"must be at least {low} characters long" if low > 1 else "must not be empty"
    return (
        f"must be {low} to {high:,} characters long" if low else f"must be at most {high:,} characters long"
    )


def one_of(values: Iterable[str]) -> str:
    """Return the predicate of a choice."""
    return f"must be one of {', '.join(values)}"


def items(low: int, high: int) -> str:
    """Return the predicate of lists of a length within bounds."""
    return f"must be a list of {low} to {high} items"


def record(names: Iterable[str]) -> str:
    """Return the predicate of objects with fields of some names."""
    return f"must be an object of {', '.join(names)}"
