"""Check found references against the texts that they stand in."""

from assets.citations.missing_parts import OF_PARTS
from assets.citations.references import FoundReferences
from assets.findings import Finding, Verdict
from assets.selection.selection import Selection


def references_fit(selection: Selection, references: FoundReferences) -> Verdict:
    """Judge spans and outcomes: within the text, none over another, a target or a reason and not both.

    Only a part that the target lacks is a reason beside it.
    """
    citations: list[str] = selection.provisions.column("citation").to_pylist()
    findings: list[Finding] = []
    examined = 0
    for first, batch in selection.batches(["text"]):
        for position, text in enumerate(batch.column(0).to_pylist(), first):
            after = 0
            for reference in references.of(position):
                examined += 1
                if not after <= reference.start < reference.end <= len(text):
                    span = f"{reference.start} to {reference.end}"
                    message = f"a reference over {span} lies outside the text or over another."
                    findings.append(Finding("reference_astray", citations[position], message))
                leads = reference.target is not None
                if leads is (reference.reason is not None) and reference.reason not in OF_PARTS:
                    message = (
                        f"the reference at {reference.start} has both a target and a reason, or neither."
                    )
                    findings.append(Finding("reference_unclear", citations[position], message))
                after = reference.end
    return Verdict(max(examined, len(selection)), findings, {"references": examined})
