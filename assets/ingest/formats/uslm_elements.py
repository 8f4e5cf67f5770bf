"""Elements of USLM: number and heading, text, and the period that attributes state."""

from datetime import date

from lxml import etree

from assets.ingest.formats import uslm_names as names
from assets.ingest.formats.uslm_text import ProvisionText, TextWalker, folded
from assets.ingest.model import NOT_STATED, Effective


def caption(element: etree._Element) -> tuple[str, str | None, str]:
    """Return a node's number as printed, its number, and its heading as printed."""
    number_element, heading_element = element.find("{*}num"), element.find("{*}heading")
    number_text = "" if number_element is None else folded(number_element)
    value = None if number_element is None else _value(number_element)
    heading = "" if heading_element is None else folded(heading_element)
    return number_text, names.clean_number(value, number_text), heading


def _value(number: etree._Element) -> str | None:
    """Return the number that the markup states; one that spans several has a first and a last."""
    start, end = number.get("startValue"), number.get("endValue")
    return f"{start} to {end}" if start and end else number.get("value")


def operative_text(element: etree._Element) -> ProvisionText:
    """Return the text of a node without its number and heading, whose footnotes stay."""
    walker = TextWalker()
    for child in element:
        if local_name(child) not in ("num", "heading"):
            walker.child(child)
        else:
            walker.footnotes_of(child)
    return walker.finish()


def local_name(element: etree._Element) -> str:
    """Return the name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


def effective(element: etree._Element) -> Effective:
    """Return the period that the attributes of an element state."""
    start, end = _date(element.get("startPeriod")), _date(element.get("endPeriod"))
    stated = {"startPeriod": start, "endPeriod": end}
    words = " ".join(f'{name}="{element.get(name)}"' for name, day in stated.items() if day is not None)
    return Effective(start, end, words) if words else NOT_STATED


def _date(value: str | None) -> date | None:
    try:
        return date.fromisoformat(value[:10]) if value else None
    except ValueError:
        return None
