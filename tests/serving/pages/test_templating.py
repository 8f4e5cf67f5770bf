"""What templates put out is escaped exactly as Jinja does it by itself."""

from dataclasses import dataclass

import jinja2
import pytest
from markupsafe import Markup, escape

from serving.pages.templating import Compiled, Environment, put_out

HOSTILE = ("", "plain", "§ 107", "<b>", "a & b", "'", '"', "&amp;", "</script>", "é<" * 300)
TEMPLATES = {
    "base": (
        "{% macro told(value) %}[{{ value }}]{% endmacro %}"
        "<title>{% block title %}{% endblock %}</title>{% block body %}{{ page.name }}{% endblock %}"
    ),
    "page": (
        "{% extends 'base' %}{% set kept %}{{ page.name }}!{% endset %}"
        "{% block title %}{{ page.name | trim }}{{ page.safe }}{% endblock %}"
        "{% block body %}{{ super() }}{{ told(page.name) }}{{ told(page.safe) }}{{ kept }}{{ 3 }}{{ page.number }}"
        "{{ page.name ~ page.safe }}{{ page.nothing }}{{ [page.name] }}{{ '<i>' }}{{ page.name | safe }}"
        "{% for one in [page.name, page.safe] %}{{ loop.index }}{{ one }}{{ one | upper }}{% endfor %}"
        "{% autoescape false %}{{ page.name }}{% endautoescape %}{% endblock %}"
    ),
}


@dataclass(frozen=True)
class Page:
    name: str
    safe: Markup
    number: int = -7
    nothing: None = None


class Styled(str):
    """A string of another type, which is not safe for that."""


@pytest.mark.parametrize("text", HOSTILE)
def test_pages_are_those_of_jinja_itself(text):
    loader = jinja2.DictLoader(TEMPLATES)
    ours, jinjas = (
        kind(loader=loader, autoescape=True, undefined=jinja2.StrictUndefined)
        for kind in (Environment, jinja2.Environment)
    )
    page = Page(text, Markup("<em>safe</em>"))
    assert ours.get_template("page").render(page=page) == jinjas.get_template("page").render(page=page)


@pytest.mark.parametrize("value", [*HOSTILE, Markup("<b>"), Styled("<b>"), 0, -1.5, None, ["<"], {"<": ">"}])
def test_a_value_is_put_out_as_markupsafe_escapes_it(value):
    assert put_out(value) == escape(value)


def test_what_a_page_lacks_is_an_error():
    template = Environment(undefined=jinja2.StrictUndefined, autoescape=True).from_string("{{ missing }}")
    with pytest.raises(jinja2.UndefinedError):
        template.render()


def test_what_one_environment_compiled_serves_the_next(monkeypatch):
    kept = Compiled()

    def rendered():
        loader = jinja2.DictLoader({"page": "{{ name }}"})
        return Environment(loader=loader, bytecode_cache=kept).get_template("page").render(name="<b>")

    first = rendered()
    monkeypatch.setattr(Environment, "compile", None)
    assert rendered() == first == "<b>"


def test_a_template_that_changed_is_compiled_anew():
    kept = Compiled()
    for text in ("one", "two"):
        loader = jinja2.DictLoader({"page": text})
        assert Environment(loader=loader, bytecode_cache=kept).get_template("page").render() == text
