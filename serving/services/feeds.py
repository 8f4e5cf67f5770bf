"""The feed of a code body: its changes at each publication that is retained, the newest first."""

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID, uuid5

from serving.contract.changes import KINDS, Change, ComparedBody, Summary
from serving.contract.errors import NotFoundError, SnapshotGoneError
from serving.contract.identity import NAMESPACE
from serving.services.addresses import page_of, page_of_body
from serving.services.retained_laws import RetainedLaw, find_law
from serving.services.snapshots import SnapshotHolder
from serving.snapshot.store import Snapshot

ENTRIES = 200
"""Changes in a feed, beside an entry for each publication that has the numbers of all."""
_WORDS = 600
"""Characters of the words that were taken out or put in, in an entry."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry.

    Attributes:
        call: path of the call that answers with the provision as it stands now, or with the change.
        page: path of the page about it, which needs no key; None where there is none.
    """

    id: UUID
    title: str
    text: str
    call: str
    page: str | None
    published: str
    kind: str | None


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed; `path` is its address without its format, `updated` the instant of its newest entry."""

    id: str
    path: str
    title: str
    updated: str
    entries: tuple[Entry, ...]


def make_feed(snapshots: SnapshotHolder, served: Snapshot, code_body: UUID) -> Feed:
    """Return the feed of a code body, with pages of the snapshot that is served. This reads files.

    Raises:
        NotFoundError: no retained snapshot has it.
    """
    name, updated = None, ""
    page = next((page_of_body(body) for body in served.code_bodies if body.id == str(code_body)), None)
    page_of_changes = None if page is None else f"{page}?view=changes"
    publications: list[Entry] = []
    changes: list[Entry] = []
    for snapshot in snapshots.retained():
        try:
            with find_law(snapshots, snapshot) as law:
                updated = updated or law.manifest.created
                held = (body.name for body in law.manifest.code_bodies if body.id == str(code_body))
                name = name or next(held, None)
                for compared in _of(law.summary, code_body):
                    name = name or compared["name"]
                    publications.append(_publication(law.summary, compared, page_of_changes))
                    for change in _newest(law, code_body, ENTRIES - len(changes)):
                        shown = _page(served, change) or page_of_changes
                        changes.append(_change(law, change, shown))
        except SnapshotGoneError:
            continue  # it was dropped meanwhile
    if name is None:
        raise NotFoundError(
            f"No code body has the id {code_body}; /api/v1/snapshots lists them.", kind="code_body"
        )
    entries = sorted([*publications, *changes], key=lambda entry: entry.published, reverse=True)
    return Feed(str(code_body), f"/feeds/{code_body}", f"{name}: changes", updated, tuple(entries))


def _of(summary: Summary | None, code_body: UUID) -> Iterator[ComparedBody]:
    for body in () if summary is None else summary["codeBodies"]:
        if body["id"] == str(code_body) and body["counts"]:
            yield body


def _publication(summary: Summary | None, body: ComparedBody, page: str | None) -> Entry:
    if summary is None or summary["from"] is None:
        raise ValueError("a summary with changes names both snapshots")
    counts = ", ".join(f"{body['counts'][kind]:,} {kind}" for kind in KINDS if kind in body["counts"])
    edition = body["after"] or body["before"]
    through = edition and edition["currentThrough"]
    stale = f" Not updated yet: {', '.join(body['staleTitles'])}." if body["staleTitles"] else ""
    return Entry(
        uuid5(NAMESPACE, f"publication:{summary['to']['id']}/{body['id']}"),
        f"{body['name']}: {counts}",
        f"Changes from snapshot {summary['from']['id']} to {summary['to']['id']}: {counts}."
        + (f" The publisher calls its edition current through {through}." if through else "")
        + stale,
        _call(summary["from"]["id"], summary["to"]["id"], body["id"]),
        page,
        summary["to"]["createdAt"],
        None,
    )


def _newest(law: RetainedLaw, code_body: UUID, most: int) -> Iterator[Change]:
    if law.changes is not None:
        yield from map(law.changes.change, law.changes.find(code_bodies={str(code_body)})[:most])


def _change(law: RetainedLaw, change: Change, page: str | None) -> Entry:
    summary, body = law.summary, change["codeBody"]["id"]
    if summary is None or summary["from"] is None:
        raise ValueError("a summary with changes names both snapshots")
    before, after = (side["nodeId"] if side else "" for side in (change["before"], change["after"]))
    return Entry(
        uuid5(NAMESPACE, f"change:{law.id}/{body}/{before}/{after}"),
        _title(change),
        _text(change),
        f"/api/v1/node/{after}" if after else _call(summary["from"]["id"], law.id, body, container=before),
        page,
        law.manifest.created,
        change["kind"],
    )


def _page(served: Snapshot, change: Change) -> str | None:
    """Return the path of the history of a provision that is still there."""
    after = change["after"]
    row = None if after is None else served.nodes.find(UUID(after["nodeId"]))
    return None if row is None else f"{page_of(served, row)}?view=history"


def _call(since: str, until: str, code_body: str, *, container: str = "") -> str:
    below = f"&container={container}" if container else ""
    return f"/api/v1/changes?from={since}&to={until}&codeBody={code_body}{below}"


def _title(change: Change) -> str:
    shown = change["after"] or change["before"]
    if shown is None:
        return f"{change['codeBody']['name']}: {change['kind']}"
    heading = f" ({shown['heading']})" if shown["heading"] else ""
    before = change["before"]
    was = f", formerly {before['citation']}" if before and change["kind"] == "renumbered" else ""
    return f"{shown['citation']}{heading}: {change['kind']}{was}"


def _text(change: Change) -> str:
    """Return what is known of a change in sentences; of days, only those that are known."""
    before, after = change["before"], change["after"]
    sentences = []
    if before and after and before["status"] != after["status"]:
        was, is_now = (side["status"].replace("_", " ") for side in (before, after))
        sentences.append(f"Status: {is_now}, before {was}.")
    if change["fields"]:
        sentences.append(f"What differs: {', '.join(change['fields'])}.")
    for name, label in (("removed", "Words taken out"), ("added", "Words put in")):
        words = " … ".join(place[name] for place in change["words"] if place[name])  # type: ignore[literal-required]  # of Words
        if words:
            sentences.append(f"{label}: {words if len(words) <= _WORDS else words[:_WORDS] + ' …'}")
    if change["creditAdded"]:
        sentences.append(f"The source credit adds: {'; '.join(change['creditAdded'])[:_WORDS]}.")
    if change["kind"] == "corrected":
        sentences.append("The publisher's file is the same; it was read otherwise before.")
    through = after and after["currentThrough"]
    if through:
        sentences.append(f"The publisher calls its edition current through {through}.")
    sentences.append(f"Published here on {change['publishedOn']}, known to us on {change['knownOn']}.")
    return "\n".join(sentences)
