"""Words for documents, which may have sections of their own: `the lease`, `an order`, `his will`."""

import re

_DOCUMENT = re.compile(
    r"\b(?:(?-i:Act)|lease|agreement|policy|treat(?:y|ise)|convention|constitution|by-?laws|ordinance"
    r"|regulations?|restatement|guidelines?|manual|deed|resolution|rules?|complaint)\b",
    re.IGNORECASE,
)
"""Word that means a document wherever it stands."""
_VERB_OR_NOUN = re.compile(
    r"(?P<before>\b(?:pursuant|according|subject|due|contrary|prior|respect|regard|part(?:y|ies)) to "
    r"|\b\w+ (?:not )?)?\b"
    r"(?P<word>contract|charter|trust|bill|plan|order|brief|report|permit|license)\b(?P<object> \w)?",
    re.IGNORECASE,
)
_BEFORE_VERB = re.compile(
    r"(?:to|may|might|will|would|shall|should|must|can|cannot|could|do|does|did|not|we|they|courts?|judges) "
    r"(?:not )?",
    re.IGNORECASE,
)
"""Word that makes a verb of the next: `may order fees`, `to permit suit`."""
_IN_ORDER = re.compile(r"\bin order (?:to|that|for)\b", re.IGNORECASE)
_WILL = re.compile(
    r"\b(?:(?i:the|a|an|his|her|their|my|your|our|last|first|second|new|joint)|\w+['’]s?) will\b"
    r"|(?<![.?!] )(?<!\A)\bWill\b",
)
"""The document, by the article or owner before it; `will` is a verb elsewhere."""


def names_document(text: str) -> bool:
    """Return True where a text has a word for a document: a noun, and not `will award` or `in order to`."""
    if _DOCUMENT.search(text) or _WILL.search(text):
        return True
    plain = _IN_ORDER.sub("", text)
    return any(
        not (match["before"] and match["object"] and _BEFORE_VERB.fullmatch(match["before"]))
        for match in _VERB_OR_NOUN.finditer(plain)
    )
