#!/usr/bin/env python3
"""Breaks a real Kafka, APNs and bridges at random, and checks that every promise is kept.

Usage: run.py [--rounds N] [--seed N] [--library FILE|newest] [--protocol classic|consumer]
  [--rate N] [--bridge PROGRAM] [--earlier PROGRAM] [NAME...]

Without names, every kind of round is played, in an order that the seed chooses. KAFKA_HOME names a
Kafka 4 distribution. Exits with 1 if a promise was broken, and names the records; with 64, 66 or 69
and one line if it could not begin.
"""

import argparse
import dataclasses
import glob
import itertools
import os
import pathlib
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

USAGE, NO_INPUT, UNAVAILABLE = 64, 66, 69


def refuse(code, message):
    """Ends with one line, whatever others have written into it."""
    print(" ".join(message.split()), file=sys.stderr)
    sys.exit(code)


try:
    import confluent_kafka
except ImportError:
    refuse(UNAVAILABLE, "Python's confluent-kafka is missing: make python-clients installs it")

from broker import Broker
from oracle import (
    broken_promises, in_doubt, not_accepted, repeats, sent_again, spread, summary)
from rounds import ROUNDS
from stage import Simulator, Stage
import upgrade  # Adds the rounds in which members change to another version.

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# The seconds after which a group gives a member up, and two for what is in flight: a session that
# ends repeats no more than what was published meanwhile.
SESSION = 12
# The seconds whose outcomes a member that is killed has not committed at most; and how many that are
# at least, however slowly events come.
UNCOMMITTED = 0.15
AT_LEAST = 60
COLUMNS = ["round", "what happens", "events", "sent again", "repeats", "in doubt", "gap", "verdict"]
# How many records of a broken promise are named.
NAMED = 20


@dataclasses.dataclass(frozen=True)
class Variant:
    """Which librdkafka the bridges run with, and which protocol of the group they speak."""

    name: str
    environment: dict
    properties: dict


class World:
    """What all rounds share."""

    def __init__(self, options, folder):
        self.options, self.folder, self.program = options, folder, options.bridge
        try:
            self.broker = Broker(os.environ["KAFKA_HOME"], folder)
        except (OSError, TimeoutError) as error:
            refuse(UNAVAILABLE, f"the broker did not start: {error}: see that"
                   f" {os.environ['KAFKA_HOME']} is a Kafka 4 distribution, and that java is on PATH")
        try:
            self.simulator = Simulator(self.program, folder)
        except BaseException:
            self.broker.remove()
            raise

    def remove(self):
        self.simulator.remove()
        self.broker.remove()

    def repair(self):
        """Ends what a round that failed has left."""
        if self.broker.process.poll() is not None:
            self.broker.start()
        if self.simulator.process.poll() is not None:
            self.simulator.start()
        self.broker.proxy.delay = self.simulator.proxy.delay = 0
        self.simulator.proxy.forget_after = None

    def variant(self, library, protocol):
        """`library` is a file, "newest", or nothing for the system's."""
        environment = dict(os.environ, SWIFT_BACKTRACE="enable=no")
        if library == "newest":
            package = pathlib.Path(confluent_kafka.__file__).parent
            library = glob.glob(f"{package}.libs/librdkafka-*.so.1")[0]
        if library:
            # The dynamic linker looks for this name.
            environment["LD_LIBRARY_PATH"] = tempfile.mkdtemp(dir=self.folder)
            os.symlink(
                os.path.abspath(library), f"{environment['LD_LIBRARY_PATH']}/librdkafka.so.1")
        libraries = subprocess.run(
            [self.program, "version"], env=environment, check=True, capture_output=True, text=True)
        version = re.search("librdkafka (.*)", libraries.stdout)[1]
        properties = {} if protocol == "classic" else {"group.protocol": protocol}
        return Variant(f"{version}, {protocol}", environment, properties)


@dataclasses.dataclass
class Result:
    """What came of a round."""

    events: int
    again: int | None
    repeats: int
    in_doubt: int
    gap: float
    # How many members were killed while others went on.
    killed: int
    broken: list
    join_times: list
    leave_times: list
    steps: list


