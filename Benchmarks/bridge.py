#!/usr/bin/env python3
"""Lets whole bridges push a backlog from a real Kafka through the simulator, by turns.

  KAFKA_HOME=~/kafka_2.13-4.1.0 Benchmarks/bridge.py [--events 200000] [--rounds 3]
    [--rates 100,1000] [--seconds 10] [--partitions 8] [--round-trip 0] BRIDGE...

Each BRIDGE is a program `apns-bridge`, for example of two commits; the first one is the simulator,
too. Every run has a group of its own, and reads all events from the earliest.
Printed are pushes for each second, from the first outcome to the last, the bridge's processor time
for each push (all threads, user and system, the start included), how much of that the kernel and
the threads of librdkafka took, the processor time of the broker and of the simulator, how much of
the machine's processors was idle, the largest resident memory, and how long it took to stop with
nothing in flight. With --rates, events then come at
each of these rates: printed are the processor time for each push and how long it took from an event
to its outcome. With --partitions each topic has another number of them, and with --round-trip the
bridge's connections to the broker take so many milliseconds there and back.
Compare columns of one run, on a machine that does nothing else.
"""

import argparse
import contextlib
import datetime
import hashlib
import json
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Tests/Chaos"))
from proxy import Proxy  # noqa: E402

# An event of some 450 bytes.
EVENT = (
    '{"device_token":"%s","collapse_id":"order-%d","event_time":%d,"payload":{"aps":{"alert":'
    '{"title":"Order %d shipped","body":"Hi Ada, your parcel is on its way and arrives tomorrow '
    'between 10 and 12. You can follow it on the map, or choose another day."},'
    '"badge":3,"sound":"default","thread-id":"orders"},"order_id":"%d",'
    '"url":"https://shop.example.com/orders/current"}}\n'
)

# Of the source and of each topic of results, so that outcomes keep their event's partition.
PARTITIONS = 8

