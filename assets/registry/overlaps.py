"""Codes that are listed as not held, and are: a registered code body takes the place of its entry."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import replace

from assets.errors import RegistryError
from assets.registry.code_bodies import CodeBody
from serving.contract.citations import CitationScheme
from serving.contract.citations.grammar import name_key, name_spellings


def schemes_of_bodies(bodies: Iterable[CodeBody], others: Sequence[CitationScheme]) -> list[CitationScheme]:
    """Return the schemes of code bodies. Each is cited too by the names of the entry that it replaces.

    Args:
        bodies: registered code bodies.
        others: schemes of all codes that are listed as not held.
    """
    found: list[CitationScheme] = []
    for body in bodies:
        main, *own = body.citation_schemes()
        replaced = [scheme for scheme in others if scheme.code in (body.key, *body.replaces)]
        if len(replaced) == 1 and replaced[0].kind == main.kind:
            main = _with_names_of(main, replaced[0])
        found += [main, *own]
    return found


def require_no_overlap(
    held: Iterable[CodeBody],
    schemes: Sequence[CitationScheme],
    others: Sequence[CitationScheme],
    *,
    listed: Container[str],
) -> None:
    """Refuse code bodies that are held and, under another key, listed as not held.

    Args:
        held: code bodies that are held.
        schemes: theirs.
        others: schemes of codes that are listed as not held, without those replaced.
        listed: keys of all codes that are listed as not held, those replaced too.

    Raises:
        RegistryError: a name is of both, in one kind of law, or a jurisdiction's only compilation of a kind
            is listed.
    """
    for body in held:
        own = [scheme for scheme in schemes if scheme.code == body.key]
        names = {name_key(spelling) for scheme in own for spelling in _spellings(scheme)}
        laws = {one.law for one in own}
        kinds = {(one.jurisdiction, one.law) for one in own if one.kind == "section" and one.law != "code"}
        if any(key in listed for key in (body.key, *body.replaces)):
            kinds.clear()  # it is known which of the listed ones it is
        alike = [scheme for scheme in others if (scheme.jurisdiction, scheme.law) in kinds]
        is_one = len({scheme.code for scheme in alike}) == 1
        for other in others:
            only = is_one and other in alike and other.kind == "section"
            # Session laws go by the name of the code, with a year before it: `2018 Alaska Stat. ch. 5`.
            if only or (other.law in laws and any(name_key(name) in names for name in _spellings(other))):
                raise RegistryError(
                    f"Code body {body.key} is held, and {other.code} is listed as not held: "
                    f"if they are one code, say so in its `replaces`."
                )


def _spellings(scheme: CitationScheme) -> list[str]:
    return [spelling for name in scheme.names for spelling in name_spellings(name)]


def _with_names_of(scheme: CitationScheme, other: CitationScheme) -> CitationScheme:
    names = tuple(dict.fromkeys([*scheme.names, *other.names]))
    return replace(
        scheme, names=names, short_names=tuple(dict.fromkeys([*scheme.short_names, *other.short_names]))
    )
