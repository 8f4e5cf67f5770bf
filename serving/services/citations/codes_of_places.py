"""Codes and rules that are cited without the place whose they are: `Gov't Code § 65906`, `Crim. R. 29`."""

from collections.abc import Callable, Sequence

from serving.contract.citations import Citation, CitationScheme, Grammar, read_one
from serving.contract.citations.grammar import name_spellings
from serving.services.citations.resolution import Candidate, Outcome, Reason, Resolution


class PlacelessCodes:
    """Resolves names that codes of several places bear, each behind the name of its place."""

    def __init__(
        self,
        grammar: Grammar,
        resolve_citation: Callable[[Citation], Resolution],
        holds_code: Callable[[str], bool],
    ) -> None:
        self._grammar = grammar
        self._resolve_citation = resolve_citation
        self._holds_code = holds_code

    def resolve(self, citation: Citation) -> Resolution | None:
        """Resolve the citation of a code by its name alone; None where no place is known to have one.

        The place is not guessed: what is cited is law that is not held where no such code is held, else
        ambiguous. Candidates are that number in each code that can have it.
        """
        schemes = self._grammar.codes_of_places(citation.code_name or "")
        if not schemes:
            return None
        number = citation.canonical.removeprefix(citation.code_name or "")
        read = {scheme: self._read(scheme, number) for scheme in schemes}
        able = {scheme: cited for scheme, cited in read.items() if cited} or read
        candidates = [self._candidate(scheme, cited) for scheme, cited in able.items()]
        held = any(self._holds(scheme, cited) for scheme, cited in able.items())
        laws = {scheme.law for scheme in able}
        return Resolution(
            input=citation.canonical,
            outcome=Outcome.AMBIGUOUS if held else Outcome.OUTSIDE_COVERAGE,
            citation=citation.canonical,
            code_name=citation.code_name,
            law=laws.pop() if len(laws) == 1 else None,
            candidates=tuple(candidates),
            reason=Reason.SEVERAL_PROVISIONS if held else Reason.CODE_NOT_HELD,
        )

    def _read(self, scheme: CitationScheme, number: str) -> Sequence[Citation]:
        """Return the citations of a number in a code; empty where the code cannot have it."""
        read = read_one(f"{_name(scheme)}{number}", self._grammar, explain=False)
        return read if isinstance(read, tuple) and all(one.scheme == scheme.key for one in read) else ()

    def _holds(self, scheme: CitationScheme, cited: Sequence[Citation]) -> bool:
        """Return False for a code that is not held, or rules that stand in a held one and are missing."""
        if not self._holds_code(scheme.code):
            return False
        return all(self._resolve_citation(one).reason is not Reason.CODE_NOT_HELD for one in cited)

    def _candidate(self, scheme: CitationScheme, cited: Sequence[Citation]) -> Candidate:
        if len(cited) != 1:
            return Candidate(None, (cited[0].listing if cited else None) or _name(scheme), None)
        found = self._resolve_citation(cited[0])
        return Candidate(None, found.citation, found.provision)


def _name(scheme: CitationScheme) -> str:
    return name_spellings(scheme.names[0])[0]
