#!/usr/bin/env bash
# Installs third-party Python packages for the tests in .build/python-clients, unless they are there.
set -euo pipefail
folder=.build/python-clients

install() {
  "$1/bin/python3" -m pip install --quiet --disable-pip-version-check --require-hashes "${@:2}"
}

if ! "$folder/bin/python3" -W ignore -c 'import aioapns, apns2.client, apns3, aws_msk_iam_sasl_signer, \
    confluent_kafka, cyclonedx.validation.json, duckdb, fastavro, google.protobuf.message_factory, kalyke, kubernetes_validate, \
    prometheus_client, pyapns_client' 2>/dev/null
then
  rm -rf "$folder.new"
  if python3 -m venv "$folder.new" \
    && install "$folder.new" --requirement Tests/Packaging/python-clients.txt
  then
    rm -rf "$folder"
    mv "$folder.new" "$folder"
  else
    echo 'No package registry: the tests with third-party clients are skipped.' >&2
  fi
fi

"$folder/bin/python3" -c 'import chdb' 2>/dev/null \
  || install "$folder" --no-deps --requirement Tests/Packaging/clickhouse.txt 2>/dev/null \
  || echo 'No chdb: the test with ClickHouse is skipped.' >&2

# Beside the newest one, in a folder of its own.
library=.build/debian13-librdkafka
Tests/Packaging/librdkafka.sh debian13 >/dev/null \
  || { rm -rf "$library" && install "$folder" --no-deps --target "$library" \
    --requirement Tests/Packaging/debian13-librdkafka.txt 2>/dev/null; } \
  || echo 'No librdkafka of Debian 13: the tests with it are skipped.' >&2
