"""Reading curated files: what they must say, and the messages where they do not."""

from pathlib import Path

import pytest

from assets.errors import RegistryError
from assets.formation.facts import fact_of, read_table, read_toml, weakest
from assets.formation.naics import load_codes
from assets.formation.operator import load_operator
from assets.formation.providers import Criterion, Rubric, load_comparison, score
from assets.formation.states import load_states

DATA = Path(__file__).parents[3] / "datasets" / "formation"


@pytest.mark.parametrize("path", sorted(DATA.iterdir()), ids=lambda path: path.name)
def test_every_file_states_its_source_and_date(path):
    head = path.read_text(encoding="utf-8")[:1500]
    if path.suffix == ".csv":
        assert "Date: " in head
        assert "ource: " in head or "source on the day" in head
    else:
        assert read_toml(path)["source"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a,b\n1,2\n", "states no date"),
        ("# Date: 2026-11-21.\nb,a\n1,2\n", "has the columns"),
        ("# Date: 2026-11-21.\na,b\n1\n", "more or fewer values"),
        ("# Date: 2026-11-21.\na,b\n1,2,3\n", "more or fewer values"),
    ],
)
def test_a_malformed_table_is_refused(tmp_path, text, problem):
    path = tmp_path / "table.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RegistryError, match=problem):
        read_table(path, ("a", "b"))
    with pytest.raises(RegistryError, match="missing"):
        read_table(tmp_path / "none.csv", ("a", "b"))


@pytest.mark.parametrize(
    ("changed", "problem"), [({"status": "seen"}, "status"), ({"value": "ten"}, "value")]
)
def test_a_fact_has_a_known_status_and_a_value_that_can_be_read(changed, problem):
    row = {"value": "1", "status": "reported", "source": "https://x.example/", "date": "", "page_date": ""}
    with pytest.raises(RegistryError, match=problem):
        fact_of(row | changed, "here")


def test_the_weakest_status_is_the_least_known():
    assert weakest(["verified", "reported"]) == "reported"
    assert weakest(["unverified", "verified"]) == "unverified"


def copy_of(folder, **changes):
    folder.mkdir(exist_ok=True)
    for path in DATA.iterdir():
        text = path.read_text(encoding="utf-8")
        for old, new in changes.get(path.stem, ()):
            assert old in text
            text = text.replace(old, new)
        (folder / path.name).write_text(text, encoding="utf-8")
    return folder


def test_a_provider_that_is_not_listed_is_refused(tmp_path):
    broken = copy_of(tmp_path / "data", provider_facts=[("\nwhop,", "\nwhopp,")])
    with pytest.raises(RegistryError, match="whopp"):
        load_comparison(broken)


def test_states_that_do_not_fit_each_other_are_refused(tmp_path):
    operator = load_operator(DATA / "operator.toml")
    broken = copy_of(tmp_path / "data", requirements=[("\nwy,", "\nzz,")])
    with pytest.raises(RegistryError, match="zz"):
        load_states(broken, operator)


def test_words_for_no_code_are_refused(tmp_path):
    broken = copy_of(tmp_path / "data", naics_words=[("\n111110,", "\n11111,")])
    with pytest.raises(RegistryError, match="11111"):
        load_codes(broken)


def test_a_misnamed_setting_of_the_operator_is_refused(tmp_path):
    broken = copy_of(tmp_path / "data", operator=[("discount_cents", "discount")])
    with pytest.raises(RegistryError, match="discount_cents"):
        load_operator(broken / "operator.toml")


def test_a_price_scores_by_being_known_and_a_no_does_not():
    rubric = Rubric(
        "2026-11-21",
        (Criterion("a", 60, "", ("a",)), Criterion("b", 25, "", ("b",)), Criterion("c", 15, "", ("d", "e"))),
        40,
    )

    def fact(value):
        status = "unknown" if value == "" else "reported"
        row = {"value": value, "status": status, "source": "", "date": "", "page_date": ""}
        return fact_of(row, "here")

    values = {"a": "yes", "b": "no", "d": "no", "e": "100"}
    assert score({name: fact(value) for name, value in values.items()}, rubric).points == 75
    values["e"] = ""
    scored = score({name: fact(value) for name, value in values.items()}, rubric)
    assert (scored.points, scored.unknown_weight) == (60, 15)
    values["a"] = ""
    assert score({name: fact(value) for name, value in values.items()}, rubric).points is None
