"""The partitions of the pipeline: one a code body or zoning layer of the registry: a new one is a commit."""

import dagster as dg

from assets.registry import load_registry
from assets.settings import BuildSettings

_REGISTRY = load_registry(BuildSettings.from_env().open().registry)

code_bodies = dg.StaticPartitionsDefinition([body.key for body in _REGISTRY.code_bodies])
zoning_layers = dg.StaticPartitionsDefinition([layer.short_code for layer in _REGISTRY.layers])
