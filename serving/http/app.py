"""The application: routes, middleware and error handlers, from settings and open snapshots."""

import falcon
import falcon.asgi

from serving.contract.errors import LawError
from serving.http.concurrency import BoundedPool
from serving.http.errors import handle_http_error, handle_law_error, handle_unexpected
from serving.http.middleware.access_log import AccessLogMiddleware
from serving.http.middleware.cors import CorsMiddleware
from serving.http.middleware.envelope import EnvelopeMiddleware
from serving.http.resources.browse import BrowseResource, CodeBodiesResource
from serving.http.resources.coverage import CoverageResource
from serving.http.resources.meta import HealthResource, OpenApiResource, ReadyResource
from serving.http.resources.nodes import NodeResource
from serving.http.resources.search import SearchResource
from serving.services.search import SearchService
from serving.services.snapshots import SnapshotHolder
from serving.settings import Settings

App = falcon.asgi.App[falcon.asgi.Request, falcon.asgi.Response]


def create_app(settings: Settings, snapshots: SnapshotHolder) -> App:
    """Build the application over the snapshots of this process; it opens and closes none of them."""
    app: App = falcon.asgi.App(media_type=falcon.MEDIA_JSON)
    for middleware in (AccessLogMiddleware(), EnvelopeMiddleware(snapshots), CorsMiddleware()):
        app.add_middleware(middleware)
    app.resp_options.xml_error_serialization = False
    app.add_error_handler(Exception, handle_unexpected)
    app.add_error_handler(falcon.HTTPError, handle_http_error)
    app.add_error_handler(LawError, handle_law_error)
    public_url = settings.public_url
    pool = BoundedPool(threads=settings.search_threads, limit=settings.max_concurrent_searches)
    service = SearchService(threads=settings.search_threads)
    app.add_route("/api/v1/search", SearchResource(snapshots, service, pool, public_url=public_url))
    app.add_route("/api/v1/node/{node_id}", NodeResource(snapshots))
    app.add_route("/api/v1/code-bodies", CodeBodiesResource(snapshots))
    app.add_route("/api/v1/browse", BrowseResource(snapshots))
    app.add_route("/api/v1/coverage", CoverageResource(snapshots))
    app.add_route("/api/v1/openapi.json", OpenApiResource(public_url=public_url))
    app.add_route("/health", HealthResource())
    app.add_route("/ready", ReadyResource(snapshots))
    return app
