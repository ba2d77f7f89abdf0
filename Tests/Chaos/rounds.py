"""The rounds: what each does to a bridge while events flow."""

import dataclasses
import time
from collections.abc import Callable

from broker import wait_until
from oracle import broken_promises


@dataclasses.dataclass(frozen=True)
class Round:
    """One kind of round."""

    name: str
    what: str
    play: Callable
    # How many sessions of members may end without a commit: what is finished may be repeated.
    sessions: int = 0
    # How many members die that lose only what they had not committed yet.
    kills: int = 0
    needs_disk: bool = False
    proxied: bool = False
    # Whether nothing may be in doubt, whatever happens.
    certain: bool = False
    # Whether members log everything, into a pipe that the round may leave unread.
    piped: bool = False
    # Whether each member has a clock of its own; then all pushes must be accepted.
    has_clocks: bool = False
    # Whether each member has a name of its own (`group.instance.id`), and is expected to return.
    static: bool = False
    keys: int | None = None
    # Whether members run an earlier program as well, and some pushes stay unfinished meanwhile.
    is_upgrade: bool = False
    # Where the group begins (`source.start`).
    start: str = "earliest"
    settings: tuple = ()


ROUNDS = []


def plays(what, **options):
    """Adds a round that is called as its function is."""

    def add(function):
        name = function.__name__.replace("_", "-")
        ROUNDS.append(Round(name, what, function, **options))
        return function

    return add


def flow(stage, random, least=1.0, most=4.0):
    """Lets events flow for a while."""
    time.sleep(random.uniform(least, most))


def begin(stage, random, members=3):
    """Members, and a load that they have begun to work on."""
    stage.load.start()
    stage.join(members)
    flow(stage, random)


def kill(stage, random, pause, index=None):
    """Kills a member, any unless one is named, and starts it again after a while."""
    if index is None:
        index = random.randrange(len(stage.members))
    stage.members[index].kill()
    stage.killed += 1
    flow(stage, random, 0, pause)
    stage.start(index)


@plays("SIGKILL of one of three members", kills=1)
def kill_member(stage, random):
    begin(stage, random)
    kill(stage, random, 4)
    flow(stage, random, 12, 15)


@plays("SIGKILL of one of three members that have names", kills=1, static=True)
def kill_static_member(stage, random):
    begin(stage, random)
    kill(stage, random, 0.5)
    flow(stage, random, 5, 8)


@plays("SIGKILL of a member, three times within a session timeout", sessions=3)
def kill_members(stage, random):
    begin(stage, random)
    for _ in range(3):
        kill(stage, random, 2)
        flow(stage, random, 1, 3)


def kill_two(stage, random, pause):
    """Kills a member, and another one before the session of the first has ended."""
    begin(stage, random)
    first, second = random.sample(range(len(stage.members)), 2)
    kill(stage, random, pause, first)
    flow(stage, random, 4, 7)
    kill(stage, random, pause, second)
    flow(stage, random, 12, 15)


@plays("SIGKILL of a member, and of another one within its session", sessions=2)
def kill_second_member(stage, random):
    # Once the first one's successor has joined, a classic group waits for the end of its session.
    kill_two(stage, random, 1)


@plays("SIGKILL of a member with a name, and of another one within its session", kills=2, static=True)
def kill_second_static_member(stage, random):
    kill_two(stage, random, 0.5)


@plays("SIGKILL of all members at once, twice", sessions=6)
def kill_all(stage, random):
    begin(stage, random)
    for _ in range(2):
        for member in stage.members:
            member.kill()
        # Nothing moves now: what is committed must have its outcomes.
        evidence, _ = stage.evidence()
        stage.broken += [line for line in broken_promises(evidence) if line.startswith("gap")]
        for index in range(3):
            stage.start(index)
        flow(stage, random, 12, 15)


@plays("each of three members is stopped and started again")
def rolling_start(stage, random):
    begin(stage, random)
    for index in range(3):
        stage.leave_times.append(stage.members[index].stop())
        flow(stage, random, 0, 2)
        stage.join_times.append(stage.wait_for_join(stage.start(index)))
        flow(stage, random)


@plays("50 joins and leaves")
def joins_and_leaves(stage, random):
    begin(stage, random, members=1)
    for _ in range(50):
        others = [member for member in stage.members[1:] if not member.is_leaving]
        if len(others) == 4 or others and random.random() < 0.5:
            random.choice(others).leave()
        else:
            stage.start()
        flow(stage, random, 0.2, 1.0)


