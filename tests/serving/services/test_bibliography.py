"""Citations for writers, read back by the libraries of each format."""

import json
import re
from uuid import UUID

import citeproc
import pytest
import rispy
from bibtexparser.entrypoint import parse_string
from bibtexparser.middlewares import LatexDecodingMiddleware
from citeproc.source.json import CiteProcJSON

from serving.contract.errors import NotFoundError
from serving.contract.records import IN_FORCE
from serving.services.bibliography import (
    BIBTEX,
    BLUEBOOK,
    CSL_JSON,
    FORMATS,
    RIS,
    SUFFIXES,
    Entry,
    bibliography_entry,
)
from serving.services.nodes import find_node
from serving.snapshot.store import Snapshot

SERVICE = "https://api.example"


def written(snapshot: Snapshot, node: str, media_type: str) -> str:
    return bibliography_entry(snapshot, UUID(node), media_type, public_url=SERVICE).body.decode()


def read_csl(text: str) -> citeproc.CitationStylesBibliography:
    """Return a bibliography of one entry; a variable that CSL does not know fails, as a warning."""
    source = CiteProcJSON(json.loads(text))
    style = citeproc.CitationStylesStyle("harvard-cite-them-right", validate=False)
    bibliography = citeproc.CitationStylesBibliography(style, source, citeproc.formatter.plain)
    (key,) = source
    bibliography.register(citeproc.Citation([citeproc.CitationItem(key)]))
    return bibliography


def test_citation_says_how_current_it_is(snapshot, node):
    assert written(snapshot, node("/us/sample/t1/s7"), BLUEBOOK) == (
        "1 S.F.C. § 7 (current through 2026-10-31), https://api.example/law/us/sample/1/7.\n"
    )


def test_citation_says_what_is_no_law_any_more(snapshot, node):
    found = written(snapshot, node("/us/sample/t1/s8"), BLUEBOOK)
    assert found.startswith("1 S.F.C. § 8 (repealed; current through 2026-10-31), ")


def test_csl_entry_has_what_styles_ask_of_legislation(snapshot, node):
    text = written(snapshot, node("/us/sample/t1/s7"), CSL_JSON)
    (entry,) = json.loads(text)
    assert (entry["type"], entry["volume"], entry["section"]) == ("legislation", "1", "7")
    assert (entry["title"], entry["container-title"]) == ("Fair use", "Sample Federal Code")
    assert entry["title-short"] == "1 S.F.C. § 7"
    assert "Fair use" in str(read_csl(text).bibliography()[0])


def test_title_of_another_form_of_citation_is_no_volume(snapshot, node):
    (entry,) = json.loads(written(snapshot, node("/sample/code/1-1"), CSL_JSON))
    assert "volume" not in entry
    assert entry["section"] == "1-1"


def test_ris_entry_reads_back(snapshot, node):
    text = written(snapshot, node("/us/sample/t1/s7"), RIS)
    assert text.startswith("TY  - STAT\r\n")
    assert text.endswith("ER  - \r\n")
    (entry,) = rispy.loads(text)
    assert (entry["type_of_reference"], entry["title"], entry["short_title"]) == (
        "STAT",
        "Fair use",
        "1 S.F.C. § 7",
    )
    assert (entry["volume"], entry["section"]) == ("1", "7")
    assert entry["urls"] == [f"{SERVICE}/law/us/sample/1/7"]


def test_bibtex_entry_reads_back(snapshot, node):
    text = written(snapshot, node("/us/sample/t1/s7"), BIBTEX)
    library = parse_string(text, append_middleware=[LatexDecodingMiddleware()])
    assert library.failed_blocks == []
    (entry,) = library.entries
    assert (entry.entry_type, entry.key) == ("misc", "1-s-f-c-7")
    assert entry["howpublished"] == "1 S.F.C. § 7"
    assert entry["title"] == "Fair use"


@pytest.mark.parametrize("heading", ["A lone { and $5", "Closed } first, 100% & more", r"a\b_c {d}"])
def test_signs_of_latex_in_a_heading_leave_the_entry_whole(heading):
    entry = Entry(
        *("key", "1 S.F.C. § 7", heading, "Sample Federal Code", "Publisher", "1", "7", IN_FORCE),
        *(None, f"{SERVICE}/law/us/sample/1/7", "2026-11-22", "note"),
    )
    text = FORMATS[BIBTEX](entry)
    assert text.count("{") == text.count("}"), "BibTeX counts braces also behind a backslash"
    library = parse_string(text + text.replace("{key,", "{other,"))
    assert library.failed_blocks == []
    assert [(one.key, one["urldate"]) for one in library.entries] == [
        ("key", "2026-11-22"),
        ("other", "2026-11-22"),
    ]


@pytest.mark.parametrize("media_type", FORMATS)
def test_every_node_of_every_level_is_well_formed(snapshot, media_type):
    for row in range(len(snapshot.nodes)):
        answer = snapshot.nodes.answer(row)
        text = written(snapshot, answer["id"], media_type)
        if media_type == RIS:
            assert all(re.match(r"[A-Z][A-Z0-9]  - ", line) for line in text.split("\r\n")[:-1])
            assert len(rispy.loads(text)) == 1
        elif media_type == BIBTEX:
            library = parse_string(text, append_middleware=[LatexDecodingMiddleware()])
            assert (len(library.entries), library.failed_blocks) == (1, [])
            assert library.entries[0]["howpublished"] == answer["citation"]
        elif media_type == CSL_JSON:
            read_csl(text)
        else:
            assert text.startswith(answer["citation"])


def test_check_of_the_text_is_in_every_entry(snapshot, node):
    seven = node("/us/sample/t1/s7")
    digest = snapshot.nodes.answer(find_node(snapshot, UUID(seven)))["textSha256"]
    for media_type in (CSL_JSON, RIS, BIBTEX):
        assert digest in written(snapshot, seven, media_type)


def test_provisions_of_one_citation_have_keys_of_their_own(cited):
    texts = {written(cited, node_id, BIBTEX).split(",")[0] for node_id in twins(cited)}
    assert len(texts) == 2


def twins(law: Snapshot) -> list[str]:
    answers = [law.nodes.answer(row) for row in range(len(law.nodes))]
    return [one["id"] for one in answers if one["citation"] == "1 S.F.C. § 15"]


def test_unknown_node_is_named(snapshot):
    with pytest.raises(NotFoundError):
        bibliography_entry(snapshot, UUID(int=0), RIS, public_url=SERVICE)


def test_each_format_has_an_ending():
    assert set(FORMATS) == set(SUFFIXES)
