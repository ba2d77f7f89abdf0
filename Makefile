# apns-bridge: one target for each task.

SHELL := /usr/bin/env bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help dependencies test-dependencies python-clients build demo test sanitize \
  address-build thread-build sanitized-tests simulate simulate-settings mutants mutant-settings \
  chaos chaos-settings short-chaos benchmark fuzz docs pictures image test-image sbom \
  deb test-deb static-build

# A program that is meant to crash must not wait for its backtrace.
export SWIFT_BACKTRACE ?= enable=no

LIBRARIES := librdkafka-dev libnghttp2-dev libssl-dev libyaml-dev libmicrohttpd-dev \
  libcurl4-openssl-dev libcctz-dev tzdata pkg-config
TOOLS := openjdk-17-jre-headless kcat nghttp2-client nghttp2-server python3-jsonschema python3-yaml \
  curl chromium python3-venv prometheus

# The byte machines, and the engine and worker on a simulated kernel. The engine has no threads:
# ThreadSanitizer has nothing to find in it. Foundation leaks a little for each
# process that some of the worker's tests start, so leaks are not checked there. A separate test checks
# that their simulated worlds leak nothing.
MACHINES := DeliveryTests TLSTests HTTP2Tests EventLoopTests APNsTests
WORKER := EngineTests BridgeTests ConnectorTestingTests
THREADED := TLSTests HTTP2Tests EventLoopTests APNsTests BridgeTests

# The tests of modules, as a filter.
empty :=
space := $(empty) $(empty)
of = ^($(subst $(space),|,$(1)))[.]

# Suites of the worker's tests that read connector files, replay or run doctor: there librdkafka starts
# threads, in a way that ThreadSanitizer does not support.
WITH_LIBRDKAFKA := (An incident|The alerts|A test file|A report on tests|A test of a connector|An update of a test file)|The article about (testing connectors|the fields of a notification)|The files of a connector.s credentials|A replay (and what it has recorded|that leaves out many dead letters)|An examination of (a service for .* providers|a bridge without an incident|APNs with a client certificate)|A dead letter without the value of its event|A forged dead letter|Doctor about a group that has committed nothing|The check of what a new group would send|Without another thread

# Suites whose tasks share state through Swift's Mutex alone: ThreadSanitizer does not see that it
# locks, and takes each of its accesses for a race.
WITH_MUTEX := A set of connectors that starts|Work that is done side by side|The first check of several clusters|What the service manager is told|A connector that an operator pauses|A reload of connector files|An exporter of spans|A group that has committed nothing|An operator who confirms the clock

# A test that limits the memory of its process: a sanitizer reserves more than any limit allows.
WITH_LIMIT := is the same error when the system has no memory for its stack

# Simulated worlds: each is one thread, so that ThreadSanitizer has no races to find,
# and under it they take longer than all other tests together.
WORLDS := A worker in (bad weather|a simulated world)|A worker whose (topic is changed|commits are full)|Two workers that share a group|A world with (two apps|a record of which)|A worker whose peer sends GOAWAY|The records of a simulated world|A response from APNs|A gateway that responds in place of APNs|A pool in a (world of random servers|scenario of the simulator)|A group whose topic grows|A log that loses its last records|A worker that loses its partitions|A world with (one event that is always refused|an event for a foreign app)|A world whose firewall forgets quiet connections|An idle worker|A world with pushes that wait for a retry

# Tests that start brokers, processes and clocks of their own, and mostly wait for them: those of a
# module one after the other, the modules side by side.
PROGRAM := CommandLineTests IntegrationTests KafkaTests

# `swift test` locks the build folder: what runs beside it starts the tests as it does.
BUILT_TESTS := .build/debug/apns-bridgePackageTests.xctest --testing-library swift-testing

# Prints what failed and why, and keeps the rest in .build/tests.
REPORT := python3 -B Tests/Report/run.py

# Takes only processor time that nothing else wants; the compiler undoes what `nice` says.
IDLE := $(if $(shell command -v chrt),chrt --idle 0)

# What measures time runs alone, after everything else has ended.
ALONE := A bridge whose window is always full