@plays("SIGKILL of the broker, twice", sessions=6)
def kill_broker(stage, random):
    begin(stage, random)
    for _ in range(2):
        stage.broker.kill()
        flow(stage, random, 0, 5)
        stage.broker.start()
        flow(stage, random, 3, 6)


def pause(stage, random, victim, seconds):
    begin(stage, random)
    victim.pause()
    try:
        time.sleep(seconds)
    finally:
        victim.resume()
    flow(stage, random, 3, 6)


@plays("SIGSTOP of the broker for 20 s", sessions=3)
def pause_broker_20s(stage, random):
    pause(stage, random, stage.broker, 20)


@plays("SIGSTOP of the broker for 60 s", sessions=3)
def pause_broker_60s(stage, random):
    pause(stage, random, stage.broker, 60)


@plays("SIGSTOP of a member for 20 s", sessions=1)
def pause_member_20s(stage, random):
    pause(stage, random, stage.start(), 20)


@plays("SIGSTOP of a member for 60 s", sessions=1)
def pause_member_60s(stage, random):
    pause(stage, random, stage.start(), 60)


@plays("the broker's disk is full until it ends", sessions=3, needs_disk=True)
def full_disk(stage, random):
    begin(stage, random)
    stage.broker.fill_disk()
    try:
        flow(stage, random, 10, 15)
        if stage.broker.process.poll() is None:
            stage.broker.kill()
    finally:
        stage.broker.free_disk()
    stage.broker.start()
    flow(stage, random, 3, 6)


@plays("the source topic is deleted and recreated under its members")
def recreate_source(stage, random):
    begin(stage, random)
    stage.load.pause()
    stage.broker.delete(stage.name)
    flow(stage, random, 0, 3)
    stage.broker.create(stage.name, 8)
    stage.load.start()
    flow(stage, random, 6, 9)


def grow(stage, random):
    """Adds partitions to the source and to the outcome topic, and writes to them at once."""
    stage.load.pause()
    stage.grow(4)
    stage.load.start()


@plays("partitions are added to the source and to outcomes, with and without members",
       start="latest")
def grow_source(stage, random):
    stage.join(3)
    stage.load.start()
    flow(stage, random)
    grow(stage, random)
    stage.wait_for_partitions(60)
    flow(stage, random)
    for member in stage.members:
        stage.leave_times.append(member.stop())
    grow(stage, random)
    flow(stage, random)
    for index in range(3):
        stage.start(index)
    stage.wait_for_partitions(60)
    flow(stage, random, 3, 5)


@plays("the broker loses the last records of some partitions", sessions=3)
def truncate_end(stage, random):
    stage.load.age = 600
    begin(stage, random)
    flow(stage, random)
    old = settle(stage)
    stage.load.age = 0
    stage.load.start()
    flow(stage, random, 2, 4)
    settle(stage)
    dies = random.random() < 0.5
    for member in stage.members if dies else []:
        member.kill()
    stage.broker.kill()
    for number in random.sample(range(stage.partitions), 3):
        stage.broker.cut_end(stage.name, number)
    stage.broker.start()
    stage.load.renew()
    for index in range(3) if dies else []:
        stage.start(index)
    stage.wait_for_partitions(90)
    flow(stage, random, 3, 5)
    stage.load.start()
    flow(stage, random, 6, 9)
    settle(stage)
    # What is older than a minute was finished, and is where it was.
    stage.forbid_repeats(old)


def settle(stage):
    """Waits until everything is done, and returns what was written."""
    stage.load.pause()
    stage.wait_until_committed(90)
    return set(stage.load.written)


@plays("records are deleted, read and unread, with and without members")
def truncate_source(stage, random):
    begin(stage, random)
    stage.truncate(random)
    flow(stage, random)
    for member in stage.members:
        stage.leave_times.append(member.stop())
    flow(stage, random, 3, 5)
    stage.truncate(random)
    for index in range(3):
        stage.start(index)
    flow(stage, random, 5, 8)


@plays("the outcome topic is deleted and recreated")
def recreate_outcomes(stage, random):
    begin(stage, random)
    stage.load.pause()
    stage.wait_until_committed(60)
    stage.keep_outcomes()
    stage.broker.delete(f"{stage.name}.outcomes")
    flow(stage, random, 1, 2)
    stage.load.start()
    flow(stage, random, 4, 8)
    stage.create_result("outcomes")
    flow(stage, random, 5, 8)


