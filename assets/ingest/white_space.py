"""Fold white space the quick way: most runs of law need no folding."""


def fold(text: str) -> str:
    """Return `text` with every run of white space as one space and none at its ends."""
    if text.isprintable() and "  " not in text:  # of all white space, only the plain space is printable
        return text.strip()
    return " ".join(text.split())
