"""Hostile XML and HTML for each reader: bombs, depth, loops of inclusions, text made to be costly."""

import io
import random
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.hostile.case import Case, of_bytes

HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'
USLM = "http://xml.house.gov/schemas/uslm/1.0"
DC = "https://code.dccouncil.us/schemas/dc-library"
LIBRARY = "https://open.law/schemas/library"
ADDRESS = "/us/ca/cities/san-mateo/code"
XI = 'xmlns:xi="http://www.w3.org/2001/XInclude"'


def corpus() -> list[Case]:
    """Return all cases of documents."""
    cases = []
    for body, wrap in DIALECTS.items():
        cases += [_one_file(f"{body}: {name}", body, wrap, text) for name, text in TEXTS.items()]
    for name, content in FILES.items():
        cases += [of_bytes(f"us-usc: {name}", "us-usc", "given.zip", _zip_of({"usc17.xml": content}))]
        cases += [of_bytes(f"dc-code: {name}", "dc-code", "given.zip", _zip_of(_dc_files(content)))]
    cases += [_several(f"dc-code: {name}", "dc-code", files) for name, files in INCLUSIONS.items()]
    cases += [_several(f"san mateo: {name}", "ca-san-mateo-code", files) for name, files in SITES.items()]
    return cases


def _one_file(name: str, body: str, wrap: Callable[[str], dict[str, bytes]], text: Callable[[], str]) -> Case:
    def make(folder: Path) -> Path:
        return _written(folder, wrap(text()))

    return Case(name, body, make)


def _several(name: str, body: str, files: Callable[[], dict[str, bytes]]) -> Case:
    return Case(name, body, lambda folder: _written(folder, files()))


def _written(folder: Path, files: dict[str, bytes]) -> Path:
    path = folder / "given.zip"
    path.write_bytes(_zip_of(files)())
    return path


def _zip_of(files: Mapping[str, bytes | Callable[[], bytes]]) -> Callable[[], bytes]:
    def content() -> bytes:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for path, own in files.items():
                archive.writestr(zipfile.ZipInfo(path), own() if callable(own) else own, zipfile.ZIP_DEFLATED)
        return packed.getvalue()

    return content


def uslm(inside: str) -> dict[str, bytes]:
    text = (
        f'{HEAD}<uscDoc xmlns="{USLM}" identifier="/us/usc/t17"><main><title identifier="/us/usc/t17">'
        f'<num value="17">Title 17</num><heading>COPYRIGHTS</heading>{inside}</title></main></uscDoc>'
    )
    return {"usc17.xml": text.encode("utf-8", "surrogatepass")}


def _container(space: str, inside: str) -> str:
    return f'<container xmlns="{space}" {XI} containing-doc="Code"><prefix>Title</prefix><num>1</num><heading>Ways</heading>{inside}</container>'


def _dc_files(title: bytes | Callable[[], bytes]) -> dict[str, bytes | Callable[[], bytes]]:
    top = f'<document xmlns="{DC}" {XI} id="D.C. Code"><heading>Code</heading><xi:include href="./titles/1/index.xml"/></document>'
    return {"index.xml": top.encode(), "titles/1/index.xml": title}


def dc(inside: str) -> dict[str, bytes]:
    renamed = inside.replace("<content>", "<text>").replace("</content>", "</text>")
    files = _dc_files(_container(DC, renamed).encode("utf-8", "surrogatepass"))
    return {path: content for path, content in files.items() if isinstance(content, bytes)}


def page(kind: str, order: str, title: str, inside: str, path: str = "") -> bytes:
    return (
        '<!DOCTYPE html SYSTEM "about:legacy-compat">\n<html><head><meta charset="utf-8"/>'
        f'<title>{title}</title><meta itemprop="order" content="{order}"/><meta itemprop="doc-type" content="{kind}"/></head>'
        f'<body><main><article class="content"><div class="tuf-authenticate"><h1 class="h__toc" id="{ADDRESS}{path}">{title}</h1>'
        f"{inside}<hr/></div></article></main></body></html>"
    ).encode("utf-8", "surrogatepass")


def contents(*lines: str) -> str:
    items = "".join(f'<li><a href="{ADDRESS}/{line}">{line} X</a></li>' for line in lines)
    return f'<nav class="toc"><ul class="toc__menu">{items}</ul></nav>'


