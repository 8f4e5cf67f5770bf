"""The client and `legal` against the real server: each call, each exit status."""

import hashlib
import json
import subprocess
import sys

import pyarrow.parquet as pq
import pytest

import legal_client as law
from legal_client import AsyncClient, Client
from legal_client.cli import BASE_URL, KEY

pytestmark = pytest.mark.e2e


def test_from_search_to_the_text_and_back(client, node):
    page = client.search("fair use", jurisdiction="us", facets=True)
    assert page.results[0].citation == "1 S.F.C. § 7"
    assert page.facets.jurisdiction[0].value == "us"
    assert (page.meta.credits_cost, page.meta.snapshot_id) == (1, "2026.11.21-1")
    read = client.node(page.results[0].node_id)
    assert read.id == node("/us/sample/t1/s7")
    assert read.text.startswith("Notwithstanding")
    assert read.code_body.name == "Sample Federal Code"
    assert read.meta.credits_remaining == page.meta.credits_remaining - 1
    again = client.node(page.results[0].node_id)
    assert again.text == read.text
    assert (again.meta.credits_cost, again.meta.credits_remaining) == (0, read.meta.credits_remaining)


def test_iterating_pages_repeats_and_skips_nothing(client):
    items = [item.node_id for item in client.search_all("permit holder", mode="keyword", limit=100)]
    total = client.search("permit holder", mode="keyword", limit=1).total
    assert len(items) == len(set(items)) == total > 200


def test_citations_are_resolved(client, node):
    found, missing = client.resolve("1 S.F.C. § 7", "1 S.F.C. § 70")
    assert (found.outcome, found.node_id) == ("found", node("/us/sample/t1/s7"))
    assert missing.outcome == "not_in_code"
    assert missing.neighbours.previous.citation == "1 S.F.C. § 9"


def test_a_code_body_is_walked(client, body):
    walked = [one.citation for one in client.walk(body("us-sample"))]
    assert walked[:3] == ["1 S.F.C.", "1 S.F.C. ch. 1", "1 S.F.C. § 5"]
    assert {one.key for one in client.code_bodies().code_bodies} >= {"us-sample", "sample-code"}


def test_what_cites_a_provision_is_what_is_counted(client, node):
    wanted = node("/us/sample/t1/s5")
    citing = client.cited_by(wanted, limit=1)
    assert citing.total == client.node(wanted).cited_by_count == 2
    assert (citing.citation, citing.page_size, len(citing.results)) == ("1 S.F.C. § 5", 1, 1)
    second = client.cited_by(wanted, page=2, limit=1).results[0]
    assert {citing.results[0].citation, second.citation} == {"1 S.F.C. § 7", "1 S.F.C. § 9"}
    assert second.places[0].start < second.places[0].end


def test_a_code_body_is_downloaded(client, node, legal, tmp_path):
    listed = client.downloads()
    body = next(one for one in listed.code_bodies if one.key == "us-sample")
    assert (listed.snapshot, body.publisher, len(body.files)) == ("2026.11.21-1", "Sample Publisher", 6)
    status, printed, said = legal("download", "us-sample", "--folder", str(tmp_path))
    folder = tmp_path / "us-sample-2026.11.21-1"
    names = ["provisions.parquet", "references.parquet", "changes.parquet", "datapackage.json"]
    assert (status, printed.splitlines()) == (0, [str(folder / name) for name in names])
    assert "Sample Publisher" in said
    rows = pq.read_table(folder / "provisions.parquet").to_pylist()
    texts = {row["node_id"]: row["text"] for row in rows}
    wanted = node("/us/sample/t1/s7")
    assert texts[wanted] == client.node(wanted).text
    package = json.loads((folder / "datapackage.json").read_bytes())
    for resource in package["resources"]:
        if (folder / resource["path"]).exists():
            digest = hashlib.sha256((folder / resource["path"]).read_bytes()).hexdigest()
            assert resource["hash"] == f"sha256:{digest}"
    wanted_files = ("--format", "jsonl", "--table", "references", "--json")
    status, printed, _ = legal("download", "us-sample", "--folder", str(tmp_path), *wanted_files)
    assert [one.rpartition("/")[2] for one in json.loads(printed)["files"]] == [
        "references.jsonl.gz",
        "datapackage.json",
    ]


