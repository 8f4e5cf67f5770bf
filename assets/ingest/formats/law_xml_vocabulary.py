"""Names of law-xml elements in one namespace. Open Law publishes the same schema under several."""

import re
from dataclasses import dataclass
from functools import lru_cache

from lxml import etree

from assets.ingest.white_space import collapse

XINCLUDE = "{http://www.w3.org/2001/XInclude}include"

_DC_CODE = "D.C. Code"
"""The D.C. Code's files of one section do not say which document they are of."""

SIGN = re.compile(rb"[\"'][^\"'<>]*/schemas/(?:dc-)?library[\"']")
"""The namespace of law-xml, of whichever publisher."""

_BESIDE_TEXT = ("annotation", "annotations", "reason", "meta", "toc", "fn", "footnotes")
"""Of these `fn` is the mark of a footnote where it is called, and `footnotes` hold what the marks lead to."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Qualified names of the elements that the reader asks for, in one namespace.

    Attributes:
        namespace: in braces, as the names begin.
        beside_text: names of elements that hold no law wherever they stand.
        own_names: what references call the document itself by.
    """

    namespace: str
    own_names: frozenset[str]
    beside_text: frozenset[str]
    document: str
    container: str
    section: str
    prefix: str
    num: str
    heading: str
    subheading: str
    reason: str
    text: str
    para: str
    include: str
    table: str
    annotation: str
    annotations: str
    footnotes: str
    footnote: str
    meta: str
    recency: str
    law: str


def local_name(element: etree._Element) -> str:
    """Return the name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


def vocabulary_of(element: etree._Element) -> Vocabulary:
    """Return the vocabulary of a file, by its root element."""
    space, brace, _ = str(element.tag).rpartition("}")
    return _vocabulary(space + brace, element.get("id") or element.get("containing-doc") or _DC_CODE)


@lru_cache(maxsize=16)
def _vocabulary(namespace: str, document: str) -> Vocabulary:
    given = ("namespace", "own_names", "beside_text")
    names = [name for name in Vocabulary.__slots__ if name not in given]
    return Vocabulary(
        namespace=namespace,
        own_names=frozenset({document, _DC_CODE}),
        beside_text=frozenset(f"{namespace}{name}" for name in _BESIDE_TEXT),
        **{name: f"{namespace}{name}" for name in names},
    )


def words_of(element: etree._Element) -> str:
    """Return all text below an element, white space folded."""
    if len(element) == 0:
        return collapse(element.text or "")
    return collapse("".join(map(str, element.itertext())))