def site(inside: str) -> dict[str, bytes]:
    base = f"html{ADDRESS}"
    renamed = inside.replace("<content>", "<p>").replace("</content>", "</p>")
    return {
        f"{base}.html": page("document", "", "Code", contents("2")),
        f"{base}/2.html": page("container", "|2|", "Title 2 PIERS", contents("2.04"), "/2"),
        f"{base}/2.04.html": page(
            "container", "|2|2.04|", "Chapter 2.04 MOORING", contents("2.04.010"), "/2.04"
        ),
        f"{base}/2.04.010.html": page("section", "|2|2.04|2.04.010|", "2.04.010 FEES.", renamed, "/2.04.010"),
    }


DIALECTS: dict[str, Callable[[str], dict[str, bytes]]] = {
    "us-usc": uslm,
    "dc-code": dc,
    "ca-san-mateo-code": site,
}


def section(inside: str, number: str = "1") -> str:
    return f'<section><num value="{number}">{number}</num><heading>Words</heading>{inside}</section>'


def words(text: str) -> Callable[[], str]:
    return lambda: section(f"<content>{text}</content>")


def mixed(*parts: str, count: int, seed: int = 4) -> str:
    chance = random.Random(seed)
    return "".join(chance.choice(parts) for _ in range(count))


TEXTS: dict[str, Callable[[], str]] = {
    "good": words("Law."),
    "a word of 1.9 MB": words("x" * 1_900_000),
    "words of one letter": words("a " * 900_000),
    "noise of words": lambda: section(
        f"<content>{mixed('a', ' ', '(', ')', '.', '1', '§', 'Sec', count=600_000)}</content>"
    ),
    "labels": words("(a)(1)(A)(i)(I) x " * 90_000),
    "labels a line": lambda: section(
        "".join(f"<content>({chr(97 + n % 26)}) x.</content>" for n in range(60_000))
    ),
    "labels of all kinds": lambda: section(
        f"<content>{mixed('(a) ', '(1) ', '(A) ', '(i) ', '(aa) ', '(I) ', '(v) ', '(x) ', 'x; ', count=200_000)}</content>"
    ),
    "brackets": words("(" * 1_500_000),
    "dashes": words("—" * 500_000),
    "dots": words("1." * 800_000),
    "section signs": words("§ 1-1 " * 250_000),
    "citations": words("section 1(a)(1)(A) of this title, 17 U.S.C. 1, Pub. L. 94-553, " * 25_000),
    "white space": words(" \t\n" * 600_000),
    "odd white space": words("\u2003\u00a0\u200b\u3000" * 100_000),
    "combining marks": words("e" + "\u0301" * 500_000),
    "right to left": words("\u202e\u2066law" * 100_000),
    "raised digits": words("²³¹" * 200_000),
    "surrogates": words("\ud800"),
    "controls": words("&#x1;"),
    "no character": words("&#x110000;"),
    "nul": words("&#0;"),
    "entity unknown": words("&law;"),
    "deep 100": lambda: section("<content>" + "<i>" * 100 + "x" + "</i>" * 100 + "</content>"),
    "deep 250": lambda: section("<content>" + "<i>" * 240 + "x" + "</i>" * 240 + "</content>"),
    "deep 100,000": lambda: section("<content>" + "<i>" * 100_000 + "x" + "</i>" * 100_000 + "</content>"),
    "open 300,000": lambda: section("<content>" + "<i>" * 300_000),
    "sections in sections": lambda: (
        ("<section><num>1</num><heading>x</heading>") * 80 + "<content>x</content>" + "</section>" * 80
    ),
    "chapters in chapters": lambda: (
        '<chapter><num value="1">1</num><heading>x</heading>' * 120
        + section("<content>x</content>")
        + "</chapter>" * 120
    ),
    "containers in containers": lambda: (
        "<container><prefix>Chapter</prefix><num>1</num><heading>x</heading>" * 120
        + section("<content>x</content>")
        + "</container>" * 120
    ),
    "paragraphs in paragraphs": lambda: section("<para><num>(a)</num><text>x</text>" * 110 + "</para>" * 110),
    "20,000 sections": lambda: "".join(section("<content>x</content>", str(n)) for n in range(20_000)),
    "15,000 sections of one number": lambda: "".join(
        section(f"<content>x {n}</content>") for n in range(15_000)
    ),
    "15,000 sections without a number": lambda: (
        "<section><heading>x</heading><content>y</content></section>" * 15_000
    ),
    "sections that end nowhere": lambda: "<section><num>1</num>" * 30_000,
    "a number of 1.5 MB": lambda: section("<content>x</content>", "1" * 700_000),
    "a number of noise": lambda: section("<content>x</content>", "1-1/../..\\:?*"),
    "a heading of 1.9 MB": lambda: section("<content>x</content>").replace("Words", "W " * 900_000),
    "elements without text": lambda: section("<content>" + "<i/>" * 450_000 + "</content>"),
    "an attribute of 1.9 MB": lambda: section(f'<content class="{"x" * 1_900_000}">x</content>'),
    "60,000 attributes": lambda: section(
        "<content " + " ".join(f'a{n}="1"' for n in range(60_000)) + ">x</content>"
    ),
    "an attribute twice": lambda: section('<content a="1" a="2">x</content>'),
    "30,000 namespaces": lambda: section(
        "<content " + " ".join(f'xmlns:n{n}="urn:{n}"' for n in range(30_000)) + ">x</content>"
    ),
    "namespaces in namespaces": lambda: section(
        "<content>"
        + "".join(f'<i xmlns:n{n}="urn:{n}">' for n in range(200))
        + "<b/>" * 200_000
        + "</i>" * 200
        + "</content>"
    ),
    "a namespace of 1.5 MB": lambda: section(f'<content xmlns="urn:{"x" * 1_500_000}">x</content>'),
    "comments": lambda: section("<content>" + "<!-- x -->" * 150_000 + "</content>"),
    "instructions": lambda: section("<content>" + "<?law x?>" * 150_000 + "</content>"),
    "character data": lambda: section("<content>" + "<![CDATA[<section>]]>" * 80_000 + "</content>"),
    "a table": lambda: section(
        "<content><table>" + "<tr><td>1</td><td>2</td></tr>" * 50_000 + "</table></content>"
    ),
    "a table of tables": lambda: section(
        "<content>" + "<table><tr><td>" * 70 + "x" + "</td></tr></table>" * 70 + "</content>"
    ),
    "links": lambda: section(
        "<content>" + '<ref href="/us/usc/t17/s1">x</ref><cite path="1">x</cite>' * 25_000 + "</content>"
    ),
    "a link of 1.9 MB": lambda: section(f'<content><ref href="/us/usc/{"t" * 1_900_000}">x</ref></content>'),
    "footnotes": lambda: section(
        "<content>"
        + '<footnote id="f1"><num>1</num> x</footnote><ref class="footnoteRef" idref="f1">1</ref>' * 15_000
        + "</content>"
    ),
    "annotations": lambda: section(
        "<content>x</content><annotations>"
        + '<annotation type="History" doc="Law 1">x</annotation>' * 25_000
        + "</annotations>"
    ),
    "an inclusion of a file": lambda: section(
        f'<content><xi:include {XI} href="file:///etc/passwd" parse="text"/></content>'
    ),
    "a style sheet": lambda: section(
        '<?xml-stylesheet href="http://127.0.0.1:9/x.xsl"?><content>x</content>'
    ),
}


