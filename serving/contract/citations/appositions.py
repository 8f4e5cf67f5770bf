"""Words between a law, or its section, and the place in a code where it is found."""

import re

APPOSITION = re.compile(
    r"(?:\s\((?:(?:the|hereinafter|collectively),? ){0,2}[“\"][^()]{1,60}\))?(?:,?\sas\samended)?"
    r"(?:,\s{1,2}\(?|\s{1,2}\()(?:(?:as\s)?(?:codified|found|set\s(?:forth|out))(?:,?\sas\samended,?)?\s(?:at|in)\s"
    r"|now\s)?\Z"
)
"""Text between an act, or its section, and its place in a code: `ERISA § 502(a), 29 U.S.C. § 1132(a)`.

The act may be given a short name there: `the Federal Arbitration Act (“FAA”), 9 U.S.C. § 2`.
"""
