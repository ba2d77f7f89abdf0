"""Judges a round from what stands in Kafka and in the journal of APNs, and from nothing else.

The oracle shares no code with the bridge: it derives each apns-id itself, and reads the topics with
a client of its own.
"""

import collections
import dataclasses
import statistics
import uuid

NAMESPACE = uuid.UUID("89d48fa1-637f-443e-807d-138739fab133")


@dataclasses.dataclass(frozen=True, order=True)
class Record:
    """A source record: its position, and the number that its device token carries."""

    partition: int
    offset: int
    number: int

    def __str__(self):
        return f"partition {self.partition} offset {self.offset} (number {self.number})"


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What a record of the outcome topic says about a source record."""

    record: Record
    verdict: str
    apns_id: str


@dataclasses.dataclass
class Evidence:
    """What is known about a round."""

    cluster: str
    group: str
    topic: str
    # What the source topic still holds, without aborted transactions: each of these has an outcome.
    present: list
    # What was once written and has been deleted, truncated or compacted: these may have one.
    removed: set
    outcomes: list
    # The committed offset of each partition.
    committed: dict
    # The apns-id and the number of each push that APNs accepted, as often as it did; None without
    # a journal. A record of a new log has the apns-id of that of the old log.
    accepted: list | None = None

    def apns_id(self, record):
        name = f"{self.cluster}/{self.group}/{self.topic}/{record.partition}/{record.offset}/0"
        return str(uuid.uuid5(NAMESPACE, name))


def broken_promises(evidence, most_repeats=None):
    """What was promised and not kept, a line for each record. `most_repeats` bounds the outcomes
    beyond the first of each record; without it, any number is allowed."""
    counts = collections.Counter(outcome.record for outcome in evidence.outcomes)
    known = set(evidence.present) | evidence.removed
    missing = [record for record in evidence.present if record not in counts]
    lines = [f"lost: {record} has no outcome" for record in missing]
    lines += [
        f"gap: {record} has no outcome, but offset {evidence.committed[record.partition]} of its"
        " partition is committed"
        for record in missing
        if record.offset < evidence.committed.get(record.partition, 0)
    ]
    lines += [f"foreign: nobody published {record}" for record in counts if record not in known]
    for outcome in evidence.outcomes:
        expected = evidence.apns_id(outcome.record)
        if outcome.apns_id != expected:
            lines.append(
                f"foreign apns-id: {outcome.record} has {outcome.apns_id}, expected {expected}")
    lines += invented(evidence)
    if most_repeats is not None and repeats(evidence) > most_repeats:
        twice = [record for record, count in counts.items() if count > 1]
        lines.append(f"repeated: {repeats(evidence)} outcomes, at most {most_repeats} are allowed")
        lines += [f"double: {record} has {counts[record]} outcomes" for record in twice]
    return lines


def invented(evidence):
    """Outcomes that say that APNs accepted a push, which it did not."""
    if evidence.accepted is None:
        return []
    accepted = set(evidence.accepted)
    return [
        f"invented: {outcome.record} is said to be accepted, and APNs never accepted it"
        for outcome in evidence.outcomes
        if outcome.verdict == "accepted"
        and (outcome.apns_id, outcome.record.number) not in accepted
    ]


def repeats(evidence):
    """Outcomes beyond the first of each record."""
    return len(evidence.outcomes) - len({outcome.record for outcome in evidence.outcomes})


def sent_again(evidence):
    """Pushes that APNs accepted beyond the first time; None without a journal."""
    if evidence.accepted is None:
        return None
    return len(evidence.accepted) - len(set(evidence.accepted))


def in_doubt(evidence):
    """Outcomes that say `unknown`."""
    return sum(outcome.verdict == "unknown" for outcome in evidence.outcomes)


def not_accepted(evidence):
    """The outcomes that say anything but that APNs accepted the push, a line for each."""
    return [
        f"not accepted: {outcome.record} is said to be {outcome.verdict}"
        for outcome in evidence.outcomes if outcome.verdict != "accepted"]


def summary(rounds):
    """The median and the highest of what was sent again and of the gaps, for each kind of round
    that was played more than once, and what was sent again for each member that was killed while
    others went on. `rounds` are kinds, what APNs accepted again, gaps, and how many were killed."""
    kinds = collections.defaultdict(list)
    for kind, again, gap, killed in rounds:
        if again is not None:
            kinds[kind].append((again, gap, killed))
    rows = []
    for kind, played in kinds.items():
        if len(played) > 1:
            again, gaps, killed = zip(*played)
            each = str(round(sum(again) / sum(killed))) if any(killed) else ""
            rows.append(
                (kind, len(played), *spread(again, "d"), each, *spread(gaps, ".1f")))
    return rows


def spread(values, form):
    """The median and the highest."""
    median = statistics.median(values)
    return format(round(median) if form == "d" else median, form), format(max(values), form)
