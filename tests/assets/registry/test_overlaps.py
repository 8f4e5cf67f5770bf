"""A code that is held is never listed as not held: its entry gives way, or the registry is refused."""

from pathlib import Path

import pytest

from assets.errors import RegistryError
from assets.registry import load_registry
from assets.registry.citing import Citing, load_citing
from serving.contract.citations import parse

DATASETS = Path(__file__).parents[3] / "datasets"

COMAR = """
[[entry]]
key = "{key}"
name = "Code of Maryland Regulations"
jurisdiction = "md"
reader = "open_law"
root = "/md/regulations"
citation = "{short} {{num}}"
short_name = "{short}"
publisher = "Division of State Documents"
license = "Public domain"
{more}
[entry.citing]
names = ["{short}"]
law = "regulations"
number = '\\d{{2}}[a-z]?\\.\\d{{2}}\\.\\d{{2}}(?:\\.\\d{{2,3}})?'
"""


@pytest.fixture
def citing_with(tmp_path):
    def load(key: str, *, short: str = "COMAR", more: str = "", selected: bool = True) -> Citing:
        for name in ("jurisdictions.toml", "code_bodies.toml"):
            (tmp_path / name).write_bytes((DATASETS / "registry" / name).read_bytes())
        with (tmp_path / "code_bodies.toml").open("a", encoding="utf-8") as file:
            file.write(COMAR.format(key=key, short=short, more=more))
        held = [key] if selected else []
        return load_citing(DATASETS / "citations", load_registry(tmp_path), ["us-usc", *held])

    return load


@pytest.mark.parametrize("written", ["Md. Code Regs. 26.11.01.01", "COMAR 26.11.01.01"])
@pytest.mark.parametrize(
    ("key", "more"), [("md-regulations", ""), ("md-comar", 'replaces = ["md-regulations"]')]
)
def test_a_code_that_is_held_is_cited_by_the_names_of_its_entry(citing_with, key, more, written):
    read = parse(f"See {written}.", citing_with(key, more=more).grammar())
    assert [(citation.code, citation.canonical) for citation in read] == [(key, "COMAR 26.11.01.01")]


@pytest.mark.parametrize("short", ["COMAR", "Maryland Rules of Agencies"])
def test_an_overlap_is_refused(citing_with, short):
    with pytest.raises(RegistryError, match=r"md-comar is held, and md-regulations is listed as not held"):
        citing_with("md-comar", short=short)


def test_a_code_that_is_registered_and_not_held_is_no_overlap(citing_with):
    assert citing_with("md-comar", selected=False)


def test_the_registry_of_the_project_has_no_overlap():
    registry = load_registry(DATASETS / "registry")
    assert load_citing(DATASETS / "citations", registry, [body.key for body in registry.code_bodies])
