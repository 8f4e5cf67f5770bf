"""Fold text for reading citations: character by character, so that places in both texts are the same."""

_DASHES = "‐‑‒–—―−﹣－\u00ad"
_SPACES = "\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b\u202f\u205f\u3000\ufeff"
_WHITE = "\t\n\r\v\f"
_QUOTES = "’‘ʼ`´"


def fold_dashes(text: str) -> str:
    """Return the text with every dash as the hyphen that lawyers type."""
    if not text.isascii():
        for dash in _DASHES:
            text = text.replace(dash, "-")
    return text


def fold(text: str) -> str:
    """Return text of the same length in lower case, with plain dashes, spaces and apostrophes."""
    for character in _WHITE:
        text = text.replace(character, " ")
    if text.isascii():
        return text.lower()
    text = fold_dashes(text)
    for character in _SPACES:
        text = text.replace(character, " ")
    for character in _QUOTES:
        text = text.replace(character, "'")
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(small if len(small := letter.lower()) == 1 else letter for letter in text)
    return lower
