# Works in a path with spaces: every path below is relative to this folder.
# install:    OKSTRA_HOME=<dir>, or PREFIX=<dir> (with DESTDIR=<dir> before it), is the place.
# test:       TESTS='tests/bats/install.bats tests/python' runs only those.

PYTHON = python3
PY = venv/bin/python3
IN_TREE = OKSTRA_PYTHON="$$PWD/venv/bin/python3"
PLACE = if [ -n '$(PREFIX)' ]; then OKSTRA_HOME='$(DESTDIR)$(PREFIX)'; export OKSTRA_HOME; fi

help:
	@printf '%s\n' \
	  'make install       install okstra for yourself (again: upgrade)' \
	  'make uninstall     remove it; records and edited files stay' \
	  'make demo          watch a planted defect being found, offline' \
	  'make check         lint, then test: what CI runs' \
	  'make lint          style, types, shell scripts, generated pages' \
	  'make test          all tests' \
	  'make bench         what commands cost, beside the goals' \
	  'make faults        the long series of kills and full disks' \
	  'make test-real-cli the real AI CLIs against a scripted model' \
	  'make docs          write docs/commands.md anew'

install:
	@$(PLACE); ./install.sh

uninstall:
	@$(PLACE); ./install.sh --uninstall

check: lint test

test: venv/.made
	@$(IN_TREE) tests/run $(TESTS)

lint: venv/.made
	@$(IN_TREE) tests/lint

bench: venv/.made
	@$(IN_TREE) $(PY) bench/run.py $(BENCHES)

demo: venv/.made
	@$(IN_TREE) bin/okstra demo

faults: venv/.made
	@$(RUN) tests/faults/run

test-real-cli: venv/.made
	@$(RUN) tests/real_cli/run

docs: venv/.made
	@$(IN_TREE) $(PY) docs/generate_commands.py

# Runs a program of the tree, or says that it is not there.
RUN = run() { [ -x "$$1" ] || { echo "make: $$1 is not built yet" >&2; exit 1; }; $(IN_TREE) "$$1"; }; run

venv/.made: requirements.txt requirements-dev.txt
	@rm -f venv/.made
	@tests/make-venv $(PYTHON)
	@: >venv/.made

.PHONY: help install uninstall check test lint bench demo faults test-real-cli docs