def test_a_download_goes_on_with_what_is_there(client, tmp_path):
    [file] = [
        one
        for body in client.downloads().code_bodies
        if body.key == "us-sample"
        for one in body.files
        if (one.table, one.format) == ("provisions", "jsonl")
    ]
    whole = client.download(file, tmp_path / "whole").read_bytes()
    part = tmp_path / f"provisions.jsonl.gz.{file.sha256[:12]}.part"
    part.write_bytes(whole[:1000])
    seen: list[int] = []
    assert client.download(file, tmp_path, progress=seen.append).read_bytes() == whole
    assert seen[0] == 1000
    assert not part.exists()


def test_what_cannot_be_downloaded_is_said(legal, tmp_path):
    status, printed, _ = legal("download")
    assert (status, "us-sample" in printed) == (0, True)
    status, _, said = legal("download", "us-nowhere", "--folder", str(tmp_path))
    assert (status, "us-sample" in said) == (4, True)
    assert list(tmp_path.iterdir()) == []


def test_the_first_snapshot_has_no_changes(client, node, legal):
    page = client.changes(kind="amended", code_body=None)
    assert (page.from_, page.to.id, page.reason, page.total) == (None, "2026.11.21-1", "first_snapshot", 0)
    history = client.history(node("/us/sample/t1/s5"))
    assert [(one.snapshot, one.held) for one in history.states] == [("2026.11.21-1", True)]
    assert history.not_compared == ("2026.11.21-1",)
    status, printed, _ = legal("changes", "--code-body", "us-sample")
    assert status == 0
    assert "first_snapshot" in printed
    assert "1 S.F.C. § 5" in legal("history", node("/us/sample/t1/s5"))[1]


def test_the_retained_snapshots_are_listed_without_a_key(client_server):
    with Client(client_server.url) as nobody:
        listed = nobody.snapshots()
    assert listed.current == listed.snapshots[0].id == "2026.11.21-1"
    assert {body.key for body in listed.snapshots[0].code_bodies} >= {"us-sample"}


def test_corrections_are_listed_without_a_key(client_server, legal, node):
    with Client(client_server.url) as nobody:
        listed = nobody.corrections()
    assert [(one.status, one.fixed_in) for one in listed.corrections] == [
        ("open", None),
        ("fixed", "2026.11.19-1"),
    ]
    assert (listed.date, listed.corrections[1].node_id) == ("2026-11-20", node("/us/sample/t1/s7"))
    status, printed, _ = legal("corrections")
    assert status == 0
    assert printed.startswith("1 S.F.C. § 9: open\n   The harbor’s name")
    assert "1 S.F.C. § 7: fixed in 2026.11.19-1\n" in printed
    assert "   Found on 2026-11-18: A reader.\n2 corrections, as of 2026-11-20.\n" in printed


def test_a_provision_is_proved_offline_and_its_snapshot_in_the_log(legal, node, tmp_path):
    status, printed, _ = legal("node", node("/us/sample/t1/s7"), "--proof", "--json")
    assert status == 0
    proved, kept = tmp_path / "node.json", tmp_path / "log.txt"
    proved.write_text(printed, encoding="utf-8")
    status, printed, _ = legal("verify", str(proved))
    assert (status, printed.split("\n")[0]) == (0, "1 S.F.C. § 7: as it was published under the root")
    for seen in ("seen for the first time", "only grew since it was last seen"):
        status, printed, _ = legal("log", "verify", str(proved), "--kept", str(kept))
        assert status == 0
        assert seen in printed
        assert printed.startswith("1 S.F.C. § 7: as it was published in 2026.11.21-1\n")
        assert "holds 2026.11.21-1" in printed
    status, _, said = legal("log", "verify")
    assert status == 0
    assert "--kept" in said
    assert legal("log", "verify", "--snapshot", "2020.01.01-1", "--json")[0] == 7
    answer = json.loads(proved.read_text(encoding="utf-8"))
    proved.write_text(json.dumps(answer | {"heading": "Another"}), encoding="utf-8")
    status, printed, _ = legal("log", "verify", str(proved))
    assert (status, printed) == (7, "heading: is not what was published\n")
    answer["proof"]["root"] = "0" * 64
    proved.write_text(json.dumps(answer), encoding="utf-8")
    status, printed, _ = legal("log", "verify", str(proved))
    assert status == 7
    assert "\n2026.11.21-1: its nodes-root is 000" in printed
    kept.write_text(kept.read_text(encoding="utf-8").replace("\n1\n", "\n2\n"), encoding="utf-8")
    status, printed, _ = legal("log", "verify", "--kept", str(kept))
    assert (status, printed.partition(":")[0]) == (7, "log")
    assert legal("log", "verify", "--key", "nothing")[0] == 2


