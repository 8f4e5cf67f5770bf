"""Compare what an artefact holds, as the server's own reader counts it, with what it was built from."""

from assets.findings import Finding, Verdict


def counts_match(artefact: str, *, found: int, expected: int, what: str) -> Verdict:
    """Return a verdict with an error where the counts differ."""
    measured: dict[str, float | int | str] = {what: found, "expected": expected}
    if found == expected:
        return Verdict(expected, (), measured)
    message = f"{artefact} holds {found:,} {what} instead of {expected:,}."
    return Verdict(expected, [Finding("count_differs", artefact, message)], measured)
