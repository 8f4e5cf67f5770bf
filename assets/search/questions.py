"""Build the question index: a vector for each question that a provision is known to answer.

People ask in words that the law does not use. A question near to theirs leads to the provision that answers
both. Questions are never shown, and no provision is cited for one.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np

from assets.errors import RegistryError
from assets.progress import Advance
from assets.search.codes import CODED_FROM, SHORT, build_codes, in_unit_length
from assets.selection.selection import Selection
from assets.selection.sidecar import write_sidecar
from assets.text.phrases import encode_phrases
from serving.contract.layout import QUESTION_NODES, QUESTION_VECTORS, QUESTIONS, VECTOR_CODES
from serving.encoder.encoder import Encoder


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and the id of a provision that answers it."""

    node: UUID
    text: str


def load_questions(folders: tuple[Path, ...]) -> list[Question]:
    """Read the files `*.jsonl` of the folders: an object with `node` and `query` a line.

    Raises:
        RegistryError: a line is malformed; names it.
    """
    questions = []
    for path in (path for folder in folders for path in sorted(folder.glob("*.jsonl"))):
        # Not by `splitlines`: JSON may hold other ends of lines as they are.
        text = path.read_text(encoding="utf-8")
        for number, line in enumerate(text.removesuffix("\n").split("\n") if text else (), start=1):
            try:
                questions.append(_parse(json.loads(line)))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise RegistryError(f"{path}, line {number}: is no question: {error!r}") from error
    return questions


def _parse(entry: dict[str, Any]) -> Question:
    text = entry["query"]
    if not isinstance(text, str) or not text.strip():
        raise ValueError("`query` has no words")
    return Question(UUID(entry["node"]), text)


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
    row_of = {
        (int(high) << 64) | int(low): row
        for row, (high, low) in enumerate(zip(selection.numbering.high, selection.numbering.low, strict=True))
    }
    held = sorted(
        {(row, question.text) for question in questions if (row := row_of.get(question.node.int)) is not None}
    )
    vectors = encode_phrases([text for _, text in held], encoder, cache, progress=progress)
    wide = in_unit_length(vectors)
    nodes = np.array([row for row, _ in held], np.uint32)
    folder = destination / QUESTIONS
    folder.mkdir()
    np.save(folder / QUESTION_VECTORS, wide)
    np.save(folder / QUESTION_NODES, nodes)
    if len(wide) >= CODED_FROM:
        build_codes(wide, folder / VECTOR_CODES, lists=1, dimensions=SHORT)
    counts = {"questions": len(held), "asked": len(np.unique(nodes))}
    write_sidecar(destination, selection.inputs, used=("provisions", "embeddings"), counts=counts)
    return counts
