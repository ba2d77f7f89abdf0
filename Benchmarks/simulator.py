#!/usr/bin/env python3
"""Compares the simulator's processor time per request with nghttpd's, in one interleaved run.

  make build && Benchmarks/simulator.py [--rounds 7] [--requests 200000]

Both serve TLS on one core of their own, h2load asks on another. nghttpd serves an empty file for
each device token from its cache, so both answer 200 without a body; the simulator judges each
request as always. Servers take turns within a round, each round swaps who is first, and what
counts is the processor time of the server (user and system) by the kernel's own books. The ratio
is given of the medians and of the minima: the machine's noise only ever adds.
"""

import argparse
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile

BODY = (
    '{"aps":{"alert":{"title":"Order 4711 shipped","body":"Hi Ada, your parcel is on its way and '
    'arrives tomorrow between 10 and 12."},"badge":3,"sound":"default"},"order_id":"4711"}'
)


def processor_seconds(pid):
    """User and system time of all threads of a process."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def pinned(core, command):
    return ["taskset", "-c", str(core), *command]


class Server:
    def __init__(self, name, port, process):
        self.name, self.port, self.process = name, port, process
        self.costs, self.rates = [], []

    def measure(self, options, token, folder):
        before = processor_seconds(self.process.pid)
        report = subprocess.run(
            pinned(options.client_core, [
                "h2load", "-n", str(options.requests), "-c", str(options.connections),
                "-m", str(options.streams), "-i", f"{folder}/uris", "-d", f"{folder}/body",
                "-H", f"authorization: bearer {token}", "-H", "apns-topic: com.example.app",
                "-H", "apns-push-type: alert", "-H", "apns-priority: 10",
                "-H", "apns-expiration: 0",
                "-H", "apns-id: 123e4567-e89b-12d3-a456-42665544000a",
                "-B", f"https://127.0.0.1:{self.port}",
            ]), capture_output=True, text=True, check=False).stdout
        used = processor_seconds(self.process.pid) - before
        # h2load opens 100 streams before it has seen that the simulator allows one at first: those
        # are refused, as Apple does it. All others must be answered with 200.
        codes = next((line for line in report.splitlines() if "2xx" in line), "no status codes: 0")
        accepted = int(codes.split(":")[1].split()[0])
        if accepted < options.requests - 100 * options.connections:
            sys.exit(f"{self.name} did not answer the requests with 200:\n{report}")
        self.costs.append(used / accepted * 1e6)
        rate = next(line for line in report.splitlines() if line.startswith("finished in"))
        self.rates.append(float(rate.split(",")[1].split()[0]))


def write_inputs(folder):
    generator = random.Random(1)
    os.makedirs(f"{folder}/htdocs/3/device")
    with open(f"{folder}/uris", "w", encoding="ascii") as uris:
        for _ in range(2000):
            token = "7" + f"{generator.getrandbits(252):063x}"
            open(f"{folder}/htdocs/3/device/{token}", "w", encoding="ascii").close()
            uris.write(f"/3/device/{token}\n")
    with open(f"{folder}/body", "w", encoding="ascii") as file:
        file.write(BODY)


def start_simulator(options, folder):
    command = [options.program, "simulator", "--state", f"{folder}/state", "--port", "0"]
    process = subprocess.Popen(
        pinned(options.server_core, command + options.simulator_option), stdout=subprocess.PIPE,
        text=True)
    line = next(line for line in process.stdout if "endpoint:" in line)
    return Server("simulator", int(line.rsplit(":", 1)[1]), process)


def start_nghttpd(options, folder):
    command = [
        "nghttpd", "-n", "1", "-a", "127.0.0.1", "-d", f"{folder}/htdocs", "-m", "1000",
        str(options.nghttpd_port), f"{folder}/state/server.key", f"{folder}/state/server.pem",
    ]
    process = subprocess.Popen(pinned(options.server_core, command))
    return Server("nghttpd", options.nghttpd_port, process)


def report(servers):
    print(f"{'':12}{'µs/request (median, min)':>28}{'requests/s (median)':>24}")
    for server in servers:
        print(f"{server.name:12}{statistics.median(server.costs):>20.2f}{min(server.costs):>8.2f}"
              f"{statistics.median(server.rates):>24.0f}")
    simulator, nghttpd = servers
    paired = [one / other for one, other in zip(simulator.costs, nghttpd.costs)]
    print(f"processor time, simulator / nghttpd: {statistics.median(paired):.2f} (median of the "
          f"rounds), {min(simulator.costs) / min(nghttpd.costs):.2f} (of the minima)")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=".build/release/apns-bridge")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--requests", type=int, default=200_000)
    parser.add_argument("--connections", type=int, default=4)
    parser.add_argument("--streams", type=int, default=250)
    parser.add_argument("--server-core", type=int, default=0)
    parser.add_argument("--client-core", type=int, default=1)
    parser.add_argument("--nghttpd-port", type=int, default=21980)
    parser.add_argument("--simulator-option", action="append", default=[])
    options = parser.parse_args()
    for tool in ("h2load", "nghttpd", "taskset"):
        if shutil.which(tool) is None:
            sys.exit(f"{tool} is not there: install nghttp2-client, nghttp2-server and util-linux")
    with tempfile.TemporaryDirectory() as folder:
        write_inputs(folder)
        servers = []
        try:
            servers.append(start_simulator(options, folder))
            servers.append(start_nghttpd(options, folder))
            token = subprocess.run(
                [options.program, "simulator", "token", "--state", f"{folder}/state"],
                capture_output=True, text=True, check=True).stdout.strip()
            for number in range(options.rounds):
                for server in servers if number % 2 == 0 else reversed(servers):
                    server.measure(options, token, folder)
            report(servers)
        finally:
            for server in servers:
                server.process.terminate()


if __name__ == "__main__":
    main()
