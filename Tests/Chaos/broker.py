"""One Kafka broker on loopback that can be killed, paused, slowed down and filled up."""

import glob
import os
import signal
import socket
import subprocess
import time

from confluent_kafka import TopicPartition
from confluent_kafka.admin import (
    AdminClient, AlterConfigOpType, ConfigEntry, ConfigResource, NewPartitions, NewTopic, ResourceType)

from proxy import Proxy

# With the newer protocol of groups the broker sets what the bridge sets with the older one.
PROPERTIES = """\
process.roles=broker,controller
node.id=1
controller.quorum.bootstrap.servers={controller}
listeners=PLAINTEXT://{address},SLOW://{behind},CONTROLLER://{controller}
advertised.listeners=PLAINTEXT://{address},SLOW://{slow}
controller.listener.names=CONTROLLER
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,SLOW:PLAINTEXT,CONTROLLER:PLAINTEXT
inter.broker.listener.name=PLAINTEXT
log.dirs={folder}/data
auto.create.topics.enable=false
offsets.topic.replication.factor=1
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=4
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
group.initial.rebalance.delay.ms=0
group.consumer.min.session.timeout.ms=10000
group.consumer.session.timeout.ms=10000
group.consumer.min.heartbeat.interval.ms=2000
group.consumer.heartbeat.interval.ms=2000
broker.session.timeout.ms=1500
broker.heartbeat.interval.ms=200
log.cleaner.dedupe.buffer.size=4194304
log.cleaner.backoff.ms=500
log.segment.delete.delay.ms=1000
"""


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def last_line(text):
    """What a program said last."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "no word"


def wait_until(what, seconds, ready):
    """Waits until `ready` returns something true, and returns that."""
    end = time.monotonic() + seconds
    while True:
        found = ready()
        if found:
            return found
        if time.monotonic() > end:
            raise TimeoutError(f"{what}: not within {seconds} s")
        time.sleep(0.1)


class Program:
    """A process, and what an operator does to it from outside."""

    process = None

    def kill(self):
        if self.process:
            self.process.kill()
            self.process.wait()

    def pause(self):
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)


class Broker(Program):
    """The broker, its data, and what an operator does to both."""

    # Enough for the rounds, and quickly filled up.
    DISK = 3 << 30

    def __init__(self, home, folder):
        self.home, self.folder = home, os.path.join(folder, "kafka")
        self.address, self.behind = (f"127.0.0.1:{free_port()}" for _ in range(2))
        self.proxy = Proxy(self.behind)
        os.mkdir(self.folder)
        mount = ["mount", "-t", "tmpfs", "-o", f"size={self.DISK}", "tmpfs", self.folder]
        # A disk of its own needs the right to mount one; without, no round can fill it up.
        self.has_disk = subprocess.run(mount, capture_output=True).returncode == 0
        self.file = os.path.join(self.folder, "server.properties")
        with open(self.file, "w", encoding="ascii") as out:
            out.write(PROPERTIES.format(
                address=self.address, behind=self.behind, slow=self.proxy.address,
                controller=f"127.0.0.1:{free_port()}", folder=self.folder))
        self.admin = AdminClient({"bootstrap.servers": self.address, "log_level": 0})
        try:
            identity = last_line(self.tool("random-uuid"))
            self.tool("format", "--standalone", "-t", identity, "-c", self.file)
            self.start()
            self.cluster = self.admin.list_topics(timeout=30).cluster_id
        except BaseException:
            self.remove()
            raise

    def tool(self, *words):
        run = subprocess.run(
            [f"{self.home}/bin/kafka-storage.sh", *words], capture_output=True, text=True)
        if run.returncode != 0:
            raise OSError(f"kafka-storage.sh {words[0]}: {last_line(run.stdout + run.stderr)}")
        return run.stdout

    def start(self):
        environment = dict(os.environ, KAFKA_HEAP_OPTS="-Xmx384m", LOG_DIR=f"{self.folder}/logs")
        with open(f"{self.folder}/broker.log", "ab") as log:
            self.process = subprocess.Popen(
                [f"{self.home}/bin/kafka-server-start.sh", self.file], stdout=log, stderr=log,
                env=environment)
        wait_until("the broker", 90, self.answers)

    def answers(self):
        if self.process.poll() is not None:
            with open(f"{self.folder}/broker.log", encoding="utf-8", errors="replace") as log:
                raise OSError(f"it ended: {last_line(log.read())}")
        try:
            return bool(self.admin.list_topics(timeout=2).brokers)
        except Exception:  # Whatever it is: the broker is not ready.
            return False

    def remove(self):
        self.kill()
        self.proxy.close()
        if self.has_disk:
            subprocess.run(["umount", "--lazy", self.folder], check=True)

    def fill_disk(self):
        """Leaves no room on the broker's disk."""
        with open(f"{self.folder}/ballast", "wb") as ballast:
            end, step = 0, 1 << 30
            while step >= 4096:
                try:
                    os.posix_fallocate(ballast.fileno(), end, step)
                    end += step
                except OSError:  # So much does not fit.
                    step //= 2

    def free_disk(self):
        os.remove(f"{self.folder}/ballast")

    def create(self, topic, partitions, **settings):
        """Creates a topic, also one that is still being deleted under this name."""
        config = {name.replace("_", "."): str(value) for name, value in settings.items()}

        def created():
            try:
                self.admin.create_topics([NewTopic(topic, partitions, 1, config=config)])[
                    topic].result()
            except Exception as error:
                if error.args[0].name() != "TOPIC_ALREADY_EXISTS":
                    raise
                return False
            return True

        wait_until(f"topic {topic}", 30, created)
        wait_until(f"the leaders of {topic}", 30, lambda: self.has_leaders(topic, partitions))

    def has_leaders(self, topic, partitions):
        found = self.admin.list_topics(topic, timeout=5).topics[topic].partitions
        return len(found) == partitions and all(one.leader >= 0 for one in found.values())

    def delete(self, *topics):
        for future in self.admin.delete_topics(list(topics)).values():
            future.result()

    def grow(self, topic, partitions):
        """Adds partitions to a topic, up to that number."""
        for future in self.admin.create_partitions([NewPartitions(topic, partitions)]).values():
            future.result()
        wait_until(f"the leaders of {topic}", 30, lambda: self.has_leaders(topic, partitions))

    def cut_end(self, topic, partition):
        """Removes the last batch of a partition, as a loss of power does; the broker must not run."""
        segments = glob.glob(f"{self.folder}/data/{topic}-{partition}/*.log")
        with open(max(segments), "r+b") as log:
            place, last = 0, None
            while len(header := log.read(12)) == 12:
                last, place = place, place + 12 + int.from_bytes(header[8:], "big")
                log.seek(place)
            if last is not None:
                log.truncate(last)

    def set(self, topic, name, value):
        """Changes a setting of a topic."""
        entry = ConfigEntry(name, value, incremental_operation=AlterConfigOpType.SET)
        resource = ConfigResource(ResourceType.TOPIC, topic, incremental_configs=[entry])
        for future in self.admin.incremental_alter_configs([resource]).values():
            future.result()

    def truncate(self, topic, offsets):
        """Deletes the records below an offset of each partition."""
        partitions = [TopicPartition(topic, number, offset) for number, offset in offsets.items()]
        for future in self.admin.delete_records(partitions).values():
            future.result()
