#!/usr/bin/env bash
# Measures what a push costs; fails where that passes its limit in limits.json.
set -euo pipefail

# The instructions of so many records of a connector.
collected() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null .build/mapping-benchmark "$1" \
    connectors "$2" 2>&1 >/dev/null | awk '/Collected/ { print $4 }'
}

# The instructions of one record of a connector.
instructions() {
  echo $(( ($(collected 11000 "$1") - $(collected 1000 "$1")) / 20000 ))
}

# Compares a connector with one whose events are JSON, and fails above so many percent.
compare() {
  local encoded json
  encoded=$(instructions "$1")
  json=$(instructions "$1:json")
  echo "$1: $encoded instructions for each record, $json in JSON: $(( encoded * 100 / json )) %"
  [ $(( encoded * 100 )) -le $(( json * $2 )) ] || {
    echo "$1: more than $2 % of JSON" >&2
    exit 1
  }
}

swift build -c release --product mapping-benchmark
.build/release/mapping-benchmark
if command -v valgrind >/dev/null; then
  strip -g -o .build/mapping-benchmark .build/release/mapping-benchmark
  echo "instructions for each record: $(instructions orders)"
  compare avro-orders 112
  compare protobuf-orders 152
fi

swift build -c release --product worker-benchmark
.build/release/worker-benchmark
Benchmarks/instructions.py --check

[ -n "${KAFKA_HOME:-}" ] || exit 0
swift build -c release --product apns-bridge
Benchmarks/whole.py --check
Benchmarks/bridge.py --rounds 1 --rates 100,1000 .build/release/apns-bridge
