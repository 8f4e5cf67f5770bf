"""Facets: whatever the number of values, the frequent ones are counted."""

import tantivy

from serving.contract import indexes
from serving.snapshot.facets import ValueCount, count_facets

TAGS = 3_000


def test_a_frequent_value_is_counted_wherever_the_alphabet_puts_it() -> None:
    builder = tantivy.SchemaBuilder()
    for field in (indexes.JURISDICTION, indexes.CODE_BODY, indexes.LEVEL, indexes.TAG):
        builder.add_text_field(field, tokenizer_name="raw", fast=True)
    index = tantivy.Index(builder.build())
    writer = index.writer(heap_size=15_000_000, num_threads=1)
    for number in range(TAGS):
        tags = [f"title_{number:05}", *(["zoning"] if number % 3 == 0 else [])]
        writer.add_document(
            tantivy.Document(jurisdiction=["us"], code_body=["b"], level=["section"], tag=tags)
        )
    writer.commit()
    index.reload()
    facets = count_facets(index.searcher(), tantivy.Query.all_query())
    assert facets.level == (ValueCount("section", TAGS),)
    assert (facets.tag[0], len(facets.tag)) == (ValueCount("zoning", TAGS // 3), TAGS + 1)
