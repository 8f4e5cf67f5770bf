"""The NAICS table: codes, titles and the everyday words that lead to them, and a vector for each of these."""

import hashlib
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assets.errors import RegistryError
from assets.formation.facts import read_table
from assets.progress import Advance
from assets.text.vector_cache import VectorCache
from serving.encoder.encoder import Encoder

LEAF = 6
"""Digits of the codes that businesses are classified under."""
BATCH = 128
"""Phrases that one thread encodes at a time."""


@dataclass(frozen=True, slots=True)
class Code:
    """One code; `terms` are words for what it covers beside its title, of codes of six digits alone."""

    code: str
    title: str
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Codes:
    """All codes in the order of the manual."""

    date: str
    codes: tuple[Code, ...]


def load_codes(folder: Path) -> Codes:
    """Read codes, examples and everyday words from the folder of formation data.

    Raises:
        RegistryError: a file is missing or malformed, or words are given for what is no code of six digits.
    """
    listed = read_table(folder / "naics_2022.csv", ("code", "title"))
    examples = read_table(folder / "naics_examples.csv", ("code", "example"))
    words = read_table(folder / "naics_words.csv", ("code", "words"))
    terms: dict[str, list[str]] = {row["code"]: [] for row in listed.rows if len(row["code"]) == LEAF}
    try:
        for row in words.rows:
            terms[row["code"]] += [word.strip() for word in row["words"].split(";") if word.strip()]
        for row in examples.rows:
            terms[row["code"]].append(row["example"])
    except KeyError as error:
        raise RegistryError(
            f"There are words for {error}, which is no NAICS code of {LEAF} digits."
        ) from None
    codes = tuple(
        Code(row["code"], row["title"], tuple(dict.fromkeys(terms.get(row["code"], ()))))
        for row in listed.rows
    )
    return Codes(max(listed.date, words.date), codes)


def codes_answer(codes: Codes) -> dict[str, Any]:
    """Return the table as the reader of the snapshot takes it."""
    return {
        "date": codes.date,
        "codes": [{"code": code.code, "title": code.title, "terms": code.terms} for code in codes.codes],
    }


def phrases(codes: Codes) -> list[str]:
    """Return what is encoded, in the order of the vectors: of each six-digit code its title, then terms."""
    return [phrase for code in codes.codes if len(code.code) == LEAF for phrase in (code.title, *code.terms)]


def encode_phrases(
    texts: list[str],
    encoder: Encoder,
    cache: Path,
    *,
    progress: Advance = lambda _done, _total: None,
) -> NDArray[np.float16]:
    """Return a vector for each phrase, (n, dimension). What the cache in that folder holds is not remade.

    Args:
        texts: the phrases.
        encoder: makes the vectors, on all cores.
        cache: folder of vectors by key, which takes the new ones batch by batch.
        progress: told how many of the phrases that are made are done.
    """
    rows: dict[bytes, list[int]] = {}
    for row, text in enumerate(texts):
        key = hashlib.sha256(f"naics\0{encoder.sha256}\0{text}".encode()).digest()
        rows.setdefault(key, []).append(row)
    vectors = np.zeros((len(texts), encoder.dimension), np.float16)
    with VectorCache(cache) as known, ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        present = known.load({key: found[0] for key, found in rows.items()}, vectors)
        missing = [key for key in rows if key not in present]
        batches = [missing[start : start + BATCH] for start in range(0, len(missing), BATCH)]
        made = pool.map(lambda batch: encoder.encode_batch([texts[rows[key][0]] for key in batch]), batches)
        done = 0
        for batch, encoded in zip(batches, made, strict=True):
            known.append(batch, encoded.astype(np.float16))
            vectors[[rows[key][0] for key in batch]] = encoded
            done += len(batch)
            progress(done, len(missing))
    for found in rows.values():
        vectors[found] = vectors[found[0]]
    return vectors
