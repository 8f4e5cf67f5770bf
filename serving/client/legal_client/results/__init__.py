"""Answers of the API as frozen records, named in the words of the API; one module for each resource.

Every answer has `meta`, which tells its cost and the snapshot of the law that it was read from.
"""

from legal_client.results.account import Account, Allotment, LedgerEntry, RateLimit, UpgradeOption
from legal_client.results.changes import (
    Change,
    ChangedSide,
    ChangesPage,
    ComparedBody,
    Edition,
    NodeHistory,
    NodeState,
    PublishedChange,
    SnapshotStamp,
    Words,
)
from legal_client.results.citations import (
    Candidate,
    Neighbours,
    PinSpan,
    Provision,
    Resolution,
    Resolutions,
    Successor,
)
from legal_client.results.citing import CitingProvision, CitingProvisions
from legal_client.results.code_bodies import BrowseNode, Children, CodeBodies, CodeBody
from legal_client.results.corrections import Correction, Corrections
from legal_client.results.coverage import Coverage, CoveredCode, Freshness, Jurisdiction, StaleTitle
from legal_client.results.downloads import CodeBodyDownloads, DataPackage, Download, Downloads
from legal_client.results.formation import (
    Comparison,
    Criterion,
    Fact,
    FoundingOffer,
    Office,
    Order,
    OrderStage,
    Price,
    PriceItem,
    Prices,
    PriceTotal,
    Provider,
    Rubric,
)
from legal_client.results.meta import Meta
from legal_client.results.nodes import Ancestor, CodeBodyName, Node, Note, OutlineEntry, Provenance, Reference
from legal_client.results.search import FacetCount, Facets, Match, SearchItem, SearchPage, Span
from legal_client.results.snapshots import RetainedBody, RetainedSnapshot, RetainedSnapshots
from legal_client.results.zoning import GisLayer, Location, ZoneAtPoint

__all__ = [
    "Account",
    "Allotment",
    "Ancestor",
    "BrowseNode",
    "Candidate",
    "Change",
    "ChangedSide",
    "ChangesPage",
    "Children",
    "CitingProvision",
    "CitingProvisions",
    "CodeBodies",
    "CodeBody",
    "CodeBodyDownloads",
    "CodeBodyName",
    "ComparedBody",
    "Comparison",
    "Correction",
    "Corrections",
    "Coverage",
    "CoveredCode",
    "Criterion",
    "DataPackage",
    "Download",
    "Downloads",
    "Edition",
    "FacetCount",
    "Facets",
    "Fact",
    "FoundingOffer",
    "Freshness",
    "GisLayer",
    "Jurisdiction",
    "LedgerEntry",
    "Location",
    "Match",
    "Meta",
    "Neighbours",
    "Node",
    "NodeHistory",
    "NodeState",
    "Note",
    "Office",
    "Order",
    "OrderStage",
    "OutlineEntry",
    "PinSpan",
    "Price",
    "PriceItem",
    "PriceTotal",
    "Prices",
    "Provenance",
    "Provider",
    "Provision",
    "PublishedChange",
    "RateLimit",
    "Reference",
    "Resolution",
    "Resolutions",
    "RetainedBody",
    "RetainedSnapshot",
    "RetainedSnapshots",
    "Rubric",
    "SearchItem",
    "SearchPage",
    "SnapshotStamp",
    "Span",
    "StaleTitle",
    "Successor",
    "UpgradeOption",
    "Words",
    "ZoneAtPoint",
]
