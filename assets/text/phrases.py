"""Encodes phrases, such as questions: many at a time, each distinct one once, never one in the cache."""

import hashlib
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assets.progress import Advance
from assets.text.vector_cache import VectorCache
from serving.encoder.encoder import Encoder

BATCH = 128
"""Phrases that one thread encodes at a time."""


def encode_phrases(
    texts: Sequence[str],
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
        key = hashlib.sha256(f"phrase\0{encoder.sha256}\0{text}".encode()).digest()
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
