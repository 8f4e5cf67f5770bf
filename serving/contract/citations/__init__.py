"""Reading and writing citations of law. Pure: all facts about codes and acts are passed in as data."""

from serving.contract.citations.citation import Citation
from serving.contract.citations.diagnosis import Unparsed
from serving.contract.citations.grammar import Grammar
from serving.contract.citations.parser import parse
from serving.contract.citations.pins import Part
from serving.contract.citations.relative import CitingContext, parse_within
from serving.contract.citations.scheme import (
    CitationDataError,
    CitationScheme,
    FixedTitle,
    PopularName,
    schemes_of_tables,
    with_others,
)
from serving.contract.citations.spelling import format_act_section, format_container, format_section
from serving.contract.citations.typed import read_one

__all__ = [
    "Citation",
    "CitationDataError",
    "CitationScheme",
    "CitingContext",
    "FixedTitle",
    "Grammar",
    "Part",
    "PopularName",
    "Unparsed",
    "format_act_section",
    "format_container",
    "format_section",
    "parse",
    "parse_within",
    "read_one",
    "schemes_of_tables",
    "with_others",
]
