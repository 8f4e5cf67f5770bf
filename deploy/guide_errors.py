"""Build the guide's page for addresses that the guide does not have, which is shown at any of them.

Its links cannot be relative as those of other pages are: they begin where the server shows the guide. MkDocs
takes that from the address of the site, which the other pages must not name, since each operator has another.
"""

from jinja2 import Template
from mkdocs.config.defaults import MkDocsConfig

_PAGE = "404.html"
_SITE = "https://guide.invalid/docs/guide/"
"""An address of which MkDocs takes the path alone."""


def on_pre_template(template: Template, template_name: str, config: MkDocsConfig) -> Template:
    """Give the site its address while the page is built."""
    if template_name == _PAGE:
        config.site_url = _SITE
    return template


def on_post_template(output_content: str, template_name: str, config: MkDocsConfig) -> str:
    """Take the address away again."""
    if template_name == _PAGE:
        config.site_url = None
    return output_content
