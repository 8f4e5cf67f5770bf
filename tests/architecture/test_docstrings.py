"""Docstrings open with a verb or a noun, not with a question word."""

import ast
import re
from collections.abc import Iterator

import pytest

from tests.architecture.modules import lies_in, modules

ROOMS = {"assets", "legal_client", "pipelines", "serving"}
"""Packages in which the rule holds."""

_QUESTION = re.compile(r"(?:How|What|When|Where|Whether|Which|Who|Whom|Whose|Why)\b")


def described(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield all strings that stand alone as statements, as docstrings of attributes do too, with their lines."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            yield node.lineno, node.value.value


@pytest.mark.parametrize("room", sorted(ROOMS))
def test_no_docstring_opens_with_a_question_word(room: str) -> None:
    asking = [
        f"{path}:{line}: {text.splitlines()[0]}"
        for name, path in modules()
        if lies_in(name, {room})
        for line, text in described(ast.parse(path.read_text(encoding="utf-8")))
        if _QUESTION.match(text)
    ]
    assert not asking
