#!/usr/bin/env bash
# short.sh KIND...: plays rounds of chaos as `make test` does, or says why they are skipped.
set -euo pipefail
python=.build/python-clients/bin/python3

if [ -z "${KAFKA_HOME:-}" ]; then
  echo 'Skipped: needs a Kafka of its own: set KAFKA_HOME to a Kafka 4 distribution'
elif ! "$python" -c 'import confluent_kafka' 2>/dev/null; then
  echo "Skipped: needs Python's confluent-kafka: make python-clients installs it"
else
  "$python" -B Tests/Chaos/run.py --bridge .build/debug/apns-bridge --rate 40 --seed 1 "$@"
fi
