"""Common work of the pages of law: their headers, limits, errors, and the formats that an address has."""

from dataclasses import dataclass, field

import falcon
import falcon.asgi

from serving.concurrency.pool import BoundedPool
from serving.contract.errors import NotFoundError, ValidationError
from serving.contract.manifest import CodeBodyEntry
from serving.metering.allowances import Allowances
from serving.pages.law.notices import Lead
from serving.pages.law.provisions import Step
from serving.pages.prepared.shelf import PageShelf
from serving.pages.public import ErrorPage, PublicSite
from serving.pages.rendering import Renderer
from serving.responses.negotiation import HTML, NotAcceptableError, accepted_type
from serving.services.addresses import body_at
from serving.services.bibliography import BIBTEX, CSL_JSON, RIS
from serving.services.snapshots import SnapshotHolder
from serving.snapshot.store import Snapshot

MARKDOWN = "text/markdown"
FORMATS = {
    "json": falcon.MEDIA_JSON,
    "markdown": MARKDOWN,
    "html": HTML,
    "ris": RIS,
    "bibtex": BIBTEX,
    "csl": CSL_JSON,
}
"""Values of `format` in an address, by which a link names what `Accept` asks for otherwise."""
OFFERED = (HTML, falcon.MEDIA_JSON, MARKDOWN)
TITLES = {
    404: "There is no such page",
    422: "The address is mistyped",
    429: "Too many pages at once",
    503: "Not available right now",
}
_PAGES = "This network has asked for {most} pages within a minute. Wait a little, and go on."
_SEARCHES = (
    "This network has searched {most} times within a minute. Wait a little, and go on. Keys of the API are "
    "free, and have limits of their own."
)


@dataclass(frozen=True, slots=True)
class MissingPage:
    """The model of a page that says what is missing, and what stands beside it."""

    title: str
    message: str
    leads: tuple[Lead, ...] = ()
    steps: tuple[Step, ...] = field(default=())


class LawSite(PublicSite):
    """The pages of law and of searches.

    Args:
        renderer: renderer of the templates.
        snapshots: hold the law.
        pool: runs the making of pages that are not ready.
        shelf: has the pages that were prepared.
        public_url: address of the service.
        pages_per_minute: pages that one network may ask for.
        searches_per_minute: searches that it may make.
    """

    def __init__(
        self,
        renderer: Renderer,
        snapshots: SnapshotHolder,
        pool: BoundedPool,
        shelf: PageShelf,
        *,
        public_url: str,
        pages_per_minute: int,
        searches_per_minute: int,
    ) -> None:
        super().__init__(renderer, pool, ErrorPage("law_missing.html", TITLES))
        self.snapshots = snapshots
        self.shelf = shelf
        self.public_url = public_url
        self.searches = Allowances(searches_per_minute, refusal=_SEARCHES)
        self._pages = Allowances(pages_per_minute, refusal=_PAGES)

    def visit(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Begin a page, and count it for the network that asks for it.

        Raises:
            RateLimitedError: the network has asked for too many.
            ValidationError: the address asks for law of another time.
        """
        self.begin(req, resp)
        self.count(req)

    def visit_in_format(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> str:
        """Begin a page that has several formats, and return the one that is wanted.

        Only who reads the page reads its errors as pages: who asks for another format is a program.

        Raises:
            NotFoundError: the address names a format that there is not.
            RateLimitedError: the network has asked for too many.
            ValidationError: the address asks for law of another time.
        """
        self.begin(req, resp)
        named = req.get_param("format")
        if FORMATS.get(named or "", preferred(req.get_header("Accept"))) != HTML:
            req.context.error_page = None
        self.count(req)
        return wanted_format(req)

    def count(self, req: falcon.asgi.Request) -> None:
        """Count a page for the network that asks for it.

        Raises:
            RateLimitedError: the network has asked for too many.
            ValidationError: the address asks for law of another time.
        """
        refuse_other_times(req)
        self._pages.take(req.remote_addr)

    def show_missing(self, resp: falcon.asgi.Response, page: MissingPage) -> None:
        """Answer 404 with what is missing and what stands beside it."""
        resp.status = falcon.HTTP_404
        resp.set_header("Cache-Control", "no-store")
        resp.content_type = falcon.MEDIA_HTML
        resp.data = self.render("law_missing.html", page)

    def error_model(self, title: str, message: str) -> object:
        """Return the model of an error's page."""
        return MissingPage(title, message)


def wanted_format(req: falcon.asgi.Request) -> str:
    """Return the media type that a request for a page asks for, by its address or by `Accept`.

    Raises:
        NotFoundError: the address names a format that there is not.
    """
    named = req.get_param("format")
    if named is not None:
        if named not in FORMATS:
            raise NotFoundError(f"Formats are {', '.join(FORMATS)}.", kind="path")
        return FORMATS[named]
    return preferred(req.get_header("Accept"))


def preferred(accept: str | None) -> str:
    """Return what of a page's formats `Accept` prefers: HTML if it states no preference among them."""
    try:
        return accepted_type(accept, OFFERED)
    except NotAcceptableError:
        return HTML


def refuse_other_times(req: falcon.asgi.Request) -> None:
    """Refuse an address that asks for law of another time: today's must not be taken for it.

    Raises:
        ValidationError: it does.
    """
    for name in ("date", "snapshot"):
        if name in req.params:
            raise ValidationError(
                f"Pages show the law that is in service, whatever `{name}` says. The API answers from "
                "earlier snapshots; a provision's page with `view=history` lists what became of it.",
                parameter=name,
            )


def page_number(req: falcon.asgi.Request) -> int:
    """Return the number of the page of a list that an address names.

    Raises:
        NotFoundError: there can be no such page.
    """
    given = req.get_param("page") or "1"
    if not (given.isascii() and given.isdigit() and len(given) <= 6 and int(given) > 0):
        raise NotFoundError("Pages are numbered from 1.", kind="path")
    return int(given)


def held_body(snapshot: Snapshot, jurisdiction: str, code: str) -> CodeBodyEntry:
    """Return the code body that the first two steps of an address name.

    Raises:
        NotFoundError: none is held by these names.
    """
    body = body_at(snapshot, jurisdiction, code)
    if body is None:
        raise NotFoundError(
            f"No code of {jurisdiction[:40]} by the name {code[:40]} is held here.", kind="code_body"
        )
    return body
