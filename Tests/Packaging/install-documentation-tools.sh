#!/usr/bin/env bash
# Installs what builds the documentation website in .build/documentation-tools, unless it is there already.
set -euo pipefail
folder=.build/documentation-tools
list=deploy/documentation/requirements.txt

if cmp --silent "$list" "$folder/requirements.txt"; then exit 0; fi
rm -rf "$folder.new"
if python3 -m venv "$folder.new" \
  && "$folder.new/bin/python3" -m pip install --quiet --disable-pip-version-check --require-hashes \
    --requirement "$list"
then
  cp "$list" "$folder.new/requirements.txt"
  rm -rf "$folder"
  mv "$folder.new" "$folder"
else
  rm -rf "$folder.new"
  echo 'No package registry: there is no Sphinx, and the documentation website is not built.' >&2
  exit "${1:-69}"
fi
