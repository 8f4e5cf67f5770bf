"""Kinds of documents, told by the beginning of their bytes: for a source that no reader could use."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping

from assets.ingest.model import SourceFile, SourceFiles

_HEAD = 4096
_LOOKED_AT = 60
_NAMED = 3
_XML_ROOT = re.compile(rb"<([A-Za-z][\w.-]*:)?([A-Za-z][\w.-]*)([^>]*)")
_NAMESPACE = re.compile(rb"xmlns(?::([\w.-]+))?\s*=\s*[\"']([^\"'<>]{1,120})[\"']")
_HTML = re.compile(rb"<!doctype html|<html\b", re.IGNORECASE)
_SIGNATURES = ((b"%PDF-", "PDF"), (b"PK\x03\x04", "ZIP"), (b"{\\rtf", "RTF"), (b"{", "JSON"), (b"[", "JSON"))
_LEAD = re.compile(rb"(?:\xef\xbb\xbf)?\s*")


def kinds_of(files: SourceFiles, signs: Mapping[str, re.Pattern[bytes]]) -> str:
    """Return what a source holds, in words: `49 files of HTML, such as gov.ak.code.title.01.html`.

    Of a source of many files some are looked at, from its whole length.

    Args:
        files: of the source.
        signs: by the names of readers, what the files begin with that they read.
    """
    paths = files.paths()
    chosen = paths[:: len(paths) // _LOOKED_AT + 1]
    found: Counter[str] = Counter()
    examples: defaultdict[str, str] = defaultdict(str)
    for path in chosen:
        file = files.get(path)
        if file is None:
            continue
        kind = kind_of(file, signs)
        found[kind] += 1
        examples[kind] = examples[kind] or path
    whole = "" if len(chosen) == len(paths) else f"of {len(paths):,} files, {len(chosen)} were looked at: "
    listed = [
        f"{count:,} {'file' if count == 1 else 'files'} of {kind}, such as {examples[kind]}"
        for kind, count in found.most_common(_NAMED)
    ]
    return whole + "; ".join(listed)


def kind_of(file: SourceFile, signs: Mapping[str, re.Pattern[bytes]]) -> str:
    """Return the kind of a file, with the readers whose sign it bears."""
    head = file.content[:_HEAD]
    readers = [name for name, sign in signs.items() if sign.search(head)]
    read_by = f", which the reader {' or '.join(readers)} reads" if readers else ""
    return _kind(head, file.path) + read_by


def _kind(head: bytes, path: str) -> str:
    begin = _LEAD.match(head)
    body = head[begin.end() :] if begin else head
    if _HTML.search(head):
        return "HTML"
    signature = next((name for sign, name in _SIGNATURES if body.startswith(sign)), None)
    if signature is not None:
        return signature
    root = _XML_ROOT.search(body) if body.startswith(b"<") else None
    if root is None:
        return f"unknown kind ({path.rpartition('.')[2]})" if "." in path else "unknown kind"
    prefix = (root[1] or b"").rstrip(b":")
    spaces = {(match[1] or b""): match[2].decode(errors="replace") for match in _NAMESPACE.finditer(root[3])}
    space = f" of {spaces[prefix]}" if prefix in spaces else ""
    return f"XML <{root[2].decode(errors='replace')}>{space}"
