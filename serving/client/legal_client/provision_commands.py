"""The commands `node` and `cite` of `legal`: a provision to read, and its citation for a paper."""

import argparse
import json

from legal_client import calls, results
from legal_client.metered_client import MeteredClient
from legal_client.printing import print_block, print_json, print_line, remark
from legal_client.resolutions import find_node
from legal_client.showing import DONE, NOT_FOUND

_IN_FORCE = "in_force"
_WORDS = "bluebook"
_CSL_JSON = "csl-json"
_NOTE = "note"
"""Reason of a resolution: a note under the provision is cited."""
_FOOTNOTE = "footnote"
"""Topic of notes that are not cited as such."""


def node(client: MeteredClient, options: argparse.Namespace) -> int:
    """Print a provision, named by its id or by a citation."""
    named = find_node(client, options.node, options)
    if named is None:
        return NOT_FOUND
    node_id, pinned = named
    call = calls.node(node_id, proof=options.proof)
    answer = client.fetch(call)
    if options.json:
        print_json(answer.body)
        return DONE
    _print_node(call.parse(answer.body, answer.meta), pinned)
    remark(client.cost)
    return DONE


def cite(client: MeteredClient, options: argparse.Namespace) -> int:
    """Print citations of provisions for writers; nothing unless all of them are found."""
    named = [find_node(client, one, options) for one in options.node]
    found = [one for one in named if one is not None]
    if len(found) < len(named):
        return NOT_FOUND
    answers = [client.fetch(calls.cite(node_id, format=options.format)).body for node_id, _ in found]
    in_words = options.format == _WORDS
    if options.format == _CSL_JSON:
        print_json([entry for answer in answers for entry in json.loads(answer)])
    else:
        for answer, (_, cited) in zip(answers, found, strict=True):
            print_line((_with_part(answer, cited) if in_words else answer).rstrip("\n"))
    for _, cited in found:
        _remark_part(cited, is_entry=not in_words)
    remark(client.cost)
    return DONE


def _part(cited: results.Resolution | None) -> str:
    """Return what a citation names in its provision, or beyond it: `(c)(2)`, ` note`, ` et seq.`; or ""."""
    if cited is None or cited.citation is None or cited.node_citation is None:
        return ""
    whole = cited.citation.startswith(cited.node_citation)
    return cited.citation[len(cited.node_citation) :] if whole else ""


def _with_part(words: str, cited: results.Resolution | None) -> str:
    """Return the words that cite a provision with the part that is cited, behind its number."""
    part = _part(cited)
    number = cited.node_citation if cited is not None and cited.node_citation is not None else ""
    return f"{number}{part}{words[len(number) :]}" if part and words.startswith(number) else words


def _remark_part(cited: results.Resolution | None, *, is_entry: bool) -> None:
    """Say what a writer has to know of the part that is cited: an entry of a bibliography names none."""
    part = _part(cited)
    if cited is None or not part:
        return
    if is_entry:
        remark(f"The entry is of {cited.node_citation}; give {part.strip()} where you cite it.")
    if cited.pin_status not in (None, _IN_FORCE):
        remark(f"{cited.citation} is {cited.pin_status}.")


def _print_node(found: results.Node, pinned: results.Resolution | None) -> None:
    print_line(f"{found.citation}  {found.heading}")
    print_line(" > ".join(found.breadcrumb))
    _print_standing(found)
    print_line()
    _print_text(found, pinned)
    if found.provenance is not None:
        print_line()
        through = f", current through {found.current_through}" if found.current_through else ""
        print_line(f"Source: {found.provenance.publisher}, {found.provenance.file}{through}")
    if found.stale_since is not None:
        print_line(f"An earlier text: it could not be updated from the edition of {found.stale_since}.")


def _print_standing(found: results.Node) -> None:
    """Print what to know of a provision before its text is relied on."""
    if found.status not in (None, _IN_FORCE):
        print_line(f"Status: {found.status}")
    if found.successor is not None:
        print_line(f"Its source names a new place for it: {found.successor.citation}")
    for other in found.duplicate_of:
        print_line(f"Another provision bears this number too: {other}")
    if found.effective is not None:
        days = (("from", found.effective.from_), ("until", found.effective.until))
        stated = " ".join(f"{word} {day}" for word, day in days if day is not None)
        print_line(f"Effective {stated}. The source: {found.effective.words or 'no words kept'}")


def _print_text(found: results.Node, pinned: results.Resolution | None) -> None:
    """Print the text, the part of it that is pinned, or the notes where these are cited."""
    if found.child_count and not found.text and found.code_body is not None:
        print_line(f"No text of its own; {found.child_count:,} provisions stand in it. To list them:")
        print_line(f"  legal browse {found.code_body.id} --parent {found.id}")
    elif pinned is not None and pinned.reason == _NOTE:
        _print_notes(found)
    elif pinned is None or pinned.span is None:
        print_block(found.text)
    else:
        for words in pinned.lead_in:
            print_block(f"[{found.text[words.start : words.end]}]")
        print_block(found.text[pinned.span.start : pinned.span.end])


def _print_notes(found: results.Node) -> None:
    """Print the notes under a provision, which were cited in place of its text."""
    for note in found.notes:
        if note.topic != _FOOTNOTE:
            print_line(f"Note: {note.heading or note.topic}")
            print_block(note.text)
            print_line()
