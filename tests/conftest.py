"""Fixtures that several suites share."""

import fcntl
import hashlib
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import settings

from assets.citations.build import build_citation_index
from assets.encoder.build import build_encoder
from assets.freshness.known import known_freshness
from assets.registry import Registry, load_registry
from assets.release.bulk.build import build_bulk_files
from assets.release.coverage import build_coverage
from assets.release.publish import publish_snapshot
from assets.release.quality.report import Artefacts, build_quality
from assets.release.responses import build_response_store
from assets.search.keyword import build_keyword_index
from assets.search.questions import Question, build_question_index
from assets.search.vector import build_vector_index
from assets.selection.accepted_tables import accept
from assets.selection.selection import load_selection
from assets.workspace import Workspace
from assets.zoning.zoning_answers import build_zoning_answers
from serving.contract.identity import node_id
from serving.contract.records import CHUNKS, PROVISIONS
from serving.encoder.config import query_folder
from serving.encoder.encoder import open_encoder
from tests.formation import add_formation

pytest_plugins = ["tests.object_stores", "tests.order", "tests.serving.stores", "tests.serving.meters"]
# A change lands or does not by its own doing: the suite draws the same examples each time. `make explore` draws others.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None, print_blob=True)
settings.load_profile("repeatable")
CHECKOUT = Path(__file__).resolve().parents[1]
QUERY_TOWER = CHECKOUT / "datasets" / "encoder" / "query_tower.safetensors"


