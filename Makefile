# Every target sets up what it needs; on a fresh machine Python, git and make are enough.
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
WORKERS ?= auto
CORPORA ?= ../shared/corpora
# Processes that tests start load compiled modules, also where bytecode is switched off.
export PYTHONDONTWRITEBYTECODE :=
DEV_TOOLS := pytest pytest-xdist hypothesis pandas polars mpmath
BROWSERS := chromium chromium-browser google-chrome

.PHONY: help demo test test-minimums test-newest test-wheel test-elsewhere browser java check slow mutants fuzz bench example bench-pymc bench-baycomp bench-peers docs clean

help:
	@echo "demo   compare two made-up spam filters and show what comes out"
	@echo "test   the test-suite (five minutes on two cores)"
	@echo "test-minimums  a part of it with the lowest versions of packages that we admit"
	@echo "test-newest  the same with the newest, on every Python that there is"
	@echo "test-wheel  every command of the built package, without extras"
	@echo "test-elsewhere  the test-suite in another order, without rights of root, without a network"
	@echo "check  style, types, layers, spelling"
	@echo "slow   calibration by simulation (up to an hour)"
	@echo "mutants  plant bugs one by one and see that the tests notice (ten minutes)"
	@echo "fuzz   damaged inputs of every format (SECONDS=600)"
	@echo "bench  speed, as ratios to something run beside it (five minutes)"
	@echo "bench-pymc  the same beside PyMC, installed in .venv-pymc (minutes)"
	@echo "bench-baycomp  scores beside baycomp, installed in .venv-baycomp (an hour)"
	@echo "bench-peers  the same questions asked of peers, installed in .venv-peers (minutes)"
	@echo "example  a study: make example NAME=taggers CORPORA=../shared/corpora"
	@echo "docs   build the documentation, warnings as errors"

$(VENV)/python-made:
	@test -n "$(PYTHON)" || { echo "likelier needs Python 3.11 or newer" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV) || { apt-get update && apt-get install -y python3-venv && $(PYTHON) -m venv $(VENV); }
	touch $@

$(VENV)/run-installed: $(VENV)/python-made pyproject.toml constraints.txt
	$(PIP) install -c constraints.txt -e .
	touch $@

$(VENV)/dev-installed: $(VENV)/run-installed
	$(PIP) install -c constraints.txt -e '.[dev]'
	touch $@

$(VENV)/nuts-installed: $(VENV)/dev-installed
	$(PIP) install -c constraints.txt -e '.[nuts]'
	touch $@

$(VENV)/spark-installed: $(VENV)/dev-installed
	$(PIP) install -c constraints.txt -e '.[spark]'
	touch $@

$(VENV)/docs-installed: $(VENV)/run-installed
	$(PIP) install -c constraints.txt -e '.[docs]'
	touch $@

$(VENV)/examples-installed: $(VENV)/run-installed
	$(PIP) install -c constraints.txt -e '.[examples]'
	touch $@

demo: $(VENV)/run-installed
	$(BIN)/likelier demo demo

# Tests of the report in a browser are left out where there is none to be had.
browser:
	@for name in $(BROWSERS); do command -v $$name >/dev/null && exit 0; done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update && DEBIAN_FRONTEND=noninteractive \
		apt-get install -y --no-install-recommends chromium fonts-dejavu-core \
		|| echo "Chromium could not be installed" >&2; \
	else \
		echo "there is no Chromium: install it to test the report in a browser" >&2; \
	fi

# Spark counts in Java; its tests are left out where there is none to be had.
java:
	@command -v java >/dev/null && exit 0; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update && DEBIAN_FRONTEND=noninteractive \
		apt-get install -y --no-install-recommends default-jre-headless \
		|| echo "Java could not be installed" >&2; \
	else \
		echo "there is no Java: install it to test data frames of Spark" >&2; \
	fi

# One thread of linear algebra per worker: more of them wait for each other.
test: export OPENBLAS_NUM_THREADS := 1
test: $(VENV)/dev-installed browser
	$(BIN)/python -m pytest -q -n $(WORKERS) --dist loadgroup

