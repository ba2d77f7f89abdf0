#!/usr/bin/env bash
# newest-librdkafka.sh: makes a folder with the librdkafka of Python's confluent-kafka, under the name
# that the dynamic linker looks for, and prints the folder; exits 1 if `make python-clients` could not
# install that. With LD_LIBRARY_PATH=FOLDER a program uses it in place of the system's.
set -euo pipefail
folder=.build/newest-librdkafka
files=(.build/python-clients/lib/python3*/site-packages/confluent_kafka.libs/librdkafka-*.so.1)
[ -f "${files[0]}" ] || exit 1
mkdir -p "$folder"
ln -sfn "$(realpath "${files[0]}")" "$folder/librdkafka.so.1"
realpath "$folder"
