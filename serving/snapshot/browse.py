"""The hierarchy of a snapshot as ready answers: the children of a node or of a code body."""

from bisect import bisect_left
from pathlib import Path
from uuid import UUID

from serving.contract.errors import NotFoundError
from serving.contract.identity import content_etag, split
from serving.contract.manifest import CodeBodyEntry
from serving.contract.records import SNAPSHOT_BROWSE
from serving.snapshot.nodes import NodeTable
from serving.snapshot.table import Bodies, StoredBody, integers, map_table


class BrowseTable:
    """`browse.arrow`. Nodes without children have no row; their answer is made here."""

    __slots__ = ("_bodies", "_code_bodies", "_code_body", "_high", "_low", "_nodes")

    def __init__(self, path: Path, code_bodies: tuple[CodeBodyEntry, ...], nodes: NodeTable) -> None:
        batch = map_table(path, SNAPSHOT_BROWSE)
        self._high = integers(batch.column("parent_hi"), "Q")
        self._low = integers(batch.column("parent_lo"), "Q")
        self._code_body = integers(batch.column("code_body"), "H")
        self._bodies = Bodies(path, batch)
        self._code_bodies = {UUID(entry.id): index for index, entry in enumerate(code_bodies)}
        self._nodes = nodes

    def __len__(self) -> int:
        return len(self._high)

    def children(self, code_body: UUID, parent: UUID | None) -> StoredBody:
        """Return the ready list of the immediate children of `parent`, or of the code body's top level.

        Raises:
            NotFoundError: the code body is unknown, or the parent is, or it belongs to another code body.
        """
        if code_body not in self._code_bodies:
            raise NotFoundError(
                f"No code body has the id {code_body}; coverage lists them.", kind="code_body"
            )
        # The top level is found under the code body's own id, which names no node.
        row = None if parent == code_body else self._find(parent or code_body)
        if row is not None and self._code_body[row] == self._code_bodies[code_body]:
            return self._bodies.get(row)
        if parent is None:
            return _empty(code_body, None)
        node = self._nodes.find(parent)
        if node is None or self._nodes.code_body(node).id != str(code_body):
            raise NotFoundError(f"Code body {code_body} has no node with the id {parent}.", kind="node")
        return _empty(code_body, parent)

    def has_children(self, node: UUID) -> bool:
        """Return whether anything stands below a node."""
        return self._find(node) is not None

    def _find(self, parent: UUID) -> int | None:
        high, low = split(parent)
        row = bisect_left(self._high, high)
        while row < len(self._high) and self._high[row] == high:
            if self._low[row] == low:
                return row
            row += 1
        return None


def _empty(code_body: UUID, parent: UUID | None) -> StoredBody:
    quoted = "null" if parent is None else f'"{parent}"'
    body = f'{{"codeBodyId":"{code_body}","parent":{quoted},"nodes":[]}}'.encode()
    return StoredBody(content_etag(body), body, None, None)
