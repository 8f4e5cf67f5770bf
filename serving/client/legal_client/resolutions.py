"""Resolutions of citations: the provision that a command is about, and the words that are printed of each."""

import argparse

from legal_client import calls, results
from legal_client.ids import is_id
from legal_client.metered_client import MeteredClient
from legal_client.printing import print_json, print_line


def find_node(
    client: MeteredClient, named: str, options: argparse.Namespace
) -> tuple[str, results.Resolution | None] | None:
    """Return the id of a node that is named by its id or by a citation, or say why there is none."""
    if is_id(named):
        return named, None
    resolving = calls.resolve([named])
    answer = client.fetch(resolving)
    found = resolving.parse(answer.body, answer.meta).results[0]
    if found.node_id is not None and found.pin_found is not False:
        return found.node_id, found
    if options.json:
        print_json(answer.body["results"][0])
    else:
        print_resolution(found)
    return None


def print_resolution(found: results.Resolution) -> None:
    """Print what a citation leads to, or what is known in place of it."""
    print_line(f"{found.input}: {found.outcome}" + (f"  {found.citation}" if found.citation else ""))
    if found.node_id:
        print_line(f"   {found.node_id}  {found.heading or ''}".rstrip())
    _print_missing_part(found)
    if found.offset is not None:
        print_line(f"   expected {found.expected} at character {found.offset}")
    for candidate in found.candidates:
        # An act has its own numbers: where it begins in the code is no answer to which section is meant.
        is_home = found.reason == "act_numbering" and candidate.node_id is None
        words = f"{candidate.act} begins at" if is_home else "may be"
        print_line(f"   {words} {candidate.citation or candidate.act}  {candidate.node_id or ''}".rstrip())
    if found.successor:
        print_line(f"   now {found.successor.citation}")
    if found.neighbours:
        for word, beside in (("after", found.neighbours.previous), ("before", found.neighbours.next)):
            if beside:
                print_line(f"   {word} {beside.citation}  {beside.heading}")
    for member in found.members:
        print_resolution(member)
    if found.member_count is not None and found.member_count > len(found.members):
        print_line(f"   {found.member_count - len(found.members):,} more")


def _print_missing_part(found: results.Resolution) -> None:
    if found.pin_found is not False:
        return
    places = ", ".join(f"{part.start} to {part.end}" for part in found.pin_candidates)
    parts = ", ".join(part.label or "" for part in found.pin_neighbours)
    if places:
        print_line(f"   {found.pin} stands at characters {places}")
    else:
        print_line(f"   no part {found.pin}; there " + (f"are {parts}" if parts else "is none"))
