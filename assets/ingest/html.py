"""Parse HTML from publishers as if it were hostile: no network, no bombs, nothing but elements and text."""

from lxml import etree

from assets.errors import MalformedFileError
from assets.ingest.model import SourceFile


def parse_html(file: SourceFile) -> etree._Element:
    """Return the root element of a pinned page in UTF-8, without its comments and processing instructions.

    What is not well formed, such as a paragraph that is never closed, is read as browsers read it.

    Raises:
        MalformedFileError: it is empty, holds no elements, or is set aside.
    """
    if file.refusal is not None:
        raise MalformedFileError(file.path, file.refusal)
    if not file.content or file.content.isspace():
        raise MalformedFileError(file.path, "the file is empty", line=1, column=1)
    parser = etree.HTMLParser(
        encoding="utf-8", no_network=True, huge_tree=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(file.content, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        reason = str(error).partition(",")[0] or "is no HTML"
        raise MalformedFileError(file.path, reason, line=1, column=1) from None
    if root is None:
        raise MalformedFileError(file.path, "is no HTML", line=1, column=1)
    return root
