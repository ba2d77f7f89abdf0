public import Configuration
public import Delivery
internal import Engine
internal import Kafka
internal import KafkaLogin
internal import Mapping
internal import SchemaRegistry

/// Reads a connector's dead letters and writes their events to a topic, so that they are sent
/// again.
///
/// A group of its own records which dead letters are settled: the committed offset and, in its
/// metadata, those above it, as a worker does for records. A replay that was interrupted continues
/// there; dead letters that a selection left out remain for the next one.
public struct Replay: ~Copyable {
    /// What was done so far.
    public private(set) var totals = ReplayTotals()
    /// The number of dead letters between the start and the end.
    public let total: Int64
    /// The number of them read, including those that were settled before.
    public private(set) var position: Int64 = 0

    private let connector: Connector
    private let selection: ReplaySelection
    private let topic: String
    private let isDry: Bool
    private let spans: [PartitionReader.Span]
    /// Those of partitions of which nothing is recorded.
    private let unknown: [PartitionReader.Span]
    private var reader: PartitionReader
    private let offsets: GroupOffsets
    private var writer: RecordWriter
    private var ledger: ReplayLedger
    private var condition: Mapper?
    private var mapper: Mapper
    private var values: ReplayValues
    private let schemas: SchemaRegistry?

    /// The group that records what was replayed. Each connector has its own: what is of another
    /// connector for one of them must remain for the other.
    public static func group(of connector: Connector) -> String {
        "\(connector.source.group)-replay-\(connector.name)"
    }

    /// Determines where to continue. It ends where the topic of dead letters ends now.
    public init(
        _ connector: Connector, _ selection: ReplaySelection, to topic: String, isDry: Bool
    ) throws(KafkaFailure) {
        let properties = connector.kafkaProperties
        let reader = try PartitionReader(properties: properties)
        var spans = try reader.logs(of: [connector.results.deadLetter])
        let offsets = try GroupOffsets(properties: properties, group: Self.group(of: connector))
        let committed = try offsets.read(spans.map(\.partition))
        var known: Set<TopicPartition> = []
        for (index, position) in committed.enumerated() {
            // A log that ends before it has been replaced.
            guard let next = position.next, next <= spans[index].end else { continue }
            known.insert(position.topicPartition)
            spans[index].start = max(next, spans[index].start)
        }
        writer = try RecordWriter(properties: properties)
        self.reader = reader
        self.offsets = offsets
        self.spans = spans
        unknown = spans.filter { !known.contains($0.partition) && $0.start < $0.end }
        ledger = ReplayLedger(committed, known: known)
        total = spans.offsetCount
        condition = selection.condition.map { Mapper(plan: $0) }
        mapper = Mapper(plan: connector.plan)
        values = ReplayValues(properties)
        schemas = connector.schemaRegistry.map { SchemaRegistry($0) }
        self.connector = connector
        self.selection = selection
        self.topic = topic
        self.isDry = isDry
    }

    /// Begins to read; call it once, before ``step(atMost:now:)``. Refuses when Kafka may have
    /// forgotten what was replayed. `now` is in milliseconds since 1970.
    public mutating func begin(now: Int64) throws(ReplayInterruption) {
        let old: ExpiredProgress?
        do throws(KafkaFailure) {
            old =
                selection.isFromBeginning
                ? nil
                : try ExpiredProgress(unknown, connector.kafkaProperties, offsets, now: now)
            try reader.begin(spans)
        } catch {
            throw .kafka(error)
        }
        guard let old else { return }
        guard selection.since != nil else {
            throw .nothingRecorded(oldest: old.oldest, kept: old.kept)
        }
        for span in old.spans { ledger.beginLate(span.partition, end: span.end) }
    }

    /// Reads on, and writes at most `limit` records; false once the end is reached. `now` is in
    /// milliseconds since 1970.
    public mutating func step(
        atMost limit: Int, now: Int64
    ) throws(ReplayInterruption) -> Bool {
        var letters: [(TopicPartition, StoredRecord)] = []
        let isGoingOn: Bool
        do throws(KafkaFailure) {
            isGoingOn = try reader.read(atMost: limit) { letters.append(($0, $1)) }
        } catch {
            throw .kafka(error)
        }
        var selected: [(StoredRecord, StoredDeadLetter)] = []
        var settled: [(TopicPartition, Int64)] = []
        var refused: [(TopicPartition, Int64)] = []
        for (partition, stored) in letters {
            position += 1
            // One that is settled may have the value of others of its event.
            let letter = StoredDeadLetter(headers: stored.headers)
            let isForged = isForged(stored)
            if let letter, !isForged { values.note(letter, stored.value) }
            if ledger.skips(partition, isEarly: selection.isEarly(stored.timestamp)) {
                totals.count(.skipped)
                continue
            }
            guard ledger.begin(partition, stored.offset) else { continue }
            if isForged, letter?.connector == connector.name {
                totals.count(.unsealed)
                refused.append((partition, stored.offset))
                continue
            }
            let (decision, stored) = try decide(on: stored, letter, now: now)
            totals.count(decision)
            if decision == .foreign, let letter { totals.noteForeign(letter.connector) }
            if decision == .replay, let letter { selected.append((stored, letter)) }
            if decision.isFinal { settled.append((partition, stored.offset)) }
            if decision == .tooOften { refused.append((partition, stored.offset)) }
        }
        if !isGoingOn { ledger.reachEnd() }
        // What cannot be recorded is not written.
        var next = ledger
        totals.givenUp += try next.settle(settled, leavingOut: refused)
        if !isDry, !selected.isEmpty { try write(selected) }
        ledger = next
        return isGoingOn
    }

