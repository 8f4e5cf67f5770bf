"""Entries of `code_bodies.toml`: what is known of a code body before its source is opened."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assets.errors import RegistryError
from assets.registry.connectors import ConnectorEntry
from assets.registry.labels import LabelScheme
from assets.registry.markup import Markup
from serving.contract.citations.scheme import RULE_NUMBER, CitationDataError, CitationScheme
from serving.contract.hand_written import record_of


@dataclass(frozen=True, slots=True)
class OwnName:
    """The citation of provisions that go by a name of their own, such as court rules.

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
        connector: fetches it from its publisher, where no path is given and none is packaged.
        release_point_pattern: regular expression whose first group is the release point in the name of an
            archive or folder, for sources whose files do not say it.
        currency: template of what the code body says of its currency, with `{release_point}`.
        titles: all titles by number, with their headings: what a complete source holds; empty: not listed.
        enacted_titles: titles in whose text a section without a title is one of that title, because the
            title itself was enacted as law.
        own_names: citations of provisions that go by a name of their own.
        labels: how sections label their parts, where the outline of those whose
            markup has none is read from their text; None: it is not read.
        markup: signs by which the pages of the publication are read, for readers whose publisher marks up
            each code in another way.
        replaces: keys of other codes, listed as not held, that are this code; its own key always is one.
        citing: how people cite the code, in fields of `serving.contract.citations.CitationScheme`; by its
            short name alone if unset.
        also_cited: other names of parts of the code, in the same fields, with a `key` of their own and a
            `template` that gives the code's own citation: `D.C. U.C.C. § 2-302` is `D.C. Code § 28:2-302`.
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
    connector: ConnectorEntry | None = None
    release_point_pattern: str | None = None
    currency: str = "{release_point}"
    titles: Mapping[str, str] = field(default_factory=dict)
    enacted_titles: tuple[str, ...] = ()
    own_names: tuple[OwnName, ...] = ()
    labels: LabelScheme | None = None
    markup: Markup = field(default_factory=Markup)
    replaces: tuple[str, ...] = ()
    citing: Mapping[str, Any] = field(default_factory=dict)
    also_cited: tuple[Mapping[str, Any], ...] = ()

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
        schemes += [CitationScheme.from_dict({**other, **whose}) for other in self.also_cited]
        return tuple(schemes)


def _names_of_rules(own: Mapping[str, Any], forms: Sequence[str]) -> tuple[str, ...]:
    """Return the names of an entry of `own_names`: its own, and each form with each of its subjects."""
    subjects = own.get("subjects", ())
    made = (form.replace("{subject}", subject) for form in forms for subject in subjects)
    return tuple(dict.fromkeys((*own.get("names", ()), *made)))


def code_body_entry(entry: Mapping[str, Any]) -> CodeBody:
    """Return one entry of the file as a record.

    Raises:
        RegistryError: a field is missing, unknown or malformed; the message names the code body.
    """
    fields = dict(entry)
    try:
        forms = tuple(fields.pop("rule_names", ()))
        names = tuple(
            OwnName(
                re.compile(name["heading"], re.IGNORECASE),
                name["citation"],
                _names_of_rules(name, forms),
                name.get("number", RULE_NUMBER),
            )
            for name in fields.pop("own_names", ())
        )
        enacted = tuple(fields.pop("enacted_titles", ()))
        replaces = tuple(fields.pop("replaces", ()))
        also_cited = tuple(fields.pop("also_cited", ()))
        labels = fields.pop("labels", None)
        scheme = None if labels is None else LabelScheme(tuple(labels))
        markup = Markup.from_dict(fields.pop("markup", {}))
        connector = fields.pop("connector", None)
        made = {
            "connector": None if connector is None else ConnectorEntry.from_dict(connector),
            "enacted_titles": enacted,
            "own_names": names,
            "labels": scheme,
            "markup": markup,
            "replaces": replaces,
            "also_cited": also_cited,
        }
        body = record_of(CodeBody, {**fields, **made})
        body.citation_schemes()
    except CitationDataError as error:
        raise RegistryError(f"Code body {entry.get('key')!r}: {error.message}") from None
    except (TypeError, ValueError, KeyError, re.error) as error:
        raise RegistryError(f"Code body {entry.get('key')!r}: {error}") from None
    return body
