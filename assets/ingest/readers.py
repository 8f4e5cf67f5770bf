"""The readers and oracles by the name that the registry uses."""

from collections.abc import Callable
from dataclasses import dataclass

from assets.errors import RegistryError
from assets.ingest.accounting import Account
from assets.ingest.formats import dc_law, open_law, uslm
from assets.ingest.model import Reader, SourceFile
from assets.ingest.oracles import law_xml as law_xml_oracle
from assets.ingest.oracles import open_law as open_law_oracle
from assets.ingest.oracles import uslm as uslm_oracle


@dataclass(frozen=True, slots=True)
class Dialect:
    """A dialect of publishers.

    Attributes:
        reader: gives the provisions.
        account: the oracle's view of one file; knows nothing of the reader.
    """

    reader: Reader
    account: Callable[[SourceFile], Account]


DIALECTS = {
    "uslm": Dialect(uslm, uslm_oracle.account),
    "dc_law": Dialect(dc_law, law_xml_oracle.account),
    "open_law": Dialect(open_law, open_law_oracle.account),
}


def dialect(name: str) -> Dialect:
    """Return the dialect that a code body's `reader` names.

    Raises:
        RegistryError: there is none; the message lists those there are.
    """
    try:
        return DIALECTS[name]
    except KeyError:
        raise RegistryError(f"No reader {name!r}; known: {', '.join(DIALECTS)}.") from None
