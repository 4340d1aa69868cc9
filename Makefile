# Every target sets up what it needs by itself.
PYTHON ?= python3
BIN := .venv/bin
PORT ?= 8000
WORKERS ?= 2

.PHONY: setup run test test-hard check bench messages lock clean

CATALOGUES := $(patsubst %.po,%.mo,$(wildcard locale/*/LC_MESSAGES/*.po))

setup: .venv/.ready $(CATALOGUES)

.venv/.ready: requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; try make PYTHON=python3.12")'
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@touch $@

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

bench: setup
	$(BIN)/python -m benchmarks

messages: setup
	$(BIN)/python -m tests.support.messages
	@$(MAKE) --no-print-directory setup

lock: setup
	$(BIN)/uv pip compile -q pyproject.toml --extra dev --universal --generate-hashes -o requirements.lock

clean:
	rm -rf .venv staticfiles .mypy_cache .ruff_cache .pytest_cache
