"""The data that the grammar is made of: it holds what it should, travels as plain values, and is checked."""

import orjson
import pytest

from assets.registry import load_registry
from serving.contract.citations import (
    CitationDataError,
    CitationScheme,
    Grammar,
    PopularName,
    read_one,
    schemes_of_tables,
    with_others,
)
from tests.serving.contract.citations.conftest import DATASETS, reviewed_names, reviewed_schemes

PLAIN = {"key": "x", "code": "x", "jurisdiction": "us", "template": "X § {num}", "names": ["X"]}


@pytest.mark.parametrize(
    ("number", "title"),
    [
        ("66-28-301", "66"),
        ("55.1-1226", "55.1"),
        ("40.1-28.7:8", "40.1"),
        ("2C:11-3", "2C"),
        ("28:2-302", "28"),
        ("25.5-4-402.4", "25.5"),
        ("19.10.020", "19"),
        ("08.63.010", "8"),
        ("107", None),
    ],
)
def test_a_number_may_begin_with_its_title(number: str, title: str | None) -> None:
    assert CitationScheme.from_dict(PLAIN).title_in(number) == title
    beside = CitationScheme.from_dict({**PLAIN, "template": "{title} X § {num}"})
    assert beside.title_in(number) is None


def test_every_state_has_a_code() -> None:
    registry = load_registry(DATASETS / "registry")
    states = {e.jurisdiction.short_code for e in registry.jurisdictions if e.always}
    assert states <= {scheme.jurisdiction for scheme in reviewed_schemes()}


def test_a_held_code_stands_in_the_registry_alone() -> None:
    registry = load_registry(DATASETS / "registry")
    schemes = [
        scheme for scheme in reviewed_schemes() if scheme.code in {b.key for b in registry.code_bodies}
    ]
    own = [scheme for body in registry.code_bodies for scheme in body.citation_schemes()]
    assert schemes == own


def test_own_names_are_schemes_of_their_code() -> None:
    schemes = {s.key: s for s in load_registry(DATASETS / "registry").code_body("us-usc").citation_schemes()}
    rule = schemes["us-usc-fed-r-civ-p"]
    assert (rule.code, rule.kind, rule.template) == ("us-usc", "rule", "Fed. R. Civ. P. {num}")
    assert schemes["us-usc-reorg-plan-no"].template == "Reorg. Plan No. {num}"


def test_schemes_and_names_survive_json() -> None:
    for scheme in reviewed_schemes():
        assert CitationScheme.from_dict(orjson.loads(orjson.dumps(scheme))) == scheme
    for name in reviewed_names():
        assert PopularName.from_dict(orjson.loads(orjson.dumps(name))) == name


def test_names_are_listed_once_and_their_citations_can_be_read(grammar: Grammar) -> None:
    names = reviewed_names()
    assert len({(name.name, name.citation) for name in names}) == len(names) > 150
    for name in names:
        if name.citation is not None:
            assert name.source is not None
            found = read_one(name.citation, grammar)
            assert isinstance(found, tuple)
            assert found[0].canonical == name.citation


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"template": "X §"}, "num"),
        ({"names": []}, "no names"),
        ({"number": "("}, "x"),
        ({"number": "(a)"}, "groups"),
        ({"title": "["}, "x"),
        ({"kind": "poem"}, "poem"),
        ({"colour": 1}, "colour"),
        ({"fixed_titles": [{"name": "Y"}]}, "title"),
        ({"titles_since": [{"title": "52", "since": 2014}]}, "source"),
    ],
)
def test_a_wrong_scheme_is_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(CitationDataError, match=message):
        CitationScheme.from_dict({**PLAIN, **change})


def test_a_title_is_numbered_as_it_is_since_a_year_that_is_known_or_not() -> None:
    known = {"title": "52", "since": 2014, "source": "Reclassified"}
    scheme = CitationScheme.from_dict({**PLAIN, "titles_since": [known]})
    assert [scheme.title_since(title) for title in ("52", "5", None)] == [2014, None, None]


def test_a_scheme_that_lacks_a_field_is_refused() -> None:
    with pytest.raises(CitationDataError, match="template"):
        CitationScheme.from_dict({key: value for key, value in PLAIN.items() if key != "template"})


def test_a_wrong_name_is_refused() -> None:
    with pytest.raises(CitationDataError, match="colour"):
        PopularName.from_dict({"name": "X Act", "colour": 1})


def test_two_schemes_of_one_key_are_refused() -> None:
    scheme = CitationScheme.from_dict(PLAIN)
    with pytest.raises(CitationDataError, match="Double"):
        Grammar([scheme, scheme])


def test_subjects_become_schemes() -> None:
    table = {
        "key": "x",
        "jurisdiction": "us",
        "template": "X. {subject} Code § {num}",
        "names": ["X. {subject} Code"],
    }
    schemes = schemes_of_tables([{**table, "subjects": ["Pen. | Penal", "Civ."]}])
    assert [(s.key, s.code, s.names) for s in schemes] == [
        ("x/pen", "x", ("X. Pen. Code", "X. Penal Code")),
        ("x/civ", "x", ("X. Civ. Code",)),
    ]


def test_a_new_code_brings_its_citations_as_data() -> None:
    scheme = CitationScheme.from_dict(
        {**PLAIN, "template": "Town Code § {num}", "names": ["Town [Municipal] Code"]}
    )
    found = read_one("town municipal code sec. 27–20.010(b)", Grammar([scheme]))
    assert isinstance(found, tuple)
    assert found[0].canonical == "Town Code § 27-20.010(b)"


def test_a_held_code_takes_the_place_of_what_was_known_of_it() -> None:
    held = CitationScheme.from_dict({**PLAIN, "key": "va-code", "code": "va-code"})
    together = with_others([held], reviewed_schemes())
    assert [scheme for scheme in together if scheme.code == "va-code"] == [held]
    assert len(together) == len(reviewed_schemes())
