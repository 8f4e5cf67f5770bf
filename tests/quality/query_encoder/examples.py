"""Examples that the query encoder learns from: questions, and the passages of the sections that answer them."""

import json
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

import numpy as np

from serving.snapshot.store import Snapshot

QUESTIONS = (
    Path("datasets/training/questions.jsonl"),
    Path("datasets/expansion/questions.jsonl"),
    *(Path(f"datasets/expansion/{body}-code-drawn.jsonl") for body in ("ak", "co", "dc", "tn", "va")),
    Path("datasets/expansion/us-usc-drawn.jsonl"),
)
SPLIT = Path("datasets/evaluation/split.toml")
LONGEST = 32
"""Most tokens of a question; one in a thousand is longer, and is cut there."""
_PASSAGES = 12
"""Most passages of a section, from its beginning."""


@dataclass(frozen=True, slots=True)
class Examples:
    """Questions with their answers among many passages.

    Attributes:
        tokens: ids of each question's tokens, (questions, `LONGEST`) int32, with zeros behind.
        lengths: number of them.
        answers: rows of `passages` that answer each, (questions, 12) int32, with -1 behind.
        passages: unit vectors, (passages, dimension) float32: those of all sections that are asked of, and
            others drawn by chance.
    """

    tokens: np.ndarray
    lengths: np.ndarray
    answers: np.ndarray
    passages: np.ndarray


def is_held_out(citation: str, code_body: str, split: dict[str, list[str]]) -> bool:
    """Return whether a section lies in a title of which nothing may learn."""
    number = citation.split(maxsplit=1)[0] if code_body == "us-usc" else citation.rpartition("§")[2].strip()
    return re.split(r"[-.:]", number)[0] in split.get(code_body, ())


def read_asked(snapshot: Snapshot, files: Sequence[Path]) -> list[tuple[int, str]]:
    """Return the questions of sections that a snapshot holds outside of titles that are held out, with their rows.

    Args:
        snapshot: holds the sections.
        files: an object with `node`, `citation` and `query` a line.
    """
    split = tomllib.loads(SPLIT.read_text(encoding="utf-8"))
    asked = []
    for path in files:
        # Not by `splitlines`: JSON may hold other ends of lines as they are.
        for line in filter(None, path.read_text(encoding="utf-8").split("\n")):
            stored = json.loads(line)
            row = snapshot.nodes.find(UUID(stored["node"]))
            if row is None:
                continue
            if not is_held_out(stored["citation"], snapshot.nodes.code_body(row).key, split):
                asked.append((row, stored["query"]))
    return asked


def read_examples(
    snapshot: Snapshot, passages: int, *, files: Sequence[Path] = QUESTIONS, seed: int = 1
) -> Examples:
    """Return the questions of sections that a snapshot holds outside of titles that are held out.

    Args:
        snapshot: holds the sections and the vectors of their passages.
        passages: number of passages that the answers are told from, if the law has so many.
        files: of questions, likewise of `read_asked`.
        seed: of what is drawn by chance.
    """
    asked = read_asked(snapshot, files)
    first, last = snapshot.nodes.chunk_ranges(np.array([row for row, _ in asked]))
    chunks = first.astype(np.int64)[:, np.newaxis] + np.arange(_PASSAGES)
    chunks[chunks >= last.astype(np.int64)[:, np.newaxis]] = -1
    needed = np.unique(chunks[chunks >= 0])
    others = np.setdiff1d(np.arange(snapshot.manifest.counts["chunks"]), needed)
    drawn = np.random.default_rng(seed).permutation(others)[: max(0, passages - len(needed))]
    pool = np.sort(np.concatenate([needed, drawn]))
    answers = np.where(chunks >= 0, np.searchsorted(pool, chunks), -1).astype(np.int32)
    tokens = np.zeros((len(asked), LONGEST), np.int32)
    lengths = np.zeros(len(asked), np.int32)
    for place, (_, question) in enumerate(asked):
        ids = snapshot.encoder.tokenizer.query_ids(question)[:LONGEST]
        tokens[place, : len(ids)], lengths[place] = ids, len(ids)
    told = answers[:, 0] >= 0
    return Examples(tokens[told], lengths[told], answers[told], snapshot.vectors.passages.read(pool).units())