# A user and a network of their own, where Linux lets us have them: no rights of root,
# and nothing to reach but this machine.
ORDER ?= $(shell date +%s)
test-elsewhere: export OPENBLAS_NUM_THREADS := 1
test-elsewhere: $(VENV)/dev-installed browser
	@echo "to repeat this order: make test-elsewhere ORDER=$(ORDER)"; \
	set -- $(BIN)/python -m pytest -q -n $(WORKERS) --dist loadgroup --shuffle $(ORDER); \
	if unshare --user --map-root-user --net ip link set lo up; then \
		unshare --user --map-root-user --net sh -c \
		'ip link set lo up; exec unshare --user --map-user=1000 "$$@"' sh "$$@"; \
	else \
		echo "there is no unshare or ip: as this user, with its network" >&2; "$$@"; \
	fi

check: $(VENV)/dev-installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell src tests docs benchmarks README.md CHANGELOG.md CONTRIBUTING.md

# The lowest versions that pyproject.toml admits, and the newest ones that there are.
LOWEST = $$(sed -n 's/^ *"\([a-z0-9-]*\)>=\([0-9.]*\)",$$/\1==\2/p' pyproject.toml) scikit-learn==1.6.1 sacrebleu==2.4.0 jiwer==4.0.0
FAST := tests/cli/test_compare.py tests/cli/test_rank.py tests/cli/test_study_run.py \
	tests/cli/test_long_tables.py tests/cli/test_doctor.py tests/plots/test_figures.py \
	tests/plots/test_rank_diagrams.py tests/report/test_html_page.py \
	tests/readers/test_reader.py tests/readers/test_frames.py tests/test_imports.py \
	tests/metrics/test_definitions.py

# Relations of DuckDB with quotes in the names of columns need DuckDB 2.
test-minimums:
	$(PYTHON) -m venv .venv-minimums
	.venv-minimums/bin/python -m pip --quiet --disable-pip-version-check install \
		$(LOWEST) -e . $(DEV_TOOLS)
	.venv-minimums/bin/python -m pytest -q -n $(WORKERS) -W default -k 'not duckdb' $(FAST)

test-newest:
	for python in python3.11 python3.12 python3.13; do \
		$$python -c "" 2>/dev/null || continue; \
		$$python -m venv --clear .venv-newest || exit 1; \
		.venv-newest/bin/python -m pip --quiet --disable-pip-version-check install \
			-e '.[sklearn,text]' $(DEV_TOOLS) || exit 1; \
		.venv-newest/bin/python -m pytest -q -n $(WORKERS) -W default $(FAST) || exit 1; \
	done

# The wheel alone, made from the source distribution, in an environment of its own.
test-wheel: $(VENV)/dev-installed
	rm -rf dist .venv-wheel
	$(PIP) install build
	$(BIN)/python -m build --outdir dist .
	$(PYTHON) -m venv .venv-wheel
	.venv-wheel/bin/python -m pip --quiet --disable-pip-version-check install dist/*.whl
	.venv-wheel/bin/python tests/packages/wheel.py

slow: $(VENV)/nuts-installed $(VENV)/spark-installed java
	$(BIN)/python -m pytest -q -s -m slow -n $(WORKERS) --dist loadfile tests/slow

mutants: $(VENV)/dev-installed
	$(BIN)/python tests/mutants/run.py

# Damaged inputs of every format; what fails is kept in build/fuzz.
SECONDS ?= 600
fuzz: export OPENBLAS_NUM_THREADS := 1
fuzz: $(VENV)/dev-installed
	$(BIN)/python -m tests.fuzz.run --seconds $(SECONDS)

bench: $(VENV)/dev-installed
	$(BIN)/python benchmarks/bench.py

example: $(VENV)/examples-installed
	$(BIN)/likelier study run examples/$(NAME)/study.toml $(if $(shell grep -l '{corpora}' examples/$(NAME)/study.toml),--let corpora=$(abspath $(CORPORA)))

bench-pymc: $(VENV)/dev-installed
	$(BIN)/python benchmarks/pymc_model.py

bench-baycomp: $(VENV)/dev-installed
	$(BIN)/python benchmarks/baycomp_beside.py

bench-peers: $(VENV)/run-installed
	$(BIN)/python benchmarks/peers.py

docs: $(VENV)/docs-installed
	$(BIN)/python docs/_ext/house.py
	$(BIN)/python docs/_ext/gallery.py
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

clean:
	rm -rf $(VENV) .venv-minimums .venv-newest .venv-wheel dist .venv-pymc .venv-baycomp .venv-peers docs/_build docs/cli demo .pytest_cache .mypy_cache .ruff_cache .hypothesis
