#!/usr/bin/env python3
"""Builds a copy of the repository with deliberate faults, switches them on one after the other, and
reports which of them the random worlds find, with which seed first, and by which check.

Usage: run.py [--seeds N] [--minutes M] [--check] [NAME...]

Without names, every fault in mutants.yaml is tried. Exits with 1 if one was not found, or if the
worlds of the copy fail without a fault; with 64 for a wrong setting. --check ends after checking
the settings, and that all faults can be applied.
"""
import argparse, os, pathlib, re, resource, subprocess, sys, time

try:
    import yaml
except ImportError:
    print("Python's yaml is missing: make test-dependencies installs it", file=sys.stderr)
    sys.exit(69)

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
COPY = ROOT / ".build/mutants"
WORLDS = (
    "A worker in bad weather|A worker whose (topic is changed|commits are full)"
    "|Two workers that share a group|A world with two apps|A worker whose peer sends GOAWAY"
    "|A world with a record of which|A world with (one|an) event|A group whose topic grows"
    "|A log that loses its last records|A world with pushes that wait"
    "|A world in which only the newest"
)
# What the first failure of a fault says, and the check that it belongs to.
CHECKS = [
    (r"covers \d+, which has not all", "a commit covers a record without its outcomes"),
    (r"does not cover \d+, which a restart", "a commit does not cover a record that is done"),
    (r"has not all of its outcomes|outcomes\.count →", "a record has not all of its outcomes"),
    (r"was pushed at .* covered by a commit", "what a commit covered is pushed again"),
    (r"carry different apns-ids|was sent as", "a push is sent under another apns-id"),
    (r"was sent again at", "a push in doubt is sent again"),
    (r"released half reported", "a record is given up half reported"),
    (r"was sent at .* before .* was decided", "a push is sent before its predecessor is decided"),
    (r"was sent at .* over one of|superseded →", "a retry is sent over a newer push that arrived"),
    (r"was superseded", "a push is superseded by one that is not newer, or though it may have arrived"),
    (r"longestWait", "a push waits for others for too long"),
    (r"by a clock in doubt", "a push expires by a clock in doubt"),
    (r"was sent at .* after", "a push is sent after its expiration"),
    (r"records are in flight|records wait outside", "more records are held than allowed"),
    (r"no record says so", "a device that got a 410 has no unregistered record"),
    (r"was taken for unregistered", "a device is taken for unregistered"),
    (r"times of an outcome contradict", "the times of an outcome contradict each other"),
    (r"slept until", "a worker sleeps past a retry"),
    (r"requests and at most", "a new connection has too many open requests"),
    (r"characters, where", "a commit has as much metadata as the broker has refused"),
    (r"busy loop", "a worker never sleeps"),
    (r"not its own|released what was not", "a member acts for a partition that is not its own"),
    (r"did not end in", "a worker does not end in time"),
    (r"isDone|isOver|runUntilDone", "not everything is committed in the end"),
    (r"world.counters.accepted|world.requests.count|world.counters.unknown|accepted\.count →",
     "a push is in doubt or sent twice although nothing failed"),
    (r"duplicates", "a push is sent twice although nothing failed"),
    (r"bytes == 0", "memory is not freed"),
    (r"with APNs while a commit counts", "others are in flight while a record is alone"),
    (r"counts \d+ starts", "a start counts although there was progress"),
    (r"was ended for crashes", "a record is ended for crashes while it was not alone"),
    (r"crashes.outcomes|deadly", "a record is ended for crashes that were not its own"),
    (r"deaths|crashed", "a record that crashes the worker is not found as it should be"),
]
# Faults that can be found at all are mostly found by the first worlds.
STEPS = [3, 30, 300]
SWITCH = """internal import Glibc

/// The number of the deliberate fault that is switched on.
let activeMutant = unsafe getenv("APNS_BRIDGE_MUTANT").flatMap { unsafe Int(String(cString: $0)) } ?? 0
"""


def copy_repository(faults):
    """Copies what the build reads, with the faults in it. A file that has not changed is not written
    again, so that only what has changed is built again."""
    wanted = {COPY / "Package.swift": (ROOT / "Package.swift").read_bytes()}
    for name in ["Sources", "Tests", "Benchmarks", "connectors"]:
        for path in (ROOT / name).rglob("*"):
            if path.is_file():
                wanted[COPY / path.relative_to(ROOT)] = path.read_bytes()
    wanted |= {COPY / path: text.encode() for path, text in faults.items()}
    for name in ["Sources", "Tests", "Benchmarks", "connectors"]:
        for path in (COPY / name).rglob("*"):
            if path.is_file() and path not in wanted:
                path.unlink()
    for path, content in wanted.items():
        if not path.exists() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def build(environment):
    command = [
        "swift", "build", "-c", "release", "--product", "apns-bridgePackageTests",
        "-Xswiftc", "-enable-testing",
    ]
    run = subprocess.run(command, cwd=COPY, env=environment, capture_output=True, text=True)
    if run.returncode != 0:
        output = run.stdout + run.stderr
        errors = [line for line in output.splitlines() if "error:" in line]
        sys.exit("the copy does not compile: " + (errors[0] if errors else output[-400:]))


def limit_memory():
    """A fault may let a world grow without end."""
    resource.setrlimit(resource.RLIMIT_AS, (16 << 30, 16 << 30))


