"""Checks the objects for Kubernetes: each against its schema, and what they allow."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest

try:
    import jsonschema
    import kubernetes_validate
    import yaml
    REASON = ""
except ImportError as error:
    kubernetes_validate = None
    REASON = f"needs Python's {error.name}: make python-clients installs it"

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.normpath(os.path.join(HERE, "..", "..", "deploy/kubernetes"))
# The oldest version whose schemas there are.
OLDEST = "1.25"
TRACES = """apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: [../kubernetes/overlays/production]
components: [../kubernetes/components/traces]
"""


def rendered(folder):
    """The objects of a kustomization."""
    if shutil.which("kubectl") is None:
        raise unittest.SkipTest("needs kubectl")
    run = subprocess.run(["kubectl", "kustomize", folder], capture_output=True, text=True, check=False)
    if 'unknown field "' in run.stderr:
        raise unittest.SkipTest("needs kubectl 1.22 or newer: this one's kustomize is too old")
    if run.returncode != 0:
        raise AssertionError(run.stderr)
    return list(yaml.safe_load_all(run.stdout))


def with_traces():
    """The objects of the production overlay with the component for traces."""
    with tempfile.TemporaryDirectory() as parent:
        shutil.copytree(FOLDER, os.path.join(parent, "kubernetes"))
        overlay = os.path.join(parent, "mine")
        os.mkdir(overlay)
        with open(os.path.join(overlay, "kustomization.yaml"), "w", encoding="utf-8") as file:
            file.write(TRACES)
        return rendered(overlay)


def one(objects, kind):
    return next(item for item in objects if item["kind"] == kind)


@unittest.skipIf(kubernetes_validate is None, REASON)
class Objects(unittest.TestCase):
    def check(self, objects):
        with open(os.path.join(HERE, "scaled-object.schema.json"), encoding="utf-8") as file:
            schema = json.load(file)
        for item in objects:
            if item["kind"] == "ScaledObject":
                jsonschema.validate(item, schema)
                continue
            for version in [OLDEST, kubernetes_validate.latest_version()]:
                kubernetes_validate.validate(item, version, strict=True)

    def test_of_the_base_and_the_overlay_are_valid(self):
        for folder in ["base", "overlays/production"]:
            objects = rendered(os.path.join(FOLDER, folder))
            self.assertGreaterEqual(len(objects), 6)
            self.check(objects)

    def test_with_a_mistake_are_refused(self):
        pods = one(rendered(os.path.join(FOLDER, "base")), "StatefulSet")
        pods["spec"]["replica"] = 3
        with self.assertRaises(kubernetes_validate.ValidationError):
            self.check([pods])
        scaling = one(rendered(os.path.join(FOLDER, "overlays/production")), "ScaledObject")
        scaling["spec"]["triggers"][0]["metadata"]["threshold"] = 100
        with self.assertRaises(jsonschema.ValidationError):
            self.check([scaling])

    def test_with_the_component_for_traces_are_valid_and_reach_the_collector_only(self):
        objects = with_traces()
        self.check(objects)
        base = one(rendered(os.path.join(FOLDER, "base")), "NetworkPolicy")["spec"]["egress"]
        egress = one(objects, "NetworkPolicy")["spec"]["egress"]
        self.assertEqual(egress[:-1], base)
        self.assertEqual([port["port"] for port in egress[-1]["ports"]], [4318])
        self.assertIn("podSelector", egress[-1]["to"][0])
        self.assertIn("namespaceSelector", egress[-1]["to"][0])

    def test_with_the_component_for_traces_have_settings_that_differ_only_in_traces(self):
        files = one(with_traces(), "ConfigMap")["data"]
        settings = yaml.safe_load(files["bridge.yaml"])
        self.assertTrue(settings.pop("telemetry")["otlp"].endswith(":4318"))
        base = one(rendered(os.path.join(FOLDER, "base")), "ConfigMap")["data"]
        self.assertEqual(settings, yaml.safe_load(base["bridge.yaml"]))
        self.assertEqual(files["orders.yaml"], base["orders.yaml"])


if __name__ == "__main__":
    unittest.main()
