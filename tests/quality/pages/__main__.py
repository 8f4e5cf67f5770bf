"""Every page of a snapshot's law, made as the server makes it: `python -m tests.quality.pages SNAPSHOT`.

For each provision: its address is its own and leads back to it; and, if it is in force, its page can be made,
holds its whole text, weighs no more than it may beyond its words, describes itself as schema.org has it, links
only to pages that are there, and stands in a sitemap; its exports are read back by the libraries of their formats. Prints counts, and exits 1 if anything fails.
"""

import argparse
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from uuid import UUID

from serving.contract.records import IN_FORCE
from serving.pages.law.provisions import provision_page
from serving.pages.law.sitemaps import SITEMAPS, sitemap, sitemap_index
from serving.pages.public import NOBODY
from serving.pages.rendering import Renderer
from serving.pages.static_files import StaticFiles
from serving.services.addresses import LAW, page_of
from serving.snapshot.addresses import code_of
from serving.snapshot.store import Snapshot, open_snapshot
from tests.quality.pages.exports import unreadable
from tests.quality.pages.structured import misshapen

BUDGET = 60_000
"""Bytes of a page beyond the words of its source: the provision, its credit, its notes."""
URL = "https://law.example"
_TAG = re.compile(r"<[^>]*>")
_TEXT = re.compile(r'<div class="text">(.*?)</div>\n', re.DOTALL)
_DATA = re.compile(r'<script type="application/ld\+json">(.*?)</script>', re.DOTALL)
_LINK = re.compile(r'href="?/law/([^"#?>\s]+)')
_ID = re.compile(r'\sid="?([^"\s>]+)')


def faults_of(snapshot: Snapshot, renderer: Renderer, row: int) -> Iterator[str]:
    """Yield what is wrong with the page of a provision."""
    page = provision_page(snapshot, row, page=1, public_url=URL)
    made = renderer.render("law_provision.html", frame=NOBODY, page=page)
    found = _TEXT.search(made)
    words = "" if found is None else unescape(_TAG.sub("", found.group(1)))
    if words != page.answer["text"].replace("\n", ""):
        yield "text"
    source = [page.answer["text"], page.answer["sourceCredit"] or ""]
    source += [f"{note['heading'] or ''}{note['text']}" for note in page.answer["notes"]]
    if len(made.encode()) - len("".join(source).encode()) > BUDGET:
        yield "weight"
    data = json.loads(_DATA.findall(made)[0])
    if data["@id"] != URL + page.address or any(misshapen(data)):
        yield "description"
    for media_type in unreadable(
        snapshot, UUID(page.answer["id"]), citation=page.answer["citation"], url=data["url"], public_url=URL
    ):
        yield f"export {media_type}"
    ids = _ID.findall(made)
    if len(set(ids)) != len(ids):
        yield "ids"
    for address in set(_LINK.findall(made)):
        if address.count("/") >= 2 and snapshot.addresses.find(address) is None:
            yield "link"


def listed_in(snapshot: Snapshot) -> set[str]:
    """Return the paths of all sitemaps."""
    bodies = {f"{body.jurisdiction}/{code_of(body)}": body for body in snapshot.code_bodies}
    found: set[str] = set()
    for part in sitemap_index(snapshot).pages:
        code, _, number = part.removeprefix(f"{SITEMAPS}/").removesuffix(".xml").rpartition("/")
        found.update(sitemap(snapshot, bodies[code], int(number), {}).pages)
    return found


def main() -> int:
    """Check the snapshot in a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("snapshot", type=Path)
    parser.add_argument("--every", type=int, default=1, help="make the page of every so many provisions")
    given = parser.parse_args()
    snapshot = open_snapshot(given.snapshot)
    renderer = Renderer(StaticFiles(), public_url=URL)
    addresses, nodes = snapshot.addresses, snapshot.nodes
    faults: Counter[str] = Counter()
    listed = listed_in(snapshot)
    started, made = time.perf_counter(), 0
    for row in range(len(nodes)):
        if addresses.find(addresses.of(row)) != row:
            faults["address"] += 1
        if nodes.status(row) != IN_FORCE:
            continue
        if page_of(snapshot, row) not in listed:
            faults["sitemap"] += 1
        if row % given.every == 0:
            made += 1
            for fault in faults_of(snapshot, renderer, row):
                faults[fault] += 1
                sys.stderr.write(f"{fault}: {LAW}/{addresses.of(row)}\n")
    took = (time.perf_counter() - started) / max(1, made) * 1000
    told = {"provisions": len(nodes), "pages": made, "sitemaps": len(listed), "ms": round(took, 2), **faults}
    sys.stdout.write(json.dumps(told) + "\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