def worlds(environment, number, seeds, seconds):
    """How the worlds with the first `seeds` seeds end under a fault: the first seed that notices it,
    if that is known, and by which check; None if none does."""
    command = [
        COPY / ".build/release/apns-bridgePackageTests.xctest", "--testing-library",
        "swift-testing", "--filter", WORLDS,
    ]
    environment = dict(
        environment, APNS_BRIDGE_SEEDS=str(seeds), APNS_BRIDGE_MUTANT=str(number))
    try:
        run = subprocess.run(
            command, cwd=COPY, env=environment, capture_output=True, text=True, timeout=seconds,
            errors="replace",
            preexec_fn=limit_memory)
    except subprocess.TimeoutExpired:
        # A few worlds always end in time; many may just take longer than there is.
        return (None, "a world does not end") if seeds <= STEPS[0] else None
    output = run.stdout + run.stderr
    if run.returncode == 0:
        return None
    if run.returncode < 0 or "Fatal error" in output:
        return None, "a precondition fails"
    issues = re.findall(r"recorded an issue.*?seed (\d+).*?: (Expectation failed.*|Caught.*)", output)
    if not issues:
        return None, f"exit code {run.returncode}"
    # A world stops at the first mistake, so that not everything is committed in the end either.
    seed, words = min(issues, key=lambda issue: (int(issue[0]), "mistakes" not in issue[1]))
    # The first mistake is what stopped the world; the others may follow from that.
    first = re.search(r'mistakes → \["(.*?)"[,\]]', words)
    words = first[1] if first else words
    names = [name for pattern, name in CHECKS if re.search(pattern, words)]
    return int(seed), names[0] if names else words[:200]


def replaced(text, old, new):
    """The text with lines replaced, however they are indented; None if they do not occur once."""
    lines, old = text.splitlines(), [line.strip() for line in old.splitlines()]
    trimmed = [line.strip() for line in lines]
    places = [i for i in range(len(lines)) if trimmed[i : i + len(old)] == old]
    if len(places) != 1:
        return None
    lines[places[0] : places[0] + len(old)] = new.splitlines()
    return "\n".join(lines) + "\n"


def mutated(mutants):
    """The files that differ in the copy: every fault is behind a switch."""
    files = {}
    for number, mutant in enumerate(mutants, 1):
        path = mutant["file"]
        new = mutant["with"].replace("MUTANT", f"(activeMutant == {number})")
        text = replaced(files.get(path) or (ROOT / path).read_text(), mutant["replace"], new)
        if text is None:
            sys.exit(f"{mutant['name']}: the lines to replace do not occur once")
        files[path] = text
        files["/".join(path.split("/")[:2]) + "/MutantSwitch.swift"] = SWITCH
    return files


def attempt(number, arguments, environment):
    """Switches one fault on: the seed, or the number of seeds, that finds it, and how."""
    end = time.monotonic() + 60 * arguments.minutes
    for seeds in [step for step in STEPS if step < arguments.seeds] + [arguments.seeds]:
        left = end - time.monotonic()
        if left <= 0:
            return None, f"not found within {arguments.minutes} minutes"
        found = worlds(environment, number, seeds, left + 60)
        if found:
            return (found[0] or f"up to {seeds}"), found[1]
    return None, f"not found with {arguments.seeds} seeds"


def refuse(message):
    print(message, file=sys.stderr)
    sys.exit(64)


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message):
        refuse(f"{message}: Tests/Mutants/run.py --help lists what it takes")


def settings():
    """What the command line asks for."""
    parser = Parser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--seeds", default="1000", help="the most seeds for each fault")
    parser.add_argument("--minutes", default="10", help="the most minutes for each fault")
    parser.add_argument("--check", action="store_true", help="only check the settings")
    parser.add_argument("names", nargs="*", help="parts of the names of the faults to try")
    arguments = parser.parse_args()
    if not re.fullmatch(r"[1-9]\d*", arguments.seeds):
        refuse("MUTANT_SEEDS is a number of seeds, as in: make mutants MUTANT_SEEDS=1000")
    if not re.fullmatch(r"[1-9]\d*", arguments.minutes):
        refuse("MUTANT_MINUTES is a number of minutes, as in: make mutants MUTANT_MINUTES=10")
    arguments.seeds, arguments.minutes = int(arguments.seeds), int(arguments.minutes)
    return arguments


def selected(mutants, names):
    """The numbers of the faults to try."""
    for name in names:
        if not any(name in mutant["name"] for mutant in mutants):
            refuse(f"no fault has '{name}' in its name: Tests/Mutants/mutants.yaml lists them all")
    return [
        number for number, mutant in enumerate(mutants, 1)
        if not names or any(name in mutant["name"] for name in names)
    ]


def main():
    arguments = settings()
    mutants = yaml.safe_load((HERE / "mutants.yaml").read_text())
    chosen = selected(mutants, arguments.names)
    files = mutated(mutants)
    if arguments.check:
        return
    environment = dict(
        os.environ, APNS_BRIDGE_TESTS="BridgeTests", SWIFT_BACKTRACE="enable=no")
    copy_repository(files)
    build(environment)
    found = worlds(environment, 0, STEPS[1], 600)
    if found:
        sys.exit(f"the worlds fail without a fault: seed {found[0]}: {found[1]}")
    print("| fault | first seed | what is found |\n| --- | --- | --- |", flush=True)
    missed = 0
    for number in chosen:
        seeds, how = attempt(number, arguments, environment)
        missed += seeds is None
        print(f"| {mutants[number - 1]['name']} | {seeds or '-'} | {how} |", flush=True)
    print(f"\n{len(chosen) - missed} of {len(chosen)} found", flush=True)
    sys.exit(1 if missed else 0)


main()
