"""`python -m serving.mcp`: MCP over stdio, for an agent on this machine, with the key in `LAW_KEY`."""

import asyncio
import logging.config
import sys

from mcp.server.stdio import stdio_server

from serving.accounts.billing import Billing
from serving.api.lifespan import BillingLifespan, SnapshotLifespan
from serving.api.request_ids import chosen_id
from serving.contract.errors import LawError
from serving.logs import logging_config
from serving.mcp.callers import callers_of_key
from serving.mcp.server import LawServer
from serving.mcp.tool_context import ToolContext
from serving.metering.migrations import migrate
from serving.services.snapshots import SnapshotHolder
from serving.settings.settings import Settings, client_key


def main() -> int:
    """Serve until standard input ends."""
    key = client_key()
    if key is None:
        sys.stderr.write("Set LAW_KEY to a key of this service: every call is charged to its account.\n")
        return 2
    try:
        settings = Settings.from_env()
        logging.config.dictConfig(logging_config(settings.log_level))
        migrate(settings.database_url)
        asyncio.run(_serve(settings, key))
    except LawError as error:
        sys.stderr.write(f"{error.message}\n")
        return 1
    return 0


async def _serve(settings: Settings, key: str) -> None:
    snapshots = SnapshotHolder(settings.snapshots, pinned=settings.pinned_snapshots)
    billing = Billing(
        settings.database_url,
        durability=settings.durability,
        unknown_keys_per_minute=settings.unknown_keys_per_minute,
        patience=settings.database_seconds,
        request_log_days=settings.request_log_days,
    )
    accounts = BillingLifespan(billing, probe_seconds=settings.probe_seconds)
    law = SnapshotLifespan(snapshots, poll_seconds=settings.poll_seconds, verify_hours=settings.verify_hours)
    await accounts.process_startup({}, {})
    # The handshake is answered while the law is loaded: hosts wait few seconds for it.
    opening = asyncio.create_task(law.process_startup({}, {}))
    tools = ToolContext.create(settings, snapshots, billing, opening=opening)
    callers = callers_of_key(billing.gate, key, lambda: chosen_id(None))
    server = LawServer(tools, callers).create()
    try:
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())
    finally:
        await asyncio.wait([opening])
        await law.process_shutdown({}, {})
        await accounts.process_shutdown({}, {})
        tools.pool.close()


if __name__ == "__main__":
    sys.exit(main())
