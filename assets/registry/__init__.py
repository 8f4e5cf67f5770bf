"""The registries: what is covered, as reviewed entries, and how its law is cited."""

from assets.registry.citing import Citing, load_citing
from assets.registry.code_bodies import CodeBody, OwnName
from assets.registry.connectors import ADDRESSES, SIGNED, ConnectorEntry, SignedBy
from assets.registry.jurisdictions import ListedJurisdiction
from assets.registry.labels import STYLES, LabelScheme
from assets.registry.layers import Layer, SectionTable
from assets.registry.markup import Markup
from assets.registry.registry import Registry, load_registry
from assets.registry.reviewed_acts import ReviewedAct, reviewed_acts

__all__ = [
    "ADDRESSES",
    "SIGNED",
    "STYLES",
    "Citing",
    "CodeBody",
    "ConnectorEntry",
    "LabelScheme",
    "Layer",
    "ListedJurisdiction",
    "Markup",
    "OwnName",
    "Registry",
    "ReviewedAct",
    "SectionTable",
    "SignedBy",
    "load_citing",
    "load_registry",
    "reviewed_acts",
]
