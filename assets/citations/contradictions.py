"""The publisher's own links against the words that they stand on: how many are dropped, with examples."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from assets.citations.references import Reference
from assets.errors import BuildError
from assets.findings import Finding, Severity, Verdict

CONTRADICTIONS = "contradictions.json"
"""Name of the file in the folder of the artefact."""

MOST_CONTRADICTED = 0.05
"""Share of a publisher's links that may be contradicted without a word: now and then a link is wrong. Where
more are, it is far likelier that the words are misread."""

_KEPT = 10
_AROUND = 40


@dataclass(frozen=True, slots=True)
class Contradiction:
    """One link that was dropped: in which provision, the words around it, and where it leads."""

    where: str
    words: str
    leads_to: str


@dataclass(slots=True)
class PublishersLinks:
    """Links of one code body.

    Attributes:
        links: that its publisher marks up.
        contradicted: by the words that they stand on.
        examples: the first of these.
    """

    code_body: str
    links: int = 0
    contradicted: int = 0
    examples: list[Contradiction] = field(default_factory=list)

    def add(self, where: str, text: str, links: int, contradicted: Sequence[Reference]) -> None:
        """Count the links in the text of one provision, whose citation is `where`."""
        self.links += links
        self.contradicted += len(contradicted)
        for link in contradicted[: _KEPT - len(self.examples)]:
            words = text[max(0, link.start - _AROUND) : link.end + _AROUND]
            self.examples.append(Contradiction(where, words.replace("\n", " "), link.citation))

    @property
    def share(self) -> float:
        """Contradicted of all; 0 where there are none."""
        return self.contradicted / self.links if self.links else 0.0


def save_links(folder: Path, bodies: Sequence[PublishersLinks]) -> None:
    """Write the links of all code bodies into the folder of the artefact."""
    text = json.dumps([asdict(body) for body in bodies], ensure_ascii=False, indent=1) + "\n"
    (folder / CONTRADICTIONS).write_text(text, encoding="utf-8")


def load_links(folder: Path) -> list[PublishersLinks]:
    """Return what `save_links` wrote into `folder`.

    Raises:
        BuildError: it was not built.
    """
    try:
        found = json.loads((folder / CONTRADICTIONS).read_bytes())
    except FileNotFoundError:
        raise BuildError(f"{folder} holds no {CONTRADICTIONS}: build {folder.name} first.") from None
    return [
        PublishersLinks(**{**body, "examples": [Contradiction(**entry) for entry in body["examples"]]})
        for body in found
    ]


def links_hold(bodies: Sequence[PublishersLinks]) -> Verdict:
    """Warn of the code bodies of whose links too many are contradicted, with examples."""
    findings: list[Finding] = []
    for body in bodies:
        if body.share <= MOST_CONTRADICTED:
            continue
        message = (
            f"{body.contradicted:,} of {body.links:,} links of the publisher ({body.share:.1%}) are dropped: "
            "the words that they stand on seem to name something else. Does `citing` say how the code is "
            "cited (`number`, `container`, `bare_pins`)?"
        )
        findings.append(Finding("links_contradicted", body.code_body, message, Severity.WARNING))
        findings += [
            Finding(
                "link_contradicted",
                example.where,
                f"links \u2026{example.words}\u2026 to {example.leads_to}.",
                Severity.WARNING,
            )
            for example in body.examples
        ]
    measured: dict[str, float | int | str] = {
        f"{body.code_body}: links contradicted": f"{body.contradicted:,} of {body.links:,}" for body in bodies
    }
    return Verdict(len(bodies), findings, measured)
