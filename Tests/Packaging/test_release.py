"""Checks what `make release-check` finds, in repositories of its own."""

import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "deploy/packaging"))

import release  # noqa: E402

VERB = "Sources/apns-bridge/VersionVerb.swift"
OVERLAY = "deploy/kubernetes/overlays/example/kustomization.yaml"
GOLDEN = "Tests/Contracts/1.0.0/outcome.json"


class Release(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name
        self.git("init", "--quiet")
        self.write(VERB, 'struct A {\n    static let product = "1.0.0"\n}\n')
        self.write(OVERLAY, "images:\n  - {newName: registry.example.com/apns-bridge, newTag: 1.0.0}\n")
        self.write("docker-compose.yml", "image: apns-bridge\n")
        self.write("CHANGELOG.md", "# Changes\n\n## 1.0.0\n\nThe first release.\n")
        self.write(GOLDEN, "{}\n")
        self.commit()

    def write(self, path, text):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def git(self, *arguments):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.com", *arguments],
                       cwd=self.root, check=True, capture_output=True)

    def commit(self):
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "Change")

    def next_version(self):
        """A repository in which 1.0.0 was released, and 1.1.0 is ready."""
        self.git("tag", "1.0.0")
        self.write(VERB, 'static let product = "1.1.0"\n')
        self.write(OVERLAY, "  - {newName: registry.example.com/apns-bridge, newTag: 1.1.0}\n")
        self.write("CHANGELOG.md", "# Changes\n\n## 1.1.0\n\nMore.\n\n## 1.0.0\n\nThe first release.\n")
        self.commit()

    def check(self, *expected, version="1.0.0"):
        self.assertEqual(release.problems(self.root, version), list(expected))

    def test_refuses_what_is_no_version(self):
        for version in ["", "1.0", "v1.0.0", "1.0.0-rc1", "01.0.0"]:
            with self.assertRaisesRegex(release.Problem, "is not a version: write three numbers"):
                release.problems(self.root, version)

    def test_refuses_a_tree_that_is_not_clean(self):
        self.write("new", "")
        self.write("CHANGELOG.md", "# Changes\n\n## 1.0.0\n\nAnother.\n")
        self.check("the tree is not clean: commit or remove CHANGELOG.md, new")

    def test_knows_on_which_commit_the_tests_have_passed(self):
        refusal = ["the tests have not passed on this commit here: run make test first"]
        self.write(".gitignore", ".build/\n")
        self.commit()
        self.assertEqual(list(release.about_tests(self.root)), refusal)
        release.note_passed(self.root)
        self.assertEqual(list(release.about_tests(self.root)), [])
        self.write("new", "")
        self.commit()
        self.assertEqual(list(release.about_tests(self.root)), refusal)
        self.write("newer", "")
        release.note_passed(self.root)
        self.assertEqual(list(release.about_tests(self.root)), refusal)

    def test_refuses_a_version_that_exists(self):
        self.git("tag", "1.0.0")
        self.check("the tag 1.0.0 exists: choose the next version")

    def test_refuses_a_version_older_than_a_release(self):
        self.git("tag", "1.10.0")
        self.check("1.0.0 is older than the release 1.10.0: choose a newer version")

    def test_refuses_a_changelog_without_the_version(self):
        self.write("CHANGELOG.md", "# Changes\n\n## Unreleased\n\nMore.\n")
        self.commit()
        self.check("CHANGELOG.md:3: the first section is 'Unreleased': "
                   "write '## 1.0.0' with what users notice")

    def test_refuses_a_changelog_that_says_nothing_of_the_version(self):
        self.write("CHANGELOG.md", "# Changes\n\n## [1.0.0] - 2026-12-01\n\n## 0.9.0\n\nOld.\n")
        self.commit()
        self.check("CHANGELOG.md:3: the section 1.0.0 is empty")

    def test_refuses_files_that_name_another_version(self):
        self.write(VERB, 'struct A {\n    static let product = "0.1.0"\n}\n')
        self.write("docker-compose.yml", "image: apns-bridge:0.9.0\n")
        self.commit()
        self.check(f"{VERB}:2: the version is 0.1.0: write 1.0.0",
                   "docker-compose.yml:1: the version is 0.9.0: write 1.0.0")

    def test_refuses_a_file_that_no_longer_names_its_version(self):
        self.write(OVERLAY, "images: []\n")
        self.commit()
        self.assertIn(f"{OVERLAY}: it names no version", release.problems(self.root, "1.0.0")[0])

    def test_refuses_golden_files_of_a_release_that_changed(self):
        self.next_version()
        self.write(GOLDEN, '{"more": 1}\n')
        self.write("Tests/Contracts/1.0.0/second.json", "{}\n")
        self.write("Tests/Contracts/1.1.0/outcome.json", "{}\n")
        self.commit()
        self.check(
            f"{GOLDEN}: it is changed since the release 1.0.0: golden files of a release stay as they are",
            "Tests/Contracts/1.0.0/second.json: it is new since the release 1.0.0: "
            "golden files of a release stay as they are", version="1.1.0")

    def test_refuses_golden_files_of_a_release_that_are_gone(self):
        self.next_version()
        os.remove(os.path.join(self.root, GOLDEN))
        self.commit()
        self.check(
            f"{GOLDEN}: it is gone since the release 1.0.0: golden files of a release stay as they are",
            version="1.1.0")

    def test_takes_a_tree_that_agrees(self):
        self.check()
        self.next_version()
        self.check(version="1.1.0")

    def test_reads_the_versions_of_this_repository(self):
        found = list(release.about_places(ROOT, "0.0.0"))
        self.assertEqual(len(found), 2, found)
        self.assertTrue(all("the version is " in text for text in found), found)


if __name__ == "__main__":
    unittest.main()
