"""A small law of our own, published by the production builders, for every suite that reads a snapshot."""

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from assets.citations.build import build_citation_index
from assets.freshness.known import known_freshness
from assets.registry import load_registry
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
from assets.workspace import Workspace, replacing
from assets.zoning.zoning_answers import build_zoning_answers
from serving.contract.identity import code_body_id, node_id
from serving.contract.records import CHUNKS, PROVISIONS
from serving.encoder.encoder import Encoder, open_encoder
from serving.services.opening import open_warm
from serving.snapshot.store import Snapshot
from tests.formation import add_formation
from tests.serving.layers import add_layers, sample_layers
from tests.serving.manifests import log_anew

DATASETS = Path(__file__).resolve().parents[2] / "datasets"
PERMITS = 260
"""Sections that match one word: more than both arms of a hybrid search fuse."""

CODE_BODIES = """
[[entry]]
key = "us-sample"
name = "Sample Federal Code"
jurisdiction = "us"
reader = "uslm"
root = "/us/sample"
citation = "{title} S.F.C. § {num}"
short_name = "S.F.C."
publisher = "Sample Publisher"
license = "CC0-1.0"
source_url = "https://law.example/federal"

[entry.citing]
appendix = true
titles_since = [{ title = "3", since = 2014, source = "Reclassified September 1, 2014" }]

[[entry]]
key = "sample-code"
name = "Sample State Code"
jurisdiction = "sample"
reader = "uslm"
root = "/sample/code"
citation = "Sample Code § {num}"
short_name = "Sample Code"
publisher = "Sample Publisher"
license = "CC0-1.0"

[[entry]]
key = "sample-city-code"
name = "Sample City Code"
jurisdiction = "sample-city"
reader = "uslm"
root = "/sample-city/code"
citation = "City Code § {num}"
short_name = "City Code"
publisher = "Sample Publisher"
license = "CC0-1.0"
"""

OTHER_CODES = """
[[code]]
key = "us-reg"
jurisdiction = "us"
template = "{title} S.F.R. § {num}"
names = ["S.F.R."]

[[code]]
key = "isle-code"
jurisdiction = "isle"
template = "Isle Penal Code § {num}"
names = ["Isle Penal Code", "Code of Isle", "I.P.C."]
"""
POPULAR_NAMES = """
[[name]]
name = "Fair Works Act"
short = ["FWA", "WA"]
citation = "1 S.F.C. § 7"

[[name]]
name = "General Provisions Act"
citation = "1 S.F.C. ch. 1"

[[name]]
name = "Fee Act"
whole = true
citation = "1 S.F.C. § 9"
source = "1 S.F.C. § 9"

[[name]]
name = "Works Protection Act"
citation = "1 S.F.C. § 5"

[[name]]
name = "Works Protection Act of 2020"
citation = "1 S.F.C."

[[name]]
name = "Beacon Act"
short = ["BA"]

[[name]]
name = "Beacon Act of 1976"
citation = "1 S.F.C. ch. 1"

[[name]]
name = "Wharf Act"
short = ["WA"]

[[name]]
name = "Sunken Harbors Act"
citation = "1 S.F.C. § 99"

[[name]]
name = "Pearl Reserve Act"
short = ["PRA"]
citation = "2 S.F.C. pt. I"

[[name]]
name = "Pier Act of 1950"
short = ["PRA"]
citation = "4 S.F.C."
codified = true

[[name]]
name = "Lantern Act"
short = ["LAMP"]
called = ["Lantern Law", "Maine Lantern Law"]
citation = "1 S.F.C. § 9"
also = ["1 S.F.C. § 7"]
alone = ["LAMP"]
beside = ["night"]

[[topic]]
name = "Harbor Pass"
citation = "1 S.F.C. § 5"
"""


@dataclass(frozen=True, slots=True)
class Row:
    """A provision of the sample."""

    identifier: str
    parent: str | None
    level: str
    num: str | None
    heading: str
    citation: str
    text: str = ""
    status: str = "in_force"
    tags: tuple[str, ...] = ()
    more: Mapping[str, Any] = field(default_factory=dict)
    file: str = "sample.xml"


