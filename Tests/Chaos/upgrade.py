"""The rounds in which members change to another version and back, while much is unfinished."""

import time

from broker import wait_until
from rounds import flow, plays
from stage import event

# A push that APNs is too busy for waits for a retry; bad device tokens engage the guard of their app.
TROUBLE = """\
answers:
  - {device_token: b1, status: 400, reason: BadDeviceToken}
  - {device_token: b2, status: 503, reason: ServiceUnavailable}
"""
# Each number of them is odd, so that every partition gets all of them.
SHARE = 21
# More than the metadata of a commit can list behind a record that is not finished.
BACKLOG = 62_000
SIGNS = {
    "a full commit": "its commit can record no more completed offsets",
    "a guard that is engaged": "too many device tokens are unregistered or suspect",
}


def mixed(number):
    """Events of which a share is rejected, and another one waits for a retry."""
    if number % SHARE == 0:
        return event(number, kind="b1", app="gone")
    return event(number, kind="b2" if number % SHARE == 10 else "a0", app="shop")


def held_back(number):
    """Events whose first one waits for a retry, and of which every tenth is rejected, so that the
    metadata of a commit cannot list ranges of those that are done."""
    if number % 10 == 5:
        return event(number, kind="b1", app="gone")
    return event(number, kind="a0" if number else "b2", app="shop")


@plays("members change to another version and back, by turns and all at once", is_upgrade=True)
def upgrade(stage, random):
    change_and_return(stage, random)


@plays("the same with members that have names", is_upgrade=True, static=True)
def upgrade_static(stage, random):
    change_and_return(stage, random)


def change_and_return(stage, random):
    stage.simulator.script(TROUBLE)
    try:
        fill(stage)
        stage.join(3, stage.earlier_program)
        stage.load.start()
        flow(stage, random)
        versions = [("to the new", None), ("back to the earlier", stage.earlier_program)]
        for change in [by_turns, at_once]:
            for version, program in versions:
                wait_for_signs(stage)
                change(stage, random, version, program)
    finally:
        stage.simulator.script("answers: []")


def fill(stage):
    """Publishes what one partition cannot commit while its first push waits for a retry."""
    load = stage.load
    stage.held = {0}
    load.event = held_back
    for _ in range(BACKLOG):
        load.publish(load.producer, load.written, partition=0)
        load.producer.poll(0)
    load.pause()
    load.event = mixed


def wait_for_signs(stage):
    """Waits until some member has logged each sign since it started."""
    for what, sign in SIGNS.items():
        wait_until(f"{what} (a line in the log)", 120, lambda sign=sign: any(
            sign in member.logged() for member in stage.members))


def by_turns(stage, random, version, program):
    for index in range(len(stage.members)):
        begin = time.monotonic()
        stage.members[index].stop()
        stage.wait_for_join(stage.start(index, program=program))
        stage.wait_for_partitions(90)
        stage.steps.append((f"one member {version} version", time.monotonic() - begin))
        flow(stage, random)


def at_once(stage, random, version, program):
    begin = time.monotonic()
    stage.stop()
    for index in range(len(stage.members)):
        stage.start(index, program=program)
    stage.wait_for_partitions(90)
    stage.steps.append((f"all members {version} version", time.monotonic() - begin))
    flow(stage, random)
