"""A state that nobody has read, added by an entry alone: other ids, marks, numbers, lists and histories."""

from collections.abc import Callable

from assets.ingest.accounting import squeeze
from assets.ingest.formats import unicourt
from assets.ingest.model import Provision, SourceFiles
from assets.ingest.oracles.unicourt import oracle
from assets.registry import CodeBody, LabelScheme, Markup

JEFFERSON = CodeBody(
    key="jf-code",
    name="Jefferson Code",
    jurisdiction="jf",
    reader="unicourt",
    root="/jf/code",
    citation="Jeff. Code § {num}",
    short_name="Jeff. Code",
    publisher="State of Jefferson",
    license="CC0-1.0",
    currency="Release {release_point}",
    labels=LabelScheme(("(i)", "(a)")),
    markup=Markup.from_dict(
        {
            "levels": ["title", "chapter", "division"],
            "section_mark": "Section",
            "history": r"CREDIT\(S\):",
            "notes": ["COMMISSIONERS' COMMENT"],
        }
    ),
    citing={"number": r"\d{1,3}(?:-[a-z])?:\d{1,3}(?:-[a-z])?"},
)

PAGE = """<!DOCTYPE html><html><head><title>JFCODE</title>
<meta name="description" content="Release 12 of the Official Code of Jefferson released 2024.03." /></head>
<body><nav><p class="transformation">Release 12 of the Official Code of Jefferson released 2024.03.</p>
<h1 id="{id}" class="title"><b>{title}</b></h1></nav><main>{law}</main></body></html>"""

COURTS = """<h2 class="chapterh2" id="titleIII-c0I"><b>Chapter I
   General Provisions</b></h2>
<div><h3 id="titleIII-c0I-s3:1-a"><b>Section 3:1-a.  Definitions</b></h3><p>In this title:</p>
<ol type="i"><li>"Court" means:<ol type="a"><li>the supreme court; and</li><li>a district court.</li></ol></li>
<li>"Judge" means a judge of a court.</li></ol><p><b>CREDIT(S):</b> Laws 1931, c. 12, s. 2.</p>
<h4>COMMISSIONERS' COMMENT</h4><p>The definition of 1931 is kept.</p></div>
<h2 class="chapterh2" id="titleIII-c0V"><b>Chapter V  Fees</b></h2>
<h2 class="subchaph2" id="titleIII-c0Vd0I"><b>Division I  Filing Fees</b></h2>
<div><h3 id="titleIII-c0V-s3:21"><b>Section 3:21 to 3:24. [Repealed]</b></h3>
<p>Repealed by Laws 2001, c. 9.</p></div>
<div><h3 id="titleIII-c0V-s3:25.01"><b>Section 3:25. Waiver (Effective until January 1, 2026)</b></h3>
<p>The court may waive a fee.</p><p><b>CREDIT(S):</b> Laws 1940, c. 1.</p></div>
<div><h3 id="titleIII-c0V-s3:25.02"><b>Section 3:25. Waiver (Effective January 1, 2026)</b></h3>
<p>The court shall waive a fee of a poor person.</p><p><b>CREDIT(S):</b> Laws 2024, c. 1.</p></div>"""

BOATS = """<h2 class="chapterh2" id="titleXLb-c0I"><b>Chapter I  Boats</b></h2>
<div><h3 id="titleXLb-c0I-s40-B:1"><b>Section 40-B:1. Speed</b></h3><p>A boat shall not go above:</p>
<table><tr><td>Harbor</td><td>5 knots</td></tr><tr><td>River</td><td>9 knots</td></tr></table>
<p><b>CREDIT(S):</b> Laws 1970, c. 2.</p></div>"""


def test_an_entry_is_all_that_a_new_state_takes(
    source_files: Callable[[dict[str, bytes]], SourceFiles],
) -> None:
    source = source_files(
        {
            "r12/gov.jf.code.title.III.html": PAGE.format(
                id="titleIII", title="TITLE III\n Courts", law=COURTS
            ).encode(),
            "r12/gov.jf.code.title.XL-B.html": PAGE.format(
                id="titleXLb", title="TITLE XL-B\n Boating", law=BOATS
            ).encode(),
        }
    )
    units = list(unicourt.read(source, JEFFERSON))
    assert [unit.problems for unit in units] == [(), ()]
    found = {row.identifier: row for unit in units for row in unit.provisions}
    assert [(row.identifier, row.citation) for row in found.values() if not row.citable] == [
        ("/jf/code/tIII", "Jeff. Code tit. III"),
        ("/jf/code/tIII/chI", "Jeff. Code tit. III, ch. I"),
        ("/jf/code/tIII/chV", "Jeff. Code tit. III, ch. V"),
        ("/jf/code/tIII/chV/dI", "Jeff. Code tit. III, ch. V, div. I"),
        ("/jf/code/tXL-B", "Jeff. Code tit. XL-B"),
        ("/jf/code/tXL-B/chI", "Jeff. Code tit. XL-B, ch. I"),
    ]
    assert [row.citation for row in found.values() if row.citable] == [
        "Jeff. Code § 3:1-a",
        "Jeff. Code §§ 3:21 to 3:24",
        "Jeff. Code § 3:25",
        "Jeff. Code § 3:25",
        "Jeff. Code § 40-B:1",
    ]
    definitions = found["/jf/code/3:1-a"]
    assert definitions.text == (
        'In this title:\n(i) "Court" means:\n(a) the supreme court; and\n(b) a district court.\n'
        '(ii) "Judge" means a judge of a court.'
    )
    assert definitions.source_credit == "Laws 1931, c. 12, s. 2."
    assert [note.topic for note in definitions.notes] == ["COMMISSIONERS' COMMENT"]
    assert found["/jf/code/3:21...3:24"].status == "repealed"
    assert found["/jf/code/40-B:1"].text.endswith("Harbor | 5 knots\nRiver | 9 knots")
    assert {"/jf/code/3:25@until-2026-01-01", "/jf/code/3:25@from-2026-01-01"} <= set(found)
    _holds_what_the_oracle_counts(source, list(found.values()))


def _holds_what_the_oracle_counts(source: SourceFiles, rows: list[Provision]) -> None:
    for path in source.paths():
        file = source.get(path)
        assert file is not None
        held = "".join(squeeze(row.text) for row in rows if row.file == path)
        assert held == oracle(JEFFERSON)(file).operative
