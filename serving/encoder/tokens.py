"""Text to token ids: counting for the chunker, and the exact input of the model for passages and queries."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from serving.contract.errors import SnapshotCorruptError
from serving.encoder.config import TOKENIZER, EncoderConfig

_WORD = re.compile(r"[^\W\d_]{3,}")
_MOST_WORDS = 32
"""Words of a text that are looked up; nobody types more."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a text without special tokens; token i covers characters [start[i], end[i])."""

    ids: NDArray[np.int32]
    start: NDArray[np.int32]
    end: NDArray[np.int32]


class PassageTokenizer:
    """The tokenizer of an encoder. Safe to use from several threads; batches use all cores.

    Attributes:
        max_tokens: longest input of the model, special tokens and prefix included.
        overhead: tokens of a passage that are not its text: special tokens and the passage prefix.
    """

    def __init__(self, folder: Path, config: EncoderConfig) -> None:
        self._tokenizer = _load_tokenizer(folder / TOKENIZER)
        self._query_prefix = config.query_prefix
        self._passage_prefix = config.passage_prefix
        self._special = int(self._tokenizer.num_special_tokens_to_add(is_pair=False))
        self.max_tokens = config.max_tokens
        self.overhead = self._special + len(self.tokenize(config.passage_prefix).ids)

    def count(self, texts: Sequence[str]) -> NDArray[np.int32]:
        """Return the number of tokens of each text, without special tokens and prefix: (n,) int32."""
        encodings = self._tokenizer.encode_batch_fast(texts, add_special_tokens=False)
        return np.fromiter((len(encoding) for encoding in encodings), np.int32, len(encodings))

    def tokenize(self, text: str) -> Tokens:
        """Return the tokens of one text with their offsets in characters."""
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        offsets = np.array(encoding.offsets, np.int32).reshape(-1, 2)
        return Tokens(np.array(encoding.ids, np.int32), offsets[:, 0], offsets[:, 1])

    def knows_word(self, text: str) -> bool:
        """Return whether any word of a text, of three letters or more, is a token by itself."""
        words = _WORD.findall(text)[:_MOST_WORDS]
        encodings = self._tokenizer.encode_batch_fast(words, add_special_tokens=False)
        return any(len(encoding) == 1 for encoding in encodings)

    def passage_ids(self, passages: Sequence[str]) -> list[NDArray[np.int32]]:
        """Return the model's input for each passage, prefix and special tokens included.

        Raises:
            ValueError: a passage is longer than `max_tokens`; cutting it would lose text unseen.
        """
        prefixed = [self._passage_prefix + passage for passage in passages]
        encodings = self._tokenizer.encode_batch_fast(prefixed, add_special_tokens=True)
        for passage, encoding in zip(passages, encodings, strict=True):
            if len(encoding) > self.max_tokens:
                raise ValueError(
                    f"A passage has {len(encoding)} tokens, more than {self.max_tokens}: {passage[:80]!r}"
                )
        return [np.array(encoding.ids, np.int32) for encoding in encodings]

    def query_ids(self, query: str) -> NDArray[np.int32]:
        """Return the model's input for a query; one longer than `max_tokens` is cut at its end."""
        encoding = self._tokenizer.encode(self._query_prefix + query, add_special_tokens=False)
        encoding.truncate(self.max_tokens - self._special)
        return np.array(self._tokenizer.post_process(encoding).ids, np.int32)


def _load_tokenizer(path: Path) -> Tokenizer:
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises bare Exception for every cause
        raise SnapshotCorruptError(str(path), f"is no tokenizer: {error}") from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    # A text that happens to contain "[SEP]" must not reach the model as the special token of that name.
    tokenizer.encode_special_tokens = True
    return tokenizer
