"""Spans: they cover every text, keep to the budget and end where a reader would end them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assets.text.splitting import Divisible, Span, split_texts
from serving.contract.records import Outline
from serving.encoder.tokens import PassageTokenizer

WORDS = st.sampled_from(
    ["law", "§", "(a)", "(1)", "U.S.C.", "shall;", "provided:", "State.", "señal", "—", "\n", "\n\n", " ", "\t",
     "antidisestablishmentarianism", "." * 40, "_" * 70, "x" * 120, "一二三", "한국법", "a\u0301", "\u00a0", "\x1c",
     "\u200b", "[SEP]", "🦜"]
)  # fmt: skip
TEXTS = st.one_of(
    st.text(max_size=300),
    st.lists(st.tuples(WORDS, st.sampled_from(["", " ", " ", "\n"])), max_size=80).map(
        lambda pairs: "".join(word + space for word, space in pairs)
    ),
)


@st.composite
def outlined_texts(draw: st.DrawFn) -> tuple[str, list[Outline]]:
    """Texts with parts anywhere: nested, overlapping, empty, beyond the end."""
    text = draw(TEXTS)
    edges = st.tuples(st.integers(0, len(text) + 2), st.integers(0, len(text) + 2))
    spans = draw(st.lists(edges.map(sorted), max_size=12))
    return text, [Outline("(a)", start, end) for start, end in sorted(spans, key=lambda s: (s[0], -s[1]))]


def split(tokenizer: PassageTokenizer, text: str, outline: list[Outline], budget: int) -> list[Span]:
    (spans,) = split_texts([Divisible(text, outline, budget)], tokenizer)
    return spans


@settings(max_examples=300, deadline=None)
@given(outlined=outlined_texts(), budget=st.integers(6, 60))
def test_spans_cover_any_text_and_keep_to_the_budget(
    tokenizer: PassageTokenizer, outlined: tuple[str, list[Outline]], budget: int
) -> None:
    text, outline = outlined
    spans = split(tokenizer, text, outline, budget)
    assert "".join(text[span.start : span.end] for span in spans) == text
    assert [span.start for span in spans[1:]] == [span.end for span in spans[:-1]]
    assert all(span.start < span.end for span in spans)
    counted = tokenizer.count([text[span.start : span.end] for span in spans])
    assert [span.tokens for span in spans] == counted.tolist()
    assert all(count <= budget for count in counted)


@settings(max_examples=50, deadline=None)
@given(texts=st.lists(TEXTS, max_size=6))
def test_texts_split_together_are_split_as_alone(tokenizer: PassageTokenizer, texts: list[str]) -> None:
    together = split_texts([Divisible(text, [], 20) for text in texts], tokenizer)
    assert together == [split(tokenizer, text, [], 20) for text in texts]


def test_text_that_fits_is_one_span(tokenizer: PassageTokenizer) -> None:
    text = "(a) One.\n(b) Two."
    assert split(tokenizer, text, [Outline("(a)", 0, 9), Outline("(b)", 9, 17)], 100) == [Span(0, 17, 10)]


def outlined(parts: list[tuple[str, str]]) -> tuple[str, list[Outline]]:
    """Lay out (label, words) as lines; a label's parts lie within the label it extends."""
    text = ""
    starts = []
    for label, words in parts:
        starts.append(len(text))
        text += f"{label} {words}\n"
    outline = []
    for index, (label, _) in enumerate(parts):
        after = (
            starts[later] for later in range(index + 1, len(parts)) if not parts[later][0].startswith(label)
        )
        outline.append(Outline(label, starts[index], next(after, len(text))))
    return text, outline


@pytest.mark.parametrize("budget", [45, 60])
def test_outermost_part_within_reach_ends_a_span(tokenizer: PassageTokenizer, budget: int) -> None:
    sentence = "the owner may record one deed"
    text, outline = outlined(
        [("(a)", sentence), ("(a)(1)", sentence), ("(a)(2)", sentence), ("(b)", sentence), ("(b)(1)", sentence),
         ("(b)(2)", sentence), ("(b)(3)", sentence)]
    )  # fmt: skip
    spans = split(tokenizer, text, outline, budget)
    assert spans[0].end == text.index("(b) ")


def test_small_neighbouring_parts_are_merged(tokenizer: PassageTokenizer) -> None:
    text, outline = outlined([(f"({letter})", "short words here") for letter in "abcdefghijkl"])
    spans = split(tokenizer, text, outline, 30)
    assert len(spans) == 3
    assert all(text[span.start] == "(" for span in spans)


def test_lines_then_sentences_then_words_end_spans(tokenizer: PassageTokenizer) -> None:
    lines = "one two three four five six\nseven eight nine ten eleven twelve\n"
    assert [lines[span.start : span.end] for span in split(tokenizer, lines, [], 9)] == lines.splitlines(True)
    sentences = "One two three four five. Six seven eight nine ten. "
    found = [sentences[span.start : span.end] for span in split(tokenizer, sentences, [], 9)]
    assert found == ["One two three four five. ", "Six seven eight nine ten. "]
    words = "one two three four five six"
    assert [words[span.start : span.end] for span in split(tokenizer, words, [], 4)] == [
        "one two three four ",
        "five six",
    ]


def test_abbreviations_of_one_letter_end_no_sentence(tokenizer: PassageTokenizer) -> None:
    text = "as in 17 U.S.C. 107 and in 28 U.S.C. 1331 it is. Then other words follow here and on."
    spans = split(tokenizer, text, [], 24)
    assert text[spans[0].end :].startswith("Then")


def test_word_beyond_the_budget_is_cut_hard(tokenizer: PassageTokenizer) -> None:
    text = "before " + "." * 500 + " after"
    spans = split(tokenizer, text, [], 50)
    assert max(span.tokens for span in spans) <= 50
    assert len(spans) <= 12


def test_very_long_section_is_split(tokenizer: PassageTokenizer) -> None:
    paragraph = "The Secretary shall make a payment adjustment for items and services furnished in a year. "
    text = "\n".join(f"({number}) {paragraph * 3}" for number in range(6000))
    spans = split(tokenizer, text, [], 190)
    assert spans[-1].end == len(text) > 1_600_000
    assert all(text[span.start] == "(" for span in spans)
