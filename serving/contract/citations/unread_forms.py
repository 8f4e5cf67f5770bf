"""Known codes that are cited in a form which is not understood: listed as what they are, and never silent."""

import re

from serving.contract.citations.citation import SECTION, Citation, cite_unread
from serving.contract.citations.context import APPENDIX, CitedCode, numbers_after
from serving.contract.citations.grammar import CodeName
from serving.contract.citations.source import SourceText

_APPENDIX_AHEAD = re.compile(rf"{APPENDIX.pattern}(?= {{0,2}},?(?: {{0,2}})(?:§|sec|ch|tit|\d))")
_SIGNS = re.compile(r"§(?: ?§)?")


def cite_appendix(source: SourceText, code: CodeName, cited: CitedCode) -> Citation | None:
    """Return what is cited of an appendix that a code is not known to have: `24 V.S.A. app. § 4`."""
    if cited.scheme.appendix or cited.scheme.kind != SECTION:
        return None
    ahead = _APPENDIX_AHEAD.match(source.folded, cited.end)
    if ahead is None:
        return None
    numbers, _ = numbers_after(source, code.numbers, ahead.end())
    end = numbers.end if numbers else ahead.end()
    return cite_unread(source.original, cited.start, end, unread=cited.end, scheme=cited.scheme)


def cite_mark_alone(source: SourceText, cited: CitedCode) -> Citation | None:
    """Return what a section sign cites with no number that is understood: `Wis. Stat. § (Rule) 809.19`."""
    begin = source.behind_blanks(cited.end)
    signs = _SIGNS.match(source.folded, begin)
    if signs is None:
        return None
    return cite_unread(source.original, cited.start, signs.end(), unread=begin, scheme=cited.scheme)
