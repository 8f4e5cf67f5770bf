"""Words that were decoded wrongly are told from words that are unusual."""

import pytest

from assets.ingest.decoding import wrongly_decoded

WORDS = "§ 12-34. The owner’s “costs” — 2½ percent of the façade at 45° — exceed 50¢; see José Peña’s ¶ 4…"


def found(text: str) -> list[str]:
    return [match.group() for match in wrongly_decoded(text)]


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1"])
def test_text_that_was_read_byte_by_byte_is_found(encoding: str) -> None:
    read = bytes(WORDS, "utf-8").decode(encoding, "replace")
    assert len(found(read)) == sum(not character.isascii() for character in WORDS)


def test_windows_1252_read_as_latin_1_is_found() -> None:
    assert found(WORDS.encode("cp1252").decode("latin-1")) == [
        "\x92",
        "\x93",
        "\x94",
        "\x97",
        "\x97",
        "\x92",
        "\x85",
    ]


def test_a_character_that_a_decoder_lost_is_found() -> None:
    assert found("the owner\N{REPLACEMENT CHARACTER}s costs") == ["\N{REPLACEMENT CHARACTER}"]


@pytest.mark.parametrize(
    "text",
    [
        WORDS,
        "the “CAFÉ’S” sign, RENÉ’S and the “Café’”",
        "the Ñ in PIÑON; “Ülo”; naïve; coöperate; Ação; Âge; pâte",
        "x ≤ 4 · y ÷ 3 ± 0.5 µg/m³ → ☐ yes ☑ no ✓ Σ 𝛼",
        "plain words of law",
        "",
    ],
)
def test_unusual_words_are_none(text: str) -> None:
    assert found(text) == []
