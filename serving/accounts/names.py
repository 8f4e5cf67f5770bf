"""Names that people type: of keys, of companies, of reasons for a grant."""

from serving.contract.errors import ValidationError


def clean_name(text: str, *, what: str, limit: int, parameter: str) -> str:
    """Return the name with its white space folded.

    Args:
        text: the name as it was typed.
        what: beginning of the error message, such as "A key's name".
        limit: characters that it may have.
        parameter: name of the parameter in the error.

    Raises:
        ValidationError: it is empty or too long, or has invisible characters.
    """
    folded = " ".join(text.split())
    if not folded.isprintable() or not 0 < len(folded) <= limit:
        raise ValidationError(
            f"{what} has 1 to {limit} characters and no control characters.", parameter=parameter
        )
    return folded
