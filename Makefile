# make demo       set up, build, and show what a policy does
# make test       set up, build, and run the tests of all but TLS
# make code       the program that reads Swift for `sluice code`
# make tls        the server for scenarios with servers, and the example that reaches it
# make record     rewrite golden files, and tables of documents that are made of the code
# make bench      the numbers, as ratios against references in the same run
# make lint       format, warnings and fences
# make check      what every change must pass: what has passed with the same inputs before is skipped
# make check-all  all checks, and a record of their inputs in .ci/passed
# `make` alone builds.

ifneq ($(words $(CURDIR)),1)
$(error make cannot work in a folder whose path has spaces: $(CURDIR))
endif

SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -c
PREFIX ?= /usr/local
SWIFT ?= swift
# Every build for work on Sluice has these flags, so that `make`, `make demo`, `make test` and CI share what is compiled. Nothing in
# them needs information for debuggers, which takes most of the time of a build. Whole modules compile sooner; the driver then warns
# of each that it does without batches. Package.swift optimises what tests call by the thousand.
FLAGS ?= -debug-info-format none -Xswiftc -whole-module-optimization -Xswiftc -no-emit-module-separately-wmo \
  -Xswiftc -num-threads -Xswiftc 2
without_notices = 2>&1 | { grep -vE --line-buffered "enable-batch-mode|Incremental compilation" || true; }
# Of sluice and of guests that people install or measure.
RELEASE := -c release -Xswiftc -enforce-exclusivity=unchecked
export SLUICE_REVISION := $(shell scripts/revision.sh)
# $(call in,FOLDER): flags for programs that do not tell the folder that they were built in, and so are the same bytes
# wherever that was. In Swift 5, #file would be a path, of which even the length tells; modules in Swift 6 warn that they
# know the feature already. Where two prefixes match, Swift takes the first and C the last.
in = --scratch-path $(1) -c release -Xswiftc -static-executable \
  -Xswiftc -file-prefix-map -Xswiftc $(1)=./build -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. \
  -Xcc -ffile-prefix-map=$(CURDIR)=. -Xcc -ffile-prefix-map=$(1)=./build \
  -Xswiftc -enable-upcoming-feature -Xswiftc ConciseMagicFile -Xswiftc -suppress-warnings -Xlinker --build-id=none
# The check of withoutActuallyEscaping has the name of a file, and the length of its path before prefixes were mapped. So
# what is packaged is built in folders whose paths are equally long.
of_one_length = $(shell printf '%-160s' '$(CURDIR)/$(1)' | tr ' ' _)
STATIC_FOLDER := $(call of_one_length,.build-static_)
STATIC_CODE_FOLDER := $(call of_one_length,.build-code-static_)
STATIC_CODE := $(call in,$(STATIC_CODE_FOLDER)) -Xswiftc -Osize
STATIC := $(call in,$(STATIC_FOLDER)) -Xlinker -ltinfo -Xlinker -lbsd -Xlinker -lmd
# These programs do without a C library, and so have a build folder of their own.
WITHOUT_LIBC := $(call in,$(CURDIR)/.build-static-c) -Xswiftc -nostartfiles
GUESTS := sluice-guest save-note shout note-keeper
PROGRAMS := sluice-launch
INSTALLED := $(addprefix bin/,$(GUESTS) $(PROGRAMS))
TEST_GUESTS := policy-probe file-probe sharing-probe program-runner
TEST_PROGRAMS := hostile-guest escape-attempts
SOURCE_TOOLS := --package-path source-tools
# Apart from the rest, because BoringSSL takes minutes to compile.
TLS_PROGRAMS := sluice-server sluice-link landmarks
# Parts of Package.swift that a build for people who run Sluice leaves out.
WITHOUT := tls,benchmarks,tests

, := ,
# $(call built,PARTS,FLAGS) builds all targets but those of some parts of Package.swift, by one `swift build`.
built = SLUICE_WITHOUT=$(1) $(FIXED_ADDRESSES) $(SWIFT) build $(2) $(without_notices)
# $(call into_bin,NAMES,FLAGS) takes programs from where they were built.
into_bin = folder=$$($(SWIFT) build $(2) --show-bin-path) && mkdir -p bin && \
  for product in $(1); do install $$folder/$$product bin/ || exit 1; done

