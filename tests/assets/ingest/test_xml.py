"""Parsing of publishers' files: what is refused, and the place that an error names."""

import pytest

from assets.errors import MalformedFileError
from assets.ingest.model import SourceFile
from assets.ingest.xml import parse_xml


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"<a>\n  <b></c></a>", "x.xml:2:10: Opening and ending tag mismatch: b line 2 and c"),
        (b"<a>\xff</a>", "x.xml:1:4: Invalid bytes in character encoding"),
        (b"<a>\0</a>", "x.xml:1:4: Invalid character: Char 0x0 out of allowed range"),
        (b" \n", "x.xml:1:1: the file is empty"),
        (b"<a/>\n<!DOCTYPE a>", "x.xml:2:"),
    ],
)
def test_an_error_names_one_place_and_one_reason(content: bytes, said: str) -> None:
    with pytest.raises(MalformedFileError) as raised:
        parse_xml(SourceFile("x.xml", "", content))
    assert raised.value.message.startswith(said)
    assert ", line" not in raised.value.message


def test_comments_and_instructions_part_no_words() -> None:
    root = parse_xml(SourceFile("x.xml", "", b"<a>al<!-- x -->pha be<?p x?>ta <b/>gam<!-- -->ma</a>"))
    assert "".join(map(str, root.itertext())) == "alpha beta gamma"
