"""Alembic runs this file: it applies the revisions over the connection that `migrate` hands it."""

from alembic import context

from serving.metering.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transaction_per_migration=False,
)
context.run_migrations()