def laughs(levels: int, times: int) -> bytes:
    lines = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * times}">' for n in range(1, levels))
    return f'{HEAD}<!DOCTYPE a [<!ENTITY l0 "law">{lines}]><uscDoc xmlns="{USLM}">&l{levels - 1};</uscDoc>'.encode()


FILES: dict[str, bytes | Callable[[], bytes]] = {
    "file empty": b"",
    "file of white space": b" \n" * 900_000,
    "file of nul": b"\0" * 1_900_000,
    "file of noise": lambda: random.Random(8).randbytes(1_900_000),
    "file of one bracket": b"<",
    "file of brackets": b"<" * 1_900_000,
    "file of ends": b"</a>" * 400_000,
    "file of text": b"law " * 400_000,
    "file of json": b'{"law": 1}',
    "file of html": b"<!DOCTYPE html><html><body><p>404<br></body></html>",
    "entities, ten to the ninth": lambda: laughs(10, 10),
    "entities, a square": f'<!DOCTYPE a [<!ENTITY l "{"x" * 60_000}">]><uscDoc>{"&l;" * 60_000}</uscDoc>'.encode(),
    "entity of a file": f'<!DOCTYPE a [<!ENTITY l SYSTEM "file:///etc/passwd">]><uscDoc xmlns="{USLM}">&l;</uscDoc>'.encode(),
    "entity of an address": f'<!DOCTYPE a [<!ENTITY l SYSTEM "http://127.0.0.1:9/">]><uscDoc xmlns="{USLM}">&l;</uscDoc>'.encode(),
    "entity of itself": f'<!DOCTYPE a [<!ENTITY l "&l;">]><uscDoc xmlns="{USLM}">&l;</uscDoc>'.encode(),
    "parameter entities": b"<!DOCTYPE a [<!ENTITY % l \"<!ENTITY m '&#37;l;'>\"> %l; %l;]><a>&m;</a>",
    "document type of an address": b'<!DOCTYPE a SYSTEM "http://127.0.0.1:9/law.dtd"><a/>',
    "document type of a file": b'<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>',
    "document type without end": b"<!DOCTYPE a [" + b"<!ELEMENT a (b)>" * 100_000,
    "document type of attributes": lambda: (
        b"<!DOCTYPE a [<!ATTLIST a " + b" ".join(b'x%d CDATA "y"' % n for n in range(60_000)) + b">]><a/>"
    ),
    "content models": lambda: (
        b"<!DOCTYPE a [<!ELEMENT a " + b"(" * 200_000 + b"b" + b")" * 200_000 + b">]><a/>"
    ),
    "utf-16": lambda: (
        next(iter(uslm(section("<content>Law.</content>")).values()))
        .decode()
        .replace("utf-8", "utf-16")
        .encode("utf-16")
    ),
    "utf-32": lambda: (
        next(iter(uslm(section("<content>Law.</content>")).values()))
        .decode()
        .replace("utf-8", "utf-32")
        .encode("utf-32")
    ),
    "encoding of lies": lambda: next(iter(uslm(section("<content>L\u00e4w.</content>")).values())).replace(
        b"utf-8", b"us-ascii"
    ),
    "encoding unknown": lambda: next(iter(uslm(section("<content>Law.</content>")).values())).replace(
        b"utf-8", b"klingon"
    ),
    "encoding utf-7": lambda: next(iter(uslm(section("<content>+ADw-law+AD4-</content>")).values())).replace(
        b"utf-8", b"utf-7"
    ),
    "bad utf-8": lambda: next(iter(uslm(section("<content>Law.</content>")).values())).replace(
        b"Law", b"L\xff\xfew"
    ),
    "cut": lambda: next(iter(uslm(section("<content>Law.</content>")).values()))[:-30],
    "two roots": lambda: next(iter(uslm(section("<content>Law.</content>")).values())) + b"<a/>",
    "comments before the root": lambda: HEAD.encode() + b"<!-- x -->" * 180_000,
    "comments before a container": lambda: (
        b"<!-- x --> " * 120_000 + _container(DC, section("<text>x</text>")).encode()
    ),
    "deep 100,000 from the root": lambda: b"<a>" * 250_000,
}


