"""The embedded sample is safe, closed and small, and holds every quirk that the readers must handle."""

from pathlib import Path
from typing import Any

import pytest
from lxml import etree

DATASETS = Path(__file__).resolve().parents[2] / "datasets"
SAMPLE = DATASETS / "sample"
STATE = "sample-code"
CITY = "sample-city-code"
FILES = sorted(SAMPLE.rglob("*.xml"))
NAMESPACES = {
    "u": "http://xml.house.gov/schemas/uslm/1.0",
    "v": "http://schemas.gpo.gov/xml/uslm",
    "h": "http://www.w3.org/1999/xhtml",
    "d": "https://code.dccouncil.us/schemas/dc-library",
    "codify": "https://code.dccouncil.us/schemas/codify",
    "xi": "http://www.w3.org/2001/XInclude",
}
SIZE_LIMIT = 200_000

USLM_1_QUIRKS = {
    "release point in the metadata": "//u:docPublicationName[. = 'Online@2026-1']",
    "note that says how current the title is": "//u:note/u:p[. = 'Current through 2026-1']",
    "title that is no positive law": "//u:property[. = 'no']",
    "subtitle over division over chapter over subchapter": "//u:subtitle/u:division/u:chapter/u:subchapter",
    "part over chapter": "//u:title/u:part/u:chapter",
    "part under subchapter": "//u:chapter/u:subchapter/u:part/u:section",
    "repealed section": "//u:section[@status='repealed'][starts-with(u:num, '[§')]",
    "omitted section": "//u:section[@status='omitted']",
    "transferred section": "//u:section[@status='transferred']",
    "renumbered section": "//u:section[@status='renumbered'][not(u:content)]",
    "repealed container": "//u:chapter[@status='repealed']",
    "reserved containers without identifier": "//u:chapter[@status='reserved'][not(@identifier)]/u:num[@endValue]",
    "footnote in a number": "//u:num/u:note[@type='footnote']",
    "repealed subsection": "//u:subsection[@status='repealed']",
    "range with dots in the identifier": "//u:section[contains(@identifier, '...')]",
    "two identifiers in one attribute": "//u:section[contains(@identifier, ' ')]",
    "section without identifier": "//u:compiledAct/u:section[not(@identifier)]",
    "two sections with one identifier": "//u:section[@identifier = preceding::u:section/@identifier]",
    "sections quoted in a note": "//u:note//u:quotedContent/u:section",
    "table in its own default namespace": "//u:content/h:table[name() = 'table']",
    "table with a prefix": "//u:content/h:table[name() = 'html:table']",
    "table in a note": "//u:note/h:table//h:a",
    "footnote in the text": "//u:content//u:ref[@class='footnoteRef']/following-sibling::u:note",
    "footnote in a heading": "//u:heading/u:note[@type='footnote']",
    "footnote in a table of contents": "//u:column/u:note[@type='footnote']",
    "en dash in number and identifier": "//u:section[contains(@identifier, '–')][contains(u:num/@value, '–')]",
    "narrow space after the section sign": "//u:num[starts-with(., '§\u202f')]",
    "number with a letter": "//u:section[u:num/@value = '712a']",
    "note on a short title": "//u:note[@topic='shortTitle']",
    "note on amendments": "//u:note[@topic='amendments']",
    "note on the effective date": "//u:note[@topic='effectiveDate']",
    "note on what was removed": "//u:note[@topic='removalDescription'][not(u:heading)]",
    "note that is only a cross heading": "//u:note[@role='crossHeading']",
    "source credit": "//u:section/u:sourceCredit[u:ref][u:date]",
    "contents that repeat headings": "//u:toc//u:tocItem/u:column/u:ref",
    "contents grouped by headers": "//u:toc//u:header[@role='tocGroupHeader']",
    "chapeau of a section": "//u:section/u:chapeau",
    "continuation": "//u:subsection/u:continuation",
    "proviso": "//u:subsection/u:proviso",
    "heading of a subsection": "//u:subsection/u:heading/u:inline[@class='small-caps']",
    "bold heading of a subsection": "//u:subsection/u:heading[@class='bold']",
    "nesting down to subclauses": "//u:subsection/u:paragraph/u:subparagraph/u:clause/u:subclause",
    "designators that open a nest": "//u:subsection[not(u:chapeau)][not(u:content)]/u:paragraph",
    "numbered level": "//u:clause/u:level[u:num]",
    "list in paragraphs": "//u:content/u:p[@role='listItem']",
    "reference to another title": "//u:courtRule//u:ref[starts-with(@href, '/sample/code/t2/')]",
    "italic, bold, raised, lowered": "//u:p//u:b | //u:content/u:i | //u:content/u:sup | //u:content/u:sub",
    "small capitals in the text": "//u:content/u:p/u:inline",
    "line break": "//u:heading/u:br",
    "act in an appendix": "//u:appendix/u:compiledAct",
    "court rules below titles": "//u:courtRules/u:title/u:courtRule",
    "reserved rule": "//u:courtRule[@status='reserved']",
    "transferred rule": "//u:courtRule[@status='transferred']",
    "rule whose identifier lacks the title": "//u:courtRule[starts-with(@identifier, '/sample/code/ptI/')]",
    "abrogated part": "//u:courtRules/u:part[@status='repealed']",
    "level by role": "//u:courtRules/u:level[@role='appendix']/u:content",
    "reorganization plan": "//u:reorganizationPlans/u:reorganizationPlan/u:content",
    "appendix that is an empty shell": "/u:uscDoc[not(@identifier)]/u:appendix[not(@identifier)]",
}
USLM_2_QUIRKS = {
    "no release point": "//v:docPublicationName[. = 'Online']",
    "contents of reference items": "//v:toc/v:referenceItem/v:label",
    "footnote element": "//v:content/v:footnote/v:num/v:sup",
    "list": "//v:content/v:list/v:listItem/v:listContent",
    "table with caption": "//v:note/h:table/h:caption",
    "source credit without references": "//v:sourceCredit[not(*)]",
    "nesting down to clauses": "//v:subsection/v:paragraph/v:subparagraph/v:clause",
    "heading without small capitals": "//v:heading/v:inline[@class='noSmallCaps']",
    "quoted words in a note": "//v:p/v:quotedContent",
}
CITY_QUIRKS = {
    "current through a law": "/d:document/d:meta/d:recency/d:law[@doc='Sample Law 24-6']",
    "divisions of the code": "/d:document/d:subheading",
    "subheading inside a title": "/d:container[d:prefix='Title']/d:subheading",
    "subheading with an annotation": "//d:subheading/d:annotation",
    "subheading between sections": "//d:container/d:subheading[following-sibling::*[1][self::xi:include]]",
    "unit, subchapter, part, subpart": "//d:container[d:prefix='Unit']/d:container/d:container/d:container",
    "article": "//d:container[d:prefix='Article']",
    "enacted title": "/d:container[@enacted='true']",
    "annotation in a number": "//d:container/d:num/d:annotation",
    "annotation in a heading": "//d:container/d:heading/d:annotation",
    "container with a reason": "//d:container/d:reason[. = 'Not Funded']",
    "commercial code number": "/d:section/d:num[. = '3:1-101']",
    "commercial code number with a letter": "/d:section/d:num[. = '3:2A-103']",
    "repealed": "/d:section/d:reason[. = 'Repealed']",
    "expired": "/d:section/d:reason[. = 'Expired']",
    "not funded": "/d:section[@placeholder='Not Funded']/d:reason[. = 'Not Funded']",
    "not applicable": "/d:section/d:reason[. = 'Not Applicable']",
    "transferred": "/d:section/d:reason[. = 'Transferred']",
    "recodified": "/d:section/d:reason[. = 'Recodified']",
    "reserved, without text": "/d:section[d:reason = 'Reserved'][not(d:text)]",
    "omitted": "/d:section/d:reason[. = 'Omitted']",
    "empty reason": "/d:section/d:reason[not(node())]",
    "reason that is no status": "/d:section[d:reason = 'revocation']/d:para",
    "number in brackets": "/d:section/d:num[starts-with(., '[')]",
    "number with an en dash": "/d:section/d:num[contains(., '–')]",
    "superseded text": "/d:section/d:num[contains(., '(Perm)')]",
    "prefix in a section": "/d:section/d:prefix[. = '§']",
    "aftertext": "//d:section/d:aftertext | //d:para/d:aftertext",
    "centred aftertext": "//d:aftertext/d:center",
    "table in the text": "//d:text/d:table//d:th",
    "table cells over columns and rows": "//d:table//d:td[@rowspan] | //d:table//d:td[@colspan]",
    "leftover annotation": "//codify:annotation",
    "leftover replacement": "//codify:find-replace",
    "leftover insertion of a container": "//codify:insert/d:container",
    "leftover insertion of a text": "//codify:insert/d:text",
    "leftover repeal": "//codify:repeal",
    "leftover temporary law": "//codify:temporary",
    "leftover marginal note": "//codify:marginalia",
    "history with text": "//d:annotation[@type='History'][text()]",
    "history without text": "//d:annotation[@type='History'][not(node())]",
    "editor's notes": '//d:annotation[@type="Editor\'s Notes"]',
    "hidden annotation": "//d:annotation[@display='false'][text()]",
    "section references": "//d:annotation[@type='Section References']/d:cite[@path]",
    "text among the annotations": "//d:annotations/d:text[@type]",
    "citation with a path inside the section": "//d:text/d:cite[@path='§1-203|(a)']",
    "citation of a container": "//d:text/d:cite[@path='2|1']",
    "citation of a law": "//d:cite[@doc]",
    "paragraph with heading": "//d:para/d:heading",
    "paragraph with prefix": "//d:para/d:prefix",
    "nested paragraphs": "//d:para/d:para/d:para/d:para",
    "paragraph that is repealed": "//d:para[@placeholder='Repealed']",
    "undesignated paragraph": "//d:para/d:num[@undesignated='true']",
    "paragraph with a blank number": "//d:para/d:num[. = ' ']",
    "text nested in text": "//d:text/d:text/d:num",
    "form set out in a section": "//d:para/d:include/d:para",
    "compact set out in a section": "/d:section/d:container/d:para",
    "en dash in the text": "//d:para/d:text[contains(., '–')]",
    "zoning district named in a heading": "/d:section/d:heading[. = 'Sample Residential (SR-1) district.']",
}
USLM_PROVISIONS = [
    *("title", "subtitle", "part", "division", "chapter", "subchapter", "section", "appendix"),
    *("compiledAct", "courtRules", "courtRule", "reorganizationPlans", "reorganizationPlan"),
]


