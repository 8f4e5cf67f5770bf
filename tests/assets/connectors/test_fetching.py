"""Each connector against a server with its publisher's layout: releases, files, and answers that are wrong."""

import gzip
import io
import json
import tarfile
import zipfile
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from assets.connectors.errors import FetchError
from assets.connectors.fetching import connector_of, fetch_newest
from assets.connectors.release import Connector, Fetched
from assets.connectors.session import Session
from assets.registry import ADDRESSES, SIGNED, ConnectorEntry
from tests.assets.connectors.publisher import File, Handler, Publisher, breaks_after, status


def connector(session: Session, kind: str, **addresses: str) -> Connector:
    return connector_of("toy-code", ConnectorEntry.from_dict({"kind": kind, **addresses}), session)


def fetch(one: Connector, folder: Path) -> Fetched:
    return fetch_newest(one, folder, lambda _, __: None)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))


def packed(**files: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "."), content)
    return out.getvalue()


def test_there_is_a_connector_for_every_kind_of_the_registry(session: Session) -> None:
    for kind, fields in ADDRESSES.items():
        entry: dict[str, Any] = dict.fromkeys(fields, "https://a.example/{commit}{number}x.zip")
        if kind in SIGNED:
            entry["signed_by"] = {"target": "a/b", "root": "0" * 64}
        one = connector_of("toy-code", ConnectorEntry.from_dict({"kind": kind, **entry}), session)
        assert one.listing.startswith("https://a.example/")


# https


def test_a_file_at_a_fixed_address_goes_by_its_validators(
    publisher: Publisher, session: Session, tmp_path: Path
) -> None:
    one = connector(session, "https", file=publisher.put("/maps/zones.zip", packed(a=b"1")))
    (release,) = one.releases()
    assert (release.name, release.date) == ('"v1"', "2026-01-12")
    assert release.bytes == len(publisher.files["/maps/zones.zip"].content)
    fetched = fetch(one, tmp_path / "new")
    assert (fetched.path.name, fetched.files[0].validators.etag) == ("zones.zip", '"v1"')
    publisher.asked.clear()
    assert fetch(one, tmp_path / "new") == fetched
    assert [asked.method for asked in publisher.asked] == ["HEAD", "GET"]


def test_a_server_without_head_is_asked_for_the_file(
    publisher: Publisher, session: Session, tmp_path: Path
) -> None:
    one = connector(session, "https", file=publisher.put("/zones.zip", packed(a=b"1")))
    publisher.faults = [status(405)]
    fetched = fetch(one, tmp_path)
    assert fetched.release.name == "as it is now"
    assert fetched.path.is_file()


@pytest.mark.parametrize("path", ["/", "/%2e%2e%2fx", "/a%00b", "/.hidden", "/a%20b"])
def test_a_name_that_is_none_is_refused(
    publisher: Publisher, session: Session, tmp_path: Path, path: str
) -> None:
    one = connector(session, "https", file=publisher.put(path, b"x"))
    with pytest.raises(FetchError, match="no plain name"):
        fetch(one, tmp_path)
    assert not list(tmp_path.iterdir())


# git-archive

COMMIT = "94dfb26f7773ba455c3049bef7e20ba1336f8ec0"


def git_archive(commit: str | None) -> bytes:
    out = io.BytesIO()
    headers = {} if commit is None else {"comment": commit}
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT, pax_headers=headers) as archive:
        member = tarfile.TarInfo(f"law-xml-{COMMIT}/index.xml")
        member.size = 4
        archive.addfile(member, io.BytesIO(b"<a/>"))
    return gzip.compress(out.getvalue())


def repository(publisher: Publisher, session: Session, commit: object = COMMIT) -> Connector:
    told = {"sha": commit, "commit": {"committer": {"date": "2026-07-22T10:00:00Z"}}}
    publisher.put("/repos/council/law-xml/commits/HEAD", json.dumps(told).encode())
    return connector(
        session,
        "git-archive",
        newest=publisher.address + "/repos/council/law-xml/commits/HEAD",
        archive=publisher.address + "/council/law-xml/tar.gz/{commit}",
    )


def test_a_repository_comes_at_its_newest_commit(
    publisher: Publisher, session: Session, tmp_path: Path
) -> None:
    one = repository(publisher, session)
    publisher.put(f"/council/law-xml/tar.gz/{COMMIT}", git_archive(COMMIT), etag='W/"x"', last_modified=None)
    (tmp_path / "toy-code-old.tar.gz").write_bytes(b"old")
    (tmp_path / ".toy-code-old.tar.gz.json").write_bytes(b"{}")
    (tmp_path / ".toy-code-older.tar.gz.part").write_bytes(b"old")
    (tmp_path / ".toy-code-older.tar.gz.part.json").write_bytes(b"{}")
    fetched = fetch(one, tmp_path)
    assert (fetched.release.name, fetched.release.date) == (COMMIT, "2026-07-22")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        f".toy-code-{COMMIT}.tar.gz.json",
        f"toy-code-{COMMIT}.tar.gz",
    ]


