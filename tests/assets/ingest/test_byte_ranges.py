"""Byte ranges: what they cut out is the element that lxml sees."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from assets.errors import MalformedFileError
from assets.ingest.byte_ranges import element_ranges
from assets.ingest.model import SourceFile

NAMES = frozenset({"section", "part"})

Tree = tuple[str, str, list[Any]]
"""Name, text and children of an element."""

texts = st.text(alphabet="ab<>&\"'é§ ", max_size=6)
elements: st.SearchStrategy[Tree] = st.recursive(
    st.builds(
        lambda name, text: (name, text, []), st.sampled_from(["section", "part", "p", "sectional"]), texts
    ),
    lambda children: st.builds(
        lambda name, text, kids: (name, text, kids),
        st.sampled_from(["section", "part", "p", "sectional"]),
        texts,
        st.lists(children, max_size=3),
    ),
    max_leaves=8,
)


def build(tree: Tree, attribute: str) -> etree._Element:
    name, text, children = tree
    element = etree.Element(name, a=attribute)
    element.text = text
    element.append(etree.Comment("<section> "))
    for child in children:
        element.append(build(child, attribute))
    return element


@given(elements, texts)
def test_a_range_cuts_out_its_element(tree: Tree, attribute: str) -> None:
    content = etree.tostring(build(tree, attribute), xml_declaration=True, encoding="UTF-8")
    root = etree.fromstring(content)
    seen = list(root.iter("section", "part"))
    ranges = element_ranges(SourceFile("x.xml", "", content), NAMES)
    assert len(ranges) == len(seen)
    for element, (start, end) in zip(seen, ranges, strict=True):
        cut = etree.fromstring(content[start:end])
        assert etree.tostring(cut, with_tail=False) == etree.tostring(element, with_tail=False)


def test_prefixes_data_and_instructions_are_seen_through() -> None:
    content = (
        b'<?x <section> ?><x:part xmlns:x="u"><![CDATA[<section>]]><x:section a="/>"/>'
        b"<!-- </x:part> --></x:part >"
    )
    ranges = element_ranges(SourceFile("x.xml", "", content), NAMES)
    assert [content[start:end][:10] for start, end in ranges] == [b"<x:part xm", b"<x:section"]


def test_an_encoding_without_ascii_markup_is_refused() -> None:
    content = "<section/>".encode("utf-16")
    with pytest.raises(MalformedFileError, match="UTF-8"):
        element_ranges(SourceFile("x.xml", "", content), NAMES)
