"""Jinja's environment as pages use it: whatever a template puts out is escaped, and as cheaply as may be.

A page of law puts out some seventy values. `markupsafe.escape` wraps each in an object that tells it from
text which is not escaped yet. Nobody asks that of what is joined to a page at once.
"""

import re
from collections.abc import MutableMapping
from types import CodeType
from typing import Any

import jinja2
from jinja2 import nodes
from jinja2.bccache import Bucket
from jinja2.compiler import CodeGenerator, Frame
from markupsafe import Markup, escape

_SIGNS = re.compile("[&<>'\"]")


def put_out(value: object) -> str:
    """Return a value as `markupsafe.escape` does, but not marked as escaped."""
    if type(value) is str:
        return value if _SIGNS.search(value) is None else escape(value)
    return value if isinstance(value, Markup) else escape(value)


class _Generator(CodeGenerator):
    """Compiles what a template puts out to a call of `put_out`."""

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape or finalize.src is not None:
            super()._output_child_pre(node, frame, finalize)
        else:
            self.write("environment.put_out(")


class Environment(jinja2.Environment):
    """Templates of this package, compiled."""

    code_generator_class = _Generator
    put_out = staticmethod(put_out)

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return the names that a template knows, in a plain dictionary.

        Each page copies them, which takes a chain of dictionaries one look-up by name for each.
        """
        return {**self.globals, **(d or {})}


class Compiled(jinja2.BytecodeCache):
    """Keeps what templates were compiled to, for environments with the same settings and filters."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Give a template what it was compiled to; None if it never was."""
        bucket.code = self._kept.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what a template was compiled to."""
        if bucket.code is not None:
            self._kept[bucket.key, bucket.checksum] = bucket.code
