"""The NAICS table: codes, titles and the everyday words that lead to them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assets.errors import RegistryError
from assets.formation.facts import read_table

LEAF = 6
"""Digits of the codes that businesses are classified under."""


@dataclass(frozen=True, slots=True)
class Code:
    """One code; `terms` are words for what it covers beside its title, of codes of six digits alone."""

    code: str
    title: str
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Codes:
    """All codes in the order of the manual."""

    date: str
    codes: tuple[Code, ...]


def load_codes(folder: Path) -> Codes:
    """Read codes, examples and everyday words from the folder of formation data.

    Raises:
        RegistryError: a file is missing or malformed, or words are given for what is no code of six digits.
    """
    listed = read_table(folder / "naics_2022.csv", ("code", "title"))
    examples = read_table(folder / "naics_examples.csv", ("code", "example"))
    words = read_table(folder / "naics_words.csv", ("code", "words"))
    terms: dict[str, list[str]] = {row["code"]: [] for row in listed.rows if len(row["code"]) == LEAF}
    try:
        for row in words.rows:
            terms[row["code"]] += [word.strip() for word in row["words"].split(";") if word.strip()]
        for row in examples.rows:
            terms[row["code"]].append(row["example"])
    except KeyError as error:
        raise RegistryError(
            f"There are words for {error}, which is no NAICS code of {LEAF} digits."
        ) from None
    codes = tuple(
        Code(row["code"], row["title"], tuple(dict.fromkeys(terms.get(row["code"], ()))))
        for row in listed.rows
    )
    return Codes(max(listed.date, words.date), codes)


def codes_answer(codes: Codes) -> dict[str, Any]:
    """Return the table as the reader of the snapshot takes it."""
    return {
        "date": codes.date,
        "codes": [{"code": code.code, "title": code.title, "terms": code.terms} for code in codes.codes],
    }


def phrases(codes: Codes) -> list[str]:
    """Return what is encoded, in the order of the vectors: of each six-digit code its title, then terms."""
    return [phrase for code in codes.codes if len(code.code) == LEAF for phrase in (code.title, *code.terms)]
