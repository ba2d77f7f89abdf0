"""Checks what a release consists of, with a program that only says what it is."""

import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "deploy/packaging"))

import artefacts  # noqa: E402
import clean_git  # noqa: E402
from sbom import Problem  # noqa: E402

PROGRAM = """#!/bin/sh
case "$*" in
  "man --list") printf 'apns-bridge\\napns-bridge-run\\n' ;;
  "man "*) echo ".TH $2" ;;
  "completions "*) echo "# $2" ;;
  "version --format json") echo '{"apns-bridge": "VERSION", "commit": "COMMIT", "tree": "TREE"}' ;;
  *) echo "unknown: $*" >&2; exit 64 ;;
esac
"""
COMMIT = clean_git.head(ROOT)


@unittest.skipUnless(COMMIT and shutil.which("dpkg-deb"), "needs git and dpkg-deb, and the repository")
class Artefacts(unittest.TestCase):
    def setUp(self):
        # The settings may say that a repository of another user is safe.
        clean_git.isolate(self, has_settings=True)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        os.environ.pop("SOURCE_DATE_EPOCH", None)

    def program(self, version="1.0.0", commit=None, tree="clean"):
        path = os.path.join(self.folder, "apns-bridge")
        text = PROGRAM.replace("VERSION", version).replace("COMMIT", commit or COMMIT).replace("TREE", tree)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o755)
        return path

    def publish(self, name="one", **program):
        place = os.path.join(self.folder, name, "1.0.0")
        artefacts.publish("1.0.0", self.program(**program), place, document=b"{}\n", depends=["libc6 (>= 2.34)"])
        return place

    def read(self, *path):
        with open(os.path.join(*path), "rb") as file:
            return file.read()

    def test_are_the_same_bytes_each_time(self):
        places = [self.publish(name) for name in ("one", "two")]
        sums = [self.read(place, "SHA256SUMS") for place in places]
        self.assertEqual(sums[0], sums[1])
        self.assertEqual(len(sums[0].splitlines()), 4)
        for place in places:
            subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=place, check=True)

    def tar(self, place, end):
        name = next(name for name in os.listdir(place) if name.endswith(end))
        return tarfile.open(fileobj=io.BytesIO(self.read(place, name)))

    def test_have_a_tarball_of_all_that_belongs_to_the_program(self):
        with self.tar(self.publish(), "64.tar.gz") as archive:
            names = archive.getnames()
            for name in ["bin/apns-bridge", "share/man/man1/apns-bridge-run.1.gz", "connectors/orders.yaml",
                         "share/bash-completion/completions/apns-bridge", "LICENSE", "copyright", "CHANGELOG.md",
                         "deploy/prometheus/alerts.yaml", "apns-bridge.cdx.json"]:
                self.assertIn(f"apns-bridge-1.0.0/{name}", names)
            self.assertEqual(names, sorted(names))
            for member in archive:
                self.assertEqual((member.uid, member.gid, member.uname), (0, 0, ""))
                self.assertEqual(member.mode, 0o755 if "/bin/" in member.name else member.mode)

    def test_have_the_context_of_an_image_that_knows_its_commit(self):
        with self.tar(self.publish(), "image.tar.gz") as archive:
            text = archive.extractfile("Dockerfile").read().decode()
            self.assertIn(f"\nARG REVISION={COMMIT}\n", text)
            self.assertIn("Package.swift", archive.getnames())

    def test_are_not_made_of_another_program(self):
        cases = [({"version": "1.1.0"}, "its apns-bridge is 1.1.0, not 1.0.0"),
                 ({"commit": "57ace44b"}, "its commit is 57ace44b, not "),
                 ({"tree": "changed"}, "its tree is changed, not clean")]
        for program, message in cases:
            with self.assertRaisesRegex(Problem, message):
                self.publish(**program)

    def test_are_all_there_or_none(self):
        place = self.publish()
        before = self.read(place, "SHA256SUMS")
        with self.assertRaises(Problem):
            self.publish(tree="changed")
        self.assertEqual(self.read(place, "SHA256SUMS"), before)
        self.assertEqual(os.listdir(os.path.dirname(place)), ["1.0.0"])


if __name__ == "__main__":
    unittest.main()