CONNECTOR = """
source: {{topics: [{topic}], group: group-{run}, start: earliest}}
kafka: {{bootstrap.servers: "{kafka}"}}
apns:
  endpoint: https://localhost:{apns}
  ca_file: simulator/ca.pem
  environment: production
  key: ${{file:simulator/AuthKey.p8}}
  key_id: SIMULATOR1
  team_id: SIMULATEAM
  bundle_id: com.example.shop
  connections: 4
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
    """One broker on loopback, in a folder that goes away with the benchmark; `far` is its address
    for those who are so many milliseconds away, there and back."""

    def __init__(self, home, folder, round_trip=0):
        self.home = home
        # How many partitions each topic has.
        self.partitions = {}
        self.address, behind = (f"127.0.0.1:{free_port()}" for _ in range(2))
        self.far = self.address
        if round_trip:
            proxy = Proxy(behind)
            proxy.delay = round_trip / 2000
            self.far = proxy.address
        controller = f"127.0.0.1:{free_port()}"
        file = os.path.join(folder, "server.properties")
        with open(file, "w", encoding="ascii") as out:
            out.write(
                "process.roles=broker,controller\nnode.id=1\n"
                f"controller.quorum.bootstrap.servers={controller}\n"
                f"listeners=PLAINTEXT://{self.address},FAR://{behind},CONTROLLER://{controller}\n"
                f"advertised.listeners=PLAINTEXT://{self.address},FAR://{self.far}\n"
                "controller.listener.names=CONTROLLER\n"
                "listener.security.protocol.map="
                "PLAINTEXT:PLAINTEXT,FAR:PLAINTEXT,CONTROLLER:PLAINTEXT\n"
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
        try:
            wait_for("Kafka", 90, self.answers)
        except BaseException:
            self.stop()
            raise

    def stop(self):
        self.process.terminate()
        self.process.wait()

    def tool(self, name, *words):
        run = subprocess.run(
            [f"{self.home}/bin/{name}", *words], check=True, capture_output=True, text=True)
        return run.stdout

    def answers(self):
        run = subprocess.run(["kcat", "-L", "-m", "2", "-b", self.address], capture_output=True)
        return run.returncode == 0

    def create(self, topics, *settings):
        """Asks for topics, which the broker makes of what is asked for."""
        for topic, partitions in topics:
            self.partitions[topic] = partitions
            self.tool(
                "kafka-topics.sh", "--bootstrap-server", self.address, "--create", "--topic",
                topic, "--partitions", str(partitions),
                *(word for setting in settings for word in ("--config", setting)))

    def end_of(self, topic):
        """How many records its partitions have."""
        partitions = [word for number in range(self.partitions[topic])
                      for word in ("-t", f"{topic}:{number}:-1")]
        run = subprocess.run(
            ["kcat", "-Q", "-b", self.address, *partitions],
            check=True, capture_output=True, text=True)
        return sum(int(line.split()[-1]) for line in run.stdout.splitlines())


def publish(kafka, count, topic, partitions=PARTITIONS):
    """Creates a topic with a backlog of events."""
    kafka.create([(topic, partitions)])
    now = int(time.time() * 1000)
    with subprocess.Popen(
        ["kcat", "-P", "-b", kafka.address, "-t", topic, "-z", "lz4"],
        stdin=subprocess.PIPE, text=True
    ) as kcat:
        for number in range(count):
            # Of the simulator's devices those that begin with other digits may mean trouble.
            token = "ab" + hashlib.sha256(str(number).encode()).hexdigest()[2:]
            kcat.stdin.write(EVENT % (token, number, now, number, number))


TICK = 1e6 / os.sysconf("SC_CLK_TCK")


def processor_time(process):
    """Microseconds that a process has taken, and how many of them in the kernel."""
    with open(f"/proc/{process.pid}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * TICK, int(fields[12]) * TICK


def machine_time():
    """Ticks that all processors have spent, and how many of them idle."""
    with open("/proc/stat", encoding="ascii") as file:
        ticks = [int(field) for field in file.readline().split()[1:9]]
    return sum(ticks), ticks[3] + ticks[4]


def library_time(process):
    """Microseconds that the threads of librdkafka have taken."""
    total = 0
    for task in os.listdir(f"/proc/{process.pid}/task"):
        with open(f"/proc/{process.pid}/task/{task}/stat", encoding="ascii") as file:
            name, fields = file.read().split("(", 1)[1].rsplit(")", 1)
        if name.startswith("rdk:"):
            total += (int(fields.split()[11]) + int(fields.split()[12])) * TICK
    return total


def peak_memory(process):
    with open(f"/proc/{process.pid}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM")) / 1024


def kafka_home():
    """Where a distribution of Kafka is; ends with what to do where it or kcat is missing."""
    if not shutil.which("kcat"):
        raise SystemExit("this needs kcat: run `make test-dependencies`, or install it")
    home = os.environ.get("KAFKA_HOME", "")
    if not os.path.isfile(os.path.join(home, "bin", "kafka-server-start.sh")):
        raise SystemExit(
            "this needs a Kafka of its own: set KAFKA_HOME to a Kafka 4 distribution"
            + (f" ({home}/bin has no kafka-server-start.sh)" if home else ""))
    return home


@contextlib.contextmanager
def kafka_and_simulator(bridge, folder, partitions=PARTITIONS, round_trip=0):
    """A Kafka with topics for results of so many partitions, and a simulator of APNs, which end
    with the block."""
    kafka = Kafka(kafka_home(), folder, round_trip)
    apns = None
    try:
        apns = Simulator(bridge, folder)
        # The time of a result record is then when Kafka stored it, not when it was written.
        kafka.create(
            [(topic, partitions) for topic in ("out", "gone", "dead")],
            "message.timestamp.type=LogAppendTime")
        yield kafka, apns
    finally:
        if apns:
            apns.process.terminate()
            apns.process.wait()
        kafka.stop()


class Simulator:
    """The simulator of APNs, without its admin port."""

    def __init__(self, bridge, folder):
        self.port = free_port()
        self.process = subprocess.Popen(
            [bridge, "simulator", "--no-admin", "--port", str(self.port), "--state",
             os.path.join(folder, "simulator")],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def start(bridge, run, topic, kafka, apns, folder):
    connector = os.path.join(folder, f"run-{run}.yaml")
    with open(connector, "w", encoding="ascii") as out:
        out.write(CONNECTOR.format(run=run, topic=topic, kafka=kafka.far, apns=apns.port))
    with open(os.path.join(folder, f"run-{run}.log"), "w", encoding="utf-8") as log:
        command = [bridge] if isinstance(bridge, str) else bridge
        return subprocess.Popen([*command, "run", connector], stderr=log, stdout=log)


def stop(process):
    """Stops a bridge, and returns how many seconds that took."""
    begin = time.monotonic()
    process.send_signal(signal.SIGTERM)
    process.wait()
    return time.monotonic() - begin


def measure(bridge, run, kafka, apns, folder, count):
    """The columns of a run that pushes a backlog."""
    before = kafka.end_of("out")
    others = [kafka.process, apns.process]
    others_before = [processor_time(other)[0] for other in others]
    process = start(bridge, run, "events", kafka, apns, folder)
    try:
        wait_for("the first outcome", 60, lambda: kafka.end_of("out") > before)
        begin, first = time.monotonic(), kafka.end_of("out") - before
        machine = machine_time()
        wait_for("the last outcome", max(120, count // 10_000),
                 lambda: kafka.end_of("out") - before >= count)
        rate = (count - first) / (time.monotonic() - begin)
        spent, idle = (now - then for now, then in zip(machine_time(), machine))
        (whole, kernel), library = processor_time(process), library_time(process)
        broker, simulator = (
            processor_time(other)[0] - then for other, then in zip(others, others_before))
        memory = peak_memory(process)
        # The last commit is then done, too.
        time.sleep(1)
    finally:
        stopped = stop(process)
    return (rate, whole / count, kernel / count, library / count, broker / count,
            simulator / count, 100 * idle / spent, memory, stopped)


def pace(kafka, topic, rate, seconds):
    """Publishes events evenly."""
    with subprocess.Popen(
        ["kcat", "-P", "-b", kafka.address, "-t", topic, "-X", "linger.ms=0"],
        stdin=subprocess.PIPE, text=True, bufsize=1
    ) as kcat:
        begin = time.monotonic()
        for number in range(int(rate * seconds)):
            time.sleep(max(0, begin + number / rate - time.monotonic()))
            token = "ab" + hashlib.sha256(str(number).encode()).hexdigest()[2:]
            now = time.time_ns() // 1_000_000
            kcat.stdin.write(EVENT % (token, number, now, number, number))


def measure_rate(bridge, run, kafka, apns, folder, rate, seconds):
    """Processor time for each push, and the median and the 99th percentile of milliseconds from an
    event to its outcome."""
    topic, count = f"paced-{run}", int(rate * seconds)
    kafka.create([(topic, kafka.partitions["out"])])
    process = start(bridge, run, topic, kafka, apns, folder)
    try:
        before = kafka.end_of("out")
        pace(kafka, topic, 1, 1)
        wait_for("the first outcome", 60, lambda: kafka.end_of("out") > before)
        before, spent = kafka.end_of("out"), processor_time(process)[0]
        begin = int(time.time() * 1000)
        pace(kafka, topic, rate, seconds)
        wait_for("the last outcome", 60, lambda: kafka.end_of("out") - before >= count)
        spent = processor_time(process)[0] - spent
        outcomes = subprocess.run(
            ["kcat", "-C", "-q", "-e", "-b", kafka.address, "-t", "out", "-o", f"s@{begin}", "-f",
             "%T %s\\n"], check=True, capture_output=True, text=True)
        delays = sorted(map(delay, outcomes.stdout.splitlines()))
        return spent / count, delays[len(delays) // 2], delays[len(delays) * 99 // 100]
    finally:
        stop(process)


def delay(line):
    """Milliseconds from the time of an event to the time when Kafka stored its outcome."""
    written, value = line.split(" ", 1)
    event = datetime.datetime.fromisoformat(json.loads(value)["event_time"])
    return int(written) - event.timestamp() * 1000


def print_rates(options, kafka, apns, folder):
    print("bridge".ljust(44) + "events/s   us/push   p50 ms   p99 ms")
    run = options.rounds * len(options.bridges)
    for rate in options.rates:
        results = {bridge: [] for bridge in options.bridges}
        for _ in range(options.rounds):
            for bridge in options.bridges:
                run += 1
                results[bridge].append(
                    measure_rate(bridge, run, kafka, apns, folder, rate, options.seconds))
        for bridge, found in results.items():
            for name, of in [("median", statistics.median), ("minimum", min)]:
                values = [of(column) for column in zip(*found)]
                print(f"{bridge[-35:]} {name}".ljust(44) + f"{rate:8.0f}{values[0]:10.1f}"
                      f"{values[1]:9.1f}{values[2]:9.1f}", flush=True)


def columns(found):
    rate, whole, kernel, library, broker, simulator, idle, memory, stopped = found
    return (f"{rate:8.0f}{whole:10.2f}{kernel:8.2f}{library:8.2f}{broker:8.2f}{simulator:10.2f}"
            f"{idle:7.0f}{memory:5.0f}{stopped:8.2f}")


def program(text):
    """An argument that names a program which can be started."""
    if not os.access(text, os.X_OK) or os.path.isdir(text):
        raise argparse.ArgumentTypeError(
            f"{text} is no program: build one with `swift build -c release`")
    return text


def rates(text):
    """An argument of rates, in events per second."""
    try:
        found = [float(rate) for rate in text.split(",")]
    except ValueError:
        found = []
    if not found or min(found) <= 0:
        raise argparse.ArgumentTypeError(f"{text} are no rates: write, for example, 100,1000")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bridges", nargs="+", metavar="BRIDGE", type=program)
    parser.add_argument("--events", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--rates", default=[], type=rates)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--partitions", type=int, default=PARTITIONS)
    parser.add_argument("--round-trip", type=float, default=0)
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds: at least 1")
    runs = range(options.rounds * len(options.bridges))
    with tempfile.TemporaryDirectory() as folder, \
            kafka_and_simulator(
                options.bridges[0], folder, options.partitions, options.round_trip
            ) as (kafka, apns):
        publish(kafka, options.events, "events", options.partitions)
        print(
            "bridge".ljust(44)
            + "pushes/s   us/push  kernel library  broker simulator idle %   MB  stop s")
        results = {bridge: [] for bridge in options.bridges}
        for run in runs:
            bridge = options.bridges[run % len(options.bridges)]
            found = measure(bridge, run, kafka, apns, folder, options.events)
            results[bridge].append(found)
            print(f"{bridge[-42:]:44}" + columns(found), flush=True)
        for bridge, found in results.items():
            for name, of in [("median", statistics.median), ("minimum", min)]:
                values = [of(column) for column in zip(*found)]
                print(f"{bridge[-35:]} {name}".ljust(44) + columns(values), flush=True)
        if options.rates:
            print_rates(options, kafka, apns, folder)


if __name__ == "__main__":
    main()