# Installs those of the packages $(1) that are missing, and says so.
define install
	@if ! command -v apt-get >/dev/null; then \
	  echo 'This is not Debian: install the equivalents of these packages: $(1)' >&2; exit 0; \
	fi; \
	missing=(); for package in $(1); do \
	  dpkg-query -W -f='$${Status}' "$$package" 2>/dev/null | grep -q 'ok installed' \
	    || missing+=("$$package"); \
	done; \
	if [ $${#missing[@]} -gt 0 ]; then \
	  echo "Installing the missing Debian packages: $${missing[*]}" >&2; \
	  sudo=; [ "$$(id -u)" -eq 0 ] || sudo=sudo; \
	  $$sudo apt-get update -qq; \
	  $$sudo env DEBIAN_FRONTEND=noninteractive \
	    apt-get install -qq -y --no-install-recommends "$${missing[@]}" >/dev/null; \
	fi
endef

# The targets of `make fuzz`, and the time for each.
FUZZ_TARGETS ?= event cost connector pattern http2-client http2-server tls packets
FUZZ_SECONDS ?= 20

title = @printf '\n=== %s ===\n' '$(1)'

help: ## Shows this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

dependencies: ## Installs the Debian packages that the build needs
	@command -v swift >/dev/null || { \
	  echo 'swift is not on PATH: install Swift 6.3 from https://www.swift.org/install' >&2; \
	  exit 69; }
	$(call install,$(LIBRARIES))

test-dependencies: dependencies ## Installs the Debian packages that only the tests need
	$(call install,$(TOOLS))

python-clients: ## Installs third-party Python packages for the tests in .build/python-clients
	@if ! .build/python-clients/bin/python3 -W ignore -c \
	  'import aioapns, apns2.client, apns3, duckdb, confluent_kafka, cyclonedx.validation.json, kalyke, \
	    kubernetes_validate, prometheus_client, pyapns_client' 2>/dev/null; then \
	  rm -rf .build/python-clients.new; \
	  if python3 -m venv .build/python-clients.new \
	    && .build/python-clients.new/bin/python3 -m pip install --quiet --disable-pip-version-check \
	      --require-hashes --requirement Tests/Packaging/python-clients.txt; \
	  then rm -rf .build/python-clients; mv .build/python-clients.new .build/python-clients; \
	  else echo 'No package registry: the tests with third-party clients are skipped.' >&2; fi; \
	fi
	@.build/python-clients/bin/python3 -c 'import chdb' 2>/dev/null \
	  || .build/python-clients/bin/python3 -m pip install --quiet --disable-pip-version-check --no-deps \
	    --require-hashes --requirement Tests/Packaging/clickhouse.txt 2>/dev/null \
	  || echo 'No chdb: the test with ClickHouse is skipped.' >&2

build: dependencies ## Builds the release executable: .build/release/apns-bridge
	@swift build -c release --product apns-bridge

demo: build ## Shows the whole path in ten seconds: Kafka, bridge and simulator in one process
	@.build/release/apns-bridge demo

test: test-dependencies python-clients ## Runs everything that CI runs
	$(call title,Build)
	@swift build $(SWIFT_BUILD_FLAGS) --build-tests
	$(call title,Tests)
	@rm -f .build/tests/*.total
	@$(REPORT) Modules $(BUILT_TESTS) --skip '$(call of,$(PROGRAM))'
	@python3 -B -m unittest discover --quiet --start-directory Tests/Report
	@python3 -B -m unittest discover --quiet --start-directory Tests/Chaos
	@python=.build/python-clients/bin/python3; [ -x $$python ] || python=python3; \
	$$python -B -m unittest discover --quiet --start-directory Tests/Packaging
	$(call title,Tests with Kafka and with the program itself)
	@$(IDLE) $(MAKE) --no-print-directory --jobs=2 address-build thread-build \
	  >.build/sanitizers.log 2>&1 & builds=$$!; \
	rows=(); \
	for module in $(PROGRAM); do \
	  $(REPORT) $$module $(BUILT_TESTS) --no-parallel --filter "^$$module[.]" --skip '$(ALONE)' \
	    >.build/$$module.log 2>&1 & rows+=($$!); \
	done; \
	$(MAKE) --no-print-directory short-chaos >.build/Chaos.log 2>&1 & rows+=($$!); \
	trap 'kill $$builds "$${rows[@]}" 2>/dev/null || true' EXIT; \
	failed=0; \
	for module in $(PROGRAM) Chaos; do \
	  wait "$${rows[0]}" || failed=1; rows=("$${rows[@]:1}"); \
	  cat .build/$$module.log; \
	done; \
	[ $$failed -eq 0 ] || exit 1; \
	wait $$builds || { cat .build/sanitizers.log; exit 1; }
	@$(REPORT) Alone $(BUILT_TESTS) --filter '$(ALONE)'
	@$(MAKE) --no-print-directory sanitized-tests
	$(call title,All tests passed)
	@cat .build/tests/*.total

sanitize: dependencies address-build thread-build sanitized-tests ## Runs the byte machines and the worker under two sanitizers

# Only the modules whose tests run under a sanitizer are built for it. `make test` builds them at the
# lowest priority while the tests with Kafka run, which mostly wait.
address-build:
	@APNS_BRIDGE_TESTS='$(MACHINES) $(WORKER)' swift build $(SWIFT_BUILD_FLAGS) \
	  --product apns-bridgePackageTests --sanitize=address --scratch-path .build/address

thread-build:
	@APNS_BRIDGE_TESTS='$(THREADED)' swift build $(SWIFT_BUILD_FLAGS) \
	  --product apns-bridgePackageTests --sanitize=thread --scratch-path .build/thread

sanitized-tests:
	$(call title,Tests under AddressSanitizer)
	@APNS_BRIDGE_TESTS='$(MACHINES) $(WORKER)' $(REPORT) AddressOfMachines \
	  swift test --disable-xctest --sanitize=address \
	  --scratch-path .build/address --skip-build --filter '$(call of,$(MACHINES))' \
	  --skip '$(WITH_LIMIT)'
	@APNS_BRIDGE_TESTS='$(MACHINES) $(WORKER)' ASAN_OPTIONS=detect_leaks=0 \
	  APNS_BRIDGE_MOST_SEEDS=30 $(REPORT) AddressOfWorker \
	  swift test --disable-xctest --sanitize=address \
	  --scratch-path .build/address --skip-build --filter '$(call of,$(WORKER))'
	$(call title,Tests under ThreadSanitizer)
	@APNS_BRIDGE_TESTS='$(THREADED)' $(REPORT) Threads \
	  swift test --disable-xctest --sanitize=thread \
	  --scratch-path .build/thread --skip-build \
	  --filter '$(call of,$(THREADED))' \
	  --skip '$(WITH_LIBRDKAFKA)|$(WITH_MUTEX)|$(WITH_LIMIT)|$(WORLDS)'

# Settings that someone types are read from the environment: a quotation mark in one must not become
# part of a script.
export SEEDS ?= 1000

simulate: simulate-settings dependencies ## Runs the random worlds with many seeds: make simulate SEEDS=20000
	@APNS_BRIDGE_TESTS='BridgeTests APNsTests' swift build -c release \
	  --product apns-bridgePackageTests --scratch-path .build/simulate -Xswiftc -enable-testing
	@APNS_BRIDGE_SEEDS=$(SEEDS) APNS_BRIDGE_BACKLOG=50000 .build/simulate/release/apns-bridgePackageTests.xctest \
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
	@$(CLIENTS) Tests/Chaos/run.py $(if $(ROUNDS),--rounds $(ROUNDS)) $(if $(SEED),--seed $(SEED)) \
	  $(if $(LIBRDKAFKA),--library '$(LIBRDKAFKA)') $(if $(PROTOCOL),--protocol $(PROTOCOL)) \
	  $(if $(RATE),--rate $(RATE)) $(KINDS)

# Before the build, which takes minutes.
chaos-settings:
	@[[ "$${ROUNDS:-}" =~ ^([1-9][0-9]*)?$$ ]] || { \
	  echo "ROUNDS is a number of rounds, as in: make chaos ROUNDS=20" >&2; exit 64; }
	@[[ "$${SEED:-}" =~ ^[0-9]*$$ ]] || { \
	  echo "SEED is the number that an earlier run printed, as in: make chaos SEED=7" >&2; exit 64; }
	@[[ "$${RATE:-}" =~ ^([1-9][0-9]*)?$$ ]] || { \
	  echo "RATE is a number of events a second, as in: make chaos RATE=4000" >&2; exit 64; }
	@[[ "$${PROTOCOL:-}" =~ ^(classic|consumer)?$$ ]] || { \
	  echo "PROTOCOL is classic or consumer, as in: make chaos PROTOCOL=consumer" >&2; exit 64; }
	@[[ "$${LIBRDKAFKA:-}" =~ ^(newest)?$$ || -f "$$LIBRDKAFKA" ]] || { \
	  echo "no such library: $$LIBRDKAFKA: name a librdkafka.so.1, or write LIBRDKAFKA=newest" >&2; \
	  exit 66; }
	@set -f; known=$$(awk '/^@plays/ { isNext = 1 } /^def / && isNext { \
	    sub(/^def /, ""); sub(/\(.*/, ""); gsub("_", "-"); print; isNext = 0 }' Tests/Chaos/rounds.py); \
	for kind in $${KINDS:-}; do \
	  grep -qx -- "$$kind" <<<"$$known" || { \
	    echo "no round is called '$$kind'; there are:" $$known >&2; exit 64; }; \
	done
	@[ -n "$${KAFKA_HOME:-}" ] || { \
	  echo "make chaos needs a Kafka of its own: set KAFKA_HOME to a Kafka 4 distribution" >&2; \
	  exit 69; }
	@[ -f "$$KAFKA_HOME/bin/kafka-server-start.sh" ] || { \
	  echo "KAFKA_HOME is not a Kafka distribution: $$KAFKA_HOME/bin has no kafka-server-start.sh" >&2; \
	  exit 66; }