def parse(path: Path) -> etree._Element:
    parser = etree.XMLParser(no_network=True, resolve_entities=False, load_dtd=False)
    return etree.parse(path, parser).getroot()


def selected(root: etree._Element, xpath: str) -> list[Any]:
    found = root.xpath(xpath, namespaces=NAMESPACES)
    assert isinstance(found, list)
    return found


def counted(root: etree._Element, xpath: str) -> float:
    found = root.xpath(xpath, namespaces=NAMESPACES)
    assert isinstance(found, float)
    return found


@pytest.fixture(scope="module")
def roots() -> dict[str, list[etree._Element]]:
    return {body: [parse(path) for path in FILES if body in path.parts] for body in (STATE, CITY)}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(SAMPLE).as_posix())
def test_file_is_well_formed_without_network_or_entities(path: Path) -> None:
    root = parse(path)
    document = root.getroottree().docinfo
    assert not document.doctype  # type: ignore[attr-defined]  # the stubs leave it out
    assert root.xpath("string-length(normalize-space(.)) > 0")


def test_identifiers_lie_under_the_root_of_the_body(roots: dict[str, list[etree._Element]]) -> None:
    identifiers = [
        identifier
        for root in roots[STATE]
        for attribute in selected(root, "//@identifier")
        for identifier in attribute.split()
    ]
    assert len(identifiers) > 200
    assert [text for text in identifiers if not text.startswith("/sample/code")] == []


