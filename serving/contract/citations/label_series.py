"""The series in which parts are labelled: figures, letters and Roman numbers."""

from string import ascii_lowercase, ascii_uppercase

_ROMANS = (
    *("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"),
    *("XI", "XII", "XIII", "XIV", "XV", "XVI", "XVII", "XVIII", "XIX", "XX"),
)
SERIES = (
    tuple(str(number) for number in range(1, 100)),
    tuple(ascii_lowercase),
    tuple(ascii_uppercase),
    tuple(number.lower() for number in _ROMANS),
    _ROMANS,
)
PLACES = {
    label: tuple((series, series.index(label)) for series in SERIES if label in series)
    for label in {label for series in SERIES for label in series}
}
"""Each label with its series, and its place in them."""
