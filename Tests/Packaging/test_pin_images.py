"""Checks that images are pinned to what their registry has, by a registry of this test."""

import contextlib
import http.server
import io
import json
import os
import pathlib
import sys
import tempfile
import threading
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "deploy/packaging"))

import pin_images  # noqa: E402

OLD, NEW = f"sha256:{'1' * 64}", f"sha256:{'2' * 64}"


class Registry(http.server.BaseHTTPRequestHandler):
    """Knows two images, and who may ask for them."""

    known = {"/v2/library/swift/manifests/6.3": NEW, "/v2/apache/kafka/manifests/4.1.0": NEW}
    token = {"token": "abc"}

    def do_GET(self):
        body = json.dumps(self.token).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_HEAD(self):
        digest = self.known.get(self.path)
        is_allowed = self.headers["Authorization"] == "Bearer abc"
        is_index = "image.index" in self.headers["Accept"]
        self.send_response(200 if digest and is_allowed and is_index else 404)
        if digest:
            self.send_header("Docker-Content-Digest", digest)
        self.end_headers()

    def log_message(self, *_):
        pass


class Pinning(unittest.TestCase):
    def setUp(self):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Registry)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.file = pathlib.Path(folder.name) / "Dockerfile"

    def run_on(self, text, *options):
        """The exit code, the file afterwards, and what was printed as errors."""
        self.file.write_text(text, encoding="utf-8")
        errors = io.StringIO()
        servers = {"REGISTRY_HOST": self.address, "REGISTRY_AUTH": self.address}
        with mock.patch.dict(os.environ, servers), contextlib.redirect_stderr(errors), \
                contextlib.redirect_stdout(io.StringIO()):
            code = pin_images.main([*options, str(self.file)])
        return code, self.file.read_text(encoding="utf-8"), errors.getvalue()

    def test_writes_the_digest_beside_the_tag(self):
        code, text, errors = self.run_on("FROM swift:6.3 AS build\nRUN make\nFROM scratch\n")
        self.assertEqual((code, errors), (0, ""))
        self.assertEqual(text, f"FROM swift:6.3@{NEW} AS build\nRUN make\nFROM scratch\n")

    def test_replaces_an_older_digest(self):
        _, text, _ = self.run_on(f"    image: apache/kafka:4.1.0@{OLD}\n    image: apns-bridge\n")
        self.assertEqual(text, f"    image: apache/kafka:4.1.0@{NEW}\n    image: apns-bridge\n")

    def test_understands_platforms_and_quotation_marks_and_refuses_what_it_does_not(self):
        for text, expected in [
                ("FROM --platform=linux/amd64 swift:6.3\n",
                 f"FROM --platform=linux/amd64 swift:6.3@{NEW}\n"),
                ('  image: "apache/kafka:4.1.0"\n', f'  image: "apache/kafka:4.1.0@{NEW}"\n')]:
            self.assertEqual(self.run_on(text)[1], expected)
        for text in ["from swift:6.3\n", "FROM ${BASE}\n", "COPY --from=debian:12 /a /b\n"]:
            code, left, errors = self.run_on(text, "--check")
            self.assertEqual((code, left), (1, text))
            self.assertIn("line 1 is not understood", errors)

    def test_leaves_stages_of_the_file_alone(self):
        code, text, _ = self.run_on("FROM swift:6.3 AS build\nFROM build\n")
        self.assertEqual((code, text), (0, f"FROM swift:6.3@{NEW} AS build\nFROM build\n"))

    def test_changes_nothing_when_it_only_checks(self):
        for text, state in [("FROM swift:6.3\n", "no digest"),
                            (f"FROM swift:6.3@{OLD}\n", "an older digest")]:
            code, left, errors = self.run_on(text, "--check")
            self.assertEqual((code, left), (1, text))
            self.assertEqual(
                errors, f"error: Dockerfile:1: swift:6.3 has {state}: make pin-images\n")
        self.assertEqual(self.run_on(f"FROM swift:6.3@{NEW}\n", "--check")[0], 0)

    def test_says_what_is_wrong_in_one_line_and_changes_nothing(self):
        for text, message in [
                ("FROM swift\n", "swift has no tag: name a version"),
                ("FROM swift:9\n", "responded with 404: check the image's name and tag"),
                ("FROM 127.0.0.1:1/a/b:1\n", "run this where the registry can be reached")]:
            code, left, errors = self.run_on(text)
            self.assertEqual((code, left, errors.count("\n")), (1, text, 1))
            self.assertIn(message, errors)

    def test_names_an_option_that_it_does_not_have(self):
        code, left, errors = self.run_on("FROM swift:6.3\n", "--chek")
        self.assertEqual((code, left), (2, "FROM swift:6.3\n"))
        self.assertEqual(
            errors, "error: unknown option --chek: the only ones are --check and --help\n")

    def test_asks_for_a_token_that_is_one(self):
        with mock.patch.object(Registry, "token", {}):
            _, _, errors = self.run_on("FROM swift:6.3\n")
        self.assertIn("the response contains no token", errors)

    def test_finds_every_image_that_is_not_built_here(self):
        found = [line["name"] for name in pin_images.FILES
                 for _, line in pin_images.images((ROOT / name).read_text(encoding="utf-8"))]
        self.assertEqual(found, ["swift", "debian", "apache/kafka", "apache/kafka"])


if __name__ == "__main__":
    unittest.main()
