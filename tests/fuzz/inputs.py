"""Inputs that nobody would send: real ones with parts cut, doubled, swapped and broken."""

from collections.abc import Sequence

from hypothesis import strategies as st

MOST_BYTES = 1 << 16
"""Bytes of an input: what needs more of them to do harm is for tests of bounds."""
RUBBISH = (
    b"",
    b"\x00",
    b"\xff\xfe",
    b"\xed\xa0\x80",
    b"\xc3",
    b"\xe2\x80\xae",
    b"\xef\xbb\xbf",
    b"%00",
    b"%s%n",
    b"\r\n",
    b"\n",
    b"-1",
    b"0",
    b"1e999",
    b"NaN",
    b"18446744073709551616",
    b"'\"",
    b"../../../etc/passwd",
    b"\xf0\x9f\x98\x80",
)
"""Pieces that have broken readers of all kinds."""
_TIMES = (2, 3, 50, 2_000)


@st.composite
def mutated(
    draw: st.DrawFn, samples: Sequence[bytes], pieces: Sequence[bytes] = (), *, changes: int = 6
) -> bytes:
    """A sample with some changes, or none.

    Args:
        draw: Hypothesis's own.
        samples: real inputs.
        pieces: of the language that inputs are in; rubbish comes by itself.
        changes: the most of them.
    """
    data: bytes = draw(st.sampled_from(samples))
    vocabulary = st.sampled_from((*pieces, *RUBBISH)) if pieces else st.sampled_from(RUBBISH)
    for _ in range(draw(st.integers(0, changes))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 64)))
        match draw(st.integers(0, 5)):
            case 0:
                middle = b""
            case 1:
                middle = data[start:end] * draw(st.sampled_from(_TIMES))
            case 2:
                middle = draw(vocabulary) + data[start:end]
            case 3:
                middle = draw(vocabulary)
            case 4:
                middle = bytes(byte ^ (1 << draw(st.integers(0, 7))) for byte in data[start:end][:1])
                middle += data[start + 1 : end]
            case _:
                other: bytes = draw(st.sampled_from(samples))
                begin = draw(st.integers(0, len(other)))
                middle = other[begin : begin + draw(st.integers(0, 400))]
        data = (data[:start] + middle + data[end:])[:MOST_BYTES]
    return data


def written(pieces: Sequence[str], *, most: int = 40) -> st.SearchStrategy[bytes]:
    """Texts of any pieces of a language in a row, and any text at all."""
    composed = st.lists(st.sampled_from(pieces), max_size=most).map("".join)
    return st.one_of(composed, composed, st.text(max_size=200)).map(
        lambda text: text.encode("utf-8", "surrogatepass")
    )