@plays("the outcome topic takes only tiny records for a while")
def tiny_outcomes(stage, random):
    begin(stage, random)
    outcomes = f"{stage.name}.outcomes"
    stage.broker.set(outcomes, "max.message.bytes", "200")
    flow(stage, random, 8, 12)
    stage.broker.set(outcomes, "max.message.bytes", "1048588")
    flow(stage, random, 3, 6)


@plays("transactions in the source, half of them aborted")
def transactions(stage, random):
    begin(stage, random)
    load = stage.load
    producer = load.new_producer(
        stage.broker.address, **{"transactional.id": stage.name, "linger.ms": 0})
    producer.init_transactions(30)
    for _ in range(40):
        producer.begin_transaction()
        written = set()
        for _ in range(random.randrange(1, 60)):
            load.publish(producer, written)
        producer.flush(30)
        if random.random() < 0.5:
            producer.abort_transaction(30)
        else:
            producer.commit_transaction(30)
            load.written.update(written)


@plays(
    "compaction, before and while the source is read", keys=40,
    settings=(
        ("cleanup_policy", "compact"), ("min_cleanable_dirty_ratio", "0.01"),
        ("segment_ms", "500"), ("delete_retention_ms", "100")))
def compaction(stage, random):
    stage.load.start()
    flow(stage, random, 8, 12)
    wait_until(
        "the log cleaner", 60, lambda: len(stage.records()) < len(stage.load.written) / 2)
    begin(stage, random)
    flow(stage, random, 6, 10)


@plays("SIGKILL of APNs, three times")
def kill_apns(stage, random):
    begin(stage, random)
    for _ in range(3):
        stage.simulator.kill()
        flow(stage, random, 0, 4)
        stage.simulator.start()
        flow(stage, random, 3, 6)


@plays("a slow network to Kafka and APNs, whose connections are cut", proxied=True)
def slow_network(stage, random):
    begin(stage, random)
    proxies = [stage.broker.proxy, stage.simulator.proxy]
    for _ in range(4):
        for proxy in proxies:
            proxy.delay = random.choice([0, 0.05, 0.2, 0.5])
        flow(stage, random, 2, 4)
        random.choice(proxies).cut()
    for proxy in proxies:
        proxy.delay = 0
    flow(stage, random)


@plays(
    "a firewall forgets connections to APNs that are quiet for a minute", proxied=True,
    certain=True)
def quiet_network(stage, random):
    proxy = stage.simulator.proxy
    proxy.forget_after, before = 60, proxy.forgotten
    try:
        begin(stage, random)
        for _ in range(2):
            stage.load.pause()
            flow(stage, random, 62, 75)
            stage.load.start()
            flow(stage, random, 8, 12)
    finally:
        proxy.forget_after = None
    if proxy.forgotten == before:
        stage.broken.append("round: no connection was quiet for long enough to be forgotten")


@plays("nobody reads what the members log", piped=True)
def stderr_full(stage, random):
    begin(stage, random)
    for member in stage.members:
        member.pause_reader()
    flow(stage, random, 10, 15)
    # It is stopped while nobody reads, as is a member that starts then.
    stage.leave_times.append(stage.members[0].stop())
    stage.start(0)
    flow(stage, random, 8, 12)
    for member in stage.members:
        member.resume_reader()
    flow(stage, random)


@plays("a member's clock jumps two hours ahead, and is so from the start; events expire",
       has_clocks=True, settings=(("message_timestamp_type", "LogAppendTime"),))
def clock_ahead(stage, random):
    stage.load.ttl = 600
    begin(stage, random)
    doubt(stage, random, stage.members[0], "the clock jumped")
    # It reads its partitions to their ends before it can know that its clock is wrong.
    settle(stage)
    stage.leave_times.append(stage.members[0].stop())
    member = stage.start(0, ahead=7200)
    stage.wait_for_partitions(60)
    flow(stage, random, 2, 3)
    stage.load.start()
    doubt(stage, random, member, "a broker contradicts the clock")


def doubt(stage, random, member, reason):
    """Sets a member's clock ahead, and right again once the member doubts it."""
    member.clock.set(7200)
    wait_until("a doubt about the clock", 20, lambda: reason in member.logged())
    flow(stage, random, 6, 10)
    member.clock.set(0)
    flow(stage, random, 4, 6)
