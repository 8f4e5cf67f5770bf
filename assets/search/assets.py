"""Assets of the search stage: the keyword index and the vector index over all code bodies."""

import dagster as dg

from assets.progress import Progress, counted
from assets.search.keyword import build_keyword_index
from assets.search.questions import build_question_index, load_questions
from assets.search.vector import build_vector_index
from assets.selection.config import PublicationConfig, selection_of
from assets.vocabulary import SEARCH, owners
from assets.workspace import Workspace, replacing
from serving.encoder.config import query_folder
from serving.encoder.encoder import open_encoder


@dg.asset(
    deps=["accepted_tables"], group_name="search", kinds={"tantivy"}, owners=owners(SEARCH), tags=SEARCH
)
def keyword_index(
    config: PublicationConfig,
    workspace: dg.ResourceParam[Workspace],
    progress: dg.ResourceParam[Progress],
) -> dg.MaterializeResult[None]:
    """Index every provision's citation, headings, context and text for keyword search."""
    selection = selection_of(config, workspace)
    with (
        progress.stage("keyword index", "provisions") as advance,
        replacing(workspace.artefact("keyword_index")) as folder,
    ):
        counts = build_keyword_index(selection, folder, progress=counted(advance, len(selection)))
    return dg.MaterializeResult(
        metadata={"dagster/row_count": counts["documents"], "segments": counts["segments"]}
    )


@dg.asset(
    deps=["accepted_tables"],
    group_name="search",
    kinds={"lancedb", "faiss"},
    owners=owners(SEARCH),
    tags=SEARCH,
)
def vector_index(
    config: PublicationConfig,
    workspace: dg.ResourceParam[Workspace],
    progress: dg.ResourceParam[Progress],
) -> dg.MaterializeResult[None]:
    """Index every chunk's vector for search by meaning."""
    selection = selection_of(config, workspace)
    chunks = selection.chunks.num_rows
    with (
        progress.stage("vector index", "vectors") as advance,
        replacing(workspace.artefact("vector_index")) as folder,
    ):
        counts = build_vector_index(selection, folder, progress=counted(advance, chunks))
    return dg.MaterializeResult(
        metadata={
            "dagster/row_count": counts["vectors"],
            "dimension": counts["dimension"],
            "index": _index_of(counts["lists"]),
        }
    )


@dg.asset(
    deps=["accepted_tables", "encoder"],
    group_name="search",
    kinds={"file"},
    owners=owners(SEARCH),
    tags=SEARCH,
)
def question_index(
    config: PublicationConfig,
    workspace: dg.ResourceParam[Workspace],
    progress: dg.ResourceParam[Progress],
) -> dg.MaterializeResult[None]:
    """Give each provision that people ask for the vectors of questions that it answers."""
    selection = selection_of(config, workspace)
    with (
        progress.stage("question index", "new questions") as advance,
        replacing(workspace.artefact("question_index")) as folder,
    ):
        counts = build_question_index(
            selection,
            folder,
            questions=load_questions(workspace.questions),
            encoder=open_encoder(query_folder(workspace.encoder)),
            cache=workspace.embedding_cache,
            progress=advance,
        )
    return dg.MaterializeResult(
        metadata={"dagster/row_count": counts["questions"], "provisions asked for": counts["asked"]}
    )


def _index_of(lists: int) -> str:
    return f"short codes in {lists} lists" if lists else "none: every vector is compared"
