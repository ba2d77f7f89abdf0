#!/usr/bin/env bash
# Installs third-party Python packages for the tests in .build/python-clients, unless they are there.
set -euo pipefail
folder=.build/python-clients

"$folder/bin/python3" -W ignore -c 'import aioapns, apns2.client, apns3, duckdb, confluent_kafka, \
  cyclonedx.validation.json, fastavro, kalyke, kubernetes_validate, prometheus_client, pyapns_client' \
  2>/dev/null && exit 0

rm -rf "$folder.new"
if python3 -m venv "$folder.new" \
  && "$folder.new/bin/python3" -m pip install --quiet --disable-pip-version-check \
    --require-hashes --requirement Tests/Packaging/python-clients.txt
then
  rm -rf "$folder"
  mv "$folder.new" "$folder"
else
  echo 'No package registry: the tests with third-party clients are skipped.' >&2
fi
