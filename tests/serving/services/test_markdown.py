"""Escaping law for Markdown."""

import re

import pytest

from serving.services.markdown import escape


@pytest.mark.parametrize(
    ("law", "escaped"),
    [
        ("[(5)](A) After receiving", r"[(5)]\(A) After receiving"),
        ("[Note]: the rule", r"[Note]\: the rule"),
        ("the symbol *M*, or Ⓜ", r"the symbol \*M\*, or Ⓜ"),
        ("* * * * *", r"\* \* \* \* \*"),
        ("Name\n____\nTitle", "Name\n\\_\\_\\_\\_\nTitle"),
        ("the term `transfer`", r"the term \`transfer\`"),
        ("if x <b and y < c", r"if x \<b and y < c"),
        ("AT&amp;T & Co.", r"AT\&amp;T & Co."),
        (
            "a\n# one\n- two\n+ three\n> four\n---\n===",
            "a\n\\# one\n\\- two\n\\+ three\n\\> four\n\\---\n\\===",
        ),
        ("1. To reduce\n2) To keep\n1.5 percent", "1\\. To reduce\n2\\) To keep\n1.5 percent"),
        ("~~struck~~ \\", r"\~\~struck\~\~ \\"),
    ],
)
def test_what_markdown_would_read_as_markup_is_escaped(law, escaped):
    assert escape(law) == escaped
    assert re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", escaped) == law, "reading the escapes gives the law"


@pytest.mark.parametrize(
    "law", ["(a)(1) The Mayor [Repealed] may — §§ 1-101 and 2.", "“Quoted”\n(A) 5% - 10%", "3002(c) | $5"]
)
def test_plain_law_stays_as_it_is(law):
    assert escape(law) == law
