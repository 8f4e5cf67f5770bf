"""Parts that go on with the next one are uncertain, with all within them; others are left alone."""

import pytest

from assets.ingest.model import Provision
from assets.ingest.run_in_parts import doubt_run_in_parts
from serving.contract.records import Outline


def doubted(text: str, *labels: str) -> list[str]:
    """Return the uncertain ones of parts that begin where their last designators first stand, in their order."""
    starts, at = [], 0
    for label in labels:
        at = text.index(label[label.rindex("(") :], at)
        starts.append(at)
        at += 1
    outline = []
    for place, (label, start) in enumerate(zip(labels, starts, strict=True)):
        beyond = (starts[n] for n in range(place + 1, len(labels)) if not labels[n].startswith(label))
        outline.append(Outline(label, start, next(beyond, len(text))))
    provision = Provision(
        *("/toy/1", None, "section", "1", "Fines", "Toy Code § 1", True, "a.xml", 0, 9, "0" * 64),
        text=text,
        outline=tuple(outline),
    )
    (read,) = doubt_run_in_parts([provision])
    assert [(part.label, part.start, part.end) for part in read.outline] == [
        (part.label, part.start, part.end) for part in outline
    ]
    return [part.label for part in read.outline if part.uncertain]


@pytest.mark.parametrize(
    ("text", "labels", "uncertain"),
    [
        ("(b) At most:\n(1) $100 for one; (2) $250 for two;\n(3) $500.", "(b) (b)(1) (b)(3)", "(b)(1)"),
        ("(b) If:\n(4) It rains; and (5) It pours.\n(c) Or not.", "(b) (b)(4) (c)", "(b)(4)"),
        ("(2) Of trustees;\n(3) Of owners.", "(2)", "(2)"),
        ("(A) First:\n(i) one; (ii) two;\n(iii) three.", "(A) (A)(i) (A)(iii)", "(A)(i)"),
        ("(1) One; (2) two:\n(A) its own.", "(1) (1)(A)", "(1) (1)(A)"),
        ("(g) Words. (h) More words.\n(i) Last.", "(g) (i)", "(g)"),
    ],
)
def test_a_part_that_goes_on_with_the_next_is_uncertain(text: str, labels: str, uncertain: str) -> None:
    assert doubted(text, *labels.split()) == uncertain.split()


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("(1) One.\n(2) Two, as (1) says; (3) is another.", "(1) (2) (3)"),
        ("(b) As subsections (a), (b), and (c) say.", "(b)"),
        ("(b) As AS 29.26.130(a), (b), or (c) say, (c) applies to none.", "(b) (c)"),
        ("(i) Insurance, where it is required by:\n(i) law;\n(ii) contract.", "(i)"),
        ("(i) A check that (i) is paid, (ii) is drawn.", "(i)"),
        ("(a) Words:\n(1) One.\n(b) “Control” has its meaning.", "(a) (a)(1)"),
        ("(h) Either of these:\n(i) this;\n(ii) that.", "(h)"),
        ("(1) Form 10; see item (2).", "(1)"),
        ("(2024) The year; (2025) the next.", "(2024)"),
        ("(A)(1) Both.\n(2) And this.", "(A) (A)(1) (A)(2)"),
    ],
)
def test_other_parts_are_left_alone(text: str, labels: str) -> None:
    assert doubted(text, *labels.split()) == []