.PHONY: build programs tls code demo test record test-ios test-models test-browser test-export test-action test-cluster test-laws test-manual \
  packages test-packages bench lint fuzz check check-all install setup release clean

build: setup programs
	@$(call built,$(WITHOUT),$(FLAGS))
	@$(call into_bin,sluice $(GUESTS),$(FLAGS))

programs: setup
	@for program in $(PROGRAMS); do $(SWIFT) build $(WITHOUT_LIBC) --product $$program || exit 1; done
	@$(call into_bin,$(PROGRAMS),$(WITHOUT_LIBC))

tls: setup
	@$(call built,$(subst tls,,$(WITHOUT)),$(FLAGS))
	@$(call into_bin,$(TLS_PROGRAMS),$(FLAGS))

# Apart from the rest, because a parser of Swift takes minutes to compile.
code: setup
	@$(SWIFT) build $(SOURCE_TOOLS) --scratch-path .build-code $(FLAGS) --product sluice-code $(without_notices)
	install -D .build-code/debug/sluice-code bin/sluice-code

demo: build
	bin/sluice demo --policy scenarios/criteria/policies/base.json
	@echo 'To change this policy in a browser: bin/sluice studio scenarios/criteria/policies/base.json --open'

# `make test SLUICE_WITHOUT=` also builds and tests what speaks TLS; `make test FILTER=PolicyTests` runs some tests.
SLUICE_WITHOUT ?= tls,benchmarks
TESTED := sluice $(GUESTS) $(TEST_GUESTS) $(if $(findstring tls,$(SLUICE_WITHOUT)),,$(TLS_PROGRAMS))
test: export SLUICE_WITHOUT := $(SLUICE_WITHOUT)
test: setup
	@$(MAKE) --no-print-directory programs PROGRAMS="$(PROGRAMS) $(TEST_PROGRAMS)"
	@$(SWIFT) build --build-tests $(FLAGS) $(without_notices)
	@$(call into_bin,$(TESTED),$(FLAGS))
	@scripts/setup.sh python3-venv
	SWIFT=$(SWIFT) scripts/test.sh --skip-build $(FLAGS) $(if $(FILTER),--filter '$(FILTER)')
	$(if $(FILTER),,scripts/test-python.sh)

# The tests that rewrite files fail, so that no recording is taken for a pass.
RECORDED := Scenario|Analysis|Bundle|Specification|Policy|Model|Wire|Scripting|EvidenceTable
record:
	SLUICE_RECORD=1 $(MAKE) --no-print-directory test FILTER='$(or $(FILTER),($(RECORDED))Tests)'

release: setup
	@$(MAKE) --no-print-directory build FLAGS="$(RELEASE)"

check:
	.ci/run

check-all:
	.ci/run --all --record

# As root: it starts a Slurm, and hosts in network namespaces.
test-cluster: build tls
	scripts/test-cluster.sh

test-action: build
	scripts/test-action.sh

# A tarball and a Debian package of static programs, which need nothing of the system that they run on.
PACKAGES := .build-packages
# The compiler orders some instructions by addresses of its own.
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

# Your own Swift code: the modules that it imports, what reads it, and the example that is written against them.
test-ios: build code
	FLAGS="$(FLAGS)" scripts/test-ios.sh

test-models: build
	@scripts/setup.sh spin rumur gcc
	scripts/test-models.py

# `make test` has built the tests. LAWS=--long draws more.
test-laws:
	FLAGS="$(FLAGS)" scripts/test-laws.sh $(LAWS)

test-manual: build
	scripts/test-manual.sh

test-browser: build
	scripts/test-browser.sh

test-export: build
	scripts/test-export.sh

bench:
	@scripts/setup.sh valgrind gcc dbus-broker libsystemd-dev python3-venv
	@$(MAKE) --no-print-directory programs PROGRAMS="$(PROGRAMS) $(TEST_PROGRAMS)"
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
	rm -rf .build .build-static-c .build-code $(STATIC_FOLDER) $(STATIC_CODE_FOLDER) bin
