"""Checks that the Dockerfile has what its stages need, and the reader of Dockerfiles."""

import os
import re
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
sys.path.insert(0, HERE)

import dockerfile  # noqa: E402


def text_of(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def packages(text):
    """What a RUN installs with apt-get."""
    words = re.search(r"apt-get install -y --no-install-recommends (.*?) &&", text).group(1)
    return set(words.split())


class Image(unittest.TestCase):
    def setUp(self):
        self.stages = dockerfile.stages(text_of("Dockerfile"))
        self.build, self.runtime = self.stages

    def test_is_built_from_every_folder_that_the_manifest_names(self):
        copied = {dockerfile.copy(text)[1] for text in self.build.every("COPY")}
        named = set(re.findall(r'path: "(\w+)', text_of("Package.swift")))
        self.assertLessEqual(named | {"Package.swift", "Sources", "Tests"}, copied)
        ignored = set(text_of(".dockerignore").split())
        self.assertEqual(copied & ignored, set())

    def test_is_built_with_the_packages_that_make_installs(self):
        made = re.search(r"^LIBRARIES := (.*?[^\\])$", text_of("Makefile"), re.M | re.S).group(1)
        made = set(made.replace("\\\n", " ").split())
        self.assertEqual(packages(self.build.every("RUN")[0]), made - {"tzdata"})

    def test_runs_the_program_of_the_build_stage_as_a_user_with_numbers(self):
        source, made, place = dockerfile.copy(self.runtime.last("COPY"))
        self.assertEqual(source, self.build.name)
        self.assertTrue(self.build.last("RUN").endswith(f" {made}"))
        self.assertEqual(self.runtime.words("ENTRYPOINT"), [os.path.basename(place)])
        self.assertRegex(self.runtime.last("USER"), r"^[1-9]\d*:[1-9]\d*$")
        user, group = self.runtime.last("USER").split(":")
        self.assertIn(f"--uid {user} ", self.runtime.every("RUN")[0])
        self.assertIn(f"--gid {group} ", self.runtime.every("RUN")[0])


class Reader(unittest.TestCase):
    def test_finds_stages_and_their_steps_in_order(self):
        first, second = dockerfile.stages(
            'FROM a:1 AS build\nRUN one \\\n && two\n# A comment\nFROM b\nUSER 1:2\nCMD ["x", "y"]\n')
        self.assertEqual((first.base, first.name), ("a:1", "build"))
        self.assertEqual(first.steps, [("RUN", "one && two")])
        self.assertEqual((second.base, second.name), ("b", None))
        self.assertEqual(second.words("CMD"), ["x", "y"])

    def test_refuses_what_it_cannot_replay(self):
        for text in ["RUN early", "FROM a\nVOLUME /x"]:
            with self.assertRaises(dockerfile.Problem):
                dockerfile.stages(text)
        with self.assertRaises(dockerfile.Problem):
            dockerfile.copy("one two /three")
        with self.assertRaises(dockerfile.Problem):
            dockerfile.stages("FROM a\nCMD run\n")[0].words("CMD")


if __name__ == "__main__":
    unittest.main()
