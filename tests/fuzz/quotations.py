"""Quotations: a text and what is quoted from it, with every mark that quoting has."""

from hypothesis import strategies as st

from serving.mcp.tools.quotes import MAX_QUOTE
from serving.services.quotations.folding import FoldedText, Normalisation, fold_quotation
from serving.services.quotations.nearest import find_nearest
from serving.services.quotations.occurrences import find_quotation
from tests.fuzz.inputs import mutated, written
from tests.fuzz.target import Target

BETWEEN = b"\x00"
"""Between the text and the quotation."""
TEXT = (
    "Notwithstanding any other provision, the fair use of a “protected” work for criticism, teaching or research "
    "is not an infringement.\nWhoever violates section 5(a)(1) shall be fined not more than $10,000 — or "
    "1⁄2 of the fee… for‑profit ﬁndings, 5¹ and ½ included [sic] . . . of the 5-year period; the fair use."
)
PIECES = (
    *"“”‘’\"'[](){}.,;:…*-–—‑/$§ \n\t\u00a0\u00ad\u200b\u2060\ufeff²½ﬁ①İßŉ",
    *(
        ". . .",
        "[...]",
        "[sic]",
        "[T]he",
        " [not] ",
        "* * *",
        "the ",
        "fair use",
        "of ",
        "$10",
        ",000",
        "5-year",
    ),
    *(
        "Whoever",
        "for-profit",
        "non",
        "infringement",
        "is not an",
        "10,000",
        "3/4",
        "e\u0301",
        "\U0001f600",
        "K",
    ),
)
QUOTES = (
    b'the fair use of a "protected" work',
    b"[T]he fair use . . . is [never] an infringement,",
    "“fined not more than $10,000—or ½ of the fee”".encode(),
    b"THE FAIR USE of a protected work for critcism",
    b"of the [3]-year period",
)
INPUTS = st.tuples(
    st.one_of(st.just(TEXT.encode()), mutated([TEXT.encode()]), written(PIECES)),
    st.one_of(mutated(QUOTES, [piece.encode() for piece in PIECES]), written(PIECES, most=20)),
).map(BETWEEN.join)


def verify(data: bytes) -> None:
    """Look a quotation up; what is found stands there, and is itself a quotation that is found."""
    source, _, typed = data.decode("utf-8", "replace").partition("\x00")
    quote = typed[:MAX_QUOTE]
    text = FoldedText(source)
    found = find_quotation(text, quote)
    if found is not None:
        end = 0
        for start, stop in found.spans:
            assert 0 <= end <= start < stop <= len(source)
            end = stop
        assert found.places >= 1
        if not found.steps:
            ((start, stop),) = found.spans
            assert source[start:stop] == quote.strip()
        elif (
            len(found.spans) == 1 and Normalisation.BRACKETS not in found.steps
        ):  # which may stand within a word
            ((start, stop),) = found.spans
            again = find_quotation(text, source[start:stop])
            assert again is not None
            assert fold_quotation(source[slice(*again.spans[0])]) == fold_quotation(source[start:stop])
    near = find_nearest(text, quote)
    if near is not None:
        assert 0 <= near.start < near.end <= len(source)
        assert 0 < near.similarity <= 1


TARGETS = (Target("quotations", INPUTS, check=verify, examples=300),)
