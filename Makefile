# Everything here sets itself up: scripts/setup.sh installs or names what is missing, a folder is configured once.
# Options: CMAKE_ARGS (for configuring), CTEST_ARGS, TEST_ARGS (test-cuda), BENCH_ARGS, JOBS, PREFIX and DESTDIR
# (install), TIDY (paths), FUZZ_SECONDS, FUZZ_JOBS, FUZZ_TARGETS and FUZZ_ARGS (see scripts/fuzz.sh).

SHELL := bash
JOBS ?= $(shell bash scripts/jobs.sh)
PREFIX ?= /usr/local

.DEFAULT_GOAL := build
.NOTPARALLEL:
.PHONY: help build demo test test-asan test-tsan test-page test-browser test-postgres test-cuda test-ranks-cuda test-cuda-sanitizers python test-python wheel wheel-cuda test-wheel docs test-peers bench bench-cuda cuda robustness fuzz format format-check tidy install clean \
        setup configure-release configure-test configure-asan configure-tsan configure-fuzz

help: ## list the targets
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/  make \1|\2/p' Makefile | while IFS='|' read -r t d; do printf '%-27s %s\n' "$$t" "$$d"; done

setup:
	@bash scripts/setup.sh

configure-release: setup
	@bash scripts/configure.sh release build $(CMAKE_ARGS)
# Where there is no GPU to run it, tests have the CUDA code as PTX; a folder with machine code will do as well.
configure-test: setup
	@bash scripts/configure.sh release build $(CMAKE_ARGS) $(if $(wildcard /dev/nvidia0),,-DGDKM_CUDA_PTX=ON)
configure-asan configure-tsan: configure-%: setup
	@bash scripts/configure.sh $* build-$* $(CMAKE_ARGS)
configure-fuzz: setup
	@bash scripts/setup.sh fuzz
	@bash scripts/configure.sh fuzz build-fuzz $(CMAKE_ARGS)

build: configure-release ## build the library and build/gdkm
	@cmake --build build --parallel $(JOBS) --target gdkm_product

demo: build ## run the main job on built-in data and write a report
	build/gdkm demo

test: configure-test ## build and run all tests
	@cmake --build build --parallel $(JOBS)
	@bash scripts/test.sh release build --parallel $(JOBS) $(CTEST_ARGS)

test-asan test-tsan: test-%: configure-%
	@cmake --build build-$* --parallel $(JOBS)
	@bash scripts/test.sh $* build-$* --parallel $(JOBS) $(CTEST_ARGS)
test-asan: ## run the tests under the address and undefined-behaviour sanitizers (CTEST_ARGS="-L unit" without the slow ones)
test-tsan: ## run the tests under the thread sanitizer

# Slow tests that need something of their own have a target of their own, test-NAME, and a line in .ci/run.
test-page: configure-test ## lint the scripts and styles of the report's page
	@bash scripts/setup.sh page
	@bash scripts/test.sh release build --must-run -R '^house.page_lint' $(CTEST_ARGS)

test-browser: configure-test ## read the report in a headless Chromium, as its readers do
	@bash scripts/setup.sh browser
	@cmake -B build > /dev/null
	@cmake --build build --parallel $(JOBS) --target gdkm_product
	@bash scripts/test.sh release build --must-run -L browser $(CTEST_ARGS)

test-postgres: configure-test ## test stores on a PostgreSQL server of their own, and workers that are killed
	@bash scripts/setup.sh postgres
	@cmake -B build > /dev/null
	@cmake --build build --parallel $(JOBS) --target gdkm_product gdkm_tests
	@bash scripts/test.sh release build --must-run -L postgres $(CTEST_ARGS)

python: configure-release ## build the Python module and link it into python/gdkm, for PYTHONPATH=python
	@bash scripts/setup.sh python
	@bash scripts/python.sh link

test-python: setup ## build and install the Python package in an environment of its own and run its tests (PYTEST_ARGS)
	@bash scripts/setup.sh python
	@bash scripts/python.sh test $(PYTEST_ARGS)

wheel: setup ## build wheels of the Python package that carry their libraries, into dist (PYTHONS="python3.11 python3.12")
	@bash scripts/setup.sh python
	@CMAKE_ARGS="$(CMAKE_ARGS)" PYTHONS="$(PYTHONS)" bash scripts/wheel.sh gdkm

wheel-cuda: setup ## build the wheel of the CUDA backend, gdkm-cuda, into dist
	@bash scripts/setup.sh python
	@CMAKE_ARGS="$(CMAKE_ARGS)" PYTHONS="$(PYTHONS)" bash scripts/wheel.sh cuda

