"""Digits that a source raises, as marks of footnotes or exponents: `4,400²` is not 44,002."""

_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"

RAISED_DIGITS = str.maketrans("0123456789", _RAISED)
LOWERED_DIGITS = str.maketrans(_RAISED, "0123456789")
