# Set-up and every-day commands. `make help` lists them.

PYTHON ?= $(shell command -v python3.11 || command -v python3 || echo python3.11)
VENV ?= .venv
BIN := $(VENV)/bin
SNAPSHOTS ?= $(or $(LAW_SNAPSHOTS),snapshots)
WORKSPACE ?= $(or $(LAW_WORKSPACE),data)
# Where SNAPSHOTS is a URL, servers open the working copy.
SERVED := $(if $(findstring ://,$(SNAPSHOTS)),$(or $(LAW_SNAPSHOTS_CACHE),.cache/snapshots),$(SNAPSHOTS))
GUIDE ?= $(or $(LAW_GUIDE),guide)
BODIES ?= sample-code sample-city-code sample-city
HOST ?= 127.0.0.1
PORT ?= 8000
WORKERS ?= 2
SECONDS ?= 300
JOBS ?= 2
COVERED := $(addprefix tests/serving/,contract encoder http/resources services snapshot)
# Is HOST an address that only this machine reaches?
THIS_MACHINE := $(filter 127.% ::1 localhost,$(HOST))

export DAGSTER_HOME := $(CURDIR)
export LAW_SNAPSHOTS := $(SNAPSHOTS)
export LAW_WORKSPACE := $(WORKSPACE)
export DAGSTER_DISABLE_TELEMETRY := 1
# Images of containers often forbid bytecode: each of the processes of servers and tests would compile all modules anew.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help install run test coverage conformance ray cluster train train-ranker try-training storage storage-suite explore fuzz audit sbom snapshot serve dev bench bench-search evaluate docs lint format lock clean

help: ## say what each command does
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: $(VENV)/installed ## make the environment from requirements.lock

$(VENV)/installed: requirements.lock pyproject.toml serving/client/pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' 2>/dev/null \
	  || { echo "Python 3.11 is needed, and $(PYTHON) is not it; name it with make PYTHON=..."; exit 1; }
	@echo "Installing into $(VENV): one to three minutes"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation \
	  --editable . --editable serving/client
	@touch $@

run: install $(SERVED)/current.json $(GUIDE)/index.html ## build the sample if there is no snapshot yet, and serve it with a demo key
	@LAW_SNAPSHOTS=$(SERVED) $(BIN)/lawctl serve --host $(HOST) --port $(PORT) --workers $(WORKERS) \
	  $(if $(THIS_MACHINE),--demo-key)

$(SERVED)/current.json:
	@$(BIN)/lawbuild $(BODIES)
	@LAW_SNAPSHOTS=$(SERVED) LAW_HOST=$(HOST) LAW_PORT=$(PORT) $(BIN)/lawctl pages prepare

test: coverage ## run the whole test suite, in JOBS processes
	@$(BIN)/pytest --numprocesses=$(JOBS) --dist=loadfile $(addprefix --ignore=,$(COVERED))

# Apart from the rest: tracing slows down what other tests hold to bounds.
coverage: install ## run the tests of the server's pure rooms; fail where they run less of them than the floor in pyproject.toml
	@$(BIN)/pytest --numprocesses=$(JOBS) --dist=loadfile --cov --cov-report=term $(COVERED)

conformance: .cache/conformance/installed .cache/axe/installed ## install the official MCP conformance suite and axe, which tests run where they are there

.cache/conformance/installed: $(addprefix tests/serving/mcp/conformance/,package.json package-lock.json)
.cache/axe/installed: $(addprefix tests/serving/pages/axe/,package.json package-lock.json)
.cache/conformance/installed .cache/axe/installed:
	@mkdir -p $(@D)
	@cp $^ $(@D)
	@npm ci --prefix $(@D) --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

# A busy machine tries up to three times to start a node, a minute and more each time.
ray: install .cache/ray/installed ## test encoding on a Ray cluster of two nodes, with Ray installed aside
	@PYTHONPATH=$(CURDIR)/.cache/ray $(BIN)/pytest -o faulthandler_timeout=600 tests/assets/text/test_ray_engine.py

# Beside the environment: a quarter of a gigabyte that only hosts with ENCODE_ENGINE=ray need.
.cache/ray/installed: requirements-ray.lock | install
	@rm -rf .cache/ray
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes --target .cache/ray -r $<
	@touch $@

cluster: install .cache/cluster/installed ## test the pipeline on Kubernetes and PostgreSQL, with their libraries installed aside
	@PYTHONPATH=$(CURDIR)/.cache/cluster $(BIN)/pytest tests/deploy/test_pipeline_cluster.py

.cache/cluster/installed: requirements-cluster.lock | install
	@rm -rf .cache/cluster
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes --target .cache/cluster -r $<
	@touch $@

storage: install .cache/storage/installed ## test workspaces, snapshots and sources on S3, with its libraries and a server installed aside
	@PYTHONPATH=$(CURDIR)/.cache/storage $(BIN)/pytest tests/assets/storage tests/pipelines/test_storage.py tests/serving/mirror/test_object_storage.py

storage-suite: install .cache/storage/installed ## test the pipeline again, with its workspace and its snapshots on S3: a quarter of an hour
	@PYTHONPATH=$(CURDIR)/.cache/storage WORKSPACE_ON=s3 $(BIN)/pytest --numprocesses=$(JOBS) --dist=loadfile tests/pipelines

.cache/storage/installed: requirements-storage.lock requirements-s3.lock | install
	@rm -rf .cache/storage
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes --target .cache/storage \
	  -r requirements-storage.lock -r requirements-s3.lock
	@touch $@

train: install .cache/train/installed ## train the query encoder: half an hour and more (SNAPSHOT=folder)
	@PYTHONPATH=.cache/train $(BIN)/python -m tests.quality.query_encoder $(SNAPSHOT) \
	  --out datasets/encoder/query_tower.safetensors --checkpoint .cache/train/checkpoint.npz

train-ranker: install .cache/train/installed ## train the ranker of hybrid search: ten to thirty minutes (SNAPSHOT=folder, KEEP=ranker whose linear weights stay)
	@PYTHONPATH=.cache/train $(BIN)/python -m tests.quality.ranker $(SNAPSHOT) $(if $(KEEP),--keep $(KEEP)) --out serving/snapshot/ranker.json

try-training: install .cache/train/installed ## train the query encoder and the ranker for a minute, and see that they learn
	@PYTHONPATH=$(CURDIR)/.cache/train $(BIN)/pytest tests/quality/query_encoder tests/quality/ranker

# Beside the environment, not in it: only who trains needs it.
.cache/train/installed: requirements-train.lock | install
	@rm -rf .cache/train
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes --target .cache/train -r $<
	@touch $@

explore: install ## run the property tests on examples that no run has seen
	@$(BIN)/pytest --hypothesis-profile=explore -m "hypothesis"

fuzz: install .cache/fuzz/installed ## send inputs that no run has seen to all that takes bytes from anybody, for SECONDS in all
	@PYTHONPATH=$(CURDIR)/.cache/fuzz FUZZ_SECONDS=$(SECONDS) $(BIN)/pytest tests/fuzz

# Beside the environment: a compiler's library that no other command needs.
.cache/fuzz/installed: requirements-fuzz.lock | install
	@rm -rf .cache/fuzz
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes --target .cache/fuzz -r $<
	@touch $@

snapshot: install ## build and publish BODIES="us-usc=PATH dc-code=PATH" into SNAPSHOTS
	@$(BIN)/lawbuild $(BODIES)

serve: install ## serve the current snapshot of SNAPSHOTS on HOST:PORT with WORKERS processes
	@LAW_SNAPSHOTS=$(SERVED) $(BIN)/lawctl serve --host $(HOST) --port $(PORT) --workers $(WORKERS)

dev: install ## open the pipeline in the Dagster UI on port 3000
ifeq ($(THIS_MACHINE),)
ifneq ($(FOR_ALL),yes)
	@echo "Refused: the Dagster UI asks nobody to sign in, and whoever reaches $(HOST) could run its jobs and read its"
	@echo "files. Leave HOST out and come through a tunnel (ssh -L 3000:127.0.0.1:3000), or say FOR_ALL=yes."
	@exit 1
endif
	@echo "WARNING: the Dagster UI on $(HOST) port 3000 asks nobody to sign in: WHOEVER REACHES IT RUNS ITS JOBS." >&2
endif
	@mkdir -p .dagster
	@VIRTUAL_ENV="$(CURDIR)/$(VENV)" $(BIN)/dg dev --host $(HOST) --port 3000

bench: install ## measure readers, encoding and search beside their bare engines
	@$(BIN)/python -m tests.benchmarks

bench-search: install .cache/peers/installed ## measure search beside PostgreSQL, LanceDB and SQLite (SNAPSHOT=folder, PEERS=options)
	@PYTHONPATH=.cache/peers $(BIN)/python -m tests.benchmarks.peers $(SNAPSHOT) $(PEERS)

# Beside the environment, not in it: no test needs them, and no server may.
.cache/peers/installed: requirements-peers.lock | install
	@rm -rf .cache/peers
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes --target .cache/peers -r $<
	@touch $@

evaluate: install ## measure search on the evaluation set, over the current snapshot of SNAPSHOTS
	@$(BIN)/python -m tests.quality.evaluation \
	  "$(SERVED)/$$($(BIN)/python -c 'import json, sys; print(json.load(open(sys.argv[1]))["snapshot"])' $(SERVED)/current.json)"

docs: $(GUIDE)/index.html ## build the guide in docs/ as a site, which the server shows at /docs/guide

$(GUIDE)/index.html: mkdocs.yml deploy/guide_errors.py deploy/guide_pictures.py $(wildcard docs/*.css docs/*.js docs/*.md docs/*/*.md) | install
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet --site-dir $(GUIDE)

audit: .cache/audit/installed ## ask a database of vulnerabilities about what a server installs (needs the network)
	@.cache/audit/bin/python -m deploy.audit

.cache/audit/installed: requirements-audit.lock
	@$(PYTHON) -m venv .cache/audit
	@.cache/audit/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r $<
	@touch $@

sbom: install ## write the bill of materials of a server into sbom.cdx.json (CycloneDX)
	@$(BIN)/python -m deploy.sbom sbom.cdx.json

lint: install ## check style, types and import directions
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

format: install ## format the code
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

lock: ## resolve the lock files again (needs uv)
	@uv pip compile pyproject.toml --python 3.11 --extra build --extra mirror --extra traces --group dev --group model --generate-hashes \
	  --no-emit-index-url --no-header --quiet --output-file requirements.lock
	@uv pip compile pyproject.toml --python 3.11 --extra serve --group install --generate-hashes \
	  --constraints requirements.lock \
	  --no-emit-index-url --no-header --quiet --output-file requirements-serve.lock
	@uv pip compile --group pyproject.toml:audit --python 3.11 --generate-hashes \
	  --no-emit-index-url --no-header --quiet --output-file requirements-audit.lock
	@uv pip compile --group pyproject.toml:peers --python 3.11 --generate-hashes --constraints requirements.lock \
	  --no-emit-index-url --no-header --quiet --output-file requirements-peers.lock
	@uv pip compile --group pyproject.toml:train --python 3.11 --constraints requirements.lock --generate-hashes \
	  $$(sed -n 's/^\([a-z0-9][a-z0-9._-]*\)==.*/--no-emit-package \1/p' requirements.lock) \
	  --no-emit-index-url --no-header --quiet --output-file requirements-train.lock
	@uv pip compile --group pyproject.toml:fuzz --python 3.11 --generate-hashes \
	  --no-emit-index-url --no-header --quiet --output-file requirements-fuzz.lock
	@uv pip compile pyproject.toml --python 3.11 --extra ray --no-deps --generate-hashes \
	  --no-emit-index-url --no-header --quiet --output-file requirements-ray.lock
	@uv pip compile pyproject.toml --python 3.11 --extra cluster --constraints requirements.lock --generate-hashes \
	  $$(sed -n 's/^\([a-z0-9][a-z0-9._-]*\)==.*/--no-emit-package \1/p' requirements.lock) \
	  --no-emit-index-url --no-header --quiet --output-file requirements-cluster.lock
	@uv pip compile pyproject.toml --python 3.11 --extra storage --constraints requirements.lock \
	  --constraints requirements-cluster.lock --generate-hashes \
	  $$(sed -n 's/^\([a-z0-9][a-z0-9._-]*\)==.*/--no-emit-package \1/p' requirements.lock) \
	  --no-emit-index-url --no-header --quiet --output-file requirements-storage.lock
	@uv pip compile --group pyproject.toml:s3 --python 3.11 --constraints requirements.lock \
	  --constraints requirements-storage.lock --generate-hashes \
	  $$(sed -n 's/^\([a-z0-9][a-z0-9._-]*\)==.*/--no-emit-package \1/p' requirements.lock requirements-storage.lock) \
	  --no-emit-index-url --no-header --quiet --output-file requirements-s3.lock

clean: ## remove built tables, snapshots and caches, but neither accounts nor the environment
	@if [ -d "$(WORKSPACE)" ]; then \
	  find "$(WORKSPACE)/" -mindepth 1 -maxdepth 1 ! -name accounts -exec rm -rf {} +; fi
	@rm -rf $(SERVED) .dagster .cache
