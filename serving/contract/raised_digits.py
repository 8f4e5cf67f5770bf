"""Digits that a source raises, as marks of footnotes or exponents: `4,400²` is not 44,002."""

RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"

RAISED_DIGITS = str.maketrans("0123456789", RAISED)
LOWERED_DIGITS = str.maketrans(RAISED, "0123456789")
