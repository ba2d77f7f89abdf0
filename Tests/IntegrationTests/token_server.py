"""An OAuth server of the tests: token_server.py FOLDER

It signs tokens with RS256, leaves its public key in FOLDER/jwks.json and a token that it renews all
the time in FOLDER/token, and prints its port. FOLDER/mode says how it responds: `ok SECONDS` with
the life of its tokens, `ok SECONDS LESS` with tokens of which it says that they are valid for less,
`late SECONDS LIFE` as the first after a while, `expired`, `empty` and `html`
with 200 and without a token, `refused` as for a secret that was rotated, or a status such as `503`.
"""

import base64
import http.server
import json
import os
import subprocess
import sys
import threading
import time
import urllib.parse

FOLDER = sys.argv[1]
KEY = os.path.join(FOLDER, "key.pem")
SECRET = "open sesame"


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def openssl(*arguments, data=b""):
    return subprocess.run(
        ["openssl", *arguments], input=data, check=True, capture_output=True).stdout


def write(name, text):
    path = os.path.join(FOLDER, name)
    with open(path + ".new", "w") as file:
        file.write(text)
    os.rename(path + ".new", path)


def make_key():
    openssl("genrsa", "-out", KEY, "2048")
    modulus = openssl("rsa", "-in", KEY, "-noout", "-modulus").decode().strip().split("=")[1]
    write("jwks.json", json.dumps({"keys": [{
        "kty": "RSA", "kid": "one", "use": "sig", "alg": "RS256", "e": "AQAB",
        "n": encoded(bytes.fromhex(modulus))}]}))


def token(life, start=None):
    now = int(time.time()) if start is None else start
    head = encoded(json.dumps({"alg": "RS256", "kid": "one"}).encode())
    body = encoded(json.dumps({
        "sub": "bridge", "iss": "tests", "scope": "kafka", "iat": now, "exp": now + life}).encode())
    text = f"{head}.{body}"
    return text + "." + encoded(openssl("dgst", "-sha256", "-sign", KEY, data=text.encode()))


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        form = {name: values[0] for name, values in urllib.parse.parse_qs(body).items()}
        mode = open(os.path.join(FOLDER, "mode")).read().split()
        if mode[0].isdigit():
            return self.respond(int(mode[0]), {"error": "temporarily_unavailable"})
        if mode[0] == "empty":
            return self.respond(200, {"token_type": "bearer"})
        if mode[0] == "html":
            return self.respond(200, "<html>sign in</html>")
        name = self.headers.get("Authorization", "").removeprefix("Basic ")
        pair = base64.b64decode(name).decode().split(":")
        given = urllib.parse.unquote_plus(pair[-1]) if name else form.get("client_secret")
        if mode[0] == "refused" or given != SECRET or form.get("grant_type") != "client_credentials":
            return self.respond(401, {"error": "invalid_client", "error_description": "no such"})
        if mode[0] == "expired":
            old = token(60, start=int(time.time()) - 3600)
            return self.respond(200, {"access_token": old, "expires_in": 3600})
        if mode[0] == "late":
            time.sleep(float(mode[1]))
        life = int(mode[2 if mode[0] == "late" else 1])
        self.respond(200, {"access_token": token(life), "expires_in": int(mode[-1])})

    def respond(self, status, value):
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
        # Whoever counts these knows that the response was as the mode said.
        with open(os.path.join(FOLDER, "requests"), "a") as file:
            file.write("request\n")

    def log_message(self, *_):
        pass


def keep_token():
    while True:
        write("token", token(120) + "\n")
        time.sleep(4)


make_key()
write("mode", "ok 3600")
write("token", token(120) + "\n")
threading.Thread(target=keep_token, daemon=True).start()
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
# It ends with whoever started it.
sys.stdin.read()
