"""The rule that a link must obey, judged from the law's own words and not from how the link was found."""

import re

from assets.registry import Layer
from assets.zoning.codes import CODE, DISTRICT, END, START, code_key, is_bare_letter, name_key
from assets.zoning.links import Basis, Link
from assets.zoning.ordinance import Ordinance

_DISTRICT = re.compile(rf"\b{DISTRICT}")


def breach_of(link: Link, layer: Layer, ordinance: Ordinance) -> str | None:
    """Return how a link breaks the rule, or None.

    A link must lead to a live provision whose heading, or words in it, name the district by its code beside
    the word district or zone, or whose heading is the zone's name; or a reviewed alias must say so. A bare
    letter needs that word in the very quote.
    """
    if link.node is None:
        return None if link.reason else "is a placeholder without a reason."
    if ordinance.get(link.node.node_id) is None:
        return f"leads to {link.node.identifier}, which is no live provision."
    if link.basis is Basis.ALIAS:
        alias = layer.alias_of(link.code)
        if alias is not None and alias.identifier == link.node.identifier:
            return None
        return "rests on no alias of the registry."
    return _breach_of_quote(link, ordinance)


def _breach_of_quote(link: Link, ordinance: Ordinance) -> str | None:
    node, witness, quote = link.node, link.witness, " ".join(link.quote.split())
    if node is None or witness is None or not quote:
        return "rests on no words of the law."
    above = list(ordinance.ancestors(witness))
    if node is not witness and node not in above:
        return f"quotes {witness.label}, which is no part of {node.label}."
    if quote not in " ".join(witness.heading.split()) and quote not in " ".join(witness.text.split()):
        return f"quotes words that {witness.label} does not hold: “{quote}”"
    if not names_code(quote, link.code) and not (link.basis is Basis.NAME and _spells(quote, link.code)):
        return f"quotes words without the code: “{quote}”"
    if _DISTRICT.search(quote):
        return None
    around = " ".join(holder.heading for holder in (witness, *above))
    if is_bare_letter(link.code) or not (_DISTRICT.search(around) or ordinance.is_zoning(witness)):
        return f"quotes words that speak of no district: “{quote}”"
    return None


def names_code(words: str, code: str) -> bool:
    """Tell whether words hold a code as a word by itself, in any of its spellings."""
    inner = re.compile(rf"(?<![\w'’]){CODE}{END}")
    found = {*re.findall(rf"{START}{CODE}{END}", words), *inner.findall(words)}
    return code_key(code) in {code_key(token) for token in found}


def _spells(words: str, code: str) -> bool:
    """Tell whether a heading is the zone's name, or begins each of its words with a part of the code."""
    head = name_key(re.split(r"[—–:]", words)[0])
    parts, spelled = re.split(r"[-/ ]", code.lower()), head.split()
    same = len(parts) == len(spelled) and all(
        word.startswith(part) for part, word in zip(parts, spelled, strict=True)
    )
    return same or name_key(code) in {head, name_key(words)}
