"""Reader for the law-xml of the Open Law Library, as the D.C. Council publishes its code."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

from assets.ingest.collection import pausing_collection
from assets.ingest.formats.law_xml_code import CodeFiles, read_code
from assets.ingest.formats.law_xml_names import Place, SectionName, plain_number
from assets.ingest.formats.law_xml_status import SHELVED
from assets.ingest.formats.law_xml_tree import SourceTree
from assets.ingest.formats.law_xml_vocabulary import vocabulary_of
from assets.ingest.model import Currency, SourceFiles, Unit
from assets.registry import CodeBody

_FILE_NUMBER = re.compile(r"\d+[A-Za-z]*[-:]\d.*")


@pausing_collection
def read(files: SourceFiles, body: CodeBody) -> Iterator[Unit]:
    """Yield a unit for the divisions, then one a title. See `assets.ingest.model.Reader`."""
    tree = SourceTree(files)
    currency = None if tree.top is None else _currency(tree.top.root)
    yield from read_code(CodeFiles(tree, body, _Naming(body), currency))


@dataclass(frozen=True, slots=True)
class _Naming:
    """Sections are numbered `{title}-{number}` through the whole code, wherever they stand."""

    body: CodeBody

    def section(self, printed: str, _heading: str, path: str, _place: Place, /) -> SectionName | None:
        num = _section_number(printed, path)
        if not num:
            return None
        title = num.partition("-")[0].partition(":")[0]
        return SectionName(num, f"{self.body.root}/{num}", self.body.citation.format(title=title, num=num))


def _section_number(text: str, path: str) -> str:
    """Return the number of a section.

    It is that of its file's name where instructions to the codifiers mangled the printed one, or where only
    the name says that the text is shelved: `25-765(Perm).xml` is not § 25-765, which stands elsewhere.
    """
    num = plain_number(text)
    stem = path.rpartition("/")[2].removesuffix(".xml").replace("~", ":")
    mangled = num and "-" not in num and _FILE_NUMBER.fullmatch(stem)
    return plain_number(stem) if mangled or stem == f"{num}{SHELVED}" else num


def _currency(root: etree._Element) -> Currency | None:
    names = vocabulary_of(root)
    recency = root.find(f"{names.meta}/{names.recency}")
    if recency is None:
        return None
    through = recency.get("through")
    element = recency.find(names.law)
    law = None if element is None else element.get("doc")
    if law is None:
        return Currency(through, None) if through else None
    return Currency(f"{law} (through {through})" if through else law, law.rpartition(" ")[2])