def test_an_archive_of_another_commit_is_refused(
    publisher: Publisher, session: Session, tmp_path: Path
) -> None:
    one = repository(publisher, session)
    publisher.put(f"/council/law-xml/tar.gz/{COMMIT}", git_archive("0" * 40))
    with pytest.raises(FetchError, match="sends the files of commit 0000"):
        fetch(one, tmp_path)
    assert names(tmp_path) == []


def test_an_archive_that_names_no_commit_is_taken(
    publisher: Publisher, session: Session, tmp_path: Path
) -> None:
    one = repository(publisher, session)
    publisher.put(f"/council/law-xml/tar.gz/{COMMIT}", git_archive(None))
    assert fetch(one, tmp_path).path.is_file()


def test_what_is_packed_but_no_tar_is_refused(publisher: Publisher, session: Session, tmp_path: Path) -> None:
    one = repository(publisher, session)
    publisher.put(f"/council/law-xml/tar.gz/{COMMIT}", gzip.compress(b"<html>sign in</html>"))
    with pytest.raises(FetchError, match="no archive"):
        fetch(one, tmp_path)


@pytest.mark.parametrize(
    "commit", [None, 7, "", "../../etc/passwd", "HEAD", COMMIT.upper(), COMMIT[:7], COMMIT + "\n"]
)
def test_what_is_no_commit_is_refused(
    publisher: Publisher, session: Session, tmp_path: Path, commit: object
) -> None:
    with pytest.raises(FetchError, match="names no commit"):
        fetch(repository(publisher, session, commit), tmp_path)


# uscode: the layout of the download page and of the list of earlier release points

DOWNLOADS = """<html><body><h2>Current Release Point</h2>
<h3 class="releaseinformation">Public Law 119-102 (07/12/2026) , except 119-101</h3>
<!-- <a href="releasepoints/us/pl/119/103/xml_uscAll@119-103.zip">[XML]</a> -->
<p>All files are current through Public Law 119-102 (07/12/2026) , except 119-101</p>
<a href="releasepoints/us/pl/119/102not101/xml_uscAll@119-102not101.zip" title="xml file">[XML]</a>
<a href="releasepoints/us/pl/119/102not101/htm_uscAll@119-102not101.zip">[XHTML]</a>
<a href="releasepoints/us/pl/119/102not101/xml_usc01@119-102not101.zip">[XML]</a>
<a href="priorreleasepoints.htm">Prior release points</a></body></html>"""

EARLIER = """<ul class="releasepoints">
<!-- <li><a class="releasepoint" href="releasepoints/us/pl/119/102/usc-rp@119-102.htm">Public Law 119-102</a></li> -->
<li><a href="releasepoints/us/pl/118/22u1/usc-rp@118-22u1.htm">Public Law 118-22, with Court Rules updates (12/01/2023)</a></li>
<li><a href="releasepoints/us/pl/118/22/usc-rp@118-22.htm">Public Law 118-22 (11/17/2023), affecting titles 5.</a></li>
<li><a href="releasepoints/us/pl/119/102not101/usc-rp@119-102not101.htm">Public Law 119-102 (07/12/2026) , except 119-101</a></li>
<li><a href="releasepoints/us/pl/119/100/usc-rp@119-100.htm">Public Law 119-100 (06/26/2026), affecting title 47.</a></li>
<li><a href="releasepoints/us/pl/119/99/usc-rp@119-99.htm">Public Law 119-99 (06/12/2026), affecting title 16.</a></li>
<li><a href="releasepoints/us/pl/118/250not159/usc-rp@118-250not159.htm">Public Law 118-250 (01/04/2025), except for Public Law 118-159, and including Public Law 119-1 (January 29, 2025)</a></li>
</ul>"""


def test_the_newest_release_point_comes_with_all_titles(
    publisher: Publisher, session: Session, tmp_path: Path
) -> None:
    page = publisher.put("/download/download.shtml", DOWNLOADS.encode())
    path = "/download/releasepoints/us/pl/119/102not101/xml_uscAll@119-102not101.zip"
    publisher.put(path, packed(usc01__xml=b"<uscDoc/>"))
    one = connector(session, "uscode", page=page)
    (release,) = one.releases()
    assert (release.name, release.date) == ("119-102not101", "2026-07-12")
    assert release.addresses == (publisher.address + path,)
    publisher.faults = [lambda *_: False, breaks_after(40)]
    fetched = fetch(one, tmp_path)
    assert names(tmp_path) == ["xml_uscAll@119-102not101.zip"]
    assert fetched.files[0].address == publisher.address + path


