"""Checks that a program says which commit it was built from."""

import os
import shutil
import subprocess
import tempfile
import unittest

import clean_git

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
MAIN = '#include <stdio.h>\nconst char *linux_revision(void);\nint main(void) { puts(linux_revision()); }\n'


@unittest.skipUnless(shutil.which("cc"), "needs cc: make dependencies installs it")
class Revision(unittest.TestCase):
    def setUp(self):
        clean_git.isolate(self)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.script = os.path.join(self.folder, "deploy/packaging/revision.sh")
        os.makedirs(os.path.dirname(self.script))
        shutil.copy(os.path.join(ROOT, "deploy/packaging/revision.sh"), self.script)
        self.write(".gitignore", ".build/\n")

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def git(self, *arguments):
        return subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@example.com", *arguments], cwd=self.folder,
            check=True, capture_output=True, text=True).stdout.strip()

    def commit(self):
        self.git("init", "--quiet")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "First")
        return self.git("rev-parse", "HEAD")

    def said(self, linked=True):
        """What a program says that has the object file."""
        system = os.path.join(ROOT, "Sources/System/CLinux")
        objects = []
        if linked:
            environment = {**os.environ, "GIT_CEILING_DIRECTORIES": os.path.dirname(self.folder)}
            objects = [subprocess.run(
                [self.script], env=environment, check=True, capture_output=True, text=True).stdout.strip()]
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "program")
            subprocess.run(
                ["cc", "-O2", "-I", system + "/include", "-o", program, "-x", "c", "-",
                 system + "/Revision.c", "-x", "none", *objects],
                input=MAIN, text=True, check=True)
            return subprocess.run([program], check=True, capture_output=True, text=True).stdout.strip()

    def test_is_unknown_without_git_and_without_the_object_file(self):
        self.assertEqual(self.said(), "unknown")
        self.assertEqual(self.said(linked=False), "unknown")

    @unittest.skipUnless(shutil.which("git"), "needs git")
    def test_is_the_commit_of_a_clean_tree(self):
        commit = self.commit()
        self.assertEqual(self.said(), commit)
        self.assertEqual(self.said(), commit)

    @unittest.skipUnless(shutil.which("git"), "needs git")
    def test_has_a_plus_if_a_file_is_changed_or_new(self):
        commit = self.commit()
        self.write(".gitignore", ".build/\n\n")
        self.assertEqual(self.said(), commit + "+")
        self.git("checkout", "--quiet", ".gitignore")
        self.write("new", "")
        self.assertEqual(self.said(), commit + "+")
        self.git("config", "status.showUntrackedFiles", "no")
        self.assertEqual(self.said(), commit + "+")


if __name__ == "__main__":
    unittest.main()
