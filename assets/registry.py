"""The reviewed registries under `datasets/registry`: what is covered, as frozen records."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assets.errors import RegistryError
from assets.ingest.designators import LabelScheme
from assets.zoning.entry import Layer, layer_entry
from serving.contract.citations.scheme import RULE_NUMBER, CitationDataError, CitationScheme
from serving.contract.records import JURISDICTION_LEVELS, Jurisdiction


@dataclass(frozen=True, slots=True)
class OwnName:
    """How provisions are cited that go by a name of their own, such as court rules.

    Attributes:
        heading: matched, without regard to case, against the heading of the provision or of the container
            that holds it; its named groups may be used in `citation`.
        citation: template with `{num}` and the groups of `heading`.
        names: how people write what stands before the number; what stands before it in `citation` if unset.
        number: regular expression of all that the template's fields may hold, in lower case.
    """

    heading: re.Pattern[str]
    citation: str
    names: tuple[str, ...] = ()
    number: str = RULE_NUMBER


@dataclass(frozen=True, slots=True)
class CodeBody:
    """One entry of `code_bodies.toml`.

    Attributes:
        key: registry key and partition, such as `us-usc`.
        level: of the body's jurisdiction.
        reader: module under `assets.ingest.formats`.
        root: first part of every canonical identifier, such as `/us/usc`.
        source_root: the prefix that the source itself uses where it writes identifiers; `root` if unset.
        citation: template of a section's citation, with `{title}` and `{num}`.
        short_name: what containers' citations begin with, such as `D.C. Code`.
        source: folder or archive that is read unless another path is given; None: none is packaged.
        release_point_pattern: regular expression whose first group is the release point in the name of an
            archive or folder, for sources whose files do not say it.
        currency: template of what the code body says of its currency, with `{release_point}`.
        titles: all titles by number, with their headings: what a complete source holds; empty: not listed.
        enacted_titles: titles in whose text a section without a title is one of that title, because the
            title itself was enacted as law.
        own_names: citations of provisions that go by a name of their own.
        label_scheme: how sections label their parts (`labels` in the file), where the outline of those whose
            markup has none is read from their text; None: it is not read.
        citing: how people cite the code, in fields of `serving.contract.citations.CitationScheme`; by its
            short name alone if unset.
    """

    key: str
    name: str
    jurisdiction: str
    reader: str
    root: str
    citation: str
    short_name: str
    publisher: str
    license: str
    source_url: str | None = None
    source_root: str | None = None
    source: str | None = None
    release_point_pattern: str | None = None
    currency: str = "{release_point}"
    titles: Mapping[str, str] = field(default_factory=dict)
    enacted_titles: tuple[str, ...] = ()
    own_names: tuple[OwnName, ...] = ()
    label_scheme: LabelScheme | None = None
    citing: Mapping[str, Any] = field(default_factory=dict)

    def citation_schemes(self) -> tuple[CitationScheme, ...]:
        """Return how the code's provisions are cited: by its own template first, then by own names.

        Raises:
            CitationDataError: a template or pattern is malformed.
        """
        main = {"names": (self.short_name,), **self.citing, "template": self.citation}
        whose = {"code": self.key, "jurisdiction": self.jurisdiction}
        schemes = [CitationScheme.from_dict({**main, **whose, "key": self.key})]
        for name in self.own_names:
            head = name.citation.partition("{")[0]
            own = {"names": name.names or (head.strip(),), "number": name.number, "template": head + "{num}"}
            key = "-".join([self.key, *re.findall(r"[a-z]+", head.lower())])
            schemes.append(CitationScheme.from_dict({**own, **whose, "key": key, "kind": "rule"}))
        return tuple(schemes)


@dataclass(frozen=True, slots=True)
class ListedJurisdiction:
    """One entry of `jurisdictions.toml`; `always` is listed in coverage even where it has no law yet."""

    jurisdiction: Jurisdiction
    always: bool


@dataclass(frozen=True, slots=True)
class Registry:
    """All registries, checked against each other."""

    jurisdictions: tuple[ListedJurisdiction, ...]
    code_bodies: tuple[CodeBody, ...]
    layers: tuple[Layer, ...] = ()

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
    jurisdictions = tuple(_jurisdiction(entry) for entry in _entries(folder / "jurisdictions.toml"))
    bodies = tuple(_code_body(entry) for entry in _entries(folder / "code_bodies.toml"))
    layers = _layers(folder / "layers.toml")
    codes = [entry.jurisdiction.short_code for entry in jurisdictions]
    _require_unique(codes, "jurisdiction")
    _require_unique([body.key for body in bodies], "code body")
    for entry in jurisdictions:
        parent = entry.jurisdiction.parent
        if parent is not None and parent not in codes:
            raise RegistryError(f"Jurisdiction {entry.jurisdiction.short_code} has unknown parent {parent}.")
    for body in bodies:
        if body.jurisdiction not in codes:
            raise RegistryError(f"Code body {body.key} has unknown jurisdiction {body.jurisdiction}.")
    _require_known(layers, codes, [body.key for body in bodies])
    return Registry(jurisdictions, bodies, layers)


def _layers(path: Path) -> tuple[Layer, ...]:
    """Read the zoning layers; a project without any needs no file of them."""
    return tuple(layer_entry(entry) for entry in _entries(path)) if path.exists() else ()


def _require_known(layers: tuple[Layer, ...], jurisdictions: list[str], bodies: list[str]) -> None:
    _require_unique([*bodies, *(layer.short_code for layer in layers)], "key of a code body or layer")
    for layer in layers:
        if layer.short_code not in jurisdictions:
            raise RegistryError(f"Layer {layer.short_code} is of no jurisdiction in the registry.")
        if layer.code_body is not None and layer.code_body not in bodies:
            raise RegistryError(f"Layer {layer.short_code} has unknown code body {layer.code_body}.")


def _entries(path: Path) -> list[dict[str, Any]]:
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8")).get("entry")
    except FileNotFoundError:
        raise RegistryError(f"{path} is missing.") from None
    except tomllib.TOMLDecodeError as error:
        raise RegistryError(f"{path}: {error}") from error
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise RegistryError(f"{path} holds no [[entry]] tables.")
    return entries


def _jurisdiction(entry: dict[str, Any]) -> ListedJurisdiction:
    try:
        record = Jurisdiction(entry["short_code"], entry["name"], entry["level"], entry.get("parent"))
    except KeyError as error:
        raise RegistryError(f"A jurisdiction lacks {error}: {entry}") from None
    if record.level not in JURISDICTION_LEVELS:
        raise RegistryError(f"Jurisdiction {record.short_code} has unknown level {record.level!r}.")
    return ListedJurisdiction(record, always=bool(entry.get("always", False)))


def _code_body(entry: dict[str, Any]) -> CodeBody:
    try:
        names = tuple(
            OwnName(
                re.compile(name["heading"], re.IGNORECASE),
                name["citation"],
                tuple(name.get("names", ())),
                name.get("number", RULE_NUMBER),
            )
            for name in entry.pop("own_names", ())
        )
        enacted = tuple(entry.pop("enacted_titles", ()))
        labels = entry.pop("labels", None)
        scheme = None if labels is None else LabelScheme(tuple(labels))
        body = CodeBody(**entry, enacted_titles=enacted, own_names=names, label_scheme=scheme)
        body.citation_schemes()
    except CitationDataError as error:
        raise RegistryError(f"Code body {entry.get('key')!r}: {error.message}") from None
    except (TypeError, ValueError, KeyError, re.error) as error:
        raise RegistryError(f"Code body {entry.get('key')!r}: {error}") from None
    return body


def _require_unique(keys: list[str], what: str) -> None:
    double = sorted({key for key in keys if keys.count(key) > 1})
    if double:
        raise RegistryError(f"Double {what} in the registry: {', '.join(double)}.")
