# The server alone: what requirements-serve.lock names, with hashes, run by nobody. Snapshots and accounts are mounted.
FROM python:3.11-slim-bookworm AS build
WORKDIR /build
COPY requirements-serve.lock ./
RUN python -m venv /opt/law \
 && /opt/law/bin/pip install --no-cache-dir --no-deps --require-hashes --requirement requirements-serve.lock
COPY pyproject.toml README.md LICENSE ./
COPY serving serving
RUN /opt/law/bin/pip install --no-cache-dir --no-deps --no-build-isolation . \
 && install --directory --owner=65534 --group=65534 --mode=0700 /accounts \
 && install --directory --owner=65534 --group=65534 --mode=0755 /pages \
 && install --directory --mode=0755 /snapshots

FROM python:3.11-slim-bookworm
COPY --from=build /opt/law /opt/law
COPY --from=build --chown=65534:65534 /accounts /accounts
COPY --from=build --chown=65534:65534 /pages /pages
COPY --from=build /snapshots /snapshots
ENV PATH=/opt/law/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    LAW_HOST=0.0.0.0 \
    LAW_PORT=8000 \
    LAW_SNAPSHOTS=/snapshots \
    LAW_PAGES=/pages \
    LAW_DATABASE_URL=sqlite:////accounts/accounts.sqlite
WORKDIR /tmp
USER 65534:65534
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["python", "-c", "import os, urllib.request; urllib.request.urlopen(f'http://127.0.0.1:{os.environ[\"LAW_PORT\"]}/health', timeout=4)"]
ENTRYPOINT ["lawctl"]
CMD ["serve"]
