#!/usr/bin/env python3
"""Counts the instructions of a push in a whole bridge: the worker and librdkafka's threads.

  KAFKA_HOME=~/kafka_2.13-4.1.0 \\
    Benchmarks/whole.py [--check] [--save FOLDER] [--set KEY=VALUE]... [BRIDGE]

The bridge, `.build/release/apns-bridge` by default, pushes a backlog from a real Kafka through the
simulator under callgrind, once a short one and once a long one; what a push costs is the
difference. Outcomes have one partition: a bridge is some fifty times slower here, and eight would
each get batches that are much smaller than at full speed. Printed are the instructions in user
space, by module, and the share of the worker's thread. --set adds a property under `kafka` to the connector. Counts vary by some hundreds from run to
run, because batches do. With --check it fails when they pass their limit in limits.json. With --save the profiles
stay in a folder, for callgrind_annotate.
"""

import argparse
import collections
import os
import subprocess
import tempfile

import bridge
import instructions

FEW, MANY = 10_000, 40_000
# How the compiler begins the names of a worker's functions; one of them contains all others.
WORKER = "$s6Bridge6WorkerV"


# The C library copies large blocks with one instruction, which callgrind counts once for each byte:
# it copies them in a loop here.
COPIES = "GLIBC_TUNABLES=glibc.cpu.x86_rep_movsb_threshold=100000000"

# Valgrind writes to the mask that a program passes to sigsuspend, and crashes where libdispatch
# passes one in constant memory.
SHIM = """
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>
int sigsuspend(const sigset_t *mask) {
    sigset_t copy = *mask;
    return syscall(SYS_rt_sigsuspend, &copy, 8);
}
"""


def build_shim(folder):
    source, library = os.path.join(folder, "shim.c"), os.path.join(folder, "shim.so")
    with open(source, "w", encoding="ascii") as out:
        out.write(SHIM)
    subprocess.run(["clang", "-shared", "-fPIC", "-o", library, source], check=True)
    return library


def profile(program, shim, run, topic, count, kafka, apns, folder, saved):
    """What a bridge costs that pushes a topic."""
    path = os.path.join(saved, topic)
    before = kafka.end_of("out")
    command = ["env", COPIES, f"LD_PRELOAD={shim}", "valgrind", "--tool=callgrind",
               f"--callgrind-out-file={path}", program]
    process = bridge.start(command, run, topic, kafka, apns, folder)
    try:
        bridge.wait_for(
            "the last outcome", 600, lambda: kafka.end_of("out") - before >= count)
    finally:
        bridge.stop(process)
    return instructions.Profile(path)


def of_worker(found):
    """What the workers' threads cost, with all that they call."""
    return max(cost for name, cost in found.whole.items() if name.startswith(WORKER))


def report(few, many):
    pushes = MANY - FEW
    sums = collections.Counter()
    for name, cost in many.own.items():
        module = instructions.module(name, many.library[name] or "")
        sums[module] += (cost - few.own[name]) / pushes
    print("Instructions for each push in a whole bridge, by module:")
    for module, cost in sums.most_common():
        if cost >= 20:
            instructions.row(module, cost)
    whole = sum(sums.values())
    worker = (of_worker(many) - of_worker(few)) / pushes
    print(f"A push in a whole bridge: {whole:,.0f} instructions, {worker:,.0f} of them in the "
          f"worker's thread and {whole - worker:,.0f} in librdkafka's and all others")
    return whole


def measure(options, folder, kafka, apns, saved):
    program = os.path.join(folder, "apns-bridge.program")
    subprocess.run(["strip", "-g", "-o", program, options.bridge], check=True)
    bridge.CONNECTOR = bridge.CONNECTOR.replace(
        '"{kafka}"}}', '"{kafka}"' + "".join(f", {line}" for line in options.set) + "}}")
    shim = build_shim(folder)
    found = []
    for run, (topic, count) in enumerate([("few", FEW), ("many", MANY)]):
        bridge.publish(kafka, count, topic)
        found.append(profile(program, shim, run, topic, count, kafka, apns, folder, saved))
    return report(*found)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bridge", nargs="?", default=".build/release/apns-bridge")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--save")
    parser.add_argument(
        "--set", action="append", default=[], type=lambda text: text.replace("=", ": ", 1))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, \
            bridge.kafka_and_simulator(options.bridge, folder, partitions=1) as (kafka, apns):
        saved = options.save or folder
        os.makedirs(saved, exist_ok=True)
        found = measure(options, folder, kafka, apns, saved)
    limit = instructions.read_limits()["whole"]
    print(f"At most {limit:,} are allowed")
    if found > limit:
        instructions.finish(
            [f"instructions of a whole bridge: {found:,.0f} > {limit:,}"], options.check)


if __name__ == "__main__":
    main()
