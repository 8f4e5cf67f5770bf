"""Keys under which provisions are found as sections of the law that enacted them."""

from serving.contract.citations.keys import citation_key


def act_section_key(law: str, num: str) -> str:
    """Return the key of a section by a law's own numbering, such as of `Pub. L. 93-406, § 510`."""
    return citation_key(f"{law}, § {num}")
