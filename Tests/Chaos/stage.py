"""What a round plays on: fresh topics, a load, APNs, and members of a group."""

import collections
import itertools
import json
import os
import re
import signal
import subprocess
import threading
import time
import urllib.request

from confluent_kafka import Consumer, KafkaException, Producer, TopicPartition

from broker import Program, free_port, wait_until
from clock import Clock
from oracle import Evidence, Outcome, Record
from proxy import Proxy

PARTITIONS = 8

CONNECTOR = """\
source: {{topics: [{name}], group: {name}-group, start: {start}}}
kafka: {{bootstrap.servers: "{kafka}", reconnect.backoff.max.ms: 1000{more}}}
apns:
  endpoint: https://localhost:{apns}
  ca_file: ../simulator/ca.pem
  environment: production
  key: ${{file:../simulator/AuthKey.p8}}
  key_id: SIMULATOR1
  team_id: SIMULATEAM
{apps}
results: {{outcomes: {name}.outcomes, unregistered: {name}.gone, dead_letter: {name}.dead}}
"""

ONE_APP = "  bundle_id: com.example.shop"
# The second one is for device tokens that APNs rejects.
TWO_APPS = """\
  app: ${app}
  apps: {shop: {bundle_id: com.example.shop}, gone: {bundle_id: com.example.gone}}
guard: {minimum: 50}
delivery: {max_waiting: 20000, retry: {longest: 5s, max_attempts: 1000}}"""


def event(number, ttl=None, kind="a0", app=None):
    """A canonical event; every second one may be sent again when it is in doubt. The device token
    begins with its kind, by which a scenario of the simulator chooses the response."""
    value = {
        "device_token": f"{kind}{number:062x}", "payload": {"aps": {"alert": f"no. {number}"}}}
    if app:
        value["app"] = app
    if ttl:
        value["ttl"] = f"{ttl}s"
    if number % 2:
        value["collapse_id"] = f"n{number}"
    return json.dumps(value)


def number_of(value):
    """The number in the device token of an event, an outcome or a request."""
    return int(value["device_token"][2:], 16)


class Simulator(Program):
    """APNs: the simulator, with a journal of everything that it accepted."""

    def __init__(self, program, folder):
        self.program, self.folder = program, os.path.join(folder, "simulator")
        self.port, self.journal = free_port(), os.path.join(folder, "journal.jsonl")
        self.admin_port = free_port()
        self.proxy = Proxy(f"127.0.0.1:{self.port}")
        self.kills = 0
        self.start()

    def start(self):
        command = [
            self.program, "simulator", "--state", self.folder, "--port", str(self.port),
            "--admin-port", str(self.admin_port), "--record", self.journal]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.process.stdout.readline()

    def kill(self):
        """Ends it at once; what its journal had not written yet is lost."""
        self.kills += 1
        super().kill()

    def remove(self):
        self.kill()
        self.proxy.close()

    def script(self, scenario):
        """Responds as the YAML of a scenario says from now on."""
        url = f"http://127.0.0.1:{self.admin_port}/scenario"
        urllib.request.urlopen(urllib.request.Request(url, scenario.encode()), timeout=10).close()

    def end_of_journal(self):
        return os.path.getsize(self.journal) if os.path.exists(self.journal) else 0

    def accepted(self, since):
        """What it accepted since an earlier end of its journal: apns-ids and numbers."""
        found = []
        with open(self.journal, encoding="utf-8") as journal:
            journal.seek(since)
            for line in journal:
                # The last line may not be whole yet.
                if not line.startswith('{"event":"judged"') or not line.endswith("\n"):
                    continue
                request = json.loads(line)
                if request["status"] == 200:
                    found.append((request["apns_id"].lower(), number_of(request)))
        return found


