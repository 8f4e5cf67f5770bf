"""Contexts of citing: the place of each provision, from which `section 106 of this title` is read."""

from assets.registry import CodeBody
from assets.selection.selection import Selection
from serving.contract.citations import CitingContext, parse
from serving.contract.citations.grammar import Grammar


def contexts_of(selection: Selection, grammar: Grammar) -> list[CitingContext | None]:
    """Return the context of each provision, by position; None where it has no relative citations to read.

    Court rules and acts that keep numbers of their own speak of themselves in other words than the code.
    """
    table = selection.provisions.select(["citation", "citable", "num"])
    bodies = [body.body for body in selection.bodies]
    of_position = selection.body_of_positions().tolist()
    return [
        _context(bodies[of_position[position]], citation, num or "", grammar) if citable else None
        for position, (citation, citable, num) in enumerate(
            zip(*(column.to_pylist() for column in table.columns), strict=True)
        )
    ]


def _context(body: CodeBody, citation: str, num: str, grammar: Grammar) -> CitingContext | None:
    read = parse(citation, grammar)
    if len(read) != 1 or read[0].scheme != body.key or read[0].act is not None:
        return None
    if read[0].num is None:  # an appendix: `this section` is none of the code's
        num = ""
    title, appendix = read[0].title, read[0].appendix
    enacted = title in body.enacted_titles and not appendix
    return CitingContext(body.key, title, num, appendix=appendix, implicit_title=enacted)
