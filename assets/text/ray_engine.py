"""Encoding on a Ray cluster: an actor a core, each with the encoder open, fed by Ray Data.

The machines share nothing but the cluster: passages and the encoder's files travel through its object store,
and vectors come back to this process, which alone writes the cache. What an actor had in hand when it or its
machine died, Ray gives to another.
"""

import importlib
import importlib.util
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from assets.errors import BuildError
from assets.text.encoding import Batch, Encoded
from serving.encoder.config import CONFIG, MODEL, TOKENIZER
from serving.encoder.encoder import open_encoder


@dataclass(frozen=True, slots=True)
class RayEngine:
    """Encodes on all cores of a Ray cluster; see `EncodingEngine`.

    Attributes:
        batch: passages that one actor takes at once: seconds of work, beside which a message is little.
        address: of the cluster; `auto` is that of `RAY_ADDRESS`, or else the one that runs on this machine.
    """

    batch: int = 256
    address: str = "auto"

    def encoded(self, encoder: Path, batches: Iterable[Batch]) -> Iterator[Encoded]:
        """Yield the vectors of each batch, in the order in which they are finished.

        All batches are taken at once, into the object store, which puts on disk what is too much for it.

        Raises:
            BuildError: Ray is not installed, or there is no cluster.
        """
        blocks = [pa.table({"row": rows, "passage": passages}) for rows, passages in batches]
        if not blocks:
            return
        ray, data = _ray()
        with _connected(ray, self.address):
            files = ray.put({name: (encoder / name).read_bytes() for name in (MODEL, TOKENIZER, CONFIG)})
            cores = max(1, int(ray.cluster_resources().get("CPU", 1)))
            actors = min(cores, len(blocks))
            encoded = data.from_arrow(blocks).map_batches(
                _EncodingActor,
                fn_constructor_args=(files,),
                batch_format="pyarrow",
                # A pool that may shrink: with a machine gone, fewer actors than at first find a core.
                compute=data.ActorPoolStrategy(min_size=1, max_size=actors, initial_size=actors),
                num_cpus=1,
            )
            encoded.context.enable_progress_bars = False  # whoever watches is told by `embed`
            encoded.context.print_on_execution_start = False
            for block in encoded.iter_batches(batch_size=None, batch_format="pyarrow"):
                vectors = block.column("vector").combine_chunks()
                flat = vectors.flatten().to_numpy(zero_copy_only=False)
                yield Encoded(block.column("row").to_numpy(), flat.reshape(len(vectors), -1))


class _EncodingActor:
    """Encodes blocks of passages in one process of the cluster."""

    def __init__(self, files: object) -> None:
        ray, _ = _ray()
        contents: Mapping[str, bytes] = ray.get(files)
        with tempfile.TemporaryDirectory(prefix="encoder-") as folder:
            for name, content in contents.items():
                (Path(folder) / name).write_bytes(content)
            self._encoder = open_encoder(Path(folder))

    def __call__(self, block: pa.Table) -> pa.Table:
        vectors = self._encoder.encode_batch(block.column("passage").to_pylist()).astype(np.float16)
        column = pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), self._encoder.dimension)
        return pa.table({"row": block.column("row"), "vector": column})


def require_ray() -> None:
    """Raise an error where Ray is not installed.

    Raises:
        BuildError: it is not.
    """
    if importlib.util.find_spec("ray") is None:
        raise BuildError(
            "ENCODE_ENGINE=ray needs the extra `ray`: install requirements-ray.lock on all machines of the "
            "cluster."
        )


def _ray() -> tuple[Any, Any]:
    require_ray()
    return importlib.import_module("ray"), importlib.import_module("ray.data")


@contextmanager
def _connected(ray: Any, address: str) -> Iterator[None]:
    """Connect to the cluster, and leave it afterwards unless this process was connected before."""
    if ray.is_initialized():
        yield
        return
    try:
        ray.init(address=address, log_to_driver=False)
    except ConnectionError as error:
        raise BuildError(
            "There is no Ray cluster to encode on: name one in RAY_ADDRESS, or start one: `ray start --head`."
        ) from error
    try:
        yield
    finally:
        ray.shutdown()