class Member(Program):
    """A bridge as a process of its own."""

    def __init__(self, stage, index, ahead=0, program=None):
        self.log = os.path.join(stage.folder, f"member-{index}.log")
        self.stage, self.begin, self.is_leaving = stage, time.monotonic(), False
        environment = dict(stage.variant.environment, MEMBER=f"member-{index}")
        self.clock = None
        if stage.kind.has_clocks:
            self.clock = Clock(stage.folder, f"clock-{index}", ahead)
            environment |= self.clock.environment
        with open(self.log, "ab") as log:
            self.seen = log.tell()
            command = [program or stage.program, "run", "--log-format", "json", stage.connector]
            self.reader, errors = None, log
            if stage.kind.piped:
                command[2:2] = ["--log-level", "trace"]
                self.reader = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=log)
                errors = self.reader.stdin
            self.process = subprocess.Popen(
                command, stdout=log, stderr=errors, env=environment)
            if self.reader:
                self.reader.stdin.close()

    def pause_reader(self):
        """From now on nobody reads what it logs."""
        self.reader.send_signal(signal.SIGSTOP)

    def resume_reader(self):
        self.reader.send_signal(signal.SIGCONT)

    def logged(self):
        """What it has logged since it started."""
        with open(self.log, encoding="utf-8", errors="replace") as log:
            log.seek(self.seen)
            return log.read()

    def partitions(self):
        """The partitions that it has, by its log."""
        held = set()
        for line in self.logged().splitlines():
            found = re.search(r'"message":"([^"]*)".*"partitions":\[([^\]]*)\]', line)
            if found is None:
                continue
            names = {name for name in found[2].split(",") if name}
            if found[1] == "assigned":
                held |= names
            elif found[1] in ("partitions revoked", "partitions lost"):
                held -= names
        return held

    def has_joined(self):
        return bool(self.partitions())

    def leave(self):
        """Asks it to stop, once: a second signal would end it immediately."""
        if not self.is_leaving:
            self.is_leaving = True
            self.process.terminate()

    def stop(self):
        """Stops it as an operator would, and returns how long it took."""
        begin = time.monotonic()
        self.leave()
        try:
            code = self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.stage.broken.append(f"stop: a member did not end within 60 s: {self.log}")
            self.kill()
            return 60.0
        if code != 0:
            self.stage.broken.append(f"stop: a member ended with {code}: {self.log}")
        return time.monotonic() - begin


class Load:
    """Publishes numbered events evenly, on a thread of its own."""

    def __init__(self, address, topic, rate, keys=None):
        self.topic, self.rate, self.keys = topic, rate, keys
        # Makes the event of a number.
        self.event = lambda number: event(number, self.ttl)
        self.written, self.numbers = set(), itertools.count()
        # How many seconds ago events say that they were written; and to how many partitions.
        self.age, self.partitions = 0, PARTITIONS
        # After how many seconds events expire; None for never.
        self.ttl = None
        self.address = address
        self.renew()
        self.flows, self.is_over = threading.Event(), False
        self.thread = threading.Thread(target=self.run, daemon=True)

    @staticmethod
    def new_producer(address, **more):
        return Producer({
            "bootstrap.servers": address, "enable.idempotence": True, "log_level": 0,
            "reconnect.backoff.max.ms": 1000, "linger.ms": 5, **more})

    def renew(self):
        """A producer that knows nothing of the log, or of the partitions, that there were."""
        self.producer = self.new_producer(self.address)

    def publish(self, producer, written, partition=None):
        """Hands one event to a producer; what Kafka acknowledges is added to `written`."""
        number = next(self.numbers)
        if partition is None:
            partition = number % self.partitions

        def delivered(error, message):
            if error is None:
                written.add(Record(message.partition(), message.offset(), number))

        key = str(number % self.keys) if self.keys else None
        producer.produce(
            self.topic, self.event(number), key=key, partition=partition,
            on_delivery=delivered, timestamp=int((time.time() - self.age) * 1000))

    def run(self):
        due = time.monotonic()
        while not self.is_over:
            if not self.flows.wait(0.1):
                due = time.monotonic()
                continue
            self.producer.poll(max(0, due - time.monotonic()))
            # A poll ends early when Kafka has acknowledged something.
            while due <= time.monotonic() and self.flows.is_set():
                self.publish(self.producer, self.written)
                due += 1 / self.rate

    def start(self):
        self.flows.set()
        if not self.thread.is_alive():
            self.thread.start()

    def pause(self):
        """Stops publishing, and waits until Kafka has acknowledged everything."""
        self.flows.clear()
        time.sleep(0.2)
        if self.producer.flush(120):
            raise TimeoutError("Kafka did not acknowledge the events within 120 s")

    def stop(self):
        self.pause()
        self.is_over = True
        if self.thread.is_alive():
            self.thread.join()


