# make demo   set up, build, and show what a policy does
# make test   set up, build, and run all tests
# make tls    the server for scenarios with servers, and the example that reaches it
# make bench  the numbers, as ratios against references in the same run
# make lint   format, warnings and fences
# `make` alone builds.

PREFIX ?= /usr/local
SWIFT ?= swift
# Without optimisation the tests take three times as long to run.
SWIFTFLAGS ?= -Xswiftc -O
export SLUICE_REVISION := $(shell scripts/revision.sh)
STATIC_LIBRARIES := $(CURDIR)/.build-static/lib
# Programs tell no folder that they were built in, and so are the same wherever that was. In Swift 5, #file would be a
# path, of which even the length tells; modules in Swift 6 warn that they know the feature already.
ANY_FOLDER := -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. -Xcc -ffile-prefix-map=$(CURDIR)=. \
  -Xswiftc -enable-upcoming-feature -Xswiftc ConciseMagicFile -Xswiftc -suppress-warnings -Xlinker --build-id=none
STATIC := --scratch-path .build-static -Xswiftc -static-executable $(ANY_FOLDER) -Xlinker -L$(STATIC_LIBRARIES) \
  -Xlinker -ltinfo -Xlinker -lbsd -Xlinker -lmd
LIBUV_ARCHIVE = $(shell pkg-config --variable=libdir libuv)/libuv_a.a
GUESTS := sluice-guest save-note shout note-keeper
PROGRAMS := sluice-launch
INSTALLED := $(addprefix bin/,$(GUESTS) $(PROGRAMS))
TEST_GUESTS := policy-probe file-probe sharing-probe program-runner
TEST_PROGRAMS := hostile-guest escape-attempts

.PHONY: build program test-guests tls demo test test-models test-browser test-export test-action test-cluster packages test-packages bench lint fuzz install setup guests release clean

build: setup
	@$(MAKE) --no-print-directory -j2 guests program

program: setup
	$(SWIFT) build $(SWIFTFLAGS) --product sluice
	@install -D "$$($(SWIFT) build $(SWIFTFLAGS) --show-bin-path)/sluice" bin/sluice

# Guests are static executables, so that a process costs little and needs no run time beside itself.
# They have build folders of their own, because the two ways of linking cannot share one.
guests: setup
	@mkdir -p $(STATIC_LIBRARIES) bin
	@ln -sf $(LIBUV_ARCHIVE) $(STATIC_LIBRARIES)/libuv.a
	@for product in $(GUESTS); do \
	  $(SWIFT) build -c release --product $$product $(STATIC) || exit 1; \
	  install .build-static/release/$$product bin/; done
	@for product in $(PROGRAMS); do \
	  $(SWIFT) build -c release --product $$product --scratch-path .build-static-c \
	    -Xswiftc -static-executable -Xswiftc -nostartfiles $(ANY_FOLDER) || exit 1; \
	  install .build-static-c/release/$$product bin/; done

# Apart from the rest, because BoringSSL takes minutes to compile.
TLS_PROGRAMS := sluice-server landmarks
tls: setup
	@for product in $(TLS_PROGRAMS); do \
	  $(SWIFT) build $(SWIFTFLAGS) --product $$product || exit 1; \
	  install -D "$$($(SWIFT) build $(SWIFTFLAGS) --show-bin-path)/$$product" bin/$$product; done

# Optimising takes most of the time of a build, and the demo needs none of it.
demo:
	@$(MAKE) --no-print-directory build SWIFTFLAGS=
	bin/sluice demo --policy scenarios/criteria/policies/base.json

test: build test-guests tls
	@scripts/setup.sh python3-venv
	SWIFT=$(SWIFT) scripts/test.sh $(SWIFTFLAGS)
	scripts/test-python.sh

test-guests:
	@$(MAKE) --no-print-directory guests GUESTS="$(TEST_GUESTS)" PROGRAMS="$(TEST_PROGRAMS)"

release: setup guests
	$(SWIFT) build -c release -Xswiftc -enforce-exclusivity=unchecked --product sluice
	@install -D .build/release/sluice bin/sluice

# As root: it starts a Slurm, and hosts in network namespaces.
test-cluster: build
	scripts/test-cluster.sh

test-action: build
	scripts/test-action.sh

# A tarball and a Debian package of static programs, which need nothing of the system that they run on.
PACKAGES := .build-packages
packages: guests
	@for product in sluice $(TLS_PROGRAMS); do \
	  $(SWIFT) build -c release --product $$product $(STATIC) || exit 1; done
	SWIFT=$(SWIFT) packaging/make.sh $(PACKAGES)

test-packages: packages
	packaging/test.sh $(PACKAGES)

install: release
	install -D bin/sluice $(DESTDIR)$(PREFIX)/bin/sluice
	install -d $(DESTDIR)$(PREFIX)/libexec/sluice $(DESTDIR)$(PREFIX)/share/sluice
	install $(INSTALLED) $(wildcard $(addprefix bin/,$(TLS_PROGRAMS))) $(DESTDIR)$(PREFIX)/libexec/sluice
	cp -R scenarios examples plugins python docs/schema $(DESTDIR)$(PREFIX)/share/sluice

test-models: build
	@scripts/setup.sh spin rumur gcc
	scripts/test-models.py

test-browser: build
	scripts/test-browser.sh

test-export: build
	scripts/test-export.sh

bench:
	@scripts/setup.sh valgrind gcc dbus-broker libsystemd-dev python3-venv
	@$(MAKE) --no-print-directory guests test-guests
	$(MAKE) --no-print-directory -C Benchmarks

lint:
	scripts/lint.sh

fuzz: setup
	scripts/fuzz.sh

setup:
	@scripts/setup.sh

clean:
	rm -rf .build .build-static .build-static-c bin
