#!/usr/bin/env python3
"""Counts the instructions of a whole push, stage by stage and module by module.

  Benchmarks/instructions.py [--check] [--save FOLDER]

Runs `.build/release/worker-benchmark` under callgrind with few pushes and with many; what a push
costs is the difference. Its loads are the connector `orders`, with and without an ordering for each
device, and canonical events. With --check it fails when a number passes its limit in limits.json. With
--save the profiles stay in a folder, for callgrind_annotate.

A stage is the cost of a function with all that it calls, less that of the stages inside it. What
the compiler has inlined elsewhere counts there.
"""

import argparse
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM = ".build/release/worker-benchmark"
FEW, MANY = 2000, 12000
LEFT_OUT = ["--toggle-collect=*countsAll*", "--toggle-collect=*peersWork*"]

# What a stage is called, the function it consists of, and the stages inside it.
STAGES = [
    ("reading the event", "JSONTape.read(_: RawSpan)", []),
    ("mapping and payload", "Mapper.map(_:now:only:into:)", ["reading the event"]),
    ("apns-id", "PartitionNames.identifier(index:own:isOneOfSeveral:offset:)", []),
    ("taking the record", "Engine.take(_:)",
     ["mapping and payload", "reading the event", "apns-id"]),
    ("next to send", "Engine.nextToSend()", []),
    ("preparing a push", "OutgoingPush.fill(from:_:_:)", []),
    ("request writer", "RequestWriter.write(_:id:)", []),
    ("field encoder", "RequestEncoder.encode(_:)", []),
    ("HTTP/2, writing", "HTTP2Client.submit(_:body:tag:)", ["field encoder"]),
    ("choosing a connection", "APNsPools.send",
     ["request writer", "field encoder", "HTTP/2, writing"]),
    ("noting what was sent", "Engine.sent(_:)", []),
    ("TLS, writing", "APNsPools.flush", []),
    ("HTTP/2, reading", "HTTP2Client.receive(_:)", []),
    ("TLS, reading", "TLSSession.read(_:)", ["HTTP/2, reading"]),
    ("waking connections", "APNsPools.wake", ["TLS, reading", "HTTP/2, reading"]),
    ("verdict", "Engine.accepted(_:uniqueID:signedWith:)", []),
    ("reading responses", "Worker.readResponses()", ["verdict"]),
    ("writing the outcome", "Engine.writeNextResult()", []),
    ("publishing", "Worker.publishResults()", ["writing the outcome"]),
    ("metrics and summaries", "Engine.countOutcome(_:_:)", []),
    ("publishing figures", "Worker.publishFigures()", []),
    ("acknowledgements", "Worker.takeAcknowledgements()", ["metrics and summaries"]),
]

# What a push costs in metrics, histograms and summaries. Besides, some of a push's steps increment a
# counter of their own: an instruction each.
METRICS = ["metrics and summaries", "publishing figures"]


class Profile:
    """The costs in one file of callgrind, by function."""

    def __init__(self, path):
        self.own = collections.Counter()
        self.whole = collections.Counter()
        self.library = {}
        self.names = {}
        with open(path, encoding="utf-8") as file:
            self.read(file)

    def name(self, text):
        number, name = re.match(r"\((\d+)\)(?: (.*))?$", text).groups()
        if name is not None:
            self.names[number] = name
        return self.names[number]

    def read(self, file):
        objects = {}
        function, library, isCall = None, None, False
        for line in file:
            if line.startswith("ob="):
                number, name = re.match(r"ob=\((\d+)\)(?: (.*))?$", line.rstrip()).groups()
                library = objects.setdefault(number, os.path.basename(name or ""))
            elif line.startswith("cob="):
                number, name = re.match(r"cob=\((\d+)\)(?: (.*))?$", line.rstrip()).groups()
                objects.setdefault(number, os.path.basename(name or ""))
            elif line.startswith("fn="):
                function = self.name(line[3:].rstrip())
                self.library[function] = library
            elif line.startswith("cfn="):
                self.name(line[4:].rstrip())
            elif line.startswith("calls="):
                isCall = True
            elif line[:1] in "0123456789+-*" and line.strip():
                cost = int(line.split()[1])
                self.whole[function] += cost
                if not isCall:
                    self.own[function] += cost
                isCall = False


