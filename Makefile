# The two commands for a fresh machine: `make demo` and `make test`. Both set everything up first, and both can be repeated.
# Needs only Python >= 3.11, make and the package index. All paths are relative, so that a folder with spaces in its name works.

BIN = .venv/bin
# Two workers: small machines are the rule. `make test JOBS=8` on a large one.
JOBS = 2

PORT = 8099

.PHONY: help setup setup-system local-model serve-model demo test lint types pytest format lock bench clean

help:
	@echo 'make demo          set up, then run the built-in team beside its baselines'
	@echo 'make test          set up, then lint, check types and run every test'
	@echo 'make setup         only the set-up: a complete .venv'
	@echo 'make setup-system  what tests need from the operating system'
	@echo 'make local-model   the weights of a small real model, for tests and examples/local-model'
	@echo 'make serve-model   serve that model on loopback (PORT=8099) until interrupted'
	@echo 'make lint types pytest   one part of make test alone'
	@echo 'make format        put the code into its standard form'
	@echo 'make lock          renew requirements.lock from pyproject.toml'
	@echo 'make bench         the speed tables of benchmarks/; takes several minutes'
	@echo 'make clean         remove .venv and caches'

setup:
	@sh tools/setup.sh

# Bubblewrap; later parts need a browser and a database server as well. What cannot be installed makes its tests skip with the
# reason, except with CI=1 or CI=true, where it fails.
setup-system:
	@sh tools/system.sh

# What cannot be had makes its tests skip with the reason.
local-model: setup
	@$(BIN)/python -m tools.local_model fetch || true

serve-model: setup
	@tail -f /dev/null | $(BIN)/python -m tools.local_model serve $(PORT)

demo: setup
	@$(BIN)/fairtrial demo

test: setup setup-system local-model
	@$(MAKE) lint types pytest

lint: setup
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .

types: setup
	$(BIN)/python -m mypy --strict src tests benchmarks tools

pytest: setup
	$(BIN)/python -m pytest -n $(JOBS)

format: setup
	$(BIN)/python -m ruff check --fix .
	$(BIN)/python -m ruff format .

# Universal: one lock for every Python from 3.11 on and every platform. No index address may appear in it.
lock:
	uv pip compile --quiet --universal --generate-hashes --python-version 3.11 --extra test \
		--no-emit-index-url --no-emit-find-links --custom-compile-command 'make lock' pyproject.toml -o requirements.lock

bench: setup
	@$(BIN)/python -m benchmarks.startup
	@$(BIN)/python -m benchmarks.baseline
	@$(BIN)/python -m benchmarks.bench_trials
	@$(BIN)/python -m benchmarks.bench_compare
	@$(BIN)/python -m benchmarks.bench_exam
	@$(BIN)/python -m benchmarks.bench_worlds
	@$(BIN)/python -m benchmarks.bench_judge
	@$(BIN)/python -m benchmarks.bench_models
	@$(BIN)/python -m benchmarks.bench_returns

clean:
	rm -rf .venv .venv.begun .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist
