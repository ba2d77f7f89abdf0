# apns-bridge: one target for each task.

SHELL := /usr/bin/env bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help dependencies test-dependencies python-clients \
  documentation-tools build demo test test-more \
  more-tests tests-build kafka-classes module-tests world-tests script-tests \
  sanitize sanitizer-builds address-build thread-build sanitized-tests \
  address-tests address-of-worker address-of-worlds thread-tests simulate simulate-settings \
  mutants mutant-settings \
  chaos chaos-settings short-chaos benchmark fuzz docs pictures image pin-images test-image sbom \
  deb test-deb static-build release-check release

# A program that is meant to crash must not wait for its backtrace.
export SWIFT_BACKTRACE ?= enable=no

LIBRARIES := librdkafka-dev libnghttp2-dev libssl-dev libyaml-dev libmicrohttpd-dev \
  libcurl4-openssl-dev libcctz-dev libprotobuf-dev libprotoc-dev tzdata pkg-config
TOOLS := openjdk-17-jre-headless kcat nghttp2-client nghttp2-server python3-jsonschema python3-yaml \
  curl chromium python3-venv prometheus

include Tests/suites.mk

# Tests that start brokers, processes and clocks of their own, and mostly wait for them: those of a
# module one after the other, the modules side by side. The modules that take longest are several rows; what
# depends most on librdkafka runs with the newest one and with that of the image, too.
PROGRAM := CommandLineTests IntegrationTests KafkaTests
ROWS := KafkaTests \
  'CommandLineTests=^CommandLineTests[.](?!.*($(OF_LONG_COMMANDS)))' \
  'CommandLineTestsThatWait=^CommandLineTests[.].*($(OF_LONG_COMMANDS))' \
  'IntegrationTests=^IntegrationTests[.](?!.*($(OF_BRIDGES)|$(OF_CHANGES)))' \
  'IntegrationTestsOfChanges=^IntegrationTests[.](?!.*($(OF_BRIDGES))).*($(OF_CHANGES))' \
  'IntegrationTestsOfBridges=^IntegrationTests[.](?=.*($(OF_BRIDGES)))(?!.*($(OF_LONG_BRIDGES)|$(OF_ORDINARY_BRIDGES)))' \
  'IntegrationTestsOfOrdinaryBridges=^IntegrationTests[.].*($(OF_ORDINARY_BRIDGES))' \
  'IntegrationTestsOfLongBridges=^IntegrationTests[.].*($(OF_LONG_BRIDGES))' \
  'KafkaTestsNewest=^KafkaTests[.].*($(OF_GROUPS))' \
  'KafkaTestsDebian13=^KafkaTests[.].*($(OF_RECORDS))'

# `swift test` locks the build folder: what runs beside it starts the tests as it does.
BUILT_TESTS := .build/debug/apns-bridgePackageTests.xctest --testing-library swift-testing

# The same, built for a sanitizer.
sanitized = .build/$(1)/debug/apns-bridgePackageTests.xctest --testing-library swift-testing

# Prints what failed and why, and keeps the rest in .build/tests.
REPORT := python3 -B Tests/Report/run.py

# What measures time runs alone, after everything else has ended.
ALONE := A bridge whose window is always full

# The targets of `make fuzz`, and the time for each.
FUZZ_TARGETS ?= event cost avro avro-sample protobuf connector pattern http2-client http2-server tls packets
FUZZ_SECONDS ?= 20

title = @printf '\n=== %s ===\n' '$(1)'

help: ## Shows this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-20s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

dependencies: ## Installs the Debian packages that the build needs
	@command -v swift >/dev/null || { \
	  echo 'swift is not on PATH: install Swift 6.3 from https://www.swift.org/install' >&2; \
	  exit 69; }
	@Tests/Packaging/install-packages.sh $(LIBRARIES)

test-dependencies: dependencies ## Installs the Debian packages that only the tests need
	@Tests/Packaging/install-packages.sh $(TOOLS)

python-clients: ## Installs third-party Python packages for the tests in .build/python-clients
	@Tests/Packaging/install-python-clients.sh

