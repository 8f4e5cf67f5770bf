"""Asset code: one folder a stage, pure functions with a thin layer of Dagster above them."""
