"""Schemes by which law is cited: the registry's, those of other codes, and reviewed popular names."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
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
        """Return the compiled grammar. It takes tens of milliseconds."""
        return Grammar(self.schemes, self.popular_names)

    def scheme(self, key: str) -> CitationScheme:
        """Return the scheme with this key, which the registry holds."""
        return next(scheme for scheme in self.schemes if scheme.key == key)

    def to_json(self) -> bytes:
        """Return the content of a snapshot's `citing.json`."""
        return orjson.dumps(
            {
                "schemes": [scheme.to_dict() for scheme in self.schemes],
                "popularNames": [name.to_dict() for name in self.popular_names],
            }
        )

    def with_names(self, names: Sequence[PopularName]) -> "Citing":
        """Return the same with further popular names, the reviewed ones before them."""
        return Citing(self.schemes, (*self.popular_names, *names), self.acts)


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
        others = schemes_of_tables(_tables(folder / OTHER_CODES, "code")["code"])
        acts = reviewed_acts(_tables(folder / POPULAR_NAMES, "name"))
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
    names = tuple(name for act in acts for name in act.popular_names())
    return Citing((*schemes, *remaining), names, acts)


def _tables(path: Path, name: str) -> dict[str, Any]:
    """Return the content of a data file, which has `[[name]]` tables."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise RegistryError(f"{path} is missing.") from None
    except tomllib.TOMLDecodeError as error:
        raise RegistryError(f"{path}: {error}") from error
    if not isinstance(content.get(name), list):
        raise RegistryError(f"{path} holds no [[{name}]] tables.")
    return content
