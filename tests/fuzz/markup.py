"""Markup that is well formed and says nothing that a publisher would say."""

from collections.abc import Sequence

from hypothesis import strategies as st
from lxml import etree


@st.composite
def rearranged(draw: st.DrawFn, samples: Sequence[bytes], words: Sequence[str], *, changes: int = 6) -> bytes:
    """A sample whose elements are taken away, doubled, moved, renamed, emptied, or given other words.

    Args:
        draw: Hypothesis's own.
        samples: documents.
        words: what may stand in a text or an attribute.
        changes: the most of them.
    """
    root = etree.fromstring(draw(st.sampled_from(samples)))
    word = st.sampled_from(words)
    for _ in range(draw(st.integers(1, changes))):
        elements = [one for one in root.iter() if isinstance(one.tag, str)]
        chosen, other = (draw(st.sampled_from(elements)) for _ in range(2))
        match draw(st.integers(0, 7)):
            case 0:
                _take(chosen, root)
            case 1:
                other.append(_copy(chosen))
            case 2:
                other.addprevious(_copy(chosen)) if other is not root else other.append(_copy(chosen))
            case 3:
                chosen.tag = other.tag
            case 4:
                chosen.text = draw(word)
            case 5:
                chosen.tail = draw(word) if chosen is not root else None
            case 6 if chosen.attrib:
                chosen.set(draw(st.sampled_from(sorted(chosen.attrib))), draw(word))
            case _:
                for name in list(chosen.attrib)[: draw(st.integers(0, 2))]:
                    del chosen.attrib[name]
    return bytes(etree.tostring(root, encoding="utf-8"))


def _copy(element: etree._Element) -> etree._Element:
    copied = etree.fromstring(etree.tostring(element, with_tail=False))
    return copied if len(etree.tostring(copied)) < 20_000 else etree.Element(element.tag)


def _take(element: etree._Element, root: etree._Element) -> None:
    parent = element.getparent()
    if parent is not None and element is not root:
        parent.remove(element)
