"""Numbers of rows of the store in addresses of pages."""

from serving.contract.errors import ValidationError

LARGEST = 2**62
_DIGITS = len(str(LARGEST))


def row_number(text: str | None, parameter: str) -> int | None:
    """Return the number in an address; None if there is none.

    Raises:
        ValidationError: it is no number of a row.
    """
    if not text:
        return None
    if not text.isascii() or not text.isdecimal() or len(text) > _DIGITS or not 0 < int(text) <= LARGEST:
        raise ValidationError("The address names no such number.", parameter=parameter)
    return int(text)