@pytest.fixture(scope="session")
def encoder_folder() -> Path:
    """The default encoder, built once and kept in the checkout's cache; safe with test runs side by side."""
    folder = CHECKOUT / ".cache" / "encoder"
    folder.parent.mkdir(exist_ok=True)
    with (folder.parent / "encoder.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        build_encoder(folder, QUERY_TOWER)
    return folder


@dataclass(frozen=True)
class Law:
    """One provision of the small law that suites share. `parent` is a path; `cites` are (words, target)."""

    path: str
    parent: str | None
    level: str
    num: str | None
    heading: str
    citation: str
    text: str = ""
    status: str = "in_force"
    cites: tuple[tuple[str, str], ...] = ()
    notes: tuple[tuple[str, str | None, str], ...] = ()
    tags: tuple[str, ...] = ()
    credit: str = "Act 1"


SAMPLE_CODE = (
    Law("t1", None, "title", "1", "Housing", "Title 1, Sample Code"),
    Law("t1/ch1", "t1", "chapter", "1", "Security deposits", "1 Sample Code ch. 1"),
    Law(
        "t1/s101",
        "t1/ch1",
        "section",
        "101",
        "Definitions",
        "1 Sample Code § 101",
        "In this chapter “deposit” means money that a tenant gives to a landlord as security.\n"
        "The word “tenant” includes a subtenant.",
        tags=("definitions",),
    ),
    Law(
        "t1/s102",
        "t1/ch1",
        "section",
        "102",
        "Return of a security deposit",
        "1 Sample Code § 102",
        "(a) A landlord shall return the security deposit within 45 days, as section 101 defines it.\n"
        "(b) A landlord who keeps a deposit in bad faith owes treble damages under section 999.",
        cites=(("section 101", "/sample/code/t1/s101/a"), ("section 999", "/sample/code/t1/s999")),
        notes=(("amendments", "Amendments", "Subsection (b) was added later."),),
    ),
    Law(
        "t1/s102a",
        "t1/ch1",
        "section",
        "102a",
        "Interest",
        "1 Sample Code § 102a",
        "Interest runs at § 29–801.02 rates, under 42 U.S.C. 2000e–1, for each deposit. Naïve façade.",
        cites=(("42 U.S.C. 2000e–1", "/us/usc/t42/s2000e-1"), ("each deposit", "/sample/code/t1/s102")),
    ),
    Law("t1/s103", "t1/ch1", "section", "103", "Repealed", "1 Sample Code § 103", status="repealed"),
    Law(
        "t1/s104",
        "t1/ch1",
        "section",
        "104",
        "Pets",
        "1 Sample Code § 104",
        " ".join(f"Rule {number}: a dog of breed {number} needs a licence." for number in range(300)),
    ),
    Law("t2", None, "title", "2", "Water", "Title 2, Sample Code"),
    Law(
        "t2/s201",
        "t2",
        "section",
        "201",
        "Wells",
        "2 Sample Code § 201",
        "No person shall dig a well without a permit. The landlord of the well keeps it covered.",
        tags=("permits", "water"),
    ),
)
CITY_CODE = (
    Law("29", None, "title", "29", "Business", "Title 29, Sample City Code"),
    Law(
        "29-801.02",
        "29",
        "section",
        "29-801.02",
        "Registered agents",
        "Sample City Code § 29-801.02",
        "(a) Every company keeps a registered agent in the city. See § 29-102.",
        cites=(("§ 29-102", "§29-102|(a)"),),
    ),
    Law(
        "29-102",
        "29",
        "section",
        "29-102",
        "Fees",
        "Sample City Code § 29-102",
        "The fee for a permit is 20 coins. Deposits are kept in the city’s vault.",
        tags=("fees",),
    ),
)
QUESTIONS = (
    Question(str(node_id("/sample/code/t1/s102")), "my old flat owner never paid back my money"),
    Question(str(node_id("/sample/code/t1/s102")), "when do i get my bond back after moving out"),
    Question(str(node_id("/sample/code/t1/s103")), "when did people get their bond back in the olden days"),
    Question(str(node_id("/sample-city/code/29-102")), "price of the paper from city hall"),
    Question(str(node_id("/nowhere/code/1")), "questions of law that is not held are left out"),
)
"""Questions that hardly share a word with the law that answers them."""


@pytest.fixture(scope="session")
def registry() -> Registry:
    """The reviewed registries of the checkout."""
    return load_registry(CHECKOUT / "datasets" / "registry")


@pytest.fixture(scope="session")
def write_law(encoder_folder: Path) -> Callable[..., Workspace]:
    """Write tables, chunks and embeddings of small code bodies into a new workspace, and the encoder."""
    encoder = open_encoder(encoder_folder)

    def write(root: Path, bodies: dict[str, tuple[Law, ...]]) -> Workspace:
        workspace = Workspace(root / "work", CHECKOUT / "datasets", root / "snapshots")
        shutil.copytree(encoder_folder, workspace.encoder)
        for key, laws in bodies.items():
            folders = (workspace.provisions(key), workspace.chunks(key), workspace.embeddings(key))
            for folder in folders:
                folder.mkdir(parents=True)
            provisions = _provision_rows(key, laws)
            pq.write_table(pa.Table.from_pylist(provisions, PROVISIONS), folders[0] / "provisions.parquet")
            _write_source(folders[0], key)
            chunks = [chunk for row in provisions for chunk in _chunk_rows(row)]
            pq.write_table(pa.Table.from_pylist(chunks, CHUNKS), folders[1] / "chunks.parquet")
            texts = {row["node_id"]: row["text"] for row in provisions}
            passages = [texts[chunk["node_id"]][chunk["start"] : chunk["end"]] for chunk in chunks]
            vectors = encoder.encode_batch([passage[:400] for passage in passages])
            np.save(folders[2] / "embeddings.npy", vectors.astype(np.float16))
            accept(workspace, key)
        return workspace

    return write


def _provision_rows(key: str, laws: tuple[Law, ...]) -> list[dict[str, Any]]:
    root = f"/{key.removesuffix('-code')}/code"
    rows: list[dict[str, Any]] = []
    for ordinal, law in enumerate(laws):
        identifier = f"{root}/{law.path}"
        cites = [
            {"start": law.text.index(words), "end": law.text.index(words) + len(words), "target": target}
            for words, target in law.cites
        ]
        rows.append(
            {
                "node_id": str(node_id(identifier)),
                "identifier": identifier,
                "parent_id": None if law.parent is None else str(node_id(f"{root}/{law.parent}")),
                "code_body": key,
                "jurisdiction": key.removesuffix("-code"),
                "unit": law.path.split("/")[0],
                "level": law.level,
                "ordinal": ordinal,
                "num": law.num,
                "heading": law.heading,
                "citation": law.citation,
                "citable": law.level == "section",
                "text": law.text,
                "outline": [{"label": "(a)", "start": 0, "end": len(law.text), "uncertain": False}]
                if law.text.startswith("(a)")
                else [],
                "status": law.status,
                "effective_start": None,
                "effective_end": None,
                "source_credit": law.credit if law.text else None,
                "notes": [
                    {"topic": topic, "heading": heading, "text": text, "offset": None}
                    for topic, heading, text in law.notes
                ],
                "references": cites,
                "tags": list(law.tags),
                "file": "law.xml",
                "byte_start": 10 * ordinal,
                "byte_end": 10 * ordinal + 10,
                "source_sha256": "0" * 64,
                "text_sha256": hashlib.sha256(law.text.encode()).hexdigest(),
            }
        )
    return rows


def _chunk_rows(row: dict[str, object]) -> list[dict[str, object]]:
    """Cut each text into halves at most 600 characters long, without a gap."""
    text = str(row["text"])
    starts = range(0, len(text), 600)
    return [
        {
            "node_id": row["node_id"],
            "number": number,
            "start": start,
            "end": min(start + 600, len(text)),
            "context": str(row["citation"]),
            "key": hashlib.sha256(text[start : start + 600].encode()).hexdigest(),
            "tokens": 100,
        }
        for number, start in enumerate(starts)
    ]


def _write_source(folder: Path, key: str) -> None:
    files = {
        "path": ["law.xml"],
        "sha256": ["0" * 64],
        "bytes": [1000],
        "release_point": ["7"],
        "current_through": ["Act 7"],
        "retrieved_at": ["2026-11-01T00:00:00Z"],
    }
    pq.write_table(pa.table(files), folder / "files.parquet")
    report = {
        "complete": key == "sample-city-code",
        "gaps": [] if key == "sample-city-code" else ["Title 3 could not be read."],
        "current_through": "Act 7",
        "release_point": "7",
        "source_sha256": "1" * 64,
    }
    (folder / "report.json").write_text(json.dumps(report))


def build_artefacts(workspace: Workspace, registry: Registry) -> None:
    """Build all artefacts of a workspace in place."""
    selection = load_selection(workspace, registry)
    for name, build in (
        ("keyword_index", build_keyword_index),
        ("vector_index", build_vector_index),
        (
            "question_index",
            partial(
                build_question_index,
                questions=QUESTIONS,
                encoder=open_encoder(query_folder(CHECKOUT / ".cache" / "encoder")),
                cache=workspace.embedding_cache,
            ),
        ),
        ("citation_index", build_citation_index),
        ("response_store", partial(build_response_store, references=workspace.artefact("citation_index"))),
        (
            "citation_quality",
            partial(
                build_quality,
                artefacts=Artefacts(
                    workspace.artefact("response_store"), workspace.artefact("citation_index")
                ),
            ),
        ),
        (
            "bulk_files",
            partial(
                build_bulk_files,
                artefacts=Artefacts(
                    workspace.artefact("response_store"), workspace.artefact("citation_index")
                ),
            ),
        ),
        ("zoning_answers", build_zoning_answers),
        (
            "coverage",
            partial(
                build_coverage,
                references=workspace.artefact("citation_index"),
                layers=workspace.artefact("zoning_answers"),
                fresh={entry.body.key: known_freshness(workspace, entry.body) for entry in selection.bodies},
            ),
        ),
    ):
        folder = workspace.artefact(name)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        build(selection, folder)
    add_formation(workspace, CHECKOUT / ".cache" / "encoder")


@pytest.fixture(scope="session")
def artefact_builder() -> Callable[[Workspace, Registry], None]:
    """Build all artefacts of a workspace in place."""
    return build_artefacts


@pytest.fixture(scope="session")
def small_workspace(
    tmp_path_factory: pytest.TempPathFactory, write_law: Callable[..., Workspace], registry: Registry
) -> Workspace:
    """A state's code and its city's, with all artefacts built. Read-only: publish from a copy of it."""
    root = tmp_path_factory.mktemp("law")
    workspace = write_law(root, {"sample-code": SAMPLE_CODE, "sample-city-code": CITY_CODE})
    build_artefacts(workspace, registry)
    return workspace


@pytest.fixture(scope="session")
def small_snapshot(small_workspace: Workspace, registry: Registry) -> Path:
    """The folder of the published snapshot of `small_workspace`; its parent holds the pointer."""
    published = publish_snapshot(
        small_workspace,
        load_selection(small_workspace, registry),
        revision="test",
        clock=lambda: datetime(2026, 11, 21, 12, tzinfo=UTC),
    )
    return published.folder
