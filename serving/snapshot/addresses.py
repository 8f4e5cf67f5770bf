"""Addresses of pages for provisions: `us/usc/17/107` from the citation `17 U.S.C. § 107`, and back.

The number of a page is the citation without the name of the code, by one rule for all codes: what stood
before and after the name and its section sign, and the levels of a container, become the steps of a path,
and all else that is no letter or digit a hyphen. So addresses follow from the citations alone, and need no
table of their own in a snapshot.
"""

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from serving.contract.manifest import CodeBodyEntry
from serving.contract.records import IN_FORCE
from serving.snapshot.nodes import NodeTable
from serving.snapshot.table import Strings

APART = "~"
"""Parts an address that several provisions would share from the digits of an id, which no citation has."""
DIGITS = 8
"""Digits of the id."""
_FIELDS = re.compile(r"\{(?:title|num)\}")
_RULES = (
    (r"\p{Mn}", ""),  # accents, which the normal form has parted from their letters
    (r"\.(\s|,|/|$)", r"\1"),  # points of abbreviations, not of numbers
    (r"§+|, ", "/"),
    (r"[^a-z0-9.:/]+", "-"),
    (r"-*/[-/]*", "/"),
    (r"^[-/]+|[-/]+$", ""),
)


def code_of(body: CodeBodyEntry) -> str:
    """Return the code in the addresses of a code body: its key without the jurisdiction that begins it."""
    return body.key.removeprefix(f"{body.jurisdiction}-")


class Addresses:
    """The addresses of a snapshot's provisions, computed when it opens: 16 bytes for each and its path.

    Where several provisions have one citation the only one in force has the plain address. If several are,
    or none is, all of them have the first digits of their ids behind it.

    Args:
        nodes: the provisions.
        code_bodies: code bodies in the order of the table's indexes.
        templates: canonical citation of each code by its key, such as `{title} U.S.C. § {num}`.
    """

    def __init__(
        self, nodes: NodeTable, code_bodies: Sequence[CodeBodyEntry], templates: Mapping[str, str]
    ) -> None:
        self._shared: dict[str, list[int]] = {}
        citations, bodies = nodes.citations(), nodes.code_body_indexes()
        plain = np.empty(len(nodes), dtype=object)
        for index, body in enumerate(code_bodies):
            own = np.flatnonzero(bodies == index)
            numbers = _spelled(citations.take(pa.array(own)), templates.get(body.key, ""))
            prefix = f"{body.jurisdiction}/{code_of(body)}/"
            plain[own] = pc.binary_join_element_wise(prefix, numbers, "").to_numpy(zero_copy_only=False)
        for rows in _alike(plain):
            living = [row for row in rows if nodes.status(row) == IN_FORCE]
            if len(rows) == 1 and not plain[rows[0]].endswith("/"):
                continue
            if len(living) != 1:
                self._shared[plain[rows[0]]] = rows
            for row in rows:
                if living != [row]:
                    plain[row] += f"{APART}{nodes.id(row).hex[:DIGITS]}"
        self._paths = Strings(pa.array(plain, pa.string()))
        # Found by their hashes, since machine integers are compared sooner than strings.
        hashes = np.fromiter(map(hash, plain), np.int64, len(plain))
        order = np.argsort(hashes, kind="stable").astype(np.uint32)
        self._hashes, self._rows = hashes[order].data, order.data

    def of(self, row: int) -> str:
        """Return the address of the provision in a row, without the `/law/` before it."""
        return self._paths.text(row)

    def find(self, address: str) -> int | None:
        """Return the row of the provision with an address, which is spelled in letters of any case."""
        wanted = address.lower()
        hashed = hash(wanted)
        for place in range(bisect_left(self._hashes, hashed), len(self._hashes)):
            if self._hashes[place] != hashed:
                break
            if self._paths.text(self._rows[place]) == wanted:
                return self._rows[place]
        return None

    def sharing(self, address: str) -> Sequence[int]:
        """Return the rows of the provisions that would share an address; empty where none do."""
        return self._shared.get(address.lower(), ())


def _spelled(citations: pa.Array, template: str) -> pa.Array:
    """Return the numbers of citations, by the canonical citation of their code."""
    spelled = pc.utf8_lower(citations)
    for name in filter(None, (piece.replace("§", "").strip() for piece in _FIELDS.split(template))):
        # Two levels of a path for what stands on the two sides of the name.
        spelled = pc.replace_substring(spelled, name.lower(), "/", max_replacements=1)
    spelled = pc.utf8_normalize(spelled, form="NFKD")
    for pattern, replacement in _RULES:
        spelled = pc.replace_substring_regex(spelled, pattern, replacement)
    return spelled


def _alike(plain: np.ndarray) -> list[list[int]]:
    """Return the rows of each address that several rows have, or that names no number."""
    encoded = pa.array(plain, pa.string()).dictionary_encode()
    codes = encoded.indices.to_numpy()
    counts = np.bincount(codes, minlength=len(encoded.dictionary))
    wanted = set(np.flatnonzero(counts > 1).tolist())
    wanted |= {code for code, path in enumerate(encoded.dictionary.to_pylist()) if path.endswith("/")}
    grouped: dict[int, list[int]] = {code: [] for code in wanted}
    for row in np.flatnonzero(np.isin(codes, list(wanted))).tolist():
        grouped[int(codes[row])].append(row)
    return list(grouped.values())