def test_earlier_release_points_are_in_order(publisher: Publisher, session: Session) -> None:
    page = publisher.put("/download/priorreleasepoints.htm", EARLIER.encode())
    releases = connector(session, "uscode", page=page).releases()
    assert [(release.name, release.date) for release in releases] == [
        ("119-102not101", "2026-07-12"),
        ("119-100", "2026-06-26"),
        ("119-99", "2026-06-12"),
        ("118-250not159", "2025-01-04"),
        ("118-22u1", "2023-12-01"),
        ("118-22", "2023-11-17"),
    ]
    assert releases[1].addresses[0].endswith("/download/releasepoints/us/pl/119/100/xml_uscAll@119-100.zip")


@pytest.mark.parametrize(
    "page",
    [
        "",
        "<html>Down for maintenance</html>",
        '<!-- <a href="releasepoints/us/pl/119/103/xml_uscAll@119-103.zip">x</a> -->',
        '<a href="releasepoints/us/pl/119/103/xml_uscAll@latest.zip">x</a>',
    ],
)
def test_a_page_without_release_points_is_an_error(publisher: Publisher, session: Session, page: str) -> None:
    address = publisher.put("/download/download.shtml", page.encode())
    with pytest.raises(FetchError, match="links to no release point"):
        connector(session, "uscode", page=address).releases()


def test_a_release_point_on_another_host_is_refused(publisher: Publisher, session: Session) -> None:
    page = '<a href="http://127.0.0.2/xml_uscAll@119-103.zip">x</a>'
    address = publisher.put("/download/download.shtml", page.encode())
    with pytest.raises(FetchError, match="not followed"):
        connector(session, "uscode", page=address).releases()


# ecfr

TITLES: dict[str, Any] = {
    "titles": [
        {
            "number": 1,
            "name": "General Provisions",
            "latest_amended_on": "2026-05-01",
            "latest_issue_date": "2026-05-01",
            "up_to_date_as_of": "2026-11-18",
            "reserved": False,
        },
        {
            "number": 2,
            "name": "Federal Financial Assistance",
            "up_to_date_as_of": "2026-11-19",
            "reserved": False,
        },
        {
            "number": 35,
            "name": "Panama Canal",
            "latest_amended_on": None,
            "up_to_date_as_of": None,
            "reserved": True,
        },
    ],
    "meta": {"date": "2026-11-19", "import_in_progress": False},
}


def regulations(publisher: Publisher, session: Session, told: object = TITLES) -> Connector:
    return connector(
        session,
        "ecfr-titles",
        titles=publisher.put("/api/versioner/v1/titles.json", json.dumps(told).encode()),
        title=publisher.address + "/bulkdata/ECFR/title-{number}/ECFR-title{number}.xml",
    )


def test_titles_of_regulations_come_one_by_one_and_only_changed_ones_again(
    publisher: Publisher, session: Session, tmp_path: Path
) -> None:
    one = regulations(publisher, session)
    for number in (1, 2):
        publisher.put(f"/bulkdata/ECFR/title-{number}/ECFR-title{number}.xml", b"<DLPSTEXTCLASS/>")
    fetched = fetch(one, tmp_path)
    assert (fetched.release.name, fetched.release.date) == ("2026-11-19", "2026-11-19")
    assert fetched.path == tmp_path
    assert names(tmp_path) == ["ECFR-title1.xml", "ECFR-title2.xml"]
    publisher.put("/bulkdata/ECFR/title-2/ECFR-title2.xml", b"<DLPSTEXTCLASS>2</DLPSTEXTCLASS>", etag='"v2"')
    again = fetch(one, tmp_path)
    assert again.files[0] == fetched.files[0]
    assert again.files[1].validators.etag == '"v2"'


def test_a_title_that_cannot_be_had_costs_the_release_and_not_its_other_titles(
    publisher: Publisher, session: Session, tmp_path: Path
) -> None:
    one = regulations(publisher, session)
    publisher.put("/bulkdata/ECFR/title-1/ECFR-title1.xml", b"<DLPSTEXTCLASS/>")
    with pytest.raises(FetchError, match=r"ECFR-title2\.xml answers 404"):
        fetch(one, tmp_path)
    assert names(tmp_path) == ["ECFR-title1.xml"]


@pytest.mark.parametrize(
    "told",
    [
        [],
        {},
        {"titles": []},
        {"titles": [1]},
        {"titles": [{"number": "1/../2"}]},
        {"titles": [{"number": True}]},
        {"titles": [{"number": 1, "reserved": True}]},
        {"titles": [{"number": number} for number in range(1, 300)]},
    ],
)
def test_a_list_that_is_none_of_titles_is_refused(
    publisher: Publisher, session: Session, told: object
) -> None:
    with pytest.raises(FetchError, match=r"titles\.json lists"):
        regulations(publisher, session, told).releases()


