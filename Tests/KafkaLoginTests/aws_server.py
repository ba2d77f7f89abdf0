"""AWS's services in the tests: aws_server.py

It is STS, the metadata of an instance, and that of a container. It prints its port, and ends with
whoever started it.
"""

import http.server
import json
import sys
import threading
import time

EXPIRATION = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 3600))
CREDENTIALS = {
    "Code": "Success", "AccessKeyId": "ASIATESTS", "SecretAccessKey": "open+sesame",
    "Token": "t0k3n/==", "Expiration": EXPIRATION}
ROLES = "/latest/meta-data/iam/security-credentials/"


class Handler(http.server.BaseHTTPRequestHandler):
    def do_PUT(self):
        life = self.headers.get("X-aws-ec2-metadata-token-ttl-seconds")
        if self.path != "/latest/api/token" or not life or self.read():
            return self.respond(400, "")
        self.respond(200, "session")

    def do_GET(self):
        if self.path.startswith(ROLES):
            if self.headers.get("X-aws-ec2-metadata-token") != "session":
                return self.respond(401, "")
            name = self.path.removeprefix(ROLES)
            return self.respond(200, json.dumps(CREDENTIALS) if name == "push" else "push")
        if self.path == "/v1/credentials" and self.headers.get("Authorization") == "let me in":
            return self.respond(200, json.dumps(CREDENTIALS))
        self.respond(404, "{}")

    def do_POST(self):
        form = self.read().decode()
        is_signed = self.headers.get("Authorization", "").startswith("AWS4-HMAC-SHA256 Credential=")
        if self.headers.get("Accept") == "application/json":
            return self.respond(200, "{}")
        if not is_signed and "WebIdentityToken=" not in form:
            return self.respond(403, "<ErrorResponse><Error><Code>MissingAuthenticationToken</Code>"
                                "</Error></ErrorResponse>")
        if "forbidden" in form:
            return self.respond(403, "<ErrorResponse><Error><Code>AccessDenied</Code><Message>not "
                                "authorized</Message></Error></ErrorResponse>")
        self.respond(200, "<R><Credentials><AccessKeyId>ASIAROLE</AccessKeyId><SecretAccessKey>x"
                     "</SecretAccessKey><SessionToken>y</SessionToken><Expiration>" + EXPIRATION
                     + "</Expiration></Credentials></R>")

    def read(self):
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def respond(self, status, text):
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
