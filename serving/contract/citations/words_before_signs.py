"""Words right before a bare section sign: whether they lead to it, or name a document that owns it."""

import re

_WINDOW = 80
_BEGINNING = re.compile(r"(?:\A|[.;:?!(\[—“\"\n])\s*\Z")
"""Text behind which a sentence, a clause or an aside begins."""
_LEADING = re.compile(
    r"\b(?:see|cf\.|under|by|in|of|to|on|with|from|into|within|and|or|but|nor|than|as|that|both|between|beyond"
    r"|before|after|during|without|upon|while|whereas|unlike|like|per|also|compare|contra|accord|against|for"
    r"|because|since|if|when|where|whether|how|why|what|which|though|although|through|via|only|neither|either"
    r"|even|not|the|this|that|these|those|each|every|any|no|is|are|was|were|does|do|did|has|have|had|can|may"
    r"|must|should|would|(?-i:violat\w+|cit(?:e|es|ed|ing)|quot\w+|invok\w+|appl\w+|read|requires?|satisf\w+))\s*\Z",
    re.IGNORECASE,
)
"""Words of a sentence that lead to a section sign, also in capitals: no document is called so."""
_PARTY = re.compile(
    r"(?<![\w.])(?:Plaintiff|Defendant|Petitioner|Respondent|Appell(?:ant|ee)|Claimant|Complainant|Movant|Court"
    r"|Congress|Government|Debtor|Creditor|Trustee|Copyright (?:Holder|Owner)|Relator|Intervenor)"
    r"(?:[’']s|s[’']|[’'])\s*\Z"
)
"""One of the trial, whose motion it is: `Plaintiff's § 505 motion`; `Nimmer's § 504` is of a book."""
_ARTICLE = re.compile(r"\bAn?\s*\Z")
"""An article that begins a sentence, `A § 1201 claim`; a letter elsewhere, as in `Appendix A § 5`."""
_ADVERB = re.compile(
    r"\b(?:First|Second|Third|Fourth|Fifth|Sixth|Last|Next|Then|Thus|However|Moreover|Further|Furthermore|Finally"
    r"|Therefore|Hence|Here|Indeed|Also|Again|Now|Still|Instead|Likewise|Otherwise|Nonetheless|Nevertheless"
    r"|Meanwhile|Besides|Rather|True|Yet|See(?: also)?|(?:According|Additional|Alternative|Clear|Consequent"
    r"|Converse|Final|General|Important|Initial|Last|Notab|Particular|Plain|Relevant|Second|Separate|Significant"
    r"|Similar|Specifical|Subsequent|Ultimate)ly)\s*\Z"
)
"""An adverb that begins a sentence before a comma: `Second, § 107 limits them`."""
_SIGNAL = re.compile(r"\b(?:cf|e\.g|i\.e)\.,?\s*\Z", re.IGNORECASE)
_ORDINARY = re.compile(r"(?<![\w.’'-])[a-z]{2,}(?:[’']s|s[’'])?\s*\Z")
_OF_ANOTHER = re.compile(
    r"\b(?:former|old|prior|previous|earlier|original|proposed|draft|model|uniform|state|local|foreign|municipal"
    r"|repealed|superseded|its|whose|there|equivalent|counterpart|analogue?|version|predecessor|successor)\s*\Z"
)
"""Word for the law of another time or place: `the proposed § 504`, `the Ohio equivalent, § 504`."""
_DOCUMENT = re.compile(
    r"\b(?:"
    r"act|addendum|affidavit|agreement|amendment|annex|answer|appendix|article|attachment"
    r"|award|bill|book|booklet|brief|bulletin|bylaw|by-law|chapter|charter|circular|code"
    r"|comment|commentar(?:y|ies)|compact|compendium|complaint|consent|constitution|contract"
    r"|convention|covenant|decision|declaration|decree|deed|digest|directive|doctrine|document"
    r"|edition|exhibit|form|guide|guideline|guidance|handbook|indenture|instruction|instrument"
    r"|judgment|law|lease|legislation|letter|licence|license|manual|memo|memorandum|minutes"
    r"|mortgage|motion|note|notice|opinion|order|ordinance|pact|page|paper|permit"
    r"|petition|plan|polic(?:y|ies)|practice|preamble|procedure|proposal|prospectus|protocol"
    r"|provision|publication|record|regulation|release|report|resolution|restatement|rider|rule"
    r"|ruling|schedule|settlement|standard|statement|statute|stipulation|subchapter|subpart"
    r"|subtitle|supplement|supra|term|testimon(?:y|ies)|text|textbook|title|transcript"
    r"|treatise|treat(?:y|ies)|trust|volume|warrant(?:y|ies)|will"
    r")(?:e?s)?(?:[’']s?)?\s*\Z"
)
"""Name of a document, or of a part of one, right before its own sections: `the handbook, § 504`."""
_TITLED = re.compile(
    r"(?<![\w.])(?!(?:Because|In|As|Out|Instead|Regardless|Under|By|On|At|For|With|One|Some|Each|All|Most) )"
    r"[A-Z][\w’'&-]* (?:of|on|for) (?:[a-z]+ ){0,3}[a-z]+\s*\Z"
)
"""Name of a book that goes on in small letters: `Nimmer on copyright, § 504`."""
_SHORTENED = (
    r"(?<![\w'’])(?:[b-df-hj-np-tv-xz]+"
    r"|(?:ad)?dend|agmt|aff|amend|ann|ans|app|art|attach|br|compl|con|conv|contr|cl|decl|def|dep|ed|exh?|ind|lic"
    r"|mem|mot|opp|op|ord|para|perm|pol|prac|proc|prov|reg|regs|repl|reply|res|restat|rev|rul|sched|stat|stats"
    r"|stip|subd|supp|test|treat)"
)
_ABBREVIATED = re.compile(rf"(?:(?<![\w.])[A-Z][\w'’]*\.?|[\w'’]\.[\w'’]+\.?|\.\s?[A-Z]|{_SHORTENED})\.\s*\Z")
"""Abbreviation that ends in a period: `Compl.`, `D.G.C.L.`, `agmt.`; a capitalised word may be one."""
_CALLED = re.compile(r"(?:\b[A-Z]{2,}|(?<![\w.])[A-Z][\w'’]*\.|\.\s?[A-Z]\.)\s*[(\[:—]\s*\Z")
"""Initials, or an abbreviation, before a bracket: `MPEP (§ 504)`."""
_WITHOUT_PERIOD = re.compile(rf"{_SHORTENED}\s*\Z")
"""The same in small letters without its period: `agmt § 504`."""


