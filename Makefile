# make run     start coop on a pretend agent and say where to look     (needs Python 3.11+ and make)
# make test    everything the gate runs                                (sets itself up)
# make live    the real agents, offline, in a network namespace       (LIVE=tests/live/codex: some of them)
# make check   formatting, lint, types, import contracts
# make bench   peers side by side → docs/evidence/bench.md
# make evidence  campaigns and benchmarks at full count → docs/evidence/

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
NODE   := .cache/node
LIVE   ?= tests/live
# These rows mostly wait: one more of them at once than there are cores.
LANES  ?= $(shell echo $$(( $$(getconf _NPROCESSORS_ONLN) + 1 )))
SHELL  := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

.PHONY: help setup setup-dev deps run test check fast live bench evidence lock clean

help:
	@sed -n 's/^# \(make .*\)/\1/p' Makefile

setup: $(VENV)/.ready
setup-dev: $(VENV)/.ready-dev

$(VENV)/.ready: requirements/run.txt pyproject.toml proto/coop/v1/coop.proto scripts/hatch_build.py scripts/make-venv
	@scripts/make-venv $(PYTHON) $(VENV) requirements/run.txt
	@touch $@

$(VENV)/.ready-dev: requirements/dev.txt $(VENV)/.ready
	@echo "setting up the development tools…"
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements/dev.txt
	@touch $@

$(NODE)/.ready: tests/node/package.json tests/node/package-lock.json
	@scripts/install-node-tools tests/node $(NODE)
	@touch $@

deps:
	@scripts/install-deps
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory $(NODE)/.ready; fi

run: setup
	@exec $(BIN)/python -m coop_sim.demo

check: setup-dev deps
	@$(BIN)/ruff format --check --quiet . && echo "ruff format   ok"
	@$(BIN)/ruff check --quiet . && echo "ruff check    ok"
	@$(BIN)/lint-imports --no-logo >.cache/imports.log 2>&1 && echo "import-linter ok" || { cat .cache/imports.log; exit 1; }
	@$(BIN)/mypy --no-error-summary && echo "mypy strict   ok"
	@if [ -x $(NODE)/node_modules/.bin/pyright ]; then $(NODE)/node_modules/.bin/pyright --pythonpath $(BIN)/python >.cache/pyright.log && echo "pyright       ok" || { cat .cache/pyright.log; exit 1; }; \
	elif [ "$${CI:-}" = true ]; then echo "pyright needs npm, which is missing"; exit 1; else echo "pyright       skipped: needs npm"; fi

fast: setup-dev
	@$(BIN)/pytest -q tests/unit tests/playbooks tests/properties

live: setup-dev
	@scripts/install-live-agents tests/live >/dev/null
	@scripts/run-tests $(BIN)/python -m coop.testing.isolated $(BIN)/pytest -n $(LANES) --dist worksteal $(LIVE)

test: check
	@scripts/run-tests $(BIN)/pytest --ignore=tests/live
	@$(MAKE) --no-print-directory live

bench: setup-dev deps
	@$(BIN)/python -m bench

evidence: setup-dev deps
	@scripts/install-live-agents tests/live >/dev/null
	@$(BIN)/python -m bench.evidence

lock:
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --group build pyproject.toml -o requirements/run.txt
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --group build --group dev -c requirements/run.txt pyproject.toml -o requirements/dev.txt

clean:
	rm -rf $(VENV) .cache dist build src/coop/terminal/_ghostty_abi.py src/coop/v1