LONG = "\n".join(
    f"({number}) The commission shall review matter {number} of the harbor plan and publish its findings."
    for number in range(1, 61)
)
FAIR_USE = (
    "Notwithstanding any other provision, the fair use of a protected work for criticism, teaching or "
    "research is not an infringement.\nIn determining whether a use is fair, a court shall consider its "
    "purpose, the nature of the work and the effect upon the market — see section 5 and 17 U.S.C. 107."
)
QUESTIONS = (
    Question(str(node_id("/us/sample/t1/s7")), "may a reviewer print three lines of somebody's novel"),
    Question(str(node_id("/us/sample/t1/s7")), "can i quote a novel in my book review"),
    Question(str(node_id("/us/sample/t1/s8")), "could you quote novels in the olden days"),
    Question(str(node_id("/sample-city/code/1")), "neighbours on a boat sing all night long"),
    Question(str(node_id("/nowhere/code/1")), "questions of law that is not held are left out"),
)
"""Questions that share no word of weight with the law that answers them."""
LAW: dict[str, list[Row]] = {
    "us-sample": [
        Row("/us/sample/t1", None, "title", "1", "Protected works", "1 S.F.C."),
        Row("/us/sample/t1/ch1", "/us/sample/t1", "chapter", "1", "General provisions", "1 S.F.C. ch. 1"),
        Row(
            "/us/sample/t1/s5", "/us/sample/t1/ch1", "section", "5", "Definitions", "1 S.F.C. § 5",
            "In this title, “work” means an original work of authorship fixed in any medium.",
            tags=("definitions", "protected-works"),
        ),
        Row(
            "/us/sample/t1/s7", "/us/sample/t1/ch1", "section", "7", "Fair use", "1 S.F.C. § 7", FAIR_USE,
            tags=("protected-works",),
            more={
                "outline": [{"label": "(a)", "start": 0, "end": 40, "uncertain": False}],
                "references": [
                    {"start": FAIR_USE.index("section 5"), "end": FAIR_USE.index(" and 17"), "target": "/us/sample/t1/s5"}
                ],
                "notes": [{"topic": "amendments", "heading": "Amendments", "text": "None.", "offset": None}],
                "source_credit": "(Act of 2020.)",
            },
        ),
        Row(
            "/us/sample/t1/s8", "/us/sample/t1/ch1", "section", "8", "Old fair use rule", "1 S.F.C. § 8",
            "Fair use was once governed by this section.", status="repealed",
        ),
        Row(
            "/us/sample/t1/s9", "/us/sample/t1", "section", "9", "Penalties", "1 S.F.C. § 9",
            "Whoever infringes a protected work shall be fined not more than $500. "
            "Sections 5 through 7 of this title apply to the fine.", tags=("penalty",),
            more={
                "effective_start": date(2021, 7, 1), "effective_end": date(2031, 7, 1),
                "effective_words": "[Effective July 1, 2021, until July 1, 2031.]",
            },
        ),
    ],
    "sample-code": [
        Row("/sample/code/t1", None, "title", "1", "Harbors", "Sample Code tit. 1"),
        Row("/sample/code/1-1", "/sample/code/t1", "section", "1-1", "Harbor plan", "Sample Code § 1-1", LONG),
        Row("/sample/code/t2", None, "title", "2", "Permits", "Sample Code tit. 2"),
        *(
            Row(
                f"/sample/code/2-{number}", "/sample/code/t2", "section", f"2-{number}", f"Permit {number}",
                f"Sample Code § 2-{number}", f"The holder of permit {number} shall display it.", tags=("fees",),
            )
            for number in range(1, PERMITS + 1)
        ),
        Row(
            "/sample/code/t3", None, "title", "3", "Reserved", "Sample Code tit. 3", status="reserved",
            file="kept.xml",
        ),
    ],
    "sample-city-code": [
        Row(
            "/sample-city/code/1", None, "section", "1", "Harbor noise", "City Code § 1",
            "No person shall make noise in the harbor at night.",
        ),
    ],
}  # fmt: skip