def test_levels_and_tags_are_filters(client):
    found = client.search("protected work", tag="definitions", level="section")
    assert [item.citation for item in found.results] == ["1 S.F.C. § 5"]
    assert found.hint is None
    nothing = client.search("asdfghjkl", facets=True)
    assert (nothing.total, nothing.results) == (0, ())
    assert "spelling" in nothing.hint


def test_coverage_and_account(client, key):
    coverage = client.coverage()
    assert {one.short_code for one in coverage.jurisdictions if not one.placeholder} >= {"us", "sample"}
    bodies = [body for one in coverage.jurisdictions for body in one.code_bodies]
    stale = [(title.label, title.stale_since) for body in bodies for title in body.stale_titles]
    assert stale == [("Title 3", "2025-02-14")]
    assert {body.freshness and body.freshness.reason for body in bodies} == {"no_connector"}
    account = client.me()
    assert account.ledger[0].endpoint == "me"
    assert key.startswith(account.key_prefix)
    assert account.meta.next_query is None


def test_the_free_datasets_need_no_key(client_server):
    with Client(client_server.url) as nobody:
        comparison, prices = nobody.compare(), nobody.prices()
    assert sum(one.is_publisher for one in comparison.providers) == 1
    assert comparison.providers[0].facts["publicApi"].status in comparison.statuses
    assert {one.entity_type for one in prices.prices} == {"llc", "nonprofit"}
    assert all(one.total.status in prices.statuses for one in prices.prices)
    assert prices.meta.credits_cost is None


def test_errors_of_the_real_service(client, client_server, key, node):
    with pytest.raises(law.NotFoundError) as unknown:
        client.node("353d24d3-c359-5880-9def-728cfe7f4747")
    assert (unknown.value.kind, unknown.value.code) == ("node", "not_found")
    with pytest.raises(law.ValidationError) as refused:
        client.search("x", limit=101)
    assert refused.value.parameter == "limit"
    with (
        Client(client_server.url, key=key, snapshot="2020.01.01-1") as pinned,
        pytest.raises(law.NotFoundError) as gone,
    ):
        pinned.node(node("/us/sample/t1/s7"))
    assert gone.value.kind == "snapshot_gone"
    with Client(client_server.url) as nobody, pytest.raises(law.InvalidKeyError):
        nobody.me()


@pytest.mark.asyncio
async def test_the_asynchronous_client_reads_the_same(client_server, key, client):
    async with AsyncClient(client_server.url, key=key) as other:
        page = await other.search("fair use")
        assert page.results == client.search("fair use").results
        assert [item async for item in other.search_all("fair use", most=2)] == list(page.results[:2])