def play(world, kind, name, variant, seed):
    """Plays a round, and judges it."""
    stage = Stage(world, name, kind, variant)
    try:
        return judged(world, stage, kind, random.Random(seed))
    finally:
        stage.kill()


def judged(world, stage, kind, chance):
    try:
        kind.play(stage, chance)
    except Exception as error:  # The round goes on to its verdict, which names this.
        stage.broken.append(f"stall: {error}")
    world.repair()
    stage.drain()
    stage.stop()
    evidence, gap = stage.evidence()
    rate = world.options.rate
    most_repeats = kind.sessions * SESSION * rate
    most_repeats += kind.kills * max(AT_LEAST, round(UNCOMMITTED * rate))
    stage.broken += broken_promises(evidence, most_repeats)
    if kind.certain and in_doubt(evidence):
        stage.broken.append(f"doubt: {in_doubt(evidence)} outcomes say unknown, none should")
    if kind.has_clocks:
        stage.broken += not_accepted(evidence)
    stage.delete_topics()
    return Result(
        len(stage.load.written), sent_again(evidence), repeats(evidence), in_doubt(evidence),
        gap, stage.killed, stage.broken, stage.join_times, stage.leave_times, stage.steps)


def chosen(options):
    """The rounds to play, each with its name and its seed."""
    kinds = [kind for kind in ROUNDS if not options.names or kind.name in options.names]
    order, played = random.Random(options.seed), 0
    for turn in itertools.count():
        for kind in order.sample(kinds, len(kinds)):
            if played == options.rounds:
                return
            played += 1
            # A round that is played alone has the times that it has among others.
            yield kind, f"{kind.name}-{turn}", f"{options.seed} {kind.name} {turn}"


def row(*cells):
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def header(*columns):
    row(*columns)
    row(*("---" for _ in columns))


def play_all(world, options):
    """Prints a row for each round, and returns what was broken, by round."""
    variant = world.variant(options.library, options.protocol)
    print(f"librdkafka: {variant.name}\n")
    header(*COLUMNS)
    broken, rounds, steps = {}, [], []
    for kind, name, seed in chosen(options):
        if kind.needs_disk and not world.broker.has_disk:
            row(kind.name, kind.what, *[""] * 5, "skipped: only root may mount a tmpfs")
            continue
        if kind.has_clocks and shutil.which("cc") is None:
            row(kind.name, kind.what, *[""] * 5, "skipped: needs a C compiler, cc")
            continue
        if kind.is_upgrade and options.earlier is None:
            row(kind.name, kind.what, *[""] * 5, "skipped: needs another version: FROM=COMMIT")
            continue
        result = play(world, kind, name, variant, seed)
        again = "unknown" if result.again is None else result.again
        row(kind.name, kind.what, result.events, again, result.repeats, result.in_doubt,
            f"{result.gap:.1f} s", verdict(result.broken))
        rounds.append((kind.name, result.again, result.gap, result.killed))
        steps += [(kind.name, *step) for step in result.steps]
        if result.broken:
            broken[name] = result.broken
    sum_up(rounds)
    show_steps(steps)
    return broken


def show_steps(steps):
    """Prints how long each step of an upgrade took."""
    if steps:
        print()
        header("round", "step", "times", "median", "longest")
    for kind, what in dict.fromkeys((kind, what) for kind, what, _ in steps):
        times = [time for of, done, time in steps if (of, done) == (kind, what)]
        row(kind, what, len(times), *(f"{time} s" for time in spread(times, ".1f")))


def sum_up(rounds):
    """Prints a row for each kind that was played more than once."""
    rows = summary(rounds)
    if rows:
        print()
        header(
            "round", "times", "sent again: median", "most", "a kill", "gap: median", "longest")
    for kind, times, median, most, each, gap, longest in rows:
        row(kind, times, median, most, each, f"{gap} s", f"{longest} s")


