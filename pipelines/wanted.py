"""What a person asks `lawbuild` for: code bodies, and where their sources lie."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from assets.errors import BuildError
from assets.registry import Registry


@dataclass(frozen=True, slots=True)
class Wanted:
    """A code body to build, and where its source lies; None: the registry's own."""

    key: str
    path: str | None


def wanted_bodies(texts: Sequence[str], registry: Registry) -> list[Wanted]:
    """Return the code bodies that were asked for as `KEY` or `KEY=PATH`.

    Raises:
        BuildError: one is asked for twice, or has nothing after its `=`.
        LawError: the registry knows no such key; the message names those it knows.
    """
    bodies = [_wanted(text, registry) for text in texts]
    for key, count in Counter(body.key for body in bodies).items():
        if count > 1:
            raise BuildError(f"{key} is named {count} times; name each code body once.")
    return bodies


def _wanted(text: str, registry: Registry) -> Wanted:
    key, separator, path = text.partition("=")
    body = registry.code_body(key)
    if separator and not path.strip():
        raise BuildError(f"There is no path after {text!r}; without `=` it is the registry's own source.")
    return Wanted(body.key, str(Path(path).expanduser().absolute()) if path else None)
