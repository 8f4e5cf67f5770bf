"""Jinja's environment as pages use it: whatever a template puts out is escaped, and as cheaply as may be.

A page of law puts out some seventy values. `markupsafe.escape` wraps each in an object that tells it from
text which is not escaped yet. Nobody asks that of what is joined to a page at once.
"""

import re
from typing import Any

import jinja2
from jinja2 import nodes
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
