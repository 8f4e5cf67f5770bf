"""The page on which a reader reports a suspected error of a provision. Only the operator sees reports."""

from dataclasses import dataclass
from uuid import UUID

import falcon.asgi

from serving.accounts.reports import MAX_WORDS
from serving.contract.errors import NotFoundError, TooManyAttemptsError, ValidationError
from serving.pages.frames import Problem
from serving.pages.site import Site, problem_of
from serving.pages.visitors import Visitor, visitor_of
from serving.responses.leases import lease_for
from serving.services.addresses import page_of
from serving.services.snapshots import SnapshotHolder
from serving.snapshot.store import Snapshot

REPORT = "/report"
"""Path below which each provision has the page, by its id."""
_FIELDS = {"words": "report-words", "email": "report-email"}


@dataclass(frozen=True, slots=True)
class ReportPage:
    """The model of the page: the provision, and what was typed."""

    node: str
    citation: str
    heading: str
    address: str
    snapshot: str
    words: str = ""
    email: str = ""
    most: int = MAX_WORDS


class ReportResource:
    """Takes reports on one provision."""

    def __init__(self, site: Site, snapshots: SnapshotHolder) -> None:
        self._site = site
        self._snapshots = snapshots

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, node: UUID) -> None:
        """Answer with the form."""
        with await lease_for(req, self._snapshots, None) as snapshot:
            page = _page(snapshot, node)
        await self._show(resp, visitor_of(req), page, done=req.get_param("done"))

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, node: UUID) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp, node)

    async def on_post(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, node: UUID) -> None:
        """Take the report."""
        visitor, form = await self._site.submission(req, texts=("words",))
        words, email = form.one("words"), form.one("email")
        with await lease_for(req, self._snapshots, None) as snapshot:
            page = _page(snapshot, node, words=words, email=email)
        try:
            await self._site.pools.accounts.run(
                lambda: self._site.billing.reports.add(
                    node_id=page.node,
                    citation=page.citation,
                    snapshot=page.snapshot,
                    words=words,
                    email=email,
                    address=visitor.address,
                ),
                client=visitor.network,
            )
        except ValidationError as error:
            await self._show(resp, visitor, page, problem=problem_of(error, _FIELDS), status=422)
            return
        except TooManyAttemptsError as error:
            resp.set_header("Retry-After", str(error.retry_after_seconds))
            await self._show(resp, visitor, page, problem=Problem(error.message), status=429)
            return
        self._site.go(resp, f"{REPORT}/{page.node}?done=reported")

    async def _show(
        self,
        resp: falcon.asgi.Response,
        visitor: Visitor,
        page: ReportPage,
        *,
        problem: Problem | None = None,
        done: str | None = None,
        status: int = 200,
    ) -> None:
        account = await self._site.account_of(visitor)
        problems = () if problem is None else (problem,)
        self._site.show(
            resp, visitor, "report.html", page, account=account, problems=problems, done=done, status=status
        )


def _page(snapshot: Snapshot, node: UUID, *, words: str = "", email: str = "") -> ReportPage:
    row = snapshot.nodes.find(node)
    if row is None:
        raise NotFoundError("There is no such provision in the law that is served now.", kind="node")
    return ReportPage(
        node=str(node),
        citation=snapshot.nodes.citation(row),
        heading=snapshot.nodes.heading(row),
        address=page_of(snapshot, row),
        snapshot=snapshot.id,
        words=words,
        email=email,
    )
