"""The NAICS table of a snapshot: codes with their hierarchy, and phrases found by words and by meaning."""

import math
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import orjson
from numpy.typing import NDArray

from serving.contract.errors import SnapshotCorruptError
from serving.contract.layout import NAICS_CODES, NAICS_VECTORS
from serving.snapshot.query import STOP_WORDS, query_parser

LEAF = 6
"""Digits of the codes under which businesses are classified."""
NEAREST = 400
"""Most phrases nearest to a query that are examined."""
FILLERS = (
    "business",
    "company",
    "firm",
    "service",
    "services",
    "provide",
    "offer",
    "run",
    "own",
    "do",
    "work",
)
"""Words that people use around a description of their business."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words for what a code covers: its title, or one of its terms. `code` is its position in the table."""

    code: int
    text: str
    tokens: frozenset[str]


class NaicsTable:
    """Codes, and the phrases that lead to those of six digits. Safe to read from several threads."""

    def __init__(self, folder: Path, *, dimension: int) -> None:
        """Read the table.

        Raises:
            SnapshotCorruptError: a file is missing, or the two do not match.
        """
        content = orjson.loads(_bytes(folder / f"{NAICS_CODES}.json"))
        self.date: str = content["date"]
        self.codes: list[str] = [entry["code"] for entry in content["codes"]]
        self.titles: list[str] = [entry["title"] for entry in content["codes"]]
        self._positions = {code: position for position, code in enumerate(self.codes)}
        self._positions |= {
            str(sector): position
            for position, code in enumerate(self.codes)
            if "-" in code
            for sector in range(int(code[:2]), int(code[3:]) + 1)
        }
        self._analyze = query_parser().analyze
        self._fillers = frozenset(token for word in FILLERS for token in self._analyze(word))
        self.phrases = [
            Phrase(position, text, frozenset(self._tokens(text)))
            for position, entry in enumerate(content["codes"])
            if len(entry["code"]) == LEAF
            for text in (entry["title"], *entry["terms"])
        ]
        self._code_of = np.array([phrase.code for phrase in self.phrases], np.int32)
        self._vectors = _vectors(folder / NAICS_VECTORS, (len(self.phrases), dimension))
        self._postings: dict[str, list[int]] = defaultdict(list)
        for number, phrase in enumerate(self.phrases):
            for token in phrase.tokens:
                self._postings[token].append(number)
        self._rarity = self._rarities()
        self._weights = [sum(self._rarity[token] for token in phrase.tokens) for phrase in self.phrases]

    def find(self, code: str) -> int | None:
        """Return the position of a code, or None; 31, 32 and 33 have that of the sector named 31-33."""
        return self._positions.get(code)

    def hierarchy(self, position: int) -> tuple[int, ...]:
        """Return the positions of the codes above one, from its sector down."""
        code = self.codes[position]
        above = (self._positions.get(code[:length]) for length in range(2, len(code)))
        return tuple(found for found in above if found is not None and found != position)

    def children(self, position: int) -> tuple[int, ...]:
        """Return the positions of the codes right below one, in their order."""
        code = self.codes[position]
        if "-" in code:
            heads = tuple(str(sector) for sector in range(int(code[:2]), int(code[3:]) + 1))
        else:
            heads = (code,)
        length = len(heads[0]) + 1
        return tuple(
            found
            for found, other in enumerate(self.codes)
            if len(other) == length and other.startswith(heads) and "-" not in other
        )

    def by_words(self, query: str) -> dict[int, tuple[float, int]]:
        """Return the scores of codes by a query's words: for a position, a score up to 1 and its best phrase.

        A phrase scores high if it has the words of the query and no others; rare words count for more.
        """
        tokens = frozenset(self._tokens(query))
        whole = sum(self._rarity.get(token, self._unseen) for token in tokens)
        shared: dict[int, float] = defaultdict(float)
        for token in tokens:
            for number in self._postings.get(token, ()):
                shared[number] += self._rarity[token]
        best: dict[int, tuple[float, int]] = {}
        for number, weight in shared.items():
            fit = 2 * weight / (whole + self._weights[number])
            code = self.phrases[number].code
            if fit > best.get(code, (0.0, 0))[0]:
                best[code] = (fit, number)
        return best

    def by_meaning(self, vector: NDArray[np.float32]) -> dict[int, tuple[float, int]]:
        """Return the scores of codes by a query's vector: for a position, a cosine and its best phrase."""
        cosines = self._vectors @ vector
        best: dict[int, tuple[float, int]] = {}
        for number in np.argsort(cosines)[: -NEAREST - 1 : -1].tolist():
            best.setdefault(int(self._code_of[number]), (float(cosines[number]), number))
        return best

    def _tokens(self, text: str) -> list[str]:
        words = [
            word for word in text.replace("-", " ").split() if word.strip(".,;:()'").lower() not in STOP_WORDS
        ]
        tokens = self._analyze(" ".join(words))
        return [token for token in tokens if token not in self._fillers] or tokens

    def _rarities(self) -> dict[str, float]:
        """Return the weight of each token, which is greater the fewer codes have it."""
        leaves = len(set(self._code_of.tolist()))
        return {
            token: math.log1p(leaves / len({self.phrases[number].code for number in numbers}))
            for token, numbers in self._postings.items()
        }

    @property
    def _unseen(self) -> float:
        """Weight of a token that no phrase has: that of the rarest token."""
        return max(self._rarity.values(), default=1.0)


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise SnapshotCorruptError(str(path), "is missing") from None


def _vectors(path: Path, shape: tuple[int, int]) -> NDArray[np.float32]:
    try:
        stored = np.load(path, allow_pickle=False)
    except FileNotFoundError:
        raise SnapshotCorruptError(str(path), "is missing") from None
    except ValueError as error:
        raise SnapshotCorruptError(str(path), f"holds no vectors: {error}") from error
    if stored.shape != shape:
        raise SnapshotCorruptError(str(path), f"has the shape {stored.shape} instead of {shape}")
    return np.asarray(stored, np.float32)
