"""What the services say, in the words of the tables: the one place that knows both."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from serving.services.citations.drafts import check_draft
from serving.services.citations.resolution import Resolution
from serving.services.citations.resolve import resolve
from serving.services.quotations.drafts import check_quotations
from serving.services.quotations.verification import verify_quotes
from serving.services.quotations.verified_quotes import Quote, VerifiedQuote
from serving.snapshot.law import CitedLaw

_DASHES = str.maketrans("‐‑‒–—−", "------")
_CLASSES = {
    "negat": "negation",
    "modal": "modal",
    "number": "number",
    "omit": "omitted",
    "passed": "omitted",
    "gap": "omitted",
    "contin": "continues",
    "short": "too_short",
    "force": "not_in_force",
    "part": "other_part",
    "pin": "other_part",
}
"""Classes of warnings, by a word that stands in the service's own name of one."""


@dataclass(frozen=True, slots=True)
class Said:
    """Answer for one thing that a text names.

    Attributes:
        citation: of the provision, else as it was read; None where nothing was.
        pin: label as cited; None where no part was read.
        pin_found: one part alone bears the label.
        status: of the provision; None where there is none.
    """

    outcome: str
    citation: str | None
    pin: str | None
    pin_found: bool
    status: str | None

    @property
    def leads(self) -> bool:
        """True where the answer leads to a provision as the one that is cited."""
        return self.status is not None

    @property
    def is_confirmed(self) -> bool:
        """True where it says of nothing that is cited there that it does not exist."""
        return self.leads and self.outcome != "pin_not_found"


@dataclass(frozen=True, slots=True)
class SaidOfQuote:
    """Answer for one quotation; `stands_in`: citation of the provision that holds the words."""

    verdict: str
    warnings: frozenset[str]
    stands_in: str | None


def typed(law: CitedLaw, text: str) -> list[Said]:
    """Return what is said of a citation that is typed alone."""
    return list(_said(resolve(law, text)))


def in_text(law: CitedLaw, text: str) -> list[Said]:
    """Return what is said of the citations of a text."""
    return [said for one in check_draft(law, text).checked for said in _said(one.resolution)]


def quoted(law: CitedLaw, quote: str, citation: str) -> SaidOfQuote:
    """Return what is said of a quotation."""
    # Verification reads the law of a snapshot alone, and none of its indexes.
    (verified,) = verify_quotes(law, [Quote(quote, citation)])  # type: ignore[arg-type]  # law alone is read
    return _said_of_quote(verified)


def quoted_in_text(law: CitedLaw, text: str) -> dict[str, SaidOfQuote]:
    """Return what is said of the quotations that stand beside the citations of a text, by quotation."""
    # The same: of a snapshot it reads the law and the keyword index.
    checked = check_quotations(law, text, check_draft(law, text))  # type: ignore[arg-type]  # law and index alone
    return {plain(one.verified.quote.quote): _said_of_quote(one.verified) for one in checked.checked}


def plain(text: str) -> str:
    """Return a citation or quotation as two of them are compared."""
    return re.sub(r"\s+", " ", text.translate(_DASHES)).strip(" .,“”\"'").casefold()


def _said(resolution: Resolution) -> Iterator[Said]:
    if resolution.members:
        for member in resolution.members:
            yield from _said(member)
        return
    provision, pin = resolution.provision, resolution.pin
    yield Said(
        outcome=str(resolution.outcome),
        citation=resolution.citation if provision is None else provision.citation,
        pin=None if pin is None else pin.label,
        pin_found=pin is not None and pin.found,
        status=None if provision is None else provision.status,
    )


def _said_of_quote(verified: VerifiedQuote) -> SaidOfQuote:
    warnings = {of for name in verified.warnings for word, of in _CLASSES.items() if word in name}
    elsewhere = [one.provision for one in verified.elsewhere]
    holding = elsewhere[0] if elsewhere else verified.provision if verified.found is not None else None
    return SaidOfQuote(
        str(verified.outcome), frozenset(warnings), None if holding is None else holding.citation
    )