short-chaos:
	$(call title,A few rounds of chaos)
	@if [ -z "$${KAFKA_HOME:-}" ]; then \
	  echo 'Skipped: needs a Kafka of its own: set KAFKA_HOME to a Kafka 4 distribution'; \
	elif ! $(CLIENTS) -c 'import confluent_kafka' 2>/dev/null; then \
	  echo 'Skipped: needs Python'"'"'s confluent-kafka: make python-clients installs it'; \
	else $(CLIENTS) Tests/Chaos/run.py --bridge .build/debug/apns-bridge --rate 40 --seed 1 \
	    $(SHORT_CHAOS); fi

fuzz: dependencies ## Fuzzes the parsers of external input for two minutes
	@APNS_BRIDGE_FUZZ=1 swift build -c release --product fuzz --scratch-path .build/fuzz \
	  -Xswiftc -sanitize=fuzzer -Xswiftc -use-ld=lld
	@for target in $(FUZZ_TARGETS); do \
	  printf '\n=== %s ===\n' "$$target"; \
	  mkdir -p .build/fuzz/found/$$target; \
	  .build/fuzz/release/fuzz $$target -max_total_time=$(FUZZ_SECONDS) -timeout=5 \
	    -rss_limit_mb=1024 -verbosity=0 -print_final_stats=1 \
	    -artifact_prefix=.build/fuzz/found/$$target- \
	    $$(test $$target != cost || echo -max_len=1048576) \
	    .build/fuzz/found/$$target Tests/Fuzzing/Corpus/$$target 2>&1 \
	    | grep -v -e ' # Uses: ' -e ' dictionary. ###'; \
	done

