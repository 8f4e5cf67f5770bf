"""Routes of the pages for people: law and its search, settings, formation, reference, guide, zoning maps."""

from typing import TYPE_CHECKING, Any

import falcon.asgi

from serving.accounts.billing import Billing
from serving.authorization.issuer import AUTHORIZE
from serving.authorization.server import AuthorizationServer
from serving.geocoding.geocoder import Geocoder
from serving.pages.compression import PageCompressionMiddleware
from serving.pages.errors import ErrorPages
from serving.pages.guide import add_guide, is_built
from serving.pages.headers import PageHeadersMiddleware
from serving.pages.law.resources import add_law
from serving.pages.law.site import LawSite
from serving.pages.mail import Mailer
from serving.pages.operator_pages import add_operator_pages, read_texts, renderer_for
from serving.pages.pools import PagePools
from serving.pages.prepared.shelf import PageShelf
from serving.pages.reference.resources import add_reference
from serving.pages.resources.agents import DisconnectResource
from serving.pages.resources.authorize import AuthorizeResource
from serving.pages.resources.entrance import SignInResource, SignOutResource, SignUpResource
from serving.pages.resources.formation import StartResource
from serving.pages.resources.home import HomeResource
from serving.pages.resources.keys import KeysResource, RevokeResource
from serving.pages.resources.ledger import LedgerResource
from serving.pages.resources.links import LinkMails, LinkResource
from serving.pages.resources.orders import OrderResource, OrdersResource, ReceiptResource
from serving.pages.resources.packs import BoughtResource, BuyResource
from serving.pages.resources.password import PasswordResource
from serving.pages.resources.report import REPORT, ReportResource
from serving.pages.resources.requests import RequestsFileResource, RequestsResource
from serving.pages.resources.reset import NewPasswordResource, reset_link
from serving.pages.resources.unlock import UnlockResource, unlock_link
from serving.pages.resources.verification import VerificationResource, VerificationsResource
from serving.pages.search.resources import add_search
from serving.pages.site import Site
from serving.pages.static_files import StaticFiles, StaticResource
from serving.pages.street_addresses import add_street_addresses
from serving.pages.visitors import Cookies
from serving.pages.zoning import add_zoning
from serving.services.formation import START
from serving.services.search import SearchService
from serving.services.snapshots import SnapshotHolder
from serving.settings.settings import Settings

if TYPE_CHECKING:
    from serving.payments.payments import Payments

App = falcon.asgi.App[Any, Any]


def add_pages(
    app: App,
    settings: Settings,
    snapshots: SnapshotHolder,
    billing: Billing,
    payments: "Payments | None",
    service: SearchService,
    authorization: AuthorizationServer | None = None,
) -> PagePools:
    """Add the first page, law and its search, settings, formations, the reference, the guide, maps.

    Returns the pools that the pages' work runs in.

    Args:
        app: application to add the routes to; its errors below `/settings` and `/formation` become pages.
        settings: say where the service is reached and how it mails.
        snapshots: hold the law and its maps.
        billing: the accounts.
        payments: sell packs; None where the operator grants credits.
        service: answers the searches.
        authorization: gives tokens to agents; None where keys are all that opens the service.
    """
    static, texts = StaticFiles(), read_texts(settings.operator_pages)
    site = Site(
        billing=billing,
        pools=PagePools.create(),
        payments=payments,
        mailer=_mailer(settings),
        cookies=Cookies.for_address(settings.public_url),
        renderer=renderer_for(static, texts, settings.public_url),
        public_url=settings.public_url,
    )
    errors = ErrorPages(site)
    errors.add_to(app)
    app.add_middleware(PageHeadersMiddleware(errors, sells=site.payments is not None))
    app.add_middleware(PageCompressionMiddleware())
    add_reference(
        app,
        site.renderer,
        snapshots,
        site.pools.pages,
        public_url=settings.public_url,
        has_guide=is_built(settings.guide),
    )
    add_guide(app, settings.guide)
    add_operator_pages(app, texts, site.renderer)
    geocoder = _geocoder(settings)
    zoning = add_zoning(
        app,
        site.renderer,
        snapshots,
        site.pools.pages,
        geocoder=None if geocoder is None else geocoder.host,
        points_per_minute=settings.page_searches_per_minute,
    )
    add_street_addresses(app, zoning, geocoder, pages=site.pools.pages, questions=site.pools.addresses)
    law = LawSite(
        site.renderer,
        snapshots,
        site.pools.pages,
        PageShelf(settings.pages, site.renderer.edition_of),
        public_url=settings.public_url,
        pages_per_minute=settings.pages_per_minute,
        searches_per_minute=settings.page_searches_per_minute,
    )
    add_law(app, law)
    add_search(app, law, service, site.pools.searches, sells=site.payments is not None)
    searches = settings.page_searches_per_minute
    app.add_route(START, StartResource(site, snapshots, searches_per_minute=searches))
    app.add_route(REPORT + "/{node:uuid}", ReportResource(site, snapshots))
    app.add_route("/settings", HomeResource(site))
    app.add_route("/settings/static/{name}", StaticResource(static))
    app.add_route("/settings/sign-up", SignUpResource(site))
    app.add_route("/settings/sign-in", SignInResource(site))
    app.add_route("/settings/sign-out", SignOutResource(site))
    app.add_route("/settings/keys", KeysResource(site, snapshots))
    app.add_route("/settings/keys/{key_id:int(max=9223372036854775807)}/revoke", RevokeResource(site))
    app.add_route("/settings/ledger", LedgerResource(site))
    app.add_route("/settings/requests", RequestsResource(site))
    app.add_route("/settings/requests.csv", RequestsFileResource(site))
    app.add_route("/settings/orders", OrdersResource(site))
    app.add_route("/settings/orders/{order_id}", OrderResource(site))
    app.add_route("/settings/receipts/{payment_id}", ReceiptResource(site))
    app.add_route("/settings/password", PasswordResource(site))
    mails = LinkMails(site.mailer, site.pools.mails, public_url=settings.public_url)
    app.add_route("/settings/reset", LinkResource(site, mails, reset_link(billing)))
    app.add_route("/settings/reset/{token}", NewPasswordResource(site))
    app.add_route("/settings/unlock", LinkResource(site, mails, unlock_link(billing)))
    app.add_route("/settings/unlock/{token}", UnlockResource(site))
    app.add_route("/settings/verification", VerificationsResource(site, mails))
    app.add_route("/settings/verification/{token}", VerificationResource(site))
    app.add_route(
        "/settings/agents/{key_id:int(max=9223372036854775807)}/disconnect", DisconnectResource(site)
    )
    if authorization is not None:
        app.add_route(AUTHORIZE, AuthorizeResource(site, authorization))
    app.add_route("/settings/buy/{pack}", BuyResource(site))
    app.add_route("/settings/bought", BoughtResource(site))
    return site.pools


def _geocoder(settings: Settings) -> Geocoder | None:
    if settings.geocoder is None:
        return None
    return Geocoder(settings.geocoder, public_url=settings.public_url)


def _mailer(settings: Settings) -> Mailer | None:
    if settings.smtp_url is None or settings.mail_from is None:
        return None
    return Mailer(settings.smtp_url, settings.mail_from)