_TITLE, _CHAPTER = Row("/us/sample/t1", None, "title", "1", "Works", "1 S.F.C."), "/us/sample/t1/ch1"
_FIRST = [
    _TITLE,
    Row(_CHAPTER, "/us/sample/t1", "chapter", "1", "Harbors", "1 S.F.C. ch. 1"),
    Row("/us/sample/t1/s1", _CHAPTER, "section", "1", "Dues", "1 S.F.C. § 1", "A ship pays ten coins a day."),
    Row(
        "/us/sample/t1/s2", "/us/sample/t1", "section", "2", "Light", "1 S.F.C. § 2", "A lamp burns at night."
    ),
]
EDITIONS: tuple[dict[str, list[Row]], ...] = (
    {"us-sample": _FIRST},
    {
        "us-sample": [
            *_FIRST[:2],
            replace(
                _FIRST[2], text="A ship pays twelve coins a day.", more={"source_credit": "Act 1; Act 2"}
            ),
            replace(_FIRST[3], heading="Lights"),
        ],
        "sample-code": [Row("/sample/code/1", None, "section", "1", "Plan", "Sample Code § 1", "Law.")],
    },
    {
        "us-sample": [
            *_FIRST[:2],
            replace(
                _FIRST[2], text="A ship pays twelve coins a week.", more={"source_credit": "Act 1; Act 2"}
            ),
            replace(_FIRST[3], heading="Lights", status="repealed", text=""),
        ],
        "sample-code": [Row("/sample/code/1", None, "section", "1", "Plan", "Sample Code § 1", "Law.")],
    },
)
"""Editions of the 20th to the 22nd: § 1 is amended twice, § 2 gets a heading and is repealed, a code is new."""


CORRECTIONS = """
source = "the tests"
date = 2026-11-20

[[correction]]
identifier = "/us/sample/t1/s7"
citation = "1 S.F.C. § 7"
wrong = "Its second sentence was missing."
found_by = "A reader."
found_on = 2026-11-18
fixed_in = "2026.11.19-1"

[[correction]]
citation = "1 S.F.C. § 9"
wrong = "The harbor’s name is spelled otherwise than in the publication."
found_by = "Comparison with the publisher's pages."
found_on = 2026-11-20
"""
"""One error that is mended, and a later one that is open."""