def callgrind(pushes, load, path):
    stripped = f"{path}.program"
    subprocess.run(["strip", "-g", "-o", stripped, PROGRAM], check=True)
    subprocess.run(
        ["valgrind", "--tool=callgrind", f"--callgrind-out-file={path}", *LEFT_OUT, stripped,
         str(pushes), load],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.remove(stripped)
    return Profile(path)


def costs(few, many, which):
    """For each function what a push costs; the program makes a push more for each one asked for."""
    few, many = getattr(few, which), getattr(many, which)
    return {name: (many[name] - few[name]) / (MANY - FEW) / FACTOR for name in many}


# The program runs twice, with a tenth of the pushes and with all of them and that tenth.
FACTOR = 1.2


def plain(names):
    """The names of functions as people write them."""
    run = subprocess.run(
        ["swift", "demangle", "--compact", "--simplified"], input="\n".join(names), check=True,
        capture_output=True, text=True)
    return dict(zip(names, run.stdout.splitlines()))


def module(name, library):
    """The module of Swift that a function belongs to, or the library."""
    if ".program" not in library:
        return library
    return module_of_symbol(name) or "Swift, in the program"


def module_of_symbol(name):
    """The module of Swift that a mangled name begins with, or None."""
    found = re.match(r"\$s(\d+)(.*)", name)
    return found and found[2][:int(found[1])]


def row(name, value):
    print(f"  {name:36}{value:10,.0f}")


def printStages(whole, names):
    """Prints what each stage costs, and returns that by stage."""
    found = {}
    for stage, pattern, _ in STAGES:
        kind, _, method = pattern.partition(".")
        head = re.escape(kind) + r"(<.*?>)?\." + re.escape(method.split("(")[0])
        head += r"(<.*?>)?\(" if "(" in method else r"\b"
        labels = method.partition("(")[2].rstrip(")")
        head += re.escape(labels) if labels and "RawSpan" not in labels else ""
        matches = [
            value for name, value in whole.items()
            if re.match(head, names[name].replace("specialized ", "").replace("static ", ""))
        ]
        found[stage] = max(matches, default=0)
    print("Instructions for each push, by stage:")
    costs_of_stages = {}
    for stage, _, inner in STAGES:
        value = found[stage]
        for name in inner:
            value -= own_part(name, found)
        costs_of_stages[stage] = value
        row(stage, value)
    return costs_of_stages


def own_part(stage, found):
    """What a stage costs without those inside it."""
    inner = next(parts for name, _, parts in STAGES if name == stage)
    return found[stage] - sum(own_part(name, found) for name in inner)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--save", metavar="FOLDER")
    options = parser.parse_args()
    limits = read_limits()
    failed = too_many_allocations(limits)
    if shutil.which("valgrind") is None:
        # What was not counted has not passed.
        failed.append("valgrind is not installed: instructions are not counted; install valgrind")
        return finish(failed, options.check)
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.save or temporary
        os.makedirs(folder, exist_ok=True)
        for load, limit in limits["instructions"].items():
            few, many = (
                callgrind(count, load, os.path.join(folder, f"{load}-{count}"))
                for count in (FEW, MANY))
            own = costs(few, many, "own")
            all_of_it = sum(own.values())
            if load != "device":
                print(f"With {load}:")
                whole = costs(few, many, "whole")
                names = plain(list(whole))
                stages = printStages(whole, names)
                row("everything else", all_of_it - sum(stages.values()))
                printModules(own, many.library)
                failed += too_much_for_metrics(stages, limits["metrics"])
            print(f"A push with {load}: {all_of_it:,.0f} instructions, at most {limit:,} allowed")
            if all_of_it > limit:
                failed.append(f"instructions with {load}: {all_of_it:,.0f} > {limit:,}")
    finish(failed, options.check)


def read_limits():
    with open(os.path.join(os.path.dirname(__file__), "limits.json"), encoding="utf-8") as file:
        return json.load(file)


def finish(failed, checks):
    """Says what has passed a limit, and exits with 1 if that is checked."""
    for line in failed:
        print(line, file=sys.stderr)
    if failed and checks:
        sys.exit(1)


def printModules(own, libraries):
    sums = collections.Counter()
    for name, value in own.items():
        sums[module(name, libraries[name] or "")] += value
    print("Instructions for each push, by module:")
    for name, value in sums.most_common():
        if value >= 20:
            row(name, value)


def too_much_for_metrics(stages, limit):
    found = sum(stages[name] for name in METRICS)
    print(f"Metrics and summaries of a push: {found:,.0f} instructions, at most {limit:,} allowed")
    if not stages[METRICS[0]]:
        return [f"instructions of metrics: {METRICS[0]} are not a function of their own any more"]
    return [f"instructions of metrics: {found:,.0f} > {limit:,}"] if found > limit else []


def too_many_allocations(limits):
    failed = []
    for load in limits["instructions"]:
        run = subprocess.run([PROGRAM, "50000", load], check=True, capture_output=True, text=True)
        found, limit = float(run.stdout.split()[-1]), limits["allocations"]
        print(f"A push with {load} makes {found} allocations, at most {limit} allowed")
        if found > limit:
            failed.append(f"allocations with {load}: {found} > {limit}")
    return failed


if __name__ == "__main__":
    main()