test-wheel: ## install the wheels in a bare Debian 12 and use them; needs root and debootstrap
	@[[ -n "$$(ls dist/gdkm-*.whl 2>/dev/null)" ]] || $(MAKE) wheel
	@bash scripts/test_wheel.sh || [[ $$? == 77 ]]

test-peers: setup ## install Neural Tangents, PyG, GPyTorch and scikit-learn, compute their values anew and compare gdkm with them
	@bash scripts/setup.sh python
	@mkdir -p build
	python3 python/tests/peers/live.py build
	@GDKM_PEERS=$(CURDIR)/build/peers-values bash scripts/python.sh test -k test_reference

docs: python ## build the documentation into site/: pages, notebooks with what they show, the API
	@bash scripts/docs.sh

cuda: setup ## build the CUDA backend, with a compiler of its own where there is none
	@nvcc=$$(bash scripts/cuda.sh build/cuda) && \
	  bash scripts/configure.sh release build $(CMAKE_ARGS) -DGDKM_CUDA=ON -DCMAKE_CUDA_COMPILER=$$nvcc
	@cmake --build build --parallel $(JOBS) --target gdkm_product gdkm_cuda_tests

test-cuda: cuda ## compare the CUDA backend with the CPU's; needs a GPU
	GDKM_CUDA_REQUIRED=1 build/gdkm_cuda_tests $(TEST_ARGS)

test-ranks-cuda: cuda ## train with 1 to 4 processes that share a GPU and compare (MPIRUN, RANKS); needs a GPU and MPI
	@MPIRUN="$(MPIRUN)" RANKS="$(RANKS)" bash scripts/test_ranks_cuda.sh build

test-cuda-sanitizers: cuda ## the same, smaller, under compute-sanitizer: memory errors, races, barriers
	for tool in memcheck racecheck synccheck; do \
	  GDKM_CUDA_REQUIRED=1 GDKM_CUDA_SANITIZED=1 compute-sanitizer --tool $$tool --report-api-errors no --error-exitcode 1 build/gdkm_cuda_tests \
	    $(TEST_ARGS) || exit 1; \
	done

bench: configure-release ## training steps beside PyTorch's, the machine's rates, whole trainings (BENCH_ARGS=--no-peers)
	@cmake -B build -DGDKM_BUILD_BENCHMARKS=ON > /dev/null
	@cmake --build build --parallel $(JOBS) --target gdkm_product gdkm_bench_step gdkm_bench_machine
	python3 benchmarks/run.py build $(BENCH_ARGS)

bench-cuda: cuda ## the same on a GPU; needs a python3 with PyTorch for the peers
	@cmake -B build -DGDKM_BUILD_BENCHMARKS=ON > /dev/null
	@cmake --build build --parallel $(JOBS) --target gdkm_bench_step
	python3 benchmarks/run_cuda.py build $(BENCH_ARGS)

robustness: configure-release ## run data sets x schemes x nu x precisions (ROBUSTNESS_ARGS=--data-dir=DIR)
	@cmake -B build -DGDKM_BUILD_BENCHMARKS=ON > /dev/null
	@cmake --build build --parallel $(JOBS) --target gdkm_robustness
	build/gdkm_robustness $(ROBUSTNESS_ARGS)

export FUZZ_SECONDS FUZZ_JOBS FUZZ_TARGETS
fuzz: configure-fuzz ## try the readers with bad input (FUZZ_SECONDS=600 each, FUZZ_TARGETS="tu ogb")
	@cmake --build build-fuzz --parallel $(JOBS) --target gdkm_fuzzers
	@bash scripts/fuzz.sh build-fuzz $(FUZZ_ARGS)

format: ## lay out the code by .clang-format
	@bash scripts/setup.sh format
	@bash scripts/format.sh

format-check: ## say which files are not laid out so
	@bash scripts/setup.sh format
	@bash scripts/format.sh --check

tidy: configure-release ## run clang-tidy (TIDY=src/gdkm/graph for a part)
	@bash scripts/setup.sh tidy
	@bash scripts/tidy.sh build $(TIDY)

install: build ## install to PREFIX (/usr/local), under DESTDIR if given
	@DESTDIR="$(DESTDIR)" cmake --install build --prefix "$(PREFIX)"

clean: ## remove what was built
	rm -rf build build-debug build-asan build-tsan build-fuzz build-python build-docs build-wheel build-wheel-cuda build-cp311 build-cp312 dist site
