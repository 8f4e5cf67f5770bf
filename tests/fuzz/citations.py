"""The citation grammar: citations in texts, citations as typed, the resolver and drafts over a snapshot."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from serving.contract.citations import Citation, CitingContext, Grammar, Part, parse, parse_within, read_one
from serving.contract.citations.citation import UNKNOWN_CODE, UNREAD
from serving.contract.citations.source import fold
from serving.services.citations.drafts import check_draft
from serving.services.citations.resolution import Outcome, Resolution
from serving.services.citations.resolve import resolve
from serving.services.opening import open_warm
from tests.fuzz.inputs import mutated, written
from tests.fuzz.target import Check, Grounds, Target
from tests.serving.contract.citations.conftest import reviewed_names, reviewed_schemes

PIECES = (
    *"§()[]-–—.,;:/\u00a0 \n\t$#0123456789aAbBiIvVxX",
    *("§§", " § ", "U.S.C.", "usc", "42 ", "title 42", "D.C. Code", "section ", "sections ", " of ", "the "),
    *(" and ", " to ", " through ", "(a)", "(1)", "(i)", "note", "et seq.", "app. ", "29-801.02", "C.F.R."),
    *(
        "240.10b-5",
        "Fed. R. Civ. P. ",
        "Rule ",
        "12(b)(6)",
        "Cal. Penal Code",
        "Inspector General Act of 1978",
    ),
    *(
        ", Fourth",
        "First",
        "notes",
        "note to ",
        "advisory committee's note",
        " of title 35",
        "app. 3 ",
        "sec. ",
    ),
    *(
        "1331, 1332",
        "title 17, ",
        "chapter 5 of ",
        "U.S. Const. ",
        "art. I, ",
        "ERISA",
        "subch. IV",
        "111-148",
    ),
    *("Pub. L. ", "paragraph (3) of ", "1983", "2000e-2", "this title", "this section", "such ", "thereof"),
    *("İ", "ß", "٤", "²", "\u200b", "\U0001f600", "ǅ", "ŉ", "\u0345", "\u2028", "\ufeff"),
    *("1 S.F.C.", "S.F.R.", "Sample Code", "City Code", "Fair Works Act", "WA", "Beacon Act", "1-1", "5-8"),
)
SAMPLES = (
    b"See, e.g., 42 U.S.C. \xc2\xa7\xc2\xa7 1983, 1985(3)-1988 & note (2018); 17 USC 107(1).",
    b"5 U.S.C. app. Ethics in Government Act of 1978, tit. I, \xc2\xa7 101(a)(1)(A) et seq.",
    b"section 106 of this title, subsections (a), (b)(2) and (c) of section 3 of title 5, and chapter 7 thereof",
    b"D.C. Code \xc2\xa7 29-801.02(a)(1)(A)(i)-(iv) and \xc2\xa7 29\xe2\x80\x93802; Fed. R. Civ. P. 12(b)(6)",
    b"1 S.F.C. \xc2\xa7\xc2\xa7 5, 7(a) to 9; Sample Code \xc2\xa7 2-15; Fair Works Act \xc2\xa7 7; 3 S.F.R. \xc2\xa7 1",
)
INPUTS = written(PIECES) | mutated(SAMPLES, [piece.encode() for piece in PIECES])
HOMES = (
    CitingContext(
        "us-usc", "17", "107", implicit_title=True, outline=(Part(("a",), 0, 40), Part(("a", "1"), 10, 20))
    ),
    CitingContext("us-usc", "5", "3", appendix=True),
    CitingContext("dc-code", None, "29-801.02", implicit_title=True),
)


@cache
def reviewed_grammar() -> Grammar:
    """The grammar of the reviewed data."""
    return Grammar(reviewed_schemes(), reviewed_names())


def read_text(data: bytes) -> None:
    """Read citations in a text, wherever it stands, and as one that was typed; what is found is found again."""
    text, grammar = data.decode("utf-8", "replace"), reviewed_grammar()
    assert len(fold(text)) == len(text)
    found = parse(text, grammar)
    _require_in_order(text, found)
    for home in HOMES:
        _require_in_order(text, parse_within(text, grammar, home))
    typed = read_one(text, grammar)
    if not isinstance(typed, tuple):
        assert 0 <= typed.offset <= len(text)
        assert typed.expected
    # Nothing is confirmed of an unknown code or of what is unread: they are told as written.
    confirmed = (one for one in found if one.kind not in (UNKNOWN_CODE, UNREAD))
    for said in dict.fromkeys((one.canonical, one.target, one.code) for one in confirmed):
        again = read_one(said[0], grammar)
        assert isinstance(again, tuple), said
        assert [(one.canonical, one.target, one.code) for one in again] == [said]


def _require_in_order(text: str, found: list[Citation]) -> None:
    end = 0
    for citation in found:
        assert end <= citation.start < citation.end <= len(text)
        end = citation.end


@contextmanager
def resolver(grounds: Grounds) -> Iterator[Check]:
    """Resolves over the sample law."""
    snapshot = open_warm(next(grounds.snapshots.glob("2*")))

    def check(data: bytes) -> None:
        text = data.decode("utf-8", "replace")
        led = resolve(snapshot, text)
        assert led.input == text
        _require_promises(led)
        drafted = check_draft(snapshot, text)
        assert drafted.total >= len(drafted.checked)
        end = 0
        for one in drafted.checked:
            assert end <= one.start < one.end <= len(text)
            _require_promises(one.resolution)
            end = one.end
            if one.resolution.outcome is Outcome.FOUND and one.resolution.provision is not None:
                again = resolve(snapshot, one.resolution.citation or "")
                assert again.provision == one.resolution.provision

    try:
        yield check
    finally:
        snapshot.close()


def _require_promises(resolution: Resolution) -> None:
    if resolution.outcome is Outcome.UNPARSED and not resolution.members:
        assert resolution.offset is not None
        assert 0 <= resolution.offset <= len(resolution.input)
        assert resolution.expected
    else:
        assert resolution.citation
    if resolution.outcome is Outcome.FOUND:
        assert resolution.provision is not None or resolution.members
    if resolution.pin is not None:
        assert 0 <= resolution.pin.start <= resolution.pin.end
    for member in resolution.members:
        _require_promises(member)


TARGETS = (
    Target("citations", INPUTS, check=read_text, examples=150),
    Target("resolver", INPUTS, opened=resolver, examples=150),
)