# Without a package registry the tests of the website are skipped.
documentation-tools: ## Installs what builds the documentation website in .build/documentation-tools
	@Tests/Packaging/install-documentation-tools.sh 0

build: dependencies ## Builds the release executable: .build/release/apns-bridge
	@revision=$$(deploy/packaging/revision.sh); \
	swift build -c release --product apns-bridge -Xlinker "$$revision"

# Not optimised: nothing is measured there, the optimiser would take most of the build, and
# `make test` goes on with what is built.
demo: dependencies ## Shows the whole path in ten seconds: Kafka, bridge and simulator in one process
	@swift build $(SWIFT_BUILD_FLAGS) --product apns-bridge
	@.build/debug/apns-bridge demo

test-more: test-dependencies python-clients documentation-tools ## Runs the tests that use browsers, clients, databases, Prometheus and packages
	@swift build $(SWIFT_BUILD_FLAGS) --build-tests
	@$(MAKE) --no-print-directory more-tests

# `make test` runs them beside those that mostly wait.
more-tests:
	@$(REPORT) More $(BUILT_TESTS) --no-parallel --filter '$(OF_OTHERS)'
	@python=.build/python-clients/bin/python3; [ -x $$python ] || python=python3; \
	$$python -B -m unittest discover --quiet --start-directory Tests/Packaging

