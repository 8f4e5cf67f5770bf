"""Schemas of a snapshot's two search indexes: fields, columns, and one analyzer for text and queries."""

import re
from math import isqrt

import pyarrow as pa
import tantivy

ROW = "row"
"""Fast field with the node's row in `nodes.arrow`."""
WEIGHT = "weight"
"""Fast field by which scores are multiplied, as log2(2 + weight): 0 leaves a score unchanged."""
SECTION_WEIGHT = 2.0
"""Weight of sections, which count double what containers do (0), whose few words would put them first."""
BODY = "body"
"""Field of everything that a query may match: heading, citation, ancestors' headings and text, as separate
values."""
HEADING = "heading"
CITATION = "citation"
SCOPE = "scope"
"""Short codes of the jurisdiction and of those that contain it, so that a state's scope includes its
cities."""
JURISDICTION = "jurisdiction"
CODE_BODY = "code_body"
LEVEL = "level"
STATUS = "status"
TAG = "tag"

ANALYZER = "legal"

_FEWEST_LISTS = 256
_ACRONYM_DOT = re.compile(r"\.(?:(?<=\b[^\W\d_]\.)(?=[^\W\d_]\.)|(?<=\b[^\W\d_]\.[^\W\d_]\.))")
"""A dot of two and more single letters; begins with the dot, since a search for a character is quick."""
_SOFT_HYPHEN = re.compile(r"(?<=[^\W\d_])\u00ad(?=[^\W\d_])")


def keyword_schema() -> tantivy.Schema:
    """Return the schema of the keyword index. It stores no text, which tables and answers already hold."""
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field(ROW, indexed=True, fast=True)
    builder.add_float_field(WEIGHT, fast=True)
    for field in (BODY, HEADING, CITATION):
        builder.add_text_field(field, tokenizer_name=ANALYZER)
    for field in (SCOPE, STATUS):
        builder.add_text_field(field, tokenizer_name="raw", index_option="basic")
    for field in (JURISDICTION, CODE_BODY, LEVEL, TAG):
        builder.add_text_field(field, tokenizer_name="raw", index_option="basic", fast=True)
    return builder.build()


def legal_analyzer() -> tantivy.TextAnalyzer:
    """Return the analyzer: words and numbers, lower case, reduced to ASCII where possible, stemmed.

    Every sign separates, so `29-801.02` is three tokens in a row, found whole as a phrase and in parts; an en
    dash is a hyphen and a section sign is nothing. Text goes through `joined_words` first.
    """
    return (
        tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.regex(r"[\p{L}\p{N}]+(?:['’]\p{L}+)?"))
        .filter(tantivy.Filter.lowercase())
        .filter(tantivy.Filter.ascii_fold())
        .filter(tantivy.Filter.stemmer("english"))
        .build()
    )


def joined_words(text: str) -> str:
    """Return `text` with `U.S.C.` written `USC`, so that both spellings are one token, and no soft hyphens.

    Publishers leave the hyphens of their typesetting within words: `un-affected`.
    """
    if "\u00ad" in text:
        text = _SOFT_HYPHEN.sub("", text)
    if "." not in text:
        return text
    return _ACRONYM_DOT.sub("", text)


VECTOR = "vector"
CODES = "IvfRq"
"""Kind of index over vectors in tables of earlier builds that holds short codes in lists."""


def lists_of_codes(rows: int) -> int:
    """Return the lists into which the short codes of so many vectors are parted there."""
    return max(_FEWEST_LISTS, isqrt(rows) // 2)


def vector_schema(dimension: int) -> pa.Schema:
    """Return the columns of the vector table: one row a chunk, in the order of `chunks.arrow`."""
    return pa.schema(
        [
            pa.field("id", pa.uint32(), nullable=False),  # row in chunks.arrow
            pa.field("node", pa.uint32(), nullable=False),  # row in nodes.arrow
            pa.field(CODE_BODY, pa.string(), nullable=False),  # UUID
            pa.field(JURISDICTION, pa.string(), nullable=False),  # short code
            pa.field(STATUS, pa.string(), nullable=False),
            pa.field(LEVEL, pa.string(), nullable=False),
            pa.field(VECTOR, pa.list_(pa.float16(), dimension), nullable=False),
        ]
    )
