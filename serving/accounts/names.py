"""Names that people give: of keys, of companies, of the reasons for a grant."""

from serving.contract.errors import ValidationError


def clean_name(text: str, *, what: str, limit: int, parameter: str) -> str:
    """Give the name with its white space folded.

    Args:
        text: as it was typed.
        what: begins the sentence that refuses it, as in "A key's name".
        limit: characters that it may have.
        parameter: names it in the error.

    Raises:
        ValidationError: it is empty or too long, or has characters that cannot be seen.
    """
    folded = " ".join(text.split())
    if not folded.isprintable() or not 0 < len(folded) <= limit:
        raise ValidationError(
            f"{what} has 1 to {limit} characters and no control characters.", parameter=parameter
        )
    return folded
