"""Diagrams of the guide: each page's is drawn from the source that the page has."""

import re

import pytest

from deploy.diagrams import DRAWINGS, MissingDrawingError, show, sources


def test_every_diagram_is_drawn_and_no_drawing_is_left_over() -> None:
    assert sources()
    assert set(DRAWINGS.glob("*.svg")) == set(sources())


def test_a_drawing_has_the_words_of_its_source() -> None:
    for drawing, source in sources().items():
        text = re.sub(r"<[^>]+>", "", drawing.read_text(encoding="utf-8"))
        words = re.findall(r"\w+", " ".join(re.findall(r"\[\(?([^\])]+)", source)))
        assert words
        assert all(word in text for word in words)


def test_a_changed_diagram_is_refused_until_it_is_drawn() -> None:
    source = next(iter(sources().values()))
    assert show(source, "mermaid", "diagram", {}, None).count("<img ") == 1
    with pytest.raises(MissingDrawingError, match=r"\w+\.svg is missing"):
        show(source.replace("-->", "---", 1), "mermaid", "diagram", {}, None)


def test_a_drawing_loads_nothing() -> None:
    for drawing in sources():
        content = drawing.read_text(encoding="utf-8")
        assert "<script" not in content
        assert not re.findall(r"(?:href|src)=\"(?!#)|url\((?!#)|@import", content)
