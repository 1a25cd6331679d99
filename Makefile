# make demo       set up, build, and show what a policy does
# make test       set up, build, and run all tests except those of TLS
# make code       the program that reads Swift for `sluice code`
# make tls        the server for scenarios with servers, and the example that reaches it
# make record     rewrite golden files, and tables in documents that are generated from the code
# make bench      the benchmarks, as ratios against references in the same run
# make lint       format, warnings and import fences
# make check      the checks that every change must pass; a check that has passed with the same inputs is skipped
# make check-all  all checks, and a record of their inputs in .ci/passed
# `make` alone builds.

ifneq ($(words $(CURDIR)),1)
$(error make cannot work in a folder whose path has spaces: $(CURDIR))
endif

SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -c
PREFIX ?= /usr/local
SWIFT ?= swift
# All development builds have these flags, so `make`, `make demo`, `make test` and CI share compiled modules. Debug information would
# take most of the build time, and none of these builds needs it. Whole modules compile faster; for each of them, the driver warns
# that it does not use batch mode. Package.swift optimises the modules that tests call thousands of times.
FLAGS ?= -debug-info-format none -Xswiftc -whole-module-optimization -Xswiftc -no-emit-module-separately-wmo \
  -Xswiftc -num-threads -Xswiftc 2
without_notices = 2>&1 | { grep -vE --line-buffered "enable-batch-mode|Incremental compilation" || true; }
# For installed or measured builds of sluice and guests.
RELEASE := -c release -Xswiftc -enforce-exclusivity=unchecked
export SLUICE_REVISION := $(shell scripts/revision.sh)
# $(call in,FOLDER): flags for programs that do not contain the path of their build folder, so the build is reproducible in
# any folder. In Swift 5, #file is a path, and even its length makes a difference; modules in Swift 6 warn that they already
# have the feature. If two prefixes match, Swift uses the first one and C the last one.
in = --scratch-path $(1) -c release -Xswiftc -static-executable \
  -Xswiftc -file-prefix-map -Xswiftc $(1)=./build -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. \
  -Xcc -ffile-prefix-map=$(CURDIR)=. -Xcc -ffile-prefix-map=$(1)=./build \
  -Xswiftc -enable-upcoming-feature -Xswiftc ConciseMagicFile -Xswiftc -suppress-warnings -Xlinker --build-id=none
