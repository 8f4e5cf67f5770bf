"""Queries as nobody types them: quotes, operators, emoji, long ones, letters, words of grammar, other scripts."""

import random
from collections.abc import Iterator

LONGEST = 500
_SIGNS = " \"“”'()[]{}+-*~^:;,.?!/\\|&<>=#@%$§¶—–…"
_OPERATORS = (
    "AND",
    "OR",
    "NOT",
    "TO",
    "NEAR/3",
    "IN",
    "title:",
    "body:",
    "*:*",
    "a~2",
    "b^9",
    "[a TO z]",
    "{x TO *}",
)
_EMOJI = "💥⚖️👩‍⚖️🏛️🇺🇸🔒📜"
_STOP_WORDS = ("the", "of", "a", "to", "and", "is", "in", "what", "may", "can", "i", "not", "under", "with")
_LAW = (
    "court",
    "tax",
    "permit",
    "copyright",
    "landlord",
    "deposit",
    "penalty",
    "officer",
    "united",
    "states",
    "section",
)
_SCRIPTS = (
    (0x0400, 0x044F),  # Cyrillic
    (0x0590, 0x05EA),  # Hebrew
    (0x0620, 0x064A),  # Arabic
    (0x0905, 0x0939),  # Devanagari
    (0x3041, 0x3096),  # Hiragana
    (0x4E00, 0x9FA5),  # Han
    (0xAC00, 0xD7A3),  # Hangul
    (0x0E01, 0x0E2E),  # Thai
    (0x0300, 0x036F),  # marks without a letter
    (0x0000, 0x001F),  # control characters
    (0xE000, 0xE0FF),  # of private use
    (0x1F300, 0x1F5FF),  # pictures
)


def queries(count: int, *, seed: int = 13) -> Iterator[str]:
    """Yield so many queries, the same for the same seed; those of each kind in turn."""
    chance = random.Random(seed)
    kinds = (_quoted, _operators, _signs, _emoji, _long, _letter, _grammar, _script, _numbers, _mixed)
    for number in range(count):
        yield kinds[number % len(kinds)](chance)[:LONGEST] or "a"


def _words(chance: random.Random, most: int) -> list[str]:
    return [chance.choice(_LAW) for _ in range(chance.randint(1, most))]


def _quoted(chance: random.Random) -> str:
    opening, closing = chance.choice(
        (('"', '"'), ("“", "”"), ('"', ""), ("“", '"'), ("„", "“"), ('""', '""'))
    )
    return f"{opening}{' '.join(_words(chance, 12))}{closing} {' '.join(_words(chance, 3))}"


def _operators(chance: random.Random) -> str:
    parts = [chance.choice((*_OPERATORS, *_LAW)) for _ in range(chance.randint(1, 30))]
    return " ".join(parts)


def _signs(chance: random.Random) -> str:
    return "".join(chance.choice(_SIGNS) for _ in range(chance.randint(1, 60)))


def _emoji(chance: random.Random) -> str:
    return "".join(chance.choice(_EMOJI) for _ in range(chance.randint(1, 40))) + chance.choice(
        ("", " court")
    )


def _long(chance: random.Random) -> str:
    if chance.random() < 0.2:
        return chance.choice('ax7("é') * LONGEST
    return " ".join(chance.choice((*_LAW, *_STOP_WORDS)) for _ in range(120))


def _letter(chance: random.Random) -> str:
    return chance.choice("abcdefghijklmnopqrstuvwxyzABZ0159éß§")


def _grammar(chance: random.Random) -> str:
    return " ".join(chance.choice(_STOP_WORDS) for _ in range(chance.randint(1, 40)))


def _script(chance: random.Random) -> str:
    first, last = chance.choice(_SCRIPTS)
    letters = [chr(chance.randint(first, last)) for _ in range(chance.randint(1, 60))]
    return "".join(letter if chance.random() < 0.9 else " " for letter in letters)


def _numbers(chance: random.Random) -> str:
    parts = [
        f"{chance.randint(0, 99_999)}{chance.choice(('', '-', '.', '(a)', ' U.S.C. § ', '(1)(A)(iv)'))}"
        for _ in range(chance.randint(1, 25))
    ]
    return "".join(parts)


def _mixed(chance: random.Random) -> str:
    makers = (_quoted, _operators, _signs, _emoji, _letter, _grammar, _script, _numbers)
    return " ".join(chance.choice(makers)(chance) for _ in range(3))
