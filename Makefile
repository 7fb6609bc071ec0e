# What a person types. CMake and CTest stay usable directly: cmake --list-presets.
TLSMETER = build/release/src/tlsmeter
PREFIX ?= /usr/local
JOBS := $(shell nproc)

.PHONY: help run test build bench check fuzz coverage test-debian13 install clean

help: ## this list
	@sed -n 's/^\([a-z0-9-]*\):.*## /  make \1\t/p' Makefile | expand -t 24

run: build ## install what is missing, build, run the default plan, print and write the results
	@$(TLSMETER) run $(ARGS)

build: ## the program, in build/release
	@scripts/setup build
	@mkdir -p build
	@cmake --preset release >build/configure.log 2>&1 || { cat build/configure.log; exit 1; }
	@cmake --build --preset release -j $(JOBS) --target tlsmeter

test: ## all tests, in the release and in the asan+ubsan build
	@scripts/setup build test
	@scripts/test

bench: build ## what tlsmeter reaches, as ratios measured in this run
	@scripts/setup build test bench
	@scripts/bench

check: ## layout, findings, sizes, rooms, forbidden functions
	@scripts/setup build check
	@scripts/check

fuzz: ## a minute of fuzzing over all parsers
	@scripts/setup build check
	@scripts/fuzz 60

coverage: ## which lines the tests reach
	@scripts/setup build test coverage
	@scripts/coverage

test-debian13: ## builds and tests in a Debian 13 system of its own (as root)
	@scripts/test-debian13

install: build ## into PREFIX (default /usr/local)
	@cmake --build --preset release -j $(JOBS) --target generated
	cmake --install build/release --prefix "$(PREFIX)"

clean: ## removes build/
	rm -rf build