test: test-dependencies python-clients documentation-tools ## Runs everything that CI runs
	@deploy/packaging/release.py --testing
	@rm -f .build/tests/*.total
	$(call title,Build)
	@$(MAKE) --no-print-directory --jobs=3 tests-build sanitizer-builds kafka-classes
	$(call title,Tests)
	@Tests/Report/side-by-side.sh '$(ALONE)|$(OF_OTHERS)' $(ROWS)
	@$(REPORT) Alone $(BUILT_TESTS) --filter '$(ALONE)'
	$(call title,All tests passed)
	@cat .build/tests/*.total
	@deploy/packaging/release.py --passed

tests-build:
	@APNS_BRIDGE_TESTS='$(filter-out $(UNDER_SANITIZER),$(notdir $(wildcard Tests/*Tests)))' \
	  swift build $(SWIFT_BUILD_FLAGS) --build-tests

# Without it the brokers of the tests start as they do anywhere.
kafka-classes:
	-@Tests/Packaging/kafka-classes.sh .build/kafka-classes.jsa

module-tests:
	@$(REPORT) Modules $(BUILT_TESTS) \
	  --skip '$(call of,$(PROGRAM))|$(call of,$(WITH_WORLDS)).*($(WORLDS))|$(WITH_LIMIT)|$(OF_OTHERS)'

world-tests:
	@$(REPORT) Worlds $(BUILT_TESTS) --filter '$(call of,$(WITH_WORLDS)).*($(WORLDS))|$(WITH_LIMIT)'

# Those of the scripts that run tests.
script-tests:
	@python3 -B -m unittest discover --quiet --start-directory Tests/Report
	@python3 -B -m unittest discover --quiet --start-directory Tests/Chaos

# `make test` tests what has unsafe code under the sanitizers. This adds the engine and the worker, which
# have none, in case that a check of the compiler has a gap.
sanitize: dependencies ## Runs all that a sanitizer can run under it, the worker and its worlds, too
	@$(MAKE) --no-print-directory --jobs=2 UNSAFE='$(UNSAFE) $(WORKER)' \
	  THREADED='$(THREADED) HTTP2Tests APNsTests BridgeTests' sanitizer-builds
	@$(MAKE) --no-print-directory --jobs=2 THREADED='$(THREADED) HTTP2Tests APNsTests BridgeTests' \
	  sanitized-tests address-of-worker address-of-worlds

# Not optimised: the optimiser would take longer than the tests.
sanitizer-builds: address-build thread-build

address-build:
	@env -u APNS_BRIDGE_OPTIMIZE APNS_BRIDGE_TESTS='$(UNSAFE)' swift build $(SWIFT_BUILD_FLAGS) \
	  --product apns-bridgePackageTests --sanitize=address --scratch-path .build/address

thread-build:
	@env -u APNS_BRIDGE_OPTIMIZE APNS_BRIDGE_TESTS='$(THREADED)' swift build $(SWIFT_BUILD_FLAGS) \
	  --product apns-bridgePackageTests --sanitize=thread --scratch-path .build/thread

sanitized-tests: address-tests thread-tests

address-tests:
	@$(REPORT) Address $(call sanitized,address) \
	  --filter '$(call of,$(UNSAFE))' --skip '$(WITH_LIMIT)'

address-of-worker:
	@ASAN_OPTIONS=detect_leaks=0 $(REPORT) AddressOfWorker $(call sanitized,address) \
	  --filter '$(call of,$(WORKER))' --skip '$(OF_OTHERS)|$(WORLDS)'

# An error in memory needs few seeds.
address-of-worlds:
	@ASAN_OPTIONS=detect_leaks=0 APNS_BRIDGE_MOST_SEEDS=10 $(REPORT) AddressOfWorlds \
	  $(call sanitized,address) --filter '$(call of,$(WITH_WORLDS)).*($(WORLDS))'

thread-tests:
	@$(REPORT) Threads $(call sanitized,thread) --filter '$(call of,$(THREADED))' \
	  --skip '$(WITH_LIBRDKAFKA)|$(WITH_MUTEX)|$(IN_ONE_THREAD)|$(WITH_LIMIT)|$(WORLDS)'

# Settings that someone types are read from the environment: a quotation mark in one must not become
# part of a script.
export SEEDS ?= 1000

simulate: simulate-settings dependencies ## Runs the random worlds with many seeds: make simulate SEEDS=20000
	@APNS_BRIDGE_TESTS='BridgeTests APNsTests' swift build -c release \
	  --product apns-bridgePackageTests --scratch-path .build/simulate -Xswiftc -enable-testing
	@APNS_BRIDGE_SEED_FACTOR=$$(( ($(SEEDS) + 249) / 250 )) APNS_BRIDGE_BACKLOG=50000 \
	  .build/simulate/release/apns-bridgePackageTests.xctest \
	  --testing-library swift-testing --filter '$(WORLDS)'

simulate-settings:
	@[[ "$$SEEDS" =~ ^[1-9][0-9]{0,8}$$ ]] || { \
	  echo "SEEDS is a number of seeds, as in: make simulate SEEDS=20000" >&2; exit 64; }

export MUTANT_SEEDS ?= 1000
export MUTANT_MINUTES ?= 10

mutants: mutant-settings ## Checks that the random worlds find deliberate faults
	@Tests/Mutants/run.py --seeds '$(MUTANT_SEEDS)' --minutes '$(MUTANT_MINUTES)' $(MUTANTS)

# Before the build, which takes minutes.
mutant-settings: test-dependencies
	@set -f; Tests/Mutants/run.py --check --seeds "$$MUTANT_SEEDS" --minutes "$$MUTANT_MINUTES" \
	  $${MUTANTS:-}

# The Python of `make python-clients`.
CLIENTS := .build/python-clients/bin/python3 -B
# The rounds that `make test` plays, in a minute and a half beside the other tests with Kafka.
SHORT_CHAOS := kill-all kill-apns transactions

chaos: chaos-settings build python-clients ## Breaks a real Kafka, APNs and bridges at random: make chaos ROUNDS=20 SEED=7
	@earlier=$${FROM:+$$(Tests/Chaos/build-earlier.sh)}; \
	$(CLIENTS) Tests/Chaos/run.py $(if $(ROUNDS),--rounds $(ROUNDS)) $(if $(SEED),--seed $(SEED)) \
	  $(if $(LIBRDKAFKA),--library '$(LIBRDKAFKA)') $(if $(PROTOCOL),--protocol $(PROTOCOL)) \
	  $(if $(RATE),--rate $(RATE)) $${earlier:+--earlier "$$earlier"} $(KINDS)

# Before the build, which takes minutes.
chaos-settings:
	@Tests/Chaos/check-settings.sh

short-chaos:
	$(call title,A few rounds of chaos)
	@Tests/Chaos/short.sh $(SHORT_CHAOS)

fuzz: dependencies ## Fuzzes the parsers of external input for two minutes
	@APNS_BRIDGE_FUZZ=1 swift build -c release --product fuzz --scratch-path .build/fuzz \
	  -Xswiftc -sanitize=fuzzer -Xswiftc -use-ld=lld
	@Tests/Fuzzing/run.sh '$(FUZZ_SECONDS)' $(FUZZ_TARGETS)

benchmark: dependencies ## Measures what a push costs, and fails where that passes its limit
	@Benchmarks/run.sh

docs: ## Builds the documentation website: .build/documentation
	@Tests/Packaging/install-documentation-tools.sh
	@.build/documentation-tools/bin/python3 -B deploy/documentation/build.py .build/documentation
	@echo 'Serve .build/documentation with any web server, or open .build/documentation/index.html.'

pictures: build python-clients ## Renews the pictures of phones and status page, and the session of a legacy provider
	@Tests/Browser/pictures.sh

image: ## Builds the container image
	@revision=$$(deploy/packaging/revision.sh); revision=$${revision##*/revision-}; \
	docker build --build-arg REVISION="$${revision%.o}" -t apns-bridge .

