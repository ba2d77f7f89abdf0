#!/usr/bin/env bash
# kafka-classes.sh FILE: keeps what a broker of $KAFKA_HOME loads when it starts in FILE. The brokers of the tests
# start from that in two thirds of the processor time; without it they start as they do anywhere.
set -euo pipefail
[ -n "${KAFKA_HOME:-}" ] && [ ! -s "$1" ] || exit 0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
read -r broker controller < <(python3 -c '
import socket
sockets = [socket.socket() for _ in range(2)]
for each in sockets: each.bind(("127.0.0.1", 0))
print(*(each.getsockname()[1] for each in sockets))')
cat >"$folder/properties" <<PROPERTIES
process.roles=broker,controller
node.id=1
controller.quorum.bootstrap.servers=127.0.0.1:$controller
listeners=PLAINTEXT://127.0.0.1:$broker,CONTROLLER://127.0.0.1:$controller
advertised.listeners=PLAINTEXT://127.0.0.1:$broker
controller.listener.names=CONTROLLER
log.dirs=$folder/data
PROPERTIES
export KAFKA_HEAP_OPTS=-Xmx256m LOG_DIR=$folder/logs
"$KAFKA_HOME/bin/kafka-storage.sh" format --standalone -t MkU3OEVBNTcwNTJENDM2Qg -c "$folder/properties" \
  >"$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
KAFKA_OPTS="-XX:ArchiveClassesAtExit=$1" \
  timeout 60 "$KAFKA_HOME/bin/kafka-server-start.sh" "$folder/properties" >"$folder/log" 2>&1 &
pid=$!
while kill -0 "$pid" 2>/dev/null && ! grep -q 'Kafka Server started' "$folder/log"; do sleep 0.1; done
kill -TERM "$pid" 2>/dev/null || true
wait "$pid" || true
[ -s "$1" ] || { echo "kafka-classes.sh: no archive of Kafka's classes:" >&2; tail -3 "$folder/log" >&2; }
