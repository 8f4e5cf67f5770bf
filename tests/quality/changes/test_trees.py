"""The tree comparison that judges the feed: small trees, each with the one right answer."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

from tests.quality.changes.__main__ import disagreements
from tests.quality.changes.law_xml_tree import read_tree
from tests.quality.changes.pages_tree import read_pages
from tests.quality.changes.trees import RENDERED, Unit, compared

DOGS = "No person shall keep a dog in the city without a licence from the clerk."
ONE = Unit("1", "", "Dogs.", DOGS, ("History: Law 1-1",), ("title 1",))
TWO = Unit("2", "", "Cats.", "A cat that is found at large may be taken to the shelter.", (), ("title 1",))


def kinds(old: list[Unit], new: list[Unit]) -> dict[str, dict[str, int]]:
    return {name: dict(found) for name, found in compared(old, new).items()}


def test_each_kind_is_told_from_the_others() -> None:
    assert kinds([ONE, TWO], [TWO, ONE]) == {}
    assert kinds([ONE], [ONE, TWO]) == {"2": {"added": 1}}
    assert kinds([ONE, TWO], [TWO]) == {"1": {"removed": 1}}
    assert kinds([ONE], [replace(ONE, name="7")]) == {"7": {"renumbered": 1}}
    assert kinds([ONE], [replace(ONE, text=f"{DOGS} Or cat.")]) == {"1": {"amended": 1}}
    assert kinds([ONE], [replace(ONE, heading="Hounds.")]) == {"1": {"amended": 1}}
    assert kinds([ONE], [replace(ONE, state="repealed", text="Repealed.")]) == {"1": {"status": 1}}
    assert kinds([ONE], [replace(ONE, notes=())]) == {"1": {"editorial": 1}}
    assert kinds([ONE], [replace(ONE, place=("title 2",))]) == {"1": {"editorial": 1}}
    assert kinds([ONE], [replace(ONE, heading="Dogs .")]) == {"1": {RENDERED: 1}}
    assert kinds([ONE], [replace(ONE, derived=("Section 2",))]) == {"1": {RENDERED: 1}}


def test_a_stub_where_a_text_stood_that_moved_is_no_new_provision() -> None:
    stub = replace(ONE, state="repealed", text="Repealed.")
    assert kinds([ONE], [replace(ONE, name="7"), stub]) == {"7": {"renumbered": 1}, "1": {"status": 1}}


def test_texts_of_one_number_are_told_apart() -> None:
    other = replace(ONE, heading="Dogs (temporary).", text=f"{DOGS} It applies for 90 days.")
    assert kinds([ONE], [other, ONE]) == {"1": {"added": 1}}


def test_the_feed_may_leave_out_only_what_a_site_renders() -> None:
    editorial, rendered = Counter({"editorial": 1}), Counter({RENDERED: 1})
    assert disagreements({"1": rendered}, {}) == {}
    assert disagreements({"1": rendered}, {"1": editorial}) == {}
    assert disagreements({"1": editorial}, {"1": editorial}) == {}
    for files, feed in (
        (editorial, Counter[str]()),
        (Counter[str](), editorial),
        (rendered, Counter({"amended": 1})),
    ):
        assert disagreements({"1": files}, {"1": feed}) == {"1": (files, feed)}


def test_law_xml_is_what_its_tables_of_contents_lead_to(tmp_path: Path) -> None:
    code = tmp_path / "us/dc/council/code"
    (code / "titles").mkdir(parents=True)
    (code / "index.xml").write_text(
        '<document xmlns:xi="x"><subheading>Division I. City.</subheading>'
        "<container><prefix>Title</prefix><num>1</num><heading>Dogs</heading>"
        '<xi:include href="titles/1.xml"/><xi:include href="titles/gone.xml"/></container></document>',
        encoding="utf-8",
    )
    (code / "titles/1.xml").write_text(
        '<section xmlns:codify="a/codify"><num>[1-1]</num><reason>Repealed</reason><heading>Dogs.</heading>'
        "<text>*NOTE: An act expires.*</text><para><num>(a)</num><text>Law<s>s</s>.</text></para><annotations>"
        '<annotation type="History" doc="Law 1-1" eff="2020-01-01" path="§2"/>'
        '<annotation type="History" doc="Law 1-2" display="false"/>'
        '<annotation type="History" doc="Law 1-1" eff="2020-01-01" path="§3"/><codify:annotation>x</codify:annotation>'
        "</annotations></section>",
        encoding="utf-8",
    )
    (code / "titles/2.xml").write_text("<section><num>1-2</num></section>", encoding="utf-8")
    division, title, section = read_tree(tmp_path)
    assert (division.name, division.heading) == ("division i", "City.")
    assert (title.name, title.place) == ("division i > title 1", ("division i",))
    assert section == Unit(
        "1-1",
        "repealed",
        "Dogs.",
        "(a)Law.",
        ("Repealed", "*NOTE: An act expires.*", "History: Law 1-1 2020-01-01 §2 §3"),
        ("division i", "title 1"),
    )


def test_pages_are_what_their_contents_lead_to(tmp_path: Path) -> None:
    base = tmp_path / "us/ca/cities/san-mateo/code"
    base.mkdir(parents=True)
    address = "/us/ca/cities/san-mateo/code"

    def page(path: Path, title: str, content: str) -> None:
        path.write_text(
            f"<html><article><div><h1>{title}</h1>{content}</div></article></html>", encoding="utf-8"
        )

    page(base.with_suffix(".html"), "Code", f"<nav><a href='{address}/1'>Title 1</a></nav>")
    links = "".join(f"<a href='{address}/{path}'>{path}</a>" for path in ("1-01", "gone"))
    page(base / "1.html", "Title 1 DOGS", f"<nav><h2>Article I. Pets</h2>{links}</nav>")
    asides = "<aside><p>(Ord. 1)</p><h4>Cross References</h4><p>Section 2</p></aside>"
    page(base / "1-01.html", "1.01 HOUNDS.\n[Repealed]", f"<p>Repealed.</p>{asides}")
    page(base / "1.02.html", "1.02 LEFT.", "<p>Law.</p>")
    title, article, section = read_pages(tmp_path)
    assert (title.name, title.heading) == ("title 1", "DOGS")
    assert (article.name, article.heading) == ("title 1 > article i", "Pets")
    assert section == Unit(
        "1.01",
        "repealed",
        "HOUNDS.",
        "Repealed.",
        ("(Ord. 1)",),
        ("title 1", "article i"),
        ("Cross References", "Section 2"),
    )
