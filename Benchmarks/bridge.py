#!/usr/bin/env python3
"""Lets whole bridges push a backlog from a real Kafka through the simulator, by turns.

  KAFKA_HOME=~/kafka_2.13-4.1.0 Benchmarks/bridge.py [--events 200000] [--rounds 3] BRIDGE...

Each BRIDGE is a program `apns-bridge`, for example of two commits; the first one is the simulator,
too. Every run has a group of its own, and reads all events from the earliest.
Printed are pushes for each second, from the first outcome to the last, the bridge's processor time
for each push (all threads, user and system, the start included), and its largest resident memory.
Compare columns of one run, on a machine that does nothing else.
"""

import argparse
import hashlib
import os
import signal
import socket
import statistics
import subprocess
import tempfile
import time

EVENT = (
    '{"device_token":"%s","collapse_id":"order-%d","event_time":%d,"payload":{"aps":{"alert":'
    '{"title":"Order %d shipped","body":"Hi Ada, your parcel is on its way and arrives tomorrow '
    'between 10 and 12."},"badge":3,"sound":"default"},"order_id":"%d"}}\n'
)

CONNECTOR = """
source: {{topics: [events], group: group-{run}, start: earliest}}
kafka: {{bootstrap.servers: "{kafka}"}}
apns:
  endpoint: https://localhost:{apns}
  ca_file: simulator/ca.pem
  environment: production
  key: ${{file:simulator/AuthKey.p8}}
  key_id: SIMULATOR1
  team_id: SIMULATEAM
  bundle_id: com.example.shop
results: {{outcomes: out, unregistered: gone, dead_letter: dead}}
"""


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def wait_for(what, seconds, ready):
    end = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > end:
            raise SystemExit(f"{what}: not within {seconds} s")
        time.sleep(0.05)


class Kafka:
    """One broker on loopback, in a folder that goes away with the benchmark."""

    def __init__(self, home, folder):
        self.home = home
        self.address = f"127.0.0.1:{free_port()}"
        controller = f"127.0.0.1:{free_port()}"
        file = os.path.join(folder, "server.properties")
        with open(file, "w", encoding="ascii") as out:
            out.write(
                "process.roles=broker,controller\nnode.id=1\n"
                f"controller.quorum.bootstrap.servers={controller}\n"
                f"listeners=PLAINTEXT://{self.address},CONTROLLER://{controller}\n"
                f"advertised.listeners=PLAINTEXT://{self.address}\n"
                "controller.listener.names=CONTROLLER\n"
                "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT\n"
                f"log.dirs={folder}/data\noffsets.topic.replication.factor=1\n"
                "offsets.topic.num.partitions=4\ngroup.initial.rebalance.delay.ms=0\n"
                "transaction.state.log.replication.factor=1\ntransaction.state.log.min.isr=1\n"
                "share.coordinator.state.topic.replication.factor=1\n"
                "share.coordinator.state.topic.min.isr=1\nauto.create.topics.enable=true\n"
                "log.cleaner.dedupe.buffer.size=4194304\n"
            )
        identity = self.tool("kafka-storage.sh", "random-uuid").split()[-1]
        self.tool("kafka-storage.sh", "format", "--standalone", "-t", identity, "-c", file)
        self.process = subprocess.Popen(
            [f"{home}/bin/kafka-server-start.sh", file],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for("Kafka", 90, self.answers)

    def tool(self, name, *words):
        run = subprocess.run(
            [f"{self.home}/bin/{name}", *words], check=True, capture_output=True, text=True)
        return run.stdout

    def answers(self):
        run = subprocess.run(["kcat", "-L", "-m", "2", "-b", self.address], capture_output=True)
        return run.returncode == 0

    def create(self, topics):
        """Asks for topics, which the broker makes of what is asked for."""
        for topic, partitions in topics:
            self.tool(
                "kafka-topics.sh", "--bootstrap-server", self.address, "--create", "--topic",
                topic, "--partitions", str(partitions))

    def end_of(self, topic):
        run = subprocess.run(
            ["kcat", "-Q", "-b", self.address, "-t", f"{topic}:0:-1"],
            check=True, capture_output=True, text=True)
        return int(run.stdout.split()[-1])


def publish(kafka, count):
    now = int(time.time() * 1000)
    with subprocess.Popen(
        ["kcat", "-P", "-b", kafka.address, "-t", "events", "-z", "lz4"],
        stdin=subprocess.PIPE, text=True
    ) as kcat:
        for number in range(count):
            # Of the simulator's devices those that begin with other digits may mean trouble.
            token = "ab" + hashlib.sha256(str(number).encode()).hexdigest()[2:]
            kcat.stdin.write(EVENT % (token, number, now, number, number))


def measure(bridge, run, kafka, apns, folder, count):
    """Pushes for each second, microseconds of processor for each, megabytes."""
    connector = os.path.join(folder, f"run-{run}.yaml")
    with open(connector, "w", encoding="ascii") as out:
        out.write(CONNECTOR.format(run=run, kafka=kafka.address, apns=apns))
    log = open(os.path.join(folder, f"run-{run}.log"), "w", encoding="utf-8")
    before = kafka.end_of("out")
    process = subprocess.Popen([bridge, "run", connector], stderr=log, stdout=log)
    try:
        wait_for("the first outcome", 60, lambda: kafka.end_of("out") > before)
        start, first = time.monotonic(), kafka.end_of("out") - before
        wait_for("the last outcome", 120, lambda: kafka.end_of("out") - before >= count)
        rate = (count - first) / (time.monotonic() - start)
        with open(f"/proc/{process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        ticks = int(fields[11]) + int(fields[12])
        with open(f"/proc/{process.pid}/status", encoding="ascii") as file:
            peak = next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))
        return rate, ticks / os.sysconf("SC_CLK_TCK") * 1e6 / count, peak / 1024
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bridges", nargs="+", metavar="BRIDGE")
    parser.add_argument("--events", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    runs = range(options.rounds * len(options.bridges))
    with tempfile.TemporaryDirectory() as folder:
        kafka = Kafka(os.environ["KAFKA_HOME"], folder)
        apns = free_port()
        simulator = subprocess.Popen(
            [options.bridges[0], "simulator", "--no-admin", "--port", str(apns), "--state",
             os.path.join(folder, "simulator")],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            kafka.create([("events", 8)])
            kafka.create([(topic, 1) for topic in ("out", "gone", "dead")])
            publish(kafka, options.events)
            print("bridge".ljust(44) + "pushes/s   us/push   MB")
            results = {bridge: [] for bridge in options.bridges}
            for run in runs:
                bridge = options.bridges[run % len(options.bridges)]
                found = measure(bridge, run, kafka, apns, folder, options.events)
                results[bridge].append(found)
                print(f"{bridge[-42:]:44}{found[0]:8.0f}{found[1]:10.2f}{found[2]:5.0f}", flush=True)
            for bridge, found in results.items():
                middle = [statistics.median(column) for column in zip(*found)]
                print(f"{bridge[-36:]} median".ljust(44)
                      + f"{middle[0]:8.0f}{middle[1]:10.2f}{middle[2]:5.0f}")
        finally:
            for process in (simulator, kafka.process):
                process.terminate()
                process.wait()


if __name__ == "__main__":
    main()
