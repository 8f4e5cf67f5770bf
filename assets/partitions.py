"""The partitions of the pipeline: one a code body, from the reviewed registry. A new body is a commit."""

import dagster as dg

from assets.registry import load_registry
from assets.settings import BuildSettings

code_bodies = dg.StaticPartitionsDefinition(
    [body.key for body in load_registry(BuildSettings.from_env().open().registry).code_bodies]
)
