"""The command `verify` of `legal`: it asks no service, and needs no key."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from legal_client.client import Client
from legal_client.connection import MisusedError
from legal_client.printing import print_json, print_line
from legal_client.proofs import MalformedProofError, node_faults, source_faults, text_lost
from legal_client.showing import DONE

REFUTED = 7
"""Exit status: what was checked is not what it claims to be."""


def verify(_client: Client, options: argparse.Namespace) -> int:
    """Check a provision with its proof, and the publisher's file where it is given; say what differs."""
    answer = read_answer(options.node)
    source = None if options.source is None else _read(options.source)
    try:
        faults = list(node_faults(answer, root=options.root))
        if source is not None:
            faults += source_faults(answer, source)
    except MalformedProofError as error:
        raise MisusedError(f"{options.node}: {error}.") from error
    proof = answer["proof"]
    if options.json:
        named = {name: proof.get(name) for name in ("snapshot", "root")}
        print_json({"proved": not faults, "faults": faults, **named})
    elif faults:
        for fault in faults:
            print_line(fault)
    else:
        trusted = "" if options.root is None else ", which is the one that is trusted"
        print_line(f"{answer.get('citation')}: as it was published under the root")
        print_line(f"{proof['root']}{trusted}")
        if source is not None:
            _print_source(answer, source)
        if options.root is None:
            said = f"that of {proof['snapshot']}, over {proof['size']:,} provisions"
            print_line(f"`legal log verify {options.node}` tells whether it is {said}.")
    return REFUTED if faults else DONE


def _print_source(answer: dict[str, Any], source: bytes) -> None:
    found = answer["provenance"]
    place = f"bytes {found['byteStart']:,} to {found['byteEnd']:,} of {found['file']}"
    print_line(f"read from {place}, which is the file given")
    lost = text_lost(answer, source)
    if lost is None:
        print_line("the whole text stands in those bytes, in its order")
    else:
        said = answer["text"][lost : lost + 40].split("\n")[0]
        print_line(f"from “{said}” on the text depends on markup, which only its reader understands")


def read_answer(name: str) -> dict[str, Any]:
    """Return the answer in a file; `-` is standard input.

    Raises:
        MisusedError: it cannot be read, or is no JSON object.
    """
    try:
        answer = json.loads(_read(name), object_pairs_hook=_members)
    except (ValueError, RecursionError) as error:
        raise MisusedError(f"{name} is no JSON: {error}.") from error
    if not isinstance(answer, dict):
        raise MisusedError(f"{name} holds no answer.")
    return answer


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON. Of two members of one name readers differ in which they take.

    Raises:
        ValueError: one is there twice.
    """
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("an object has two members of one name")
    return members


def _read(name: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise MisusedError(f"{name} cannot be read: {error.strerror}.") from error