class Publisher:
    """Builds and publishes the sample law with the production builders."""

    def __init__(self, root: Path, encoder: Encoder, encoder_folder: Path) -> None:
        self.workspace = Workspace(
            root=root / "build", datasets=root / "datasets", snapshots=root / "snapshots"
        )
        self._edition = ""
        self._encoder = encoder
        self._encoder_folder = encoder_folder
        registry = root / "datasets" / "registry"
        registry.mkdir(parents=True)
        (registry / "jurisdictions.toml").write_bytes(
            (DATASETS / "registry" / "jurisdictions.toml").read_bytes()
        )
        (registry / "code_bodies.toml").write_text(CODE_BODIES, encoding="utf-8")
        self._registry = load_registry(registry)
        self.workspace.citing.mkdir()
        (self.workspace.citing / "other_codes.toml").write_text(OTHER_CODES, encoding="utf-8")
        (self.workspace.citing / "popular_names.toml").write_text(POPULAR_NAMES, encoding="utf-8")
        self.workspace.corrections.write_text(CORRECTIONS, encoding="utf-8")
        self.workspace.encoder.parent.mkdir(parents=True)
        self.workspace.encoder.symlink_to(encoder_folder, target_is_directory=True)

    def register(self, entry: str) -> None:
        """Add a code body to the registry, as an entry of its file."""
        bodies = self.workspace.registry / "code_bodies.toml"
        bodies.write_text(bodies.read_text(encoding="utf-8") + entry, encoding="utf-8")
        self._registry = load_registry(self.workspace.registry)

    def publish(self, law: Mapping[str, list[Row]], *, day: int = 21, edition: str = "") -> str:
        """Publish a law and return the id of its snapshot; the files of another edition are other files."""
        self._edition = edition
        for key, rows in law.items():
            self._write(key, rows)
        selection = load_selection(self.workspace, self._registry, sorted(law))
        for name, build in (
            ("keyword_index", build_keyword_index),
            ("vector_index", build_vector_index),
            (
                "question_index",
                partial(
                    build_question_index,
                    questions=QUESTIONS,
                    encoder=self._encoder,
                    cache=self.workspace.embedding_cache,
                ),
            ),
            ("citation_index", build_citation_index),
            (
                "response_store",
                partial(build_response_store, references=self.workspace.artefact("citation_index")),
            ),
            (
                "citation_quality",
                partial(
                    build_quality,
                    artefacts=Artefacts(
                        self.workspace.artefact("response_store"), self.workspace.artefact("citation_index")
                    ),
                ),
            ),
            (
                "bulk_files",
                partial(
                    build_bulk_files,
                    artefacts=Artefacts(
                        self.workspace.artefact("response_store"), self.workspace.artefact("citation_index")
                    ),
                ),
            ),
            ("zoning_answers", build_zoning_answers),
            (
                "coverage",
                partial(
                    build_coverage,
                    references=self.workspace.artefact("citation_index"),
                    layers=self.workspace.artefact("zoning_answers"),
                    fresh={
                        entry.body.key: known_freshness(self.workspace, entry.body)
                        for entry in selection.bodies
                    },
                ),
            ),
        ):
            with replacing(self.workspace.artefact(name)) as folder:
                build(selection, folder)
        add_formation(self.workspace, self._encoder_folder)
        published = publish_snapshot(
            self.workspace,
            selection,
            revision="test",
            clock=lambda: datetime(2026, 11, day, tzinfo=UTC),
        )
        return published.manifest.id

    def _write(self, key: str, rows: list[Row]) -> None:
        for place in (self.workspace.provisions, self.workspace.chunks, self.workspace.embeddings):
            shutil.rmtree(place(key), ignore_errors=True)  # accepted files are links to what lay there
            place(key).mkdir(parents=True)
        jurisdiction = self._registry.code_body(key).jurisdiction
        records = [
            _record(row, key, jurisdiction, ordinal, self._edition) for ordinal, row in enumerate(rows)
        ]
        folder = self.workspace.provisions(key)
        pq.write_table(pa.Table.from_pylist(records, schema=PROVISIONS), folder / "provisions.parquet")
        files = {
            "path": ["kept.xml", "sample.xml"],
            "sha256": [_file_hash(path, self._edition) for path in ("kept.xml", "sample.xml")],
            "release_point": [None, None],
            "current_through": ["2024-10-08", "2026-10-31"],
            "retrieved_at": ["2024-11-01T00:00:00Z", "2026-11-01T00:00:00Z"],
            "stale_since": ["2025-02-14", None],
        }
        pq.write_table(pa.table(files), folder / "files.parquet")
        report = {
            "complete": key == "us-sample",
            "gaps": [] if key == "us-sample" else ["Titles above 3 are missing."],
            "current_through": "2026-10-31",
            "release_point": None,
            "source_sha256": _file_hash(key, self._edition),
            "units": [
                _unit("Title 1", None),
                *([_unit("Title 3", "2025-02-14")] if key == "sample-code" else []),
            ],
        }
        (folder / "report.json").write_text(json.dumps(report), encoding="utf-8")
        chunks = [chunk for row in rows for chunk in _chunks(row)]
        pq.write_table(
            pa.Table.from_pylist(chunks, schema=CHUNKS), self.workspace.chunks(key) / "chunks.parquet"
        )
        texts = {str(node_id(row.identifier)): row.text for row in rows}
        passages = [
            f"{chunk['context']}\n{texts[chunk['node_id']][chunk['start'] : chunk['end']]}"
            for chunk in chunks
        ]
        vectors = self._encoder.encode_batch(passages).astype(np.float16)
        np.save(self.workspace.embeddings(key) / "embeddings.npy", vectors)
        accept(self.workspace, key)


