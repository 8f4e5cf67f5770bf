"""The grammar of a snapshot, compiled from the citation forms of its codes and the names of acts."""

from pathlib import Path

import orjson

from serving.contract.citations import CitationDataError, CitationScheme, Grammar, PopularName
from serving.contract.collection import collection_paused
from serving.contract.errors import SnapshotCorruptError


@collection_paused()
def open_grammar(path: Path) -> Grammar:
    """Read `citing.json` and compile it, which takes a tenth of a second or two.

    Raises:
        SnapshotCorruptError: it is missing or malformed.
    """
    try:
        data = orjson.loads(path.read_bytes())
        schemes = [CitationScheme.from_dict(entry) for entry in data["schemes"]]
        return Grammar(schemes, [PopularName.from_dict(entry) for entry in data["popularNames"]])
    except FileNotFoundError:
        raise SnapshotCorruptError(str(path), "is missing") from None
    except (orjson.JSONDecodeError, KeyError, TypeError) as error:
        raise SnapshotCorruptError(str(path), f"lacks or misnames a field: {error}") from error
    except CitationDataError as error:
        raise SnapshotCorruptError(str(path), error.message) from error
