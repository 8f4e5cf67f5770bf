"""Schemes by which law is cited: the registry's, those of other codes, and reviewed popular names."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import orjson

from assets.errors import RegistryError
from assets.registry.overlaps import require_no_overlap, schemes_of_bodies
from assets.registry.registry import Registry
from assets.registry.reviewed_acts import ReviewedAct, reviewed_acts
from serving.contract.citations import (
    CitationDataError,
    CitationScheme,
    Grammar,
    PopularName,
    schemes_of_tables,
)

OTHER_CODES = "other_codes.toml"
POPULAR_NAMES = "popular_names.toml"

_REMEMBERED = 4
"""Contents of each data file that are remembered; one is read in a build."""


_GRAMMARS = 2
"""Compiled grammars that are remembered: with the names that the law gives and without."""


@dataclass(frozen=True, slots=True)
class Citing:
    """Schemes, those of selected code bodies first, and what acts are called.

    Attributes:
        popular_names: names of acts, the reviewed ones before those that the law gives.
        acts: the reviewed acts, with all that is known of them.
    """

    schemes: tuple[CitationScheme, ...]
    popular_names: tuple[PopularName, ...]
    acts: tuple[ReviewedAct, ...] = ()

    def grammar(self) -> Grammar:
        """Return the compiled grammar, the same object where a build asks for it again."""
        return _compiled(self.schemes, self.popular_names)

    def scheme(self, key: str) -> CitationScheme:
        """Return the scheme with this key, which the registry holds."""
        return next(scheme for scheme in self.schemes if scheme.key == key)

    def to_json(self) -> bytes:
        """Return the content of a snapshot's `citing.json`."""
        # Of the objects themselves, not of copies as dictionaries: a build asks for it at each of its steps.
        return orjson.dumps({"schemes": self.schemes, "popularNames": self.popular_names})

    def with_names(self, names: Sequence[PopularName]) -> "Citing":
        """Return the same with further popular names, the reviewed ones before them."""
        return Citing(self.schemes, (*self.popular_names, *names), self.acts)


@lru_cache(maxsize=_GRAMMARS)
def _compiled(schemes: tuple[CitationScheme, ...], popular_names: tuple[PopularName, ...]) -> Grammar:
    return Grammar(schemes, popular_names)


def load_citing(folder: Path, registry: Registry, selected: Sequence[str]) -> Citing:
    """Read what is known of citing from `folder` and from the registry.

    Codes of the registry that are not selected are known too, so that a citation of them is told from no
    citation; not so those invented codes that come with the project. A selected code takes the place of the
    entry of the same key in the data file, and of those that it says it replaces. For one that is not
    selected that entry stands, which asks less of its numbers.

    Args:
        folder: with `other_codes.toml` and `popular_names.toml`.
        registry: of the code bodies.
        selected: keys of the code bodies that are held.

    Raises:
        RegistryError: a file is missing or malformed, or a code that is held is listed as not held.
    """
    try:
        others = _other_codes(folder / OTHER_CODES, _content(folder / OTHER_CODES))
        acts, names = _known_acts(folder / POPULAR_NAMES, _content(folder / POPULAR_NAMES))
    except CitationDataError as error:
        raise RegistryError(f"{folder}: {error.message}") from None
    listed = {scheme.code for scheme in others}
    bodies = [body for body in registry.code_bodies if body.key in selected]
    bodies += [
        body
        for body in registry.code_bodies
        if body.key not in selected and body.source is None and body.key not in listed
    ]
    registered = {key for body in bodies for key in (body.key, *body.replaces)}
    schemes = schemes_of_bodies(bodies, others)
    remaining = [scheme for scheme in others if scheme.code not in registered]
    held = [body for body in bodies if body.key in selected]
    require_no_overlap(held, schemes, remaining, listed=listed)
    return Citing((*schemes, *remaining), names, acts)


# A build asks at each step, of files that stay as they are: what their bytes say is remembered.
@lru_cache(maxsize=_REMEMBERED)
def _other_codes(path: Path, content: bytes) -> tuple[CitationScheme, ...]:
    return schemes_of_tables(_tables(path, content, "code")["code"])


@lru_cache(maxsize=_REMEMBERED)
def _known_acts(path: Path, content: bytes) -> tuple[tuple[ReviewedAct, ...], tuple[PopularName, ...]]:
    acts = reviewed_acts(_tables(path, content, "name"))
    return acts, tuple(name for act in acts for name in act.popular_names())


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise RegistryError(f"{path} is missing.") from None


def _tables(path: Path, written: bytes, name: str) -> dict[str, Any]:
    """Return the content of a data file, which has `[[name]]` tables."""
    try:
        content = tomllib.loads(written.decode())
    except tomllib.TOMLDecodeError as error:
        raise RegistryError(f"{path}: {error}") from error
    if not isinstance(content.get(name), list):
        raise RegistryError(f"{path} holds no [[{name}]] tables.")
    return content