def _chain(length: int) -> dict[str, bytes]:
    files = {
        f"titles/{n}/index.xml": _container(DC, f'<xi:include href="../{n + 1}/index.xml"/>').encode()
        for n in range(1, length)
    }
    return {
        **_dc_bytes(b""),
        **files,
        f"titles/{length}/index.xml": _container(DC, section("<text>x</text>")).encode(),
    }


def _dc_bytes(title: bytes) -> dict[str, bytes]:
    return {path: content for path, content in _dc_files(title).items() if isinstance(content, bytes)}


def _including(*hrefs: str) -> Callable[[], dict[str, bytes]]:
    inside = "".join(f'<xi:include href="{href}"/>' for href in hrefs)
    return lambda: _dc_bytes(_container(DC, inside).encode())


INCLUSIONS: dict[str, Callable[[], dict[str, bytes]]] = {
    "inclusion of itself": _including("./index.xml"),
    "inclusion of what includes it": _including("../../index.xml"),
    "inclusion of a folder above": _including("../../../etc/passwd"),
    "inclusion of a file": _including("file:///etc/passwd"),
    "inclusion of an address": _including("http://127.0.0.1:9/law.xml"),
    "inclusion of nothing": _including("", "#", "?", "./", "..", "%00", "%2e%2e/x"),
    "inclusion of 1 MB": _including("x/" * 400_000 + "a.xml"),
    "20,000 inclusions": _including(*["./index.xml"] * 20_000),
    "inclusions of one file": lambda: {
        **_including(*["./s.xml"] * 10_000)(),
        "titles/1/s.xml": section("<text>x</text>").replace("<section>", f'<section xmlns="{DC}">').encode(),
    },
    "a chain of 60": lambda: _chain(60),
    "a chain of 1,500": lambda: _chain(1_500),
    "5,000 files beside": lambda: {
        **_including("./s.xml")(),
        **{f"titles/1/{n}.xml": b"<a/>" for n in range(5_000)},
    },
    "5,000 broken files": lambda: {
        **_including("./s.xml")(),
        **{f"titles/1/{n}.xml": b"<a" for n in range(5_000)},
    },
    "5,000 indexes": lambda: {
        **_including("./s.xml")(),
        **{f"titles/{n}/index.xml": b"<a/>" for n in range(2, 5_000)},
    },
}


