"""The registries: the reviewed ones load, and a wrong one is refused with what is wrong."""

import re
from pathlib import Path

import pytest

from assets.errors import RegistryError
from assets.registry import load_registry

REVIEWED = Path(__file__).parents[3] / "datasets" / "registry"
BODY = """
[[entry]]
key = "x-code"
name = "Code of X"
jurisdiction = "x"
reader = "uslm"
root = "/x"
citation = "{title} X § {num}"
short_name = "X"
publisher = "X"
license = "none"
"""
PLACE = '[[entry]]\nshort_code = "x"\nname = "X"\nlevel = "state"\n'


def write(folder: Path, *, places: str = PLACE, bodies: str = BODY) -> Path:
    (folder / "jurisdictions.toml").write_text(places)
    (folder / "code_bodies.toml").write_text(bodies)
    return folder


def test_the_reviewed_registry_lists_every_state_and_the_federal_level() -> None:
    registry = load_registry(REVIEWED)
    always = {entry.jurisdiction.short_code for entry in registry.jurisdictions if entry.always}
    assert len(always) == 52
    assert {"us", "dc", "ca", "wy"} <= always
    assert "sample" not in always


def test_titles_of_the_code_are_numbered_as_enacted() -> None:
    titles = load_registry(REVIEWED).code_body("us-usc").titles
    assert "53" not in titles
    assert titles["17"] == "Copyrights"
    assert titles["42"] == "The Public Health and Welfare"


def test_the_first_editions_of_titles_are_of_titles_that_there_are_and_not_of_times_to_come() -> None:
    body = load_registry(REVIEWED).code_body("us-usc")
    since = {one.title: one.since for one in body.citation_schemes()[0].titles_since}
    assert set(body.enacted_titles) <= set(since) <= set(body.titles)
    assert all(1926 < year < 2027 for year in since.values())
    assert (since["34"], since["52"]) == (2017, 2014)


def test_a_small_registry_loads(tmp_path: Path) -> None:
    assert load_registry(write(tmp_path)).code_body("x-code").root == "/x"


@pytest.mark.parametrize(
    ("places", "bodies", "message"),
    [
        (PLACE + PLACE, BODY, "Double jurisdiction"),
        (PLACE, BODY + BODY, "Double code body"),
        (PLACE.replace("state", "realm"), BODY, "unknown level"),
        (PLACE + 'parent = "y"\n', BODY, "unknown parent y"),
        (PLACE, BODY.replace('jurisdiction = "x"', 'jurisdiction = "z"'), "unknown jurisdiction z"),
        (PLACE, BODY.replace('root = "/x"\n', ""), "root must be given"),
        (PLACE, BODY + "colour = 1\n", "no field is named 'colour': there are key, "),
        (PLACE, BODY + 'lables = ["(a)"]\n', "did you mean 'labels'"),
        (
            PLACE,
            BODY + '[entry.citing]\nnumbers = "x"\n',
            "no field is named 'numbers': did you mean 'number'",
        ),
        (PLACE, "[[entry", "code_bodies.toml"),
        ("", BODY, "no \\[\\[entry\\]\\]"),
        (PLACE, BODY + '[[entry.own_names]]\nheading = "("\ncitation = "x"\n', "x-code"),
    ],
)
def test_a_wrong_registry_is_refused(tmp_path: Path, places: str, bodies: str, message: str) -> None:
    with pytest.raises(RegistryError, match=message):
        load_registry(write(tmp_path, places=places, bodies=bodies))


OTHER = BODY.replace('key = "x-code"', 'key = "y-code"')


@pytest.mark.parametrize(
    ("bodies", "message"),
    [
        (BODY.replace('"x-code"', '"X_Code"'), "'X_Code': a key is in lower case with hyphens"),
        (BODY.replace('"/x"', '"x"'), "root 'x' is not of the form /va/code"),
        (BODY.replace('"/x"', '"/x/"'), "root '/x/' is not of the form"),
        (BODY.replace('"/x"', '"/X/code"'), "root '/X/code' is not of the form"),
        (BODY.replace('"/x"', '"/x//code"'), "root '/x//code' is not of the form"),
        (
            BODY.replace("{num}", "{num}, ch. {chapter}"),
            "citation has {chapter}; a template knows {title} and {num}",
        ),
        (BODY.replace("{title} X", "{} X"), "citation has {}"),
        (BODY.replace("{title} X", "{title X"), "Code body 'x-code': "),
        (BODY.replace("{title} X", "{title} } X"), "Code body 'x-code': "),
        (BODY.replace('"Code of X"', '" "'), "name ' ' is no text"),
        (BODY.replace('"Code of X"', "3"), "name 3 is no text"),
        (BODY + OTHER, "root /x lies in root /x of y-code, so that two provisions could have one id"),
        (BODY + OTHER.replace('"/x"', '"/x/code"'), "y-code: root /x/code lies in root /x of x-code"),
    ],
)
def test_what_ids_and_citations_are_made_of_is_held_to_its_form(
    tmp_path: Path, bodies: str, message: str
) -> None:
    with pytest.raises(RegistryError, match=re.escape(message)):
        load_registry(write(tmp_path, bodies=bodies))


@pytest.mark.parametrize("root", ["/y", "/xy", "/x-y/code", "/y/x"])
def test_roots_that_only_begin_alike_are_apart(tmp_path: Path, root: str) -> None:
    bodies = BODY + OTHER.replace('"/x"', f'"{root}"')
    assert len(load_registry(write(tmp_path, bodies=bodies)).code_bodies) == 2


def test_an_unknown_code_body_names_the_known() -> None:
    with pytest.raises(RegistryError, match="us-usc"):
        load_registry(REVIEWED).code_body("us-uscx")
