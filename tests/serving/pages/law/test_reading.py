"""Text for reading: every word of it, each part with its anchor and its depth, references as links."""

from html.parser import HTMLParser
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from serving.pages.law.reading import Link, links_of, parts_of, readable


class Seen(HTMLParser):
    """What a browser sees: lines with their depth, anchors, links."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = []
        self.depths: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.feed(str(page))
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "p":
            self.lines.append("")
            self.depths.append(given.get("class") or "")
        if given.get("id"):
            self.ids.append(given["id"] or "")
        if given.get("href"):
            self.links.append(given["href"] or "")

    def handle_data(self, data: str) -> None:
        self.lines[-1] += data


def part(label: str, start: int, end: int, *, uncertain: bool = False) -> dict[str, Any]:
    return {"label": label, "start": start, "end": end, "uncertain": uncertain}


def reference(start: int, end: int, citation: str, node: str | None = "x") -> dict[str, Any]:
    return {"start": start, "end": end, "citation": citation, "nodeId": node, "reason": None}


TEXT = "Lead in <b>.\n(a) Heading.—(1) one & two\n(2) see section 5(b) here\n(A) deep\nflush\n\n(b) last"


def at(words: str) -> int:
    return TEXT.index(words)


OUTLINE = [
    part("(a)", at("(a)"), at("\nflush")),
    part("(a)(1)", at("(1)"), at("\n(2)")),
    part("(a)(2)", at("(2)"), at("\nflush")),
    part("(a)(2)(A)", at("(A)"), at("\nflush"), uncertain=True),
    part("(b)", at("(b) last"), len(TEXT)),
]


def test_lines_are_indented_by_their_parts_which_have_their_anchors():
    links = links_of(
        [reference(at("section 5"), at(" here"), "1 S.F.C. § 5(b)")], lambda _: "/law/us/sample/1/5"
    )
    page = readable(TEXT, parts_of(OUTLINE), list(links))
    seen = Seen(page)
    assert seen.lines == [line for line in TEXT.split("\n") if line]
    assert seen.depths == ["", "d1", "d2", "d3", "", "d1"]
    assert seen.ids == ["a", "a-1", "a-2", "a-2-A", "b"]
    assert seen.links == ["/law/us/sample/1/5#b"]
    assert "<u>(A)</u> deep" in page
    assert "&lt;b&gt;" in page


def test_references_that_lead_nowhere_or_into_one_another_are_words():
    entries = [
        reference(0, 9, "a", None),
        reference(10, 30, "b"),
        reference(12, 20, "c"),
        reference(40, 50, "d", "gone"),
    ]
    links = list(links_of(entries, {"x": "/law/x"}.get))
    assert links == [Link(10, 30, "/law/x")]


def test_a_label_that_stands_twice_has_two_anchors():
    parts = parts_of([part("(a)", 0, 5), part("(a)", 6, 9)])
    assert [one.fragment for one in parts] == ["a", "a~2"]


@given(st.data())
def test_no_word_is_lost_wherever_parts_and_links_stand(data):
    text = data.draw(st.text(alphabet="(a)1 \n<&§é", min_size=1, max_size=40))
    spans = st.tuples(st.integers(0, len(text)), st.integers(0, len(text))).map(sorted)
    outline = [part("(a)(1)", start, end) for start, end in data.draw(st.lists(spans, max_size=5))]
    entries = [
        reference(start, end, "c") for start, end in data.draw(st.lists(spans, max_size=5)) if end > start
    ]
    parts = parts_of(outline)
    seen = Seen(readable(text, parts, list(links_of(entries, lambda _: "/law/x"))))
    assert seen.lines == [line for line in text.split("\n") if line]
    assert len(set(seen.ids)) == len(seen.ids)