def compare(world, options):
    """Plays the same rounds with both libraries and both protocols."""
    print()
    header("librdkafka", "join", "leave", "sent again after a SIGKILL", "gap", "verdict")
    kinds = {kind.name: kind for kind in ROUNDS}
    broken = {}
    for number, words in enumerate(
        [(None, "classic"), ("newest", "classic"), ("newest", "consumer")]
    ):
        variant = world.variant(*words)
        rolling, killed, grown = (
            play(world, kinds[name], f"{name}-with-{number}", variant, f"{options.seed} {name}")
            for name in ("rolling-start", "kill-member", "grow-source"))
        found = rolling.broken + killed.broken + grown.broken
        row(variant.name, seconds(rolling.join_times), seconds(rolling.leave_times), killed.again,
            f"{killed.gap:.1f} s", verdict(found))
        if found:
            broken[variant.name] = found
    return broken


def verdict(broken):
    return f"{len(broken)} broken" if broken else "kept"


def seconds(times):
    return f"{statistics.median(times):.1f} s" if times else ""


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message):
        refuse(USAGE, f"{message}: Tests/Chaos/run.py --help lists what it takes")


def number(least):
    """Reads a number that is not below another one."""
    def read(text):
        if not re.fullmatch(r"\d+", text) or int(text) < least:
            raise argparse.ArgumentTypeError(f"'{text}' is not a number from {least} on")
        return int(text)
    return read


def check_files(options):
    home = os.environ.get("KAFKA_HOME")
    if not home:
        refuse(UNAVAILABLE, "the rounds need a Kafka: set KAFKA_HOME to a Kafka 4 distribution")
    if not os.path.isfile(f"{home}/bin/kafka-server-start.sh"):
        refuse(NO_INPUT, f"KAFKA_HOME is not a Kafka distribution: {home}/bin has no"
               " kafka-server-start.sh: set it to the folder that a Kafka 4 release unpacks to")
    if not os.path.isfile(options.bridge):
        refuse(NO_INPUT, f"no such program: {options.bridge}: make build creates it")
    if options.earlier is not None and not os.path.isfile(options.earlier):
        refuse(NO_INPUT, f"no such program: {options.earlier}: make chaos FROM=COMMIT builds it")
    if options.library not in (None, "newest") and not os.path.isfile(options.library):
        refuse(NO_INPUT, f"no such library: {options.library}: name a librdkafka.so.1, or write"
               " 'newest'")


def parsed():
    parser = Parser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--rounds", type=number(1), help="how many; one of each kind unless set")
    parser.add_argument("--seed", type=number(0), help="chooses order and times; printed")
    parser.add_argument("--library", help="a librdkafka.so.1, or 'newest': that of confluent-kafka")
    parser.add_argument("--protocol", default="classic", choices=["classic", "consumer"])
    parser.add_argument("--rate", type=number(1), default=400, help="events a second")
    parser.add_argument("--bridge", default=str(ROOT / ".build/release/apns-bridge"))
    parser.add_argument("--earlier", help="a bridge of another version, for the rounds of upgrades")
    parser.add_argument("names", nargs="*", help="kinds of rounds; all unless given")
    options = parser.parse_args()
    known = [kind.name for kind in ROUNDS]
    for name in options.names:
        if name not in known:
            refuse(USAGE, f"no round is called '{name}'; there are: {', '.join(known)}")
    check_files(options)
    if options.seed is None:
        options.seed = random.randrange(1_000_000)
    options.rounds = options.rounds or len(options.names or ROUNDS)
    return options


def played(options, folder):
    """Plays everything, and returns what was broken, by round."""
    world = World(options, folder)
    try:
        broken = play_all(world, options)
        if not options.names:
            broken |= compare(world, options)
        return broken
    finally:
        world.remove()


def main():
    options = parsed()
    # The processes and the disk are removed after a signal, too.
    for number in [signal.SIGINT, signal.SIGTERM]:
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    folder = tempfile.mkdtemp(prefix="chaos-")
    print(f"seed {options.seed}, {options.rounds} rounds, {options.rate} events/s; ", end="")
    begin = time.monotonic()
    try:
        broken = played(options, folder)
    except SystemExit:
        shutil.rmtree(folder)
        raise
    print(f"\n{(time.monotonic() - begin) / 60:.0f} minutes")
    for name, lines in broken.items():
        print(f"\n{name}: broken promises (logs: {folder}/{name})")
        for line in lines[:NAMED]:
            print(f"  {line}")
        if len(lines) > NAMED:
            print(f"  and {len(lines) - NAMED} more")
    if not broken:
        shutil.rmtree(folder)
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