def test_the_commands_print_for_people(legal, node):
    status, printed, said = legal("search", "fair use", "--most", "2")
    assert status == 0
    assert printed.startswith("1. 1 S.F.C. § 7  Fair use\n")
    assert node("/us/sample/t1/s7") in printed
    assert "Cost 1 credit" in said
    status, printed, _ = legal("node", node("/us/sample/t1/s9"))
    assert (status, "Whoever infringes a protected work" in printed) == (0, True)
    assert "Source: Sample Publisher" in printed
    status, printed, _ = legal("node", "1 sfc 9")
    assert (status, printed.splitlines()[0]) == (0, "1 S.F.C. § 9  Penalties")
    status, printed, _ = legal("browse")
    assert (status, "us-sample" in printed) == (0, True)
    status, printed, _ = legal("browse", "us-sample", "--parent", node("/us/sample/t1"))
    assert (status, "General provisions" in printed) == (0, True)
    status, printed, _ = legal("node", node("/sample/code/t3"))
    assert (status, "could not be updated from the edition of 2025-02-14" in printed) == (0, True)
    status, printed, _ = legal("coverage")
    assert "sample has old law: Title 3 is of 2024-10-08, not of 2025-02-14\n" in printed
    assert (status, "Sample State Code" in printed, "lacks: Titles above 3 are missing." in printed) == (
        0,
        True,
        True,
    )
    status, printed, _ = legal("compare")
    assert (status, "(publisher)" in printed) == (0, True)
    status, printed, _ = legal("prices", "--state", "de")
    assert (status, printed.splitlines()[0].split()[:2]) == (0, ["state", "entity"])
    status, printed, _ = legal("me")
    assert (status, "Credits: " in printed, "charge" in printed) == (0, True, True)


def test_places_are_named_as_people_have_them(legal, node):
    by_id = legal("browse", "us-sample", "--parent", node("/us/sample/t1/ch1"))[:2]
    assert (by_id[0], "1 S.F.C. § 7" in by_id[1]) == (0, True)
    assert legal("browse", "us-sample", "--parent", "1 sfc ch 1")[:2] == by_id
    status, printed, _ = legal("browse", "us-sample", "--parent", "1 sfc 70")
    assert (status, "not_in_code" in printed) == (4, True)
    assert legal("history", "1 sfc 7")[:2] == legal("history", node("/us/sample/t1/s7"))[:2]
    assert legal("history", "1 sfc 70")[0] == 4
    chapter = ["--from", "2026.11.21-1", "--container"]
    by_id = legal("changes", *chapter, node("/us/sample/t1/ch1"))
    assert legal("changes", *chapter, "1 sfc ch 1")[:2] == by_id[:2]
    assert legal("changes", *chapter, "1 sfc 70")[0] == 4


def test_points_are_read_as_maps_show_them(legal):
    status, printed, _ = legal("gis", "sample-city", "--at", "37.507", "-122.393")
    assert (status, printed.startswith("R-1")) == (0, True)
    assert "land that was rezoned since" in printed
    for point in (["37.507,", "-122.393"], ["37°30'25.2\"N", "122°23'34.8\"W"], ["37.507 N", "122.393 W"]):
        assert legal("gis", "sample-city", "--at", *point)[:2] == (0, printed)
    status, _, said = legal("gis", "sample-city", "--at", "330", "20th")
    assert (status, "“330 20th” is no point" in said) == (2, True)


def test_citations_are_written_for_papers(legal, client, node):
    seven = node("/us/sample/t1/s7")
    assert client.cite(seven, format="ris").startswith("TY  - STAT")
    assert client.cite(seven) != client.cite(seven, format="bibtex"), "answers of one address are kept apart"
    status, printed, said = legal("cite", "1 S.F.C. 7", node("/us/sample/t1/s8"), "--format", "csl-json")
    assert status == 0
    assert [one["title-short"] for one in json.loads(printed)] == ["1 S.F.C. § 7", "1 S.F.C. § 8"]
    assert "credit" in said
    status, printed, _ = legal("cite", "1 S.F.C. 7", "1 S.F.C. 99999")
    assert (status, "TY" in printed) == (4, False)


def test_a_search_takes_a_code_body_by_its_key(legal, body):
    by_id = legal("search", "harbor", "--code-body", body("sample-code"), "--json")[1]
    assert {one["codeBody"] for one in json.loads(by_id)["results"]} == {body("sample-code")}
    status, by_key, _ = legal("search", "harbor", "--code-body", "sample-code", "--json")
    assert status == 0
    assert json.loads(by_key)["results"] == json.loads(by_id)["results"]
    assert "there are" in legal("search", "harbor", "--code-body", "simple-code")[2]


