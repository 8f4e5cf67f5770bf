"""Pages are parsed as hostile: what they declare is not followed, and what is missing is told."""

import pytest

from assets.errors import MalformedFileError
from assets.ingest.html import parse_html
from assets.ingest.model import SourceFile


def parsed(content: bytes, refusal: str | None = None) -> str:
    return "".join(map(str, parse_html(SourceFile("a.html", "", content, refusal)).itertext()))


def test_entities_of_a_document_are_not_read() -> None:
    page = b'<!DOCTYPE html [<!ENTITY own SYSTEM "file:///etc/passwd">]><p>a &own; &sect; 5 \xc2\xa7</p>'
    text = parsed(page)
    assert "root:" not in text
    assert "§ 5 §" in text


def test_comments_are_left_out() -> None:
    assert parsed(b"<p>a<!-- b -->c</p>") == "ac"


@pytest.mark.parametrize("content", [b"", b"  \n"])
def test_an_empty_file_is_malformed(content: bytes) -> None:
    with pytest.raises(MalformedFileError, match=r"a\.html:1:1"):
        parsed(content)


def test_a_file_that_is_set_aside_is_not_parsed() -> None:
    with pytest.raises(MalformedFileError, match="takes too long"):
        parsed(b"<p>a</p>", "takes too long")