class Stage:
    """One round's topics, connector, load and members."""

    def __init__(self, world, name, kind, variant):
        self.name, self.variant, self.kind = name, variant, kind
        self.broker, self.simulator, self.program = world.broker, world.simulator, world.program
        self.earlier_program = world.options.earlier
        self.folder = os.path.join(world.folder, name)
        os.mkdir(self.folder)
        self.connector = os.path.join(self.folder, "events.yaml")
        self.broken, self.members, self.earlier = [], [], []
        # How many members were killed while others went on.
        self.killed = 0
        self.join_times, self.leave_times = [], []
        # What an upgrade took, in seconds, by what was done.
        self.steps = []
        # Partitions that the round holds back: they have no outcomes for long, and no gap counts.
        self.held = set()
        self.partitions = PARTITIONS
        # When the group had assigned all partitions for the first time, in milliseconds. No gap
        # begins before.
        self.settled = 0
        self.broker.create(name, PARTITIONS, **dict(kind.settings))
        for topic in ["outcomes", "gone", "dead"]:
            self.create_result(topic)
        properties = dict(variant.properties)
        if kind.static:
            properties["group.instance.id"] = '"${env:MEMBER}"'
        more = "".join(f", {key}: {value}" for key, value in properties.items())
        with open(self.connector, "w", encoding="utf-8") as out:
            out.write(CONNECTOR.format(
                name=name, more=more, start=kind.start,
                apps=TWO_APPS if kind.is_upgrade else ONE_APP,
                kafka=self.broker.proxy.address if kind.proxied else self.broker.address,
                apns=self.simulator.proxy.port if kind.proxied else self.simulator.port))
        self.journal, self.kills = self.simulator.end_of_journal(), self.simulator.kills
        self.load = Load(self.broker.address, name, world.options.rate, kind.keys)

    def create_result(self, topic):
        # Times of the broker: a gap between outcomes is one that a reader sees.
        self.broker.create(
            f"{self.name}.{topic}", PARTITIONS, message_timestamp_type="LogAppendTime")

    # Members

    def start(self, index=None, ahead=0, program=None):
        """Starts a member: a further one, or in place of an earlier one. Its clock is so many
        seconds ahead, if members have clocks. It runs another program, if one is given."""
        if index is None:
            index = len(self.members)
            self.members.append(None)
        self.members[index] = Member(self, index, ahead, program)
        return self.members[index]

    def join(self, count, program=None):
        """Starts members, and waits until each has partitions."""
        for _ in range(count):
            self.start(program=program)
        for member in self.members:
            self.wait_for_join(member)
        self.wait_for_partitions(90)
        self.settled = time.time() * 1000

    def wait_for_partitions(self, seconds):
        """Waits until each partition has a member."""
        wait_until("a member for each partition", seconds, lambda: self.partitions == sum(
            len(member.partitions()) for member in self.members))

    def wait_for_join(self, member):
        """Waits until a member has partitions, and returns how long that took."""
        wait_until(f"an assignment for {member.log}", 90, member.has_joined)
        return time.monotonic() - member.begin

    def stop(self):
        """Stops all members, which must end in good order."""
        for member in self.members:
            member.leave()
        for member in self.members:
            member.stop()

    # What stands in Kafka

    def read(self, topic):
        """Every record of a topic, without those of aborted transactions."""
        consumer = Consumer({
            "bootstrap.servers": self.broker.address, "group.id": "oracle",
            "enable.auto.commit": False, "enable.partition.eof": True, "log_level": 0,
            "auto.offset.reset": "earliest", "isolation.level": "read_committed"})
        count = len(self.broker.admin.list_topics(topic, timeout=10).topics[topic].partitions)
        consumer.assign([TopicPartition(topic, number, 0) for number in range(count)])
        found, ended, end = [], 0, time.monotonic() + 120
        while ended < count:
            for message in consumer.consume(5000, 1):
                if message.error() is None:
                    found.append(message)
                elif message.error().name() == "_PARTITION_EOF":
                    ended += 1
            if time.monotonic() > end:
                raise TimeoutError(f"topic {topic} could not be read within 120 s")
        consumer.close()
        return found

    def records(self):
        return [
            Record(one.partition(), one.offset(), number_of(json.loads(one.value())))
            for one in self.read(self.name)]

    def committed(self):
        """The offset that the group has committed for each partition."""
        consumer = Consumer({
            "bootstrap.servers": self.broker.address, "group.id": f"{self.name}-group",
            "enable.auto.commit": False, "log_level": 0})
        asked = [TopicPartition(self.name, number) for number in range(self.partitions)]
        try:
            return {one.partition: one.offset for one in consumer.committed(asked, timeout=10)}
        finally:
            consumer.close()

    def truncate(self, random):
        """Deletes the older part of the source's records, up to a place in each partition."""
        ends = {}
        for record in self.records():
            ends.setdefault(record.partition, []).append(record.offset)
        self.broker.truncate(
            self.name, {number: random.choice(offsets) for number, offsets in ends.items()})

    def grow(self, count):
        """Adds partitions to the source and to the outcome topic, to which the load writes."""
        self.partitions += count
        for topic in [self.name, f"{self.name}.outcomes"]:
            self.broker.grow(topic, self.partitions)
        self.load.partitions = self.partitions
        self.load.renew()

    def forbid_repeats(self, records):
        """These must have no more than one outcome by now."""
        found, _ = self.outcomes()
        counts = collections.Counter(outcome.record for outcome in found)
        self.broken += [
            f"repeated: {record} has {counts[record]} outcomes, and is older than a minute"
            for record in sorted(records) if counts[record] > 1]

    def wait_until_committed(self, seconds):
        """Waits until every record that the source holds now is committed."""
        ends = {}
        for record in self.records():
            ends[record.partition] = max(ends.get(record.partition, 0), record.offset + 1)

        def is_committed():
            try:
                committed = self.committed()
            except KafkaException:  # The broker is not back yet.
                return False
            return all(committed[number] >= end for number, end in ends.items())

        wait_until("a commit of every record", seconds, is_committed)

    def keep_outcomes(self):
        """Remembers the outcomes, whose topic is about to be deleted."""
        self.earlier += self.read(f"{self.name}.outcomes")

    def outcomes(self):
        messages = self.earlier + self.read(f"{self.name}.outcomes")
        found, times = [], {}
        for message in messages:
            value = json.loads(message.value())
            source = value["source"]
            record = Record(source["partition"], source["offset"], number_of(value))
            found.append(Outcome(record, value["verdict"], value["apns_id"].lower()))
            times.setdefault(record.partition, []).append(message.timestamp()[1])
        gaps = [
            after - max(before, self.settled)
            for partition, all in times.items() if partition not in self.held
            for before, after in itertools.pairwise(sorted(all))]
        return found, max(gaps, default=0) / 1000

    # The end of a round

    def drain(self, seconds=180):
        """Stops the load, and waits until everything is committed."""
        try:
            self.load.stop()
            self.wait_until_committed(seconds)
        except TimeoutError as error:
            self.broken.append(f"stall: {error}")

    def evidence(self):
        """What is known now, and for how long a partition had no outcome, in seconds."""
        present = self.records()
        outcomes, gap = self.outcomes()
        has_journal = self.simulator.kills == self.kills
        accepted = self.simulator.accepted(self.journal) if has_journal else None
        removed = self.load.written - set(present)
        return Evidence(
            self.broker.cluster, f"{self.name}-group", self.name, present, removed, outcomes,
            self.committed(), accepted), gap

    def kill(self):
        for member in self.members:
            member.kill()
            if member.reader:
                member.reader.kill()

    def delete_topics(self):
        self.broker.delete(
            self.name, *(f"{self.name}.{topic}" for topic in ["outcomes", "gone", "dead"]))