benchmark: dependencies ## Measures what a push costs, and fails where that passes its limit
	@swift build -c release --product mapping-benchmark
	@.build/release/mapping-benchmark
	@command -v valgrind >/dev/null || exit 0; \
	strip -g -o .build/mapping-benchmark .build/release/mapping-benchmark; \
	count() { \
	  valgrind --tool=callgrind --callgrind-out-file=/dev/null .build/mapping-benchmark "$$1" \
	    2>&1 >/dev/null | awk '/Collected/ { print $$4 }'; }; \
	echo "instructions for each record, read once more included:" \
	  $$(( ($$(count 11000) - $$(count 1000)) / 20000 ))
	@swift build -c release --product worker-benchmark
	@.build/release/worker-benchmark
	@Benchmarks/instructions.py --check
	@test -z "$(KAFKA_HOME)" || { \
	  swift build -c release --product apns-bridge && Benchmarks/whole.py --check \
	  && Benchmarks/bridge.py --rounds 1 --rates 100,1000 .build/release/apns-bridge; }

docs: dependencies ## Builds the documentation website: .build/documentation
	@swift build --target Bridge --scratch-path .build/symbols \
	  -Xswiftc -emit-symbol-graph -Xswiftc -emit-symbol-graph-dir -Xswiftc "$$PWD/.build/graphs"
	@mkdir -p .build/graphs/Bridge; rm -rf .build/documentation
	@find .build/graphs -maxdepth 1 -name 'Bridge*.symbols.json' -exec cp {} .build/graphs/Bridge \;
	@docc convert Sources/Bridge/Documentation.docc \
	  --additional-symbol-graph-dir .build/graphs/Bridge \
	  --fallback-display-name apns-bridge --fallback-bundle-identifier apns-bridge \
	  --output-dir .build/documentation
	@echo 'Serve .build/documentation with any web server.'

