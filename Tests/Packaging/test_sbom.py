"""Checks the bill of materials: its parts from texts, and the whole by CycloneDX's schema."""

import json
import os
import subprocess
import sys
import unittest

PACKAGING = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "deploy/packaging")
sys.path.insert(0, PACKAGING)

import sbom  # noqa: E402

LISTING = "\n".join([
    "D\tdebian\t12",
    "P\tii \tlibone\t1:2.0+dfsg-1~deb12\tamd64\tone\tlibc (>= 2), old | libtwo, \tlibuno (= 2)",
    "P\tii \tlibtwo\t3\tall\ttwo\tlibuno, \t",
    "P\tii \tlibc\t2.36\tamd64\tc\t, \t",
    "P\trc \tlibgone\t1\tamd64\tgone\t, \t",
    "/usr/share/doc/libone/copyright:License: Expat",
    "/usr/share/doc/libone/copyright:license: Expat",
    "/usr/share/doc/libone/copyright:License: Somebody's own",
]) + "\n"

DOCKERFILE = """FROM swift:6.3-bookworm AS build
RUN apt-get update \\
 && apt-get install -y libone-dev
FROM debian:bookworm-slim
RUN apt-get update \\
 && apt-get install -y --no-install-recommends \\
      libone libtwo \\
 && rm -rf /var/lib/apt/lists/*
"""


def made():
    packages = sbom.Packages(LISTING)
    return sbom.document("1.2.3", "6.3", ["libone"], packages, False, "2026-01-01T10:00:00Z")


class BillOfMaterials(unittest.TestCase):
    def test_has_the_packages_that_the_last_stage_installs(self):
        self.assertEqual(sbom.runtime_packages(DOCKERFILE), ["libone", "libtwo"])
        self.assertEqual(sbom.swift_version(DOCKERFILE), "6.3")

    def test_has_what_these_depend_on_and_nothing_that_was_removed(self):
        packages = sbom.Packages(LISTING)
        self.assertEqual(packages.with_all_needs(["libone"]), {"libone", "libtwo", "libc"})
        self.assertEqual(packages.needs("libtwo"), {"libone"})
        self.assertNotIn("libgone", packages.rows)

    def test_names_each_package_by_its_purl_with_its_licences(self):
        component = sbom.Packages(LISTING).component("libone")
        self.assertEqual(
            component["purl"],
            "pkg:deb/debian/libone@1%3A2.0%2Bdfsg-1~deb12?arch=amd64&distro=debian-12")
        self.assertEqual(
            component["licenses"],
            [{"license": {"id": "MIT"}}, {"license": {"name": "Somebody's own"}}])

    def test_says_what_depends_on_what(self):
        bill = made()
        graph = {row["ref"].split("@")[0]: row["dependsOn"] for row in bill["dependencies"]}
        self.assertEqual(len(graph["pkg:generic/apns-bridge"]), 2)
        self.assertEqual(len(graph["pkg:deb/debian/libone"]), 2)
        references = [row["bom-ref"] for row in bill["components"]]
        self.assertEqual(len(set(references)), len(references))
        for needs in graph.values():
            self.assertLessEqual(set(needs), set(references))

    def test_is_the_same_for_the_same_input(self):
        self.assertEqual(made(), made())

    def test_says_in_one_line_what_is_missing(self):
        packages = sbom.Packages(LISTING)
        cases = [
            (lambda: packages.with_all_needs(["libnone"]), "not installed here: libnone"),
            (lambda: sbom.Packages("D\tfedora\t40\n"), "this is not Debian"),
            (lambda: sbom.runtime_packages("FROM scratch\n"), "Dockerfile: its last stage"),
            (lambda: sbom.swift_version("FROM scratch\n"), "Dockerfile: no line like"),
            (lambda: sbom.product_version(""), "VersionVerb.swift: no line like"),
        ]
        for action, words in cases:
            with self.assertRaises(sbom.Problem) as raised:
                action()
            self.assertIn(words, str(raised.exception))
            self.assertNotIn("\n", str(raised.exception))


class BillOfThisMachine(unittest.TestCase):
    def run_script(self, *arguments, **environment):
        return subprocess.run(
            [os.path.join(PACKAGING, "sbom.py"), *arguments], capture_output=True, text=True,
            check=False, env={**os.environ, **environment})

    def test_contains_what_the_program_links(self):
        ending = self.run_script(SOURCE_DATE_EPOCH="1767261600")
        if "not installed here" in ending.stderr or "not Debian" in ending.stderr:
            self.skipTest(ending.stderr.strip())
        self.assertEqual(ending.returncode, 0, ending.stderr)
        bill = json.loads(ending.stdout)
        names = {row["name"] for row in bill["components"]}
        wanted = {"librdkafka1", "libnghttp2-14", "libssl3", "libyaml-0-2", "libc6", "swift-runtime"}
        self.assertLessEqual(wanted, names)
        self.assertEqual(bill["metadata"]["timestamp"], "2026-01-01T10:00:00Z")
        self.check(ending.stdout)

    def check(self, text):
        """By CycloneDX's own schema where it is installed, otherwise by what the schema requires."""
        try:
            from cyclonedx.schema import SchemaVersion
            from cyclonedx.validation.json import JsonStrictValidator
        except ImportError:
            bill = json.loads(text)
            self.assertEqual((bill["bomFormat"], bill["specVersion"]), ("CycloneDX", "1.5"))
            for row in bill["components"] + [bill["metadata"]["component"]]:
                self.assertLessEqual({"type", "name", "version", "purl", "bom-ref"}, set(row))
        else:
            self.assertIsNone(JsonStrictValidator(SchemaVersion.V1_5).validate_str(text))

    def test_refuses_a_bad_time_and_a_bad_file_in_one_line(self):
        for ending, words in [
            (self.run_script(SOURCE_DATE_EPOCH="soon"), "SOURCE_DATE_EPOCH=soon: write seconds"),
            (self.run_script("--output", "no/such/folder/file"), "no/such/folder/file: No such"),
        ]:
            if "not installed here" in ending.stderr or "not Debian" in ending.stderr:
                self.skipTest(ending.stderr.strip())
            self.assertEqual(ending.returncode, 1)
            self.assertIn(words, ending.stderr)
            self.assertEqual(ending.stderr.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