def stands_behind_name(text: str, position: int) -> bool:
    """Return True where the section sign at a position may be that of a document named right before it.

    It is not where a sentence or clause begins with the sign, or where words of a sentence lead to it.
    The period of an abbreviation ends no sentence.
    """
    before = text[max(0, position - _WINDOW) : position]
    if _SIGNAL.search(before):
        return False
    if _BEGINNING.search(before):
        return _CALLED.search(before) is not None or _ABBREVIATED.search(before) is not None
    clause = before.rstrip()
    if clause.endswith(","):
        return not _ends_clause(clause[:-1])
    if _LEADING.search(before) or _PARTY.search(before):
        return False
    article = _ARTICLE.search(before)
    if article:
        return not _begins_sentence(before[: article.start()])
    return not _is_ordinary(before)


def _ends_clause(before: str) -> bool:
    """Return True for text before a comma that ends in an adverb, or in the words of a clause."""
    adverb = _ADVERB.search(before)
    if adverb:
        return _begins_sentence(before[: adverb.start()])
    return _is_ordinary(before)


def _begins_sentence(before: str) -> bool:
    """Return True where a sentence begins behind a text, which no abbreviation ends."""
    return _BEGINNING.search(before) is not None and _ABBREVIATED.search(before) is None


def _is_ordinary(before: str) -> bool:
    """Return True for text that ends in a word in small letters that names no document."""
    return (
        _ORDINARY.search(before) is not None
        and _OF_ANOTHER.search(before) is None
        and _DOCUMENT.search(before) is None
        and _TITLED.search(before) is None
        and _WITHOUT_PERIOD.search(before) is None
    )
