"""Pages of changes as agents get them: whole where there is room, and within bounds where there is not."""

import pytest

from serving.contract.changes import Change, ChangedSide
from serving.mcp.tool import MAX_BYTES, size
from serving.mcp.tools.changes import fitted_page
from serving.services.changes import ChangesPage


def page(changes: int, *, words: str, places: int) -> ChangesPage:
    side: ChangedSide = {
        "nodeId": "6f0b8c1e-3c59-5a0e-9d53-2b1f6c9d7e41",
        "citation": "1 S.F.C. § 1",
        "heading": words,
        "level": "section",
        "num": "1",
        "status": "in_force",
        "breadcrumb": [],
        "textSha256": "0" * 64,
        "currentThrough": None,
        "currentThroughDate": None,
    }
    change: Change = {
        "kind": "amended",
        "fields": ["text"],
        "level": "section",
        "jurisdiction": "us",
        "codeBody": {"id": "6f0b8c1e-3c59-5a0e-9d53-2b1f6c9d7e41", "name": "Sample Federal Code"},
        "before": side,
        "after": side,
        "words": [
            {
                "beforeStart": 0,
                "beforeEnd": 1,
                "afterStart": 0,
                "afterEnd": 1,
                "removed": words,
                "added": words,
            }
        ]
        * places,
        "wordsLeftOut": 0,
        "creditAdded": [words] * places,
        "publishedOn": "2026-11-22",
        "knownOn": "2026-11-20",
    }
    return ChangesPage(
        from_={"id": "2026.11.21-1", "createdAt": "2026-11-21T00:00:00Z"},
        to={"id": "2026.11.22-1", "createdAt": "2026-11-22T00:00:00Z"},
        reason=None,
        results=(change,) * changes,
        code_bodies=(),
        counts={"amended": changes},
        page=1,
        page_size=changes,
        total=changes,
    )


def test_short_changes_are_whole() -> None:
    asked = page(2, words="ninety days", places=3)
    assert fitted_page(asked) == asked


@pytest.mark.parametrize("with_details", [False, True])
def test_the_longest_changes_fit(with_details: bool) -> None:
    fitted = fitted_page(page(15, words="word " * 500, places=100), with_details=with_details)
    assert size(fitted, with_details=with_details) <= MAX_BYTES
    (first, *_) = fitted.results
    assert first["wordsLeftOut"] + len(first["words"]) == 100
    assert len(first["creditAdded"]) >= 1