def test_the_part_that_is_cited_stays_in_the_citation(legal):
    whole = legal("cite", "1 S.F.C. § 7")[1]
    assert whole.startswith("1 S.F.C. § 7 (current through 2026-10-31), http")
    for cited, part in (("1 sfc 7(a)", "(a)"), ("1 sfc 7 note", " note"), ("1 sfc 7 et seq.", " et seq.")):
        status, printed, _ = legal("cite", cited)
        assert (status, printed) == (0, whole.replace("§ 7 ", f"§ 7{part} ", 1))
    _, printed, said = legal("cite", "1 sfc 7(a)", "1 sfc 9", "--format", "ris")
    assert "(a)" not in printed
    assert "The entry is of 1 S.F.C. § 7; give (a) where you cite it." in said
    assert "§ 9" not in said, "no part of it is cited"
    assert legal("cite", "1 sfc 7(z)")[:1] == (4,)


def test_the_notes_are_read_where_they_are_cited(legal):
    printed = legal("node", "1 S.F.C. § 7 note")[1]
    assert "Note: Amendments\nNone.\n" in printed
    assert "Notwithstanding" not in printed, "it is the text above them"
    assert "Note:" not in legal("node", "1 S.F.C. § 7")[1]


def test_the_commands_print_the_json_of_the_api(legal, client):
    for arguments in (
        ["me"],
        ["coverage"],
        ["browse"],
        ["search", "fair use"],
        ["resolve", "1 S.F.C. § 7"],
        ["prices"],
    ):
        status, printed, said = legal(*arguments, "--json")
        assert (status, said) == (0, "")
        assert isinstance(json.loads(printed), dict)
    _, printed, _ = legal("search", "permit holder", "--mode", "keyword", "--most", "150", "--json")
    assert len(json.loads(printed)["results"]) == 150


def test_citations_that_lead_to_no_one_provision_are_told_in_both_ways(legal, node):
    status, printed, _ = legal("node", "1 S.F.C. § 70", "--json")
    assert (status, json.loads(printed)["outcome"]) == (4, "not_in_code")
    status, printed, _ = legal("resolve", "1 S.F.C. §§ 7, 9")
    assert status == 0
    assert node("/us/sample/t1/s7") in printed
    assert node("/us/sample/t1/s9") in printed
    assert legal("node", "1 S.F.C. §§ 7, 9")[0] == 4


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["search", "   "], 2, "validation_error"),
        (["node", "353d24d3-c359-5880-9def-728cfe7f4747"], 4, "not_found"),
        (["node", "1 S.F.C. § 70"], 4, ""),
        (["resolve", "1 S.F.C. § 7", "1 S.F.C. § 70"], 4, ""),
        (["browse", "no-such-code"], 4, "us-sample"),
        (["gis", "nowhere"], 4, "not_found"),
        (["coverage", "--date", "2024-02-29"], 4, "the oldest is 2026.11.21-1"),
        (["order", "353d24d3-c359-5880-9def-728cfe7f4747", "--token", "x"], 4, "not_found"),
        (["me", "--base-url", "http://127.0.0.1:1", "--wait", "0"], 6, "http://127.0.0.1:1 was not reached"),
        (["me", "--base-url", "elsewhere"], 2, "no http"),
    ],
)
def test_the_status_says_what_became_of_it(legal, arguments, status, said):
    got, _, remarks = legal(*arguments)
    assert got == status
    assert said in remarks


def test_a_wrong_key_is_said_where_it_is_read(legal, monkeypatch):
    monkeypatch.delenv(KEY)
    status, _, said = legal("me")
    assert (status, KEY in said) == (3, True)


def test_it_is_a_command(client_server):
    done = subprocess.run(
        [sys.executable, "-m", "legal_client.cli", "--help"], capture_output=True, text=True, check=True
    )
    for word in ("search", "resolve", "Exit status", BASE_URL, KEY):
        assert word in done.stdout
