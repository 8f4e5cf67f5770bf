"""The command `download` of `legal`."""

import argparse
import re
import sys
from collections.abc import Callable
from pathlib import Path

from legal_client import calls, results
from legal_client.errors import MalformedAnswerError, NotFoundError
from legal_client.metered_client import MeteredClient
from legal_client.printing import print_json, print_line, print_table, remark
from legal_client.showing import DONE, show

_FOLDER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_MEGABYTE = 1_000_000


def download(client: MeteredClient, options: argparse.Namespace) -> int:
    """Download the files of a code body, or list what there is."""
    if options.code_body is None:
        return show(client, calls.downloads(), options, _print_list)
    call = calls.downloads()
    answer = client.fetch(call)
    listed = call.parse(answer.body, answer.meta)
    body = _find(listed, options.code_body)
    folder = Path(options.folder) / _folder_of(listed, body)
    tables = options.table or [file.table for file in body.files]
    wanted = [file for file in body.files if file.format == options.format and file.table in tables]
    paths = []
    files: list[results.Download | results.DataPackage] = [*wanted, body.data_package]
    for file in files:
        paths.append(client.download(file, folder, progress=_told(file)))
        if not options.json:
            print_line(str(paths[-1]))
    if options.json:
        print_json(
            {"snapshot": listed.snapshot, "codeBody": body.key, "files": [str(path) for path in paths]}
        )
    through = f", current through {body.current_through}" if body.current_through else ""
    remark(f"{body.name}{through}, published by {body.publisher}. License: {body.license}.")
    return DONE


def _find(listed: results.Downloads, named: str) -> results.CodeBodyDownloads:
    for body in listed.code_bodies:
        if named in (body.key, body.id):
            return body
    if not listed.code_bodies:
        raise NotFoundError(f"Snapshot {listed.snapshot} was published without files.", body={"kind": "file"})
    keys = ", ".join(body.key for body in listed.code_bodies)
    raise NotFoundError(f"No code body has the key {named}; there are {keys}.", body={"kind": "code_body"})


def _folder_of(listed: results.Downloads, body: results.CodeBodyDownloads) -> str:
    """Return the name of the folder: files of two snapshots never mix."""
    name = f"{body.key}-{listed.snapshot}"
    if not _FOLDER.fullmatch(name):
        raise MalformedAnswerError(f"The service lists a code body {name[:200]!r}, which is no key.")
    return name


def _print_list(found: results.Downloads) -> None:
    rows = [
        (
            body.key,
            body.name,
            body.current_through,
            *(_size(body, form) for form in ("parquet", "jsonl")),
            body.license,
        )
        for body in found.code_bodies
    ]
    print_table(("key", "name", "current through", "MB parquet", "MB jsonl", "license"), rows)
    print_line(f"Snapshot {found.snapshot}, of {found.created_at}.")


def _size(body: results.CodeBodyDownloads, form: str) -> int:
    return -(-sum(file.bytes for file in body.files if file.format == form) // _MEGABYTE)


def _told(file: results.Download | results.DataPackage) -> Callable[[int], None]:
    """Return what shows how far a file is, on a terminal."""
    name = file.path.rpartition("/")[2]

    def show_progress(done: int) -> None:
        if sys.stderr.isatty():
            share = 100 * done // max(file.bytes, 1)
            sys.stderr.write(
                f"\r{name}  {share:3d} %  {done / _MEGABYTE:,.1f} of {file.bytes / _MEGABYTE:,.1f} MB"
                + ("\n" if done >= file.bytes else "")
            )
            sys.stderr.flush()

    return show_progress
