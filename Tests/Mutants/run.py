#!/usr/bin/env python3
"""Applies one deliberate fault after the other to a copy of the repository, and reports which of
them the random worlds find, and after how many seeds.

Usage: run.py [--seeds N] [--minutes M] [NAME...]

Without names, every fault in mutants.yaml is tried. Exits with 1 if one was not found.
"""
import argparse, os, pathlib, re, resource, shutil, subprocess, sys, time

import yaml

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
COPY = ROOT / ".build/mutants"
WORLDS = (
    "A worker in (bad weather|a simulated world)|A worker whose topic is changed"
    "|Two workers that share a group|A world with two apps|The records of a simulated world"
)
# Faults that can be found at all are mostly found by the first worlds.
STEPS = [3, 30, 300, 1000]


def copy_repository():
    """Copies what the build reads. The copy keeps its build folder: later runs are quicker."""
    COPY.mkdir(parents=True, exist_ok=True)
    for name in ["Package.swift", "Sources", "Tests", "Benchmarks", "connectors"]:
        source, target = ROOT / name, COPY / name
        # Times are copied, too, so that only what has changed is built again.
        if source.is_dir():
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(source, target, symlinks=True)
        else:
            shutil.copy2(source, target)


def build(environment):
    command = ["swift", "build", "--product", "apns-bridgePackageTests"]
    run = subprocess.run(command, cwd=COPY, env=environment, capture_output=True, text=True)
    return run.returncode == 0, run.stdout + run.stderr


def limit_memory():
    """A fault may let a world grow without end."""
    resource.setrlimit(resource.RLIMIT_AS, (16 << 30, 16 << 30))


def worlds(environment, seeds, seconds):
    """How the worlds end with the first `seeds` seeds: None if none of them notices anything."""
    command = [
        COPY / ".build/debug/apns-bridgePackageTests.xctest", "--testing-library",
        "swift-testing", "--filter", WORLDS,
    ]
    environment = dict(environment, APNS_BRIDGE_SEEDS=str(seeds))
    try:
        run = subprocess.run(
            command, cwd=COPY, env=environment, capture_output=True, text=True, timeout=seconds,
            errors="replace",
            preexec_fn=limit_memory)
    except subprocess.TimeoutExpired:
        return "does not end"
    if run.returncode == 0:
        return None
    if run.returncode < 0 or "Fatal error" in run.stdout + run.stderr:
        return "crash"
    failed = re.findall(r'Test "([^"]+)"(?: with \d+ test cases)? failed', run.stdout + run.stderr)
    return failed[0] if failed else f"exit code {run.returncode}"


def replaced(text, old, new):
    """The text with lines replaced, however they are indented; None if they do not occur once."""
    lines, old = text.splitlines(), [line.strip() for line in old.splitlines()]
    trimmed = [line.strip() for line in lines]
    places = [i for i in range(len(lines)) if trimmed[i : i + len(old)] == old]
    if len(places) != 1:
        return None
    lines[places[0] : places[0] + len(old)] = new.splitlines()
    return "\n".join(lines) + "\n"


def attempt(mutant, arguments, environment):
    """Applies one fault, and restores the file: by how many seeds it is found, and how."""
    path = COPY / mutant["file"]
    original = path.read_text()
    try:
        mutated = replaced(original, mutant["replace"], mutant["with"])
        if mutated is None:
            return None, "the lines to replace do not occur once"
        path.write_text(mutated)
        built, output = build(environment)
        if not built:
            errors = [line for line in output.splitlines() if "error:" in line]
            return None, "does not compile: " + (errors[0] if errors else output[-200:])
        end = time.monotonic() + 60 * arguments.minutes
        for seeds in [step for step in STEPS if step < arguments.seeds] + [arguments.seeds]:
            left = end - time.monotonic()
            if left <= 0:
                return None, f"not found within {arguments.minutes} minutes"
            found = worlds(environment, seeds, left + 60)
            if found:
                return seeds, found
        return None, f"not found with {arguments.seeds} seeds"
    finally:
        path.write_text(original)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--seeds", type=int, default=1000, help="the most seeds for each fault")
    parser.add_argument("--minutes", type=int, default=10, help="the most minutes for each fault")
    parser.add_argument("names", nargs="*", help="parts of the names of the faults to try")
    arguments = parser.parse_args()
    mutants = yaml.safe_load((HERE / "mutants.yaml").read_text())
    if arguments.names:
        chosen = [m for m in mutants if any(name in m["name"] for name in arguments.names)]
        if not chosen:
            known = "\n  ".join(m["name"] for m in mutants)
            sys.exit(f"no fault is called '{' '.join(arguments.names)}'; there are:\n  {known}")
        mutants = chosen
    environment = dict(
        os.environ, APNS_BRIDGE_TESTS="BridgeTests", SWIFT_BACKTRACE="enable=no")
    copy_repository()
    print("| fault | found within seeds | by |\n|---|---|---|", flush=True)
    missed = 0
    for mutant in mutants:
        seeds, how = attempt(mutant, arguments, environment)
        missed += seeds is None
        print(f"| {mutant['name']} | {seeds or '-'} | {how} |", flush=True)
    print(f"\n{len(mutants) - missed} of {len(mutants)} found", flush=True)
    sys.exit(1 if missed else 0)


main()
