"""Fold white space the quick way: most runs of law need no folding."""


def fold(text: str) -> str:
    """Return `text` with every run of white space as one space and none at its ends."""
    if text.isascii() and "  " not in text and "\n" not in text and "\t" not in text and "\r" not in text:
        return text.strip()
    return " ".join(text.split())