# arcgis


class Service:
    """A feature service as it answers: JSON about the layer, counts, and pages of GeoJSON."""

    def __init__(self, publisher: Publisher, features: int = 7, page: int = 3) -> None:
        self.features = [
            {"type": "Feature", "id": n, "geometry": None, "properties": {"ZONE": f"R{n}"}}
            for n in range(features)
        ]
        self.about: dict[str, Any] = {
            "objectIdField": "OBJECTID",
            "maxRecordCount": page,
            "advancedQueryCapabilities": {"supportsPagination": True},
            "editingInfo": {"lastEditDate": 1_784_000_000_000},
        }
        self.page = page
        self.queries: list[dict[str, str]] = []
        self.layer = publisher.address + "/rest/services/Zoning/FeatureServer/0"
        publisher.faults = [self.answer] * 100

    def answer(self, handler: Handler, _: File | None) -> bool:
        parts = urlsplit(handler.path)
        asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        self.queries.append(asked)
        told: object
        if not parts.path.endswith("/query"):
            told = self.about
        elif asked.get("returnCountOnly") == "true":
            told = {"count": len(self.features)}
        else:
            start = int(asked["resultOffset"])
            some = self.features[start : start + min(self.page, int(asked["resultRecordCount"]))]
            more = start + len(some) < len(self.features)
            told = {
                "type": "FeatureCollection",
                "features": some,
                "properties": {"exceededTransferLimit": more},
            }
        handler.reply(200, json.dumps(told).encode())
        return True


@pytest.mark.parametrize("count", [0, 1, 3, 7, 9])
def test_a_layer_comes_in_pages_as_one_file(
    publisher: Publisher, session: Session, tmp_path: Path, count: int
) -> None:
    service = Service(publisher, count)
    one = connector(session, "arcgis", layer=service.layer)
    fetched = fetch(one, tmp_path)
    assert fetched.release.date == "2026-07-14"
    read = json.loads(fetched.path.read_bytes())
    assert [feature["properties"]["ZONE"] for feature in read["features"]] == [f"R{n}" for n in range(count)]
    before = len(service.queries)
    assert fetch(one, tmp_path).files == fetched.files
    assert len(service.queries) == before + 1


def test_a_layer_edited_while_it_is_read_is_refused(
    publisher: Publisher, session: Session, tmp_path: Path
) -> None:
    service = Service(publisher)

    def edits(handler: Handler, file: File | None) -> bool:
        service.about = {**service.about, "editingInfo": {"lastEditDate": 1_784_000_000_001}}
        return service.answer(handler, file)

    publisher.faults[4] = edits
    with pytest.raises(FetchError, match="was edited while it was read"):
        fetch(connector(session, "arcgis", layer=service.layer), tmp_path)
    assert names(tmp_path) == []


def test_features_that_are_missing_or_double_are_noticed(
    publisher: Publisher, session: Session, tmp_path: Path
) -> None:
    service = Service(publisher)
    one = connector(session, "arcgis", layer=service.layer)

    def miscounts(handler: Handler, _: File | None) -> bool:
        handler.reply(200, b'{"count": 8}')
        return True

    publisher.faults[2] = miscounts
    with pytest.raises(FetchError, match="7 of 8 features"):
        fetch(one, tmp_path)
    service.features[5]["id"] = 1
    with pytest.raises(FetchError, match="on two pages"):
        fetch(one, tmp_path)
    assert names(tmp_path) == []


def test_an_error_within_an_answer_is_told(publisher: Publisher, session: Session) -> None:
    service = Service(publisher)
    service.about = {"error": {"code": 499, "message": "Token Required"}}
    with pytest.raises(FetchError, match="Token Required"):
        connector(session, "arcgis", layer=service.layer).releases()


@pytest.mark.parametrize("about", [{"objectIdField": None}, {"advancedQueryCapabilities": None}])
def test_a_service_without_pages_is_refused(
    publisher: Publisher, session: Session, tmp_path: Path, about: dict[str, Any]
) -> None:
    service = Service(publisher)
    service.about |= about
    with pytest.raises(FetchError, match="cannot be read in pages"):
        fetch(connector(session, "arcgis", layer=service.layer), tmp_path)


def test_a_folder_that_cannot_be_written_is_an_error_of_ours(
    publisher: Publisher, session: Session, tmp_path: Path
) -> None:
    (tmp_path / "file").write_bytes(b"")
    one = connector(session, "https", file=publisher.put("/zones.zip", packed(a=b"1")))
    with pytest.raises(FetchError, match="cannot be written"):
        fetch(one, tmp_path / "file" / "folder")
