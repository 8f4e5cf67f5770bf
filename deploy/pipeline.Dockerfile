# The pipeline with Dagster's webserver and daemon: what requirements.lock names, with hashes, run by nobody. Snapshots,
# tables and Dagster's own records are mounted. On Kubernetes (deploy/kubernetes/pipeline.yaml) it is the runs' image too.
FROM python:3.11-slim-bookworm AS build
WORKDIR /build
COPY requirements.lock requirements-cluster.lock requirements-storage.lock ./
RUN python -m venv /opt/law \
 && /opt/law/bin/pip install --no-cache-dir --no-deps --require-hashes --requirement requirements.lock \
    --requirement requirements-cluster.lock --requirement requirements-storage.lock
COPY pyproject.toml README.md LICENSE ./
COPY pipelines pipelines
COPY assets assets
COPY serving serving
RUN /opt/law/bin/pip install --no-cache-dir --no-deps --no-build-isolation . \
 && install --directory --owner=65534 --group=65534 --mode=0755 /dagster /tables /snapshots

FROM python:3.11-slim-bookworm
# Connectors fetch what publishers have signed by git's own protocol.
RUN apt-get update && apt-get install --yes --no-install-recommends git && rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/law /opt/law
COPY --from=build --chown=65534:65534 /dagster /dagster
COPY --from=build --chown=65534:65534 /tables /tables
COPY --from=build --chown=65534:65534 /snapshots /snapshots
COPY datasets /opt/datasets
COPY dagster.yaml /dagster/dagster.yaml
ENV PATH=/opt/law/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    MPLCONFIGDIR=/tmp/matplotlib \
    DAGSTER_HOME=/dagster \
    DAGSTER_DISABLE_TELEMETRY=1 \
    LAW_DATASETS=/opt/datasets \
    LAW_WORKSPACE=/tables \
    LAW_SNAPSHOTS=/snapshots
# What dagster.yaml names by relative paths lies here.
WORKDIR /dagster
USER 65534:65534
EXPOSE 3000
STOPSIGNAL SIGTERM
CMD ["dagster-webserver", "--module-name", "pipelines.definitions", "--host", "0.0.0.0", "--port", "3000"]
