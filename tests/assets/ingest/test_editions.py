"""An older edition after a newer one is told, by what the editions say of themselves."""

from dataclasses import replace

import pytest

from assets.findings import Severity
from assets.ingest.editions import is_older, older_titles
from assets.ingest.report import UnitReport, UnitStatus


def title(number: int, through: str | None = None, point: str | None = None) -> UnitReport:
    label = f"Title {number}"
    return UnitReport(
        f"t{number}", label, UnitStatus.READ, 9, 8, current_through=through, release_point=point
    )


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (("Public Law 119-36", "119-36"), ("Public Law 119-100", "119-100")),
        (("Public Law 99-514", "99-514"), ("Public Law 119-1", "119-1")),
        (("Law 25-218 (through 2024-10-08)", "25-218"), ("Law 26-152 (through 2026-07-22)", "26-152")),
        (("Law 25-9 (through 2024-10-08)", "25-9"), ("Law 25-9 (through 2024-11-01)", "25-9")),
        (("Release 80 (2022-09)", "80"), ("Release 100 (2023-09)", "100")),
        (("2025-10-01", "2025-10-01"), ("2025-10-02", "2025-10-02")),
    ],
)
def test_an_older_edition_is_known(older: tuple[str, str], newer: tuple[str, str]) -> None:
    assert is_older(title(1, *older), title(1, *newer))
    assert not is_older(title(1, *newer), title(1, *older))
    assert not is_older(title(1, *older), title(1, *older))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((None, None), ("2025-10-01", "2025-10-01")),
        (("Public Law 119-73", "119-73not60"), ("Public Law 119-80", "119-80")),
        (("10/20/2024", "10/20/2024"), ("11/20/2023", "11/20/2023")),
        (("Edition of spring", None), ("Edition of autumn", None)),
        (("Release 82", "82"), ("Public Law 119-36", "119-36")),
    ],
)
def test_what_cannot_be_compared_is_not_older(
    one: tuple[str | None, str | None], other: tuple[str | None, str | None]
) -> None:
    assert not is_older(title(1, *one), title(1, *other))
    assert not is_older(title(1, *other), title(1, *one))


def test_titles_that_went_back_together_are_one_warning() -> None:
    before = [title(number, point="2026-1") for number in range(1, 7)]
    now = [title(number, point="2025-1") for number in range(1, 6)] + [title(6, point="2026-2"), title(7)]
    [finding] = older_titles("toy", now, before)
    assert (finding.where, finding.severity) == ("toy", Severity.WARNING)
    assert finding.message == (
        "Title 1, Title 2, Title 3 and 2 more: read of an edition (2025-1) that is older than the one accepted "
        "before (2026-1). If that was not meant, give the newer edition again before this is published."
    )


def test_newer_kept_and_first_titles_are_passed_over() -> None:
    kept = replace(title(1, point="2026-1"), status=UnitStatus.KEPT)
    assert older_titles("toy", [kept, title(2, point="2026-2")], [title(1, point="2026-1")]) == []
    assert older_titles("toy", [title(1, point="2025-1")], []) == []
