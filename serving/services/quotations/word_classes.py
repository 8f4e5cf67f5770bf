"""Classes of words that decide what a sentence says: what negates, limits, commands, allows or counts."""

import re
from enum import StrEnum


class WordClass(StrEnum):
    """A class of words without which, or with others in their place, a sentence says something else."""

    NEGATION = "negation"
    EXCEPTION = "exception"
    CONDITION = "condition"
    MODAL = "modal"
    NUMBER = "number"


_NEGATIONS = (
    r"no(?!\. ?\d)|not|none|nor|neither|never|nothing|nobody|nowhere|without|cannot|unlawful|illegal"
    "|prohibit(?:s|ed|ing)?|forb(?:id|ids|ade|idden|idding)"
)
_WASTE = (
    r"[,;.]|(?:and|or other|or garbage|or rubbish|or trash|or waste|or litter|or debris)\b"
    r"|(?:bin|can|collect|contain|dispos|haul|mat(?:ter|erial)|recept|remov|serv|truck|vehicle|visible)"
)
"""Words behind `refuse` where that is waste, and nobody refuses anything."""
_REFUSALS = (
    r"fail(?:s|ed|ing|ures?)?|refus(?:es|ed|ing|als?)"
    rf"|(?<!\bof )(?<!\bfrom )(?<!\bother )refuse(?!\s*(?:{_WASTE}))"
    r"|declin(?:e|es|ed|ing)(?! (?:in|of)\b)|neglect(?:s|ed|ing)?(?= to\b| or\b)|refrain(?:s|ed|ing)?"
    r"|den(?:y|ies|ied|ying|ials?)|prohibitions?"
)
"""Verbs of refusal and failure, and their nouns: they negate what they govern, and a sentence no further."""
_EXCEPTIONS = (
    r"unless|except\w*|excluding|exclusive of|other than|but|only|save|provided,? (?:that|further|however)"
)
_OTHER_LAW = (
    r"(?:(?:all|any|applicable|of|other|provisions?|requirements?|terms?|the) )*(?:§|appropriations?|laws?"
    r"|(?:sub)?sections?|(?:sub)?paragraphs?|(?:this|such) (?:act|chapter|part|title))"
)
_CONDITIONS = (
    r"(?<!\bas )if(?! any\b)|(?:so|as) long as|to the extent|until|in the event|on condition"
    rf"|subject to(?! {_OTHER_LAW}\b)"
)
MODALS = r"shall|may(?! \d)|must|should|will|would|can|cannot|could|might|ought"
_CARDINALS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen"
    "|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion"
    "|half|third|thirds|quarter|quarters|once|twice|double|treble|triple|dozen"
)
_FIGURES = rf"\b(?:{_CARDINALS})\b|[¼½¾⅐-⅞]|(?<![^\W_])[^\W_]*\d[\w.,/]*"
_PATTERNS = {
    WordClass.NEGATION: re.compile(rf"\b(?:{_NEGATIONS})\b|n[’']t\b", re.IGNORECASE),
    WordClass.EXCEPTION: re.compile(rf"\b(?:{_EXCEPTIONS})\b", re.IGNORECASE),
    WordClass.CONDITION: re.compile(rf"\b(?:{_CONDITIONS})\b", re.IGNORECASE),
    WordClass.MODAL: re.compile(rf"\b(?:{MODALS})\b", re.IGNORECASE),
    WordClass.NUMBER: re.compile(rf"\b(?:{_CARDINALS})\b|[¼½¾⅐-⅞]|\d", re.IGNORECASE),
}
DESIGNATOR = r"(?:\((?:[0-9A-Za-z]{1,5}|(?=[^()]*[A-Za-z])[0-9A-Za-z]{1,4}-[0-9A-Za-z]{1,4})\))+"
"""Pattern of the label of a part: `(2)`, `(a)(1)`, `(b-2)`."""
_DESIGNATOR = re.compile(DESIGNATOR)
_REFUSED = re.compile(
    rf"\b(?:{_REFUSALS})\b[^,;:—]*(?:,[^,;:—]*,[^,;:—]*\bto)?\s*$",
    re.IGNORECASE,
)
"""A refusal that goes on in what stands behind: `fails, without good cause, to`. A comma ends it."""
_VERB_FIRST = re.compile(
    r"\s*(?:is|are|be|being|been|was|were|shall|may|must|should|will|has|have|had|of)\b", re.IGNORECASE
)
"""Verb whose subject stands before it, or `of`: a refusal there is a noun, and refuses nothing behind it."""
_REFUSAL_FIRST = re.compile(rf"\s*(?:{_REFUSALS})\b", re.IGNORECASE)
_EXCLUDED = re.compile(
    r"\b(?:exempt(?:s|ed)?|exclud(?:e|es|ed)|excused|ineligible|disqualif(?:y|ies|ied)|barred)\b",
    re.IGNORECASE,
)
_REFUSED_NEXT = re.compile(rf"\b(?:{_REFUSALS})(?: or \w+)?(?: to)?\s*$", re.IGNORECASE)
_COMPARED = (
    r"(?:more|less|fewer|greater|higher|lower|larger|smaller|longer|shorter|later|earlier|sooner|older"
    r"|younger)"
)
_BOUNDS = (
    rf"{_COMPARED} than|at (?:the )?(?:least|most)|exceed(?:s|ed|ing)?|in excess of|up to|minimum|maximum"
    r"|within|before|after|prior to|subsequent to|until|since|by|over|under|above|below|beyond"
)
_MEASURES = (
    r"(?:(?:a|an|the|any|each|such|of|about|approximately|equal|to|age|amount|date|day|fine|period|rate|sum|term"
    r"|total)\W+)*"
)
"""Words that may stand between a bound and its figure: `within a period of 60 days`."""
_MONTHS = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)(?= \d)"
_ENDS_IN_BOUND = re.compile(rf"\b(?P<bound>{_BOUNDS})\W+{_MEASURES}$", re.IGNORECASE)
_FIGURE_FIRST = re.compile(rf"\W*{_MEASURES}(?!\d+ [A-Z]\.)(?:{_FIGURES}|\b{_MONTHS})", re.IGNORECASE)
"""A figure that begins a text, and is no volume of a citation: `28 U.S.C. § 1746`."""
_ENDS_IN_COMPARED = re.compile(rf"\b{_COMPARED}\W*$", re.IGNORECASE)
_THAN_FIRST = re.compile(r"\W*than\b", re.IGNORECASE)
_FIGURE_LAST = re.compile(rf"(?:{_FIGURES})(?:\W+\w+){{0,4}}\W*$", re.IGNORECASE)
_BOUND_BEHIND = re.compile(
    rf"\W*(?:or|and|but) (?:{_COMPARED}\b(?! than\b)|(?:over|under|above|below)\b(?!\W*(?:{_FIGURES})))",
    re.IGNORECASE,
)
"""A bound behind its figure: `15 or more employees`."""
_NEAR = 60
"""Characters beside what is passed over in which a bound and its figure stand."""
_OF_OTHER_LAW = re.compile(
    r"(?:§+|\b(?:sections?|subsections?|chapters?|subchapters?|titles?|(?:sub)?parts?|(?:sub)?paragraphs?|articles?|rules?"
    r"|clauses?|divisions?|Stat\.|U\.S\.C\.|No\.|(?:Pub\.|Public) L(?:aw|\.)|Act of \w+))"
    r"\s*\d[\w.:–-]*(?:(?:,|,? (?:and|or|to|through))\s*\d[\w.:–-]*)*",
    re.IGNORECASE,
)
"""Numbers of provisions, which are no figures: `sections 106 and 106A`."""
_SAYS_NOTHING = re.compile(
    r"\b(?:but )?(?:is |are )?not limited to\b|\bwhether or not\b|\bwithout limitation\b"
    r"|\bnotwithstanding\b[^,;:.]*"
    r"|\b(?:any |either )?one (?:or (?:both|more)|of)\b",
    re.IGNORECASE,
)
"""Words of a class that turn no sentence. What holds in spite of something holds without it as well."""
_OF_A_NOUN = re.compile(r"(?:,\s*)?\b(?:who|which|whose|that|as)\b[^;:.]*,?", re.IGNORECASE)
"""A clause that says more of the noun before it: its modal is none of the sentence's."""
_AS_IT_MAY = re.compile(r"\bas (?:[a-z]+ ){1,4}may\b", re.IGNORECASE)
"""Modal of a clause of manner: `on such terms as it may deem reasonable`."""
_EXAMPLES = re.compile(
    r",?\s*(?:including|such as)\b(?!.*\b(?:shall|may|must|should|will|would)\b).*", re.IGNORECASE | re.DOTALL
)
"""Words that add to what is said, and limit it no more than they command."""
_FIRST_WORD = re.compile(r"\W*[\w’'$%.,/½¼¾⅓⅔-]+")
_BOUNDED = re.compile(rf"\b(?:{_BOUNDS})\W+{_MEASURES}(?:{_FIGURES}|{_MONTHS})", re.IGNORECASE)
_COUNTED = re.compile(
    r"\W*(?:calendar |business |working )?(?:acres?|cents?|days?|dollars?|feet|foot|hours?|inch(?:es)?"
    r"|members?|miles?|minutes?|months?|per ?cent(?:um)?|persons?|pounds?|square|votes?|weeks?|years?)\b",
    re.IGNORECASE,
)
"""Words that a figure before them counts."""
_FIGURE_AT_END = re.compile(rf"(?:{_FIGURES})\W*$", re.IGNORECASE)