def test_references_into_the_code_reach_a_provision(roots: dict[str, list[etree._Element]]) -> None:
    known = {
        identifier
        for root in roots[STATE]
        for attribute in selected(root, "//@identifier")
        for identifier in attribute.split()
    }
    targets = {
        href
        for root in roots[STATE]
        for href in selected(root, "//u:ref/@href[starts-with(., '/sample/code/')]")
    }
    assert targets - known == set()


def test_includes_form_a_tree_of_all_city_files() -> None:
    base = SAMPLE / CITY
    seen: list[Path] = []
    waiting = [base / "index.xml"]
    while waiting:
        path = waiting.pop()
        seen.append(path)
        for href in selected(parse(path), "//xi:include/@href"):
            target = (path.parent / href).resolve()
            assert target.is_relative_to(base)
            assert target.is_file(), f"{path.name} includes {href}"
            waiting.append(target)
    assert len(seen) == len(set(seen))
    assert sorted(seen) == sorted(base.rglob("*.xml"))


@pytest.mark.parametrize(
    ("body", "quirk", "xpath"),
    [
        *((STATE, quirk, xpath) for quirk, xpath in USLM_1_QUIRKS.items()),
        *((STATE, quirk, xpath) for quirk, xpath in USLM_2_QUIRKS.items()),
        *((CITY, quirk, xpath) for quirk, xpath in CITY_QUIRKS.items()),
    ],
    ids=lambda value: None if "/" in value else value,
)
def test_quirk_is_present(roots: dict[str, list[etree._Element]], body: str, quirk: str, xpath: str) -> None:
    count = sum(len(selected(root, xpath)) for root in roots[body])
    assert count > 0, quirk


def test_sample_has_about_150_provisions(roots: dict[str, list[etree._Element]]) -> None:
    names = " or ".join(f"self::{prefix}:{name}" for name in USLM_PROVISIONS for prefix in "uv")
    state = f"count(//*[{names}][not(ancestor::u:quotedContent)])"
    city = "count(/d:section | //d:container[d:prefix][not(ancestor::codify:insert)])"
    count = sum(counted(root, state) for root in roots[STATE])
    count += sum(counted(root, city) for root in roots[CITY])
    assert 130 <= count <= 190


def test_everything_invented_is_named_sample() -> None:
    names = [path.name for path in SAMPLE.iterdir()]
    assert names
    assert all("sample" in name for name in names)


def test_sample_is_small() -> None:
    assert sum(path.stat().st_size for path in SAMPLE.rglob("*") if path.is_file()) < SIZE_LIMIT


def test_datasets_holds_no_python() -> None:
    assert list(DATASETS.rglob("*.py")) == []
