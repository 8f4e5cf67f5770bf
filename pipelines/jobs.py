"""The jobs. They are apart because a run with a partition key would publish once a partition."""

import dagster as dg

CODE_BODY = ("encoder", "source_files", "provisions", "chunks", "embeddings", "accepted_tables")
TRIAL = ("source_files", "provisions")
ZONING_LAYER = ("layer_files", "zoning_layers", "accepted_layers")
PARTS = {
    # The encoder, too: what it is for queries comes with a release, and not with a code body.
    "make_indexes": ("encoder", "keyword_index", "vector_index", "question_index", "naics_table"),
    "make_answers": (
        "citation_index",
        "response_store",
        "zoning_answers",
        "coverage",
        "provider_comparison",
        "formation_prices",
    ),
    "judge_citations": ("citation_quality",),
    "make_bulk_files": ("bulk_files",),
    "publish_made": ("snapshot",),
}
"""Assets of the jobs that publish a snapshot together, by job."""
PUBLICATION = tuple(asset for assets in PARTS.values() for asset in assets)

PREVIEW = ("publication_preview",)

build_code_body = dg.define_asset_job(
    "build_code_body",
    selection=dg.AssetSelection.assets(*CODE_BODY),
    description="From the official files of one code body to tables that passed all checks.",
)

try_code_body = dg.define_asset_job(
    "try_code_body",
    selection=dg.AssetSelection.assets(*TRIAL),
    description="Read the official files of one code body and check what was read; nothing is accepted.",
)

build_zoning_layer = dg.define_asset_job(
    "build_zoning_layer",
    selection=dg.AssetSelection.assets(*ZONING_LAYER),
    description="From the polygons of one zoning layer to zones that passed all checks.",
)

check_law = dg.define_asset_job(
    "check_law_is_fresh",
    selection=dg.AssetSelection.checks(dg.AssetCheckKey(dg.AssetKey("accepted_tables"), "law_is_fresh")),
    description="Compare a code body with its publisher's newest known release; nobody is asked.",
)

check_map = dg.define_asset_job(
    "check_map_is_fresh",
    selection=dg.AssetSelection.checks(dg.AssetCheckKey(dg.AssetKey("accepted_layers"), "map_is_fresh")),
    description="Compare a zoning layer with its publisher's newest known release; nobody is asked.",
)

preview_publication = dg.define_asset_job(
    "preview_publication",
    selection=dg.AssetSelection.assets(*PREVIEW),
    description="Say what publish_snapshot would change of the snapshot in service; nothing is published.",
)

publish_snapshot = dg.define_asset_job(
    "publish_snapshot",
    selection=dg.AssetSelection.assets(*PUBLICATION),
    description="From the accepted code bodies and zoning layers, or those configured, to a snapshot.",
)

make_indexes = dg.define_asset_job(
    "make_indexes",
    selection=dg.AssetSelection.assets(*PARTS["make_indexes"]),
    description="Indexes and vectors of search for a snapshot: what `lawbuild` makes beside its answers.",
)

make_answers = dg.define_asset_job(
    "make_answers",
    selection=dg.AssetSelection.assets(*PARTS["make_answers"]),
    description="Citations, ready answers, coverage, zoning and free datasets of a snapshot.",
)

judge_citations = dg.define_asset_job(
    "judge_citations",
    selection=dg.AssetSelection.assets(*PARTS["judge_citations"]),
    description="Whether each citation leads to its provision, once the answers are made.",
)

make_bulk_files = dg.define_asset_job(
    "make_bulk_files",
    selection=dg.AssetSelection.assets(*PARTS["make_bulk_files"]),
    description="The files for download, once the answers are made.",
)

publish_made = dg.define_asset_job(
    "publish_made",
    selection=dg.AssetSelection.assets(*PARTS["publish_made"]),
    description="From parts that are made and passed their checks to a snapshot in service.",
)