def _pages(**changes: bytes) -> Callable[[], dict[str, bytes]]:
    base = f"html{ADDRESS}"
    own = {
        "top": f"{base}.html",
        "title": f"{base}/2.html",
        "chapter": f"{base}/2.04.html",
        "section": f"{base}/2.04.010.html",
    }
    return lambda: {
        **site("<p>Law.</p>"),
        **{own.get(name, f"html/{name}"): content for name, content in changes.items()},
    }


SITES: dict[str, Callable[[], dict[str, bytes]]] = {
    "site as it should be": _pages(),
    "contents of itself": _pages(title=page("container", "|2|", "Title 2 PIERS", contents("2"), "/2")),
    "contents that go round": _pages(
        chapter=page("container", "|2|2.04|", "Chapter 2.04 X", contents("2"), "/2.04")
    ),
    "contents of 20,000": _pages(
        title=page("container", "|2|", "Title 2 PIERS", contents(*[f"2.{n}" for n in range(20_000)]), "/2")
    ),
    "contents of one 20,000 times": _pages(
        title=page("container", "|2|", "Title 2 PIERS", contents(*["2.04"] * 20_000), "/2")
    ),
    "contents elsewhere": _pages(
        title=page(
            "container",
            "|2|",
            "T",
            '<nav class="toc"><ul><li><a href="http://127.0.0.1:9/">x</a><a href="../../../etc/passwd">x</a></li></ul></nav>',
            "/2",
        )
    ),
    "page of another kind": _pages(section=page("law", "||", "X", "<p>x</p>")),
    "page with a document type": _pages(section=b'<!DOCTYPE html [<!ENTITY a "b">]><html>&a;</html>'),
    "page of browsers": _pages(section=b"<!DOCTYPE html><html><head><meta charset=utf-8><body><p>Law<br>"),
    "page with a script": _pages(
        section=page(
            "section", "|2|2.04|2.04.010|", "2.04.010 X", "<script>while(1){}</script><p>x</p>", "/2.04.010"
        )
    ),
    "page of asides": _pages(
        section=page(
            "section",
            "|2|2.04|2.04.010|",
            "2.04.010 X",
            "<aside><h2>History</h2>" + "<p>x</p>" * 20_000 + "</aside>",
            "/2.04.010",
        )
    ),
    "page of titles in asides": _pages(
        section=page(
            "section",
            "|2|2.04|2.04.010|",
            "2.04.010 X",
            '<aside class="annotations">' + "<h2>x</h2><p>x</p>" * 15_000 + "</aside>",
            "/2.04.010",
        )
    ),
    "page of lists in lists": _pages(
        section=page(
            "section",
            "|2|2.04|2.04.010|",
            "2.04.010 X",
            "<ol><li>" * 100 + "x" + "</li></ol>" * 100,
            "/2.04.010",
        )
    ),
    "title of a page of 1.5 MB": _pages(
        section=page("section", "|2|2.04|2.04.010|", "2.04.010 " + "X " * 700_000, "<p>x</p>", "/2.04.010")
    ),
    "order of a page of 1.5 MB": _pages(
        section=page("section", "|2" * 500_000, "2.04.010 X", "<p>x</p>", "/2.04.010")
    ),
    "description nested": lambda: {**_pages()(), "html/metadata.json": b"[" * 500_000},
    "description of lies": lambda: {
        **_pages()(),
        "html/metadata.json": b'{"meta": {"build": {"codified-date": [1e999, null]}}}',
    },
    "description of a number": lambda: {**_pages()(), "html/metadata.json": b"9" * 1_000_000},
    "html without a site": lambda: {"index.html": b"<html>" * 100_000},
    "nothing of it": lambda: {"readme.txt": b"law", "a/b/c.pdf": b"%PDF"},
}