def _unit(label: str, stale_since: str | None) -> dict[str, Any]:
    through = "2024-10-08" if stale_since else "2026-10-31"
    return {"label": label, "current_through": through, "stale_since": stale_since, "provisions": 1}


def _file_hash(path: str, edition: str) -> str:
    return hashlib.sha256(f"{path}{edition}".encode()).hexdigest()


def _record(row: Row, key: str, jurisdiction: str, ordinal: int, edition: str) -> dict[str, Any]:
    return {
        "node_id": str(node_id(row.identifier)),
        "identifier": row.identifier,
        "parent_id": None if row.parent is None else str(node_id(row.parent)),
        "code_body": key,
        "jurisdiction": jurisdiction,
        "unit": "t1",
        "level": row.level,
        "ordinal": ordinal,
        "num": row.num,
        "heading": row.heading,
        "citation": row.citation,
        "citable": row.level == "section",
        "text": row.text,
        "outline": [],
        "status": row.status,
        "effective_start": None,
        "effective_end": None,
        "source_credit": None,
        "notes": [],
        "references": [],
        "tags": list(row.tags),
        "file": row.file,
        "byte_start": 0,
        "byte_end": 10,
        "source_sha256": _file_hash(row.file, edition),
        "text_sha256": hashlib.sha256(row.text.encode()).hexdigest(),
        **row.more,
    }


def _chunks(row: Row) -> Iterator[dict[str, Any]]:
    """Cut a text at line ends into chunks of at most about 600 characters."""
    start, number = 0, 0
    while start < len(row.text):
        end = len(row.text)
        if end - start > 600:
            end = row.text.rindex("\n", start, start + 600) + 1
        yield {
            "node_id": str(node_id(row.identifier)),
            "number": number,
            "start": start,
            "end": end,
            "context": f"{row.citation} {row.heading}",
            "key": hashlib.sha256(f"{row.identifier}{start}".encode()).hexdigest(),
            "tokens": 100,
        }
        start, number = end, number + 1


@pytest.fixture(scope="session")
def encoder(encoder_folder: Path) -> Encoder:
    """The default encoder."""
    return open_encoder(encoder_folder)


@pytest.fixture
def publisher(tmp_path: Path, encoder: Encoder, encoder_folder: Path) -> Publisher:
    """A publisher into folders of the test's own."""
    return Publisher(tmp_path, encoder, encoder_folder)


@pytest.fixture
def law() -> dict[str, list[Row]]:
    """The sample law, a copy that may be changed."""
    return {key: list(rows) for key, rows in LAW.items()}


@pytest.fixture(scope="session")
def snapshots_folder(
    tmp_path_factory: pytest.TempPathFactory, encoder: Encoder, encoder_folder: Path
) -> Path:
    """A folder with the sample law published in it; not to be changed."""
    publisher = Publisher(tmp_path_factory.mktemp("law"), encoder, encoder_folder)
    snapshot = publisher.publish(LAW)
    add_layers(publisher.workspace.snapshots / snapshot, sample_layers())
    log_anew(publisher.workspace.snapshots)
    return publisher.workspace.snapshots


@pytest.fixture(scope="session")
def changed_folder(tmp_path_factory: pytest.TempPathFactory, encoder: Encoder, encoder_folder: Path) -> Path:
    """Three editions of a law, published one after the other; not to be changed."""
    publisher = Publisher(tmp_path_factory.mktemp("changed"), encoder, encoder_folder)
    for day, law in enumerate(EDITIONS, 20):
        publisher.publish(law, day=day, edition=str(day))
    return publisher.workspace.snapshots


@pytest.fixture(scope="session")
def snapshot(snapshots_folder: Path) -> Iterator[Snapshot]:
    """The sample law's snapshot, open."""
    opened = open_warm(snapshots_folder / "2026.11.21-1")
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def node() -> Callable[[str], str]:
    """Return the id of a provision by its identifier."""
    return lambda identifier: str(node_id(identifier))


@pytest.fixture(scope="session")
def body() -> Callable[[str], str]:
    """Return the id of a code body by its key."""
    return lambda key: str(code_body_id(key))
