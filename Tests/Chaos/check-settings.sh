#!/usr/bin/env bash
# Checks what someone sets for `make chaos`, before the build, which takes minutes.
set -euf

refuse() {
  echo "$2" >&2
  exit "$1"
}

[[ "${ROUNDS:-}" =~ ^([1-9][0-9]*)?$ ]] \
  || refuse 64 "ROUNDS is a number of rounds, as in: make chaos ROUNDS=20"
[[ "${SEED:-}" =~ ^[0-9]*$ ]] \
  || refuse 64 "SEED is the number that an earlier run printed, as in: make chaos SEED=7"
[[ "${RATE:-}" =~ ^([1-9][0-9]*)?$ ]] \
  || refuse 64 "RATE is a number of events a second, as in: make chaos RATE=4000"
[[ "${PROTOCOL:-}" =~ ^(classic|consumer)?$ ]] \
  || refuse 64 "PROTOCOL is classic or consumer, as in: make chaos PROTOCOL=consumer"
[[ -z "${FROM:-}" ]] || git rev-parse --verify --quiet --end-of-options "$FROM^{commit}" >/dev/null \
  || refuse 64 "no commit is called '$FROM': name one from which to upgrade, as in: make chaos FROM=1.0.0"
[[ "${LIBRDKAFKA:-}" =~ ^(newest)?$ || -f "$LIBRDKAFKA" ]] \
  || refuse 66 "no such library: $LIBRDKAFKA: name a librdkafka.so.1, or write LIBRDKAFKA=newest"

# The functions that @plays marks.
known=$(awk '/^@plays/ { isNext = 1 } /^def / && isNext {
  sub(/^def /, ""); sub(/\(.*/, ""); gsub("_", "-"); print; isNext = 0 }' Tests/Chaos/rounds.py Tests/Chaos/upgrade.py)
for kind in ${KINDS:-}; do
  grep -qx -- "$kind" <<<"$known" \
    || refuse 64 "no round is called '$kind'; there are: $(tr '\n' ' ' <<<"$known")"
done

[ -n "${KAFKA_HOME:-}" ] \
  || refuse 69 "make chaos needs a Kafka of its own: set KAFKA_HOME to a Kafka 4 distribution"
[ -f "$KAFKA_HOME/bin/kafka-server-start.sh" ] \
  || refuse 66 "KAFKA_HOME is not a Kafka distribution: $KAFKA_HOME/bin has no kafka-server-start.sh"
