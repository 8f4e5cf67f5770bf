"""Accept-Encoding, as RFC 9110 has it, and what is compressed."""

import gzip

import pyarrow as pa
import pytest

from serving.api.encodings import LONGEST, WORTHWHILE, accepted_encodings, compress, encoding_for


@pytest.mark.parametrize(
    ("header", "encodings"),
    [
        (None, ("identity",)),
        ("", ("identity",)),
        ("gzip", ("gzip", "identity")),
        ("gzip, deflate, br, zstd", ("zstd", "gzip", "identity")),
        ("gzip;q=1.0, zstd;q=0.5", ("gzip", "zstd", "identity")),
        ("gzip;q=0, zstd", ("zstd", "identity")),
        ("identity, gzip;q=0.5", ("identity", "gzip")),
        ("identity;q=0.5, gzip;q=0.5", ("gzip", "identity")),
        ("*", ("zstd", "gzip", "identity")),
        ("*;q=0", ("identity",)),
        ("GZIP ; Q=0.8", ("gzip", "identity")),
        ("gzip;q=high", ("identity",)),
        ("br", ("identity",)),
    ],
)
def test_encodings_come_best_first(header, encodings):
    assert accepted_encodings(header) == encodings


def test_a_header_longer_than_any_client_sends_is_taken_for_none():
    padding = "a" * LONGEST
    assert accepted_encodings(f"gzip, {padding}") == ("identity",)
    assert accepted_encodings(f"gzip, {padding}"[:LONGEST]) == ("gzip", "identity")


def test_small_bodies_are_left_as_they_are():
    assert encoding_for("gzip", WORTHWHILE) == "gzip"
    assert encoding_for("gzip", WORTHWHILE - 1) == "identity"
    assert encoding_for(None, WORTHWHILE) == "identity"


def test_what_is_compressed_is_the_body():
    body = b"law " * 1_000
    assert gzip.decompress(compress(body, "gzip")) == body
    zstd = pa.decompress(compress(body, "zstd"), codec="zstd", decompressed_size=len(body), asbytes=True)
    assert zstd == body
