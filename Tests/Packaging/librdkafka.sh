#!/usr/bin/env bash
# librdkafka.sh newest|debian13: makes a folder with the librdkafka of a confluent-kafka for Python, under
# the name that the dynamic linker looks for, and prints the folder; exits 1 if `make python-clients` could
# not install that. With LD_LIBRARY_PATH=FOLDER a program uses it in place of the system's.
set -euo pipefail
case $1 in
  newest) packages=(.build/python-clients/lib/python3*/site-packages) ;;
  debian13) packages=(.build/debian13-librdkafka) ;;
  *) echo "unknown librdkafka '$1': newest or debian13" >&2; exit 64 ;;
esac
files=("${packages[0]}"/confluent_kafka.libs/librdkafka-*.so.1)
[ -f "${files[0]}" ] || exit 1
folder=.build/librdkafka-$1
mkdir -p "$folder"
ln -sfn "$(realpath "${files[0]}")" "$folder/librdkafka.so.1"
realpath "$folder"
