"""Checks the objects for Kubernetes: each against its schema, and what they allow."""

import json
import os
import shutil
import socket
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
OVERLAY = os.path.join(FOLDER, "overlays/example")
JOBS = ["doctor", "topics"]
ALL = [*JOBS, "metrics/service-monitor", "traces", "sasl", "aws/irsa", "aws/pod-identity"]
RUNNING = os.path.join(FOLDER, "../../Sources/Bridge/Documentation.docc/Running.md")
# Stands for kubectl: three pods, and a port of this machine that leads to each.
KUBECTL = """#!/usr/bin/env python3
import http.server, os, sys
class Pod(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        with open(os.environ["ASKED"], "a") as file:
            print(sys.argv[4], self.path, self.headers["Authorization"], file=file)
        self.send_response(200)
        self.end_headers()
    def log_message(self, *arguments):
        pass
if sys.argv[3] == "get":
    print("pod/apns-bridge-0 pod/apns-bridge-1 pod/apns-bridge-2")
else:
    http.server.HTTPServer(("127.0.0.1", int(sys.argv[5].split(":")[0])), Pod).serve_forever()
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


def with_components(*names):
    """The objects of the example overlay with more components."""
    with tempfile.TemporaryDirectory() as parent:
        folder = os.path.join(parent, "kubernetes")
        shutil.copytree(FOLDER, folder)
        path = os.path.join(folder, "overlays/example/kustomization.yaml")
        with open(path, encoding="utf-8") as file:
            overlay = yaml.safe_load(file)
        overlay["components"] += [f"../../components/{name}" for name in names]
        with open(path, "w", encoding="utf-8") as file:
            yaml.safe_dump(overlay, file)
        return rendered(os.path.dirname(path))


def selects(selector, labels):
    """Whether a selector of an object selects pods with these labels."""
    if any(labels.get(key) != value for key, value in selector.get("matchLabels", {}).items()):
        return False
    return all(labels.get(row["key"]) in row["values"] for row in selector.get("matchExpressions", []))


def files(objects):
    """The files of the connectors."""
    return next(item["data"] for item in objects
                if item["kind"] == "ConfigMap" and item["metadata"]["name"].startswith("apns-bridge-connectors"))


def one(objects, kind):
    return next(item for item in objects if item["kind"] == kind)


@unittest.skipIf(kubernetes_validate is None, REASON)
class Objects(unittest.TestCase):
    def check(self, objects):
        for item in objects:
            schema = {"ScaledObject": "scaled-object", "ServiceMonitor": "service-monitor"}.get(item["kind"])
            if schema:
                with open(os.path.join(HERE, schema + ".schema.json"), encoding="utf-8") as file:
                    jsonschema.validate(item, json.load(file))
                continue
            for version in [OLDEST, kubernetes_validate.latest_version()]:
                kubernetes_validate.validate(item, version, strict=True)

    def test_with_a_mistake_are_refused(self):
        objects = with_components(*ALL)
        one(objects, "StatefulSet")["spec"]["replica"] = 3
        one(objects, "Job")["spec"]["retries"] = 3
        one(objects, "ScaledObject")["spec"]["triggers"][0]["metadata"]["threshold"] = 100
        one(objects, "ServiceMonitor")["spec"]["endpoints"][0]["port"] = 8080
        for kind in ["StatefulSet", "Job"]:
            with self.assertRaises(kubernetes_validate.ValidationError):
                self.check([one(objects, kind)])
        for kind in ["ScaledObject", "ServiceMonitor"]:
            with self.assertRaises(jsonschema.ValidationError):
                self.check([one(objects, kind)])

    def test_of_base_overlay_and_each_component_are_valid(self):
        self.check(rendered(os.path.join(FOLDER, "base")))
        self.check(rendered(OVERLAY))
        for name in ALL:
            self.check(with_components(name))
        self.check(with_components(*ALL))

    def test_have_a_connector_in_the_overlay_only(self):
        self.assertEqual(set(files(rendered(os.path.join(FOLDER, "base")))), {"bridge.yaml"})
        self.assertEqual(set(files(rendered(OVERLAY))), {"bridge.yaml", "orders.yaml"})

    def test_name_files_by_their_content_so_that_a_change_is_a_rollout(self):
        pods = one(with_components("doctor"), "StatefulSet")["spec"]["template"]["spec"]
        for name in [pods["volumes"][0]["configMap"]["name"],
                     pods["containers"][0]["envFrom"][0]["configMapRef"]["name"]]:
            self.assertRegex(name, r"^apns-bridge-(connectors|environment)-[0-9a-z]{10}$")

    def test_have_annotations_for_scrapes_from_the_component_only(self):
        pods = one(rendered(os.path.join(FOLDER, "base")), "StatefulSet")["spec"]["template"]
        self.assertNotIn("annotations", pods["metadata"])
        pods = one(rendered(OVERLAY), "StatefulSet")["spec"]["template"]
        self.assertEqual(pods["metadata"]["annotations"]["prometheus.io/port"], "8080")

    def test_let_prometheus_operator_scrape_the_service_as_the_job_of_the_alerts(self):
        objects = with_components("metrics/service-monitor")
        monitor, service = one(objects, "ServiceMonitor")["spec"], one(objects, "Service")
        self.assertTrue(selects(monitor["selector"], service["metadata"]["labels"]))
        self.assertEqual(service["metadata"]["labels"][monitor["jobLabel"]], "apns-bridge")
        self.assertIn(monitor["endpoints"][0]["port"], [port["name"] for port in service["spec"]["ports"]])

    def test_let_jobs_reach_what_the_pods_reach_and_count_as_none_of_them(self):
        for names in [["doctor"], ["topics"], JOBS]:
            objects = with_components(*names)
            jobs = [item for item in objects if item["kind"] == "Job"]
            self.assertEqual([item["metadata"]["name"] for item in jobs], [f"apns-bridge-{name}" for name in names])
            for job in jobs:
                self.check_job(job, objects)

    def check_job(self, job, objects):
        pods = one(objects, "StatefulSet")
        labels = job["spec"]["template"]["metadata"]["labels"]
        self.assertEqual(labels, {"app.kubernetes.io/name": job["metadata"]["name"]})
        policy = one(objects, "NetworkPolicy")["spec"]["podSelector"]
        self.assertTrue(selects(policy, labels))
        self.assertTrue(selects(policy, pods["spec"]["template"]["metadata"]["labels"]))
        self.assertFalse(selects(one(objects, "PodDisruptionBudget")["spec"]["selector"], labels))
        self.assertFalse(selects({"matchLabels": one(objects, "Service")["spec"]["selector"]}, labels))
        ours, theirs = (item["spec"]["template"]["spec"] for item in [job, pods])
        for field in ["volumes", "securityContext", "serviceAccountName"]:
            self.assertEqual(ours[field], theirs[field])
        for field in ["image", "env", "envFrom", "volumeMounts", "securityContext"]:
            self.assertEqual(ours["containers"][0][field], theirs["containers"][0][field])
        # The rest is applied after the Job: its file has another label.
        self.assertEqual(pods["metadata"]["labels"]["app.kubernetes.io/component"], "worker")
        self.assertNotIn("app.kubernetes.io/component", job["metadata"]["labels"])

    def test_with_a_login_have_its_secret_in_pods_and_jobs_and_reach_kafkas_ports(self):
        objects = with_components(*JOBS, "sasl")
        for item in [item for item in objects if item["kind"] in ["StatefulSet", "Job"]]:
            pods = item["spec"]["template"]["spec"]
            self.assertIn("apns-bridge-kafka", [row["secret"]["secretName"] for row in pods["volumes"] if "secret" in row])
            mounts = {row["name"]: row["mountPath"] for row in pods["containers"][0]["volumeMounts"]}
            self.assertEqual(mounts["kafka"], "/run/secrets/apns-bridge-kafka")
        base = one(rendered(OVERLAY), "NetworkPolicy")["spec"]["egress"]
        egress = one(objects, "NetworkPolicy")["spec"]["egress"]
        self.assertEqual(egress[1]["ports"], [{"port": 9092, "endPort": 9098, "protocol": "TCP"}])
        self.assertEqual(egress[:1] + egress[2:], base[:1] + base[2:])

    def egress_beside_the_base(self, objects):
        """The ports of Kafka, and the rules that the base does not have."""
        base = one(rendered(os.path.join(FOLDER, "base")), "NetworkPolicy")["spec"]["egress"]
        egress = one(objects, "NetworkPolicy")["spec"]["egress"]
        self.assertEqual(egress[:1] + egress[2:len(base)], base[:1] + base[2:])
        return [row["port"] for row in egress[1]["ports"]], egress[len(base):]

    def test_with_a_role_of_the_service_account_name_it_and_reach_sts(self):
        objects = with_components("doctor", "aws/irsa")
        account = one(objects, "ServiceAccount")
        self.assertRegex(account["metadata"]["annotations"]["eks.amazonaws.com/role-arn"], "^arn:aws:iam::")
        for kind in ["StatefulSet", "Job"]:
            pods = one(objects, kind)["spec"]["template"]["spec"]
            self.assertEqual(pods["serviceAccountName"], account["metadata"]["name"])
            # Who reads the token that EKS mounts.
            self.assertEqual(pods["securityContext"]["fsGroup"], 10001)
        kafka, rules = self.egress_beside_the_base(objects)
        self.assertEqual((kafka, rules), ([9092, 9093, 9098], [{"ports": [{"port": 443, "protocol": "TCP"}]}]))

    def test_with_pod_identity_reach_the_agent_of_their_node_only(self):
        kafka, rules = self.egress_beside_the_base(with_components("doctor", "aws/pod-identity"))
        self.assertEqual(kafka, [9092, 9093, 9098])
        self.assertEqual([row["ipBlock"]["cidr"] for row in rules[0]["to"]], ["169.254.170.23/32", "fd00:ec2::23/128"])
        self.assertEqual((len(rules), rules[0]["ports"]), (1, [{"port": 80, "protocol": "TCP"}]))

    def test_with_the_component_for_traces_reach_the_collector_only(self):
        objects = with_components("traces")
        base = one(rendered(os.path.join(FOLDER, "base")), "NetworkPolicy")["spec"]["egress"]
        egress = one(objects, "NetworkPolicy")["spec"]["egress"]
        self.assertEqual(egress[:-1], base)
        self.assertEqual([port["port"] for port in egress[-1]["ports"]], [4318])
        self.assertIn("podSelector", egress[-1]["to"][0])
        self.assertIn("namespaceSelector", egress[-1]["to"][0])

    def test_with_the_component_for_traces_have_settings_that_differ_only_in_traces(self):
        changed, base = files(with_components("traces")), files(rendered(OVERLAY))
        settings = yaml.safe_load(changed["bridge.yaml"])
        self.assertTrue(settings.pop("telemetry")["otlp"].endswith(":4318"))
        self.assertEqual(settings, yaml.safe_load(base["bridge.yaml"]))
        self.assertEqual(changed["orders.yaml"], base["orders.yaml"])


@unittest.skipUnless(shutil.which("curl"), "needs curl")
class TheLoopThatPausesAConnector(unittest.TestCase):
    def test_asks_each_pod(self):
        with open(RUNNING, encoding="utf-8") as file:
            loop = next(block.split("```")[0] for block in file.read().split("```sh\n")[1:]
                        if block.startswith("for pod in"))
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            loop = loop.replace("18080", str(free.getsockname()[1]))
        with tempfile.TemporaryDirectory() as folder:
            kubectl, asked = os.path.join(folder, "kubectl"), os.path.join(folder, "asked")
            with open(kubectl, "w", encoding="utf-8") as file:
                file.write(KUBECTL)
            os.chmod(kubectl, 0o755)
            with open(os.path.join(folder, "admin-token"), "w", encoding="utf-8") as file:
                file.write("0123456789abcdef\n")
            environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "ASKED": asked}
            run = subprocess.run(["bash", "-c", loop], cwd=folder, env=environment, check=False,
                                 capture_output=True, text=True)
            self.assertEqual((run.returncode, run.stdout), (0, ""))
            with open(asked, encoding="utf-8") as file:
                self.assertEqual(file.read().splitlines(), [
                    f"pod/apns-bridge-{number} /connectors/orders/pause Bearer 0123456789abcdef"
                    for number in range(3)])


if __name__ == "__main__":
    unittest.main()
