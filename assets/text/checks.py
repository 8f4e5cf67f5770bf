"""Checks of the text stage."""

from assets.checking import body_check
from assets.findings import Verdict
from assets.registry import CodeBody
from assets.text.assets import chunks, embeddings
from assets.text.lineage import text_rules
from assets.text.tables import read_accepted, read_chunks, read_embeddings, read_provisions
from assets.text.validate import check_coverage, check_token_bound, check_vectors
from assets.workspace import Workspace
from serving.encoder.config import load_config
from serving.encoder.encoder import open_encoder


def chunks_cover_texts(workspace: Workspace, body: CodeBody) -> Verdict:
    """Look at the chunks of each text in order."""
    provisions = read_provisions(workspace, body.key, ["node_id", "text", "citable"])
    return check_coverage(provisions, read_chunks(workspace, body.key))


def chunks_fit_the_encoder(workspace: Workspace, body: CodeBody) -> Verdict:
    """Tokenise what is encoded once more, save for chunks that passed before."""
    encoder = open_encoder(workspace.encoder)
    before = read_accepted(workspace, body.key, text_rules(encoder.sha256))
    return check_token_bound(
        read_provisions(workspace, body.key, ["node_id", "text"]),
        read_chunks(workspace, body.key),
        encoder.tokenizer,
        known=None if before is None else before.chunks,
    )


def embeddings_are_unit_vectors(workspace: Workspace, body: CodeBody) -> Verdict:
    """Look at shape, finiteness and length of all vectors."""
    return check_vectors(
        read_embeddings(workspace, body.key),
        chunks=read_chunks(workspace, body.key).num_rows,
        dimension=load_config(workspace.encoder).dimension,
    )


CHECKS = [
    body_check(
        chunks,
        chunks_cover_texts,
        description="The chunks of every provision cover its text from end to end, without gap or overlap.",
    ),
    body_check(
        chunks,
        chunks_fit_the_encoder,
        description="No chunk with its context is longer than the encoder reads.",
    ),
    body_check(
        embeddings,
        embeddings_are_unit_vectors,
        description="There is one finite vector of length 1 for every chunk.",
    ),
]
