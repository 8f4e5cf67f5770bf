"""Checks of the ingest stage."""

from collections.abc import Callable
from pathlib import Path

from assets.checking import body_check
from assets.findings import Finding, Severity, Verdict
from assets.ingest import misreadings, validate
from assets.ingest.assets import provisions, source_files
from assets.ingest.editions import older_titles
from assets.ingest.lineage import reading_rules
from assets.ingest.own_citations import own_citations_are_read
from assets.ingest.pinned import open_pinned, verify_pinned
from assets.ingest.quarantine import account_quarantined
from assets.ingest.readers import dialect
from assets.ingest.report import REPORT, ProvisionsReport
from assets.registry import CodeBody, load_registry
from assets.registry.citing import load_citing
from assets.stage_record import made_by
from assets.workspace import Workspace


def source_is_intact(workspace: Workspace, body: CodeBody) -> Verdict:
    """Hash the pinned bytes again."""
    return Verdict(verify_pinned(workspace.source_files(body.key)).files)


def nothing_is_missing(workspace: Workspace, body: CodeBody) -> Verdict:
    """Report the gaps that the build left in coverage."""
    report = ProvisionsReport.load(workspace.provisions(body.key))
    gaps = [Finding("gap", body.key, gap, Severity.WARNING) for gap in report.gaps]
    return Verdict(len(report.units), gaps, {"provisions": report.provisions, "sections": report.sections})


def editions_do_not_go_back(workspace: Workspace, body: CodeBody) -> Verdict:
    """Compare the edition of each title with the one that was accepted before."""
    titles = ProvisionsReport.load(workspace.provisions(body.key)).units
    accepted = workspace.accepted(body.key) / "provisions"
    before = ProvisionsReport.load(accepted).units if (accepted / REPORT).is_file() else ()
    return Verdict(
        len(titles), older_titles(body.key, titles, before), {"titles accepted before": len(before)}
    )


def text_is_not_lost(workspace: Workspace, body: CodeBody) -> Verdict:
    """Keep the account of every character of every file and compare it with the provisions."""
    accepted = workspace.accepted(body.key) / "provisions"
    is_by_same_rules = made_by(accepted) == reading_rules(body, workspace.registry / "tags.toml")
    return account_quarantined(
        workspace.provisions(body.key),
        workspace.source_files(body.key),
        body,
        before=accepted if is_by_same_rules else None,
    )


def byte_ranges_hold_the_provision(workspace: Workspace, body: CodeBody) -> Verdict:
    """Look at a sample of the ranges in the pinned files."""
    files = open_pinned(workspace.source_files(body.key))
    return validate.byte_ranges_hold_the_provision(workspace.provisions(body.key), files)


def sections_are_found_by_number(workspace: Workspace, body: CodeBody) -> Verdict:
    """Read the citations of the sections with the grammar that the entry gives."""
    citing = load_citing(workspace.citing, load_registry(workspace.registry), [body.key])
    return own_citations_are_read(workspace.provisions(body.key), citing.grammar())


def instructions_were_applied(workspace: Workspace, body: CodeBody) -> Verdict:
    """Look for instructions in the files that were read."""
    files = open_pinned(workspace.source_files(body.key))
    instructions = dialect(body.reader).instructions
    return misreadings.instructions_were_applied(workspace.provisions(body.key), files, instructions)


def _of_table(check: Callable[[Path], Verdict]) -> Callable[[Workspace, CodeBody], Verdict]:
    def run(workspace: Workspace, body: CodeBody) -> Verdict:
        return check(workspace.provisions(body.key))

    run.__name__ = check.__name__
    return run


CHECKS = [
    body_check(
        source_files,
        source_is_intact,
        description="The pinned bytes still have the hashes that they were pinned with.",
    ),
    body_check(
        provisions,
        _of_table(validate.hierarchy_is_closed),
        description="Every parent exists and stands before its children, and there is no cycle.",
    ),
    body_check(
        provisions,
        _of_table(validate.identifiers_are_unique),
        description="No two provisions share an identifier or an id.",
    ),
    body_check(
        provisions,
        _of_table(validate.citations_are_unique),
        description="Every citable live provision has a citation, its own or as a named duplicate.",
    ),
    body_check(
        provisions,
        _of_table(validate.outlines_lie_within_texts),
        description="Outlines, references and footnotes lie within their texts, outlines properly nested.",
    ),
    body_check(
        provisions,
        byte_ranges_hold_the_provision,
        description="The byte range of a provision, in the pinned file, is an element from `<` to `>`.",
    ),
    body_check(
        provisions,
        text_is_not_lost,
        description="What an independent oracle calls operative in each file is what its provisions hold.",
    ),
    body_check(
        provisions,
        _of_table(misreadings.live_provisions_have_text),
        description="Every provision in force has text, or a picture in its place.",
    ),
    body_check(
        provisions,
        _of_table(misreadings.texts_are_rightly_decoded),
        description="No heading and no text holds characters that a wrong encoding leaves, such as `Â§`.",
    ),
    body_check(
        provisions,
        _of_table(misreadings.headings_fit_their_status),
        description="No provision in force has a heading that says it is gone.",
        blocking=False,
    ),
    body_check(
        provisions,
        _of_table(misreadings.identifiers_are_complete),
        description="No part of an identifier stands for a missing value, such as `null`.",
        blocking=False,
    ),
    body_check(
        provisions,
        sections_are_found_by_number,
        description="The citation of every section in force is read as the citation of that section.",
        blocking=False,
    ),
    body_check(
        provisions,
        instructions_were_applied,
        description="The publisher's files hold no instruction that its tools have not carried out.",
        blocking=False,
    ),
    # It only warns, and blocks all the same: what was accepted before is looked at before it is replaced.
    body_check(
        provisions,
        editions_do_not_go_back,
        description="No title is of an older edition than the one that was accepted before.",
    ),
    body_check(
        provisions,
        nothing_is_missing,
        description="No file was set aside and no unit is gone or kept from an earlier build.",
        blocking=False,
    ),
]
