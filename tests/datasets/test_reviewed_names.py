"""The reviewed names against the law that is held: their places are in force, and the law or the subject shows them."""

import re
import tomllib
from collections.abc import Iterator

import pytest

from assets.ingest.model import Provision
from assets.registry import ReviewedAct, reviewed_acts
from serving.contract.citations.keys import words_of_name
from serving.contract.records import IN_FORCE
from tests.assets.citations.real import read_real
from tests.conftest import CHECKOUT

ACTS = reviewed_acts(tomllib.loads((CHECKOUT / "datasets" / "citations" / "popular_names.toml").read_text()))
GENERAL_USE = "general use"
FEWEST_ACTS = 500
_CITED = re.compile(r"(?:(\d+) U\.S\.C\.|D\.C\. Code) § ([\w.:-]+)(?= note|$)")
_YEAR = re.compile(r"(?:,| of) \d{4}$")


def _file(citation: str) -> tuple[str, str] | None:
    """Return the publication and the file of a section; None for containers, appendices and other codes."""
    cited = _CITED.match(citation)
    if cited is None:
        return None
    title, number = cited.groups()
    if title:
        return "usc-sections", f"{title}/{number}.xml"
    folder = re.split(r"[-:]", number)[0]
    return "dc-code", f"us/dc/council/code/titles/{folder}/sections/{number.replace(':', '~')}.xml"


@pytest.fixture(scope="module")
def law() -> dict[str, list[Provision]]:
    """Return the provisions that any act names, by citation."""
    wanted = [_file(citation) for act in ACTS for citation in (*act.places, act.name.source or "")]
    read: dict[str, list[Provision]] = {}
    for source in ("usc-sections", "dc-code"):
        files = sorted({file[1] for file in wanted if file is not None and file[0] == source})
        for provision in read_real(source, files).values():
            read.setdefault(provision.citation, []).append(provision)
    return read


def _acts_with_section() -> Iterator[ReviewedAct]:
    for act in ACTS:
        if act.places and _file(act.places[0]) is not None:
            yield act


def _folded(text: str) -> str:
    return f" {' '.join(words_of_name(text))} "


def _words_of_source(provision: Provision) -> str:
    notes = " ".join(note.text for note in provision.notes)
    return _folded(f"{provision.heading} {provision.text} {notes}")


def test_there_are_as_many_acts_as_a_library_lists() -> None:
    assert sum(bool(act.places) for act in ACTS) >= FEWEST_ACTS
    named = [(act.name.name, act.name.citation) for act in ACTS]
    assert len(set(named)) == len(named)


def test_an_act_with_a_place_says_what_shows_it() -> None:
    bare = [act.name.name for act in ACTS if act.places and act.name.source is None]
    unproven = [
        act.name.name for act in ACTS if act.name.source == GENERAL_USE and act.places and not act.holds
    ]
    assert (bare, unproven) == ([], [])


@pytest.mark.real
def test_every_place_is_in_force(law: dict[str, list[Provision]]) -> None:
    places = {place for act in ACTS for place in act.places if _file(place) is not None}
    dead = {place for place in places if not any(one.status == IN_FORCE for one in law.get(place, ()))}
    assert dead == set()


@pytest.mark.real
def test_source_gives_a_name_of_the_act(law: dict[str, list[Provision]]) -> None:
    silent = []
    for act in _acts_with_section():
        cited = _CITED.match(act.name.source or "")
        if act.name.source == GENERAL_USE or cited is None:
            continue
        words = " ".join(_words_of_source(one) for one in law.get(cited.group(), ()))
        if not any(_folded(_YEAR.sub("", name)) in words for name in act.names):
            silent.append((act.name.name, act.name.source))
    assert silent == []


@pytest.mark.real
def test_first_place_holds_the_words_of_the_subject(law: dict[str, list[Provision]]) -> None:
    others = []
    for act in _acts_with_section():
        if act.holds is None:
            continue
        texts = [f"{one.heading} {one.text}".lower() for one in law.get(act.places[0], ())]
        if not any(act.holds.lower() in text for text in texts):
            others.append((act.name.name, act.places[0], act.holds))
    assert others == []