LITTLE_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an and any are as at be been being by for from had has have he her him his i if in into is it its "
        "of on or our she so such that the their them then there these they this those to under upon was we "
        "were what when where which who with you your",
    )
)
"""Words that tell nothing alone: articles, pronouns, prepositions and the like."""
_LEAST_WORDS = 3
_LEAST_TELLING = 2
_LEAST_OF_NAME = 3
"""For `the District of Columbia`: a name alone says nothing."""


def classes_in(text: str) -> set[WordClass]:
    """Return the classes of the words of a text; designators such as `(1)` are no numbers."""
    plain = _DESIGNATOR.sub(" ", text)
    return {kind for kind, pattern in _PATTERNS.items() if pattern.search(plain)}


def turns_sense(passed_over: str, *, before: str = "", behind: str = "") -> bool:
    """Return True where words that are passed over within a sentence turn what it says.

    A negation, an exception and a condition do wherever they stand among them, unless they are of an example,
    and so does a modal outside of a clause that says more of a noun. A figure does that is a bound, or that
    counts what is quoted beside it, and the bound of a figure that stays. So does a refusal of what is quoted
    behind it. Numbers of provisions are no figures.

    Args:
        passed_over: the words.
        before: what is quoted before them.
        behind: what is quoted behind them.
    """
    plain = _DESIGNATOR.sub(" ", passed_over)
    if _strips_bound(plain, before[-_NEAR:], behind[:_NEAR]):
        return True
    is_subject = _VERB_FIRST.match(behind) and not plain.rstrip().endswith(" to")
    if behind and omits_refusal(plain) and not (is_subject or _REFUSAL_FIRST.match(behind)):
        return True
    plain = _SAYS_NOTHING.sub(" ", _OF_OTHER_LAW.sub("section", plain)).strip()
    classes = classes_in(plain)
    if WordClass.EXCEPTION in classes or (WordClass.NUMBER in classes and _limits(plain, behind)):
        return True
    if _EXAMPLES.fullmatch(plain):
        return False
    if classes & {WordClass.NEGATION, WordClass.CONDITION}:
        return True
    if WordClass.MODAL not in classes or _OF_A_NOUN.fullmatch(plain):
        return False
    return WordClass.MODAL in classes_in(_AS_IT_MAY.sub(" ", plain))