# Prints a rendered request as a configuration of curl.
define CURL_OF_REQUEST
import json, sys
request = json.load(sys.stdin)["notifications"][0]["request"]
print("url = " + json.dumps("https://localhost:22197" + request["path"]))
print("data = " + json.dumps(json.dumps(request["payload"])))
for header in request["headers"].items():
    print("header = " + json.dumps(": ".join(header)))
endef
export CURL_OF_REQUEST

pictures: build python-clients ## Renews the pictures of device and status page, and the session of a legacy provider
	@state=$$(mktemp -d); bridge=.build/release/apns-bridge; \
	$$bridge simulator --state "$$state" --port 22197 --admin-port 22198 >/dev/null & \
	trap "kill $$!; rm -rf '$$state'" EXIT; \
	until [ -s "$$state/ca.pem" ]; do sleep 0.1; done; \
	$$bridge render connectors/orders.yaml connectors/orders.example.json --format json \
	  | python3 -c "$$CURL_OF_REQUEST" \
	  | curl --silent --fail --http2 --retry 20 --retry-connrefused --cacert "$$state/ca.pem" \
	    --header "authorization: bearer $$($$bridge simulator token --state "$$state")" --config -; \
	chromium --headless --no-sandbox --hide-scrollbars --force-device-scale-factor=2 \
	  --virtual-time-budget=4000 --window-size=360,440 \
	  --screenshot=Sources/Bridge/Documentation.docc/Resources/device.png http://127.0.0.1:22198/
	@APNS_BRIDGE_PICTURES=Sources/Bridge/Documentation.docc/Resources swift test --disable-xctest \
	  --filter 'pushjack fetches the dead token of a push'
	@log=$$(mktemp); .build/release/apns-bridge demo --keep >"$$log" & \
	trap "kill $$!; rm -f '$$log'" EXIT; \
	until grep -q "simulator's devices" "$$log"; do sleep 0.1; done; \
	pages=($$(grep -o 'http://[^ ]*' "$$log")); \
	sleep 180; \
	curl --silent --fail --output /dev/null "$${pages[1]}scenario" \
	  --data-binary 'answers: [{device_token: "", status: 403, reason: InvalidProviderToken}]'; \
	sleep 30; \
	chromium --headless --no-sandbox --hide-scrollbars --virtual-time-budget=4000 \
	  --window-size=1180,960 \
	  --screenshot=Sources/Bridge/Documentation.docc/Resources/status.png "$${pages[0]}"

image: ## Builds the container image
	docker build -t apns-bridge .

test-image: static-build ## Replays the image's steps in a clean Debian, uses the program there, and measures it
	@Tests/Packaging/clean_image.py .build/static/release/apns-bridge

sbom: ## Lists what program and image contain, as CycloneDX: make sbom IMAGE=apns-bridge
	@mkdir -p .build
	@deploy/packaging/sbom.py $(if $(IMAGE),--image '$(IMAGE)') --output .build/apns-bridge.cdx.json
	@echo .build/apns-bridge.cdx.json

# The program with the Swift runtime inside it.
static-build: dependencies
	$(call install,chrpath)
	@swift build -c release --static-swift-stdlib --product apns-bridge --scratch-path .build/static
	@chrpath --delete .build/static/release/apns-bridge >/dev/null

deb: static-build ## Makes a Debian package of the program: .build/apns-bridge_….deb
	$(call install,dpkg-dev binutils python3)
	@deploy/packaging/deb.py .build/static/release/apns-bridge .build

test-deb: deb ## Installs the Debian package in a clean Debian, uses it and removes it
	@Tests/Packaging/clean_install.py "$$(ls -t .build/apns-bridge_*.deb | head -1)"
