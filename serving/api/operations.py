"""What the API charges for: the table of metered endpoints with their scopes and costs (`service.txt`)."""

from serving.metering.gate import Operation

_RESEARCH = ("search", "node", "browse", "gis")

SEARCH = Operation("search", ("search",), 1)
RESOLVE = Operation("resolve", ("search", "node"), 1)
NODE = Operation("node", ("node",), 1)
CODE_BODIES = Operation("code-bodies", ("browse",), 1)
BROWSE = Operation("browse", ("browse",), 1)
GIS = Operation("gis", ("gis",), 5)
GIS_AT = Operation("gis/at", ("gis",), 1)
COVERAGE = Operation("coverage", _RESEARCH, 1)
ME = Operation("me", (*_RESEARCH, "formation"), 1)
ORDER_STATUS = Operation("formation/status", ("formation",), 1)

ALL = (SEARCH, RESOLVE, NODE, CODE_BODIES, BROWSE, GIS, GIS_AT, COVERAGE, ME, ORDER_STATUS)
"""Every metered endpoint, in the order of the description."""
