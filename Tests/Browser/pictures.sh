#!/usr/bin/env bash
# Renews the pictures of device and status page, and the session of a legacy provider.
set -euo pipefail
bridge=.build/release/apns-bridge
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

device_page
APNS_BRIDGE_PICTURES=$pictures swift test --disable-xctest \
  --filter 'pushjack fetches the dead token of a push'
status_page
