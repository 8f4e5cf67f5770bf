"""Build the question index: a vector for each question that a provision is known to answer.

People ask in words that the law does not use. A question near to theirs leads to the provision that answers
both. Questions are never shown, and no provision is cited for one.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import orjson

from assets.errors import RegistryError
from assets.progress import Advance
from assets.search.codes import CODED_FROM, SHORT, build_codes, in_unit_length
from assets.selection.selection import Selection
from assets.selection.sidecar import write_sidecar
from assets.text.phrases import encode_phrases
from serving.contract.collection import collection_paused
from serving.contract.layout import QUESTION_NODES, QUESTION_VECTORS, QUESTIONS, VECTOR_CODES
from serving.encoder.encoder import Encoder

_NODE = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Question(NamedTuple):
    """A question, and the id of a provision that answers it."""

    node: str
    text: str


def load_questions(folders: tuple[Path, ...]) -> list[Question]:
    """Read the files `*.jsonl` of the folders: an object with `node` and `query` a line.

    Raises:
        RegistryError: a line is malformed; names it.
    """
    questions: list[Question] = []
    nodes: set[str] = set()
    # The collector would look through all two hundred thousand again and again; no rings are among them.
    with collection_paused():
        for path in (path for folder in folders for path in sorted(folder.glob("*.jsonl"))):
            content = path.read_bytes()
            lines = content.removesuffix(b"\n").split(b"\n") if content else ()
            for number, line in enumerate(lines, start=1):
                try:
                    questions.append(_parse(orjson.loads(line), nodes))
                except (ValueError, KeyError, TypeError, AttributeError) as error:
                    raise RegistryError(f"{path}, line {number}: is no question: {error!r}") from error
    return questions


def _parse(entry: dict[str, Any], nodes: set[str]) -> Question:
    """Return the question of a line; `nodes` are the ids that are known to be ones, and takes new ones."""
    node, text = entry["node"], entry["query"]
    if not isinstance(text, str) or not text or text.isspace():
        raise ValueError("`query` has no words")
    if node not in nodes:
        if not _NODE.fullmatch(node):
            raise ValueError("`node` is no id of a provision")
        nodes.add(node)
    return Question(node, text)


def build_question_index(
    selection: Selection,
    destination: Path,
    *,
    questions: Sequence[Question],
    encoder: Encoder,
    cache: Path,
    progress: Advance = lambda _done, _total: None,
) -> dict[str, int]:
    """Write the index into the empty folder `destination`.

    Args:
        selection: what the snapshot is built from.
        destination: takes the folder `questions`.
        questions: those of provisions that are not selected are left out.
        encoder: makes the vectors.
        cache: folder of vectors by key.
        progress: told how many of the questions that are new are encoded.

    Returns:
        `questions`, and `asked`: the provisions that they lead to.
    """
    nodes = selection.provisions.column("node_id").to_pylist()
    row_of = dict(zip(nodes, selection.numbering.rows.tolist(), strict=True))
    held = sorted(
        {(row, question.text) for question in questions if (row := row_of.get(question.node)) is not None}
    )
    vectors = encode_phrases([text for _, text in held], encoder, cache, progress=progress)
    wide = in_unit_length(vectors)
    rows = np.array([row for row, _ in held], np.uint32)
    folder = destination / QUESTIONS
    folder.mkdir()
    np.save(folder / QUESTION_VECTORS, wide)
    np.save(folder / QUESTION_NODES, rows)
    if len(wide) >= CODED_FROM:
        build_codes(wide, folder / VECTOR_CODES, lists=1, dimensions=SHORT)
    counts = {"questions": len(held), "asked": len(np.unique(rows))}
    write_sidecar(destination, selection.inputs, used=("provisions", "embeddings"), counts=counts)
    return counts
