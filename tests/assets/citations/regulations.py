"""A state's regulations in law-xml, cited as such are: chapters by number, parts without parentheses."""

from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from assets.ingest.pinned import open_pinned
from assets.ingest.provisions import build_provisions
from assets.ingest.readers import dialect
from assets.ingest.sources import pin_source
from assets.ingest.tags import load_tag_rules
from assets.registry import CodeBody, load_registry
from assets.selection.accepted_tables import accept
from assets.selection.selection import Selection, load_selection
from assets.workspace import Workspace
from serving.contract.records import CHUNKS
from tests.conftest import CHECKOUT

PLACE = '[[entry]]\nshort_code = "zz"\nname = "Zenith"\nlevel = "state"\n'
ENTRY = """
[[entry]]
key = "zz-regs"
name = "Code of Zenith Regulations"
jurisdiction = "zz"
reader = "open_law"
root = "/zz/regs"
citation = "Zen. Code Regs. {num}"
short_name = "Zen. Code Regs."
publisher = "this project"
license = "Apache-2.0"

[entry.citing]
names = ["Zen. Code Regs.", "COZAR"]
"""
BY_NUMBER = """number = '\\d{2}\\.\\d{2}\\.\\d{2}\\.\\d{2}(?:-\\d{1,2})?'
container = '\\d{2}\\.\\d{2}(?:\\.\\d{2})?'
bare_pins = true
"""
SPACES = 'xmlns="https://open.law/schemas/library" xmlns:xi="http://www.w3.org/2001/XInclude"'


def cite(path: str, words: str) -> str:
    return f'<cite path="{path}">{words}</cite>'


def regulation(num: str, heading: str, *texts: str) -> str:
    body = "".join(f"<text>{text}</text>" for text in texts)
    return f"<section><prefix>Regulation</prefix><num>{num}</num><heading>{heading}</heading>{body}</section>"


def container(word: str, num: str, *inside: str, root: bool = False) -> str:
    spaces = f" {SPACES}" if root else ""
    heading = f"<heading>{word}s</heading>"
    return f"<container{spaces}><prefix>{word}</prefix><num>{num}</num>{heading}{''.join(inside)}</container>"


PARTS = (
    "<para><num>A.</num><text>Owners.</text><para><num>(1)</num><text>Ships.</text></para></para>"
    "<para><num>B.</num><text>Crews.</text></para>"
)
SECTION = f"<section><prefix>Regulation</prefix><num>.03</num><heading>Berths</heading>{PARTS}</section>"
TITLE = container(
    "Title",
    "26",
    container(
        "Subtitle",
        "13",
        container(
            "Chapter",
            "07",
            regulation(".01", "Scope", f"This follows {cite('26|13|08', 'COZAR 26.13.08')}."),
            regulation(".02", "Fees", f"As {cite('26|13|08|.03|A.|(1)', 'COZAR 26.13.08.03A(1)')} says."),
            regulation(".04—.06", "Repealed"),
        ),
        container(
            "Chapter",
            "08",
            regulation(".01", "Scope", f"Not {cite('26|13|07', 'COZAR 26.13.07')}, but COZAR 26.13.08."),
            SECTION,
            regulation(".07", "Wrong", f"See {cite('26|13|08|.01', 'COZAR 26.13.08.03B')}."),
        ),
    ),
    root=True,
)


def select_regulations(root: Path, *, options: str = BY_NUMBER) -> Selection:
    """Build the regulations in a new workspace, with fields of `citing`, and select them."""
    registry = root / "datasets" / "registry"
    registry.mkdir(parents=True)
    (registry / "jurisdictions.toml").write_text(PLACE, encoding="utf-8")
    (registry / "code_bodies.toml").write_text(ENTRY + options, encoding="utf-8")
    (root / "datasets" / "citations").symlink_to(CHECKOUT / "datasets" / "citations")
    workspace = Workspace(root / "work", root / "datasets", root / "snapshots")
    loaded = load_registry(registry)
    _build(workspace, loaded.code_body("zz-regs"), root / "source")
    return load_selection(workspace, loaded)


def _build(workspace: Workspace, body: CodeBody, source: Path) -> None:
    source.mkdir()
    index = f'<document {SPACES} id="Zen. Code Regs."><heading>Regulations</heading><xi:include href="./26.xml"/></document>'
    (source / "index.xml").write_text(index, encoding="utf-8")
    (source / "26.xml").write_text(TITLE, encoding="utf-8")
    pinned = workspace.source_files(body.key)
    described = pin_source(
        source, body, pinned, retrieved_at=datetime(2026, 11, 21, tzinfo=UTC), progress=_unseen
    )
    folder = workspace.provisions(body.key)
    build_provisions(
        open_pinned(pinned),
        described,
        body,
        dialect(body.reader).reader,
        folder,
        tags=load_tag_rules(CHECKOUT / "datasets" / "registry" / "tags.toml"),
        previous=None,
        progress=_unseen,
    )
    # Nothing here is searched: no chunks, and so no vectors.
    workspace.chunks(body.key).mkdir(parents=True)
    pq.write_table(pa.Table.from_pylist([], CHUNKS), workspace.chunks(body.key) / "chunks.parquet")
    workspace.embeddings(body.key).mkdir(parents=True)
    np.save(workspace.embeddings(body.key) / "embeddings.npy", np.zeros((0, 1), np.float16))
    accept(workspace, body.key)


def _unseen(done: int, total: int) -> None:
    """Show nobody how far it is."""
