# SPDX-License-Identifier: Apache-2.0
# Portaflow in two commands: `make demo` and `make test`. Both install what is missing (as root, through apt),
# configure and build first; everything else is CMake's. `make help` lists the targets.
SHELL    := /bin/bash
BUILD    ?= build
JOBS     ?= $(shell nproc)
DEMO     ?= $(BUILD)/demo/portal-demo
LINT_BUILD ?= build-lint
TIMES    ?= 10
SEED     ?= 1

# The one list of Debian packages that the demo, the tests and CI need. FFTW: the ITK of Ubuntu 24.04 names it to the linker.
PACKAGES := build-essential cmake ninja-build pkg-config libinsighttoolkit5-dev libgdcm-tools libvtk9-dev libegl-dev \
            libgl1-mesa-dri libhdf5-dev libpng-dev zlib1g-dev libyaml-dev libcjson-dev libcmocka-dev libxxhash-dev \
            libopenmpi-dev openmpi-bin libmetis-dev libfftw3-dev

.PHONY: all help setup configure build demo test test-all test-long test-readers browser sanitize fault coverage lint format pictures terminal package tarball site clean

.NOTPARALLEL: # two runs of ctest in one folder would disturb each other

all: build

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile | expand -t 18

setup: ## install the Debian packages that are missing (needs root only when one is)
	@command -v dpkg-query >/dev/null || { echo "setup: this is no Debian system; packages are not checked" >&2; exit 0; }; \
	missing=$$(for p in $(PACKAGES); do \
	    [ "$$(dpkg-query -W -f='$${db:Status-Status}' $$p 2>/dev/null)" = installed ] || echo -n " $$p"; done); \
	[ -n "$$missing" ] || exit 0; \
	if [ "$$(id -u)" != 0 ]; then \
	    echo "setup: these Debian packages are missing; install them as root, then run make again:" >&2; \
	    echo "    apt-get install --no-install-recommends$$missing" >&2; exit 1; \
	fi; \
	echo "setup: installing$$missing"; \
	export DEBIAN_FRONTEND=noninteractive; \
	apt-get update -q && apt-get install -y -q --no-install-recommends -o DPkg::Lock::Timeout=300 $$missing </dev/null

configure: setup
	@cmake -S . -B $(BUILD) -G Ninja $(CMAKE_FLAGS)

build: configure ## configure and build everything into build/bin
	@cmake --build $(BUILD) -j $(JOBS) $(if $(TARGETS),--target $(TARGETS))

demo: build ## from an MRI volume to pressures, wall shear stress and a report, on a synthetic patient
	@$(BUILD)/bin/pipeline demo $(DEMO)

test: build ## build, then run the tests: ten minutes on two cores
	@ctest --test-dir $(BUILD) --output-on-failure -j $(JOBS) -LE long

test-all: test test-long test-readers ## the rest as well: long command lines and vessels, faults put into the stages, readers under the sanitizers

test-long: build ## the long tests; LONG='^(NAME|NAME)$$': some of them
	@ctest --test-dir $(BUILD) --output-on-failure -j $(JOBS) -L long $(if $(LONG),-R '$(LONG)' --no-tests=error)

test-readers: ## the readers of files under the sanitizers
	@$(MAKE) --no-print-directory build BUILD=build-sanitize CMAKE_FLAGS="-DSANITIZE=ON -DCUDA=OFF" TARGETS=sanitize_readers
	@ctest --test-dir build-sanitize --output-on-failure -j $(JOBS) -L readers

browser: ## install what the tests of the pages need (npm, node; chromium is Debian's)
	@npm ci --prefix tests/browser --no-audit --no-fund

sanitize: ## all tests under AddressSanitizer and UndefinedBehaviorSanitizer, the loops over threads under ThreadSanitizer: hours
	@$(MAKE) --no-print-directory build BUILD=build-sanitize CMAKE_FLAGS="-DSANITIZE=ON -DCUDA=OFF"
	@ctest --test-dir build-sanitize --output-on-failure -j $(JOBS)
	@tests/sanitize/threads.sh build-thread $(JOBS)

SOURCES = $(shell git ls-files '*.c' '*.h' '*.cpp' '*.cu' '*.cuh')

fault: build ## faults put into the stages, TIMES of each (default 10): kills, full disks, no memory, damaged files
	@tests/fault/fault.sh $(BUILD)/bin $(BUILD)/tests --times $(TIMES) --seed $(SEED)

coverage: setup ## lines of the readers that their tests run, and the refusals that none reaches (gcc)
	@tests/coverage/coverage.sh build-coverage

lint: ## formatter in check mode, clang-tidy, cppcheck (each where installed): slow once, then only what changed
	@.ci/lint $(LINT_BUILD) $(JOBS)

format: ## clang-format over all sources
	@clang-format -i $(SOURCES)

terminal: build ## draw data/pictures/terminal.svg from what the demo prints (some minutes)
	@rm -rf $(BUILD)/demo/terminal && mkdir -p $(BUILD)/demo
	@$(BUILD)/bin/pipeline demo $(BUILD)/demo/terminal >$(BUILD)/demo/terminal.log 2>&1
	@sed 's#$(BUILD)/demo/terminal#$(DEMO)#' $(BUILD)/demo/terminal.log | data/pictures/terminal.sh 'make demo' >data/pictures/terminal.svg.part
	@mv data/pictures/terminal.svg.part data/pictures/terminal.svg

package: ## a Debian package of the programs, in $(BUILD)
	@command -v npm >/dev/null || echo "package: npm is missing: the package will make no view.html (apt-get install npm)" >&2
	@$(MAKE) --no-print-directory build TARGETS=programs PACKAGES="$(PACKAGES) file"
	@cd $(BUILD) && cpack -G DEB

tarball: ## the programs with all libraries, for any Linux with the glibc of this machine, in build-bundle
	@command -v npm >/dev/null || echo "tarball: npm is missing: the programs will make no view.html (apt-get install npm)" >&2
	@$(MAKE) --no-print-directory build BUILD=build-bundle CMAKE_FLAGS="-DBUNDLE=ON $(CMAKE_FLAGS)" TARGETS=programs \
	    PACKAGES="$(PACKAGES) patchelf libegl-mesa0"
	@cd build-bundle && cpack -G TGZ

site: ## the pages as a site in $(BUILD)/site: offline, no script (mkdocs, python3-pil)
	@command -v mkdocs >/dev/null || { echo "site: mkdocs is missing: apt-get install mkdocs python3-pil" >&2; exit 1; }
	@mkdir -p $(BUILD) && packaging/site.py . $(BUILD)/site

pictures: configure ## draw data/pictures/libraries.svg from the build (needs graphviz, and nvcc for all of it)
	@command -v dot >/dev/null || { echo "pictures: dot is missing: apt-get install graphviz" >&2; exit 1; }
	@tests/docs/libraries.sh dot $(BUILD)/libraries.txt | dot -Tsvg >data/pictures/libraries.svg.part
	@mv data/pictures/libraries.svg.part data/pictures/libraries.svg

clean: ## remove the build folders
	@rm -rf $(BUILD) build-sanitize build-thread build-clang build-bare build-coverage build-bundle $(LINT_BUILD)
