"""The code location: it loads, and every asset and check tells a person what it is."""

import dagster as dg
import pytest

from assets import vocabulary
from pipelines.definitions import defs
from pipelines.jobs import CODE_BODY, PREVIEW, PUBLICATION, TRIAL, ZONING_LAYER
from serving.contract.records import CHUNKS, PROVISIONS

DEFINITIONS = defs()
SPECS = sorted(DEFINITIONS.resolve_all_asset_specs(), key=lambda spec: spec.key)
CHECKS = list(DEFINITIONS.resolve_asset_graph().asset_check_keys)


def test_definitions_load() -> None:
    dg.Definitions.validate_loadable(DEFINITIONS)


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.key.to_user_string())
def test_an_asset_says_what_it_is_and_whose(spec: dg.AssetSpec) -> None:
    assert spec.description
    assert spec.tags.get("domain") in vocabulary.DOMAINS
    assert spec.owners == [f"team:{spec.tags['domain']}"]
    assert spec.kinds
    assert spec.kinds <= set(vocabulary.KINDS)
    assert spec.group_name in vocabulary.GROUPS


def test_tables_have_their_columns() -> None:
    schemas = {spec.key.to_user_string(): spec.metadata.get("dagster/column_schema") for spec in SPECS}
    for name, schema in (("provisions", PROVISIONS), ("chunks", CHUNKS), ("accepted_tables", PROVISIONS)):
        shown = schemas[name]
        assert isinstance(shown, dg.TableSchema)
        assert [column.name for column in shown.columns] == schema.names


def test_every_check_has_a_description() -> None:
    graph = DEFINITIONS.resolve_asset_graph()
    assert len(CHECKS) >= 15
    for key in CHECKS:
        assert graph.get_check_spec(key).description, key


def test_only_warnings_do_not_block() -> None:
    graph = DEFINITIONS.resolve_asset_graph()
    lenient = {key.name for key in CHECKS if not graph.get_check_spec(key).blocking}
    assert lenient == {
        *("nothing_is_missing", "coverage_does_not_shrink"),
        *("facts_are_fresh", "charges_are_fresh", "law_is_fresh", "map_is_fresh"),
        *("zones_are_linked", "overlaps_are_small", "second_file_agrees", "polygons_are_whole"),
        *("headings_fit_their_status", "identifiers_are_complete", "instructions_were_applied"),
        "sections_are_found_by_number",
        *("publishers_links_hold", "ranges_are_unfolded", "no_zone_is_spelled_twice"),
    }


def test_the_jobs_hold_every_asset_between_them() -> None:
    assert {spec.key.to_user_string() for spec in SPECS} == {
        *(*CODE_BODY, *ZONING_LAYER, *PUBLICATION, *PREVIEW)
    }


def test_a_trial_reads_what_a_build_reads_and_stops_there() -> None:
    assert CODE_BODY[1:3] == TRIAL


def test_code_bodies_and_layers_are_the_partitions() -> None:
    partitioned = {spec.key.to_user_string() for spec in SPECS if spec.partitions_def is not None}
    assert partitioned == (set(CODE_BODY) - {"encoder"}) | set(ZONING_LAYER)
    layers = DEFINITIONS.resolve_assets_def("zoning_layers").partitions_def
    assert layers is not None
    assert {"ca-san-mateo", "il-chicago", "sample-city"} <= set(layers.get_partition_keys())
    keys = DEFINITIONS.resolve_assets_def("provisions").partitions_def
    assert keys is not None
    assert {"us-usc", "dc-code", "sample-code"} <= set(keys.get_partition_keys())


def test_groups_hang_behind_each_other_one_way() -> None:
    group_of = {spec.key: vocabulary.GROUPS.index(spec.group_name or "") for spec in SPECS}
    for spec in SPECS:
        for above in spec.deps:
            assert group_of[above.asset_key] <= group_of[spec.key], (above.asset_key, spec.key)
