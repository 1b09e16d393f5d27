# make demo and make test need Python 3.11 or newer, a C++ compiler and make; they set up .venv by themselves.
PYTHON ?= python3
# A CPU build is enough; name another version here if your index has none of this one.
TORCH ?= torch==2.13.0
BIN := .venv/bin
CORE := $(shell find core bindings -type f) CMakeLists.txt pyproject.toml
WARNINGS := -C cmake.define.BUDGIE_WERROR=ON

.PHONY: demo test lint pytest bench bench-pos bench-seg bench-preorder clean

demo: .venv/base
	$(BIN)/budgie identify examples/languages.txt
	@echo
	$(BIN)/budgie identify --spans examples/mixed.txt
	@echo
	$(BIN)/budgie tag --lang en --format tsv --probabilities examples/sentences.txt
	$(BIN)/budgie segment --lang zh examples/chinese.txt
	@echo
	$(BIN)/budgie preorder --pair en-ja examples/english.txt
	@echo
	$(BIN)/budgie models

test: lint pytest

lint: .venv/dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror $$(find core bindings -name "*.?pp")

pytest: .venv/dev
	$(BIN)/python -m pytest

# Peers are installed into .peers, each into an environment of its own; see benchmarks/README.md.
bench: .venv/dev
	$(BIN)/python benchmarks/langid/run.py

# The same for taggers: see benchmarks/pos/README.md.
bench-pos: .venv/dev
	$(BIN)/python -m benchmarks.pos.run

# And for segmenters: see benchmarks/segmentation/README.md.
bench-seg: .venv/dev
	$(BIN)/python -m benchmarks.segmentation.run

# And for preorderers: see benchmarks/preordering/README.md.
bench-preorder: .venv/dev
	$(BIN)/python -m benchmarks.preordering.run

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/base: .venv/bin/python $(CORE)
	$(BIN)/pip install --quiet --editable .
	touch $@

.venv/dev: .venv/bin/python $(CORE)
	$(BIN)/pip install --quiet "$(TORCH)"
	$(BIN)/pip install --quiet --editable ".[dev]" $(WARNINGS)
	touch $@

clean:
	rm -rf .venv .peers build dist
