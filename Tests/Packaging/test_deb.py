"""Checks what a Debian package contains, with a program that only prints its manual."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "deploy/packaging"))

import deb  # noqa: E402

PROGRAM = """#!/bin/sh
case "$*" in
  "man --list") printf 'apns-bridge\\napns-bridge-run\\n' ;;
  "man "*) echo ".TH $2" ;;
  "completions "*) echo "# $2" ;;
  *) echo "unknown: $*" >&2; exit 64 ;;
esac
"""


class Package(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.program = os.path.join(self.folder, "apns-bridge")
        with open(self.program, "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        os.chmod(self.program, 0o755)

    def test_has_program_manual_completions_unit_and_a_folder_for_connectors(self):
        root = os.path.join(self.folder, "root")
        deb.stage(self.program, root)
        found = {os.path.relpath(os.path.join(folder, name), root)
                 for folder, _, names in os.walk(root) for name in names}
        self.assertEqual(found, {
            "usr/bin/apns-bridge",
            "usr/lib/systemd/system/apns-bridge.service",
            "usr/share/man/man1/apns-bridge.1.gz",
            "usr/share/man/man1/apns-bridge-run.1.gz",
            "usr/share/bash-completion/completions/apns-bridge",
            "usr/share/zsh/vendor-completions/_apns-bridge",
            "usr/share/fish/vendor_completions.d/apns-bridge.fish",
            "usr/share/doc/apns-bridge/copyright",
            "usr/share/doc/apns-bridge/changelog.gz",
            "usr/share/doc/apns-bridge/examples/orders.yaml",
            "usr/share/doc/apns-bridge/examples/orders.example.json",
        })
        self.assertTrue(os.path.isdir(os.path.join(root, "etc/apns-bridge")))

    def test_has_the_unit_with_the_path_of_a_package(self):
        text = deb.unit()
        self.assertTrue(text.startswith("[Unit]\n"))
        self.assertIn("\nExecStart=/usr/bin/apns-bridge run ", text)
        # The user that the package adds must be the one that systemd takes for the unit.
        self.assertIn("\nDynamicUser=yes\n", text)
        self.assertNotIn("\nUser=", text)
        self.assertIn(" apns-bridge\n", deb.SCRIPTS["postinst"])

    def test_has_a_unit_whose_journal_has_the_lines_of_the_bridge_alone(self):
        self.assertIn("\nEnvironment=LIBDISPATCH_LOG=NO\n", deb.unit())

    def configured(self, earlier, **states):
        """What the script after an installation has systemd do, where a unit is in some states."""
        os.makedirs(os.path.join(self.folder, "bin"), exist_ok=True)
        log = os.path.join(self.folder, "calls")
        cases = "".join(f"*{state}*) exit {0 if holds else 1} ;; " for state, holds in states.items())
        for name, text in {"systemctl": f'case "$*" in {cases} esac; echo "$*" >>{log}', "adduser": ":"}.items():
            path = os.path.join(self.folder, "bin", name)
            with open(path, "w", encoding="utf-8") as file:
                file.write(f"#!/bin/sh\n{text}\n")
            os.chmod(path, 0o755)
        script = deb.SCRIPTS["postinst"].replace("/run/systemd/system", self.folder)
        subprocess.run(
            ["sh", "-c", script, "postinst", "configure", earlier], check=True,
            env={"PATH": f"{self.folder}/bin:/usr/bin:/bin"})
        with open(log, encoding="utf-8") as file:
            calls = file.read().splitlines()
        os.remove(log)
        return calls

    def test_an_upgrade_restarts_a_bridge_that_runs_and_starts_one_that_failed(self):
        restarts = ["daemon-reload", "try-restart apns-bridge.service"]
        starts = ["daemon-reload", "start apns-bridge.service"]
        self.assertEqual(self.configured("1.0.0-1", failed=False, enabled=True), restarts)
        self.assertEqual(self.configured("1.0.0-1", failed=True, enabled=True), starts)
        self.assertEqual(self.configured("1.0.0-1", failed=True, enabled=False), restarts)

    def test_has_scripts_that_a_shell_can_read(self):
        for name, text in deb.SCRIPTS.items():
            ending = subprocess.run(["sh", "-n"], input=text.encode(), check=False)
            self.assertEqual(ending.returncode, 0, name)

    @unittest.skipUnless(shutil.which("dpkg-deb"), "needs dpkg-deb: this is not Debian")
    def test_is_one_that_dpkg_can_read(self):
        path = deb.build(self.program, self.folder, depends=["libc6 (>= 2.34)"])
        fields = subprocess.run(
            ["dpkg-deb", "--field", path, "Package", "Depends"], capture_output=True, text=True,
            check=True).stdout
        self.assertEqual(
            fields,
            "Package: apns-bridge\nDepends: adduser, ca-certificates, libc6 (>= 2.34), libcctz2.4 | libcctz2, tzdata\n")
        rows = subprocess.run(
            ["dpkg-deb", "--contents", path], capture_output=True, text=True, check=True).stdout
        self.assertTrue(all(row.split()[1] == "root/root" for row in rows.splitlines()))
        self.assertNotIn("w-r-x", rows)

    def test_says_in_one_line_why_there_is_none(self):
        with open(os.path.join(self.folder, "broken"), "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\necho line >&2\necho 'no manual' >&2\nexit 3\n")
        os.chmod(file.name, 0o755)
        cases = [
            ((os.path.join(self.folder, "none"), self.folder), "none: no such file: make deb"),
            ((self.program, os.path.join(self.folder, "none")), "none: no such folder"),
            ((file.name, self.folder), "broken exited with 3: no manual"),
            (("/bin/true", self.folder), "/bin/true: this is not apns-bridge"),
        ]
        for arguments, words in cases:
            with self.assertRaises(deb.Problem) as raised:
                deb.build(*arguments)
            self.assertIn(words, str(raised.exception))
            self.assertNotIn("\n", str(raised.exception))


if __name__ == "__main__":
    unittest.main()
