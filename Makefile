# Every target sets up what it needs by itself.
PYTHON ?= python3
BIN := .venv/bin
PORT ?= 8000
WORKERS ?= 2

.PHONY: setup run test test-hard check bench try-model messages lock clean

CATALOGUES := $(patsubst %.po,%.mo,$(wildcard locale/*/LC_MESSAGES/*.po))

PIP_SAYS := --disable-pip-version-check --progress-bar off
PROGRESS := '/^ *(Collecting|Processing) / && ++n % 10 == 0 { print "  " n " packages fetched"; fflush() } \
	/^Installing/ { print "  putting them in place"; fflush() }'

setup: .venv/.ready $(CATALOGUES)

.venv/.ready: requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; try make PYTHON=python3.12")'
	@echo 'Setting up, once: a Python environment in .venv. It takes some minutes.'
	@rm -f $@
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@{ $(BIN)/python -m pip install $(PIP_SAYS) --require-hashes -r requirements.lock && touch $@; } | awk $(PROGRESS)
	@test -e $@

%.mo: %.po | .venv/.ready
	$(BIN)/python -m tests.support.compiling $< $@

run: setup
	PORT=$(PORT) $(BIN)/python manage.py serve

test: setup
	$(BIN)/python -m pytest -q -n $(WORKERS) --dist loadfile -m "not hard"

test-hard: setup
	$(BIN)/python -m pytest -q -m hard tests/hard

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/mypy .
	$(BIN)/python manage.py check
	$(BIN)/python manage.py makemigrations --check --dry-run

# A real model at LLM_BASE_URL reads invented cards; see the module for what can be chosen.
try-model: setup
	$(BIN)/python -m tests.support.try_model

bench: setup
	$(BIN)/python -m benchmarks

messages: setup
	$(BIN)/python -m tests.support.messages
	@$(MAKE) --no-print-directory setup

lock: setup
	$(BIN)/uv pip compile -q pyproject.toml --extra dev --universal --generate-hashes -o requirements.lock

clean:
	rm -rf .venv staticfiles .mypy_cache .ruff_cache .pytest_cache