def _limits(passed_over: str, behind: str) -> bool:
    """Return True where a figure that is passed over is a bound, or counts what is quoted beside it."""
    first = _FIRST_WORD.match(passed_over)
    if first is not None and WordClass.NUMBER in classes_in(first.group()):
        return True
    if _COUNTED.match(behind) and _FIGURE_AT_END.search(passed_over):
        return True
    return _BOUNDED.search(passed_over) is not None


def omits_refusal(passed_over: str) -> bool:
    """Return True where words end in a refusal or failure of what stands behind them: `in refusing to`."""
    return _REFUSED.search(passed_over) is not None


def has_exclusion_before(before: str) -> bool:
    """Return True where a sentence excludes what it goes on to say: `There shall be exempt from the tax:`."""
    return _EXCLUDED.search(before) is not None


def has_refusal_before(before: str) -> bool:
    """Return True where the words before a quotation refuse, or fail to do, what its first word says."""
    return _REFUSED_NEXT.search(before) is not None


def _strips_bound(passed_over: str, before: str, behind: str) -> bool:
    """Return True where a figure that is quoted loses its bound, or a part of it: `more than` of `$1,000`."""
    if not passed_over.strip():
        return False
    bound = _ENDS_IN_BOUND.search(f"{before}{passed_over} ")
    is_passed_over = bound is not None and bound.end("bound") > len(before)
    if is_passed_over and _FIGURE_FIRST.match(_DESIGNATOR.sub(" ", behind)):
        return True
    if _ENDS_IN_COMPARED.search(passed_over) and _THAN_FIRST.match(behind):
        return True
    return _BOUND_BEHIND.match(passed_over) is not None and _FIGURE_LAST.search(before) is not None


def is_too_short(quote: str) -> bool:
    """Return True where a quotation's words stand almost anywhere, so that finding them proves nothing."""
    words = re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", quote.casefold())
    telling = [
        word
        for word in words
        if word not in LITTLE_WORDS and not classes_in(word) & {WordClass.MODAL, WordClass.NEGATION}
    ]
    least = _LEAST_OF_NAME if is_name(quote) else _LEAST_TELLING
    return len(words) < _LEAST_WORDS or len(telling) < least


def is_name(quote: str) -> bool:
    """Return True where all words but little ones have capitals, as in the name of an act."""
    words = [word for word in re.findall(r"[^\W\d_][\w’'-]*", quote) if word.casefold() not in LITTLE_WORDS]
    return bool(words) and all(word[0].isupper() for word in words)
