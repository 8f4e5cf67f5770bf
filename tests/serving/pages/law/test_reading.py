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
        self.depths: list[int] = []
        self.depth = 0
        self.ids: list[str] = []
        self.links: list[str] = []
        self.feed(str(page))
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "p":
            self.lines.append("")
            self.depths.append(self.depth)
        if tag == "div":
            self.depth += 1
        if given.get("id"):
            self.ids.append(given["id"] or "")
        if given.get("href"):
            self.links.append(given["href"] or "")

    def handle_endtag(self, tag: str) -> None:
        self.depth -= tag == "div"

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
    assert seen.depths == [0, 1, 2, 3, 0, 1]
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
    assert seen.depth == 0


def test_a_text_with_as_many_parts_and_references_as_any_has_weighs_little_beyond_its_words():
    line, levels = "(x) as section 5 has it\n", (20, 4, 4, 4)
    outline: list[dict[str, Any]] = []

    def write(label: str, start: int, depth: int) -> int:
        end = start + len(line)
        for number in range(levels[depth] if depth < len(levels) else 0):
            end = write(f"{label}({'abcdefghijklmnopqrst'[number]})", end, depth + 1)
        if label:
            outline.append(part(label, start, end))
        return end

    text = line * (write("", 0, 0) // len(line))
    starts = [at + line.index("section") for at in range(0, len(text), 10 * len(line))]
    entries = [reference(start, start + len("section 5"), "c") for start in starts]
    page = readable(text, parts_of(outline), list(links_of(entries, lambda _: "/law/us/usc/42/1395ww")))
    assert len(outline) == 1700
    assert page.count("<a href") == 171
    assert len(page) - len(text) < 35_000
