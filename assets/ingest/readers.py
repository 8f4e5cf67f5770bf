"""The formats by the name that the registry uses: a new one is an entry of this table."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from assets.errors import RegistryError
from assets.ingest.accounting import Account
from assets.ingest.acts import ActReader
from assets.ingest.formats import (
    dc_law,
    dc_law_links,
    ecfr,
    ecfr_links,
    ecfr_title,
    federal_acts,
    law_xml_code,
    law_xml_instructions,
    law_xml_links,
    law_xml_vocabulary,
    open_law,
    open_law_links,
    unicourt,
    unicourt_links,
    unicourt_title,
    uslm,
    uslm_links,
    uslm_text,
)
from assets.ingest.links import LinkReader, SectionNamer
from assets.ingest.misreadings import Instructions
from assets.ingest.model import Reader, SourceFile
from assets.ingest.oracles import ecfr as ecfr_oracle
from assets.ingest.oracles import law_xml as law_xml_oracle
from assets.ingest.oracles import open_law as open_law_oracle
from assets.ingest.oracles import unicourt as unicourt_oracle
from assets.ingest.oracles import uslm as uslm_oracle
from assets.ingest.shared_identifiers import EnactingLaw
from assets.registry import CodeBody


@dataclass(frozen=True, slots=True)
class Dialect:
    """A format of publishers, with all that is particular to it.

    Attributes:
        reader: gives the provisions.
        sign: found near the beginning of every file that the reader reads.
        oracle: for a code body, what accounts for each of its files; knows nothing of the reader.
        enacting_law: what tells provisions of one number apart, before their headings do.
        follow_links: leads the links that sources mark up to provisions.
        named_section: returns the section of the own code that a link names.
        acts: reads what notes and source credits say of acts; None: they say nothing.
        instructions: finds those that the publisher's tools have not carried out; None: the format has none.
    """

    reader: Reader
    sign: re.Pattern[bytes]
    oracle: Callable[[CodeBody], Callable[[SourceFile], Account]]
    enacting_law: EnactingLaw
    follow_links: LinkReader
    named_section: SectionNamer
    acts: ActReader | None = None
    instructions: Instructions | None = None


DIALECTS = {
    "uslm": Dialect(
        reader=uslm,
        sign=uslm_text.SIGN,
        oracle=lambda _body: uslm_oracle.account,
        enacting_law=uslm.enacting_law,
        follow_links=uslm_links.follow_links,
        named_section=uslm_links.named_section,
        acts=federal_acts,
    ),
    "dc_law": Dialect(
        reader=dc_law,
        sign=law_xml_vocabulary.SIGN,
        oracle=lambda _body: law_xml_oracle.account,
        enacting_law=law_xml_code.enacting_law,
        follow_links=dc_law_links.follow_links,
        named_section=law_xml_links.named_section,
        acts=federal_acts,
        instructions=law_xml_instructions.instructions,
    ),
    "open_law": Dialect(
        reader=open_law,
        sign=open_law.SIGN,
        oracle=lambda _body: open_law_oracle.account,
        enacting_law=law_xml_code.enacting_law,
        follow_links=open_law_links.follow_links,
        named_section=law_xml_links.named_section,
        instructions=law_xml_instructions.instructions,
    ),
    "unicourt": Dialect(
        reader=unicourt,
        sign=unicourt.SIGN,
        oracle=unicourt_oracle.oracle,
        enacting_law=unicourt_title.version,
        follow_links=unicourt_links.follow_links,
        named_section=unicourt_links.named_section,
    ),
    "ecfr": Dialect(
        reader=ecfr,
        sign=ecfr.SIGN,
        oracle=lambda _body: ecfr_oracle.account,
        enacting_law=ecfr_title.version,
        follow_links=ecfr_links.follow_links,
        named_section=ecfr_links.named_section,
    ),
}

SIGNS = {name: dialect.sign for name, dialect in DIALECTS.items()}
"""By the names of readers, what is found near the beginning of every file that they read."""


def dialect(name: str) -> Dialect:
    """Return the dialect that a code body's `reader` names.

    Raises:
        RegistryError: there is none; the message lists those there are.
    """
    try:
        return DIALECTS[name]
    except KeyError:
        raise RegistryError(f"No reader {name!r}; known: {', '.join(DIALECTS)}.") from None
