"""Features of the learned ranking, by the names that a ranker's file has for them."""

FEATURES = (
    "one",
    "cosine",
    "cosine_gap",
    "echo_cosine",
    "semantic_place",
    "asked_lead",
    "asked_five",
    "relevance",
    "relevance_gap",
    "keyword_place",
    "held",
    "in_heading",
    "heading_share",
    "in_citation",
    "pairs",
    "named_place",
    "named_kind",
    "named_act",
    "beside_named",
    "like_lead",
    "is_section",
    "cited",
    "is_definition",
    "is_boilerplate",
    "is_statement",
    "is_administrative",
)
"""Of one provision for one query; docs/decisions/search-ranking.md says what each is. `one` is always 1:
it sets the level of the scores, not their order."""

QUERY_FEATURES = ("one", "asks", "best_cosine", "best_held")
"""Of the query: what sets the weights of the others. `one` is always 1."""

OF_GIVEN_LAW = ("in_citation", "named_act", "beside_named", "like_lead")
"""Features of a provision that are 0 for all of them unless the query cites, numbers or names law."""

NETWORK_INPUTS = (*(name for name in FEATURES[1:] if name not in OF_GIVEN_LAW), *QUERY_FEATURES[1:])
"""Inputs of the ranker's network, which scores for queries without such law: all but those and `one`."""
