"""Read the reviewed registries under `datasets/registry` and check them against each other."""

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from assets.errors import RegistryError
from assets.registry.code_bodies import CodeBody, code_body_entry
from assets.registry.identity import require_identity, require_roots_apart
from assets.registry.jurisdictions import ListedJurisdiction, jurisdiction_entry
from assets.registry.layers import Layer, layer_entry

JURISDICTIONS = "jurisdictions.toml"
CODE_BODIES = "code_bodies.toml"
LAYERS = "layers.toml"

_REMEMBERED = 4
"""Contents of the files that are remembered; one is read in a build."""


@dataclass(frozen=True, slots=True)
class Registry:
    """All registries, checked against each other."""

    jurisdictions: tuple[ListedJurisdiction, ...]
    code_bodies: tuple[CodeBody, ...]
    layers: tuple[Layer, ...] = ()

    def entry(self, key: str) -> CodeBody | Layer:
        """Return the code body or zoning layer with this key: no two have the same.

        Raises:
            RegistryError: there is none.
        """
        layers = {layer.short_code: layer for layer in self.layers}
        return layers[key] if key in layers else self.code_body(key)

    def layer(self, short_code: str) -> Layer:
        """Return the zoning layer of a jurisdiction.

        Raises:
            RegistryError: there is none; the message lists those there are.
        """
        for layer in self.layers:
            if layer.short_code == short_code:
                return layer
        known = ", ".join(layer.short_code for layer in self.layers)
        raise RegistryError(f"No zoning layer {short_code!r} in the registry; known: {known}.")

    def code_body(self, key: str) -> CodeBody:
        """Return the code body with this key.

        Raises:
            RegistryError: there is none; the message lists those there are.
        """
        for body in self.code_bodies:
            if body.key == key:
                return body
        known = ", ".join(body.key for body in self.code_bodies)
        raise RegistryError(f"No code body {key!r} in the registry; known: {known}.")


def load_registry(folder: Path) -> Registry:
    """Read the registries in `folder`.

    Raises:
        RegistryError: a file is missing or malformed, a key is double or a reference dangles.
    """
    layers = folder / LAYERS
    return _checked(
        folder,
        _content(folder / JURISDICTIONS),
        _content(folder / CODE_BODIES),
        # A project without any zoning layers needs no file of them.
        _content(layers) if layers.exists() else None,
    )


# A build asks at each step, of files that stay as they are: what their bytes say is remembered.
@lru_cache(maxsize=_REMEMBERED)
def _checked(folder: Path, of_jurisdictions: bytes, of_bodies: bytes, of_layers: bytes | None) -> Registry:
    jurisdictions = tuple(
        jurisdiction_entry(entry) for entry in _entries(folder / JURISDICTIONS, of_jurisdictions)
    )
    bodies = tuple(code_body_entry(entry) for entry in _entries(folder / CODE_BODIES, of_bodies))
    layers: tuple[Layer, ...] = ()
    if of_layers is not None:
        layers = tuple(layer_entry(entry) for entry in _entries(folder / LAYERS, of_layers))
    codes = [entry.jurisdiction.short_code for entry in jurisdictions]
    _require_unique(codes, "jurisdiction")
    _require_unique([body.key for body in bodies], "code body")
    for entry in jurisdictions:
        parent = entry.jurisdiction.parent
        if parent is not None and parent not in codes:
            raise RegistryError(f"Jurisdiction {entry.jurisdiction.short_code} has unknown parent {parent}.")
    for body in bodies:
        require_identity(body)
        if body.jurisdiction not in codes:
            raise RegistryError(f"Code body {body.key} has unknown jurisdiction {body.jurisdiction}.")
    require_roots_apart(bodies)
    _require_known(layers, codes, [body.key for body in bodies])
    return Registry(jurisdictions, bodies, layers)


def _require_known(layers: tuple[Layer, ...], jurisdictions: list[str], bodies: list[str]) -> None:
    _require_unique([*bodies, *(layer.short_code for layer in layers)], "key of a code body or layer")
    for layer in layers:
        if layer.short_code not in jurisdictions:
            raise RegistryError(f"Layer {layer.short_code} is of no jurisdiction in the registry.")
        if layer.code_body is not None and layer.code_body not in bodies:
            raise RegistryError(f"Layer {layer.short_code} has unknown code body {layer.code_body}.")


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise RegistryError(f"{path} is missing.") from None


def _entries(path: Path, written: bytes) -> list[dict[str, Any]]:
    try:
        entries = tomllib.loads(written.decode()).get("entry")
    except tomllib.TOMLDecodeError as error:
        raise RegistryError(f"{path}: {error}") from error
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise RegistryError(f"{path} holds no [[entry]] tables.")
    return entries


def _require_unique(keys: list[str], what: str) -> None:
    double = sorted({key for key in keys if keys.count(key) > 1})
    if double:
        raise RegistryError(f"Double {what} in the registry: {', '.join(double)}.")