    /// True for a dead letter that must be sealed and is not: it would send what nobody has
    /// refused. It stays open, in case the keys of this connector are the wrong ones.
    private func isForged(_ stored: StoredRecord) -> Bool {
        connector.results.seal?.fault(.deadLetter, of: stored) != nil
    }

    /// Writes dead letters again, unless someone else has committed since.
    private mutating func write(
        _ selected: [(StoredRecord, StoredDeadLetter)]
    ) throws(ReplayInterruption) {
        try checkAlone()
        do throws(KafkaFailure) {
            for (stored, letter) in selected {
                try writer.write(
                    topic, key: stored.key, value: stored.value,
                    headers: letter.headersOfReplay(
                        key: stored.key, value: stored.value,
                        sealedBy: connector.results.seal))
            }
            try writer.flush()
        } catch {
            throw .kafka(error)
        }
    }

    /// What becomes of a dead letter, and the dead letter with the value of its event.
    private mutating func decide(
        on stored: StoredRecord, _ letter: StoredDeadLetter?, now: Int64
    ) throws(ReplayInterruption) -> (ReplaySelection.Decision, StoredRecord) {
        guard let letter, letter.hasValueElsewhere,
            selection.decision(letter, timestamp: stored.timestamp, of: connector.name) == .replay
        else { return (try decision(on: stored, letter, now: now), stored) }
        var whole = stored
        do throws(KafkaFailure) {
            whole.value = try values.value(of: letter)
        } catch {
            throw .kafka(error)
        }
        guard whole.value != nil else { return (.withoutValue, stored) }
        return (try decision(on: whole, letter, now: now), whole)
    }

    /// What becomes of a dead letter.
    private mutating func decision(
        on stored: StoredRecord, _ letter: StoredDeadLetter?, now: Int64
    ) throws(ReplayInterruption) -> ReplaySelection.Decision {
        let decision = selection.decision(
            letter, timestamp: stored.timestamp, of: connector.name)
        guard decision == .replay, let letter else { return decision }
        let event = Record.owning(
            assignment: AssignmentID(1), topicPartition: letter.origin.topicPartition,
            offset: letter.origin.offset, timestamp: letter.origin.timestamp, key: stored.key,
            value: stored.value, headers: stored.headers)
        try lookUpSchema(of: event)
        if condition?.matches(event) == false { return .passedOver }
        if connector.source.topics.matches(topic), isOneOfMany(event, letter.index, now: now) {
            return .oneOfMany
        }
        if isDry, isExpired(event, letter.index, now: now) { totals.expired += 1 }
        return .replay
    }

    private mutating func lookUpSchema(of event: borrowing Record) throws(ReplayInterruption) {
        guard let schemas else { return }
        do throws(SchemaFailure) {
            try mapper.lookUpSchema(of: event, in: schemas)
            try condition?.lookUpSchema(of: event, in: schemas)
        } catch {
            throw .kafka(
                KafkaFailure(
                    code: "SCHEMA_REGISTRY", operation: "read dead letters",
                    detail: error.description))
        }
    }

    /// True when a source record with the event makes more pushes than this one.
    private mutating func isOneOfMany(
        _ event: borrowing Record, _ index: Int, now: Int64
    ) -> Bool {
        var mapped = MappedRecord()
        mapper.map(event, now: now, into: &mapped)
        return index > 0 || mapped.count > 1
    }

    private mutating func isExpired(
        _ event: borrowing Record, _ index: Int, now: Int64
    ) -> Bool {
        var mapped = MappedRecord()
        mapper.map(event, now: now, only: index, into: &mapped)
        return mapped.notifications[..<mapped.count].contains {
            $0.index == index && $0.drop == nil && $0.isExpired(at: now)
        }
    }

    /// Commits what is settled; refuses when someone else has committed since.
    public mutating func commit() throws(ReplayInterruption) {
        guard !isDry else { return }
        try checkAlone()
        let next = ledger.next
        do throws(KafkaFailure) {
            try offsets.commit(next.filter { $0.next != nil })
        } catch {
            throw .kafka(error)
        }
        ledger.noteCommitted(next)
    }

    /// Throws when the group's offsets are not those that this replay has read or committed.
    private func checkAlone() throws(ReplayInterruption) {
        let found: [CommittedOffset]
        do throws(KafkaFailure) {
            found = try offsets.read(ledger.committed.map(\.topicPartition))
        } catch {
            throw .kafka(error)
        }
        guard found == ledger.committed else { throw .anotherReplay }
    }
}
