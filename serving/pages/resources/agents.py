"""Connected agents on the settings page: disconnected after a question to confirm."""

import falcon.asgi

from serving.pages.site import HOME, Site, require_own
from serving.pages.visitors import visitor_of


class DisconnectResource:
    """Disconnects an agent."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, key_id: int) -> None:
        """Answer with the question whether to disconnect the agent."""
        visitor = visitor_of(req)
        account = await self._site.require_account(visitor)
        live = await self._site.pools.accounts.run(
            lambda: self._site.billing.authorizations.live_connections(account.account_id),
            client=visitor.network,
        )
        agent = require_own(
            next((one for one in live if one.key.key_id == key_id), None), "agent", kind="key"
        )
        self._site.show(resp, visitor, "disconnect.html", agent, account=account)

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, key_id: int) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp, key_id)

    async def on_post(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, key_id: int) -> None:
        """Disconnect the agent."""
        visitor, account, _ = await self._site.account_submission(req, lambda _: req.path)
        await self._site.pools.accounts.run(
            lambda: self._site.billing.authorizations.disconnect(account.account_id, key_id),
            client=visitor.network,
        )
        self._site.go(resp, f"{HOME}?done=disconnected#agents")
