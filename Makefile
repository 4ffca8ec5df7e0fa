# Everything the project does, on a machine with Python 3.11-3.13, make and git.
#   make install   .venv with the package and all its extras, at the versions of constraints.txt
#   make paper     reproduces the paper into results/paper
#   make studies   a taste of every study into results/studies
#   make docs      the documentation as a website into site/, without a network
#   make test      formatting, types, import directions and the tests
#   make test-all  the same with the slow tests too: all combinations, larger samples, every study
#   make dist      the wheel and the source archive, into dist
# Any of them may be the first command after a clone.

PYTHON ?= python3
JOBS ?= 2
MINUTES ?= 2
SEED ?= 0

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet install --constraint constraints.txt
# A file's tests share kernels and fixtures: one worker compiles and makes them once.
PYTEST := $(BIN)/python -m pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder
# The rooms that hold kernels or call them.
KERNEL_TESTS := tests/native tests/cgp tests/tgp tests/search tests/reference

# Programs that tests need and pip cannot bring, as command:apt-package or command:package+package.
TOOLS := berkeley-abc:berkeley-abc yosys:yosys iverilog:iverilog chromium:chromium \
  pdflatex:texlive-latex-base+texlive-pictures

# A package manager that is busy, as after a start of the machine, is waited for.
APT := apt-get -o DPkg::Lock::Timeout=600

.DEFAULT_GOAL := help
.PHONY: help install dev tools paper studies docs test test-all lint format test-bounds fuzz fuzz-atheris dist dist-check lock clean

help:
	@sed -n 's/^#   //p' Makefile

install: $(VENV)/.installed

dev: $(VENV)/.dev

# hatchling comes from the constraints too, so nothing is fetched unpinned to build the package.
$(VENV)/.installed: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' || \
	  { echo "$(PYTHON) is not Python 3.11, 3.12 or 3.13: say make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 2; }
	@test -x $(BIN)/pip || $(PYTHON) -m venv $(VENV) || \
	  { echo "$(PYTHON) cannot make environments: on Debian and Ubuntu, apt-get install python3-venv" >&2; exit 2; }
	@echo "installing Gatewalk into $(VENV)"
	@$(PIP) hatchling editables
	@$(PIP) --no-build-isolation --editable '.[all]'
	@touch $@

$(VENV)/.dev: $(VENV)/.installed
	@echo "installing the development tools into $(VENV)"
	@$(PIP) --no-build-isolation --editable '.[all,dev]'
	@touch $@

# Installs the programs of TOOLS that are missing, as root with apt; otherwise names them, and their tests are skipped.
tools:
	@for tool in $(TOOLS); do \
	  command -v "$${tool%%:*}" >/dev/null && continue; \
	  packages="$$(echo "$${tool##*:}" | tr + ' ')"; \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo "installing $$packages"; $(APT) update -q >/dev/null; \
	    DEBIAN_FRONTEND=noninteractive $(APT) install -y -q --no-install-recommends $$packages; \
	  else \
	    echo "$${tool%%:*} is missing, its tests are skipped: install $$packages" >&2; \
	  fi || exit; \
	done

paper: install
	$(BIN)/gatewalk paper --out results/paper

studies: install
	$(BIN)/gatewalk study run --all --quick --out results/studies

# Warnings are errors: a link that leads nowhere, a name that is not there.
docs: dev
	$(BIN)/python -m sphinx -W --keep-going --quiet -c docs -d build/doctrees -b html . site

test: lint tools
	$(PYTEST)

# An empty expression selects every mark.
test-all: lint tools
	$(PYTEST) -m ''

lint: dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The kernels' tests with every array access checked, in a cache of their own.
test-bounds: dev
	rm -rf $(VENV)/numba-bounds
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(VENV)/numba-bounds $(PYTEST) $(KERNEL_TESTS)

# Attacks on everything that reads a file or a command, MINUTES of each kind, with every array access checked.
fuzz: dev
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(VENV)/numba-bounds \
	  $(BIN)/python tests/fuzz/run.py --minutes $(MINUTES) --seed $(SEED)

# The same on the readers of circuits, guided by coverage; Atheris is installed for it.
fuzz-atheris: dev
	@$(BIN)/python -c 'import atheris' 2>/dev/null || \
	  $(BIN)/python -m pip --disable-pip-version-check --quiet install 'atheris>=3,<4'
	$(BIN)/python tests/fuzz/atheris_circuits.py -max_total_time=$$((60 * $(MINUTES))) -print_final_stats=1

# Without isolation: hatchling is that of the constraints.
dist: dev
	$(BIN)/python -m hatchling build --clean -d dist

# Downloads and installs the wheel with each extra into an environment of its own, as a user does; takes minutes.
dist-check: dist
	$(BIN)/python tests/support/released.py dist constraints.txt

# Newest versions that pyproject.toml allows, one version for all Pythons where there is one.
lock: dev
	$(BIN)/python -m pip --disable-pip-version-check --quiet install uv
	$(BIN)/uv pip compile --no-config --upgrade --universal --python-version 3.11 --fork-strategy fewest \
	  --all-extras --no-emit-index-url --no-emit-find-links --no-annotate --no-header --quiet \
	  --output-file constraints.txt pyproject.toml

clean:
	rm -rf $(VENV) dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find src tests \( -name '*.nb[ic]' -o -name '*.pyc' \) -delete
