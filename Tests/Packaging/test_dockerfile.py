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


class Everywhere(unittest.TestCase):
    """What package, unit, image, compose and the objects for Kubernetes say alike."""

    def test_the_user_has_one_name(self):
        image = re.search(r"useradd .*? (\S+) &&", dockerfile.stages(text_of("Dockerfile"))[-1].every("RUN")[0])
        package = re.search(r"adduser .*?\n.* (\S+)\n", text_of("deploy/packaging/deb.py"))
        unit = re.search(r"adduser .* (\S+)$", text_of("deploy/systemd/apns-bridge.service"), re.M)
        self.assertEqual({found.group(1) for found in (image, package, unit)}, {"apns-bridge"})

    def test_a_container_has_the_user_of_the_image(self):
        user, group = dockerfile.stages(text_of("Dockerfile"))[-1].last("USER").split(":")
        for path in ["base/stateful-set.yaml", "components/doctor/job.yaml", "components/topics/job.yaml"]:
            text = text_of(f"deploy/kubernetes/{path}")
            self.assertEqual(re.findall(r"runAsUser: (\d+)", text), [user], path)
            self.assertEqual(re.findall(r"(?:runAs|fs)Group: (\d+)", text), [group, group], path)

    def test_files_are_below_one_folder(self):
        runtime = dockerfile.stages(text_of("Dockerfile"))[-1]
        unit = re.search(r"^ExecStart=.* (\S+)$", text_of("deploy/systemd/apns-bridge.service"), re.M).group(1)
        self.assertEqual(runtime.last("WORKDIR"), unit)
        connectors = runtime.words("CMD")[-1]
        self.assertTrue(connectors.startswith(unit + "/"))
        for path in ["docker-compose.yml", "deploy/kubernetes/base/stateful-set.yaml"]:
            self.assertIn(f'["run", "{connectors}"]', text_of(path))

    def test_a_stop_may_take_as_long(self):
        patterns = {
            "deploy/systemd/apns-bridge.service": r"^TimeoutStopSec=(\d+)$",
            "deploy/kubernetes/base/stateful-set.yaml": r"terminationGracePeriodSeconds: (\d+)$",
            "docker-compose.yml": r"stop_grace_period: (\d+)s$"}
        for path, pattern in patterns.items():
            self.assertEqual(set(re.findall(pattern, text_of(path), re.M)), {"65"}, path)

    def test_variables_of_compose_are_those_of_the_examples(self):
        known = set(re.findall(r"\$\{env:([A-Z_]+)", "".join(
            text_of(os.path.join("connectors", name)) for name in os.listdir(os.path.join(ROOT, "connectors"))
            if name.endswith(".yaml"))))
        compose = re.findall(r"^      ((?:APNS|LEGACY)_\w+|KAFKA_BOOTSTRAP):", text_of("docker-compose.yml"), re.M)
        base = re.findall(r"literals: \[(\w+)=", text_of("deploy/kubernetes/base/kustomization.yaml"))
        self.assertLessEqual(set(compose + base), known)
        self.assertIn("EnvironmentFile=-/etc/default/apns-bridge\n", text_of("deploy/systemd/apns-bridge.service"))


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
