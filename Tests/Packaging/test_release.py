"""Checks what `make release-check` finds, in repositories of its own."""

import contextlib
import io
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "deploy/packaging"))

import clean_git  # noqa: E402
import release  # noqa: E402

VERB = "Sources/apns-bridge/VersionVerb.swift"
OVERLAY = "deploy/kubernetes/overlays/example/kustomization.yaml"
GOLDEN = "Tests/Contracts/1.0.0/outcome.json"


@unittest.skipUnless(shutil.which("git"), "needs git")
class Release(unittest.TestCase):
    def setUp(self):
        clean_git.isolate(self)
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

    def test_refuses_a_new_file_that_git_is_told_not_to_show(self):
        self.git("config", "status.showUntrackedFiles", "no")
        self.write("new", "")
        self.check("the tree is not clean: commit or remove new")

    def test_refuses_a_shallow_clone(self):
        self.git("commit", "--quiet", "--allow-empty", "--message", "Second")
        with tempfile.TemporaryDirectory() as folder:
            self.git("clone", "--quiet", "--depth", "1", f"file://{self.root}", folder)
            self.root = folder
            self.check("the clone is shallow, so that earlier releases are missing: "
                       "run git fetch --unshallow --tags")

    def check_passed(self, has_passed):
        refusal = "the tests have not passed on this commit here: run make test first"
        self.assertEqual(list(release.about_tests(self.root)), [] if has_passed else [refusal])

    def test_knows_on_which_commit_the_tests_have_passed(self):
        self.write(".gitignore", ".build/\n")
        self.commit()
        self.check_passed(False)
        release.note_passed(self.root)
        self.check_passed(False)
        release.note_testing(self.root)
        self.check_passed(False)
        release.note_passed(self.root)
        self.check_passed(True)
        release.note_testing(self.root)
        self.check_passed(False)

    def test_knows_that_the_tests_were_built_from_another_commit(self):
        self.write(".gitignore", ".build/\n")
        self.commit()
        release.note_testing(self.root)
        self.write("new", "")
        release.note_passed(self.root)
        self.check_passed(False)
        self.commit()
        release.note_passed(self.root)
        self.check_passed(False)
        self.write("newer", "")
        release.note_testing(self.root)
        os.remove(os.path.join(self.root, "newer"))
        release.note_passed(self.root)
        self.check_passed(False)

    def test_fails_no_tests_where_it_can_note_nothing(self):
        self.write(".build", "")
        for write in [release.note_testing, release.note_passed]:
            with contextlib.redirect_stderr(io.StringIO()) as errors:
                release.take_note(self.root, write)
            self.assertIn("release.py: not noted for make release: ", errors.getvalue())
        with tempfile.TemporaryDirectory() as folder:
            os.environ["PATH"] = folder
            self.assertEqual(release.clean_commit(self.root), "")
            with self.assertRaisesRegex(release.Problem, "^git: No such file or directory$"):
                release.problems(self.root, "1.0.0")

    def test_knows_whether_git_can_tag(self):
        self.git("config", "user.useConfigOnly", "true")
        self.assertEqual(list(release.about_tagger(self.root)),
                         ["git does not know who tags: set user.name and user.email with git config"])
        self.git("config", "user.name", "a")
        self.git("config", "user.email", "a@example.com")
        self.assertEqual(list(release.about_tagger(self.root)), [])

    def test_takes_no_option_for_a_version(self):
        script = os.path.join(ROOT, "deploy/packaging/release.py")
        for version in ["-h", "--passed", "--"]:
            ending = subprocess.run([sys.executable, "-B", script, "--tests", "--", version], check=False,
                                    capture_output=True, text=True)
            self.assertEqual(ending.returncode, 1, ending)
            self.assertIn("is not a version: write three numbers", ending.stderr)

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