pin-images: ## Pins the images of others by the digests that their tags have now
	@deploy/packaging/pin_images.py

test-image: static-build ## Replays the image's steps in a clean Debian, uses the program there, and measures it
	@Tests/Packaging/clean_image.py .build/static/release/apns-bridge

sbom: ## Lists what program and image contain, as CycloneDX: make sbom IMAGE=apns-bridge
	@mkdir -p .build
	@deploy/packaging/sbom.py $(if $(IMAGE),--image '$(IMAGE)') --output .build/apns-bridge.cdx.json
	@echo .build/apns-bridge.cdx.json

export VERSION ?=

release-check: ## Says what stands in the way of a release, and changes nothing: make release-check VERSION=1.0.0
	@deploy/packaging/release.py -- "$$VERSION"

# The build takes minutes in which files and commits may change: what is tagged is checked again.
release: ## Builds and tags a release: make release VERSION=1.0.0
	@deploy/packaging/release.py --tests -- "$$VERSION"
	@$(MAKE) --no-print-directory static-build
	@Tests/Packaging/install-packages.sh dpkg-dev binutils python3
	@commit=$$(git rev-parse HEAD); \
	deploy/packaging/artefacts.py -- "$$VERSION" .build/static/release/apns-bridge; \
	deploy/packaging/release.py --tests -- "$$VERSION"; \
	[ "$$(git rev-parse HEAD)" = "$$commit" ] || { \
	  echo 'error: the commit is another one than when the artefacts were made: run make release again' >&2; exit 1; }; \
	git tag --annotate --message "apns-bridge $$VERSION" -- "$$VERSION" "$$commit"
	@echo "Tagged. To publish it: git push origin $$VERSION, and the files above."

# The same commit makes the same program in whatever folder: its name is neither in debug information nor in
# hashes of the compiler's options.
REPRODUCIBLE = -debug-info-format none -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen \
  -Xswiftc -file-prefix-map -Xswiftc "$(CURDIR)=." -Xcc "-ffile-prefix-map=$(CURDIR)=." \
  -Xcxx "-ffile-prefix-map=$(CURDIR)=."

# The program with the Swift runtime inside it.
static-build: dependencies
	@Tests/Packaging/install-packages.sh chrpath
	@revision=$$(deploy/packaging/revision.sh); \
	swift build -c release --static-swift-stdlib --product apns-bridge --scratch-path .build/static \
	  $(REPRODUCIBLE) -Xlinker "$$revision"
	@chrpath --delete .build/static/release/apns-bridge >/dev/null

deb: static-build ## Makes a Debian package of the program: .build/apns-bridge_….deb
	@Tests/Packaging/install-packages.sh dpkg-dev binutils python3
	@deploy/packaging/deb.py .build/static/release/apns-bridge .build

test-deb: deb ## Installs the Debian package in a clean Debian, uses it and removes it
	@Tests/Packaging/clean_install.py "$$(ls -t .build/apns-bridge_*.deb | head -1)"