# The check of withoutActuallyEscaping contains a file name, and the length of its path before prefixes are mapped. Packages
# are therefore built in folders whose paths have the same length.
of_one_length = $(shell printf '%-160s' '$(CURDIR)/$(1)' | tr ' ' _)
STATIC_FOLDER := $(call of_one_length,.build-static_)
STATIC_CODE_FOLDER := $(call of_one_length,.build-code-static_)
STATIC_CODE := $(call in,$(STATIC_CODE_FOLDER)) -Xswiftc -Osize
STATIC := $(call in,$(STATIC_FOLDER)) -Xlinker -ltinfo -Xlinker -lbsd -Xlinker -lmd
GUESTS := sluice-guest save-note shout note-keeper
PROGRAMS := sluice-launch
INSTALLED := $(addprefix bin/,$(GUESTS) $(PROGRAMS))
TEST_GUESTS := policy-probe file-probe sharing-probe program-runner
TEST_PROGRAMS := hostile-guest escape-attempts
# Static programs in C. The compiler takes a second for them, and the package manager takes ten to plan them.
CLINUX := $(wildcard Sources/System/CLinux/*.[ch] Sources/System/CLinux/include/*.h)
TOOLCHAIN = $$($(SWIFT) -print-target-info | sed -n 's|.*"runtimeResourcePath": "\(.*\)/lib/swift".*|\1/bin|p')
COMPILE_C = PATH="$(TOOLCHAIN):$$PATH" clang -O2 -g -static -ISources/System/CLinux/include -ffile-prefix-map=$(CURDIR)=. \
  -Wl,--gc-sections,--build-id=none
SOURCE_TOOLS := --package-path source-tools
# Separate, because BoringSSL takes minutes to compile.
TLS_PROGRAMS := sluice-server sluice-link landmarks
# The parts of Package.swift that a build for users leaves out.
WITHOUT := tls,benchmarks,tests

, := ,
# $(call built,PARTS,FLAGS) builds all targets, except those of some parts of Package.swift, with one `swift build`.
built = SLUICE_WITHOUT=$(1) $(FIXED_ADDRESSES) $(SWIFT) build $(2) $(without_notices)
# $(call into_bin,NAMES,FLAGS) copies programs from their build folder.
into_bin = folder=$$($(SWIFT) build $(2) --show-bin-path) && mkdir -p bin && \
  for product in $(1); do install $$folder/$$product bin/ || exit 1; done

.PHONY: build programs test-programs tls code demo test record test-ios test-models test-browser test-export test-action \
  test-cluster test-laws test-manual packages test-packages bench lint fuzz check check-all install setup release clean

build: setup programs
	@$(call built,$(WITHOUT),$(FLAGS))
	@$(call into_bin,sluice $(GUESTS),$(FLAGS))

programs: $(addprefix bin/,$(PROGRAMS))

test-programs: $(addprefix bin/,$(TEST_PROGRAMS))

bin/sluice-launch: $(wildcard Sources/Programs/sluice-launch/*.c) $(CLINUX)
bin/hostile-guest: $(wildcard Tests/HostileGuests/*.[ch])
bin/escape-attempts: $(wildcard Tests/EscapeAttempts/*.[ch]) $(CLINUX)
$(addprefix bin/,$(PROGRAMS) $(TEST_PROGRAMS)): Makefile | setup
	@mkdir -p bin
	$(COMPILE_C) -o $@ $(filter %.c,$^)

tls: setup
	@$(call built,$(subst tls,,$(WITHOUT)),$(FLAGS))
	@$(call into_bin,$(TLS_PROGRAMS),$(FLAGS))

# Separate, because the Swift parser takes minutes to compile.
code: setup
	@$(SWIFT) build $(SOURCE_TOOLS) --scratch-path .build-code $(FLAGS) --product sluice-code $(without_notices)
	install -D .build-code/debug/sluice-code bin/sluice-code

demo: build
	bin/sluice demo --policy scenarios/criteria/policies/base.json
	@echo 'To change this policy in a browser: bin/sluice studio scenarios/criteria/policies/base.json --open'

# `make test SLUICE_WITHOUT=` also builds and tests the programs that use TLS; `make test FILTER=PolicyTests` runs some tests.
SLUICE_WITHOUT ?= tls,benchmarks
TESTED := sluice $(GUESTS) $(TEST_GUESTS) $(if $(findstring tls,$(SLUICE_WITHOUT)),,$(TLS_PROGRAMS))
test: export SLUICE_WITHOUT := $(SLUICE_WITHOUT)
test: setup programs test-programs
	@$(SWIFT) build --build-tests $(FLAGS) $(without_notices)
	@$(call into_bin,$(TESTED),$(FLAGS))
	@scripts/setup.sh python3-venv
	SWIFT=$(SWIFT) scripts/test.sh --skip-build $(FLAGS) $(if $(FILTER),--filter '$(FILTER)')
	$(if $(FILTER),,scripts/test-python.sh)

# Tests that rewrite files fail, so a recording is not mistaken for a pass.
RECORDED := Scenario|Analysis|Bundle|Specification|Policy|Model|Wire|Scripting|EvidenceTable
record:
	SLUICE_RECORD=1 $(MAKE) --no-print-directory test FILTER='$(or $(FILTER),($(RECORDED))Tests)'

release: setup
	@$(MAKE) --no-print-directory build FLAGS="$(RELEASE)"

check:
	.ci/run

check-all:
	.ci/run --all --record

# Needs root, because it starts Slurm, and hosts in network namespaces.
test-cluster: build tls
	scripts/test-cluster.sh

test-action: build
	scripts/test-action.sh

# A tarball and a Debian package of static programs, which have no dependencies on the system.
PACKAGES := .build-packages
# The compiler orders some instructions by its own memory addresses.
packages: FIXED_ADDRESSES := $(shell setarch -R true 2>/dev/null && echo setarch -R)
packages: setup programs
	@$(call built,benchmarks$(,)tests,$(STATIC))
	$(FIXED_ADDRESSES) $(SWIFT) build $(SOURCE_TOOLS) $(STATIC_CODE) --product sluice-code
	SWIFT=$(SWIFT) packaging/make.sh $(PACKAGES) $(STATIC_FOLDER) $(STATIC_CODE_FOLDER)

test-packages: packages
	packaging/test.sh $(PACKAGES)

install: release
	install -D bin/sluice $(DESTDIR)$(PREFIX)/bin/sluice
	install -d $(DESTDIR)$(PREFIX)/libexec/sluice $(DESTDIR)$(PREFIX)/share/sluice
	install $(INSTALLED) $(wildcard $(addprefix bin/,$(TLS_PROGRAMS) sluice-code)) $(DESTDIR)$(PREFIX)/libexec/sluice
	tar -c --exclude .build scenarios examples plugins python -C docs schema | tar -x -C $(DESTDIR)$(PREFIX)/share/sluice
	SWIFT=$(SWIFT) packaging/sources.sh $(DESTDIR)$(PREFIX)/share/sluice

# Tests for users' Swift code: the modules that it imports, the tools that read it, and the example that uses them.
test-ios: build code
	FLAGS="$(FLAGS)" scripts/test-ios.sh

test-models: build
	@scripts/setup.sh spin rumur gcc
	scripts/test-models.py

# Needs the tests that `make test` builds. LAWS=--long runs more random cases.
test-laws:
	FLAGS="$(FLAGS)" scripts/test-laws.sh $(LAWS)

test-manual: build
	scripts/test-manual.sh

test-browser: build
	scripts/test-browser.sh

test-export: build
	scripts/test-export.sh

bench: programs test-programs
	@scripts/setup.sh valgrind gcc dbus-broker libsystemd-dev python3-venv
	@$(call built,tls,$(RELEASE))
	@$(call into_bin,$(GUESTS) $(TEST_GUESTS),$(RELEASE))
	$(MAKE) --no-print-directory -C Benchmarks

lint:
	scripts/lint.sh

fuzz: setup
	@$(call built,tls$(,)benchmarks,$(FLAGS))
	scripts/fuzz.sh

setup:
	@scripts/setup.sh

clean:
	rm -rf .build .build-code $(STATIC_FOLDER) $(STATIC_CODE_FOLDER) bin
