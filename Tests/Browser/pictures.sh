#!/usr/bin/env bash
# Renews the pictures of devices and of the status page, and the session of a legacy provider.
# Arguments: which of them (device_page, activities_page, legacy_session, status_page); else all.
set -euo pipefail
bridge=${BRIDGE:-.build/release/apns-bridge}
pictures=Sources/Bridge/Documentation.docc/Resources

# A rendered request as a configuration of curl.
curl_of_request='
import json, sys
request = json.load(sys.stdin)["notifications"][0]["request"]
print("url = " + json.dumps("https://localhost:22197" + request["path"]))
print("data = " + json.dumps(json.dumps(request["payload"])))
for header in request["headers"].items():
    print("header = " + json.dumps(": ".join(header)))
'

take() {
  chromium --headless --no-sandbox --hide-scrollbars --virtual-time-budget=4000 "$@"
}

device_page() (
  state=$(mktemp -d)
  $bridge simulator --state "$state" --port 22197 --admin-port 22198 >/dev/null &
  trap "kill $!; rm -rf '$state'" EXIT
  until [ -s "$state/ca.pem" ]; do sleep 0.1; done
  $bridge render connectors/orders.yaml connectors/orders.example.json --format json \
    | python3 -c "$curl_of_request" \
    | curl --silent --fail --http2 --retry 20 --retry-connrefused --cacert "$state/ca.pem" \
      --header "authorization: bearer $($bridge simulator token --state "$state")" --config -
  take --force-device-scale-factor=2 --window-size=360,440 \
    --screenshot=$pictures/device.png http://127.0.0.1:22198/
)

# Sends an event, read from standard input, as a connector maps it.
send() {
  cat >"$folder/event.json"
  APNS_ENDPOINT=https://localhost:22197 \
    $bridge send --yes "$folder/connectors/$1.yaml" "$folder/event.json" >/dev/null
}

# A phone with two activities, one of them stale, and some of a thousand that follow a match.
activities_page() (
  folder=$(mktemp -d)
  cp -r connectors "$folder"
  $bridge simulator --state "$folder/simulator" --port 22197 --admin-port 22198 >/dev/null &
  trap "kill $!; rm -rf '$folder'" EXIT
  until curl --silent --fail --output /dev/null http://127.0.0.1:22198/devices; do sleep 0.1; done
  now=$(date +%s)
  phone=$(printf 'e1b2%060x' 42)
  start() {
    send live-activity <<<"{\"status\": \"accepted\", \"at\": $now, \"minutes_left\": $2,
      \"start_token\": \"$phone\", \"order\": {\"id\": $2, \"restaurant\": \"$1\"}}"
  }
  start "Pizzeria Roma" 25
  send live-activity <<<"{\"status\": \"on its way\", \"at\": $now, \"minutes_left\": 9,
    \"stale_at\": $((now - 60)), \"activity\": {\"id\": 25, \"token\": \"$phone\"}}"
  start "Trattoria Luna" 40
  take --force-device-scale-factor=2 --window-size=360,660 \
    --screenshot=$pictures/activities.png http://127.0.0.1:22198/
  channel=$($bridge channels create --yes "$folder/connectors/live-activity-broadcast.yaml" \
    --storage latest --endpoint https://localhost:22197 --ca-file "$folder/simulator/ca.pem")
  for phone in $(seq 1000 1999); do
    echo "next"
    echo "url = http://127.0.0.1:22198/devices/$(printf '%064x' "$phone")"
    echo "data = \"{\\\"subscribe\\\": \\\"$channel\\\"}\""
  done | sed 1d | curl --silent --fail --output /dev/null --config -
  send live-activity-broadcast <<<"{\"status\": \"second half\", \"goal\": true, \"at\": $now,
    \"match\": {\"channel\": \"$channel\"}, \"score\": {\"home\": 2, \"away\": 1}}"
  take --window-size=1180,440 --screenshot=$pictures/broadcast.png http://127.0.0.1:22198/
)

legacy_session() {
  APNS_BRIDGE_PICTURES=$pictures swift test --disable-xctest \
    --filter 'pushjack fetches the dead token of a push'
}

status_page() (
  log=$(mktemp)
  $bridge demo --keep >"$log" &
  trap "kill $!; rm -f '$log'" EXIT
  until grep -q "simulator's devices" "$log"; do sleep 0.1; done
  pages=($(grep -o 'http://[^ ]*' "$log"))
  sleep 180
  curl --silent --fail --output /dev/null "${pages[1]}scenario" \
    --data-binary 'answers: [{device_token: "", status: 403, reason: InvalidProviderToken}]'
  sleep 30
  take --window-size=1180,960 --screenshot=$pictures/status.png "${pages[0]}"
)

[ $# -gt 0 ] || set -- device_page activities_page legacy_session status_page
for picture; do "$picture"; done
