"""Words of another that a text quotes, whose short names and section signs are of his own law."""

_LONGEST = 2_000


def is_quoted(text: str, position: int) -> bool:
    """Return True within curly quotation marks that begin in the paragraph of a position."""
    begin = max(0, text.rfind("\n\n", 0, position), position - _LONGEST)
    return text.rfind("“", begin, position) > text.rfind("”", begin, position)
