"""The oracle for the Open Law Library's publishers: their law-xml, and the pages of their sites."""

from assets.ingest.accounting import Account
from assets.ingest.model import SourceFile
from assets.ingest.oracles import law_xml


def account(file: SourceFile) -> Account:
    """Return the account of a file of the library."""
    return law_xml.account(file)
