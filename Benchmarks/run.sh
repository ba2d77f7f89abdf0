#!/usr/bin/env bash
# Measures what a push costs; fails where that passes its limit in limits.json.
set -euo pipefail

# The instructions of the mapping of so many records.
instructions() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null .build/mapping-benchmark "$1" \
    2>&1 >/dev/null | awk '/Collected/ { print $4 }'
}

swift build -c release --product mapping-benchmark
.build/release/mapping-benchmark
if command -v valgrind >/dev/null; then
  strip -g -o .build/mapping-benchmark .build/release/mapping-benchmark
  echo "instructions for each record, read once more included:" \
    $(( ($(instructions 11000) - $(instructions 1000)) / 20000 ))
fi

swift build -c release --product worker-benchmark
.build/release/worker-benchmark
Benchmarks/instructions.py --check

[ -n "${KAFKA_HOME:-}" ] || exit 0
swift build -c release --product apns-bridge
Benchmarks/whole.py --check
Benchmarks/bridge.py --rounds 1 --rates 100,1000 .build/release/apns-bridge
